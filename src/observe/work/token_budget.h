// observe/work/token_budget.h - what a model may cost a day, counted in the store.
//
// Table token_usage: a row a day (UTC) and provider, so that a restart forgets nothing.
// Thread-safe. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "memory/clock.h"
#include "store/user/user_store.h"

namespace codexmem::observe {

/// What a provider took on one day.
struct TokenUsage {
  std::string day;  // "2026-11-22"
  std::int64_t tokens = 0, calls = 0;
  std::int64_t limit = 0;  // 0: none
};

class TokenBudget {
 public:
  /// `limit` tokens a day; 0: as many as it takes. `store` outlives this.
  TokenBudget(store::UserStore& store, memory::Clock clock, std::string provider,
              std::int64_t limit)
      : store_(&store), clock_(std::move(clock)), provider_(std::move(provider)), limit_(limit) {}

  /// What was taken today. Errors: the store's.
  Result<TokenUsage> today() const;

  /// True when a call that takes about `tokens` stays within the rest of the day's limit. Calls at
  /// the same time do not see each other.
  Result<bool> allows(std::int64_t tokens) const;

  /// Counts a call. Errors: the store's.
  Result<void> spend(std::int64_t tokens) const;

  std::int64_t limit() const { return limit_; }

 private:
  std::string day() const;

  store::UserStore* store_;
  memory::Clock clock_;
  std::string provider_;
  std::int64_t limit_;
};

/// About as many tokens as `bytes` of text are. Source: 4 bytes a token in English and in code, as
/// OpenAI's guide has it.
constexpr std::int64_t estimated_tokens(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + 3) / 4);
}

}  // namespace codexmem::observe
