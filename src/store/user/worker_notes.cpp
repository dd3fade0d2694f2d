#include "store/user/worker_notes.h"

#include "store/query.h"

namespace codexmem::store {

Result<std::optional<CapturedEvent>> find_captured(Database& database, SessionId session,
                                                   std::string_view key) {
  if (key.empty()) return std::optional<CapturedEvent>();
  return query::find(database, R"sql(
SELECT prompt_number, captured_at_ms FROM captured_events WHERE session_id = ?1 AND key = ?2)sql",
                     query::as<CapturedEvent>, session, query::Blob{key});
}

Result<void> put_captured(Database& database, SessionId session, std::string_view key,
                          const CapturedEvent& event) {
  if (key.empty()) return {};
  return query::execute(database, R"sql(
INSERT INTO captured_events (session_id, key, prompt_number, captured_at_ms)
VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session_id, key) DO UPDATE SET
  prompt_number = excluded.prompt_number, captured_at_ms = excluded.captured_at_ms)sql",
                        session, query::Blob{key}, event.prompt_number, event.captured_at_ms);
}

Result<TokenUse> read_token_use(Database& database, std::string_view day,
                                std::string_view provider) {
  CODEXMEM_ASSIGN(
      const auto use,
      query::find(database,
                  "SELECT tokens, calls FROM token_usage WHERE day = ?1 AND provider = ?2",
                  query::as<TokenUse>, day, provider));
  return use.value_or(TokenUse{});
}

Result<void> add_token_use(Database& database, std::string_view day, std::string_view provider,
                           std::int64_t tokens, std::string_view oldest_day) {
  CODEXMEM_TRY(query::run(database, R"sql(
INSERT INTO token_usage (day, provider, tokens, calls) VALUES (?1, ?2, ?3, 1)
ON CONFLICT (day, provider) DO UPDATE SET tokens = tokens + ?3, calls = calls + 1)sql",
                          day, provider, tokens));
  return query::execute(database, "DELETE FROM token_usage WHERE day < ?1", oldest_day);
}

}  // namespace codexmem::store
