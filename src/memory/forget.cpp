// What waits in the queue goes first, so that a worker that runs makes nothing new of it meanwhile;
// then the records, in batches; then the sessions that have nothing left.
//
// Tested by memory/forget_test.cpp.
#include "memory/forget.h"

#include <algorithm>
#include <array>

#include "memory/erasure.h"
#include "store/user/projects.h"

namespace codexmem::memory {
namespace {

// By kind, of one id.
constexpr std::array kSelectOneSql = {
    R"sql(SELECT e.id << 2, e.created_at_ms, e.title, p.name,
  EXISTS (SELECT 1 FROM entry_metadata AS m
          WHERE m.entry_id = e.id AND m.key = 'pinned' AND m.value = 'true')
FROM entries AS e JOIN projects AS p ON p.id = e.project_id WHERE e.id = ?1)sql",
    R"sql(SELECT (s.id << 2) + 1, s.created_at_ms, substr(coalesce(s.request, ''), 1, 200), p.name, 0
FROM summaries AS s JOIN projects AS p ON p.id = s.project_id WHERE s.id = ?1)sql",
    R"sql(SELECT (r.id << 2) + 2, r.created_at_ms, substr(r.prompt_text, 1, 200), p.name, 0
FROM prompts AS r JOIN projects AS p ON p.id = r.project_id WHERE r.id = ?1)sql"};
constexpr char kSelectOfSessionSql[] = R"sql(
SELECT e.id << 2, e.created_at_ms, e.title, p.name,
  EXISTS (SELECT 1 FROM entry_metadata AS m
          WHERE m.entry_id = e.id AND m.key = 'pinned' AND m.value = 'true')
FROM entries AS e JOIN projects AS p ON p.id = e.project_id WHERE e.session_id = ?1
UNION ALL SELECT (s.id << 2) + 1, s.created_at_ms, substr(coalesce(s.request, ''), 1, 200), p.name, 0
FROM summaries AS s JOIN projects AS p ON p.id = s.project_id WHERE s.session_id = ?1
UNION ALL SELECT (r.id << 2) + 2, r.created_at_ms, substr(r.prompt_text, 1, 200), p.name, 0
FROM prompts AS r JOIN projects AS p ON p.id = r.project_id WHERE r.session_id = ?1
ORDER BY 2, 1)sql";
constexpr char kSelectOfProjectSql[] = R"sql(
SELECT e.id << 2, e.created_at_ms, e.title, p.name,
  EXISTS (SELECT 1 FROM entry_metadata AS m
          WHERE m.entry_id = e.id AND m.key = 'pinned' AND m.value = 'true')
FROM entries AS e JOIN projects AS p ON p.id = e.project_id WHERE e.project_id = ?1
UNION ALL SELECT (s.id << 2) + 1, s.created_at_ms, substr(coalesce(s.request, ''), 1, 200), p.name, 0
FROM summaries AS s JOIN projects AS p ON p.id = s.project_id WHERE s.project_id = ?1
UNION ALL SELECT (r.id << 2) + 2, r.created_at_ms, substr(r.prompt_text, 1, 200), p.name, 0
FROM prompts AS r JOIN projects AS p ON p.id = r.project_id WHERE r.project_id = ?1
ORDER BY 2, 1)sql";
constexpr char kFindForgottenSessionSql[] = "SELECT id FROM sessions WHERE content_session_id = ?1";
constexpr char kSessionsOfProjectSql[] =
    "SELECT id FROM sessions WHERE project_id = ?1 ORDER BY id";
constexpr char kCountQueuedSql[] = "SELECT count(*) FROM queue WHERE session_id = ?1";

constexpr std::array kDeleteDocumentSql = {"DELETE FROM entries WHERE id = ?1 RETURNING id",
                                           "DELETE FROM summaries WHERE id = ?1 RETURNING id",
                                           "DELETE FROM prompts WHERE id = ?1 RETURNING id"};
constexpr std::array kDeleteCapturedSql = {"DELETE FROM queue WHERE session_id = ?1",
                                           "DELETE FROM captured_events WHERE session_id = ?1",
                                           "DELETE FROM message_timings WHERE session_id = ?1",
                                           "DELETE FROM message_failures WHERE session_id = ?1"};
// A worker may have gone on with it.
constexpr char kDeleteSessionSql[] = R"sql(
DELETE FROM sessions WHERE id = ?1
  AND NOT EXISTS (SELECT 1 FROM queue WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM captured_events WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM summaries WHERE session_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM entries WHERE session_id = ?1))sql";
// Of a project, by its name: searches in it, and the headings of its ingested documents.
constexpr std::array kDeleteOfProjectSql = {
    "DELETE FROM search_traces WHERE project = ?1",
    "DELETE FROM ingestion_events WHERE project_id = (SELECT id FROM projects WHERE name = ?1)"};

constexpr std::size_t kForgetBatch = 500;

Result<void> collect(store::Statement& select, std::vector<ForgetItem>& items) {
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, select.step());
    if (!more) return {};
    items.push_back({select.id<DocumentKey>(0), select.integer(1), std::string(select.text(2)),
                     std::string(select.text(3)), select.integer(4) != 0});
  }
}

Result<void> count_queued(store::Database& database, ForgetPlan& plan) {
  CODEXMEM_ASSIGN(store::Statement count, database.statement(kCountQueuedSql));
  for (const SessionId session : plan.sessions) {
    count.bind(1, session);
    CODEXMEM_TRY(count.step());
    plan.queued += count.integer(0);
    count.reset();
  }
  return {};
}

