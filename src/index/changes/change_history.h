// index/changes/change_history.h - finds files that changed together in git's last commits.
//
// Read through libgit2 on first use and kept in memory; when HEAD moves, only new commits are read.
// Nothing is written. Thread-safe. Design: docs/how-it-works.md, "Definitions and context".
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

/// Maximum number of commits read, newest first, merges included.
inline constexpr std::size_t kMaxCommits = 1000;

/// A commit with more files does not relate any two of them: formatting, renamed folders, the first
/// import.
inline constexpr std::size_t kMaxCommitFiles = 30;

struct ChangedFile {
  std::string path;         // relative to the root
  std::size_t commits = 0;  // that changed both files
  double weight = 0;        // of these: recent and small ones count more
};

struct FileHistory {
  std::vector<ChangedFile> together;  // most commits first, then by path
  std::size_t commits = 0;            // that changed the file itself, without merges and commits of
                                      // more than kMaxCommitFiles files
  double weight = 0;                  // of these; recent ones count more
  std::unordered_map<std::string, double> lately;  // files of the last commits: their sum, each
                                                   // counting less than the one after it
  std::size_t looked_at = 0;  // commits of the history that were read; 0 outside a git
                              // repository
  bool is_shallow = false;    // a clone without older commits
  bool is_cut = false;        // time ran out; a later query continues
};

/// The number of commits that changed each file, counted as in FileHistory.
struct ChangeCounts {
  std::unordered_map<std::string, std::size_t> commits;  // by path, relative to the root
  std::size_t looked_at = 0;   // commits of the history that were read; 0 outside a git repository
  bool is_shallow = false;     // a clone without older commits
  bool is_unfinished = false;  // counting is in progress: ask again later
};

/// A commit that does not merge others.
struct TimedCommit {
  std::int64_t time = 0;             // seconds since 1970
  std::uint32_t author = 0;          // a number for each person, by e-mail address
  std::vector<std::string> changed;  // as counted in FileHistory, by today's paths
  std::vector<std::string> added;    // also of commits of more files
};

struct ChangeTimeline {
  std::vector<TimedCommit> commits;  // the oldest first
  bool is_shallow = false;           // a clone without older commits
  bool is_unfinished = false;        // as in ChangeCounts
};

class ChangeHistory {
 public:
  /// For files below `root`, an absolute path, up to the commit `revision`. Reads nothing yet.
  explicit ChangeHistory(std::filesystem::path root, std::string revision = "HEAD");
  ~ChangeHistory();
  ChangeHistory(const ChangeHistory&) = delete;
  ChangeHistory& operator=(const ChangeHistory&) = delete;

  /// The history of the file `path` (relative to the root), from the repository that contains it:
  /// the workspace's, or one inside it. Files that a commit moved without a change, or to another
  /// folder, are followed; other renames are not. The history is empty without a repository,
  /// without commits, or if the repository may not be opened. Takes at most about two seconds.
  /// Errors: kCancelled.
  Result<FileHistory> find(const std::string& path);

  /// The counts of all files of the repository that contains the root. Takes at most `patience`,
  /// plus up to one commit; the rest is read on a background thread, and until it has finished the
  /// counts are empty and marked unfinished. Errors: kCancelled.
  Result<ChangeCounts> count(std::chrono::milliseconds patience);

  /// The commits one by one, in the same way. Errors: kCancelled.
  Result<ChangeTimeline> timeline(std::chrono::milliseconds patience);

 private:
  // What `make` makes of a repository's history and of where the root is in it, once all of it is
  // read; nothing without a repository. Errors: kCancelled.
  template <typename Made, typename Make>
  Result<Made> read_all(std::chrono::milliseconds patience, const Make& make);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
