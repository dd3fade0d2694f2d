#include "index/git_repository.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "index/git_handles.h"

namespace codexmem::index {
namespace {

// A value of the configuration as a path, `~` expanded; empty if it is not set.
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

// Where git keeps the user's files beside ~/.gitconfig; empty if nobody has a home.
std::string user_config_folder() {
  if (const std::string xdg = environment("XDG_CONFIG_HOME"); !xdg.empty()) return xdg + "/git";
  if (const std::string home = environment("HOME"); !home.empty()) return home + "/.config/git";
  return "";
}

}  // namespace

void start_libgit2() {
  static std::once_flag started;
  std::call_once(started, [] {
    git_libgit2_init();
    // Only ignore rules, names and blobs are read; nothing that a repository configures is run. So
    // a tree that another user owns (a mounted volume) may be read like any other.
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    // Extensions that change neither the index nor the ignore files.
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

Result<RepositoryHandle> open_git_as_told(const std::string& folder) {
  start_libgit2();
  git_repository* raw = nullptr;
  int code = git_repository_open_ext(&raw, folder.c_str(), GIT_REPOSITORY_OPEN_FROM_ENV, nullptr);
  if (code != 0) code = git_repository_open_ext(&raw, folder.c_str(), 0, nullptr);
  if (code != 0) {
    std::string problem = folder + " is in no git repository";
    if (code != GIT_ENOTFOUND) problem += " that can be read: " + last_git_error();
    return Error{ErrorCode::kNotFound, std::move(problem)};
  }
  RepositoryHandle repository(raw);
  if (git_repository_workdir(raw) == nullptr) {
    return Error{ErrorCode::kNotFound, folder + " has no work tree"};
  }
  return repository;
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
  mutable IndexHandle index;  // opened when first asked for
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

std::unique_ptr<GitRepository> GitRepository::open_with(const std::string& folder, unsigned flags) {
  start_libgit2();
  git_repository* raw = nullptr;
  const int code = git_repository_open_ext(&raw, folder.c_str(), flags, nullptr);
  if (code != 0) {
    if (code != GIT_ENOTFOUND)
      log_info("{}: not opened as a repository: {}", folder, last_git_error());
    return nullptr;
  }
  auto impl = std::make_unique<Impl>();
  impl->repository.reset(raw);
  const char* worktree = git_repository_workdir(raw);
  if (worktree == nullptr) return nullptr;  // bare
  std::error_code failed;
  impl->worktree = std::filesystem::canonical(worktree, failed).string();
  if (failed) return nullptr;
  git_config* config = nullptr;
  if (git_repository_config_snapshot(&config, raw) == 0) impl->config.reset(config);
  return std::unique_ptr<GitRepository>(new GitRepository(std::move(impl)));
}

std::unique_ptr<GitRepository> GitRepository::find(const std::string& folder) {
  return open_with(folder, 0);
}

std::unique_ptr<GitRepository> GitRepository::open(const std::string& folder) {
  return open_with(folder, GIT_REPOSITORY_OPEN_NO_SEARCH);
}

const std::string& GitRepository::worktree() const { return impl_->worktree; }

std::string GitRepository::exclude_file() const {
  return std::string(git_repository_commondir(impl_->repository.get())) + "info/exclude";
}

std::string GitRepository::global_exclude_file() const {
  const std::string configured = config_path(impl_->config.get(), "core.excludesfile");
  if (!configured.empty()) {
    return (std::filesystem::path(impl_->worktree) / configured).string();
  }
  const std::string folder = user_config_folder();
  return folder.empty() ? "" : folder + "/ignore";
}

std::string GitRepository::head_file() const {
  return std::string(git_repository_path(impl_->repository.get())) + "HEAD";
}

std::string GitRepository::index_file() const {
  return std::string(git_repository_path(impl_->repository.get())) + "index";
}

std::vector<std::string> GitRepository::config_files() const {
  std::vector<std::string> files = {std::string(git_repository_commondir(impl_->repository.get())) +
                                    "config"};
  if (const std::string home = environment("HOME"); !home.empty()) {
    files.push_back(home + "/.gitconfig");
  }
  if (const std::string folder = user_config_folder(); !folder.empty()) {
    files.push_back(folder + "/config");
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
  // Any stage: a file in conflict is tracked too.
  return index != nullptr && git_index_find(nullptr, index, std::string(path).c_str()) == 0;
}

bool GitRepository::has_tracked_below(std::string_view folder) const {
  git_index* index = impl_->tracked();
  if (index == nullptr) return false;
  return git_index_find_prefix(nullptr, index, (std::string(folder) + "/").c_str()) == 0;
}

}  // namespace codexmem::index
