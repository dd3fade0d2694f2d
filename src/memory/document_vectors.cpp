#include "memory/document_vectors.h"

#include <algorithm>
#include <array>
#include <vector>

#include "embed/vector_codes.h"

namespace codexmem::memory {
namespace {

constexpr char kFindModelSql[] = "SELECT id FROM embedding_models WHERE name = ?1";
constexpr char kInsertModelSql[] = R"sql(
INSERT INTO embedding_models (name, dimension, code_values) VALUES (?1, ?2, ?3))sql";
// A vector that is replaced gets a new number, by which snapshots learn of it.
constexpr char kPutVectorSql[] = R"sql(
INSERT OR REPLACE INTO vectors (document, model_id, codes) VALUES (?1, ?2, ?3))sql";

Result<std::int64_t> find_or_insert_model(store::Database& database,
                                          const embed::Embedder& embedder) {
  CODEXMEM_ASSIGN(store::Statement find, database.statement(kFindModelSql));
  find.bind(1, embedder.model_id());
  CODEXMEM_ASSIGN(const bool found, find.step());
  if (found) return find.integer(0);
  CODEXMEM_ASSIGN(const std::string values, embed::code_values());
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertModelSql));
  insert.bind(1, embedder.model_id());
  insert.bind(2, static_cast<std::int64_t>(embedder.dimension()));
  insert.bind_blob(3, values);
  CODEXMEM_TRY(insert.run());
  return database.last_insert_id();
}

}  // namespace

Result<std::string> DocumentVectors::encode(std::string_view title, std::string_view body) const {
  if (embedder_ == nullptr || !is_immediate_) return std::string();
  const std::string text = std::string(title) + "\n" + std::string(body);
  const std::array<std::string_view, 1> texts = {text};
  CODEXMEM_ASSIGN(const std::vector<float> vector, embedder_->embed_documents(texts));
  if (std::all_of(vector.begin(), vector.end(), [](float value) { return value == 0; })) {
    return std::string();
  }
  return embed::encode_vectors(vector, embedder_->dimension());
}

Result<void> DocumentVectors::put(store::Database& database, DocumentKey document,
                                  std::string_view codes) const {
  if (codes.empty()) return {};
  CODEXMEM_ASSIGN(const std::int64_t model, find_or_insert_model(database, *embedder_));
  CODEXMEM_ASSIGN(store::Statement put, database.statement(kPutVectorSql));
  put.bind(1, document);
  put.bind(2, model);
  put.bind_blob(3, codes);
  return put.run();
}

}  // namespace codexmem::memory
