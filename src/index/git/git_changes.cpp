// Tested by index/git_changes_test.cpp.
#include "index/git/git_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "index/git/git_files.h"
#include "index/git/git_handles.h"
#include "index/git/tree_compare.h"
#include "index/run/indexer.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

// Submodules are other repositories, which libgit2 would open to compare them.
constexpr std::uint32_t kDiffFlags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_IGNORE_SUBMODULES;

bool is_file_mode(std::uint16_t mode) {
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

// A few megabytes of git's data may unpack to any size: a blob larger than any text we read is not
// unpacked, and counts as one byte more than these, all NUL.
constexpr std::size_t kMaxBlobBytes = std::size_t{1} << 20;

Result<std::optional<std::string>> read_blob(git_repository* repository, const git_oid& id) {
  git_odb* store = nullptr;
  if (git_repository_odb(&store, repository) != 0) return git_failure();
  const GitHandle<git_odb, &git_odb_free> objects(store);
  std::size_t bytes = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (git_odb_read_header(&bytes, &type, store, &id) != 0) return git_failure();
  if (bytes > kMaxBlobBytes) return std::optional(std::string(kMaxBlobBytes + 1, '\0'));
  git_blob* raw = nullptr;
  if (git_blob_lookup(&raw, repository, &id) != 0) return git_failure();
  const BlobHandle blob(raw);
  return std::optional(std::string(static_cast<const char*>(git_blob_rawcontent(raw)),
                                   static_cast<std::size_t>(git_blob_rawsize(raw))));
}

}  // namespace

struct GitChanges::Impl {
  RepositoryHandle repository;
  IndexHandle index;
  ObjectHandle tree;        // before; null when there was no commit
  ObjectHandle after_tree;  // null: the staged files, or the work tree
  fs::path root, top;
  bool is_staged = true;
  std::vector<GitChange> changes;

  // Converts a path of git to one below the root, and back; nothing when it is outside.
  std::optional<std::string> from_git(const char* path) const {
    const std::string relative = (top / path).lexically_relative(root).generic_string();
    if (relative.starts_with("../") || relative == "..") return std::nullopt;
    return relative;
  }
  std::string to_git(const std::string& path) const {
    return (root / path).lexically_relative(top).generic_string();
  }

  // True for a file that the work tree need not have, by its git path: a sparse checkout.
  bool is_left_out(const char* path) const {
    const git_index_entry* entry = git_index_get_bypath(index.get(), path, 0);
    std::error_code ignored;
    return entry != nullptr && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0 &&
           !fs::exists(fs::symlink_status(top / path, ignored));
  }

