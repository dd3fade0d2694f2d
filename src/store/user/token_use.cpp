#include "store/user/token_use.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kTokenUseSql[] =
    "SELECT tokens, calls FROM token_usage WHERE day = ?1 AND provider = ?2";
constexpr char kAddTokenUseSql[] = R"sql(
INSERT INTO token_usage (day, provider, tokens, calls) VALUES (?1, ?2, ?3, 1)
ON CONFLICT (day, provider) DO UPDATE SET tokens = tokens + ?3, calls = calls + 1)sql";
constexpr char kForgetDaysSql[] = "DELETE FROM token_usage WHERE day < ?1";

}  // namespace

Result<TokenUse> read_token_use(Database& database, std::string_view day,
                                std::string_view provider) {
  const auto read = [](const Statement& row) { return TokenUse{row.integer(0), row.integer(1)}; };
  CODEXMEM_ASSIGN(const auto use, query::find(database, kTokenUseSql, read, day, provider));
  return use.value_or(TokenUse{});
}

Result<void> add_token_use(Database& database, std::string_view day, std::string_view provider,
                           std::int64_t tokens, std::string_view oldest_day) {
  CODEXMEM_TRY(query::run(database, kAddTokenUseSql, day, provider, tokens));
  return query::execute(database, kForgetDaysSql, oldest_day);
}

}  // namespace codexmem::store
