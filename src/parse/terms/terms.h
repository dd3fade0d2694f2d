// parse/terms/terms.h - the terms of nodes: expressions for values and types (facts.h).
//
// Internal to parse. A term is built on demand, once per node. kNoIndex means unknown. Not
// thread-safe; reusable.
//
// null, undefined, None, void and never are nothing and leave unions; any and unknown are unknown;
// all literals are one term, as are ECMAScript's arithmetic and Python's dictionaries. A parameter
// without annotation in a place that expects a function is parameter(place, number), which joins
// its default. Up to four assignments of a name without annotation join. Parameters are without
// this, self and cls. `this(...)`, `cls(...)` and `type(self)(...)` are the instance.
//
// Not followed: Flow types, `with` of JavaScript, keyof, template literal types, super(...) as a
// callee, keys of Python's dictionaries, names in patterns of `match` except `case C() as x`, types
// that an early return implies.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/terms/term_memo.h"

namespace codexmem::parse {

class FunctionTerms;
class JsDoc;

class NodeTerms : private Builder {
 public:
  NodeTerms(const Builder& base, TermMemo& memo, JsDoc& docs, FunctionTerms& functions)
      : Builder(base), memo_(memo), docs_(docs), functions_(functions) {}

  /// Begins a new file.
  void reset();

  /// The term of `node` as a value or as a type.
  TermId value_term(const Node& node) { return term_at(node, Side::kValue); }
  TermId type_term(const Node& node) { return term_at(node, Side::kType); }
  /// The term of C's `declarator` (empty if absent) with the type of `whole`: pointers and arrays
  /// have the type of the pointee or element.
  TermId declared_term(const Node& whole, Node declarator);
  /// Notes that an object of the type `made`, or of the base that it names, is constructed from
  /// `list`: a call of its constructor. Inside functions (`in_function`), the grammar may take
  /// values in `list` for parameters.
  void note_made(const Node& made, const Node& list, bool in_function);
  /// The value of name number `position` in a list of names: that element if `value` is a list of
  /// values, else that part of its result.
  TermId value_at(const Node& value, std::uint32_t position);
  /// The number of names that the declaration `node` declares.
  std::uint32_t count_names(const Node& node) const;
  /// The supertype, with its type arguments, whose last name is at `offset`, just below the
  /// innermost frames; kNoIndex without type arguments.
  TermId supertype_term(std::uint32_t offset);
  /// Notes the types of names in `range`, where `condition` is true.
  void narrow(const Node& condition, ByteRange range);
  /// The same for the name in the condition of `selection`, which has the type `type` in `range`.
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
  std::vector<TermId> parts_;  // of terms under construction
  int depth_ = 0;
  std::array<Captures, kMaxTermDepth + 1> captures_;  // by depth
};

}  // namespace codexmem::parse