  std::vector<GitChange> changes_of(git_diff* diff) const {
    std::vector<GitChange> found;
    for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
      const git_diff_delta* delta = git_diff_get_delta(diff, i);
      GitChange change;
      // (Without rename detection, both names are the same.)
      const auto path = from_git(delta->new_file.path);
      if (!path || (delta->status == GIT_DELTA_DELETED && is_left_out(delta->new_file.path))) {
        continue;
      }
      change.path = *path;
      change.existed = delta->status != GIT_DELTA_ADDED && delta->status != GIT_DELTA_UNTRACKED &&
                       is_file_mode(delta->old_file.mode);
      change.exists = delta->status != GIT_DELTA_DELETED && is_file_mode(delta->new_file.mode);
      if (change.existed || change.exists) found.push_back(std::move(change));
    }
    std::sort(found.begin(), found.end(),
              [](const GitChange& a, const GitChange& b) { return a.path < b.path; });
    return found;
  }

  Result<void> open(const fs::path& given_root, const fs::path& folder) {
    CODEXMEM_ASSIGN(repository, open_git_of_hook(given_root, folder));
    git_index* raw = nullptr;
    if (git_repository_index(&raw, repository.get()) != 0) return git_failure();
    index.reset(raw);
    std::error_code error;
    root = fs::canonical(given_root, error);
    if (!error) top = fs::canonical(git_repository_workdir(repository.get()), error);
    if (error) return Error{ErrorCode::kIo, given_root.string() + ": " + error.message()};
    return {};
  }

  Result<void> find_tree(const std::string& revision, ObjectHandle& found) {
    git_object* raw = nullptr;
    const std::string name = (revision.empty() ? "HEAD" : revision) + "^{commit}^{tree}";
    const int code = git_revparse_single(&raw, repository.get(), name.c_str());
    found.reset(raw);
    if (code == 0) return {};
    if (revision.empty()) {
      // There is no commit yet.
      if (code == GIT_ENOTFOUND || git_repository_head_unborn(repository.get()) == 1) return {};
      return git_failure();
    }
    const std::string why = last_git_error();
    if (git_revparse_single(&raw, repository.get(), (revision + "^{commit}").c_str()) == 0) {
      git_object_free(raw);
      return Error{ErrorCode::kIo,
                   fmt::format("git: {} (`git diff {}` fetches what a partial clone "
                               "lacks)",
                               why, revision)};
    }
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("git knows no revision \"{}\" here: {}", revision, why)};
  }

  // Checks the files that libgit2 reads to compare with the work tree. It enters a folder unless
  // the folder is ignored, by its own rules, and contains no tracked file.
  Result<void> check_tree() const {
    return check_work_tree(top, [&](const std::string& folder) {
      if (git_index_find_prefix(nullptr, index.get(), (folder + "/").c_str()) == 0) return true;
      int ignored = 0;
      return git_ignore_path_is_ignored(&ignored, repository.get(), folder.c_str()) != 0 ||
             ignored == 0;
    });
  }

  // The bytes of `path` in `of`; nothing if it does not contain the file.
  Result<std::optional<std::string>> read(const ObjectHandle& of, const std::string& path) const {
    if (!of) return std::optional<std::string>();
    git_tree_entry* raw = nullptr;
    const int code =
        git_tree_entry_bypath(&raw, reinterpret_cast<git_tree*>(of.get()), to_git(path).c_str());
    const GitHandle<git_tree_entry, &git_tree_entry_free> entry(raw);
    if (code == GIT_ENOTFOUND) return std::optional<std::string>();
    if (code != 0) return git_failure();
    if (!is_file_mode(static_cast<std::uint16_t>(git_tree_entry_filemode(raw)))) {
      return std::optional<std::string>();
    }
    return read_blob(repository.get(), *git_tree_entry_id(raw));
  }

  Result<void> compare(const std::vector<std::string>& only) {
    if (after_tree) return compare_with_tree(only);
    auto* const before = reinterpret_cast<git_tree*>(tree.get());
    // libgit2 walks the whole tree.
    TreeLimits limits;
    limits.entries += git_index_entrycount(index.get());
    CODEXMEM_TRY(compare_trees(repository.get(), before, nullptr, limits,
                               [](const TreeDifference&) { return true; }));
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = kDiffFlags;
    git_diff* raw = nullptr;
    int code = 0;
    if (is_staged) {
      code = git_diff_tree_to_index(&raw, repository.get(), before, index.get(), &options);
    } else {
      CODEXMEM_TRY(check_tree());
      options.flags |= GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS;
      code = git_diff_tree_to_workdir_with_index(&raw, repository.get(), before, &options);
    }
    const DiffHandle diff(raw);
    if (code != 0) return git_failure();
    changes = changes_of(diff.get());
    return {};
  }

  // Compares with `after_tree`: only the files `only`, or all if it is empty.
  Result<void> compare_with_tree(const std::vector<std::string>& only) {
    std::set<std::string> wanted;
    for (const std::string& path : only) wanted.insert(to_git(path));
    const auto visit = [&](const TreeDifference& difference) {
      if (!wanted.empty() && !wanted.contains(difference.path)) return true;
      const auto path = from_git(difference.path.c_str());
      const bool existed = is_file_mode(difference.old_mode);
      const bool exists = is_file_mode(difference.new_mode);
      if (path && (existed || exists)) changes.push_back({*path, existed, exists});
      return true;
    };
    // A file of `only`, or a folder around one.
    const auto wants = [&](const std::string& path) {
      if (wanted.empty() || wanted.contains(path)) return true;
      const auto first = wanted.lower_bound(path + '/');
      return first != wanted.end() && first->starts_with(path + '/');
    };
    CODEXMEM_TRY(compare_trees(repository.get(), reinterpret_cast<git_tree*>(tree.get()),
                               reinterpret_cast<git_tree*>(after_tree.get()), {}, visit, wants));
    std::ranges::sort(changes, {}, &GitChange::path);
    return {};
  }
};

