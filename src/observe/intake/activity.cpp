// Tested by tests/worker/routes_test.py.
#include "observe/intake/activity.h"

#include <utility>

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxReasons = 20;

constexpr const char* kKinds[] = {"init", "observation", "summarize", "complete"};

}  // namespace

void Activity::note(const IntakeRequest& request, const IntakeOutcome& outcome) {
  LastEvent last{.at_ms = clock_(),
                 .kind = kKinds[request.index()],
                 .tool = {},
                 .platform = {},
                 .session = outcome.session};
  if (const auto* const tool = std::get_if<ObservationRequest>(&request))
    last.tool = tool->tool_name;
  if (const auto* const init = std::get_if<InitRequest>(&request)) last.platform = init->platform;
  const std::lock_guard lock(mutex_);
  // Of an excluded project only its exclusion is noted.
  if (outcome.reason.empty()) report_.last = std::move(last);
  if (outcome.is_duplicate || outcome.status == IntakeStatus::kDeduped) {
    ++report_.deduped;
  } else if (!outcome.reason.empty()) {
    ++report_.skipped[outcome.reason];
  } else {
    ++report_.taken;
  }
}

void Activity::note_refused(std::string_view reason) {
  const std::lock_guard lock(mutex_);
  auto found = report_.refused.find(reason);
  if (found == report_.refused.end()) {
    const bool is_full = report_.refused.size() >= kMaxReasons;
    found = report_.refused.try_emplace(is_full ? "other" : std::string(reason), 0).first;
  }
  ++found->second;
}

ActivityReport Activity::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

}  // namespace codexmem::observe
