#include "memory/documents/document_vectors.h"

#include <algorithm>
#include <array>
#include <vector>

#include "embed/vector_codes.h"
#include "store/document_vectors.h"

namespace codexmem::memory {
namespace {

Result<std::int64_t> find_or_insert_model(store::Database& database,
                                          const embed::Embedder& embedder) {
  CODEXMEM_ASSIGN(const auto found, store::find_vector_model(database, embedder.model_id()));
  if (found) return *found;
  CODEXMEM_ASSIGN(const std::string values, embed::code_values());
  return store::add_vector_model(database, embedder.model_id(), embedder.dimension(), values);
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
  return store::put_document_vector(database, static_cast<std::int64_t>(document), model, codes);
}

}  // namespace codexmem::memory
