// Both trees are walked together, and equal subtrees are not entered. The list of folders to enter
// is on the heap, so that deep trees do not use the stack.
//
// Tested by index/git_changes_test.cpp, git/bomb_test.py.
#include "index/git/tree_compare.h"

#include <fmt/core.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/stop_scope.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kEntriesBetweenLooks = 1000;

class TreeComparison {
 public:
  TreeComparison(git_repository* repository, const TreeLimits& limits,
                 const std::function<bool(const TreeDifference&)>& visit,
                 const std::function<bool(const std::string&)>& wants)
      : repository_(repository),
        limits_(limits),
        visit_(visit),
        wants_(wants),
        deadline_(std::chrono::steady_clock::now() + limits.time) {}

  Result<void> run(const git_tree* before, const git_tree* after) {
    CODEXMEM_TRY(compare(before, after, ""));
    while (!folders_.empty() && !is_ended_) {
      const Folder next = std::move(folders_.back());
      folders_.pop_back();
      CODEXMEM_ASSIGN(const TreeHandle was, find_tree(next.before));
      CODEXMEM_ASSIGN(const TreeHandle is, find_tree(next.after));
      CODEXMEM_TRY(compare(was.get(), is.get(), next.path + '/'));
    }
    return {};
  }

 private:
  struct Folder {
    std::string path;
    std::optional<git_oid> before, after;
  };

  Result<TreeHandle> find_tree(const std::optional<git_oid>& id) const {
    if (!id) return TreeHandle();
    git_tree* raw = nullptr;
    if (git_tree_lookup(&raw, repository_, &*id) != 0) return git_failure();
    return TreeHandle(raw);
  }

  // Compares the entries of two folders, which git keeps sorted.
  Result<void> compare(const git_tree* before, const git_tree* after, const std::string& prefix) {
    const std::size_t old_count = before == nullptr ? 0 : git_tree_entrycount(before);
    const std::size_t new_count = after == nullptr ? 0 : git_tree_entrycount(after);
    std::size_t i = 0, j = 0;
    while ((i < old_count || j < new_count) && !is_ended_) {
      CODEXMEM_TRY(look());
      const git_tree_entry* was = i < old_count ? git_tree_entry_byindex(before, i) : nullptr;
      const git_tree_entry* is = j < new_count ? git_tree_entry_byindex(after, j) : nullptr;
      if (was != nullptr && is != nullptr) {
        const int order = git_tree_entry_cmp(was, is);
        if (order < 0) is = nullptr;
        if (order > 0) was = nullptr;
      }
      if (was != nullptr) ++i;
      if (is != nullptr) ++j;
      CODEXMEM_TRY(take(was, is, prefix));
    }
    return {};
  }

  // Takes an entry of one or both folders.
  Result<void> take(const git_tree_entry* was, const git_tree_entry* is,
                    const std::string& prefix) {
    if (was != nullptr && is != nullptr &&
        git_oid_equal(git_tree_entry_id(was), git_tree_entry_id(is)) != 0 &&
        git_tree_entry_filemode(was) == git_tree_entry_filemode(is)) {
      return {};
    }
    std::string path = prefix + git_tree_entry_name(was != nullptr ? was : is);
    if (wants_ && !wants_(path)) return {};
    path_bytes_ += path.size();
    if (++entries_ > limits_.entries || path_bytes_ > limits_.path_bytes) {
      return refuse(fmt::format("there are more than {} files and folders", limits_.entries));
    }
    if (path.size() > kMaxTreePath) {
      return refuse(fmt::format("a path is longer than {} bytes", kMaxTreePath));
    }
    const auto is_folder = [](const git_tree_entry* entry) {
      return entry != nullptr && git_tree_entry_type(entry) == GIT_OBJECT_TREE;
    };
    const auto mode_of = [](const git_tree_entry* entry) {
      return entry != nullptr && git_tree_entry_type(entry) == GIT_OBJECT_BLOB
                 ? static_cast<std::uint16_t>(git_tree_entry_filemode(entry))
                 : std::uint16_t{0};
    };
    const auto blob_of = [&](const git_tree_entry* entry) {
      return mode_of(entry) == 0 ? nullptr : git_tree_entry_id(entry);
    };
    const TreeDifference difference{path, mode_of(was), mode_of(is), blob_of(was), blob_of(is)};
    if (difference.old_mode != 0 || difference.new_mode != 0) is_ended_ = !visit_(difference);
    if (!is_folder(was) && !is_folder(is)) return {};
    const auto id_of = [&](const git_tree_entry* entry) {
      return is_folder(entry) ? std::optional(*git_tree_entry_id(entry)) : std::nullopt;
    };
    folders_.push_back({std::move(path), id_of(was), id_of(is)});
    return {};
  }

  // Entries that do not differ cost time as well.
  Result<void> look() {
    if (++looked_at_ % kEntriesBetweenLooks != 0) return {};
    CODEXMEM_TRY(go_on());
    if (std::chrono::steady_clock::now() < deadline_) return {};
    return refuse(fmt::format("comparing them takes longer than {} ms", limits_.time.count()));
  }

  static Error refuse(const std::string& why) {
    return {ErrorCode::kUnsupported, "git's trees are too large to compare: " + why};
  }

  git_repository* repository_;
  const TreeLimits& limits_;
  const std::function<bool(const TreeDifference&)>& visit_;
  const std::function<bool(const std::string&)>& wants_;
  const std::chrono::steady_clock::time_point deadline_;
  std::vector<Folder> folders_;  // to enter
  std::size_t entries_ = 0, path_bytes_ = 0, looked_at_ = 0;
  bool is_ended_ = false;
};

}  // namespace

Result<void> compare_trees(git_repository* repository, const git_tree* before,
                           const git_tree* after, const TreeLimits& limits,
                           const std::function<bool(const TreeDifference&)>& visit,
                           const std::function<bool(const std::string&)>& wants) {
  return TreeComparison(repository, limits, visit, wants).run(before, after);
}

}  // namespace codexmem::index
