// A new database is made whole under another name, sealed, and renamed: the file at its path is
// sealed or not ours. Its log and the log's index are made here too, empty, because SQLite would
// believe a log that somebody else left. SQLite deletes both when a shell of its own is the last
// to close the database; then they are made and sealed again before anybody writes to them.
//
// A rollback journal is never ours: the database is in WAL mode from its first byte on, and SQLite
// would play back one that is there before it reads anything.
//
// Tested by store/own_database_test.cpp, tests/hostile/stores_test.py and tests/crash/kills.py.
#include "store/code/own_database.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/log.h"
#include "store/code/database_copy.h"
#include "store/code/seal.h"
#include "store/code/store_directory.h"
#include "store/thin_file.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> kLogSuffixes = {"-wal", "-shm"};
constexpr char kJournalSuffix[] = "-journal";
// Of a thin database, the part of its base that is written at most before others get a new base.
constexpr std::uint64_t kMaxOwnPart = 8;
// How long a new worktree waits for what is written to another's index.
constexpr std::chrono::milliseconds kShareTimeout{500};
// How often an opening starts again when another process exchanges the database meanwhile.
constexpr int kTries = 3;

// For how long a foreign database that was set aside sends the next one's owner to the cache.
constexpr std::time_t kMarkSeconds = 7 * 24 * 3600;

constexpr char kForeign[] = ".foreign-", kDamaged[] = ".damaged-";

// Where a database's header says whether it is written through a log: 2 twice. Source: sqlite.org,
// "Database File Format", section 1.3.
constexpr off_t kFormatAt = 18;
constexpr char kThroughLog[] = {2, 2};

Error foreign_error(const fs::path& path, const Advice& advice) {
  return {ErrorCode::kCorrupt,
          fmt::format("{} is not what your codexmem made here: {}", path.string(), advice.foreign)};
}

bool has_file(const fs::path& path) { return find_identity(path).has_value(); }

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(fs::symlink_status(path, failed));
}

bool has_no_bytes(const fs::path& path) {
  std::error_code failed;
  return fs::file_size(path, failed) == 0 && !failed;
}

Result<void> make_empty(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot create {}: {}", path.string(), std::strerror(errno))};
  }
  ::close(fd);
  return {};
}

Result<void> remove_file(const fs::path& path) {
  std::error_code failed;
  fs::remove(path, failed);
  if (!failed) return {};
  return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), failed.message())};
}

Result<std::string> read_id(Database& database, const DatabaseKind& kind) {
  CODEXMEM_ASSIGN(Statement read, database.statement(kind.id_sql));
  CODEXMEM_ASSIGN(const bool found, read.step());
  return found ? std::string(read.text(0)) : std::string();
}

Result<void> write_through_log(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  const bool is_written = fd >= 0 && ::pwrite(fd, kThroughLog, sizeof kThroughLog, kFormatAt) ==
                                         ssize_t{sizeof kThroughLog};
  if (fd >= 0) ::close(fd);
  if (is_written) return {};
  return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
}

// Writes an empty database of the newest schema to `path`, from one without a name, which is in
// memory; returns its id.
Result<std::string> write_new(const fs::path& path, const DatabaseKind& kind) {
  CODEXMEM_ASSIGN(Database made, Database::open(""));
  CODEXMEM_TRY(migrate(made, kind.schema));
  CODEXMEM_ASSIGN(std::string id, read_id(made, kind));
  CODEXMEM_TRY(make_empty(path));
  CODEXMEM_TRY(made.backup_to(path));
  CODEXMEM_TRY(write_through_log(path));
  CODEXMEM_TRY(sync_path(path));
  return id;
}

// The database at `path` and its log are those that `seal` names.
bool is_whole(const Seal& seal, const fs::path& path) {
  const std::string name = path.filename().string();
  return seal.holds(name) && seal.holds(name + "-wal") && seal.holds(name + "-shm") &&
         !has_file(path.string() + kJournalSuffix);
}

