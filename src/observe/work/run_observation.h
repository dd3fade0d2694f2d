// observe/work/run_observation.h - what a run of tests, of a build or of a check said, as an
// observation.
//
// Reflection (memory/recall/reflection.h) reads outcome: red runs of tests and builds are errors of
// the files that they name, green ones successes of the files that were red before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <cstddef>
#include <list>
#include <mutex>
#include <vector>

#include "observe/models/provider.h"
#include "observe/intake/shell_command.h"
#include "observe/work/test_output.h"
#include "observe/intake/tool_action.h"

namespace codexmem::observe {

inline constexpr std::int64_t kRedRunAgeMs = 86'400'000;

struct RedRun {
  std::string command;
  std::string runner;              // "pytest"
  std::vector<std::string> names;  // of failed tests
  std::vector<std::string> files;  // that the failures named
  std::size_t total = 0;           // tests that ran; 0: not known
  bool is_build = false;
  std::int64_t at_ms = 0;
  bool is_edited_since = false;  // something was changed after it
};

/// Test runs and builds that failed and have not been seen to pass since: a few of each project, in
/// memory, for a day. Thread-safe.
class RedRuns {
 public:
  /// Remembers `run`, in the place of an earlier one of the same runner and target. Returns which
  /// tests of that one do not fail any more.
  std::vector<std::string> add(const std::string& project, RedRun run);

  /// Something of `project` was changed.
  void note_edit(const std::string& project);

  /// Forgets and returns what a green run makes up for: runs with the same command except for its
  /// options, or of no more tests of the same runner; of others the tests that its command names.
  /// `green.total` is the number of passed tests. Runs of another day are dropped, not reported.
  std::vector<RedRun> mend(const std::string& project, const RedRun& green);

 private:
  struct Project {
    std::string name;
    std::list<RedRun> runs;  // newest first
  };
  Project& project(const std::string& name, std::int64_t now_ms);

  std::mutex mutex_;
  std::list<Project> projects_;  // the last used first
};

/// Where and when something ran.
struct RunPlace {
  const std::string& project;
  RedRuns& red_runs;  // a red run is remembered there, a green one mends some
  std::int64_t at_ms = 0;
};

/// What `run`, as far as the output of `action` shows it, came to.
Observation observe_run(const ToolAction& action, const CommandPart& command, TestRun run,
                        const RunPlace& place);

/// The line that says what went wrong: the last that begins like an error, else the last.
std::string error_line(std::string_view text);

/// The command that matters, in backquotes.
std::string shown(const CommandPart& command);

}  // namespace codexmem::observe
