#include "store/workspace.h"

#include <fmt/core.h>

#include <cstdlib>
#include <initializer_list>
#include <mutex>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "store/schema.h"
#include "store/store_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kDatabaseName[] = "index.db";
constexpr char kVectorsName[] = "vectors.faiss";
constexpr char kLockName[] = "lock";

// The user's own store: memory and decisions of all projects.
fs::path user_directory() {
  if (const char* given = std::getenv("CODEXMEM_DATA_DIR"); given != nullptr && *given != '\0') {
    return given;
  }
  const char* home = std::getenv("HOME");
  return home != nullptr ? fs::path(home) / kDirectoryName : fs::path();
}

}  // namespace

struct Workspace::Impl {
  fs::path root;
  fs::path directory;
  std::string why_in_cache;
  std::mutex mutex;  // guards writer and idle_readers
  // The writer is closed last: only a connection that may write folds the log back into the
  // database.
  std::unique_ptr<Database> writer;
  std::vector<std::unique_ptr<Database>> idle_readers;

  fs::path database_path() const { return directory / kDatabaseName; }
};

ReaderLease::ReaderLease(Workspace& workspace, std::unique_ptr<Database> database)
    : workspace_(&workspace), database_(std::move(database)), reader_(*database_) {}

ReaderLease::ReaderLease(ReaderLease&& other) noexcept
    : workspace_(other.workspace_), database_(std::move(other.database_)), reader_(*database_) {}

ReaderLease::~ReaderLease() {
  if (database_ == nullptr) return;
  const std::lock_guard lock(workspace_->impl_->mutex);
  workspace_->impl_->idle_readers.push_back(std::move(database_));
}

Workspace::Workspace(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Workspace::~Workspace() = default;

Result<std::unique_ptr<Workspace>> Workspace::open(const fs::path& root) {
  std::error_code failed;
  auto impl = std::make_unique<Impl>();
  impl->root = fs::canonical(root, failed);
  if (failed || !fs::is_directory(impl->root, failed)) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is no directory", root.string())};
  }
  const StoreDirectory place = locate_store(impl->root);
  impl->directory = place.path;
  impl->why_in_cache = place.why_in_cache;
  const fs::path users = fs::weakly_canonical(user_directory(), failed);
  if (!users.empty() && users == fs::weakly_canonical(impl->directory, failed)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} is codexmem's own data directory, so its parent cannot be indexed: index a "
                    "project inside it, or set CODEXMEM_DATA_DIR to another folder",
                    impl->directory.string())};
  }
  // A repository may come with links that lead the store out of it.
  for (const fs::path& path : {impl->directory, impl->database_path(), impl->directory / kLockName,
                               impl->directory / kVectorsName}) {
    if (fs::is_symlink(fs::symlink_status(path, failed))) {
      return Error{
          ErrorCode::kInvalidArgument,
          fmt::format("{} is a symbolic link: the index stays inside its repository; remove "
                      "the link to index again",
                      path.string())};
    }
  }
  CODEXMEM_TRY(make_store_directory(place));
  const fs::path ignore = impl->directory / ".gitignore";
  if (!fs::exists(ignore, failed)) {
    CODEXMEM_TRY(replace_file(ignore, "*\n"));
  }
  auto workspace = std::unique_ptr<Workspace>(new Workspace(std::move(impl)));
  CODEXMEM_TRY(workspace->writer());
  return workspace;
}

Result<std::unique_ptr<Workspace>> Workspace::open_existing(const fs::path& root) {
  std::error_code failed;
  if (!has_index(fs::canonical(root, failed))) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} has no index yet: run `codexmem index` there", root.string())};
  }
  return open(root);
}

const fs::path& Workspace::root() const { return impl_->root; }
const fs::path& Workspace::directory() const { return impl_->directory; }
const std::string& Workspace::why_in_cache() const { return impl_->why_in_cache; }
fs::path Workspace::vectors_path() const { return impl_->directory / kVectorsName; }
fs::path Workspace::lock_path() const { return impl_->directory / kLockName; }

Result<ReaderLease> Workspace::reader() {
  {
    const std::lock_guard lock(impl_->mutex);
    if (!impl_->idle_readers.empty()) {
      auto database = std::move(impl_->idle_readers.back());
      impl_->idle_readers.pop_back();
      return ReaderLease(*this, std::move(database));
    }
  }
  OpenOptions options;
  options.read_only = true;
  CODEXMEM_ASSIGN(Database database, Database::open(impl_->database_path(), options));
  return ReaderLease(*this, std::make_unique<Database>(std::move(database)));
}

Result<Database*> Workspace::writer() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->writer == nullptr) {
    CODEXMEM_ASSIGN(Database database, Database::open(impl_->database_path()));
    CODEXMEM_TRY(migrate(database, workspace_migrations()));
    impl_->writer = std::make_unique<Database>(std::move(database));
  }
  return impl_->writer.get();
}

}  // namespace codexmem::store
