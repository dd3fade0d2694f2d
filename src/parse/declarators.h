// parse/declarators.h - the symbols that C's and C++'s declarators declare.
//
// Internal to parse. Stateless between calls.
#pragma once

#include <cstdint>

#include "parse/builder.h"
#include "parse/symbols.h"

namespace codexmem::parse {

class DeclaratorBuilder : private Builder {
 public:
  DeclaratorBuilder(const Builder& base, SymbolBuilder& symbols)
      : Builder(base), symbols_(symbols) {}

  /// Declares what the declarators of the node of frame `index` do, outside functions.
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

  SymbolBuilder& symbols_;
};

}  // namespace codexmem::parse
