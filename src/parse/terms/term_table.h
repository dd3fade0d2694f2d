// parse/terms/term_table.h - the table of a file's terms while it is built.
//
// Internal to parse. Independent of nodes: terms.cpp, function_terms.cpp and places.cpp read nodes
// and build terms here. Parts come before the terms that contain them. A term without meaning,
// because its parts are unknown, is not added: kNoIndex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "parse/facts/facts.h"

namespace codexmem::parse {

inline constexpr std::size_t kMaxMembers = 32;  // of a union

class TermTable {
 public:
  /// Adds to `facts.terms` and `facts.term_parts`; `facts` must outlive this object.
  explicit TermTable(FileFacts& facts) : facts_(facts) {}
  TermTable(const TermTable&) = delete;
  TermTable& operator=(const TermTable&) = delete;

  /// Begins a new file with empty tables.
  void reset() {
    literal_ = kNoIndex;
    this_ = kNoIndex;
    language_types_.clear();
  }

  /// Adds a term; kNoIndex if it has no meaning or there are too many.
  TermId add(TermKind kind, std::uint32_t at, std::span<const TermId> parts);
  TermId add(TermKind kind, std::uint32_t at, std::initializer_list<TermId> parts);

  /// The single term of all literals.
  TermId literal();

  /// The term of the built-in type `name`.
  TermId language_type(NameId name);

  /// The term of instances of the class of symbol `owner`; kNoIndex for kNoIndex.
  TermId this_of(std::uint32_t owner);

  /// The union of `terms`; unknown ones are ignored.
  TermId union_of(std::span<const TermId> terms);
  TermId union_of(TermId a, TermId b);

  /// `value`, or `fallback` if it is absent.
  TermId defaulted(TermId value, TermId fallback);

 private:
  FileFacts& facts_;
  TermId literal_ = kNoIndex;
  std::vector<std::pair<NameId, TermId>> language_types_;  // a handful
  TermId this_ = kNoIndex;                                 // the last one
};

}  // namespace codexmem::parse
