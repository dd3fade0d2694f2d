// parse/places.h - what a node's place says of it: what a pattern gives a name, and what is
// expected of an expression where it stands.
//
// Internal to parse. Works on the open frames, each asked once. Not thread-safe.
#pragma once

#include <cstdint>

#include "parse/builder.h"

namespace codexmem::parse {

class FunctionTerms;
class JsDoc;
class NodeTerms;

class Places : private Builder {
 public:
  Places(const Builder& base, JsDoc& docs, NodeTerms& nodes, FunctionTerms& functions)
      : Builder(base), docs_(docs), nodes_(nodes), functions_(functions) {}

  /// What the names of the pattern that frame `index` is are given as a whole.
  TermId taken(std::uint32_t index);
  /// What a node below frame `parent` is given, by its place there.
  TermId given(const EdgeRule* edge, std::uint32_t parent, const Node& node, std::uint32_t position,
               const Declarator* declarator, Context context);
  /// What the place of frame `index` expects.
  TermId expected(std::uint32_t index);
  /// Of what a key below frame `parent` is a key.
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