// Makes the database that was copied to `path` one that `sql` has run on, with an empty log;
// returns its id.
Result<std::string> finish_copy(const fs::path& path, const DatabaseKind& kind, const char* sql) {
  std::string id;
  {
    CODEXMEM_ASSIGN(Database copy, Database::open(path, {.must_exist = true}));
    CODEXMEM_ASSIGN(const auto version, copy.find_integer("PRAGMA user_version"));
    if (version != kind.schema.version) return Error{ErrorCode::kUnsupported, "another schema"};
    CODEXMEM_TRY(copy.execute(sql));
    CODEXMEM_ASSIGN(id, read_id(copy, kind));
    copy.shrink_log(0);
  }
  if (!has_no_bytes(path.string() + kLogSuffixes[0])) {
    return Error{ErrorCode::kIo, "the log of " + path.string() + " cannot be emptied"};
  }
  for (const char* suffix : kLogSuffixes) CODEXMEM_TRY(remove_file(path.string() + suffix));
  CODEXMEM_TRY(sync_path(path));
  return id;
}

// Puts the new database `<path>.next` in the place of the one at `path`, whose log is empty or can
// be lost. Other processes may have that one open: they keep it and its log, and nobody writes to
// them.
Result<void> exchange_database(const fs::path& path, const UserKey& key) {
  CODEXMEM_ASSIGN(Seal seal, Seal::read(path.parent_path(), key));
  const std::string name = path.filename().string();
  if (!is_whole(seal, path)) return foreign_error(path, {});
  std::vector<std::string> names = {name};
  for (const char* suffix : kLogSuffixes) {
    names.push_back(name + suffix);
    CODEXMEM_TRY(remove_file(path.string() + suffix + kNextSuffix));
    CODEXMEM_TRY(make_empty(path.string() + suffix + kNextSuffix));
  }
  CODEXMEM_TRY(sync_path(path.parent_path()));
  CODEXMEM_TRY(seal.exchange(names, key));
  return sync_path(path.parent_path());
}

// Makes the database at `path` thin, over a new base that holds what `from` has open of it: nobody
// may write to it. Returns the base's name.
Result<std::string> make_thin(const fs::path& path, sqlite3* from, const UserKey& key) {
  const fs::path folder = path.parent_path();
  const fs::path next = path.string() + kNextSuffix;
  CODEXMEM_ASSIGN(const auto before, find_thin(from));
  remove_bases(folder, before ? before->base : "");  // what a kill has left
  CODEXMEM_TRY(remove_file(next));
  CODEXMEM_ASSIGN(std::string base, write_base(from, folder));
  auto made = write_thin(next, base);
  if (made.ok()) made = exchange_database(path, key);
  if (!made.ok()) {
    std::error_code ignored;
    // Not after half an exchange, which the next opening ends.
    if (fs::remove(next, ignored)) fs::remove(folder / base, ignored);
    return std::move(made).error();
  }
  remove_bases(folder, base);
  return base;
}

// Makes a thin database at `path` with the rows of `seed`, or earlier ones while another process
// writes to it. `seed` is made thin if it is not, or if much of it is not in its base.
Result<void> share_pages(const fs::path& seed, const fs::path& path, const UserKey& key) {
  if (is_in_cache(seed.parent_path()) || is_in_cache(path.parent_path())) {
    return Error{ErrorCode::kUnsupported, "the files of a cache are not sealed"};
  }
  CODEXMEM_ASSIGN(const StillDatabase from, StillDatabase::open(seed, kShareTimeout));
  CODEXMEM_ASSIGN(const auto thin, find_thin(from.get()));
  std::string base = thin ? thin->base : "";
  bool has_own = thin && from.is_still();
  if (from.is_still() && (!thin || thin->own_bytes * kMaxOwnPart > thin->base_bytes)) {
    const auto lock = FileLock::take(seed.parent_path() / "lock");
    auto made = lock.ok() ? make_thin(seed, from.get(), key) : Result<std::string>(lock.error());
    if (made.ok()) {
      base = *std::move(made);
      has_own = false;
    }
  }
  if (base.empty()) return Error{ErrorCode::kBusy, seed.string() + " is in use"};
  std::error_code failed;
  fs::create_hard_link(seed.parent_path() / base, path.parent_path() / base, failed);
  if (failed) return Error{ErrorCode::kIo, failed.message()};
  return write_thin(path, base, has_own ? from.get() : nullptr);
}

