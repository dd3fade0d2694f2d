// Tested by index/worktrees_test.cpp.
#include "index/changes/worktree_changes.h"

#include <fmt/core.h>
#include <git2.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/file.h"
#include "config/git_root.h"
#include "graph/stored/qualified_name.h"
#include "index/git/git_branches.h"
#include "index/git/git_files.h"
#include "index/git/git_handles.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

Result<RepositoryHandle> open_worktree(const fs::path& root) {
  CODEXMEM_ASSIGN(const fs::path top, find_git_top(root, /*here_only=*/true));
  return open_git(top);
}

// Fills in the branch and the commit.
Result<void> read_head(WorktreeChanges& worktree, git_repository* repository) {
  worktree.branch = branch_of(repository);
  const auto head = commit_of(repository, "HEAD");
  if (!head) return Error{ErrorCode::kNotFound, "it has no commit yet"};
  worktree.head = hex_of(*head);
  return {};
}

// Fills in all but the root.
Result<void> compare(WorktreeChanges& worktree, const std::optional<git_oid>& trunk,
                     const std::stop_token& stop) {
  CODEXMEM_ASSIGN(const RepositoryHandle repository, open_worktree(worktree.root));
  CODEXMEM_TRY(read_head(worktree, repository.get()));
  const auto head = commit_of(repository.get(), "HEAD");
  git_oid base = *head;
  // Without a common commit, only uncommitted changes count.
  if (trunk && git_merge_base(&base, repository.get(), &*head, &*trunk) != 0) base = *head;
  worktree.base = hex_of(base);
  CODEXMEM_ASSIGN(
      const GitChanges changes,
      GitChanges::find(worktree.root, worktree.root, {.since = worktree.base, .is_staged = false}));
  CODEXMEM_ASSIGN(worktree.changed, find_changed_symbols(worktree.root, changes, stop));
  return {};
}

// True if code elsewhere that names the symbol must follow the change.
bool concerns_users(const ChangedSymbol& symbol) {
  return symbol.change != SymbolChange::kAdded && symbol.change != SymbolChange::kBody;
}

// Its place and name before the change, by which two worktrees mean the same.
std::pair<std::string, std::string> key_of(const ChangedSymbol& symbol) {
  return {symbol.old_path.empty() ? symbol.path : symbol.old_path,
          symbol.old_name.empty() ? symbol.name : symbol.old_name};
}

// Merges the files of two worktrees as git would, to see whether it can.
class TextMerge {
 public:
  TextMerge(const WorktreeChanges& first, const WorktreeChanges& second)
      : first_(first), second_(second) {
    auto repository = open_worktree(first.root);
    git_oid one, two, base;
    if (!repository.ok() || git_oid_fromstr(&one, first.head.c_str()) != 0 ||
        git_oid_fromstr(&two, second.head.c_str()) != 0 ||
        git_merge_base(&base, repository->get(), &one, &two) != 0) {
      return;
    }
    const CommitHandle commit = find_commit(repository->get(), base);
    if (commit != nullptr) tree_ = tree_of(commit.get());
    repository_ = *std::move(repository);
  }

  // Paths that both change and that do not merge.
  std::vector<std::string> list_conflicts() const {
    std::vector<std::string> both, conflicts;
    std::ranges::set_intersection(first_.changed.files, second_.changed.files,
                                  std::back_inserter(both));
    for (const std::string& path : both) {
      if (tree_ != nullptr && has_conflict(path)) conflicts.push_back(path);
    }
    return conflicts;
  }

 private:
  using Text = std::optional<std::string>;  // nothing: there is no such file

  bool has_conflict(const std::string& path) const {
    const Text base = base_of(path), one = now(first_, path), two = now(second_, path);
    if (one == two || one == base || two == base) return false;
    if (!one || !two) return true;
    const git_merge_file_input ancestor = input(base ? *base : std::string_view());
    const git_merge_file_input ours = input(*one), theirs = input(*two);
    git_merge_file_result merged = {};
    const int code = git_merge_file(&merged, &ancestor, &ours, &theirs, nullptr);
    const bool can_merge = code == 0 && merged.automergeable != 0;
    git_merge_file_result_free(&merged);
    return !can_merge;
  }

  static git_merge_file_input input(std::string_view text) {
    git_merge_file_input made = GIT_MERGE_FILE_INPUT_INIT;
    made.ptr = text.data();
    made.size = text.size();
    return made;
  }

  Text base_of(const std::string& path) const {
    git_object* raw = nullptr;
    if (git_object_lookup_bypath(&raw, reinterpret_cast<git_object*>(tree_.get()), path.c_str(),
                                 GIT_OBJECT_BLOB) != 0) {
      return std::nullopt;
    }
    const ObjectHandle object(raw);
    const auto* const blob = reinterpret_cast<git_blob*>(object.get());
    return std::string(static_cast<const char*>(git_blob_rawcontent(blob)),
                       static_cast<std::size_t>(git_blob_rawsize(blob)));
  }

