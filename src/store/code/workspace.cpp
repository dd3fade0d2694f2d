#include "store/code/workspace.h"

#include <fmt/core.h>

#include <list>
#include <mutex>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/stop_scope.h"
#include "config/git_root.h"
#include "config/user_directory.h"
#include "store/file_identity.h"
#include "store/code/own_database.h"
#include "store/schema.h"
#include "store/code/seal.h"
#include "store/code/store_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kVectorsName[] = "vectors.faiss";
constexpr char kVectorsSideName[] = "vectors.faiss.meta";
constexpr char kRankingName[] = "ranking.bin";
constexpr char kVectorCacheName[] = "embeddings.db";
constexpr char kLockName[] = "lock";

// The directory of a store, with its ignore file. Made when missing; a repository may come with
// links that lead it elsewhere, which are refused.
Result<void> prepare_directory(const StoreDirectory& place) {
  const fs::path& directory = place.path;
  std::error_code failed;
  for (const fs::path& path :
       {directory, directory / kIndexName, directory / kLockName, directory / kVectorsName,
        directory / kVectorsSideName, directory / kRankingName, directory / kVectorCacheName}) {
    if (fs::is_symlink(fs::symlink_status(path, failed))) {
      return Error{
          ErrorCode::kInvalidArgument,
          fmt::format("{} is a symbolic link: the index stays inside its repository; remove "
                      "the link to index again",
                      path.string())};
    }
  }
  if (const fs::file_status there = fs::status(directory, failed);
      fs::exists(there) && !fs::is_directory(there)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is not a folder: remove it to index again", directory.string())};
  }
  // A FIFO in the place of a database is set aside like any other file.
  for (const fs::path& path :
       {directory / kLockName, directory / kVectorsName, directory / kVectorsSideName,
        directory / kRankingName, directory / kSealName}) {
    const fs::file_status there = fs::symlink_status(path, failed);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{} is not a file: remove it to index again", path.string())};
    }
  }
  const bool is_new = !fs::exists(directory, failed);
  CODEXMEM_TRY(make_store_directory(place));
  if (is_new) {
    CODEXMEM_TRY(sync_path(directory.parent_path()));
  }
  const fs::path ignore = directory / ".gitignore";
  if (!fs::exists(ignore, failed)) {
    CODEXMEM_TRY(replace_file(ignore, "*\n"));
  }
  return {};
}

}  // namespace

struct Workspace::Impl {
  fs::path root;

  std::mutex mutex;  // guards all to the writer
  // Where the store was and, last, where it is: it may leave the tree
  // (store/code/store_directory.h), and callers may hold on to a place.
  std::list<StoreDirectory> places;
  FileIdentity file;
  std::optional<Error> unready;  // why `file` could not be made a store of this program's schema
  std::uint64_t epoch = 0;       // raised when another file is in the database's place
  bool is_alone = false;         // a damaged one was set aside
  FileIdentity writer_file;
  // The writer is closed last: only a connection that may write folds the log back into the
  // database.
  std::unique_ptr<Database> writer;
  std::vector<std::unique_ptr<Database>> idle_readers;  // of this epoch

  mutable std::mutex damage_mutex;  // guards both below; a statement may fail with mutex held
  std::optional<Error> damage;
  std::uint64_t damage_epoch = 0;  // of the file that `damage` is about

  const StoreDirectory& current_place() {
    const std::lock_guard lock(mutex);
    return places.back();
  }

  void note_damage(const Error& error, std::uint64_t of_epoch) {
    const std::lock_guard lock(damage_mutex);
    damage = error;
    damage_epoch = of_epoch;
  }

  std::optional<Error> find_damage() const {
    const std::lock_guard lock(damage_mutex);
    return damage_epoch == epoch ? damage : std::nullopt;
  }

  // All below with mutex held.

  fs::path database_path() const { return places.back().path / kIndexName; }

  Result<Database> connect(OpenOptions options) {
    options.on_damage = [this, of_epoch = epoch](const Error& error) {
      note_damage(error, of_epoch);
    };
    const fs::path path = database_path();
    const fs::path other = find_identity(path) ? fs::path() : seed();
    auto database = open_own(path, workspace_kind(), options, other);
    if (database.ok() && !other.empty()) link_derived(other.parent_path());
    if (!database.ok() && database.error().code() == ErrorCode::kCorrupt) {
      note_damage(database.error(), epoch);
    }
    return database;
  }

