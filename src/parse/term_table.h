// parse/term_table.h - the table of a file's terms, as it grows.
//
// Internal to parse. Knows nothing of nodes: terms.cpp, function_terms.cpp and places.cpp read
// those and put together here what they found. Parts stand before what is made of them. What would
// say nothing, since what it is made of is unknown, is not added: kNoIndex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "parse/facts.h"

namespace codexmem::parse {

inline constexpr std::size_t kMaxMembers = 32;  // of a union

class TermTable {
 public:
  /// Adds to `facts.terms` and `facts.term_parts`; `facts` outlives this.
  explicit TermTable(FileFacts& facts) : facts_(facts) {}
  TermTable(const TermTable&) = delete;
  TermTable& operator=(const TermTable&) = delete;

  /// Begins a new file, whose tables are empty.
  void reset() {
    literal_ = kNoIndex;
    this_ = kNoIndex;
    language_types_.clear();
  }

  /// A new term; kNoIndex when it says nothing or there are too many.
  TermId add(TermKind kind, std::uint32_t at, std::span<const TermId> parts);
  TermId add(TermKind kind, std::uint32_t at, std::initializer_list<TermId> parts);

  /// The one term of all literals.
  TermId literal();

  /// The term of the language's own type `name`.
  TermId language_type(NameId name);

  /// The term of the instances of the class that symbol `owner` is; kNoIndex for kNoIndex.
  TermId this_of(std::uint32_t owner);

  /// What is one of `terms`, of which those that are unknown do not count.
  TermId union_of(std::span<const TermId> terms);
  TermId union_of(TermId a, TermId b);

  /// `value`, or `fallback` where that is nothing.
  TermId defaulted(TermId value, TermId fallback);

 private:
  FileFacts& facts_;
  TermId literal_ = kNoIndex;
  std::vector<std::pair<NameId, TermId>> language_types_;  // a handful
  TermId this_ = kNoIndex;                                 // the last
};

}  // namespace codexmem::parse
