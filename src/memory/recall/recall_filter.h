// memory/recall/recall_filter.h - which documents a request lets through.
//
// Immutable once made, and borrows the table; safe from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "memory/documents/document_table.h"
#include "memory/recall/recall.h"
#include "memory/entries/records.h"
#include "store/database.h"

namespace codexmem::memory {

class RecallFilter {
 public:
  /// Of `request`'s projects, kinds, types, times, concepts and files. The last two are no facts of
  /// the table: for them the rows that pass the rest are read (1 us each). Errors: those of the
  /// store; kCancelled.
  static Result<RecallFilter> make(store::Database& database, const DocumentTable& table,
                                   const RecallRequest& request, std::stop_token stop);

  bool passes(DocumentKey key, const DocumentFacts& facts) const {
    return facts.exists && passes_facts(key, facts) &&
           (!needs_rows_ || rows_.contains(static_cast<std::int64_t>(key)));
  }
  bool passes(DocumentKey key) const { return passes(key, table_->facts(key)); }
  bool passes_all() const { return passes_all_; }
  /// Whether concepts or files are asked for.
  bool needs_rows() const { return needs_rows_; }

  /// Documents that pass.
  std::size_t count() const { return count_; }

  /// Calls f(DocumentKey, const DocumentFacts&) for each that passes.
  template <typename F>
  void for_each(F&& f) const {
    for (const DocumentKind kind : {DocumentKind::kEntry, DocumentKind::kSummary,
                                    DocumentKind::kPrompt, DocumentKind::kDecision}) {
      if (!kinds_[static_cast<std::size_t>(kind)]) continue;
      table_->for_each(kind, [&](DocumentKey key, const DocumentFacts& facts) {
        if (passes(key, facts)) f(key, facts);
      });
    }
  }

 private:
  bool passes_facts(DocumentKey key, const DocumentFacts& facts) const {
    if (!kinds_[static_cast<std::size_t>(kind_of(key))]) return false;
    if (scope_ != nullptr && scope_->is_hidden(key)) return false;
    if (facts.created_at_ms < from_ms_ || facts.created_at_ms > to_ms_) return false;
    if (has_projects_ && !projects_.contains(facts.project)) return false;
    return !has_types_ || types_.contains(facts.type);
  }

  const DocumentTable* table_ = nullptr;
  std::shared_ptr<const BranchScope> scope_;  // null: nothing is hidden
  std::array<bool, 4> kinds_ = {};
  std::int64_t from_ms_ = 0, to_ms_ = 0;
  bool has_projects_ = false, has_types_ = false, needs_rows_ = false, passes_all_ = false;
  std::unordered_set<std::uint32_t> projects_;
  std::unordered_set<std::uint16_t> types_;
  std::unordered_set<std::int64_t> rows_;  // keys that pass concepts and files
  std::size_t count_ = 0;
};

}  // namespace codexmem::memory
