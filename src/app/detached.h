// app/detached.h - work that continues after its command ended, such as the work of git's hook.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace codexmem::app {

/// Continues in a new process without a terminal or a waiting parent: it has a new session and none
/// of the open files. Returns true in that process, false in the original one. Call it before
/// threads start and before files are opened that are still needed.
bool detach();

/// Waits until process `pid` has ended, `patience` at most.
void wait_for_end(pid_t pid, std::chrono::milliseconds patience);

}  // namespace codexmem::app
