#include "index/git/git_repository.h"

#include <fmt/core.h>
#include <git2/sys/alloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "base/path.h"
#include "index/git/git_files.h"
#include "index/git/git_handles.h"

// libgit2 with Mbed TLS parses the system's certificates when it starts, which takes longer than
// the rest of a small run; codexmem reads repositories on disk only. (Weak: a static build has the
// library's own.)
extern "C" __attribute__((weak, visibility("default"))) int mbedtls_x509_crt_parse_file(
    void* /*chain*/, const char* /*path*/) {
  return 0;
}

namespace codexmem::index {
namespace fs = std::filesystem;
namespace {

// True for "include.path" and "includeif.<condition>.path".
bool names_included_file(std::string_view name) {
  return name == "include.path" || (name.starts_with("includeif.") && name.ends_with(".path"));
}

// A value of the configuration as a path, with `~` expanded; empty if it is not set.
std::string config_path(git_config* config, const char* name) {
  git_buf value = {};
  std::string out;
  if (config != nullptr && git_config_get_path(&value, config, name) == 0) {
    out.assign(value.ptr, value.size);
  }
  git_buf_dispose(&value);
  return out;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): never set here
  return value == nullptr ? "" : value;
}

// The folder of git's user files other than ~/.gitconfig; empty without a home directory.
std::string user_config_folder() {
  if (const std::string xdg = environment("XDG_CONFIG_HOME"); !xdg.empty()) return xdg + "/git";
  if (const std::string home = environment("HOME"); !home.empty()) return home + "/.config/git";
  return "";
}

// libgit2 reads many files whole and unpacks objects whole: a megabyte may become a gigabyte, and a
// sparse file can have any size. So its allocations are limited to this at once; beyond it, it
// reports that memory is short. The list of tracked files of the largest repositories needs a tenth
// of it.
constexpr std::size_t kMaxBytes = std::size_t{512} << 20;

// Maximum number of git's configuration files, with all included ones.
constexpr std::size_t kMaxIncluding = 100;

void* checked(void* memory) {
  if (memory == nullptr) git_error_set_oom();
  return memory;
}
void* allocate(std::size_t bytes, const char*, int) {
  return checked(bytes <= kMaxBytes ? std::malloc(bytes) : nullptr);
}
void* allocate_zeros(std::size_t count, std::size_t bytes, const char*, int) {
  const bool fits = bytes == 0 || count <= kMaxBytes / bytes;
  return checked(fits ? std::calloc(count, bytes) : nullptr);
}
void* reallocate(void* memory, std::size_t bytes, const char*, int) {
  return checked(bytes <= kMaxBytes ? std::realloc(memory, bytes) : nullptr);
}
void* reallocate_array(void* memory, std::size_t count, std::size_t bytes, const char*, int) {
  const bool fits = bytes == 0 || count <= kMaxBytes / bytes;
  return checked(fits ? std::realloc(memory, count * bytes) : nullptr);
}
void* allocate_array(std::size_t count, std::size_t bytes, const char*, int) {
  return reallocate_array(nullptr, count, bytes, nullptr, 0);
}
char* copy_bytes(const char* text, std::size_t bytes, const char*, int) {
  auto* const copy = static_cast<char*>(allocate(bytes + 1, nullptr, 0));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text, bytes);
  copy[bytes] = '\0';
  return copy;
}
char* copy_text(const char* text, const char*, int) {
  return copy_bytes(text, std::strlen(text), nullptr, 0);
}
char* copy_start(const char* text, std::size_t bytes, const char*, int) {
  return copy_bytes(text, ::strnlen(text, bytes), nullptr, 0);
}

}  // namespace

void start_libgit2() {
  static std::once_flag started;
  std::call_once(started, [] {
    git_allocator bounded = {&allocate,         &allocate_zeros, &copy_text,
                             &copy_start,       &copy_bytes,     &reallocate,
                             &reallocate_array, &allocate_array, &std::free};
    git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
    git_libgit2_init();
    // Only ignore rules, names and blobs are read, and nothing that a repository configures is run.
    // So a tree of another user (a mounted volume) may be read like any other.
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    // Extensions that affect neither the index nor the ignore files.
    const char* extensions[] = {
        "noop",      "partialclone", "worktreeconfig", "preciousobjects", "relativeworktrees",
        "refstorage"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, std::size(extensions));
  });
}

std::string last_git_error() {
  const git_error* error = git_error_last();
  return error != nullptr && error->message != nullptr ? error->message : "unknown error";
}

