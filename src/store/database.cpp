#include "store/database.h"

#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "base/log.h"
#include "base/stop_scope.h"
#include "store/sqlite_version.h"
#include "store/full_text.h"
#include "store/thin_file.h"

namespace codexmem::store {
namespace {

// How long a statement of a writing connection may go on after the stop of its thread: what ends a
// run in order takes less.
constexpr std::chrono::seconds kLastWrite{2};

// Far above the largest value of ours, the words of a repository with their weights.
constexpr int kMaxValueBytes = 256 << 20;

// What SQLite needs for the index of its log, and a little more.
constexpr unsigned long kMinRoomBytes = 64 << 10;

struct CloseDatabase {
  void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
};

// The first line of `sql`, at most 80 bytes: enough to recognise a statement.
std::string_view shortened(std::string_view sql) {
  sql.remove_prefix(std::min(sql.find_first_not_of(" \n"), sql.size()));
  return sql.substr(0, std::min<std::size_t>(sql.find('\n'), 80));
}

// Why the system refused, if it lacks room; 0 otherwise. SQLite distinguishes a disk without room
// for its shared memory as an "I/O error" of no number.
int lacking_room(sqlite3* handle, int code) {
  if ((code & 0xFF) == SQLITE_FULL) return ENOSPC;
  const bool is_refused = (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_CANTOPEN;
  if (!is_refused || handle == nullptr) return 0;
  const int system = sqlite3_system_errno(handle);
  if (system == ENOSPC || system == EDQUOT || system == EFBIG) return system;
  const char* file = sqlite3_db_filename(handle, "main");
  struct statvfs disk {};
  if (file == nullptr || ::statvfs(std::filesystem::path(file).parent_path().c_str(), &disk) != 0) {
    return 0;
  }
  return disk.f_bavail * disk.f_frsize < kMinRoomBytes ? ENOSPC : 0;
}

// `path` as the name of a database that nobody writes.
std::string immutable_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<int>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

Error sqlite_error(sqlite3* handle, int code, std::string_view doing,
                   const std::filesystem::path& path, const Advice& advice) {
  const ErrorCode kind = [&] {
    if (code == SQLITE_IOERR_DATA || code == SQLITE_IOERR_CORRUPTFS) return ErrorCode::kCorrupt;
    switch (code & 0xFF) {
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        return ErrorCode::kBusy;
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB:
        return ErrorCode::kCorrupt;
      case SQLITE_INTERRUPT:
        return ErrorCode::kCancelled;
      case SQLITE_IOERR:
      case SQLITE_FULL:
      case SQLITE_CANTOPEN:
      case SQLITE_READONLY:
      case SQLITE_PERM:
        return ErrorCode::kIo;
      default:
        return ErrorCode::kInvalidArgument;
    }
  }();
  const std::string name = path.empty() ? "database" : path.string();
  const char* what = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  if (kind == ErrorCode::kCorrupt) {
    const std::string problem = take_thin_problem();
    return damage_error(name, problem.empty() ? what : problem, advice);
  }
  if (const int system = lacking_room(handle, code); system != 0) {
    return {kind, fmt::format("there is no room for {} to grow ({}): what it holds is whole; {}",
                              name, std::strerror(system), advice.no_room)};
  }
  return {kind, fmt::format("{}: {}: {}", name, shortened(doing), what)};
}

// Calls `attempt` until it is not refused with kBusy, or `timeout` has passed.
template <typename Attempt>
Result<void> patiently(std::chrono::milliseconds timeout, Attempt attempt) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    auto done = attempt();
    if (done.ok() || done.error().code() != ErrorCode::kBusy ||
        std::chrono::steady_clock::now() >= deadline) {
      return done;
    }
    sqlite3_sleep(5);
  }
}

}  // namespace

Error damage_error(std::string_view path, std::string_view what, const Advice& advice) {
  return {ErrorCode::kCorrupt, fmt::format("{} is damaged ({}): {}", path, what, advice.damaged)};
}

struct Statement::Slot {
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> handle;
  bool in_use = false;
};

