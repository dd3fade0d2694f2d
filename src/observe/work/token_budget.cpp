// Tested by observe/openai_provider_test.cpp.
#include "observe/work/token_budget.h"

#include "memory/times.h"
#include "store/user/worker_notes.h"

namespace codexmem::observe {
namespace {

// A year of it is kept.
constexpr std::int64_t kKeptMs = std::int64_t{366} * 24 * 3'600'000;

std::string day_of(std::int64_t ms) { return memory::iso_time(ms).substr(0, 10); }

}  // namespace

std::string TokenBudget::day() const { return day_of(clock_()); }

Result<TokenUsage> TokenBudget::today() const {
  TokenUsage usage;
  usage.day = day();
  usage.limit = limit_;
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  CODEXMEM_ASSIGN(const store::TokenUse used, store::read_token_use(*reader, usage.day, provider_));
  usage.tokens = used.tokens;
  usage.calls = used.calls;
  return usage;
}

Result<bool> TokenBudget::allows(std::int64_t tokens) const {
  if (limit_ <= 0) return true;
  CODEXMEM_ASSIGN(const TokenUsage usage, today());
  return usage.tokens + tokens <= limit_;
}

Result<void> TokenBudget::spend(std::int64_t tokens) const {
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_TRY(store::add_token_use(*writer, day(), provider_, tokens, day_of(clock_() - kKeptMs)));
  return writer.commit();
}

}  // namespace codexmem::observe
