// observe/work/run_observation.h - what a run of tests, of a build or of a check said, as an
// observation.
//
// Reflection (memory/recall/reflection.h) reads outcome: red runs of tests and builds are errors of
// the files that they name, green ones successes of the files that were red before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "observe/models/provider.h"
#include "observe/work/red_runs.h"
#include "observe/intake/shell_command.h"
#include "observe/work/test_output.h"
#include "observe/intake/tool_action.h"

namespace codexmem::observe {

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
