// parse/walk/places.h - terms from a node's place: the value a pattern gives a name, and the type
// expected of an expression.
//
// Internal to parse. Works on the open frames and caches the result of each. Not thread-safe.
#pragma once

#include <cstdint>

#include "parse/walk/builder.h"

namespace codexmem::parse {

class FunctionTerms;
class JsDoc;
class NodeTerms;

class Places : private Builder {
 public:
  Places(const Builder& base, JsDoc& docs, NodeTerms& nodes, FunctionTerms& functions)
      : Builder(base), docs_(docs), nodes_(nodes), functions_(functions) {}

  /// The term of the value matched by the pattern at frame `index`.
  TermId taken(std::uint32_t index);
  /// The term of a node below frame `parent`, from its place there.
  TermId given(const EdgeRule* edge, std::uint32_t parent, const Node& node, std::uint32_t position,
               const Declarator* declarator, Context context);
  /// The type expected at the place of frame `index`.
  TermId expected(std::uint32_t index);
  /// The term of the object whose key is below frame `parent`.
  TermId whole_of_key(std::uint32_t parent, const Node& key, Field field, Kind kind);

 private:
  TermId term_of(const Declarator& declarator);
  std::uint32_t whole_call(std::uint32_t call);
  TermId argument_term(std::uint32_t position, TermId call, TermId expected_of_call);
  std::uint32_t function_of_parameter(std::uint32_t parent, std::uint32_t* position) const;
  TermId parameter_term(std::uint32_t parent, std::uint32_t position);
  TermId documented_parameter(std::uint32_t parent, std::uint32_t position);
  TermId expected_by(Expect expect, std::uint32_t parent, const Node& node, std::uint32_t position);
  TermId nth(std::uint32_t parent, const Node& node, const Declarator* declarator);
  bool has_comma(const Node& list) const;
  bool is_key(const Node& name) const;
  std::uint32_t item_position(const Node& list, const Node& item) const;

  JsDoc& docs_;
  NodeTerms& nodes_;
  FunctionTerms& functions_;
  int depth_ = 0;
};

}  // namespace codexmem::parse
