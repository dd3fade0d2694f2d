#include "parse/terms/term_table.h"

#include <algorithm>
#include <vector>

namespace codexmem::parse {
namespace {

bool needs_first_part(TermKind kind) {
  switch (kind) {
    case TermKind::kNew:
    case TermKind::kCall:
    case TermKind::kAwait:
    case TermKind::kElement:
    case TermKind::kEntered:
    case TermKind::kMember:
    case TermKind::kOperator:
    case TermKind::kItem:
    case TermKind::kApply:
    case TermKind::kParameter:
    case TermKind::kArgument:
    case TermKind::kResult:
    case TermKind::kNth:
    case TermKind::kRanged:
    case TermKind::kOwnParameter:
    case TermKind::kOwnType:
    case TermKind::kDefaulted:
      return true;
    default:
      return false;
  }
}

}  // namespace

TermId TermTable::add(TermKind kind, std::uint32_t at, std::initializer_list<TermId> parts) {
  return add(kind, at, std::span(parts.begin(), parts.size()));
}

TermId TermTable::add(TermKind kind, std::uint32_t at, std::span<const TermId> parts) {
  if (needs_first_part(kind) && (parts.empty() || parts.front() == kNoIndex)) return kNoIndex;
  if (facts_.terms.size() >= kMaxTerms) return kNoIndex;
  Term term;
  term.kind = kind;
  term.at = at;
  term.first_part = static_cast<std::uint32_t>(facts_.term_parts.size());
  term.part_count = static_cast<std::uint32_t>(parts.size());
  facts_.term_parts.insert(facts_.term_parts.end(), parts.begin(), parts.end());
  facts_.terms.push_back(term);
  return static_cast<TermId>(facts_.terms.size() - 1);
}

TermId TermTable::literal() {
  if (literal_ == kNoIndex) literal_ = add(TermKind::kLiteral, kNoIndex, {});
  return literal_;
}

TermId TermTable::language_type(NameId name) {
  const auto known = std::ranges::find(language_types_, name, &std::pair<NameId, TermId>::first);
  if (known != language_types_.end()) return known->second;
  const TermId term = add(TermKind::kLanguageType, name, {});
  language_types_.emplace_back(name, term);
  return term;
}

TermId TermTable::this_of(std::uint32_t owner) {
  if (owner == kNoIndex) return kNoIndex;
  if (this_ == kNoIndex || facts_.terms[this_].at != owner) {
    this_ = add(TermKind::kThis, owner, {});
  }
  return this_;
}

TermId TermTable::union_of(std::span<const TermId> terms) {
  TermId distinct[kMaxMembers];
  std::size_t count = 0;
  for (TermId term : terms) {
    if (term == kNoIndex || std::find(distinct, distinct + count, term) != distinct + count) {
      continue;
    }
    if (count < kMaxMembers) distinct[count++] = term;
  }
  if (count == 0) return kNoIndex;
  if (count == 1) return distinct[0];
  return add(TermKind::kUnion, kNoIndex, std::span<const TermId>(distinct, count));
}

TermId TermTable::defaulted(TermId value, TermId fallback) {
  if (value == kNoIndex || value == fallback) return fallback;
  return fallback == kNoIndex ? value : add(TermKind::kDefaulted, kNoIndex, {value, fallback});
}

TermId TermTable::union_of(TermId a, TermId b) {
  const TermId both[] = {a, b};
  return union_of(both);
}

}  // namespace codexmem::parse