Error git_failure() {
  const git_error* last = git_error_last();
  const bool is_missing = last != nullptr && last->klass == GIT_ERROR_ODB;
  return Error{ErrorCode::kIo,
               "git: " + last_git_error() +
                   (is_missing ? " (`git diff REVISION` fetches what a partial clone lacks)" : "")};
}

CommitHandle find_commit(git_repository* repository, const git_oid& id) {
  git_commit* raw = nullptr;
  return CommitHandle(git_commit_lookup(&raw, repository, &id) == 0 ? raw : nullptr);
}

TreeHandle tree_of(const git_commit* commit) {
  git_tree* raw = nullptr;
  return TreeHandle(git_commit_tree(&raw, commit) == 0 ? raw : nullptr);
}

std::string hex_of(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(text.data(), &id);
  return text;
}

namespace {

// `raw`, which has a work tree, and the folder of the work tree, links resolved.
Result<std::pair<RepositoryHandle, fs::path>> with_work_tree(git_repository* raw) {
  RepositoryHandle repository(raw);
  const char* work_tree = git_repository_workdir(raw);
  if (work_tree == nullptr) {
    return Error{ErrorCode::kNotFound, std::string(git_repository_path(raw)) + " has no work tree"};
  }
  std::error_code failed;
  fs::path place = fs::canonical(work_tree, failed);
  if (failed) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: {}", work_tree, failed.message())};
  }
  return std::pair(std::move(repository), std::move(place));
}

Error work_tree_elsewhere(const fs::path& top, const fs::path& work_tree) {
  return {ErrorCode::kUnsupported,
          fmt::format("the repository in {} names {} as its work tree: it is not opened",
                      top.string(), work_tree.string())};
}

}  // namespace

