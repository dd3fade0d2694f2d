// Tested by hook/watchdog_test.cpp.
#include "hook/watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>

namespace codexmem::hook {
namespace {

// What the handler reads; set before the timer is.
std::string_view g_answer;
const RefusalCount* g_count = nullptr;
int g_output = -1;
std::atomic<bool> g_is_given = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void write_line(int descriptor, std::string_view line) {
  [[maybe_unused]] ssize_t written = ::write(descriptor, line.data(), line.size());
  written = ::write(descriptor, "\n", 1);
}

// Only what a signal's handler may call.
void end_process(int) {
  if (!g_is_given.exchange(true)) {
    write_line(g_output, g_answer);
    if (g_count != nullptr) {
      g_count->add();
      write_line(STDERR_FILENO, "codexmem-hook: it took too long; the event was not delivered");
    }
  }
  ::_exit(0);
}

void set_timer(std::chrono::milliseconds limit) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(limit.count() / 1000);
  timer.it_value.tv_usec = static_cast<suseconds_t>(limit.count() % 1000 * 1000);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

Watchdog::Watchdog(std::chrono::milliseconds limit, std::string_view answer, int output_descriptor,
                   const RefusalCount* count) {
  g_answer = answer;
  g_output = output_descriptor;
  g_count = count;
  g_is_given = false;
  struct sigaction action {};
  action.sa_handler = end_process;
  ::sigaction(SIGALRM, &action, nullptr);
  set_timer(limit);
}

Watchdog::~Watchdog() {
  set_timer(std::chrono::milliseconds(0));
  ::signal(SIGALRM, SIG_DFL);
}

void Watchdog::answer_is_given() { g_is_given = true; }

}  // namespace codexmem::hook
