// Sessions that have rows are found by jumping from one to the next along queue_session, so that
// what waits is found in time linear in the sessions, not in the rows. Only rows of one status are
// looked at: what failed delays nothing.
//
// Tested by observe/queue_test.cpp.
#include "store/user/queue.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kListWaitingSessionsSql[] = R"sql(
WITH RECURSIVE queued(id) AS (
  SELECT min(session_id) FROM queue
  UNION ALL
  SELECT (SELECT min(q.session_id) FROM queue AS q WHERE q.session_id > queued.id) FROM queued
  WHERE queued.id IS NOT NULL)
SELECT queued.id AS session,
  (SELECT min(q.id) FROM queue AS q
   WHERE q.session_id = queued.id AND q.status = 'pending') AS head
FROM queued
WHERE head IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM queue AS q WHERE q.session_id = queued.id AND q.status = 'processing')
ORDER BY head)sql";

constexpr char kListQueueSql[] = R"sql(
SELECT q.id, q.session_id, s.content_session_id, p.name, q.kind, q.status, q.prompt_number,
  q.attempts, q.error_class, q.error_message, q.happened_at_ms, q.created_at_ms,
  nullif(q.not_before_ms, 0), q.failed_at_ms, q.payload IS NOT NULL
FROM queue AS q JOIN sessions AS s ON s.id = q.session_id JOIN projects AS p ON p.id = s.project_id
WHERE)sql";
constexpr char kWaitingFirstSql[] = " q.status <> 'failed' ORDER BY q.id LIMIT ?1";
constexpr char kFailedLastSql[] = " q.status = 'failed' ORDER BY q.id DESC LIMIT ?1";

}  // namespace

Result<MessageId> add_message(Database& database, const NewMessage& message, std::int64_t now_ms) {
  return query::insert<MessageId>(database, R"sql(
INSERT INTO queue (session_id, prompt_number, kind, happened_at_ms, created_at_ms, payload)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql",
                                  message.session, message.prompt_number,
                                  message_kind_name(message.kind), message.happened_at_ms, now_ms,
                                  message.payload);
}

Result<std::size_t> count_messages(Database& database, SessionId session) {
  CODEXMEM_ASSIGN(const auto count, query::count(database, R"sql(
SELECT count(*) FROM queue WHERE session_id = ?1 AND payload IS NOT NULL)sql",
                                                 session));
  return static_cast<std::size_t>(count);
}

Result<std::optional<std::int64_t>> find_first_lease(Database& database) {
  return database.find_integer(R"sql(
SELECT min(lease_until_ms) FROM queue WHERE status = 'processing')sql");
}

Result<void> end_leases(Database& database, std::optional<std::int64_t> now_ms) {
  return query::execute(database, R"sql(
UPDATE queue SET status = 'pending', lease_until_ms = NULL
WHERE status = 'processing' AND (?1 IS NULL OR lease_until_ms <= ?1))sql",
                        now_ms);
}

Result<std::vector<SessionId>> list_waiting_sessions(Database& database) {
  return query::list(database, kListWaitingSessionsSql, query::read_id<SessionId>);
}

Result<void> visit_pending(Database& database, SessionId session, std::size_t limit,
                           bool has_payloads, const std::function<bool(PendingMessage)>& visit) {
  CODEXMEM_ASSIGN(Statement list, query::prepare(database, R"sql(
SELECT id, kind, prompt_number, attempts, not_before_ms, happened_at_ms, created_at_ms,
  CASE WHEN ?3 THEN payload END
FROM queue WHERE session_id = ?1 AND status = 'pending' ORDER BY id LIMIT ?2)sql",
                                                 session, limit, has_payloads));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more || !visit(query::as<PendingMessage>(list))) return {};
  }
}

Result<bool> is_processing(Database& database, SessionId session) {
  return query::run(database, R"sql(
SELECT 1 FROM queue WHERE session_id = ?1 AND status = 'processing' LIMIT 1)sql",
                    session);
}

Result<bool> has_waiting(Database& database, SessionId session) {
  return query::run(database, R"sql(
SELECT 1 FROM queue WHERE session_id = ?1 AND status IN ('pending', 'processing') LIMIT 1)sql",
                    session);
}

