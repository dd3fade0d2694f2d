// Tested by search/vectors_test.cpp.
#include "search/vectors.h"

#include <charconv>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.h"

namespace codexmem::search {
namespace {

using embed::VectorIndex;
using embed::VectorIndexBuilder;

// Adds the vectors of files written after `generation` (0: all).
Result<void> add_vectors(store::CodeReader& reader, const store::CodeReader::Model& model,
                         std::int64_t generation, VectorIndexBuilder* builder) {
  std::vector<std::int64_t> ids;
  std::string codes;
  CODEXMEM_TRY(reader.visit_vectors(
      generation, [&](store::ChunkId id, store::ModelId owner, std::string_view bytes) {
        if (owner != model.id || bytes.size() != model.dimension) return true;
        ids.push_back(static_cast<std::int64_t>(id));
        codes += bytes;
        return true;
      }));
  return builder->add(ids, codes);
}

// What the index of a store's vectors is called: the model, and which store, because generations
// and ids of another one that stood in the same place mean other texts.
Result<std::string> index_name(store::CodeReader& reader, const store::CodeReader::Model& model) {
  CODEXMEM_ASSIGN(const auto store, reader.find_meta("store"));
  return model.name + "@" + store.value_or("");
}

Result<std::shared_ptr<const VectorIndex>> from_store(store::CodeReader& reader,
                                                      const store::CodeReader::Model& model,
                                                      std::int64_t generation) {
  CODEXMEM_ASSIGN(const std::string name, index_name(reader, model));
  VectorIndexBuilder builder(name, model.dimension);
  CODEXMEM_TRY(add_vectors(reader, model, 0, &builder));
  return std::move(builder).freeze(static_cast<std::uint64_t>(generation));
}

// `old` with the changes since it was made.
Result<std::shared_ptr<const VectorIndex>> catch_up(store::CodeReader& reader,
                                                    const store::CodeReader::Model& model,
                                                    std::int64_t generation,
                                                    const VectorIndex& old) {
  const auto since = static_cast<std::int64_t>(old.generation());
  CODEXMEM_ASSIGN(const auto rewritten, reader.list_files_since(since));
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  std::unordered_set<std::int64_t> unchanged;
  for (const store::FileRow& file : files) unchanged.insert(static_cast<std::int64_t>(file.id));
  for (const store::FileId id : rewritten) unchanged.erase(static_cast<std::int64_t>(id));
  std::vector<std::int64_t> stale;
  for (const std::int64_t id : old.ids()) {
    const store::FileId file = store::file_of(static_cast<store::ChunkId>(id));
    if (!unchanged.contains(static_cast<std::int64_t>(file))) stale.push_back(id);
  }
  VectorIndexBuilder builder(old);
  builder.remove(stale);
  CODEXMEM_TRY(add_vectors(reader, model, since, &builder));
  return std::move(builder).freeze(static_cast<std::uint64_t>(generation));
}

// A number that meta holds, 0 if there is none.
Result<std::int64_t> find_number(store::CodeReader& reader, std::string_view key) {
  CODEXMEM_ASSIGN(const auto note, reader.find_meta(key));
  std::int64_t number = 0;
  if (note.has_value()) {
    std::from_chars(note->data(), note->data() + note->size(), number);
  }
  return number;
}

// The file at `path` if it is whole and the one that the store's last index run left: another may
// tell of files that this store does not have, under numbers that it has given to others since. A
// damaged one is deleted, so that the next run writes it anew.
Result<std::shared_ptr<const VectorIndex>> load_file(store::CodeReader& reader,
                                                     const std::filesystem::path& path) {
  CODEXMEM_ASSIGN(const std::int64_t saved, find_number(reader, kVectorsFileKey));
  auto loaded = VectorIndex::load(path);
  if (!loaded.ok()) {
    if (loaded.error().code() == ErrorCode::kNotFound) return std::shared_ptr<const VectorIndex>();
    log_warn("search: {}; vectors are read from the store", loaded.error().message());
    std::error_code ignored;
    if (loaded.error().code() == ErrorCode::kCorrupt) std::filesystem::remove(path, ignored);
    return std::shared_ptr<const VectorIndex>();
  }
  if ((*loaded)->generation() != static_cast<std::uint64_t>(saved)) {
    log_info("search: {} is of another state of the store; vectors are read from the store",
             path.string());
    return std::shared_ptr<const VectorIndex>();
  }
  return loaded;
}

}  // namespace

Result<std::shared_ptr<const VectorIndex>> current_vectors(
    store::CodeReader& reader, const store::CodeReader::Model& model,
    const std::filesystem::path& path, std::shared_ptr<const VectorIndex> previous) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  // What is older than the vectors of unchanged files cannot be caught up with.
  CODEXMEM_ASSIGN(const std::int64_t oldest, find_number(reader, "vectors_generation"));
  CODEXMEM_ASSIGN(const std::string name, index_name(reader, model));
  const auto is_usable = [&](const VectorIndex& index) {
    return index.model_id() == name && index.dimension() == model.dimension &&
           index.generation() <= static_cast<std::uint64_t>(generation) &&
           index.generation() >= static_cast<std::uint64_t>(oldest);
  };
  std::shared_ptr<const VectorIndex> old = std::move(previous);
  if (old == nullptr || !is_usable(*old)) {
    CODEXMEM_ASSIGN(old, load_file(reader, path));
    if (old == nullptr || !is_usable(*old)) return from_store(reader, model, generation);
  }
  if (old->generation() < static_cast<std::uint64_t>(generation)) {
    CODEXMEM_ASSIGN(old, catch_up(reader, model, generation, *old));
  }
  // Vectors that came without a new generation.
  CODEXMEM_ASSIGN(const std::int64_t stored, reader.count_vectors(model.id));
  if (old->size() == static_cast<std::size_t>(stored)) return old;
  return from_store(reader, model, generation);
}

Result<void> save_vectors(store::Workspace& workspace, std::string_view model_id) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto model, reader->find_model(model_id));
  const std::filesystem::path path = workspace.vectors_path();
  std::shared_ptr<const VectorIndex> vectors;
  if (model.has_value()) {
    CODEXMEM_ASSIGN(vectors, current_vectors(*reader, *model, path, nullptr));
  }
  if (vectors == nullptr || vectors->size() == 0) {
    std::error_code failed;
    std::filesystem::remove(path, failed);
    if (failed) return Error{ErrorCode::kIo, path.string() + ": " + failed.message()};
    return {};
  }
  if (const auto there = VectorIndex::load(path);
      there.ok() && (*there)->generation() == vectors->generation() &&
      (*there)->model_id() == vectors->model_id() && (*there)->size() == vectors->size()) {
    return {};
  }
  return vectors->save(path);
}

}  // namespace codexmem::search
