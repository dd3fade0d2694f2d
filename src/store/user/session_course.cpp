#include "store/user/session_course.h"

#include "store/query.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

constexpr char kSessionStateSql[] = R"sql(
SELECT s.content_session_id, p.name, s.status = 'active'
FROM sessions AS s JOIN projects AS p ON p.id = s.project_id WHERE s.id = ?1)sql";
constexpr char kLastTurnSql[] = R"sql(
SELECT prompt_number, is_private FROM prompts
WHERE session_id = ?1 AND (?2 IS NULL OR created_at_ms <= ?2)
ORDER BY prompt_number DESC LIMIT 1)sql";
constexpr char kTurnAtSql[] = R"sql(
SELECT prompt_number, is_private FROM prompts WHERE session_id = ?1 AND prompt_number = ?2)sql";
constexpr char kPromptTextSql[] = R"sql(
SELECT prompt_text FROM prompts WHERE session_id = ?1 AND prompt_number = ?2)sql";
constexpr char kPromptsSinceSummarySql[] = R"sql(
SELECT prompt_text FROM prompts
WHERE session_id = ?1 AND prompt_number <= ?2 AND is_private = 0 AND prompt_number > (
  SELECT ifnull(max(prompt_number), 0) FROM summaries WHERE session_id = ?1 AND prompt_number < ?2)
ORDER BY prompt_number DESC LIMIT ?3)sql";
constexpr char kListEarlierSql[] = R"sql(
SELECT title, facts, files_read, files_modified, ifnull(prompt_number, 0) = ?2 FROM entries
WHERE session_id = ?1 AND source = 'observer'
ORDER BY created_at_ms DESC, id DESC LIMIT ?3)sql";
constexpr char kObservedSinceSummarySql[] = R"sql(
SELECT id FROM entries WHERE session_id = ?1 AND source = 'observer' AND created_at_ms > (
  SELECT ifnull(max(created_at_ms), -1) FROM summaries WHERE session_id = ?1)
ORDER BY created_at_ms DESC, id DESC LIMIT ?2)sql";

Turn read_turn(const Statement& row) { return {row.integer(0), row.integer(1) != 0}; }

}  // namespace

Result<std::optional<SessionState>> find_session_state(Database& database, SessionId id) {
  const auto read = [](const Statement& row) {
    return SessionState{std::string(row.text(0)), std::string(row.text(1)), row.integer(2) != 0};
  };
  return query::find(database, kSessionStateSql, read, id);
}

Result<Turn> find_last_turn(Database& database, SessionId session,
                            std::optional<std::int64_t> until_ms) {
  CODEXMEM_ASSIGN(const auto turn,
                  query::find(database, kLastTurnSql, read_turn, session, until_ms));
  return turn.value_or(Turn{});
}

Result<Turn> find_turn_at(Database& database, SessionId session, std::int64_t prompt_number) {
  CODEXMEM_ASSIGN(const auto turn,
                  query::find(database, kTurnAtSql, read_turn, session, prompt_number));
  return turn.value_or(Turn{});
}

Result<std::string> read_prompt_text(Database& database, SessionId session,
                                     std::int64_t prompt_number) {
  CODEXMEM_ASSIGN(auto text,
                  query::find(database, kPromptTextSql, query::read_text, session, prompt_number));
  return std::move(text).value_or("");
}

Result<std::vector<std::string>> list_prompts_since_summary(Database& database, SessionId session,
                                                            std::int64_t prompt_number,
                                                            std::size_t limit) {
  return query::list(database, kPromptsSinceSummarySql, query::read_text, session, prompt_number,
                     limit);
}

Result<std::vector<EarlierObservation>> list_earlier(Database& database, SessionId session,
                                                     std::int64_t prompt_number,
                                                     std::size_t limit) {
  const auto read = [](const Statement& row) {
    return EarlierObservation{std::string(row.text(0)), read_json_list(row.text(1)),
                              read_json_list(row.text(2)), read_json_list(row.text(3)),
                              row.integer(4) != 0};
  };
  return query::list(database, kListEarlierSql, read, session, prompt_number, limit);
}

Result<std::vector<EntryId>> list_observed_since_summary(Database& database, SessionId session,
                                                         std::size_t limit) {
  return query::list(database, kObservedSinceSummarySql, query::read_id<EntryId>, session, limit);
}

}  // namespace codexmem::store
