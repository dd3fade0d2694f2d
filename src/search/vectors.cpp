// Tested by search/vectors_test.cpp.
#include "search/vectors.h"

#include <charconv>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.h"
#include "store/code/seal.h"

namespace codexmem::search {
namespace {

using embed::VectorIndex;
using embed::VectorIndexBuilder;

constexpr std::size_t kBatch = 4096;  // vectors that are held twice

// Adds the vectors of files written after `generation` (0: all).
Result<void> add_vectors(store::CodeReader& reader, const store::CodeReader::Model& model,
                         std::int64_t generation, VectorIndexBuilder* builder) {
  std::vector<std::int64_t> ids;
  std::string codes;
  Result<void> added;
  const auto add = [&] {
    added = builder->add(ids, codes);
    ids.clear();
    codes.clear();
    return added.ok();
  };
  CODEXMEM_TRY(reader.visit_vectors(
      generation, [&](store::ChunkId id, store::ModelId owner, std::string_view bytes) {
        if (owner != model.id || bytes.size() != model.dimension) return true;
        ids.push_back(static_cast<std::int64_t>(id));
        codes += bytes;
        return ids.size() < kBatch || add();
      }));
  if (added.ok()) add();
  return added;
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
  CODEXMEM_ASSIGN(const std::int64_t count, reader.count_vectors(model.id));
  VectorIndexBuilder builder(name, model.dimension);
  builder.reserve(static_cast<std::size_t>(count));
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

// The file at `path` if it is the user's own, whole, and the one that the last index run left:
// another may tell of files that this store does not have, under numbers that it has given to
// others since. A damaged one is deleted, so that the next run writes it anew.
Result<std::shared_ptr<const VectorIndex>> load_file(store::CodeReader& reader,
                                                     const std::filesystem::path& path) {
  if (!store::is_own_file(path)) return std::shared_ptr<const VectorIndex>();
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

// True when the file at `path` may have lists that `old` lacks: it was written since.
bool may_have_lists(const VectorIndex& old, const std::filesystem::path& path,
                    std::size_t least_components) {
  if (!old.wants_training(least_components) || !store::is_own_file(path)) return false;
  const auto head = VectorIndex::load_head(path);
  return head.ok() && head->generation >= old.generation();
}

// `vectors`, which nobody else holds, divided into lists, or as they were when that fails.
std::shared_ptr<const VectorIndex> trained(std::shared_ptr<const VectorIndex> vectors,
                                           std::size_t least_components) {
  const std::uint64_t generation = vectors->generation();
  VectorIndexBuilder builder(*vectors);
  vectors = nullptr;  // what the builder alone holds is changed where it stands
  if (const auto divided = builder.train(least_components); !divided.ok()) {
    log_warn("search: vectors are not divided into lists: {}", divided.error().message());
  }
  return std::move(builder).freeze(generation);
}

}  // namespace

std::string why_other_vectors(std::string_view model) {
  return "the index has vectors of " + std::string(model) +
         ": set CODEXMEM_OPENAI_EMBEDDING_MODEL (and its base URL) to use them, or "
         "CODEXMEM_EMBEDDING_PROVIDER=builtin to change";
}

Result<std::shared_ptr<const VectorIndex>> current_vectors(
    store::CodeReader& reader, const store::CodeReader::Model& model,
    const std::filesystem::path& path, std::shared_ptr<const VectorIndex> previous,
    std::size_t least_components) {
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
  const bool follows = old != nullptr && is_usable(*old);
  if (!follows || may_have_lists(*old, path, least_components)) {
    CODEXMEM_ASSIGN(auto file, load_file(reader, path));
    if (file != nullptr && is_usable(*file)) {
      old = std::move(file);
    } else if (!follows) {
      return from_store(reader, model, generation);
    }
  }
  if (old->generation() < static_cast<std::uint64_t>(generation)) {
    CODEXMEM_ASSIGN(old, catch_up(reader, model, generation, *old));
  }
  // Vectors that came without a new generation.
  CODEXMEM_ASSIGN(const std::int64_t stored, reader.count_vectors(model.id));
  if (old->size() == static_cast<std::size_t>(stored)) return old;
  return from_store(reader, model, generation);
}

Result<void> save_vectors(store::Workspace& workspace, std::string_view model_id,
                          std::size_t least_components) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto model, reader->find_model(model_id));
  const std::filesystem::path path = workspace.vectors_path();
  std::shared_ptr<const VectorIndex> vectors;
  if (model.has_value()) {
    CODEXMEM_ASSIGN(vectors, current_vectors(*reader, *model, path, nullptr, least_components));
  }
  const bool trains = vectors != nullptr && vectors->wants_training(least_components);
  if (trains) vectors = trained(std::move(vectors), least_components);
  if (vectors == nullptr || vectors->size() == 0) {
    std::error_code failed;
    std::filesystem::remove(path, failed);
    if (failed) return Error{ErrorCode::kIo, path.string() + ": " + failed.message()};
    return {};
  }
  if (!trains && store::is_own_file(path)) {
    if (const auto there = VectorIndex::load(path);
        there.ok() && (*there)->generation() == vectors->generation() &&
        (*there)->model_id() == vectors->model_id() && (*there)->size() == vectors->size()) {
      return {};
    }
  }
  CODEXMEM_TRY(vectors->save(path));
  return store::seal_file(path);
}

}  // namespace codexmem::search