// Writes a copy of `seed` to `path`, without the note that a run over everything has ended; returns
// its id.
Result<std::string> write_seeded(const fs::path& path, const DatabaseKind& kind,
                                 const fs::path& seed, const UserKey& key) {
  if (!share_blocks(seed, path)) {
    if (const auto shared = share_pages(seed, path, key); !shared.ok()) {
      log_debug("pages of {} are not shared: {}", seed.string(), shared.error().message());
      remove_bases(path.parent_path());
      CODEXMEM_TRY(remove_file(path));
      CODEXMEM_TRY(copy_pages(seed, path));
    }
  }
  return finish_copy(path, kind, kind.unfinish_sql);
}

// Creates and seals a database at `path`, which does not exist. A kill leaves nothing there, or
// all.
Result<void> make_own(const fs::path& path, const DatabaseKind& kind, const UserKey& key,
                      const fs::path& seed) {
  const std::string name = path.filename().string();
  const fs::path unfinished = path.string() + ".new";
  const auto clear = [&]() -> Result<void> {
    for (const char* suffix : {".new", ".new-wal", ".new-shm", ".new-journal", "-wal", "-shm",
                               kJournalSuffix, ".next", "-wal.next", "-shm.next"}) {
      CODEXMEM_TRY(remove_file(path.string() + suffix));
    }
    remove_bases(path.parent_path());
    return {};
  };
  CODEXMEM_TRY(clear());
  const auto made = [&]() -> Result<void> {
    Result<std::string> written = Error{ErrorCode::kNotFound, "no seed"};
    if (!seed.empty()) written = write_seeded(unfinished, kind, seed, key);
    if (!written.ok()) {
      CODEXMEM_TRY(clear());
      written = write_new(unfinished, kind);
    }
    CODEXMEM_ASSIGN(const std::string id, std::move(written));
    CODEXMEM_ASSIGN(Seal seal, Seal::read(path.parent_path(), key));
    CODEXMEM_TRY(seal.put(name, unfinished.filename().string(), id));
    for (const char* suffix : kLogSuffixes) {
      CODEXMEM_TRY(make_empty(path.string() + suffix));
      CODEXMEM_TRY(seal.put(name + suffix, name + suffix));
    }
    CODEXMEM_TRY(seal.write(key));
    std::error_code failed;
    fs::rename(unfinished, path, failed);
    if (failed) return Error{ErrorCode::kIo, failed.message()};
    return sync_path(path.parent_path());
  }();
  if (made.ok()) return {};
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  return Error(made.error()).with_context("cannot make " + path.string());
}

// Removes an index of the log that is not ours, which SQLite makes from nothing as the log is
// empty: a shell that was killed, or one of two, has left it.
Result<void> remove_left_index(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
  }
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool is_used = ::fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(fd);
  if (is_used) {
    return Error{ErrorCode::kBusy,
                 fmt::format("{} is in use by process {}, which is not one of codexmem's: end it",
                             path.string(), lock.l_pid)};
  }
  return remove_file(path);
}

// Makes and seals the missing parts of the log of a database that is sealed.
Result<void> seal_log(const fs::path& path, const Advice& advice, const UserKey& key, Seal& seal) {
  const bool is_log_new = !seal.holds(path.filename().string() + kLogSuffixes[0]);
  for (const char* suffix : kLogSuffixes) {
    const fs::path log = path.string() + suffix;
    const std::string name = log.filename().string();
    if (seal.holds(name)) continue;
    if (!has_file(log)) {
      CODEXMEM_TRY(make_empty(log));
    } else if (!is_file(log)) {
      return foreign_error(log, advice);
    } else if (!has_no_bytes(log)) {
      // Who deletes a log deletes its index too: one that was exchanged alone may be of a
      // connection that is still open.
      if (suffix == kLogSuffixes[0] || !is_log_new) return foreign_error(log, advice);
      CODEXMEM_TRY(remove_left_index(log));
      CODEXMEM_TRY(make_empty(log));
    }
    CODEXMEM_TRY(seal.put(name, name));
  }
  return seal.write(key);
}