  // The newest index of the repository's other worktrees, most of whose files are the same; empty
  // without one, or when a damaged one was set aside: another may share what is damaged.
  fs::path seed() const {
    if (is_alone) return {};
    fs::path newest;
    fs::file_time_type newest_time = fs::file_time_type::min();
    for (const fs::path& other : other_worktrees(root)) {
      const fs::path path = locate_store(other).path / kIndexName;
      std::error_code failed;
      const auto time = fs::last_write_time(path, failed);
      if (failed || time <= newest_time || !is_own_file(path)) continue;
      newest = path;
      newest_time = time;
    }
    return newest;
  }

  // Shares what was derived from the copied database: such a file is replaced, never changed. One
  // that does not belong to these rows is not read.
  void link_derived(const fs::path& folder) const {
    for (const char* const name : {kVectorsName, kVectorsSideName, kRankingName}) {
      if (!is_own_file(folder / name)) continue;
      const fs::path own = places.back().path / name;
      std::error_code failed;
      fs::create_hard_link(folder / name, own, failed);  // not in the place of another file
      if (!failed && !seal_file(own).ok()) fs::remove(own, failed);
    }
  }

  // A writing connection to a store of this program's schema.
  Result<Database> connect_writer() { return connect({}); }

  // Notices that the database was deleted or replaced; a deleted one is made again, empty.
  Result<void> look() {
    auto now = find_identity(database_path());
    if (now != file && places.back().why_in_cache.empty()) {
      if (StoreDirectory place = locate_store(root); place.path != places.back().path) {
        places.push_back(std::move(place));
        now = find_identity(database_path());
      }
    }
    if (!now) {
      CODEXMEM_TRY(prepare_directory(places.back()));
      ++epoch;
      CODEXMEM_TRY(connect_writer());
      now = find_identity(database_path());
      if (!now) return Error{ErrorCode::kIo, database_path().string() + " vanished"};
      file = *now;
      idle_readers.clear();
      unready.reset();
    } else if (*now != file) {
      ++epoch;
      file = *now;
      idle_readers.clear();
      unready = Error{ErrorCode::kIo, "not opened yet"};
    }
    if (!unready) return {};
    // Another program may be making it at this moment, or have put an older one there.
    auto ready = connect_writer();
    const bool is_damaged = !ready.ok() && ready.error().code() == ErrorCode::kCorrupt;
    unready = ready.ok() || is_damaged ? std::nullopt : std::optional(ready.error());
    // On a full disk the database may still be readable.
    return unready && unready->code() != ErrorCode::kIo ? Result<void>(*unready) : Result<void>();
  }
};

ReaderLease::ReaderLease(Workspace& workspace, std::unique_ptr<Database> database,
                         std::uint64_t epoch)
    : workspace_(&workspace), database_(std::move(database)), epoch_(epoch), reader_(*database_) {}

ReaderLease::ReaderLease(ReaderLease&& other) noexcept
    : workspace_(other.workspace_),
      database_(std::move(other.database_)),
      epoch_(other.epoch_),
      reader_(*database_) {}

ReaderLease::~ReaderLease() {
  if (database_ == nullptr || database_->is_frozen()) return;
  const std::lock_guard lock(workspace_->impl_->mutex);
  if (epoch_ != workspace_->impl_->epoch) return;  // of a file that is no longer the store
  workspace_->impl_->idle_readers.push_back(std::move(database_));
}

Workspace::Workspace(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Workspace::~Workspace() = default;

Result<std::unique_ptr<Workspace>> Workspace::open(const fs::path& root) {
  std::error_code failed;
  auto impl = std::make_unique<Impl>();
  impl->root = fs::canonical(root, failed);
  if (failed || !fs::is_directory(impl->root, failed)) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is not a directory", root.string())};
  }
  impl->places.push_back(locate_store(impl->root));
  const StoreDirectory& place = impl->places.back();
  const fs::path users = fs::weakly_canonical(user_directory(), failed);
  if (!users.empty() &&
      (users == fs::weakly_canonical(place.path, failed) || users == impl->root)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} is codexmem's own data directory, so its parent cannot be indexed: index a "
                    "project inside it, or set CODEXMEM_DATA_DIR to another folder",
                    place.path.string())};
  }
  CODEXMEM_TRY(prepare_directory(place));
  auto workspace = std::unique_ptr<Workspace>(new Workspace(std::move(impl)));
  const auto writer = workspace->writer();
  // damage() reports damage. On a full disk the store still answers; a writer
  // gets the error.
  const bool may_be_read = writer.ok() || writer.error().code() == ErrorCode::kCorrupt ||
                           (writer.error().code() == ErrorCode::kIo && workspace->reader().ok());
  if (!may_be_read) {
    return writer.error();
  }
  return workspace;
}

