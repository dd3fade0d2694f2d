// A handler may do next to nothing, so it writes a byte to a pipe, and a thread that waits at the
// other end asks for the stop.
#include "app/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

#include "base/result.h"

namespace codexmem::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr char kSignalled = 's', kClosed = 'c', kHungUp = 'h';

int pipe_ends[2] = {-1, -1};
std::atomic<bool> already_asked{false};
std::atomic<int> caught{0};
std::atomic<bool> reports_hangup{false};

void on_signal(int number) {
  const int saved = errno;
  if (number == SIGHUP && reports_hangup) {
    [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &kHungUp, 1);
    errno = saved;
    return;
  }
  if (already_asked.exchange(true)) ::_exit(128 + number);
  caught = number;
  [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &kSignalled, 1);
  errno = saved;
}

}  // namespace

int caught_signal() { return caught; }

StopOnSignal::StopOnSignal(std::function<void()> on_hangup) {
  CODEXMEM_CHECK(pipe_ends[0] < 0);
  CODEXMEM_CHECK(::pipe2(pipe_ends, O_CLOEXEC) == 0);
  already_asked = false;
  reports_hangup = on_hangup != nullptr;
  watcher_ = std::thread([this, on_hangup = std::move(on_hangup)] {
    char what = kClosed;
    do {
      what = kClosed;
      while (::read(pipe_ends[0], &what, 1) < 0 && errno == EINTR) {
      }
      if (what == kHungUp) on_hangup();
      if (what == kSignalled) source_.request_stop();
    } while (what == kHungUp);
  });
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (const int number : kSignals) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    // A parent that ignores a signal (nohup) wants it ignored here too.
    if (before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
  }
}

StopOnSignal::~StopOnSignal() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int number : kSignals) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler == on_signal) ::sigaction(number, &action, nullptr);
  }
  [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &kClosed, 1);
  watcher_.join();
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  pipe_ends[0] = pipe_ends[1] = -1;
}

}  // namespace codexmem::app