struct Database::Impl {
  std::filesystem::path path;
  bool is_frozen = false;
  bool ends_with_work = false;  // reads end when the thread's work is stopped
  std::unique_ptr<sqlite3, CloseDatabase>
      handle;  // closed after the statements below are finalised
  std::unordered_map<std::string, std::vector<std::unique_ptr<Statement::Slot>>> statements;
  std::function<void(const Error&)> on_damage;
  std::optional<std::int64_t> schema;
  Advice advice;
  std::chrono::milliseconds busy_timeout{0};
  std::chrono::steady_clock::time_point waits_since;
  std::optional<std::chrono::steady_clock::time_point> stopped_since;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    // SQLite's own way to fold the log back at the end locks the file against everybody who is just
    // opening it: a shell without patience got "database is locked".
    if (handle != nullptr && sqlite3_total_changes(handle.get()) > 0) empty_log();
  }

  // Has long statements end with the work of the thread that runs them: at once if `does`, else in
  // a while, so that running work can end.
  void end_with_work(bool does) {
    constexpr int kInstructions = 1000;  // of SQLite's machine: some 50 us
    ends_with_work = does;
    sqlite3_progress_handler(
        handle.get(), kInstructions,
        [](void* context) { return static_cast<Impl*>(context)->has_to_end() ? 1 : 0; }, this);
  }

  bool has_to_end() {
    if (!is_stopped()) {
      stopped_since.reset();
      return false;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!stopped_since) stopped_since = now;
    return ends_with_work || now - *stopped_since > kLastWrite;
  }

  // Unless somebody reads from it.
  void empty_log() {
    sqlite3_busy_handler(handle.get(), nullptr, nullptr);
    sqlite3_wal_checkpoint_v2(handle.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    sqlite3_busy_handler(handle.get(), wait_for_lock, this);
  }

  // SQLite's own way waits longer and longer, up to 100 ms, while whoever writes in a loop takes
  // the lock again at once: of 8 such processes one waited 9 s, and all made 215 saves/s. Looked at
  // every few milliseconds, the lock goes round: 0.2 s and 800 saves/s (2026-11-22).
  static int wait_for_lock(void* context, int times) {
    auto& impl = *static_cast<Impl*>(context);
    const auto now = std::chrono::steady_clock::now();
    if (times == 0) impl.waits_since = now;
    if (now - impl.waits_since >= impl.busy_timeout) return 0;
    // No two processes in step.
    std::uint32_t random = 0;
    sqlite3_randomness(sizeof random, &random);
    const std::chrono::microseconds pause(500 + random % (times < 200 ? 1'500 : 4'500));
    std::this_thread::sleep_for(pause);
    return 1;
  }

  Error error(int code, std::string_view doing) const {
    Error made = sqlite_error(handle.get(), code, doing, path, advice);
    if (made.code() == ErrorCode::kCorrupt && on_damage) on_damage(made);
    return made;
  }
};

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), slot_(std::exchange(other.slot_, nullptr)) {}

Statement::~Statement() {
  if (slot_ == nullptr) return;
  sqlite3_reset(slot_->handle.get());
  sqlite3_clear_bindings(slot_->handle.get());
  slot_->in_use = false;
}

void Statement::bind(int index, std::int64_t value) {
  CODEXMEM_CHECK(sqlite3_bind_int64(slot_->handle.get(), index, value) == SQLITE_OK);
}

void Statement::bind(int index, double value) {
  CODEXMEM_CHECK(sqlite3_bind_double(slot_->handle.get(), index, value) == SQLITE_OK);
}

void Statement::bind(int index, std::string_view value) {
  // A null pointer would bind NULL; an empty text is not NULL.
  const char* data = value.data() != nullptr ? value.data() : "";
  CODEXMEM_CHECK(sqlite3_bind_text64(slot_->handle.get(), index, data, value.size(), SQLITE_STATIC,
                                     SQLITE_UTF8) == SQLITE_OK);
}

void Statement::bind_blob(int index, std::string_view bytes) {
  const char* data = bytes.data() != nullptr ? bytes.data() : "";
  CODEXMEM_CHECK(sqlite3_bind_blob64(slot_->handle.get(), index, data, bytes.size(),
                                     SQLITE_STATIC) == SQLITE_OK);
}

void Statement::bind_null(int index) {
  CODEXMEM_CHECK(sqlite3_bind_null(slot_->handle.get(), index) == SQLITE_OK);
}