GitChanges::GitChanges(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GitChanges::GitChanges(GitChanges&&) noexcept = default;
GitChanges& GitChanges::operator=(GitChanges&&) noexcept = default;
GitChanges::~GitChanges() = default;

Result<GitChanges> GitChanges::find(const fs::path& root, const fs::path& folder,
                                    const GitChangesQuery& query) {
  auto impl = std::make_unique<Impl>();
  CODEXMEM_TRY(impl->open(root, folder));
  CODEXMEM_TRY(impl->find_tree(query.since, impl->tree));
  if (!query.until.empty()) CODEXMEM_TRY(impl->find_tree(query.until, impl->after_tree));
  impl->is_staged = query.is_staged && query.until.empty();
  CODEXMEM_TRY(impl->compare(query.only));
  return GitChanges(std::move(impl));
}

const std::vector<GitChange>& GitChanges::changes() const { return impl_->changes; }

bool GitChanges::is_staged() const { return impl_->is_staged; }

bool GitChanges::is_of_work_tree() const { return !impl_->is_staged && !impl_->after_tree; }

bool GitChanges::existed(const std::string& path) const {
  if (!impl_->tree) return false;
  git_tree_entry* raw = nullptr;
  const int code = git_tree_entry_bypath(&raw, reinterpret_cast<git_tree*>(impl_->tree.get()),
                                         impl_->to_git(path).c_str());
  const GitHandle<git_tree_entry, &git_tree_entry_free> entry(raw);
  return code == 0;
}

std::string GitChanges::tree_id() const {
  return impl_->tree ? hex_of(*git_object_id(impl_->tree.get())) : "";
}

Result<std::vector<GitChange>> GitChanges::list_unstaged() const {
  CODEXMEM_TRY(impl_->check_tree());
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = kDiffFlags | GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS;
  git_diff* raw = nullptr;
  const int code =
      git_diff_index_to_workdir(&raw, impl_->repository.get(), impl_->index.get(), &options);
  const DiffHandle diff(raw);
  if (code != 0) return git_failure();
  std::vector<GitChange> found = impl_->changes_of(diff.get());
  // Report the change from the staged files to the work tree.
  for (GitChange& change : found) std::swap(change.existed, change.exists);
  return found;
}

Result<std::optional<std::string>> GitChanges::read_before(const std::string& path) const {
  return impl_->read(impl_->tree, path);
}

Result<std::optional<std::string>> GitChanges::read_after(const std::string& path) const {
  return impl_->after_tree ? impl_->read(impl_->after_tree, path) : read_staged(path);
}

Result<std::optional<std::string>> GitChanges::read_staged(const std::string& path) const {
  const git_index_entry* entry =
      git_index_get_bypath(impl_->index.get(), impl_->to_git(path).c_str(), 0);
  if (entry == nullptr || !is_file_mode(static_cast<std::uint16_t>(entry->mode))) {
    return std::optional<std::string>();
  }
  return read_blob(impl_->repository.get(), entry->id);
}

std::size_t GitChanges::count_left_out() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < git_index_entrycount(impl_->index.get()); ++i) {
    const git_index_entry* entry = git_index_get_byindex(impl_->index.get(), i);
    count += impl_->is_left_out(entry->path) ? 1 : 0;
  }
  return count;
}

bool GitChanges::is_left_out(const std::string& path) const {
  return impl_->is_left_out(impl_->to_git(path).c_str());
}

bool GitChanges::is_ignored(const std::string& path) const {
  int ignored = 0;
  return git_ignore_path_is_ignored(&ignored, impl_->repository.get(),
                                    impl_->to_git(path).c_str()) == 0 &&
         ignored != 0;
}

Result<std::vector<std::string>> list_staged_files(const fs::path& root, const fs::path& folder) {
  CODEXMEM_ASSIGN(const GitChanges staged, GitChanges::find(root, folder, {}));
  std::vector<std::string> paths;
  for (const GitChange& change : staged.changes()) paths.push_back(change.path);
  return paths;
}

}  // namespace codexmem::index
