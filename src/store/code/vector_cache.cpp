// Tested by store/vector_cache_test.cpp.
#include "store/code/vector_cache.h"

#include <array>
#include <charconv>
#include <system_error>

#include "base/hash.h"
#include "base/log.h"
#include "store/code/own_database.h"
#include "store/schema.h"
#include "store/code/seal.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyBytes = 16;

constexpr char kV1[] = R"sql(
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
)sql";

// Tells this cache from any other.
constexpr char kV2[] = R"sql(
CREATE TABLE cache (id TEXT NOT NULL) STRICT;
INSERT INTO cache (id) VALUES (lower(hex(randomblob(16))));
)sql";

constexpr std::array kMigrations = {
    Migration{"vectors by text", kV1, "9677e69c1455cb5f48e5df10de69f9aa"},
    Migration{"an id", kV2, "32bb91dfb54a79a0b9c6de5a010003c2"},
};

constexpr DatabaseKind kKind{kMigrations, "SELECT id FROM cache"};

constexpr char kInsertSql[] =
    "INSERT OR IGNORE INTO text_vectors (model_id, text_key, codes) VALUES (?1, ?2, ?3)";

}  // namespace

std::string text_key(std::string_view text) {
  const std::string hex = sha256_hex(text);
  std::string key;
  for (std::size_t i = 0; i < kKeyBytes; ++i) {
    unsigned byte = 0;
    std::from_chars(&hex[2 * i], &hex[2 * i] + 2, byte, 16);
    key += static_cast<char>(byte);
  }
  return key;
}

Result<VectorCache> VectorCache::open(const fs::path& path) {
  auto cache = open_once(path);
  if (cache.ok() || cache.error().code() != ErrorCode::kCorrupt) return cache;
  log_warn("{}: it is made anew", cache.error().message());
  CODEXMEM_TRY(set_database_aside(path));
  return open_once(path);
}

Result<VectorCache> VectorCache::open_once(const fs::path& path) {
  CODEXMEM_ASSIGN(Database database, open_own(path, kKind));
  return VectorCache(std::move(database));
}

Result<ModelId> VectorCache::put_model(std::string_view name, std::size_t dimension) {
  for (;;) {
    {
      CODEXMEM_ASSIGN(
          Statement find,
          database_.statement("SELECT id FROM models WHERE name = ?1 AND dimension = ?2"));
      find.bind(1, name);
      find.bind(2, static_cast<std::int64_t>(dimension));
      CODEXMEM_ASSIGN(const bool found, find.step());
      if (found) return find.id<ModelId>(0);
    }
    CODEXMEM_ASSIGN(
        Statement insert,
        database_.statement("INSERT OR IGNORE INTO models (name, dimension) VALUES (?1, ?2)"));
    insert.bind(1, name);
    insert.bind(2, static_cast<std::int64_t>(dimension));
    CODEXMEM_TRY(insert.run());
  }
}

Result<std::size_t> VectorCache::find_dimension(std::string_view name) {
  CODEXMEM_ASSIGN(
      Statement find,
      database_.statement("SELECT dimension FROM models WHERE name = ?1 ORDER BY id DESC LIMIT 1"));
  find.bind(1, name);
  CODEXMEM_ASSIGN(const bool found, find.step());
  return found ? static_cast<std::size_t>(find.integer(0)) : 0;
}

Result<std::optional<std::string>> VectorCache::find(ModelId model, std::string_view key) {
  CODEXMEM_ASSIGN(
      Statement find,
      database_.statement("SELECT codes FROM text_vectors WHERE model_id = ?1 AND text_key = ?2"));
  find.bind(1, model);
  find.bind_blob(2, key);
  CODEXMEM_ASSIGN(const bool found, find.step());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(find.blob(0));
}

Result<std::int64_t> VectorCache::count(ModelId model) {
  CODEXMEM_ASSIGN(Statement count,
                  database_.statement("SELECT count(*) FROM text_vectors WHERE model_id = ?1"));
  count.bind(1, model);
  CODEXMEM_TRY(count.step());
  return count.integer(0);
}

Result<void> VectorCache::put(ModelId model, std::span<const TextVector> vectors) {
  CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin(database_));
  {
    CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertSql));
    for (const TextVector& vector : vectors) {
      insert.bind(1, model);
      insert.bind_blob(2, vector.key);
      insert.bind_blob(3, vector.codes);
      CODEXMEM_TRY(insert.run());
    }
  }
  return transaction.commit();
}

Result<std::size_t> VectorCache::trim(ModelId model, const std::unordered_set<std::string>& live) {
  CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin(database_));
  std::vector<std::int64_t> dead;
  {
    CODEXMEM_ASSIGN(Statement all,
                    database_.statement(
                        "SELECT id, text_key FROM text_vectors WHERE model_id = ?1 ORDER BY id"));
    all.bind(1, model);
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, all.step());
      if (!more) break;
      if (!live.contains(std::string(all.blob(1)))) dead.push_back(all.integer(0));
    }
  }
  dead.resize(dead.size() / 2);
  {
    CODEXMEM_ASSIGN(Statement remove,
                    database_.statement("DELETE FROM text_vectors WHERE id = ?1"));
    for (const std::int64_t id : dead) {
      remove.bind(1, id);
      CODEXMEM_TRY(remove.run());
    }
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
      CODEXMEM_ASSIGN(Statement remove, database_.statement(sql));
      remove.bind(1, model);
      CODEXMEM_TRY(remove.run());
    }
    CODEXMEM_TRY(transaction.commit());
  }
  return database_.execute("VACUUM");
}

Result<void> VectorCache::put_progress(const EmbeddingProgress& progress) {
  CODEXMEM_ASSIGN(Statement put,
                  database_.statement("INSERT OR REPLACE INTO progress (id, model, files_done,"
                                      " files_total, error) VALUES (1, ?1, ?2, ?3, ?4)"));
  put.bind(1, progress.model);
  put.bind(2, progress.files_done);
  put.bind(3, progress.files_total);
  put.bind(4, progress.error);
  return put.run();
}

std::optional<EmbeddingProgress> VectorCache::read_progress(const fs::path& path) {
  if (!is_own_file(path)) return std::nullopt;
  auto database =
      open_own(path, kKind, {.read_only = true, .busy_timeout = std::chrono::seconds(1)});
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
