// Tested by tests/index/worktrees_test.cpp, tests/git/branch_memory_test.py.
#include "index/git/git_branches.h"

#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "index/git/git_handles.h"

namespace codexmem::index {
namespace {

using ReferenceHandle = GitHandle<git_reference, &git_reference_free>;

constexpr std::string_view kHeads = "refs/heads/", kOrigin = "refs/remotes/origin/";
constexpr std::size_t kMaxRefBytes = 4'096;

std::string after(std::string_view text, std::string_view head) {
  return std::string(text.starts_with(head) ? trim(text.substr(head.size())) : "");
}

// What the symbolic reference `name` names; empty without one.
std::string target_of(git_repository* repository, const char* name) {
  git_reference* raw = nullptr;
  if (git_reference_lookup(&raw, repository, name) != 0) return "";
  const ReferenceHandle reference(raw);
  const char* const target = git_reference_symbolic_target(reference.get());
  return target == nullptr ? "" : target;
}

// A line of a file of git's that begins with `head`, without it.
std::string line_of(const std::filesystem::path& path, std::string_view head) {
  const auto text = read_beginning(path, kMaxRefBytes);
  return text.ok() ? after(*text, head) : "";
}

}  // namespace

std::optional<git_oid> commit_of(git_repository* repository, const std::string& name) {
  git_oid id;
  if (git_reference_name_to_id(&id, repository, name.c_str()) != 0) return std::nullopt;
  return id;
}

std::string branch_of(git_repository* repository) {
  std::string branch = after(target_of(repository, "HEAD"), kHeads);
  if (!branch.empty()) return branch;
  const std::filesystem::path own = git_repository_path(repository);
  for (const char* const folder : {"rebase-merge", "rebase-apply"}) {
    branch = line_of(own / folder / "head-name", kHeads);
    if (!branch.empty()) return branch;
  }
  return "";
}

DefaultBranch find_default_branch(git_repository* repository) {
  DefaultBranch found;
  const auto take = [&](const std::string& name) {
    for (const std::string_view folder : {kHeads, kOrigin}) {
      if (const auto tip = commit_of(repository, std::string(folder) + name)) {
        found.tips.push_back(*tip);
      }
    }
    found.name = name;
    return found.is_known = !found.tips.empty();
  };
  const std::string remote = after(target_of(repository, "refs/remotes/origin/HEAD"), kOrigin);
  if (!remote.empty() && take(remote)) return found;
  if (take("main") || take("master") || take("trunk")) return found;
  const std::filesystem::path common = git_repository_commondir(repository);
  found.name = line_of(common / "HEAD", "ref: " + std::string(kHeads));
  if (!found.name.empty()) {
    take(found.name);
    found.is_known = false;
    return found;
  }
  git_oid id;  // the main worktree has none checked out
  if (git_oid_fromstr(&id, line_of(common / "HEAD", "").c_str()) == 0) found.tips.push_back(id);
  return found;
}

}  // namespace codexmem::index
