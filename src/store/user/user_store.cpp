#include "store/user/user_store.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "config/project.h"
#include "config/settings.h"
#include "store/file_identity.h"
#include "store/schema.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kMemoryName[] = "memory.db";
constexpr char kMemoryVectorsName[] = "memory.faiss";

// How long a save waits for others, among them those who import or remove many entries.
constexpr std::chrono::seconds kPatience{60};

Error io_error(const fs::path& path, int number) {
  return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(number))};
}

// What Database::open() makes is one.
Result<void> check_file(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) {
    if (S_ISREG(info.st_mode)) return {};
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is not a regular file: move it away", path.string())};
  }
  return errno == ENOENT ? Result<void>() : io_error(path, errno);
}

// The newest backup of a migration; empty: none.
fs::path find_backup(const fs::path& database) {
  fs::path newest;
  std::error_code failed;
  for (std::int64_t version = user_schema().version; version > 0; --version) {
    const fs::path backup = fmt::format("{}.v{}.bak", database.string(), version);
    if (fs::exists(backup, failed)) return backup;
  }
  return {};
}

// Memory cannot be rebuilt.
Advice advice_for(const fs::path& database) {
  const fs::path backup = find_backup(database);
  Advice advice;
  advice.damaged = fmt::format(
      "nothing more is written to it. Copy the folder to a safe place; then {}take what can still "
      "be read with `codexmem memory export`, or `sqlite3 '{}' .recover`, move the file away and "
      "import it",
      backup.empty() ? std::string()
                     : fmt::format("put {} in its place, which is older, or ", backup.string()),
      database.string());
  advice.foreign = "move it away, or set CODEXMEM_DATA_DIR to another folder";
  advice.newer = "update codexmem";
  advice.no_room = "free some room and do it again";
  return advice;
}

// True when a folder has nothing in it but settings that were written by hand, and what a hook
// leaves there.
bool is_to_be_a_store(const fs::path& directory) {
  std::error_code failed;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const fs::path name = entry->path().filename();
    if (name != kUserSettingsName && name != kProjectsFileName && name != "spool") return false;
  }
  return true;
}

}  // namespace

bool has_user_store(const fs::path& directory) {
  std::error_code failed;
  return fs::exists(directory / kMemoryName, failed);
}

Result<void> prepare_user_directory(const fs::path& directory) {
  std::error_code failed;
  if (!fs::exists(directory, failed)) {
    CODEXMEM_TRY(make_private_folder(directory));
    return sync_path(directory.parent_path());
  }
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) return io_error(directory, errno);
  if (!S_ISDIR(info.st_mode)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} is not a folder: set CODEXMEM_DATA_DIR to one", directory.string())};
  }
  if (info.st_uid != ::geteuid() && ::geteuid() != 0) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} belongs to another user: set CODEXMEM_DATA_DIR to a folder of "
                             "your own",
                             directory.string())};
  }
  if ((info.st_mode & 077) != 0 && !has_user_store(directory) && !is_to_be_a_store(directory)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is open to other users and holds other things: set "
                             "CODEXMEM_DATA_DIR to a folder of its own",
                             directory.string())};
  }
  narrow_access(directory);
  return {};
}

struct UserStore::Impl {
  fs::path directory;

  std::mutex write_mutex;  // held by the UserWriter; taken before `mutex`

  std::mutex mutex;  // guards all below
  FileIdentity file;
  std::uint64_t epoch = 0;
  FileIdentity writer_file;
  std::unique_ptr<Database> writer;
  std::vector<std::unique_ptr<Database>> idle_readers;  // of this epoch

  fs::path database_path() const { return directory / kMemoryName; }

  // With mutex held.

  Result<Database> connect_writer() {
    CODEXMEM_TRY(prepare_user_directory(directory));
    CODEXMEM_TRY(check_file(database_path()));
    OpenOptions options;
    options.advice = advice_for(database_path());
    options.busy_timeout = kPatience;
    CODEXMEM_ASSIGN(Database database, Database::open(database_path(), options));
    CODEXMEM_TRY(migrate(database, user_schema()));
    return database;
  }