Result<std::unique_ptr<Workspace>> Workspace::open_existing(const fs::path& root) {
  std::error_code failed;
  if (!has_index(fs::canonical(root, failed))) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} has no index yet: run `codexmem index` there", root.string())};
  }
  CODEXMEM_ASSIGN(auto workspace, open(root));
  if (auto damage = workspace->damage()) return *std::move(damage);
  return workspace;
}

const fs::path& Workspace::root() const { return impl_->root; }
const fs::path& Workspace::directory() const { return impl_->current_place().path; }
const std::string& Workspace::why_in_cache() const { return impl_->current_place().why_in_cache; }
fs::path Workspace::vectors_path() const { return directory() / kVectorsName; }
fs::path Workspace::ranking_path() const { return directory() / kRankingName; }
fs::path Workspace::vector_cache_path() const { return directory() / kVectorCacheName; }
fs::path Workspace::lock_path() const { return directory() / kLockName; }

Result<ReaderLease> Workspace::reader() {
  std::unique_ptr<Database> database;
  std::uint64_t epoch = 0;
  {
    const std::lock_guard lock(impl_->mutex);
    CODEXMEM_TRY(impl_->look());
    epoch = impl_->epoch;
    if (!impl_->idle_readers.empty()) {
      database = std::move(impl_->idle_readers.back());
      impl_->idle_readers.pop_back();
    } else {
      OpenOptions options;
      options.read_only = true;
      CODEXMEM_ASSIGN(Database opened, impl_->connect(options));
      opened.expect_schema(code_schema().version);
      database = std::make_unique<Database>(std::move(opened));
    }
  }
  if (auto fits = database->check_schema(); !fits.ok()) {
    const std::lock_guard lock(impl_->mutex);
    return impl_->unready ? *impl_->unready : std::move(fits).error();
  }
  return ReaderLease(*this, std::move(database), epoch);
}

Result<Database*> Workspace::writer() {
  const std::lock_guard lock(impl_->mutex);
  CODEXMEM_TRY(impl_->look());
  if (impl_->writer == nullptr || impl_->writer_file != impl_->file) {
    impl_->writer.reset();
    CODEXMEM_ASSIGN(Database database, impl_->connect_writer());
    impl_->writer = std::make_unique<Database>(std::move(database));
    // The file may have been made just now.
    impl_->file = impl_->writer_file = find_identity(impl_->database_path()).value_or(impl_->file);
  }
  return impl_->writer.get();
}

std::uint64_t Workspace::epoch() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->epoch;
}

std::optional<Error> Workspace::damage() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->find_damage();
}

Result<std::optional<std::string>> Workspace::confirm_damage() {
  // With a new connection: an old one reports damage when files were exchanged under it. The check
  // reads everything, and holds up nobody.
  const auto connect = [&]() -> Result<Database> {
    const std::lock_guard lock(impl_->mutex);
    CODEXMEM_TRY(impl_->look());
    impl_->writer.reset();
    impl_->idle_readers.clear();
    return impl_->connect_writer();
  };
  auto database = connect();
  if (!database.ok()) {
    if (database.error().code() != ErrorCode::kCorrupt) return std::move(database).error();
    return std::optional(database.error().message());
  }
  CODEXMEM_ASSIGN(const std::vector<std::string> problems, database->find_damage());
  CODEXMEM_TRY(go_on());  // what was broken off may look damaged
  if (!problems.empty()) {
    return std::optional(damage_error(database->path().string(), problems.front()).message());
  }
  const std::lock_guard damage_lock(impl_->damage_mutex);
  impl_->damage.reset();
  return std::optional<std::string>();
}

Result<void> Workspace::widen() {
  const std::lock_guard lock(impl_->mutex);
  return widen_database(impl_->database_path(), workspace_kind());
}

Result<fs::path> Workspace::set_aside() {
  const std::lock_guard lock(impl_->mutex);
  impl_->is_alone = is_own_file(impl_->database_path());
  impl_->writer.reset();
  impl_->idle_readers.clear();
  std::error_code ignored;
  for (const char* const derived : {kVectorsSideName, kVectorsName, kRankingName}) {
    fs::remove(impl_->places.back().path / derived, ignored);
  }
  return set_database_aside(impl_->database_path());
}

}  // namespace codexmem::store