Result<RepositoryHandle> open_git(const fs::path& top) {
  start_libgit2();
  git_repository* raw = nullptr;
  if (git_repository_open_ext(&raw, top.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: not opened as a repository: {}", top.string(), last_git_error())};
  }
  CODEXMEM_ASSIGN(auto opened, with_work_tree(raw));
  std::error_code failed;
  if (opened.second != fs::canonical(top, failed)) return work_tree_elsewhere(top, opened.second);
  return std::move(opened.first);
}

Result<RepositoryHandle> open_git_of_hook(const fs::path& root, const fs::path& folder) {
  start_libgit2();
  std::error_code failed;
  const std::string git_dir = environment("GIT_DIR");
  fs::path top;
  if (git_dir.empty()) {
    CODEXMEM_ASSIGN(top, find_git_top(fs::canonical(folder, failed), /*here_only=*/false));
  } else {
    CODEXMEM_TRY(check_git_directory(fs::absolute(git_dir, failed)));
  }
  git_repository* raw = nullptr;
  const fs::path& start = git_dir.empty() ? top : folder;
  if (git_repository_open_ext(&raw, start.c_str(), GIT_REPOSITORY_OPEN_FROM_ENV, nullptr) != 0) {
    // libgit2 does not know GIT_WORK_TREE and GIT_COMMON_DIR.
    CODEXMEM_ASSIGN(top, find_git_top(fs::canonical(folder, failed), /*here_only=*/false));
    return open_git(top);
  }
  CODEXMEM_ASSIGN(auto opened, with_work_tree(raw));
  const bool holds_git =
      git_dir.empty() ? opened.second == top : find_git_top(opened.second, /*here_only=*/true).ok();
  if (!holds_git && !path_below(fs::canonical(root, failed), opened.second)) {
    return work_tree_elsewhere(git_dir.empty() ? top : fs::path(git_dir), opened.second);
  }
  return std::move(opened.first);
}

std::string libgit2_version() {
  int major = 0;
  int minor = 0;
  int revision = 0;
  git_libgit2_version(&major, &minor, &revision);
  return fmt::format("{}.{}.{}", major, minor, revision);
}

struct GitRepository::Impl {
  RepositoryHandle repository;
  ConfigHandle config;
  std::string worktree;
  mutable IndexHandle index;  // opened on first use
  mutable bool index_tried = false;

  git_index* tracked() const {
    if (!index_tried) {
      index_tried = true;
      git_index* raw = nullptr;
      if (git_repository_index(&raw, repository.get()) == 0) {
        index.reset(raw);
      } else {
        log_info("{}: the list of tracked files cannot be read: {}", worktree, last_git_error());
      }
    }
    return index.get();
  }
};

GitRepository::GitRepository(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GitRepository::~GitRepository() = default;

std::unique_ptr<GitRepository> GitRepository::find(const std::string& folder, bool here_only) {
  const auto top = find_git_top(folder, here_only);
  auto opened = top.ok() ? open_git(*top) : Result<RepositoryHandle>(top.error());
  if (!opened.ok()) {
    if (opened.error().code() == ErrorCode::kUnsupported) {
      log_warn("{}; what it ignores is not known", opened.error().message());
    } else if (top.ok()) {
      log_info("{}", opened.error().message());
    }
    return nullptr;
  }
  auto impl = std::make_unique<Impl>();
  impl->repository = *std::move(opened);
  std::error_code failed;
  impl->worktree = fs::canonical(*top, failed).string();
  if (failed) return nullptr;
  git_config* config = nullptr;
  if (git_repository_config_snapshot(&config, impl->repository.get()) == 0) {
    impl->config.reset(config);
  }
  return std::unique_ptr<GitRepository>(new GitRepository(std::move(impl)));
}

const std::string& GitRepository::worktree() const { return impl_->worktree; }

std::string GitRepository::exclude_file() const { return common_folder() + "info/exclude"; }

std::string GitRepository::global_exclude_file() const {
  const std::string configured = config_path(impl_->config.get(), "core.excludesfile");
  if (!configured.empty()) {
    return (fs::path(impl_->worktree) / configured).string();
  }
  const std::string folder = user_config_folder();
  return folder.empty() ? "" : folder + "/ignore";
}

std::string GitRepository::hooks_folder() const {
  const fs::path configured = config_path(impl_->config.get(), "core.hookspath");
  const fs::path common = git_repository_commondir(impl_->repository.get());
  const fs::path folder =
      configured.empty() ? common / "hooks" : fs::path(impl_->worktree) / configured;
  return folder.lexically_normal().string();
}

std::string GitRepository::common_folder() const {
  return git_repository_commondir(impl_->repository.get());
}

std::string GitRepository::head_file() const {
  return std::string(git_repository_path(impl_->repository.get())) + "HEAD";
}

std::string GitRepository::head_commit() const {
  git_oid id;
  const bool has_commit = git_reference_name_to_id(&id, impl_->repository.get(), "HEAD") == 0;
  return has_commit ? hex_of(id) : std::string();
}

std::string GitRepository::index_file() const {
  return std::string(git_repository_path(impl_->repository.get())) + "index";
}

std::vector<std::string> GitRepository::config_files() const {
  std::vector<std::string> files = {common_folder() + "config", "/etc/gitconfig"};
  if (const std::string home = environment("HOME"); !home.empty()) {
    files.push_back(home + "/.gitconfig");
  }
  if (const std::string folder = user_config_folder(); !folder.empty()) {
    files.push_back(folder + "/config");
  }
  // The files that these include, under any condition; paths are relative to the including file.
  // (Not git_config_iterator_glob_new(): libgit2 1.5 leaks 20 KB for each name that does not
  // match.)
  git_config_iterator* raw = nullptr;
  if (!impl_->config || git_config_iterator_new(&raw, impl_->config.get()) != 0) return files;
  const std::unique_ptr<git_config_iterator, decltype(&git_config_iterator_free)> iterator(
      raw, &git_config_iterator_free);
  const std::size_t named = files.size();
  git_config_entry* entry = nullptr;
  while (files.size() < kMaxIncluding && git_config_next(&entry, raw) == 0) {
    if (!names_included_file(entry->name)) continue;
    std::string value = entry->value == nullptr ? "" : entry->value;
    if (value.starts_with("~/")) value = environment("HOME") + value.substr(1);
    if (value.starts_with('/')) {
      files.push_back(std::move(value));
      continue;
    }
    for (std::size_t i = 0; i < named; ++i) {
      files.push_back((fs::path(files[i]).parent_path() / value).string());
    }
  }
  return files;
}

bool GitRepository::ignores_case() const {
  int value = 0;
  return impl_->config &&
         git_config_get_bool(&value, impl_->config.get(), "core.ignorecase") == 0 && value != 0;
}

bool GitRepository::is_tracked(std::string_view path) const {
  git_index* index = impl_->tracked();
  // Any stage: a file in conflict is tracked as well.
  return index != nullptr && git_index_find(nullptr, index, std::string(path).c_str()) == 0;
}

bool GitRepository::has_tracked_below(std::string_view folder) const {
  git_index* index = impl_->tracked();
  if (index == nullptr) return false;
  return git_index_find_prefix(nullptr, index, (std::string(folder) + "/").c_str()) == 0;
}

}  // namespace codexmem::index
