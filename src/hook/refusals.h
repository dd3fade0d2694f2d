// hook/refusals.h - events that hooks could not report, counted: "why is nothing recorded?"
//
//     <data directory>/spool/refused/<name>   a byte for each; its time is the last one's
//
// Hooks add to it at once without a lock, and from a signal's handler. Thread-safe, and safe
// between processes. Design: docs/how-it-works.md, "Hooks".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::hook {

enum class Refusal : std::uint8_t {
  kUnknownEvent,   // an event of a newer version, or a misspelt one
  kNoJson,         // the host wrote no JSON object
  kNoSession,      // one without a session's id
  kTooLarge,       // more than kMaxInput
  kWorkerRefused,  // 4xx
  kTooSlow,        // kHookLimit was over, or kContextLimit
};

/// "unknown_event", "no_json", "no_session", "too_large", "worker_refused", "too_slow".
std::string_view refusal_name(Refusal refusal);

/// Counts one kind of refusal.
class RefusalCount {
 public:
  /// `directory` is the user's data directory; without one nothing is counted.
  RefusalCount(const std::filesystem::path& directory, Refusal refusal);

  /// Never fails, and may be called by a signal's handler. Counts up to a million.
  void add() const noexcept;

 private:
  std::string spool_, folder_, file_;
};

struct Refused {
  std::string name;
  std::uint64_t count = 0;
  std::int64_t last_at_ms = 0;
};

/// What was counted, by name; without those that never were.
std::vector<Refused> list_refusals(const std::filesystem::path& directory);

}  // namespace codexmem::hook
