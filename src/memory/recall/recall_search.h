// memory/recall/recall_search.h - one search, on snapshots of one moment.
//
// Internal to recall; memory/recall/recall.h says what an answer is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/embedder.h"
#include "embed/vector_index.h"
#include "memory/documents/document_table.h"
#include "memory/recall/recall.h"
#include "store/database.h"

namespace codexmem::memory {

/// What an answer is made from. The database is in a read transaction, and `table` and `index` show
/// it as it is there.
struct RecallContext {
  store::Database* database = nullptr;
  std::shared_ptr<const DocumentTable> table;
  std::shared_ptr<const embed::VectorIndex> index;  // null: no document has a vector
  const embed::Embedder* embedder = nullptr;        // null: none
  bool is_immediate = true;                         // it answers from memory
  std::string missing_model;                        // RecallOptions::missing_model
  VectorBackend backend = VectorBackend::kSqlite;
  ChromaMirror* chroma = nullptr;  // null: none
  std::string missing_chroma;      // RecallOptions::missing_chroma
  RecallWeights weights;
  std::int64_t now_ms = 0;
  std::stop_token stop;
};

/// Recall::search().
Result<RecallAnswer> search_documents(const RecallContext& context, const RecallRequest& request);

/// Recall::candidates().
Result<std::vector<ScoredDocument>> find_similar_documents(const RecallContext& context,
                                                           std::string_view text, DocumentKind kind,
                                                           std::size_t k);

}  // namespace codexmem::memory
