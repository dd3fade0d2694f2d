// Tested by git/hooks_test.py.
#include "app/detached.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

namespace codexmem::app {

bool detach() {
  const pid_t child = ::fork();
  if (child < 0) return true;  // then it is done here
  if (child > 0) return false;
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd = 0; null >= 0 && fd <= 2; ++fd) ::dup2(null, fd);
  // A reader of a pipe would wait for its end, and so for the work.
  ::close_range(3, ~0U, 0);
  // These variables, which git set for its hook, are stale once the commit is made.
  for (const char* name : {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"}) {
    ::unsetenv(name);
  }
  return true;
}

void wait_for_end(pid_t pid, std::chrono::milliseconds patience) {
  if (pid <= 0) return;
  const auto fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U));
  if (fd >= 0) {
    pollfd ended{.fd = fd, .events = POLLIN, .revents = 0};
    ::poll(&ended, 1, static_cast<int>(patience.count()));
    ::close(fd);
    return;
  }
  if (errno == ESRCH) return;
  // A kernel before 5.3.
  constexpr std::chrono::milliseconds kPause{20};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::kill(pid, 0) == 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace codexmem::app