  // Notices that the database was moved away or another one put in its place.
  Result<void> look() {
    const auto now = find_identity(database_path());
    if (now && *now == file) return {};
    ++epoch;
    idle_readers.clear();
    CODEXMEM_TRY(connect_writer());
    file = find_identity(database_path()).value_or(FileIdentity{});
    return {};
  }
};

UserReader::~UserReader() {
  if (database_ == nullptr || database_->is_frozen()) return;
  const std::lock_guard lock(store_->impl_->mutex);
  if (epoch_ == store_->impl_->epoch) store_->impl_->idle_readers.push_back(std::move(database_));
}

UserStore::UserStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
UserStore::~UserStore() = default;

Result<std::unique_ptr<UserStore>> UserStore::open(const fs::path& directory) {
  if (directory.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "there is no folder for the memory: set CODEXMEM_DATA_DIR or HOME"};
  }
  auto impl = std::make_unique<Impl>();
  std::error_code failed;
  impl->directory = fs::absolute(directory, failed);
  if (failed) return Error{ErrorCode::kIo, directory.string() + ": " + failed.message()};
  auto store = std::unique_ptr<UserStore>(new UserStore(std::move(impl)));
  CODEXMEM_TRY(store->writer());
  return store;
}

Result<std::unique_ptr<Database>> UserStore::open_to_look(const fs::path& directory) {
  if (directory.empty() || !has_user_store(directory)) return std::unique_ptr<Database>();
  OpenOptions options;
  options.read_only = true;
  options.advice = advice_for(directory / kMemoryName);
  CODEXMEM_ASSIGN(Database opened, Database::open(directory / kMemoryName, options));
  opened.expect_schema(user_schema().version);
  if (!opened.check_schema().ok()) return std::unique_ptr<Database>();
  return std::make_unique<Database>(std::move(opened));
}

const fs::path& UserStore::directory() const { return impl_->directory; }
fs::path UserStore::vectors_path() const { return impl_->directory / kMemoryVectorsName; }

Result<UserReader> UserStore::reader() {
  const std::lock_guard lock(impl_->mutex);
  CODEXMEM_TRY(impl_->look());
  std::unique_ptr<Database> database;
  if (!impl_->idle_readers.empty()) {
    database = std::move(impl_->idle_readers.back());
    impl_->idle_readers.pop_back();
  } else {
    OpenOptions options;
    options.read_only = true;
    options.advice = advice_for(impl_->database_path());
    CODEXMEM_ASSIGN(Database opened, Database::open(impl_->database_path(), options));
    opened.expect_schema(user_schema().version);
    database = std::make_unique<Database>(std::move(opened));
  }
  CODEXMEM_TRY(database->check_schema());
  return UserReader(*this, std::move(database), impl_->epoch);
}

Result<UserWriter> UserStore::writer() {
  std::unique_lock writing(impl_->write_mutex);
  const std::lock_guard lock(impl_->mutex);
  CODEXMEM_TRY(impl_->look());
  if (impl_->writer == nullptr || impl_->writer_file != impl_->file) {
    impl_->writer.reset();
    CODEXMEM_ASSIGN(Database database, impl_->connect_writer());
    impl_->writer = std::make_unique<Database>(std::move(database));
    impl_->writer_file = impl_->file;
  }
  return UserWriter(std::move(writing), impl_->writer.get());
}

Result<UserMoment> UserStore::moment() {
  CODEXMEM_ASSIGN(UserReader lent, reader());
  CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin_read(*lent));
  return UserMoment(std::move(lent), std::move(transaction));
}

Result<UserTransaction> UserStore::begin() {
  CODEXMEM_ASSIGN(UserWriter lent, writer());
  CODEXMEM_ASSIGN(Transaction transaction, Transaction::begin(*lent));
  return UserTransaction(std::move(lent), std::move(transaction));
}

std::uint64_t UserStore::epoch() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->epoch;
}

}  // namespace codexmem::store
