// From one schema to the next, whatever happens meanwhile.
//
// One transaction takes the write lock, has another connection copy the committed state next to the
// store, takes the steps and commits. So the backup is exactly what was migrated; a kill, a full
// disk or a failing step leaves the old store; and a second program that comes to migrate waits for
// the lock and finds nothing left to do.
//
// Tested by store/schema_test.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "store/schema.h"

namespace codexmem::store {
namespace {

// PRAGMA application_id of every store: "cxm1" as bytes. stored: never renumber.
constexpr std::int64_t kApplicationId = 0x63786D31;

namespace fs = std::filesystem;

// How long a program waits for another one that is migrating the same store.
constexpr std::chrono::minutes kMigrationPatience{10};

// Which step of `newest` the store is at. Errors: kUnsupported, kCorrupt.
Result<std::int64_t> read_version(Database& database, std::int64_t newest) {
  const std::string name = database.path().string();
  CODEXMEM_ASSIGN(const auto version, database.find_integer("PRAGMA user_version"));
  CODEXMEM_ASSIGN(const auto application, database.find_integer("PRAGMA application_id"));
  CODEXMEM_ASSIGN(const auto objects, database.find_integer("SELECT count(*) FROM sqlite_schema"));
  const bool empty = objects.value_or(0) == 0;
  if (!empty && application.value_or(0) != kApplicationId) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{} is a database that codexmem did not write: {}", name,
                             database.advice().foreign)};
  }
  if (version.value_or(0) > newest) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} was written by a newer codexmem (its schema is {}, this program "
                             "knows {}): {}",
                             name, *version, newest, database.advice().newer)};
  }
  if (empty) return 0;
  if (version.value_or(0) < 1) {
    return damage_error(
        name,
        fmt::format("it has tables, and {} for the version of their schema", version.value_or(0)),
        database.advice());
  }
  return *version;
}

// The same outside of a transaction, as of one moment: another program may be making the tables.
Result<std::int64_t> look_up_version(Database& database, std::int64_t newest) {
  CODEXMEM_ASSIGN(const Transaction moment, Transaction::begin_read(database));
  return read_version(database, newest);
}

fs::path backup_path(const fs::path& path, std::int64_t version) {
  return fmt::format("{}.v{}.bak", path.string(), version);
}

// Refuses to begin what would fill the disk: the backup, the log of the migration, and the pages
// that it adds take up to the size of the store each.
Result<void> check_room(const fs::path& path, const Advice& advice) {
  std::error_code failed;
  const std::uintmax_t needed = 3 * fs::file_size(path, failed);
  if (failed) return {};
  const std::uintmax_t there = fs::space(path.parent_path(), failed).available;
  if (failed || there >= needed) return {};
  constexpr std::uintmax_t kMegabyte = 1'000'000;
  return Error{
      ErrorCode::kIo,
      fmt::format("there is no room to bring {} to the schema of this program: {} MB are "
                  "free, {} MB may be needed for the backup and the work; {}",
                  path.string(), there / kMegabyte, needed / kMegabyte + 1, advice.no_room)};
}

// Copies the committed state of the database at `path` next to it. The caller holds the write lock,
// so that the copy is the state that will be migrated.
Result<void> back_up(const fs::path& path, const Advice& advice, std::int64_t version) {
  CODEXMEM_TRY(check_room(path, advice));
  const fs::path backup = backup_path(path, version);
  const fs::path unfinished = backup.string() + ".tmp";
  std::error_code failed;
  fs::remove(unfinished, failed);
  {
    CODEXMEM_ASSIGN(Database source, Database::open(path));
    CODEXMEM_TRY(source.backup_to(unfinished));
  }
  CODEXMEM_TRY(sync_path(unfinished));
  fs::rename(unfinished, backup, failed);
  if (failed) return Error{ErrorCode::kIo, backup.string() + ": " + failed.message()};
  log_info("{}: schema {} saved as {}", path.string(), version, backup.string());
  return sync_path(path.parent_path());
}

