// store/user/worker_notes.h - what the worker notes for itself: the events it has captured, so that
// a repeated event changes nothing, and the tokens that models took, a row for each day (UTC,
// "2026-11-22") and provider. Design: docs/how-it-works.md, "Worker".
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

struct TokenUse {
  std::int64_t tokens = 0, calls = 0;
};

Result<TokenUse> read_token_use(Database& database, std::string_view day,
                                std::string_view provider);

/// Counts a call, and forgets the days before `oldest_day`.
Result<void> add_token_use(Database& database, std::string_view day, std::string_view provider,
                           std::int64_t tokens, std::string_view oldest_day);

}  // namespace codexmem::store
