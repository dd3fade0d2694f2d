// parse/terms/declarators.h - the symbols that C's and C++'s declarators declare.
//
// Internal to parse. Stateless between calls.
#pragma once

#include <cstdint>

#include "parse/walk/builder.h"
#include "parse/walk/symbols.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {

/// True for NAME(a) in NAME(a)(int) and NAME(a)[2]: no function returns a function or an array, so
/// a macro makes the name.
bool is_made_name(const Source& source, const Node& declarator);

class DeclaratorBuilder : private Builder {
 public:
  DeclaratorBuilder(const Builder& base, SymbolBuilder& symbols, NodeTerms& nodes)
      : Builder(base), symbols_(symbols), nodes_(nodes) {}

  /// Declares the names in the declaration at frame `index`: symbols outside functions, locals and
  /// parameters in them.
  void declare_declarators(const Pattern& pattern, std::uint32_t index);

 private:
  /// The declaration in one declarator.
  struct Declared {
    ByteRange name;       // empty: no name
    ByteRange container;  // the qualifier before it: a::b::
    bool is_function = false;
    Node function;  // the declarator that has the parameters
  };

  Declared read_declarator(Node declarator) const;
  std::string_view operator_name(std::string_view name) const;
  void name_by_argument(Declared* declared) const;
  bool takes_some(const Declared& declared) const;
  void declare_macro_field(const Node& whole, std::uint32_t index);
  bool bind_parts(const Node& whole, const Node& declarator);
  void bind_local(std::uint32_t index, bool is_parameter);
  bool is_own_parameter(std::uint32_t index) const;
  ScopeKind scope_kind() const;

  SymbolBuilder& symbols_;
  NodeTerms& nodes_;
};

}  // namespace codexmem::parse
