#include "store/user/captured_events.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kFindCapturedSql[] = R"sql(
SELECT prompt_number, captured_at_ms FROM captured_events WHERE session_id = ?1 AND key = ?2)sql";
constexpr char kPutCapturedSql[] = R"sql(
INSERT INTO captured_events (session_id, key, prompt_number, captured_at_ms)
VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session_id, key) DO UPDATE SET
  prompt_number = excluded.prompt_number, captured_at_ms = excluded.captured_at_ms)sql";

}  // namespace

Result<std::optional<CapturedEvent>> find_captured(Database& database, SessionId session,
                                                   std::string_view key) {
  if (key.empty()) return std::optional<CapturedEvent>();
  const auto read = [](const Statement& row) {
    return CapturedEvent{row.integer(0), row.integer(1)};
  };
  return query::find(database, kFindCapturedSql, read, session, query::Blob{key});
}

Result<void> put_captured(Database& database, SessionId session, std::string_view key,
                          const CapturedEvent& event) {
  if (key.empty()) return {};
  return query::execute(database, kPutCapturedSql, session, query::Blob{key}, event.prompt_number,
                        event.captured_at_ms);
}

}  // namespace codexmem::store
