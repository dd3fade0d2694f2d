// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "text/prose.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxSuccessors = 16;  // that are followed
constexpr double kBelow = 1 - 1e-9;         // of a successor's score is at most left

// The terms of title and body in their order: equal of texts that differ in case and marks alone.
std::string terms_of(const store::RecallRow& row) {
  std::string terms;
  for (const std::string_view text : {std::string_view(row.title), std::string_view(row.body)}) {
    for_each_prose_term(text, [&](const Term& term) {
      terms += term.text;
      terms += ' ';
    });
    terms += '\n';
  }
  return terms;
}

bool is_newer(const RecallCandidate& a, const RecallCandidate& b) {
  if (a.facts->created_at_ms != b.facts->created_at_ms) {
    return a.facts->created_at_ms > b.facts->created_at_ms;
  }
  return a.key > b.key;
}
}  // namespace

bool is_better(const RecallCandidate& a, const RecallCandidate& b) {
  return a.score != b.score ? a.score > b.score : is_newer(a, b);
}

const store::RecallRow* RecallRows::find(DocumentKey key) const {
  const auto found = rows_.find(static_cast<std::int64_t>(key));
  return found == rows_.end() ? nullptr : &found->second;
}

Result<const store::RecallRow*> RecallRows::read(DocumentKey key) {
  if (const store::RecallRow* known = find(key)) return known;
  CODEXMEM_ASSIGN(auto row, store::find_recall_row(database_, key));
  if (!row) return static_cast<const store::RecallRow*>(nullptr);
  return &rows_.emplace(static_cast<std::int64_t>(key), *std::move(row)).first->second;
}

Result<DocumentKey> RecallRows::find_last_successor(DocumentKey key) {
  const store::RecallRow* row = find(key);
  for (std::size_t step = 0; step < kMaxSuccessors; ++step) {
    if (row == nullptr || row->successor <= 0) break;
    const DocumentKey next = document_key(DocumentKind::kEntry, row->successor);
    CODEXMEM_ASSIGN(row, read(next));
    if (row != nullptr) key = next;
  }
  return key;
}

void RecallRows::rank_below_successors(std::span<RecallCandidate> candidates) const {
  std::unordered_map<std::int64_t, RecallCandidate*> by_key;
  for (RecallCandidate& candidate : candidates) {
    by_key.emplace(static_cast<std::int64_t>(candidate.key), &candidate);
  }
  for (RecallCandidate& candidate : candidates) {
    DocumentKey key = candidate.key;
    for (std::size_t step = 0; step < kMaxSuccessors; ++step) {
      const store::RecallRow* row = find(key);
      if (row == nullptr || row->successor <= 0) break;
      key = document_key(DocumentKind::kEntry, row->successor);
      const auto successor = by_key.find(static_cast<std::int64_t>(key));
      if (successor == by_key.end()) continue;
      candidate.score =
          std::min(candidate.score, successor->second->score * std::pow(kBelow, step + 1));
    }
  }
}

void RecallRows::fold_copies(std::vector<RecallCandidate>& candidates, RecallAnswer& answer) {
  std::vector<RecallCandidate> kept;
  std::vector<const store::RecallRow*> rows;
  std::map<std::tuple<DocumentKind, std::string_view, std::string>, std::size_t> places;
  for (const RecallCandidate& candidate : candidates) {
    const store::RecallRow* row = find(candidate.key);
    const auto [place, is_first] =
        row == nullptr ? std::pair(places.end(), true)
                       : places.try_emplace({kind_of(candidate.key), row->project, terms_of(*row)},
                                            kept.size());
    if (is_first) {
      kept.push_back(candidate);
      rows.push_back(row);
      continue;
    }
    const std::size_t same = place->second;
    ++answer.folded;
    // A copy is not a result of its own, so that pages end where the total does.
    if (auto& count = answer.counts[static_cast<std::size_t>(kind_of(candidate.key))]; count > 0) {
      --count;
    }
    RecallCandidate& shown = kept[same];
    const std::size_t older = folded_[static_cast<std::int64_t>(shown.key)] + 1;
    const bool is_current = row->successor == 0, shown_is_current = rows[same]->successor == 0;
    if (is_current != shown_is_current ? is_current : is_newer(candidate, shown)) {
      const double score = shown.score;
      shown = candidate;
      shown.score = score;
      rows[same] = row;
    }
    folded_[static_cast<std::int64_t>(shown.key)] = older;
  }
  candidates = std::move(kept);
}

std::size_t RecallRows::count_folded(DocumentKey key) const {
  const auto found = folded_.find(static_cast<std::int64_t>(key));
  return found == folded_.end() ? 0 : found->second;
}

}  // namespace codexmem::memory