Result<void> run_for(store::Database& database, const char* sql,
                     std::span<const SessionId> sessions) {
  CODEXMEM_ASSIGN(store::Statement statement, database.statement(sql));
  for (const SessionId session : sessions) {
    statement.bind(1, session);
    CODEXMEM_TRY(statement.step());
    statement.reset();
  }
  return {};
}

Result<std::size_t> remove(store::Database& database, std::span<const ForgetItem> items) {
  std::size_t removed = 0;
  for (std::size_t kind = 0; kind < kDeleteDocumentSql.size(); ++kind) {
    CODEXMEM_ASSIGN(store::Statement erase, database.statement(kDeleteDocumentSql[kind]));
    for (const ForgetItem& item : items) {
      if (static_cast<std::size_t>(kind_of(item.key)) != kind) continue;
      erase.bind(1, id_of(item.key));
      CODEXMEM_ASSIGN(const bool was_there, erase.step());
      // To its end: see transfer.cpp.
      if (was_there) {
        CODEXMEM_TRY(erase.step());
        ++removed;
      }
      erase.reset();
    }
  }
  return removed;
}

// Has `work` remove something in a transaction of its own.
template <typename Work>
Result<void> write(store::UserStore& store, const Work& work) {
  CODEXMEM_ASSIGN(store::UserWriter writer, store.writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_TRY(work(*writer));
  CODEXMEM_TRY(note_erasure(*writer));
  return transaction.commit();
}

}  // namespace

Result<ForgetPlan> plan_forget(store::UserStore& store, std::span<const DocumentKey> keys,
                               const Clock& clock) {
  ForgetPlan plan;
  plan.now_ms = clock();
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  for (const DocumentKey key : keys) {
    const auto kind = static_cast<std::size_t>(kind_of(key));
    if (kind >= kSelectOneSql.size()) {
      return Error{ErrorCode::kInvalidArgument, "a decision cannot be forgotten"};
    }
    CODEXMEM_ASSIGN(store::Statement select, reader->statement(kSelectOneSql[kind]));
    select.bind(1, id_of(key));
    CODEXMEM_TRY(collect(select, plan.items));
  }
  const auto place = [](const ForgetItem& item) { return std::pair(item.created_at_ms, item.key); };
  std::ranges::sort(plan.items, {}, place);
  const auto repeated =
      std::unique(plan.items.begin(), plan.items.end(),
                  [&](const ForgetItem& a, const ForgetItem& b) { return place(a) == place(b); });
  plan.items.erase(repeated, plan.items.end());
  return plan;
}

Result<ForgetPlan> plan_forget_session(store::UserStore& store, std::string_view content_session_id,
                                       const Clock& clock) {
  ForgetPlan plan;
  plan.now_ms = clock();
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  CODEXMEM_ASSIGN(store::Statement find, reader->statement(kFindForgottenSessionSql));
  find.bind(1, content_session_id);
  CODEXMEM_ASSIGN(const bool is_there, find.step());
  if (!is_there) return plan;
  plan.sessions.push_back(find.id<SessionId>(0));
  CODEXMEM_ASSIGN(store::Statement select, reader->statement(kSelectOfSessionSql));
  select.bind(1, plan.sessions.front());
  CODEXMEM_TRY(collect(select, plan.items));
  CODEXMEM_TRY(count_queued(*reader, plan));
  return plan;
}

Result<ForgetPlan> plan_forget_project(store::UserStore& store, std::string_view project,
                                       const Clock& clock) {
  ForgetPlan plan;
  plan.now_ms = clock();
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  CODEXMEM_ASSIGN(const auto id, store::find_project(*reader, project));
  if (!id) return plan;
  plan.project = project;
  CODEXMEM_ASSIGN(store::Statement select, reader->statement(kSelectOfProjectSql));
  select.bind(1, *id);
  CODEXMEM_TRY(collect(select, plan.items));
  CODEXMEM_ASSIGN(store::Statement sessions, reader->statement(kSessionsOfProjectSql));
  sessions.bind(1, *id);
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, sessions.step());
    if (!more) break;
    plan.sessions.push_back(sessions.id<SessionId>(0));
  }
  CODEXMEM_TRY(count_queued(*reader, plan));
  return plan;
}

Result<std::size_t> execute_forget(store::UserStore& store, const ForgetPlan& plan) {
  const auto remove_captured = [&](store::Database& database) -> Result<void> {
    for (const char* const sql : kDeleteCapturedSql) {
      CODEXMEM_TRY(run_for(database, sql, plan.sessions));
    }
    if (plan.project.empty()) return {};
    for (const char* const sql : kDeleteOfProjectSql) {
      CODEXMEM_ASSIGN(store::Statement erase, database.statement(sql));
      erase.bind(1, plan.project);
      CODEXMEM_TRY(erase.step());
    }
    return {};
  };
  if (plan.is_empty()) return 0;
  CODEXMEM_TRY(write(store, remove_captured));
  std::size_t removed = 0;
  const std::span<const ForgetItem> all = plan.items;
  for (std::size_t begin = 0; begin < all.size(); begin += kForgetBatch) {
    const auto remove_batch = [&](store::Database& database) -> Result<void> {
      CODEXMEM_ASSIGN(
          const std::size_t count,
          remove(database, all.subspan(begin, std::min(kForgetBatch, all.size() - begin))));
      removed += count;
      return {};
    };
    CODEXMEM_TRY(write(store, remove_batch));
  }
  const auto remove_sessions = [&](store::Database& database) {
    return run_for(database, kDeleteSessionSql, plan.sessions);
  };
  CODEXMEM_TRY(write(store, remove_sessions));
  CODEXMEM_TRY(finish_erasure(store, kErasurePatience));
  return removed;
}

}  // namespace codexmem::memory
