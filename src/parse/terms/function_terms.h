// parse/terms/function_terms.h - functions and objects: their parameters, entries and results.
//
// Internal to parse. They have tables of their own next to the terms; a function's results are
// noted as the walk meets them. Not thread-safe; reusable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/terms/term_memo.h"

namespace codexmem::parse {

class JsDoc;
class NodeTerms;

/// A function that encloses the walk's current place.
struct OpenFunction {
  std::uint32_t function = kNoIndex;  // its entry
  std::uint32_t frame = 0;
  bool has_results = false;  // results are collected
  std::size_t count = 0;
  std::array<TermId, kMaxResults> results{};
};

class FunctionTerms : private Builder {
 public:
  FunctionTerms(const Builder& base, TermMemo& memo, JsDoc& docs, NodeTerms& nodes)
      : Builder(base), memo_(memo), docs_(docs), nodes_(nodes) {}

  /// Begins a new file.
  void reset();

  /// The term of the function at `node`.
  TermId function_term(const Node& node);
  /// The term of the function that C's declarator `node` declares, with the result `result`.
  TermId declared_function(const Node& node, const Node& parameters, TermId result);
  /// The term of an object literal or of the members of a written-out type; for an interface only
  /// its signatures.
  TermId object_term(const Node& node, bool signatures_only);
  /// The parameter's term of a setter with that term.
  TermId setter_term(TermId function) const;
  /// Removes the instance, which Python's methods take first, from the parameters of `function`.
  void drop_self(const Symbol& method, TermId function);
  /// The number of receiver parameters of a function, which were left out.
  std::uint32_t leading(std::uint32_t function) const {
    return function < leading_.size() ? leading_[function] : 0;
  }

  /// Opens the function at frame `index`, with its `symbol` if any; close() closes it.
  void open(std::uint32_t index, std::uint32_t symbol);
  void close();
  /// The innermost open function; nullptr outside functions.
  const OpenFunction* innermost() const { return open_.empty() ? nullptr : &open_.back(); }

  /// The innermost open function at or above frame `frame`; nullptr if it is outside functions.
  const OpenFunction* around(std::uint32_t frame) const {
    std::size_t at = open_.size();
    while (at > 0 && open_[at - 1].frame > frame) --at;
    return at == 0 ? nullptr : &open_[at - 1];
  }
  /// Notes that it returns or yields `value`; with `is_from`, that it yields the elements of
  /// `value`.
  void note_result(const Node& value);
  void note_yield(const Node& value, bool is_from);

 private:
  /// Adds an entry to the table; kNoIndex when it is full.
  std::uint32_t new_function();
  /// Fills the entry, and remembers the term of `node`.
  TermId keep(const Node& node, std::uint32_t index, Function function);
  void add_captured(const Captures& found, std::uint32_t index, Function* function);
  void add_parameters(const Node& list, std::uint32_t index, Function* function);
  void add_same(const Node& declaration, const Node& first, Parameter parameter,
                Function* function);
  void add_entry(EntrySort sort, const Node& node, const Captures& captures, bool signatures_only,
                 Object* object);

  TermMemo& memo_;
  JsDoc& docs_;
  NodeTerms& nodes_;
  std::vector<OpenFunction> open_;      // innermost last
  std::vector<std::uint32_t> leading_;  // by function
  const void* last_yield_ = nullptr;
};

}  // namespace codexmem::parse
