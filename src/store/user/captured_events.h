// store/user/captured_events.h - which events came before, so that an event that comes again
// changes nothing. Design: docs/design/worker.md, "What is captured".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct CapturedEvent {
  std::int64_t prompt_number = 0, captured_at_ms = 0;
};

/// `key` is 16 bytes that name an event within its session; an empty one names none.
Result<std::optional<CapturedEvent>> find_captured(Database& database, SessionId session,
                                                   std::string_view key);
Result<void> put_captured(Database& database, SessionId session, std::string_view key,
                          const CapturedEvent& event);

}  // namespace codexmem::store
