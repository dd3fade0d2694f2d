// Commits are walked from HEAD. In each, a path whose blob is the one of HEAD and differs from
// those of all parents was made what it is there.
//
// Tested by index/file_origins_test.cpp.
#include "index/file_origins.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/log.h"
#include "index/git_handles.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMostWalked = 5'000;
constexpr std::size_t kWalkedBetweenLooks = 50;
constexpr std::chrono::milliseconds kWalkPatience{1'000};

using WalkHandle = GitHandle<git_revwalk, &git_revwalk_free>;
using EntryHandle = GitHandle<git_tree_entry, &git_tree_entry_free>;

CommitHandle look_up_commit(git_repository* repository, const git_oid& id) {
  git_commit* raw = nullptr;
  return CommitHandle(git_commit_lookup(&raw, repository, &id) == 0 ? raw : nullptr);
}

TreeHandle tree_at(const git_commit* commit) {
  git_tree* raw = nullptr;
  return TreeHandle(git_commit_tree(&raw, commit) == 0 ? raw : nullptr);
}

std::optional<git_oid> blob_of(const git_tree* tree, const std::string& path) {
  git_tree_entry* raw = nullptr;
  if (tree == nullptr || git_tree_entry_bypath(&raw, tree, path.c_str()) != 0) return std::nullopt;
  const EntryHandle entry(raw);
  return *git_tree_entry_id(raw);
}

bool equal(const git_oid& a, const git_oid& b) { return git_oid_equal(&a, &b) == 1; }

std::optional<git_oid> head_of(git_repository* repository) {
  git_oid id;
  if (git_reference_name_to_id(&id, repository, "HEAD") != 0) return std::nullopt;
  return id;
}

struct Wanted {
  std::size_t index;  // of its path
  git_oid blob;       // in HEAD
};

std::int64_t milliseconds_of(const git_commit* commit) {
  return std::int64_t{git_commit_time(commit)} * 1'000;
}

}  // namespace

std::string find_head(const std::filesystem::path& top) {
  const auto repository = open_git(top);
  if (!repository.ok()) return {};
  const auto head = head_of(repository->get());
  return head ? hex_of(*head) : std::string();
}

std::vector<FileOrigin> find_file_origins(const std::filesystem::path& top,
                                          std::span<const std::string> paths) {
  std::vector<FileOrigin> origins(paths.size());
  const auto opened = open_git(top);
  if (!opened.ok()) {
    log_debug("no commits: {}", opened.error().message());
    return origins;
  }
  git_repository* const repository = opened->get();
  const auto head = head_of(repository);
  const CommitHandle newest = head ? look_up_commit(repository, *head) : nullptr;
  if (!newest) return origins;
  const TreeHandle tree = tree_at(newest.get());
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto blob = blob_of(tree.get(), paths[i]);
    if (!blob) continue;
    wanted.push_back({i, *blob});
    origins[i] = {"", hex_of(*head), milliseconds_of(newest.get())};
  }
  git_revwalk* raw = nullptr;
  if (git_revwalk_new(&raw, repository) != 0) return origins;
  const WalkHandle walk(raw);
  git_revwalk_sorting(walk.get(), GIT_SORT_TIME);
  if (git_revwalk_push(walk.get(), &*head) != 0) return origins;
  const auto deadline = std::chrono::steady_clock::now() + kWalkPatience;
  git_oid id;
  for (std::size_t count = 0; !wanted.empty() && count < kMostWalked; ++count) {
    if (git_revwalk_next(&id, walk.get()) != 0) break;
    if (count % kWalkedBetweenLooks == 0 && std::chrono::steady_clock::now() > deadline) break;
    const CommitHandle commit = look_up_commit(repository, id);
    if (!commit) break;
    const TreeHandle here = tree_at(commit.get());
    std::vector<TreeHandle> before;
    for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i) {
      const CommitHandle parent =
          look_up_commit(repository, *git_commit_parent_id(commit.get(), i));
      before.push_back(parent ? tree_at(parent.get()) : nullptr);
    }
    std::erase_if(wanted, [&](const Wanted& one) {
      const std::string& path = paths[one.index];
      const auto blob = blob_of(here.get(), path);
      if (!blob || !equal(*blob, one.blob)) return false;
      for (const TreeHandle& parent : before) {
        const auto old = blob_of(parent.get(), path);
        if (old && equal(*old, one.blob)) return false;
      }
      const git_signature* const author = git_commit_author(commit.get());
      origins[one.index] = {author != nullptr && author->name != nullptr ? author->name : "",
                            hex_of(id), milliseconds_of(commit.get())};
      return true;
    });
  }
  return origins;
}

}  // namespace codexmem::index
