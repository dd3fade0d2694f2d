#include "index/packs/vector_file.h"

#include <fmt/core.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "embed/vector_codes.h"
#include "embed/vector_snapshot.h"
#include "store/code_vectors.h"
#include "store/code/seal.h"

namespace codexmem::index {
namespace {

// A search reads this many files in a few milliseconds; rewriting the file costs more.
constexpr std::size_t kMaxFilesBehind = 32;

Result<void> update_file(store::Workspace& workspace, std::string_view model_id) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto model, reader->find_model(model_id));
  std::unique_ptr<store::VectorRowSource> rows;
  if (model) {
    CODEXMEM_ASSIGN(rows, store::code_vector_rows(*reader, *model));
  }
  return embed::update_vector_file(rows.get(), workspace.vectors_path());
}

}  // namespace

std::optional<embed::VectorIndex::Head> find_vector_file(const store::Workspace& workspace) {
  const std::filesystem::path path = workspace.vectors_path();
  if (!store::is_own_file(path) || !store::is_own_file(embed::VectorIndex::side_path(path))) {
    return std::nullopt;
  }
  auto head = embed::VectorIndex::load_head(path);
  return head.ok() ? std::optional(std::move(*head)) : std::nullopt;
}

Result<void> note_all_vectors_changed(std::int64_t generation, store::CodeWriter& writer) {
  return writer.put_meta(store::kVectorsGenerationKey, fmt::format("{}", generation));
}

Result<store::ModelId> replace_models(store::CodeWriter& writer, std::string_view name,
                                      std::size_t dimension) {
  CODEXMEM_TRY(writer.keep_model(store::ModelId{}));  // none
  CODEXMEM_ASSIGN(const std::string code_values, embed::code_values());
  return writer.put_model(
      {.name = std::string(name), .dimension = dimension, .code_values = code_values});
}

Result<bool> is_vector_file_due(const store::Workspace& workspace, store::StoreReader& reader,
                                bool has_written) {
  CODEXMEM_ASSIGN(const std::int64_t made, reader.find_meta_number(store::kVectorsGenerationKey));
  if (made == 0) return false;  // no vectors yet
  CODEXMEM_ASSIGN(const std::int64_t saved, reader.find_meta_number(store::kVectorsFileKey));
  if (saved < made) return true;
  // Readers that use all bytes check them.
  const auto file = find_vector_file(workspace);
  if (!file || file->generation != static_cast<std::uint64_t>(saved)) return true;
  if (!has_written) return false;
  CODEXMEM_ASSIGN(const auto since, reader.list_files_since(saved));
  return since.size() >= kMaxFilesBehind;
}

Result<void> save_vector_file(store::Workspace& workspace, store::Database& database,
                              std::string_view model) {
  CODEXMEM_TRY(update_file(workspace, model));
  store::StoreReader reader(database);
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  CODEXMEM_ASSIGN(store::Transaction open, store::Transaction::begin(database));
  CODEXMEM_TRY(
      store::CodeWriter(database).put_meta(store::kVectorsFileKey, fmt::format("{}", generation)));
  return open.commit();
}

}  // namespace codexmem::index
