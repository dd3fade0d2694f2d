// Tools that exercise the protocol and touch nothing: for tests and for fuzzing.
#pragma once

#include <span>

#include "mcp/tool.h"

namespace codexmem::mcp::testing {

/// echo      answers its arguments as structuredContent; every kind of bound is in its schema
/// meet      returns once `count` calls of it run at the same time, fails after 10 s
/// wait      returns once it is asked to stop: "stopped"
/// steps     reports progress 1..`count` of `count`, and one more after that
/// talk      logs one message of each severity
/// fail      returns the contract's failure
/// throw     throws std::runtime_error; with {"kind":"int"} throws an int
std::span<const Tool> fixture_tools();

/// The number of `wait` calls that are running now.
int waiting_calls();

}  // namespace codexmem::mcp::testing
