// parse/declarators.h - the symbols that C's and C++'s declarators declare.
//
// Internal to parse. Stateless between calls.
#pragma once

#include <cstdint>

#include "parse/builder.h"
#include "parse/symbols.h"
#include "parse/terms.h"

namespace codexmem::parse {

class DeclaratorBuilder : private Builder {
 public:
  DeclaratorBuilder(const Builder& base, SymbolBuilder& symbols, NodeTerms& nodes)
      : Builder(base), symbols_(symbols), nodes_(nodes) {}

  /// Declares what the declarators of the node of frame `index` do: symbols outside functions,
  /// locals and parameters in them.
  void declare_declarators(const Pattern& pattern, std::uint32_t index);

 private:
  /// What one declarator declares.
  struct Declared {
    ByteRange name;       // empty: nothing that has a name
    ByteRange container;  // what is written before it: a::b::
    bool is_function = false;
    Node function;  // the declarator with its parameters
  };

  Declared read_declarator(Node declarator) const;
  void name_by_argument(Declared* declared) const;
  void declare_macro_field(const Node& whole, std::uint32_t index);
  bool bind_parts(const Node& whole, const Node& declarator);
  void bind_local(std::uint32_t index, bool is_parameter);
  bool is_own_parameter(std::uint32_t index) const;
  ScopeKind scope_kind() const;

  SymbolBuilder& symbols_;
  NodeTerms& nodes_;
};

}  // namespace codexmem::parse
