// A snapshot and a file show one numbered state of the rows. The next one is made from an older one
// by removing deleted vectors and adding new ones. If that is not reliable, all rows are read.
//
// Tested by embed/vector_snapshot_test.cpp.
#include "embed/vector_snapshot.h"

#include <span>
#include <utility>
#include <vector>

#include "base/log.h"
#include "embed/vector_codes.h"

namespace codexmem::embed {
namespace {

using Snapshot = std::shared_ptr<const VectorIndex>;

constexpr std::size_t kBatch = 4096;  // vectors held twice at a time
constexpr float kSameVector = 0.97F;  // codes are rounded, and so is a vector's length

// Adds the rows newer than `generation` (0: all).
Result<void> add_rows(store::VectorRowSource& rows, std::uint64_t generation,
                      VectorIndexBuilder* builder) {
  std::vector<std::int64_t> ids;
  std::string codes;
  Result<void> added;
  const auto add = [&] {
    added = builder->add(ids, codes);
    ids.clear();
    codes.clear();
    return added.ok();
  };
  CODEXMEM_TRY(rows.visit_added(generation, [&](std::int64_t id, std::string_view bytes) {
    ids.push_back(id);
    codes += bytes;
    return ids.size() < kBatch || add();
  }));
  if (added.ok()) add();
  return added;
}

Result<Snapshot> from_rows(store::VectorRowSource& rows) {
  CODEXMEM_ASSIGN(const std::size_t count, rows.count());
  VectorIndexBuilder builder(rows.state().name, rows.state().dimension);
  builder.reserve(count);
  CODEXMEM_TRY(add_rows(rows, 0, &builder));
  return std::move(builder).freeze(rows.state().generation);
}

// `index` must outlive the result.
store::HeldVectors held(const VectorIndex& index) {
  return {.generation = index.generation(),
          .size = index.size(),
          .ids = [&index] { return index.ids(); },
          .has = [&index](std::int64_t id, std::string_view codes) -> Result<bool> {
            CODEXMEM_ASSIGN(const auto vector, decode_vectors(codes, index.dimension()));
            CODEXMEM_ASSIGN(const auto hits, index.score_ids(vector, std::span(&id, 1)));
            return !hits.empty() && hits.front().score >= kSameVector;
          }};
}

// `old` with the changes since it was made.
Result<Snapshot> catch_up(store::VectorRowSource& rows, const VectorIndex& old) {
  CODEXMEM_ASSIGN(const auto removed, rows.list_removed(held(old)));
  if (!removed) return from_rows(rows);
  VectorIndexBuilder builder(old);
  builder.remove(*removed);
  CODEXMEM_TRY(add_rows(rows, old.generation(), &builder));
  return std::move(builder).freeze(rows.state().generation);
}

bool is_usable(const store::VectorRowSource::State& state, const VectorIndex* index) {
  return index != nullptr && index->is_whole() && index->model_id() == state.name &&
         index->dimension() == state.dimension && index->generation() <= state.generation &&
         index->generation() >= state.oldest;
}

// True if both files at `path` may be read at all.
bool is_own_file(const store::VectorRowSource& rows, const std::filesystem::path& path) {
  return rows.is_own_file(path) && rows.is_own_file(VectorIndex::side_path(path));
}

// The index in the file at `path` if it can be updated, else null. A damaged file is deleted, so
// that it is rewritten.
Result<Snapshot> load_file(store::VectorRowSource& rows, const std::filesystem::path& path) {
  if (!is_own_file(rows, path)) return Snapshot();
  auto loaded = VectorIndex::load(path);
  if (!loaded.ok()) {
    if (loaded.error().code() == ErrorCode::kNotFound) return Snapshot();
    log_warn("{}: {}; vectors are read from the store", rows.state().area,
             loaded.error().message());
    if (loaded.error().code() == ErrorCode::kCorrupt) {
      if (const auto gone = VectorIndex::remove_files(path); !gone.ok())
        log_debug("{}", gone.error().message());
    }
    return Snapshot();
  }
  if (!is_usable(rows.state(), loaded->get())) return Snapshot();
  CODEXMEM_ASSIGN(const bool fits, rows.is_of_these_rows(held(**loaded)));
  if (fits) return loaded;
  log_info("{}: {} is of another state of the store; vectors are read from the store",
           rows.state().area, path.string());
  return Snapshot();
}

// True if the file at `path` may have lists that `old` lacks, because it was written since.
bool may_have_lists(const store::VectorRowSource& rows, const VectorIndex& old,
                    const std::filesystem::path& path, std::size_t least_components) {
  if (least_components == 0 || !old.wants_training(least_components) || !is_own_file(rows, path)) {
    return false;
  }
  const auto head = VectorIndex::load_head(path);
  return head.ok() && head->generation >= old.generation();
}

// True if the file at `path` shows the same state as `vectors`.
bool is_up_to_date(const store::VectorRowSource& rows, const VectorIndex& vectors,
                   const std::filesystem::path& path) {
  if (!is_own_file(rows, path)) return false;
  const auto there = VectorIndex::load(path);
  return there.ok() && (*there)->generation() == vectors.generation() &&
         (*there)->model_id() == vectors.model_id() && (*there)->size() == vectors.size();
}

}  // namespace

Result<Snapshot> current_vectors(store::VectorRowSource& rows, const std::filesystem::path& path,
                                 Snapshot previous, std::size_t least_components) {
  const bool follows = is_usable(rows.state(), previous.get());
  if (!follows || may_have_lists(rows, *previous, path, least_components)) {
    CODEXMEM_ASSIGN(auto file, load_file(rows, path));
    if (file == nullptr && !follows) return from_rows(rows);
    if (file != nullptr) previous = std::move(file);
  }
  if (previous->generation() < rows.state().generation) {
    CODEXMEM_ASSIGN(previous, catch_up(rows, *previous));
  }
  if (!rows.state().changes_unseen) return previous;
  CODEXMEM_ASSIGN(const std::size_t count, rows.count());
  return previous->size() == count ? Result<Snapshot>(std::move(previous)) : from_rows(rows);
}

Snapshot divided_vectors(Snapshot vectors, std::size_t least_components) {
  const std::uint64_t generation = vectors->generation();
  VectorIndexBuilder builder(*vectors);
  vectors = nullptr;  // data held only by the builder is changed in place
  if (const auto divided = builder.train(least_components); !divided.ok()) {
    log_warn("vectors are not divided into lists: {}", divided.error().message());
  }
  return std::move(builder).freeze(generation);
}

Result<void> update_vector_file(store::VectorRowSource* rows, const std::filesystem::path& path,
                                std::size_t least_components) {
  Snapshot vectors;
  if (rows != nullptr) {
    CODEXMEM_ASSIGN(vectors, current_vectors(*rows, path, nullptr, least_components));
  }
  const bool trains = vectors != nullptr && vectors->wants_training(least_components);
  if (trains) vectors = divided_vectors(std::move(vectors), least_components);
  if (vectors == nullptr || vectors->size() == 0) {
    return VectorIndex::remove_files(path);
  }
  if (!trains && is_up_to_date(*rows, *vectors, path)) return {};
  CODEXMEM_TRY(vectors->save(path));
  CODEXMEM_TRY(rows->mark_as_own(path));
  return rows->mark_as_own(VectorIndex::side_path(path));
}

std::string why_other_vectors(std::string_view model) {
  return "the index has vectors of " + std::string(model) +
         ": set CODEXMEM_OPENAI_EMBEDDING_MODEL (and its base URL) to use them, or "
         "CODEXMEM_EMBEDDING_PROVIDER=builtin to change";
}

}  // namespace codexmem::embed
