#include "base/stop_scope.h"

#include <utility>

namespace codexmem {
namespace {

thread_local std::stop_token current_stop;

}  // namespace

StopScope::StopScope(std::stop_token stop) : before_(current_stop) {
  if (stop.stop_possible()) current_stop = std::move(stop);
}

StopScope::~StopScope() { current_stop = std::move(before_); }

bool is_stopped() { return current_stop.stop_requested(); }

Result<void> go_on() {
  if (is_stopped()) return Error{ErrorCode::kCancelled, "cancelled"};
  return {};
}

}  // namespace codexmem