Result<bool> Statement::step() {
  if (database_->impl_->ends_with_work) CODEXMEM_TRY(go_on());
  const int code = sqlite3_step(slot_->handle.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->impl_->error(code, sqlite3_sql(slot_->handle.get()));
}

Result<void> Statement::run() {
  auto stepped = step();
  sqlite3_reset(slot_->handle.get());
  if (!stepped.ok()) return std::move(stepped).error();
  return {};
}

void Statement::reset() { sqlite3_reset(slot_->handle.get()); }

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(slot_->handle.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(slot_->handle.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* data = sqlite3_column_text(slot_->handle.get(), column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(slot_->handle.get(), column))};
}

std::string_view Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(slot_->handle.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(slot_->handle.get(), column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(slot_->handle.get(), column) == SQLITE_NULL;
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path& path, const OpenOptions& options) {
  auto database = open_as(path, options, /*is_frozen=*/false);
  if (!options.read_only) return database;
  const auto read = database.ok() ? database->find_integer("SELECT count(*) FROM sqlite_schema")
                                  : Result<std::optional<std::int64_t>>(database.error());
  if (read.ok() || read.error().code() != ErrorCode::kIo) return database;
  // Readers need room for the index of the log, or one that is there. Without a log they do not.
  std::error_code failed;
  const auto log_bytes = std::filesystem::file_size(path.string() + "-wal", failed);
  if (!failed && log_bytes > 0) return read.error();
  return open_as(path, options, /*is_frozen=*/true);
}

Result<Database> Database::open_as(const std::filesystem::path& path, const OpenOptions& options,
                                   bool is_frozen) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->on_damage = options.on_damage;
  impl->advice = options.advice;
  impl->is_frozen = is_frozen;
  const std::string name = is_frozen ? immutable_uri(path) : path.string();
  const int flags = (options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    (options.read_only || options.must_exist ? 0 : SQLITE_OPEN_CREATE) |
                    (is_frozen ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
                    SQLITE_OPEN_EXRESCODE;
  // The files next to it get its mode.
  if (!options.read_only && !options.must_exist) make_private_file(path);
  set_up_sqlite();
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
  impl->handle.reset(raw);
  if (code != SQLITE_OK) return impl->error(code, "opening");
  impl->busy_timeout = options.busy_timeout;
  sqlite3_busy_handler(raw, Impl::wait_for_lock, impl.get());
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // Else a statement may be compiled again each time it is bound, in case its values allow another
  // plan.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 1);  // VACUUM's
  impl->end_with_work(options.read_only);
  if (const int registered = register_full_text(raw); registered != SQLITE_OK) {
    return impl->error(registered, "opening");
  }

  Database database(std::move(impl));
  CODEXMEM_TRY(database.execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0"));
  if (options.read_only) {
    CODEXMEM_TRY(database.execute("PRAGMA query_only=ON; PRAGMA cache_size=-16000"));
  } else {
    // Two processes that make the same store: SQLite does not wait for the switch to WAL.
    CODEXMEM_TRY(patiently(options.busy_timeout, [&] {
      // page_size takes effect on an empty file alone. Half a page is lost behind each file's text.
      return database.execute("PRAGMA page_size=4096; PRAGMA journal_mode=WAL");
    }));
    CODEXMEM_TRY(database.execute(
        "PRAGMA foreign_keys=ON; PRAGMA cache_size=-32000; PRAGMA journal_size_limit=16777216;"
        "PRAGMA temp_store=MEMORY"));
    // A header that asks for a later SQLite makes the database read-only: nothing of ours writes
    // one.
    if (sqlite3_db_readonly(raw, "main") == 1 && ::access(path.c_str(), W_OK) == 0) {
      const Error damage =
          damage_error(path.string(), "its header is of no version that is known", options.advice);
      if (options.on_damage) options.on_damage(damage);
      return damage;
    }
    CODEXMEM_TRY(database.set_bulk(false));
  }
  return database;
}

Result<Statement> Database::statement(std::string_view sql) {
  auto& slots = impl_->statements[std::string(sql)];
  for (const auto& slot : slots) {
    if (!slot->in_use) {
      slot->in_use = true;
      return Statement(*this, *slot);
    }
  }
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(impl_->handle.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return impl_->error(code, sql);
  auto slot = std::make_unique<Statement::Slot>();
  slot->handle.reset(raw);
  slot->in_use = true;
  slots.push_back(std::move(slot));
  return Statement(*this, *slots.back());
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(impl_->handle.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return impl_->error(code, sql.substr(0, 200));
  return {};
}

Result<std::optional<std::int64_t>> Database::find_integer(std::string_view sql) {
  CODEXMEM_ASSIGN(Statement query, statement(sql));
  CODEXMEM_ASSIGN(const bool found, query.step());
  if (!found || query.is_null(0)) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(query.integer(0));
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(impl_->handle.get());
}

Result<void> Database::backup_to(const std::filesystem::path& target) {
  // (SQLite counts the copy as a change.)
  CODEXMEM_ASSIGN(const auto query_only, find_integer("PRAGMA query_only"));
  CODEXMEM_TRY(execute("PRAGMA query_only=OFF"));
  CODEXMEM_ASSIGN(Statement vacuum, statement("VACUUM INTO ?1"));
  const std::string name = target.string();
  make_private_file(target);  // SQLite writes into an empty file as into none
  vacuum.bind(1, name);
  const Result<void> done = vacuum.run();
  if (query_only.value_or(0) != 0) CODEXMEM_TRY(execute("PRAGMA query_only=ON"));
  return done;
}

Result<std::vector<std::string>> Database::find_damage() {
  struct Ending {
    Impl& impl;
    const bool before = impl.ends_with_work;
    ~Ending() { impl.end_with_work(before); }
  } const ending{*impl_};
  impl_->end_with_work(true);
  std::vector<std::string> problems;
  const auto note = [&](Result<void> done) -> Result<void> {
    if (done.ok()) return {};
    if (done.error().code() != ErrorCode::kCorrupt) return done;
    problems.push_back(done.error().message());
    return {};
  };
  CODEXMEM_TRY(note([&]() -> Result<void> {
    CODEXMEM_ASSIGN(Statement check, statement("PRAGMA integrity_check(20)"));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, check.step());
      if (!more) return {};
      // A row is one line, or a heading and a line for each page.
      for (std::string_view rest = check.text(0); !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line != "ok" && !line.starts_with("***")) problems.emplace_back(line);
      }
    }
  }()));
  if (!problems.empty()) return problems;
  // SQLite's check looks at full-text tables by themselves, not at the texts that they are of.
  std::vector<std::string> full_text;
  CODEXMEM_TRY(note([&]() -> Result<void> {
    CODEXMEM_ASSIGN(Statement tables, statement("SELECT name FROM sqlite_schema WHERE sql LIKE "
                                                "'CREATE VIRTUAL TABLE%fts5%' ORDER BY name"));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, tables.step());
      if (!more) return {};
      full_text.emplace_back(tables.text(0));
    }
  }()));
  for (const std::string& table : full_text) {
    CODEXMEM_TRY(note(execute(
        fmt::format("INSERT INTO \"{0}\" (\"{0}\", rank) VALUES ('integrity-check', 1)", table))));
  }
  return problems;
}

void Database::shrink_log(std::size_t bytes) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(impl_->path.string() + "-wal", failed);
  if (failed || size <= bytes) return;
  impl_->empty_log();  // a log in use now is emptied by the next run
}

