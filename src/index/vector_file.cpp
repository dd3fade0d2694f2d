#include "index/vector_file.h"

#include <fmt/core.h>

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string>

#include "embed/vector_index.h"
#include "search/vectors.h"
#include "store/code/seal.h"

namespace codexmem::index {
namespace {

constexpr char kVectorsGenerationKey[] = "vectors_generation";
// A search catches up with this many files in a few milliseconds; writing the file anew costs more.
constexpr std::size_t kMaxFilesBehind = 32;

// A number that meta holds, 0 if there is none.
Result<std::int64_t> find_number(store::CodeReader& reader, std::string_view key) {
  CODEXMEM_ASSIGN(const auto text, reader.find_meta(key));
  std::int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

// The file is of this store and shows what the note says. Its bytes are checked by whoever reads
// them all.
bool has_vector_file(const store::Workspace& workspace, std::int64_t saved) {
  const std::filesystem::path path = workspace.vectors_path();
  if (!store::is_own_file(path)) return false;
  const auto head = embed::VectorIndex::load_head(path);
  return head.ok() && head->generation == static_cast<std::uint64_t>(saved);
}

}  // namespace

Result<void> note_all_vectors_changed(store::CodeReader& reader, store::CodeWriter& writer) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  return writer.put_meta(kVectorsGenerationKey, fmt::format("{}", generation));
}

Result<bool> is_vector_file_due(const store::Workspace& workspace, store::CodeReader& reader,
                                bool has_written) {
  CODEXMEM_ASSIGN(const std::int64_t made, find_number(reader, kVectorsGenerationKey));
  if (made == 0) return false;  // no vectors yet
  CODEXMEM_ASSIGN(const std::int64_t saved, find_number(reader, search::kVectorsFileKey));
  if (saved < made || !has_vector_file(workspace, saved)) return true;
  if (!has_written) return false;
  CODEXMEM_ASSIGN(const auto since, reader.list_files_since(saved));
  return since.size() >= kMaxFilesBehind;
}

Result<void> save_vector_file(store::Workspace& workspace, store::Database& database,
                              std::string_view model) {
  CODEXMEM_TRY(search::save_vectors(workspace, model));
  store::CodeReader reader(database);
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  CODEXMEM_ASSIGN(store::Transaction open, store::Transaction::begin(database));
  CODEXMEM_TRY(
      store::CodeWriter(database).put_meta(search::kVectorsFileKey, fmt::format("{}", generation)));
  return open.commit();
}

}  // namespace codexmem::index