// Sees to it that the database at `path` is there and the user's own, with its log; returns its
// seal, nothing in the cache.
Result<std::optional<Seal>> make_ready(const fs::path& path, const DatabaseKind& kind,
                                       const OpenOptions& options, const fs::path& seed) {
  const fs::path folder = path.parent_path();
  const std::string name = path.filename().string();
  if (is_in_cache(folder) && has_file(path)) return std::optional<Seal>();
  CODEXMEM_ASSIGN(UserKey key, UserKey::get());
  CODEXMEM_ASSIGN(Seal seal, Seal::read(folder, key));
  if (is_whole(seal, path)) return std::optional(std::move(seal));
  key.lock();
  CODEXMEM_ASSIGN(seal, Seal::read(folder, key));
  // On a full disk the database may still be readable.
  if (auto finished = seal.finish_exchange(name, key); !finished.ok() && !options.read_only) {
    return std::move(finished).error();
  }
  if (is_whole(seal, path)) return std::optional(std::move(seal));
  if (!has_file(path) && !options.read_only) {
    CODEXMEM_TRY(make_own(path, kind, key, seed));
    CODEXMEM_ASSIGN(seal, Seal::read(folder, key));
    return std::optional(std::move(seal));
  }
  // Another process is about to make one in place of what it has set aside.
  if (!has_file(path)) return Error{ErrorCode::kIo, path.string() + " is not there"};
  if (!seal.holds(name)) return foreign_error(path, options.advice);
  if (has_file(path.string() + kJournalSuffix)) {
    return foreign_error(path.string() + kJournalSuffix, options.advice);
  }
  auto sealed = seal_log(path, options.advice, key, seal);
  if (!sealed.ok() && (!options.read_only || sealed.error().code() == ErrorCode::kCorrupt)) {
    return std::move(sealed).error();
  }
  return std::optional(std::move(seal));
}

// The tables, indexes, views and triggers are the schema's, to the letter.
Result<void> check_objects(Database& database, const DatabaseKind& kind) {
  CODEXMEM_ASSIGN(const auto version, database.find_integer("PRAGMA user_version"));
  const std::int64_t first = kind.schema.first_version();
  if (version.value_or(0) < first || *version > kind.schema.version) return {};  // migrate()
  CODEXMEM_ASSIGN(const std::string objects, digest_objects(database));
  if (objects == kind.schema.steps[static_cast<std::size_t>(*version - first)].objects) return {};
  return damage_error(database.path().string(),
                      fmt::format("its tables are not those of schema {}", *version),
                      database.advice());
}

// The files next to `path` under names that begin with `stem`.
std::vector<fs::path> list_siblings(const fs::path& path, const std::string& stem) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(path.parent_path(), failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().filename().string().starts_with(stem)) found.push_back(entry->path());
  }
  return found;
}

// "20261121T103000Z", which sorts by time.
std::string utc_stamp(std::time_t when) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(when));
}

}  // namespace

DatabaseKind workspace_kind() {
  return {code_schema(), "SELECT value FROM meta WHERE key = 'store'",
          "DELETE FROM meta WHERE key IN ('complete', 'last_run')"};
}

Result<Database> open_own(const fs::path& path, const DatabaseKind& kind,
                          const OpenOptions& options, const fs::path& seed) {
  // Another process may set it aside as soon as it was looked at.
  OpenOptions existing = options;
  existing.must_exist = true;
  for (int tries = 0; tries < kTries; ++tries) {
    CODEXMEM_ASSIGN(const std::optional<Seal> seal, make_ready(path, kind, options, seed));
    const bool was_whole = seal && is_whole(*seal, path);
    auto opened = Database::open(path, existing);
    // What SQLite opened is what was looked at only if it is there still.
    if (was_whole && !is_whole(*seal, path)) continue;
    CODEXMEM_ASSIGN(Database database, std::move(opened));
    // Until its objects are known, none of them may call a function that does harm. (Then they may:
    // the view `embeddings` makes JSON, which SQLite 3.40 counts among these.)
    CODEXMEM_TRY(database.execute("PRAGMA trusted_schema=OFF"));
    CODEXMEM_TRY(check_objects(database, kind));
    CODEXMEM_TRY(database.execute("PRAGMA trusted_schema=ON"));
    if (!options.read_only) CODEXMEM_TRY(migrate(database, kind.schema));
    CODEXMEM_ASSIGN(const std::string id, read_id(database, kind));
    if (!seal || id == seal->id(path.filename().string())) return database;
  }
  return foreign_error(path, options.advice);
}

