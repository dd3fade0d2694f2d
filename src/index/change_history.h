// index/change_history.h - which files changed together in git's last commits.
//
// Read through libgit2 at the first question and kept in memory; when HEAD moves only the commits
// that are new are read. Nothing is written. Thread-safe. Design: docs/design/git.md, "Changed
// together".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace codexmem::index {

/// Commits of the history that are looked at, the newest first, merges included.
inline constexpr std::size_t kMostCommits = 1000;

/// A commit of more files says nothing of any two: formatting, renamed folders, the first import.
inline constexpr std::size_t kMostCommitFiles = 100;

struct ChangedFile {
  std::string path;         // relative to the root
  std::size_t commits = 0;  // in which both files changed
};

struct FileHistory {
  std::vector<ChangedFile> together;  // most commits first, then by path
  std::size_t commits = 0;            // in which the file itself changed; merges and commits of
                                      // more than kMostCommitFiles files do not count
  std::size_t looked_at = 0;          // commits of the history that were read; 0 outside of git
  bool is_shallow = false;            // a clone without older commits
  bool is_cut = false;                // time ran out: a later question goes on
};

/// In how many commits each file changed, as FileHistory counts them.
struct ChangeCounts {
  std::unordered_map<std::string, std::size_t> commits;  // by path, relative to the root
  std::size_t looked_at = 0;   // commits of the history that were read; 0 outside of git
  bool is_shallow = false;     // a clone without older commits
  bool is_unfinished = false;  // they are being counted: ask again in a while
};

class ChangeHistory {
 public:
  /// Of files below `root`, an absolute path, up to the commit `revision`. Reads nothing yet.
  explicit ChangeHistory(std::filesystem::path root, std::string revision = "HEAD");
  ~ChangeHistory();
  ChangeHistory(const ChangeHistory&) = delete;
  ChangeHistory& operator=(const ChangeHistory&) = delete;

  /// The history of the file `path` (relative to the root), by the repository that holds it: of the
  /// workspace, or one inside of it. A file's history begins with its name: what it was called
  /// before is not followed. No repository, no commit yet, or one that may not be opened: an empty
  /// history. Takes at most about two seconds. Errors: kCancelled.
  Result<FileHistory> find(const std::string& path);

  /// The counts of all files of the repository that holds the root. Takes `patience` at most, give
  /// or take a commit; what is not read by then is read on a thread that nobody waits for, and
  /// until it has ended the counts are empty and unfinished. Errors: kCancelled.
  Result<ChangeCounts> count(std::chrono::milliseconds patience);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