  // The worktree's file that was at `path` before, wherever it is now.
  static Text now(const WorktreeChanges& worktree, const std::string& path) {
    constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
    auto text = read_file(worktree.root / path, kMaxBytes);
    if (text.ok()) return *std::move(text);
    for (const ChangedSymbol& symbol : worktree.changed.symbols) {
      if (symbol.old_path != path) continue;
      text = read_file(worktree.root / symbol.path, kMaxBytes);
      if (text.ok()) return *std::move(text);
    }
    return std::nullopt;
  }

  const WorktreeChanges& first_;
  const WorktreeChanges& second_;
  RepositoryHandle repository_;
  TreeHandle tree_;  // where the two branches part; null: not known
};

}  // namespace

Result<std::vector<WorktreeChanges>> list_worktree_changes(const fs::path& root,
                                                           const WorktreeOptions& options,
                                                           const std::stop_token& stop) {
  const auto deadline = std::chrono::steady_clock::now() + options.time;
  std::error_code failed;
  const fs::path here = fs::canonical(root, failed);
  CODEXMEM_ASSIGN(const RepositoryHandle opened, open_worktree(here));
  std::vector<WorktreeChanges> found;
  found.push_back({.root = here, .is_here = true});
  for (fs::path& other : other_worktrees(here)) found.push_back({.root = std::move(other)});
  // All have the same branches.
  const DefaultBranch known = find_default_branch(opened.get());
  const auto trunk = known.tips.empty() ? std::nullopt : std::optional(known.tips.front());
  for (WorktreeChanges& each : found) {
    if (each.is_here && options.here != nullptr) {
      CODEXMEM_TRY(read_head(each, opened.get()));
      each.changed = *options.here;
      continue;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      each.unknown = "there was no time to compare its files";
      continue;
    }
    const auto done = compare(each, trunk, stop);
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "stopped"};
    if (!done.ok()) each.unknown = done.error().message();
  }
  return found;
}

std::vector<MeetingChange> find_meeting_changes(const std::vector<WorktreeChanges>& worktrees,
                                                bool of_here_only) {
  const auto is_asked = [&](std::size_t a, std::size_t b) {
    return a != b && (!of_here_only || worktrees[a].is_here || worktrees[b].is_here);
  };
  std::vector<MeetingChange> found;
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::size_t, ChangedSymbol>>>
      by_key;
  for (std::size_t i = 0; i < worktrees.size(); ++i) {
    for (std::size_t other = 0; other < i; ++other) {
      if (!is_asked(other, i)) continue;
      for (std::string& path : TextMerge(worktrees[other], worktrees[i]).list_conflicts()) {
        found.push_back({MeetingChange::Kind::kText, other, i, {.path = std::move(path)}});
      }
    }
  }
  for (std::size_t i = 0; i < worktrees.size(); ++i) {
    for (const ChangedSymbol& symbol : worktrees[i].changed.symbols) {
      for (const auto& [other, its] : by_key[key_of(symbol)]) {
        if (is_asked(other, i)) found.push_back({MeetingChange::Kind::kBoth, other, i, its});
      }
      by_key[key_of(symbol)].emplace_back(i, symbol);
    }
  }
  for (std::size_t i = 0; i < worktrees.size(); ++i) {
    for (const ChangedSymbol& symbol : worktrees[i].changed.symbols) {
      if (!concerns_users(symbol)) continue;
      const auto key = key_of(symbol);
      const std::string name = graph::parse_qualified_name(key.second).name;
      for (std::size_t other = 0; other < worktrees.size(); ++other) {
        if (!is_asked(i, other) || !worktrees[other].changed.gained.contains(name)) continue;
        const bool is_known = std::ranges::any_of(
            by_key[key], [&](const auto& change) { return change.first == other; });
        if (!is_known) found.push_back({MeetingChange::Kind::kUses, i, other, symbol});
      }
    }
  }
  std::ranges::stable_sort(found, {}, [](const MeetingChange& each) {
    return std::pair(each.symbol.path, each.symbol.name);
  });
  return found;
}

std::string worktree_name(const WorktreeChanges& worktree) {
  return worktree.branch.empty() ? worktree.root.filename().string() : worktree.branch;
}

std::string describe_change(const ChangedSymbol& symbol) {
  const std::string change(symbol_change_name(symbol.change));
  if (!symbol.old_name.empty() && symbol.old_name != symbol.name) {
    return fmt::format("{} from {}", change, symbol.old_name);
  }
  return symbol.old_path.empty() ? change : fmt::format("{} from {}", change, symbol.old_path);
}

std::string describe_meeting(const MeetingChange& meeting,
                             const std::vector<WorktreeChanges>& worktrees) {
  const std::string first = worktree_name(worktrees[meeting.first]);
  const std::string second = worktree_name(worktrees[meeting.second]);
  const ChangedSymbol& symbol = meeting.symbol;
  if (meeting.kind == MeetingChange::Kind::kText) {
    return fmt::format("{}: git cannot merge {} and {}", symbol.path, first, second);
  }
  if (meeting.kind == MeetingChange::Kind::kBoth) {
    return fmt::format("{}  {}: {} and {} both change it", symbol.path, symbol.name, first, second);
  }
  return fmt::format("{}  {}: {} in {}, named in a new place in {}", symbol.path, symbol.name,
                     describe_change(symbol), first, second);
}

}  // namespace codexmem::index
