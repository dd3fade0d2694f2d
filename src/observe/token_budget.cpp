// Tested by worker/openai_provider_test.cpp.
#include "observe/token_budget.h"

#include "memory/times.h"

namespace codexmem::observe {
namespace {

constexpr char kUsageSql[] =
    "SELECT tokens, calls FROM token_usage WHERE day = ?1 AND provider = ?2";
constexpr char kSpendSql[] = R"sql(
INSERT INTO token_usage (day, provider, tokens, calls) VALUES (?1, ?2, ?3, 1)
ON CONFLICT (day, provider) DO UPDATE SET tokens = tokens + ?3, calls = calls + 1)sql";
// A year of it is kept.
constexpr char kForgetDaysSql[] = "DELETE FROM token_usage WHERE day < ?1";
constexpr std::int64_t kKeptMs = std::int64_t{366} * 24 * 3'600'000;

std::string day_of(std::int64_t ms) { return memory::iso_time(ms).substr(0, 10); }

}  // namespace

std::string TokenBudget::day() const { return day_of(clock_()); }

Result<TokenUsage> TokenBudget::today() const {
  TokenUsage usage;
  usage.day = day();
  usage.limit = limit_;
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  CODEXMEM_ASSIGN(store::Statement query, reader->statement(kUsageSql));
  query.bind(1, usage.day);
  query.bind(2, provider_);
  CODEXMEM_ASSIGN(const bool found, query.step());
  if (found) {
    usage.tokens = query.integer(0);
    usage.calls = query.integer(1);
  }
  return usage;
}

Result<bool> TokenBudget::allows(std::int64_t tokens) const {
  if (limit_ <= 0) return true;
  CODEXMEM_ASSIGN(const TokenUsage usage, today());
  return usage.tokens + tokens <= limit_;
}

Result<void> TokenBudget::spend(std::int64_t tokens) const {
  const std::string day = this->day();
  const std::string oldest = day_of(clock_() - kKeptMs);
  CODEXMEM_ASSIGN(auto writer, store_->writer());
  CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
  {
    CODEXMEM_ASSIGN(store::Statement update, writer->statement(kSpendSql));
    update.bind(1, day);
    update.bind(2, provider_);
    update.bind(3, tokens);
    CODEXMEM_TRY(update.run());
    CODEXMEM_ASSIGN(store::Statement forget, writer->statement(kForgetDaysSql));
    forget.bind(1, oldest);
    CODEXMEM_TRY(forget.run());
  }
  return transaction.commit();
}

}  // namespace codexmem::observe