void Database::release_memory() { sqlite3_db_release_memory(impl_->handle.get()); }

Result<void> Database::set_bulk(bool on) {
  return execute(on ? "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=16384"
                    : "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000");
}

std::chrono::milliseconds Database::busy_timeout() const { return impl_->busy_timeout; }

void Database::set_busy_timeout(std::chrono::milliseconds timeout) {
  impl_->busy_timeout = timeout;
}

void Database::expect_schema(std::int64_t version) { impl_->schema = version; }

Result<void> Database::check_schema() {
  if (!impl_->schema) return {};
  CODEXMEM_ASSIGN(const auto version, find_integer("PRAGMA user_version"));
  if (version == impl_->schema) return {};
  return Error{ErrorCode::kUnsupported,
               fmt::format("{} was migrated by another codexmem meanwhile (its schema is {}, this "
                           "program works with {}): start this one anew, or update it",
                           impl_->path.string(), version.value_or(0), *impl_->schema)};
}

bool Database::is_frozen() const { return impl_->is_frozen; }

const std::filesystem::path& Database::path() const { return impl_->path; }

const Advice& Database::advice() const { return impl_->advice; }

Result<Transaction> Transaction::begin(Database& database) {
  CODEXMEM_TRY(database.execute("BEGIN IMMEDIATE"));
  Transaction begun(database);
  CODEXMEM_TRY(database.check_schema());
  return begun;
}

Result<Transaction> Transaction::begin_read(Database& database) {
  CODEXMEM_TRY(database.execute("BEGIN DEFERRED"));
  return Transaction(database);
}

Result<void> Transaction::commit() {
  CODEXMEM_TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

Result<void> Transaction::mark() { return run("SAVEPOINT mark"); }
Result<void> Transaction::undo_to_mark() { return run("ROLLBACK TO mark"); }
Result<void> Transaction::release_mark() { return run("RELEASE mark"); }

Result<void> Transaction::run(std::string_view sql) {
  CODEXMEM_ASSIGN(Statement statement, database_->statement(sql));
  return statement.run();
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // A failed statement may have rolled back already; then there is nothing left to do.
  if (auto rolled = database_->execute("ROLLBACK"); !rolled.ok()) {
    log_debug("rollback: {}", rolled.error().message());
  }
}

}  // namespace codexmem::store
