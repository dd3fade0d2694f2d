// app/detached.h - work that goes on after the command that began it, as that of git's hook.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace codexmem::app {

/// Goes on in a process of its own, which no terminal and no waiting parent holds on to: it has a
/// session of its own and none of the files that were open. True in that process, false in the one
/// that is done. Call it before there are threads, or files that are needed.
bool detach();

/// Waits until process `pid` has ended, `patience` at most.
void wait_for_end(pid_t pid, std::chrono::milliseconds patience);

}  // namespace codexmem::app