Result<bool> claim_message(Database& database, MessageId id, std::int64_t lease_until_ms) {
  return query::run(database, R"sql(
UPDATE queue SET status = 'processing', lease_until_ms = ?2
WHERE id = ?1 AND status = 'pending' RETURNING id)sql",
                    id, lease_until_ms);
}

Result<bool> renew_claim(Database& database, SessionId session, std::int64_t lease_until_ms,
                         std::int64_t new_until_ms) {
  return query::run(database, R"sql(
UPDATE queue SET lease_until_ms = ?3
WHERE session_id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql",
                    session, lease_until_ms, new_until_ms);
}

Result<void> release_claim(Database& database, SessionId session, std::int64_t lease_until_ms) {
  return query::execute(database, R"sql(
UPDATE queue SET status = 'pending', lease_until_ms = NULL
WHERE session_id = ?1 AND status = 'processing' AND lease_until_ms = ?2)sql",
                        session, lease_until_ms);
}

Result<bool> remove_message(Database& database, MessageId id, std::int64_t lease_until_ms) {
  return query::run(database, R"sql(
DELETE FROM queue WHERE id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql",
                    id, lease_until_ms);
}

Result<bool> fail_message(Database& database, MessageId id, std::int64_t lease_until_ms,
                          const FailedAttempt& attempt) {
  const bool is_over = !attempt.retry_at_ms;
  return query::run(database, R"sql(
UPDATE queue SET status = ?3, lease_until_ms = NULL, attempts = attempts + 1, error_class = ?4,
  error_message = ?5, not_before_ms = ifnull(?6, not_before_ms), failed_at_ms = ?7
WHERE id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql",
                    id, lease_until_ms, is_over ? "failed" : "pending",
                    failure_class_name(attempt.kind), attempt.message, attempt.retry_at_ms,
                    is_over ? std::optional(attempt.now_ms) : std::nullopt);
}

Result<std::size_t> retry_failed(Database& database, std::optional<SessionId> session) {
  CODEXMEM_ASSIGN(const auto retried, query::list(database, R"sql(
UPDATE queue SET status = 'pending', attempts = 0, not_before_ms = 0, failed_at_ms = NULL
WHERE status = 'failed' AND payload IS NOT NULL AND (?1 IS NULL OR session_id = ?1)
RETURNING id)sql",
                                                  query::read_id<MessageId>, session));
  return retried.size();
}

Result<std::optional<std::int64_t>> find_oldest_failed(Database& database) {
  return database.find_integer(R"sql(
SELECT min(failed_at_ms) FROM queue WHERE status = 'failed' AND payload IS NOT NULL)sql");
}

Result<void> forget_payloads(Database& database, std::int64_t until_ms) {
  return query::execute(database, R"sql(
UPDATE queue SET payload = NULL
WHERE status = 'failed' AND failed_at_ms <= ?1 AND payload IS NOT NULL)sql",
                        until_ms);
}

Result<QueueDepth> count_queue(Database& database) {
  QueueDepth depth;
  CODEXMEM_TRY(query::visit(database,
                            "SELECT status, count(*) FROM queue GROUP BY status ORDER BY status",
                            [&](const Statement& row) {
                              const std::string_view status = row.text(0);
                              (status == "pending"      ? depth.pending
                               : status == "processing" ? depth.processing
                                                        : depth.failed) = row.integer(1);
                            }));
  return depth;
}

Result<std::vector<QueuedMessage>> list_queue(Database& database, std::size_t limit) {
  std::vector<QueuedMessage> messages;
  for (const char* part : {kWaitingFirstSql, kFailedLastSql}) {
    CODEXMEM_TRY(query::visit(
        database, std::string(kListQueueSql) + part,
        [&](const Statement& row) { messages.push_back(query::as<QueuedMessage>(row)); },
        limit - messages.size()));
  }
  return messages;
}

Result<std::vector<SessionId>> list_queued_sessions(Database& database) {
  return query::list(database, R"sql(
SELECT DISTINCT session_id FROM queue WHERE status <> 'failed' ORDER BY session_id)sql",
                     query::read_id<SessionId>);
}

}  // namespace codexmem::store
