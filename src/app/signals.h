// app/signals.h - Ctrl-C as a stop_token.
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

namespace codexmem::app {

/// While one lives, SIGINT, SIGTERM and SIGHUP ask its token to stop; a second one ends the process
/// at once. At most one at a time. Start it before other threads.
class StopOnSignal {
 public:
  /// If set, `on_hangup` is called on SIGHUP, on the watcher thread, and SIGHUP requests no stop.
  explicit StopOnSignal(std::function<void()> on_hangup = {});
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread watcher_;
};

/// The signal that a StopOnSignal has caught; 0 if none was.
int caught_signal();

}  // namespace codexmem::app
