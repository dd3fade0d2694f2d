// worker/red_runs.h - test runs and builds that failed and have not been seen to pass since.
//
// A few of each project, in memory. Thread-safe. Design: docs/worker.md, "Providers".
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::worker {

struct RedRun {
  std::string command;
  std::string runner;              // "pytest"
  std::vector<std::string> names;  // of failed tests
  std::vector<std::string> files;  // that the failures named
  std::size_t total = 0;           // tests that ran; 0: not known
  bool is_build = false;
};

class RedRuns {
 public:
  /// Remembers `run`, in the place of an earlier one of the same command. Returns which tests of
  /// that one do not fail any more.
  std::vector<std::string> add(const std::string& project, RedRun run);

  /// Forgets and returns the runs of `project` that a green one makes up for: those of the same
  /// command, of no more tests of the same runner, or whose files or tests its command names.
  /// `green.total` is what has passed.
  std::vector<RedRun> mend(const std::string& project, const RedRun& green);

 private:
  struct Project {
    std::string name;
    std::list<RedRun> runs;  // newest first
  };
  Project& project(const std::string& name);

  std::mutex mutex_;
  std::list<Project> projects_;  // the last used first
};

}  // namespace codexmem::worker
