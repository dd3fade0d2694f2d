// parse/terms.h - the terms of nodes: how values come about and what types are (facts.h).
//
// Internal to parse. A term is made on demand, once a node. kNoIndex is the term of what says
// nothing. Not thread-safe; reusable.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parse/builder.h"
#include "parse/term_memo.h"

namespace codexmem::parse {

class FunctionTerms;
class JsDoc;

class NodeTerms : private Builder {
 public:
  NodeTerms(const Builder& base, TermMemo& memo, JsDoc& docs, FunctionTerms& functions)
      : Builder(base), memo_(memo), docs_(docs), functions_(functions) {}

  /// Begins a new file.
  void reset();

  /// What `node` is as a value or as a type.
  TermId value_term(const Node& node) { return term_at(node, Side::kValue); }
  TermId type_term(const Node& node) { return term_at(node, Side::kType); }
  /// What C's `declarator`, nullptr if there is none, makes of the type of `whole`: pointers and
  /// arrays are what they point to and hold.
  TermId declared_term(const Node& whole, Node declarator);
  /// What name number `position` of several is given of `value`: a value of the list that it is,
  /// else a part of what it gives.
  TermId value_at(const Node& value, std::uint32_t position);
  /// How many names the declaration `node` declares.
  std::uint32_t count_names(const Node& node) const;
  /// The supertype with its type arguments whose last name stands at `offset`, just below the
  /// innermost frames; kNoIndex when it has none.
  TermId supertype_term(std::uint32_t offset);
  /// Writes what names are in `range`, where `condition` is true.
  void narrow(const Node& condition, ByteRange range);
  /// The same of what the condition of `selection` names, which is a `type` in `range`.
  void narrow_subject(const Node& selection, const Node& type, ByteRange range);

 private:
  TermId receiver_term();
  bool has_trailing(TermId call) const;
  NameId tested_name(std::string_view text);
  TermId inferred_term(const Node& whole, const Node& declarator);
  TermId term_at(const Node& node, Side side);
  TermId term_by(const std::vector<Pattern>& patterns, const Node& node, Side side);
  TermId term_of(const Pattern& pattern, const Node& node, const Captures& captures, Side side);
  TermId nested_list(TermId list, const Node& node);
  TermId name_term(const Node& name, Side side);
  TermId call_term(const Pattern& pattern, const Node& node, const Captures& captures);
  TermId results_term(const Node& list);
  Node only_child(const Node& list);
  TermId instantiated_term(const Node& callee, TermId called);
  TermId apply_term(TermId applied, const Node& list);
  bool is_self(const Node& node) const;
  bool is_own_class(const Node& node) const;

  TermMemo& memo_;
  JsDoc& docs_;
  FunctionTerms& functions_;
  std::vector<TermId> parts_;  // of the terms that are being made
  int depth_ = 0;
  std::array<Captures, kMaxTermDepth + 1> captures_;  // by depth
};

}  // namespace codexmem::parse
