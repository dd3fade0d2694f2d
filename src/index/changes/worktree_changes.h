// index/changes/worktree_changes.h - finds what each worktree of a repository has changed, and
// where two of them will meet.
//
// A worktree's work is everything between the commit where its branch left the default branch and
// its files as they are now, untracked ones included. Both states are parsed
// (index/changes/changed_symbols.h); no store is used. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/changes/changed_symbols.h"

namespace codexmem::index {

struct WorktreeChanges {
  std::filesystem::path root;
  std::string branch = {};  // empty: no branch is checked out
  std::string head = {};    // the commit that is checked out, in hex
  std::string base = {};    // the commit that its files are compared with, in hex
  bool is_here = false;     // the one that was asked about
  ChangedCode changed = {};
  std::string unknown = {};  // why its changes are not known, for display; empty: they are
};

struct WorktreeOptions {
  const ChangedCode* here = nullptr;       // what this worktree changes; null: find out
  std::chrono::milliseconds time{30'000};  // worktrees not reached in it stay unknown
};

/// The worktrees of the repository whose work tree is at `root`, this one first. The default branch
/// is the one of the remote `origin`, else main or master, else the one that the main worktree has
/// checked out. Errors: kNotFound when `root` is not the top of a work tree; kCancelled.
Result<std::vector<WorktreeChanges>> list_worktree_changes(const std::filesystem::path& root,
                                                           const WorktreeOptions& options,
                                                           const std::stop_token& stop);

/// A definition or a file at which the work of two worktrees meets.
struct MeetingChange {
  enum class Kind : std::uint8_t {
    kText,  // git cannot merge the file
    kBoth,  // both change the definition
    kUses,  // `first` changes its name, place or signature; `second` names it in a new place
  };
  Kind kind = Kind::kBoth;
  std::size_t first = 0, second = 0;  // indexes of worktrees
  ChangedSymbol symbol;               // as `first` changes it; of kText only the path
};

/// Where `worktrees` meet, by path and name. Uses are found by the name only, so they may be of
/// another definition; whether a text can be merged is tried with the files as they are now. With
/// `of_here_only`, others are not compared with one another.
std::vector<MeetingChange> find_meeting_changes(const std::vector<WorktreeChanges>& worktrees,
                                                bool of_here_only = false);

/// The worktree's branch or, without one, its folder's name.
std::string worktree_name(const WorktreeChanges& worktree);

/// "body", "renamed from old_name", "moved from old/path.py".
std::string describe_change(const ChangedSymbol& symbol);

/// A line for people: "src/a.py  f: signature in login, named in a new place in admin".
std::string describe_meeting(const MeetingChange& meeting,
                             const std::vector<WorktreeChanges>& worktrees);

}  // namespace codexmem::index
