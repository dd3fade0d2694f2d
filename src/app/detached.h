// app/detached.h - work that goes on after the command that began it, as that of git's hook.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>

namespace codexmem::app {

/// Goes on in a process of its own, which no terminal and no waiting parent holds on to: it has a
/// session of its own and none of the files that were open. True in that process, false in the one
/// that is done. Call it before there are threads, or files that are needed.
bool detach();

/// Waits until process `pid` has ended, `patience` at most.
void wait_for_end(pid_t pid, std::chrono::milliseconds patience);

/// The place of the one who waits to begin a run. Whoever comes while it is taken need not wait as
/// well: the run that has yet to begin will see what has changed until then. The system gives it
/// back when the process dies. Movable.
class WaitingPlace {
 public:
  /// The place of the store in `directory`; nothing when it is taken or cannot be had.
  static std::optional<WaitingPlace> take(const std::filesystem::path& directory);

  WaitingPlace(WaitingPlace&& other) noexcept;
  WaitingPlace& operator=(WaitingPlace&& other) noexcept;
  ~WaitingPlace();

 private:
  explicit WaitingPlace(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace codexmem::app