Result<void> adopt(const fs::path& path, const DatabaseKind& kind) {
  std::string id;
  {
    CODEXMEM_ASSIGN(Database database, Database::open(path));
    CODEXMEM_ASSIGN(id, read_id(database, kind));
  }
  CODEXMEM_ASSIGN(UserKey key, UserKey::get());
  key.lock();
  CODEXMEM_ASSIGN(Seal seal, Seal::read(path.parent_path(), key));
  const std::string name = path.filename().string();
  CODEXMEM_TRY(seal.put(name, name, id));
  for (const char* suffix : kLogSuffixes) CODEXMEM_TRY(seal.put(name + suffix, name + suffix));
  return seal.write(key);
}

Result<void> copy_database(const fs::path& source, const fs::path& target) {
  if (!is_own_file(source)) {
    return Error{ErrorCode::kCorrupt, source.string() + " is not what your codexmem made there"};
  }
  if (!share_blocks(source, target)) {
    CODEXMEM_TRY(remove_file(target));
    CODEXMEM_TRY(copy_pages(source, target));
  }
  return adopt(target, workspace_kind());
}

Result<void> widen_database(const fs::path& path, const DatabaseKind& kind) {
  const std::vector<fs::path> bases = list_siblings(path, kBasePrefix);
  struct stat own {
  }, base{};
  constexpr std::int64_t kBlockBytes = 512;  // stat(2)
  if (bases.empty() || ::lstat(path.c_str(), &own) != 0 ||
      ::lstat(bases.front().c_str(), &base) != 0 || base.st_nlink > 1 ||
      own.st_blocks * kBlockBytes * 2 <= base.st_size) {
    return {};
  }
  const fs::path next = path.string() + kNextSuffix;
  CODEXMEM_TRY(remove_file(next));
  const auto done = [&]() -> Result<void> {
    CODEXMEM_TRY(copy_pages(path, next));
    CODEXMEM_TRY(finish_copy(next, kind, ""));
    CODEXMEM_ASSIGN(UserKey key, UserKey::get());
    key.lock();
    return exchange_database(path, key);
  }();
  std::error_code ignored;
  if (!done.ok()) {
    fs::remove(next, ignored);
  } else {
    remove_bases(path.parent_path());
  }
  return done;
}

Result<fs::path> set_database_aside(const fs::path& path) {
  CODEXMEM_ASSIGN(UserKey key, UserKey::get());
  key.lock();
  const std::string name = path.filename().string();
  CODEXMEM_ASSIGN(Seal seal, Seal::read(path.parent_path(), key));
  const std::string stem = name + (is_own_file(path) ? kDamaged : kForeign);
  // Both, before the database is taken off the seal: next to an earlier foreign one it would count
  // as the second (store/code/store_directory.cpp).
  for (const char* earlier : {kDamaged, kForeign}) {
    for (const fs::path& aside : list_siblings(path, name + earlier)) {
      std::error_code ignored;
      fs::remove_all(aside, ignored);
    }
  }
  // Files left by a kill from here on are not ours, and the next run sets them aside.
  seal.remove(name);
  for (const char* suffix : kLogSuffixes) seal.remove(name + suffix);
  CODEXMEM_TRY(seal.write(key));
  const fs::path aside = path.parent_path() / (stem + utc_stamp(std::time(nullptr)));
  std::error_code failed;
  // The database last: as soon as it is gone another process may make a new one, whose log must
  // stay.
  for (const char* suffix : {"-wal", "-shm", kJournalSuffix}) {
    fs::rename(path.string() + suffix, aside.string() + suffix, failed);
  }
  fs::rename(path, aside, failed);
  if (failed) return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), failed.message())};
  return aside;
}

bool has_recent_foreign_aside(const fs::path& path) {
  const std::string stem = path.filename().string() + kForeign;
  const std::string oldest = stem + utc_stamp(std::time(nullptr) - kMarkSeconds);
  const std::vector<fs::path> aside = list_siblings(path, stem);
  // A log alone is of a run that was killed before it had set its database aside.
  return std::any_of(aside.begin(), aside.end(), [&](const fs::path& one) {
    const std::string there = one.filename().string();
    return there.size() == oldest.size() && there >= oldest;
  });
}

}  // namespace codexmem::store
