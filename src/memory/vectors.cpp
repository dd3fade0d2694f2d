// Tested by tests/memory/recall_test.cpp.
#include "memory/vectors.h"

#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/log.h"
#include "embed/vector_codes.h"

namespace codexmem::memory {
namespace {

using embed::VectorIndex;
using embed::VectorIndexBuilder;

constexpr std::size_t kVectorBatch = 4096;  // vectors that are held twice
// Beyond so many documents whose vectors are no longer there, an old index is no help.
constexpr std::size_t kMaxRemoved = 100'000;

constexpr char kVectorStateSql[] = R"sql(
SELECT m.id, m.dimension, (SELECT value FROM meta WHERE key = 'store'),
  (SELECT seq FROM sqlite_sequence WHERE name = 'vectors')
FROM embedding_models AS m WHERE m.name = ?1)sql";
constexpr char kAddedSql[] =
    "SELECT document, codes FROM vectors WHERE id > ?1 AND model_id = ?2 ORDER BY id";
constexpr char kRemovedVectorsSql[] =
    "SELECT document FROM removed_vectors WHERE at_id > ?1 AND model_id = ?2 ORDER BY at_id";
constexpr char kLastRowsSql[] = R"sql(
SELECT document, codes FROM vectors WHERE model_id = ?1 AND id <= ?2 ORDER BY id DESC LIMIT 8)sql";
constexpr char kCountVectorsSql[] = "SELECT count(*) FROM vectors WHERE model_id = ?1";

// What a store's vectors of one model are, now.
struct State {
  std::int64_t model = 0;
  std::size_t dimension = 0;
  std::string name;  // the model's, and the store's: numbers of another mean other texts
  std::uint64_t generation = 0;  // the number of the newest change
};

Result<std::optional<State>> read_state(store::Database& database, std::string_view model_id) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kVectorStateSql));
  query.bind(1, model_id);
  CODEXMEM_ASSIGN(const bool found, query.step());
  if (!found || query.integer(1) < 1 || query.integer(1) > 65536) return std::optional<State>();
  State state;
  state.model = query.integer(0);
  state.dimension = static_cast<std::size_t>(query.integer(1));
  state.name = std::string(model_id) + "@" + std::string(query.text(2));
  state.generation = static_cast<std::uint64_t>(query.integer(3));
  return std::optional(std::move(state));
}

Result<void> add_since(store::Database& database, const State& state, std::uint64_t generation,
                       VectorIndexBuilder* builder) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kAddedSql));
  query.bind(1, static_cast<std::int64_t>(generation));
  query.bind(2, state.model);
  std::vector<std::int64_t> ids;
  std::string codes;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (more && query.blob(1).size() == state.dimension && query.integer(0) > 0) {
      ids.push_back(query.integer(0));
      codes += query.blob(1);
    }
    if (!more || ids.size() == kVectorBatch) {
      CODEXMEM_TRY(builder->add(ids, codes));
      ids.clear();
      codes.clear();
    }
    if (!more) return {};
  }
}

Result<std::size_t> remove_since(store::Database& database, const State& state,
                                 std::uint64_t generation, VectorIndexBuilder* builder) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kRemovedVectorsSql));
  query.bind(1, static_cast<std::int64_t>(generation));
  query.bind(2, state.model);
  std::vector<std::int64_t> ids;
  while (ids.size() <= kMaxRemoved) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) break;
    ids.push_back(query.integer(0));
  }
  builder->remove(ids);
  return ids.size();
}

Result<std::shared_ptr<const VectorIndex>> from_store(store::Database& database,
                                                      const State& state) {
  CODEXMEM_ASSIGN(store::Statement query, database.statement(kCountVectorsSql));
  query.bind(1, state.model);
  CODEXMEM_TRY(query.step());
  VectorIndexBuilder builder(state.name, state.dimension);
  builder.reserve(static_cast<std::size_t>(query.integer(0)));
  CODEXMEM_TRY(add_since(database, state, 0, &builder));
  return std::move(builder).freeze(state.generation);
}

std::shared_ptr<const VectorIndex> load_file(const std::filesystem::path& path) {
  auto loaded = VectorIndex::load(path);
  if (loaded.ok()) return *std::move(loaded);
  if (loaded.error().code() != ErrorCode::kNotFound) {
    log_warn("memory: {}; vectors are read from the store", loaded.error().message());
  }
  std::error_code ignored;
  if (loaded.error().code() == ErrorCode::kCorrupt) std::filesystem::remove(path, ignored);
  return nullptr;
}

// Whether `index` has the vectors that the store had last when it was saved. Not when an older copy
// of the store was put back and has gone on: then the same numbers stand for other texts.
Result<bool> holds_last_rows(store::Database& database, const State& state,
                             const VectorIndex& index) {
  constexpr float kSame = 0.97F;  // codes are rounded, and so is the length of a vector
  CODEXMEM_ASSIGN(store::Statement rows, database.statement(kLastRowsSql));
  rows.bind(1, state.model);
  rows.bind(2, static_cast<std::int64_t>(index.generation()));
  bool is_empty = true;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, rows.step());
    if (!more) return !is_empty || index.size() == 0;
    is_empty = false;
    const std::int64_t document = rows.integer(0);
    CODEXMEM_ASSIGN(const auto vector, embed::decode_vectors(rows.blob(1), state.dimension));
    CODEXMEM_ASSIGN(const auto hits, index.score_ids(vector, std::span(&document, 1)));
    if (hits.empty() || hits.front().score < kSame) return false;
  }
}

}  // namespace

Result<std::shared_ptr<const VectorIndex>> current_vectors(
    store::Database& database, std::string_view model_id, const std::filesystem::path& path,
    std::shared_ptr<const VectorIndex> previous) {
  CODEXMEM_ASSIGN(const std::optional<State> state, read_state(database, model_id));
  if (!state.has_value()) return std::shared_ptr<const VectorIndex>();
  const auto is_usable = [&](const std::shared_ptr<const VectorIndex>& index) {
    return index != nullptr && index->model_id() == state->name &&
           index->dimension() == state->dimension && index->generation() <= state->generation;
  };
  std::shared_ptr<const VectorIndex> old = std::move(previous);
  if (!is_usable(old)) {
    old = load_file(path);
    if (!is_usable(old)) return from_store(database, *state);
    CODEXMEM_ASSIGN(const bool is_of_store, holds_last_rows(database, *state, *old));
    if (!is_of_store) return from_store(database, *state);
  }
  if (old->generation() == state->generation) return old;
  VectorIndexBuilder builder(*old);
  CODEXMEM_ASSIGN(const std::size_t removed,
                  remove_since(database, *state, old->generation(), &builder));
  if (removed > kMaxRemoved) return from_store(database, *state);
  CODEXMEM_TRY(add_since(database, *state, old->generation(), &builder));
  return std::move(builder).freeze(state->generation);
}

Result<std::shared_ptr<const VectorIndex>> divided_vectors(
    std::shared_ptr<const VectorIndex> vectors) {
  const std::uint64_t generation = vectors->generation();
  VectorIndexBuilder builder(*vectors);
  vectors = nullptr;
  CODEXMEM_TRY(builder.train());
  return std::move(builder).freeze(generation);
}

}  // namespace codexmem::memory
