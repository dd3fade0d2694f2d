// Commits are walked from HEAD. The commit where a path has HEAD's blob, and all parents have other
// blobs, made the current content.
//
// Tested by index/file_origins_test.cpp.
#include "index/discovery/file_origins.h"

#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "base/log.h"
#include "index/git/git_branches.h"
#include "index/git/git_handles.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMaxWalked = 5'000;
constexpr std::size_t kWalkedBetweenLooks = 50;
constexpr unsigned kMaxWalkedParents = 100;  // a commit with more ends the walk
constexpr std::chrono::milliseconds kWalkPatience{1'000};

using EntryHandle = GitHandle<git_tree_entry, &git_tree_entry_free>;

// The folders of one commit that contain the files, each read once.
class Folders {
 public:
  explicit Folders(const git_commit* commit) : root_(commit ? tree_of(commit) : nullptr) {}

  // The blob of the file `name` in `folder`; "" is the root.
  std::optional<git_oid> blob_of(const std::string& folder, const std::string& name) {
    const git_tree* const tree = find(folder);
    const git_tree_entry* const entry =
        tree == nullptr ? nullptr : git_tree_entry_byname(tree, name.c_str());
    return entry == nullptr ? std::nullopt : std::optional(*git_tree_entry_id(entry));
  }

 private:
  const git_tree* find(const std::string& folder) {
    if (folder.empty() || !root_) return root_.get();
    const auto [at, is_new] = trees_.try_emplace(folder);
    git_tree_entry* raw = nullptr;
    if (is_new && git_tree_entry_bypath(&raw, root_.get(), folder.c_str()) == 0) {
      const EntryHandle entry(raw);
      git_tree* tree = nullptr;
      if (git_tree_lookup(&tree, git_tree_owner(root_.get()), git_tree_entry_id(raw)) == 0) {
        at->second.reset(tree);
      }
    }
    return at->second.get();
  }

  TreeHandle root_;
  std::map<std::string, TreeHandle> trees_;
};

bool equal(const git_oid& a, const git_oid& b) { return git_oid_equal(&a, &b) == 1; }

struct Wanted {
  std::size_t index;  // of its path
  std::string folder, name;
  git_oid blob;  // in HEAD
};

std::int64_t milliseconds_of(const git_commit* commit) {
  return std::int64_t{git_commit_time(commit)} * 1'000;
}

}  // namespace

std::string find_head(const std::filesystem::path& top) {
  const auto repository = open_git(top);
  if (!repository.ok()) return {};
  const auto head = commit_of(repository->get(), "HEAD");
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
  const auto head = commit_of(repository, "HEAD");
  const CommitHandle newest = head ? find_commit(repository, *head) : nullptr;
  if (!newest) return origins;
  Folders now(newest.get());
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::filesystem::path path(paths[i]);
    std::string folder = path.parent_path().string(), name = path.filename().string();
    const auto blob = now.blob_of(folder, name);
    if (!blob) continue;
    wanted.push_back({i, std::move(folder), std::move(name), *blob});
    origins[i] = {"", hex_of(*head), milliseconds_of(newest.get())};
  }
  git_revwalk* raw = nullptr;
  if (git_revwalk_new(&raw, repository) != 0) return origins;
  const WalkHandle walk(raw);
  git_revwalk_sorting(walk.get(), GIT_SORT_TIME);
  if (git_revwalk_push(walk.get(), &*head) != 0) return origins;
  const auto deadline = std::chrono::steady_clock::now() + kWalkPatience;
  git_oid id;
  for (std::size_t count = 0; !wanted.empty() && count < kMaxWalked; ++count) {
    if (git_revwalk_next(&id, walk.get()) != 0) break;
    if (count % kWalkedBetweenLooks == 0 && std::chrono::steady_clock::now() > deadline) break;
    const CommitHandle commit = find_commit(repository, id);
    if (!commit || git_commit_parentcount(commit.get()) > kMaxWalkedParents) break;
    Folders here(commit.get());
    std::vector<Folders> before;
    for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i) {
      const CommitHandle parent = find_commit(repository, *git_commit_parent_id(commit.get(), i));
      before.emplace_back(parent.get());
    }
    std::erase_if(wanted, [&](const Wanted& one) {
      const auto blob = here.blob_of(one.folder, one.name);
      if (!blob || !equal(*blob, one.blob)) return false;
      for (Folders& parent : before) {
        const auto old = parent.blob_of(one.folder, one.name);
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
