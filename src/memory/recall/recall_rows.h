// memory/recall/recall_rows.h - the rows of a search's candidates, and what they say of one
// another.
//
// Internal to recall. Of one search, in its read transaction; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "memory/documents/document_table.h"
#include "memory/recall/recall.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/documents.h"

namespace codexmem::memory {

/// A document that may be in the answer.
struct RecallCandidate {
  DocumentKey key{};
  const DocumentFacts* facts = nullptr;
  RecallParts parts;
  bool has_cosine = false;
  double sum = 0, score = 0;
  double least = 0;  // of the scores that it has as a note and as a turn
};

/// By score, ties by the newer, then the greater key.
bool is_better(const RecallCandidate& a, const RecallCandidate& b);

class RecallRows {
 public:
  explicit RecallRows(store::Database& database) : database_(database) {}

  /// The row of `key`, which is read once and lives as long as this; null when it is gone.
  Result<const store::RecallRow*> read(DocumentKey key);

  /// The last in the line of those that superseded `key`; itself when nothing did, or when its row
  /// was not read.
  Result<DocumentKey> find_last_successor(DocumentKey key);

  /// What was superseded comes after what superseded it, however well it fits.
  void rank_below_successors(std::span<RecallCandidate> candidates) const;

  /// Of texts of one project that differ in case and marks alone the newest that is not superseded
  /// represents all, at the place of the best. Counts are kept up.
  void fold_copies(std::vector<RecallCandidate>& candidates, RecallAnswer& answer);

  /// How many copies `key` represents.
  std::size_t count_folded(DocumentKey key) const;

 private:
  const store::RecallRow* find(DocumentKey key) const;

  store::Database& database_;
  std::unordered_map<std::int64_t, store::RecallRow> rows_;
  std::unordered_map<std::int64_t, std::size_t> folded_;
};

}  // namespace codexmem::memory