// Takes the write lock, waiting for another program that migrates.
Result<Transaction> begin_migration(Database& database) {
  database.set_busy_timeout(std::chrono::seconds(1));
  auto begun = Transaction::begin(database);
  if (begun.ok() || begun.error().code() != ErrorCode::kBusy) return begun;
  log_warn("{}: waiting for another program that writes to it", database.path().string());
  database.set_busy_timeout(kMigrationPatience);
  return Transaction::begin(database);
}

// Drops everything except the table `meta`: views, then virtual tables, which drop theirs, then
// tables.
Result<void> empty_store(Database& database) {
  for (;;) {
    std::string drop;
    {
      CODEXMEM_ASSIGN(Statement next, database.statement(R"sql(
SELECT type, name FROM sqlite_schema
WHERE type IN ('view', 'table') AND name <> 'meta' AND name NOT LIKE 'sqlite_%'
ORDER BY type = 'table', sql NOT LIKE 'CREATE VIRTUAL%', name LIMIT 1)sql"));
      CODEXMEM_ASSIGN(const bool more, next.step());
      if (!more) return {};
      drop = fmt::format("DROP {} \"{}\"", next.text(0), next.text(1));
    }
    CODEXMEM_TRY(database.execute(drop));
  }
}

Result<void> take_steps(Database& database, const Schema& schema) {
  const std::int64_t newest = schema.version, oldest = schema.first_version();
  CODEXMEM_ASSIGN(Transaction transaction, begin_migration(database));
  // Another process may have migrated while this one waited for the write lock.
  CODEXMEM_ASSIGN(const std::int64_t first, read_version(database, newest));
  if (first == newest) return {};
  if (first >= oldest) {
    CODEXMEM_TRY(back_up(database.path(), database.advice(), first));
  } else if (first > 0) {
    CODEXMEM_TRY(empty_store(database));
  }
  for (std::int64_t version = std::max(first, oldest - 1); version < newest; ++version) {
    const Migration& step = schema.steps[static_cast<std::size_t>(version - oldest + 1)];
    if (auto done = database.execute(std::string(step.sql)); !done.ok()) {
      return std::move(done).error().with_context(
          fmt::format("migration {} ({})", version + 1, step.name));
    }
  }
  CODEXMEM_ASSIGN(const auto dangling,
                  database.find_integer("SELECT count(*) FROM pragma_foreign_key_check"));
  if (dangling.value_or(0) != 0) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{}: {} rows refer to nothing after the migration to schema {}",
                             database.path().string(), *dangling, newest)};
  }
  CODEXMEM_TRY(database.execute(
      fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, newest)));
  CODEXMEM_TRY(transaction.commit());
  // One backup is kept: the state before the last migration.
  std::error_code ignored;
  for (std::int64_t version = 1; version < first; ++version) {
    fs::remove(backup_path(database.path(), version), ignored);
  }
  return {};
}

}  // namespace

Result<std::string> digest_objects(Database& database) {
  CODEXMEM_ASSIGN(Statement read,
                  database.statement("SELECT type, name, tbl_name, sql FROM sqlite_schema"
                                     " ORDER BY type, name"));
  std::string all;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, read.step());
    if (!more) return sha256_hex(all).substr(0, 32);
    for (int column = 0; column < 4; ++column) {
      all += fmt::format("{}:{},", read.text(column).size(), read.text(column));
    }
  }
}

Result<void> migrate(Database& database, const Schema& schema) {
  CODEXMEM_ASSIGN(const std::int64_t version, look_up_version(database, schema.version));
  if (version != schema.version) {
    const auto patience = database.busy_timeout();
    // Inside a transaction it cannot be switched: a step that drops a table would take along what
    // refers to its rows.
    CODEXMEM_TRY(database.execute("PRAGMA foreign_keys=OFF"));
    auto done = take_steps(database, schema);
    database.set_busy_timeout(patience);
    CODEXMEM_TRY(database.execute("PRAGMA foreign_keys=ON"));
    if (!done.ok()) return done;
  }
  database.expect_schema(schema.version);
  return {};
}

}  // namespace codexmem::store
