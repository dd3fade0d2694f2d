// store/user/token_use.h - tokens that a model took: a row a day (UTC, "2026-11-22") and provider.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

struct TokenUse {
  std::int64_t tokens = 0, calls = 0;
};

Result<TokenUse> read_token_use(Database& database, std::string_view day,
                                std::string_view provider);

/// Counts a call, and forgets the days before `oldest_day`.
Result<void> add_token_use(Database& database, std::string_view day, std::string_view provider,
                           std::int64_t tokens, std::string_view oldest_day);

}  // namespace codexmem::store
