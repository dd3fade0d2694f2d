// Tested by search/vectors_test.cpp.
#include "search/vectors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.h"

namespace codexmem::search {
namespace {

using embed::VectorIndex;
using embed::VectorIndexBuilder;

static_assert(std::endian::native == std::endian::little, "stored vectors are little-endian");

// Adds the vectors of files written after `generation` (0: all).
Result<void> add_vectors(store::CodeReader& reader, const store::CodeReader::Model& model,
                         std::int64_t generation, VectorIndexBuilder* builder) {
  std::vector<std::int64_t> ids;
  std::vector<float> vectors;
  CODEXMEM_TRY(reader.visit_vectors(
      generation, [&](store::ChunkId id, store::ModelId owner, std::string_view bytes) {
        if (owner != model.id || bytes.size() != model.dimension * sizeof(float)) return true;
        const std::size_t begin = vectors.size();
        vectors.resize(begin + model.dimension);
        std::memcpy(vectors.data() + begin, bytes.data(), bytes.size());
        for (std::size_t i = begin; i < vectors.size(); ++i) {
          if (!std::isfinite(vectors[i])) vectors[i] = 0;
        }
        ids.push_back(static_cast<std::int64_t>(id));
        return true;
      }));
  return builder->add(ids, vectors);
}

Result<std::shared_ptr<const VectorIndex>> from_store(store::CodeReader& reader,
                                                      const store::CodeReader::Model& model,
                                                      std::int64_t generation) {
  VectorIndexBuilder builder(model.name, model.dimension);
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

bool is_usable(const VectorIndex& index, const store::CodeReader::Model& model,
               std::int64_t generation) {
  return index.model_id() == model.name && index.dimension() == model.dimension &&
         index.generation() <= static_cast<std::uint64_t>(generation);
}

}  // namespace

Result<std::shared_ptr<const VectorIndex>> current_vectors(
    store::CodeReader& reader, const store::CodeReader::Model& model, std::int64_t generation,
    const std::filesystem::path& path, std::shared_ptr<const VectorIndex> previous) {
  std::shared_ptr<const VectorIndex> old = std::move(previous);
  if (old == nullptr) {
    auto loaded = VectorIndex::load(path);
    if (loaded.ok()) {
      old = std::move(loaded).value();
    } else if (loaded.error().code() != ErrorCode::kNotFound) {
      log_warn("search: {}; vectors are read from the store", loaded.error().message());
    }
  }
  if (old == nullptr || !is_usable(*old, model, generation)) {
    return from_store(reader, model, generation);
  }
  if (old->generation() < static_cast<std::uint64_t>(generation)) {
    CODEXMEM_ASSIGN(old, catch_up(reader, model, generation, *old));
  }
  // A file of another store, or vectors that came without a new generation.
  CODEXMEM_ASSIGN(const std::int64_t stored, reader.count_vectors(model.id));
  if (old->size() == static_cast<std::size_t>(stored)) return old;
  return from_store(reader, model, generation);
}

}  // namespace codexmem::search
