// store/database.h - a connection to SQLite, its statements and transactions.
//
// The only header through which other folders reach SQLite; no SQLite type shows. A Database and
// what it hands out belong to one thread at a time. Errors of SQLite become kCorrupt (damaged or no
// database), kBusy (locked longer than the timeout), kIo (disk full, unreadable, read-only) or
// kInvalidArgument (a statement that does not prepare: a bug, with SQLite's message).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::store {

class Database;

/// What messages advise about a database that cannot be used: by default one that can be
/// rebuilt.
struct Advice {
  std::string damaged = "`codexmem index` sets it aside and rebuilds it";
  std::string foreign = "`codexmem index` sets it aside and makes its own";
  std::string newer = "update codexmem, or delete the file to index again";
  std::string no_room = "free some room and run `codexmem index` again";
};

/// The error about a damaged database at `path`, with the advice: kCorrupt.
Error damage_error(std::string_view path, std::string_view what, const Advice& advice = {});

/// A prepared statement: bind, step, read columns. Obtained from Database::statement(); it is reset
/// and its bindings are cleared when the handle goes. Must not outlive its Database.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// Binds parameter `index` (1-based). Text and blobs are copied by the next step() at the latest:
  /// they must live until it.
  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view value);
  void bind_blob(int index, std::string_view bytes);
  void bind_null(int index);
  template <typename Id>
  requires std::is_enum_v<Id>
  void bind(int index, Id id) { bind(index, static_cast<std::int64_t>(id)); }
  void bind(int index, bool value) { bind(index, std::int64_t{value ? 1 : 0}); }
  void bind(int index, std::uint32_t value) { bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, int value) { bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, const char* value) { bind(index, std::string_view(value)); }
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }

  /// Runs to the next row: true when there is one, false at the end.
  Result<bool> step();

  /// Runs a statement that gives no rows, and resets it for the next bindings.
  Result<void> run();

  /// Makes the statement ready to be run again; bindings stay.
  void reset();

  /// Columns of the current row, 0-based. Views are valid until the next step(), reset() or run().
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;
  template <typename Id>
  Id id(int column) const {
    return static_cast<Id>(integer(column));
  }

 private:
  friend class Database;
  struct Slot;
  Statement(Database& database, Slot& slot) : database_(&database), slot_(&slot) {}

  Database* database_;
  Slot* slot_;
};

struct OpenOptions {
  bool read_only = false;
  bool must_exist = false;  // a missing database is kIo, and not made
  std::chrono::milliseconds busy_timeout{10'000};
  /// Hears of each statement that meets damage, on the thread that runs it; may be empty.
  std::function<void(const Error&)> on_damage = {};
  Advice advice = {};
};

class Database {
 public:
  /// Opens the database at `path`; a missing one is created unless read_only or must_exist. A
  /// writing connection is set to WAL with synchronous=FULL: what was committed outlives a power
  /// cut. Full-text tokenizers of codexmem are registered. On a full disk a reading connection may
  /// be frozen.
  static Result<Database> open(const std::filesystem::path& path, const OpenOptions& options = {});

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// A handle to the cached statement for `sql`, prepared on first use. The same text may be asked
  /// for again while a handle to it is alive; then it is prepared once more.
  Result<Statement> statement(std::string_view sql);

  /// Runs one or more statements that give no rows.
  Result<void> execute(const std::string& sql);

  /// The first column of the first row of `sql`, or nothing when there is no row.
  Result<std::optional<std::int64_t>> find_integer(std::string_view sql);

  /// Row id of the last successful insert.
  std::int64_t last_insert_id() const;

  /// Writes a consistent copy to `target`, which must not exist (VACUUM INTO).
  Result<void> backup_to(const std::filesystem::path& target);

  /// The damage of the pages, the indexes and the full-text tables, nothing when all is well:
  /// at most 20 lines for people. Reads everything, and takes the write lock for the full-text
  /// tables. Damage within a value is not seen. Errors: kBusy, kIo.
  Result<std::vector<std::string>> find_damage();

  /// Empties the log into the database when it has more than `bytes` bytes and nobody reads from
  /// it.
  void shrink_log(std::size_t bytes);

  /// Frees the pages that it keeps in memory; needed ones are read again.
  void release_memory();

  /// While on, a commit may be lost in a power cut, though never the file's wholeness, and the log
  /// is folded when it has 64 MB: for many commits of which only the last is answered for. Off, as
  /// at the start: every commit outlives a power cut, and the log is kept small (16 MB), so that
  /// readers stay fast. Not inside a transaction.
  Result<void> set_bulk(bool on);

  std::chrono::milliseconds busy_timeout() const;
  void set_busy_timeout(std::chrono::milliseconds timeout);

  /// From now on the schema must be `version` (PRAGMA user_version).
  void expect_schema(std::int64_t version);

  /// Errors: kUnsupported when the schema is not what expect_schema() said: another program has
  /// migrated the store since. Each writing Transaction begins with this.
  Result<void> check_schema();

  const std::filesystem::path& path() const;
  const Advice& advice() const;

  /// True of a reading connection that sees no later change, because the disk had no room for what
  /// it shares with writers. To be closed soon.
  bool is_frozen() const;

 private:
  friend class Statement;
  struct Impl;
  static Result<Database> open_as(const std::filesystem::path& path, const OpenOptions& options,
                                  bool is_frozen);
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Groups writes; rolls back in its destructor unless committed. Begins IMMEDIATE, so that the wait
/// for another writer is at the start. Not nested.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  /// A read transaction: everything read until it ends is of one moment. Ends by rollback.
  static Result<Transaction> begin_read(Database& database);

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

  /// Marks this moment: until the mark is released, what follows can be undone without the rest.
  Result<void> mark();
  Result<void> undo_to_mark();
  Result<void> release_mark();

 private:
  Result<void> run(std::string_view sql);
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace codexmem::store
