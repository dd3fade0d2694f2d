// Tested by store/vector_cache_test.cpp.
#include "store/code/vector_cache.h"

#include <charconv>
#include <system_error>

#include "base/hash.h"
#include "base/log.h"
#include "store/code/own_database.h"
#include "store/query.h"
#include "store/schema.h"
#include "store/code/seal.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCacheKeyBytes = 16;

constexpr char kCacheSchemaSql[] = R"sql(
CREATE TABLE models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  UNIQUE (name, dimension)
) STRICT;
CREATE TABLE text_vectors (
  id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL,
  text_key BLOB NOT NULL,
  codes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX text_vectors_key ON text_vectors(model_id, text_key);
CREATE TABLE progress (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  files_done INTEGER NOT NULL,
  files_total INTEGER NOT NULL,
  error TEXT NOT NULL
) STRICT;
-- Distinguishes this cache from any other.
CREATE TABLE cache (id TEXT NOT NULL) STRICT;
INSERT INTO cache (id) VALUES (lower(hex(randomblob(16))));
)sql";

constexpr Migration kCacheSchema[] = {
    {"vectors by text", kCacheSchemaSql, "32bb91dfb54a79a0b9c6de5a010003c2"}};

const DatabaseKind kCacheKind{{kCacheSchema, 2}, "SELECT id FROM cache"};

}  // namespace

std::string text_key(std::string_view text) {
  const std::string hex = sha256_hex(text);
  std::string key;
  for (std::size_t i = 0; i < kCacheKeyBytes; ++i) {
    unsigned byte = 0;
    std::from_chars(&hex[2 * i], &hex[2 * i] + 2, byte, 16);
    key += static_cast<char>(byte);
  }
  return key;
}

Result<VectorCache> VectorCache::open(const fs::path& path) {
  auto cache = open_once(path);
  if (cache.ok() || cache.error().code() != ErrorCode::kCorrupt) return cache;
  log_warn("{}: it is rebuilt", cache.error().message());
  CODEXMEM_TRY(set_database_aside(path));
  return open_once(path);
}

Result<VectorCache> VectorCache::open_once(const fs::path& path) {
  CODEXMEM_ASSIGN(Database database, open_own(path, kCacheKind));
  return VectorCache(std::move(database));
}

Result<ModelId> VectorCache::put_model(std::string_view name, std::size_t dimension) {
  for (;;) {
    CODEXMEM_ASSIGN(
        const auto id,
        query::find(database_, "SELECT id FROM models WHERE name = ?1 AND dimension = ?2",
                    query::read_id<ModelId>, name, dimension));
    if (id) return *id;
    CODEXMEM_TRY(query::run(database_,
                            "INSERT OR IGNORE INTO models (name, dimension) VALUES (?1, ?2)", name,
                            dimension));
  }
}

Result<std::size_t> VectorCache::find_dimension(std::string_view name) {
  CODEXMEM_ASSIGN(
      const auto dimension,
      query::count(database_,
                   "SELECT dimension FROM models WHERE name = ?1 ORDER BY id DESC LIMIT 1", name));
  return static_cast<std::size_t>(dimension);
}

Result<std::optional<std::string>> VectorCache::find(ModelId model, std::string_view key) {
  return query::find(
      database_, "SELECT codes FROM text_vectors WHERE model_id = ?1 AND text_key = ?2",
      [](const Statement& row) { return std::string(row.blob(0)); }, model, query::Blob{key});
}

Result<std::int64_t> VectorCache::count(ModelId model) {
  return query::count(database_, "SELECT count(*) FROM text_vectors WHERE model_id = ?1", model);
}

Result<void> VectorCache::put(ModelId model, std::span<const TextVector> vectors) {
  CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin(database_));
  {
    CODEXMEM_ASSIGN(
        Statement insert,
        database_.statement(
            "INSERT OR IGNORE INTO text_vectors (model_id, text_key, codes) VALUES (?1, ?2, ?3)"));
    for (const TextVector& vector : vectors) {
      CODEXMEM_TRY(
          query::run_once(insert, model, query::Blob{vector.key}, query::Blob{vector.codes}));
    }
  }
  return transaction.commit();
}

Result<std::size_t> VectorCache::trim(ModelId model, const std::unordered_set<std::string>& live) {
  CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin(database_));
  std::vector<std::int64_t> dead;
  CODEXMEM_TRY(query::visit(
      database_, "SELECT id, text_key FROM text_vectors WHERE model_id = ?1 ORDER BY id",
      [&](const Statement& row) {
        if (!live.contains(std::string(row.blob(1)))) dead.push_back(row.integer(0));
      },
      model));
  dead.resize(dead.size() / 2);
  for (const std::int64_t id : dead) {
    CODEXMEM_TRY(query::run(database_, "DELETE FROM text_vectors WHERE id = ?1", id));
  }
  CODEXMEM_TRY(transaction.commit());
  return dead.size();
}

Result<void> VectorCache::remove_others(ModelId model) {
  CODEXMEM_ASSIGN(const auto models, database_.find_integer("SELECT count(*) FROM models"));
  if (models.value_or(0) < 2) return {};
  {
    CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin(database_));
    for (const char* sql :
         {"DELETE FROM text_vectors WHERE model_id <> ?1", "DELETE FROM models WHERE id <> ?1"}) {
      CODEXMEM_TRY(query::run(database_, sql, model));
    }
    CODEXMEM_TRY(transaction.commit());
  }
  return database_.execute("VACUUM");
}

Result<void> VectorCache::put_progress(const EmbeddingProgress& progress) {
  return query::execute(database_,
                        "INSERT OR REPLACE INTO progress (id, model, files_done, files_total,"
                        " error) VALUES (1, ?1, ?2, ?3, ?4)",
                        progress.model, progress.files_done, progress.files_total, progress.error);
}

std::optional<EmbeddingProgress> VectorCache::read_progress(const fs::path& path) {
  if (!is_own_file(path)) return std::nullopt;
  auto database =
      open_own(path, kCacheKind, {.read_only = true, .busy_timeout = std::chrono::seconds(1)});
  if (!database.ok()) return std::nullopt;
  auto read = database->statement(
      "SELECT model, files_done, files_total, error FROM progress WHERE id = 1");
  if (!read.ok()) return std::nullopt;
  const auto found = read->step();
  if (!found.ok() || !*found) return std::nullopt;
  return EmbeddingProgress{std::string(read->text(0)), read->integer(1), read->integer(2),
                           std::string(read->text(3))};
}

}  // namespace codexmem::store
