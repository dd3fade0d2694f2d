// Sessions that have rows are found by jumping from one to the next along queue_session, so that
// what is due is found in time linear in the sessions, not in the rows. Only rows of one status are
// looked at: what failed stands in nobody's way.
//
// Claims, renewals and releases need not outlive a power cut (reset() undoes them anyway), so they
// are committed without waiting for the disk.
//
// Tested by worker/queue_test.cpp.
#include "observe/queue.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "memory/sessions.h"

namespace codexmem::observe {
namespace {

using memory::SessionId;

constexpr std::array<std::string_view, 2> kKindNames = {"observation", "summarize"};
constexpr std::size_t kMaxFailureBytes = 1'000;
constexpr std::size_t kMaxCountedSessions = 1'000;

constexpr char kResetSql[] = R"sql(
UPDATE queue SET status = 'pending', lease_until_ms = NULL WHERE status = 'processing')sql";
constexpr char kCountSessionSql[] = R"sql(
SELECT count(*) FROM queue WHERE session_id = ?1 AND payload IS NOT NULL)sql";
constexpr char kInsertSql[] = R"sql(
INSERT INTO queue (session_id, prompt_number, kind, happened_at_ms, created_at_ms, payload)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";

constexpr char kFirstLeaseSql[] = R"sql(
SELECT min(lease_until_ms) FROM queue WHERE status = 'processing')sql";
constexpr char kEndLeasesSql[] = R"sql(
UPDATE queue SET status = 'pending', lease_until_ms = NULL
WHERE status = 'processing' AND lease_until_ms <= ?1)sql";
constexpr char kListHeadsSql[] = R"sql(
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
// The rows that could be one batch, and the one after them.
constexpr char kListRunSql[] = R"sql(
SELECT kind, prompt_number, attempts, not_before_ms, created_at_ms FROM queue
WHERE session_id = ?1 AND status = 'pending' ORDER BY id LIMIT ?2)sql";
constexpr char kIsActiveSql[] = "SELECT status = 'active' FROM sessions WHERE id = ?1";

constexpr char kIsProcessingSql[] = R"sql(
SELECT 1 FROM queue WHERE session_id = ?1 AND status = 'processing' LIMIT 1)sql";
constexpr char kListBatchSql[] = R"sql(
SELECT id, kind, prompt_number, attempts, not_before_ms, happened_at_ms, created_at_ms, payload
FROM queue WHERE session_id = ?1 AND status = 'pending' ORDER BY id LIMIT ?2)sql";
constexpr char kClaimSql[] = R"sql(
UPDATE queue SET status = 'processing', lease_until_ms = ?2
WHERE id = ?1 AND status = 'pending' RETURNING id)sql";
constexpr char kSessionSql[] = R"sql(
SELECT s.content_session_id, p.name FROM sessions AS s JOIN projects AS p ON p.id = s.project_id
WHERE s.id = ?1)sql";
constexpr char kRenewSql[] = R"sql(
UPDATE queue SET lease_until_ms = ?3
WHERE session_id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql";
constexpr char kReleaseClaimSql[] = R"sql(
UPDATE queue SET status = 'pending', lease_until_ms = NULL
WHERE session_id = ?1 AND status = 'processing' AND lease_until_ms = ?2)sql";

constexpr char kRemoveSql[] = R"sql(
DELETE FROM queue WHERE id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql";
constexpr char kRetrySql[] = R"sql(
UPDATE queue SET status = 'pending', lease_until_ms = NULL, attempts = attempts + 1,
  error_class = ?3, error_message = ?4, not_before_ms = ?5
WHERE id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql";
constexpr char kFailSql[] = R"sql(
UPDATE queue SET status = 'failed', lease_until_ms = NULL, attempts = attempts + 1,
  error_class = ?3, error_message = ?4, failed_at_ms = ?5
WHERE id = ?1 AND status = 'processing' AND lease_until_ms = ?2 RETURNING id)sql";

constexpr char kRetryFailedSql[] = R"sql(
UPDATE queue SET status = 'pending', attempts = 0, not_before_ms = 0, failed_at_ms = NULL
WHERE status = 'failed' AND payload IS NOT NULL AND (?1 IS NULL OR session_id = ?1)
RETURNING id)sql";
constexpr char kForgetDoneSql[] = R"sql(
UPDATE queue SET payload = NULL
WHERE status = 'failed' AND failed_at_ms <= ?1 AND payload IS NOT NULL)sql";
constexpr char kOldestFailedSql[] = R"sql(
SELECT min(failed_at_ms) FROM queue WHERE status = 'failed' AND payload IS NOT NULL)sql";

constexpr char kDepthSql[] = "SELECT status, count(*) FROM queue GROUP BY status ORDER BY status";
constexpr char kListColumnsSql[] = R"sql(
SELECT q.id, q.session_id, s.content_session_id, p.name, q.kind, q.status, q.prompt_number,
  q.attempts, q.error_class, q.error_message, q.happened_at_ms, q.created_at_ms, q.not_before_ms,
  q.failed_at_ms, q.payload IS NOT NULL
FROM queue AS q JOIN sessions AS s ON s.id = q.session_id JOIN projects AS p ON p.id = s.project_id
WHERE)sql";
constexpr char kWaitingFirstSql[] = " q.status <> 'failed' ORDER BY q.id LIMIT ?1";
constexpr char kFailedLastSql[] = " q.status = 'failed' ORDER BY q.id DESC LIMIT ?1";
constexpr char kListSessionsSql[] = R"sql(
SELECT DISTINCT session_id FROM queue WHERE status <> 'failed' ORDER BY session_id)sql";
constexpr char kIsQueuedSql[] = R"sql(
SELECT 1 FROM queue WHERE session_id = ?1 AND status IN ('pending', 'processing') LIMIT 1)sql";

MessageKind read_kind(std::string_view name) {
  return parse_message_kind(name).value_or(MessageKind::kObservation);
}

// What messages of one batch have in common.
struct Likeness {
  MessageKind kind;
  std::int64_t prompt_number, attempts;
  bool operator==(const Likeness&) const = default;
};

// Runs a statement that gives a row for each row it changed; how many.
Result<std::size_t> count_changed(store::Statement& statement) {
  std::size_t count = 0;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, statement.step());
    if (!more) return count;
    ++count;
  }
}

// Of kListColumnsSql.
QueuedMessage read_message(const store::Statement& list) {
  QueuedMessage message;
  message.id = list.id<MessageId>(0);
  message.session = list.id<SessionId>(1);
  message.content_session_id = list.text(2);
  message.project = list.text(3);
  message.kind = read_kind(list.text(4));
  message.status = list.text(5);
  message.prompt_number = list.integer(6);
  message.attempts = list.integer(7);
  if (!list.is_null(8)) message.failure = parse_failure_class(list.text(8));
  message.failure_message = list.text(9);
  message.happened_at_ms = list.integer(10);
  message.created_at_ms = list.integer(11);
  if (list.integer(12) > 0) message.not_before_ms = list.integer(12);
  if (!list.is_null(13)) message.failed_at_ms = list.integer(13);
  message.has_payload = list.integer(14) != 0;
  return message;
}

Error claim_ended() { return Error{ErrorCode::kCancelled, "the claim has ended"}; }

// Commits without waiting for the disk.
Result<void> commit_soon(store::UserStore& store, const GroupCommit::Work& work) {
  CODEXMEM_ASSIGN(store::UserWriter writer, store.writer());
  CODEXMEM_TRY(writer->set_bulk(true));
  const auto done = [&]() -> Result<void> {
    CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
    CODEXMEM_TRY(work(*writer));
    return transaction.commit();
  }();
  CODEXMEM_TRY(writer->set_bulk(false));
  return done;
}

// When the first messages of a session may be taken.
Result<std::int64_t> find_due(store::Database& database, SessionId session,
                              const BatchLimits& limits) {
  bool is_first = true;
  Likeness head{};
  std::int64_t due_ms = 0, created_at_ms = 0;
  std::size_t alike = 0;
  bool has_company = false;
  CODEXMEM_ASSIGN(store::Statement list, database.statement(kListRunSql));
  list.bind(1, session);
  list.bind(2, static_cast<std::int64_t>(limits.company.count() == 0 ? 1 : limits.messages));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) break;
    const Likeness here{read_kind(list.text(0)), list.integer(1), list.integer(2)};
    if (is_first) {
      head = here;
      due_ms = list.integer(3);
      created_at_ms = list.integer(4);
      is_first = false;
    } else if (here != head) {
      has_company = true;
      break;
    }
    ++alike;
  }
  if (limits.company.count() == 0 || has_company || alike >= limits.messages ||
      head.kind != MessageKind::kObservation || head.attempts > 0) {
    return due_ms;
  }
  CODEXMEM_ASSIGN(store::Statement is_active, database.statement(kIsActiveSql));
  is_active.bind(1, session);
  CODEXMEM_ASSIGN(const bool found, is_active.step());
  if (!found || is_active.integer(0) == 0) return due_ms;
  return std::max(due_ms, created_at_ms + limits.company.count());
}

}  // namespace

std::string_view message_kind_name(MessageKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<MessageKind> parse_message_kind(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) return static_cast<MessageKind>(i);
  }
  return std::nullopt;
}

Result<void> Queue::reset() {
  return commits_->run([](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(store::Statement reset, database.statement(kResetSql));
    return reset.run();
  });
}

Result<std::optional<MessageId>> Queue::add(store::Database& database, const NewMessage& message) {
  const std::lock_guard lock(mutex_);
  if (rows_.size() > kMaxCountedSessions) rows_.clear();
  auto [rows, is_new] = rows_.try_emplace(message.session, kMaxSessionMessages);
  if (rows->second >= kMaxSessionMessages) {
    CODEXMEM_ASSIGN(store::Statement count, database.statement(kCountSessionSql));
    count.bind(1, message.session);
    CODEXMEM_TRY(count.step());
    rows->second = static_cast<std::size_t>(count.integer(0));
    if (rows->second >= kMaxSessionMessages) {
      ++refused_;
      return std::optional<MessageId>();
    }
  }
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertSql));
  insert.bind(1, message.session);
  insert.bind(2, message.prompt_number);
  insert.bind(3, message_kind_name(message.kind));
  insert.bind(4, message.happened_at_ms);
  insert.bind(5, clock_());
  insert.bind(6, message.payload);
  CODEXMEM_TRY(insert.run());
  ++rows->second;
  return std::optional<MessageId>(static_cast<MessageId>(database.last_insert_id()));
}

Result<ClaimAnswer> Queue::claim(const BatchLimits& limits) {
  ClaimAnswer answer;
  const auto note_due = [&](std::int64_t at_ms) {
    answer.next_due_ms = std::min(at_ms, answer.next_due_ms.value_or(at_ms));
  };
  const std::int64_t now_ms = clock_();
  std::vector<SessionId> due;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
    CODEXMEM_ASSIGN(const auto lease, reader->find_integer(kFirstLeaseSql));
    if (lease && *lease <= now_ms) {
      CODEXMEM_TRY(commit_soon(*store_, [&](store::Database& database) -> Result<void> {
        CODEXMEM_ASSIGN(store::Statement end, database.statement(kEndLeasesSql));
        end.bind(1, now_ms);
        return end.run();
      }));
    } else if (lease) {
      note_due(*lease);
    }
    CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
    CODEXMEM_ASSIGN(store::Statement heads, reader->statement(kListHeadsSql));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, heads.step());
      if (!more) break;
      const auto session = heads.id<SessionId>(0);
      CODEXMEM_ASSIGN(const std::int64_t due_ms, find_due(*reader, session, limits));
      if (due_ms <= now_ms) {
        due.push_back(session);
      } else {
        note_due(due_ms);
      }
    }
  }
  for (const SessionId session : due) {
    CODEXMEM_TRY(commit_soon(*store_, [&](store::Database& database) -> Result<void> {
      CODEXMEM_ASSIGN(answer.claim, claim_session(database, session, limits, now_ms));
      return {};
    }));
    if (answer.claim) {
      answer.next_due_ms.reset();
      return answer;
    }
  }
  // Somebody else was quicker with all that were due; his lease tells when to look again.
  return answer;
}

Result<std::optional<Claim>> Queue::claim_session(store::Database& database, SessionId session,
                                                  const BatchLimits& limits, std::int64_t now_ms) {
  {
    CODEXMEM_ASSIGN(store::Statement busy, database.statement(kIsProcessingSql));
    busy.bind(1, session);
    CODEXMEM_ASSIGN(const bool is_busy, busy.step());
    if (is_busy) return std::optional<Claim>();
  }
  Claim claim;
  claim.session = session;
  claim.lease_until_ms = now_ms + kLease.count();
  {
    CODEXMEM_ASSIGN(store::Statement find, database.statement(kSessionSql));
    find.bind(1, session);
    CODEXMEM_ASSIGN(const bool found, find.step());
    if (!found) return std::optional<Claim>();
    claim.content_session_id = find.text(0);
    claim.project = find.text(1);
  }
  std::size_t bytes = 0;
  CODEXMEM_ASSIGN(store::Statement list, database.statement(kListBatchSql));
  list.bind(1, session);
  list.bind(2, static_cast<std::int64_t>(limits.messages));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) break;
    const Likeness here{read_kind(list.text(1)), list.integer(2), list.integer(3)};
    if (claim.messages.empty()) {
      if (list.integer(4) > now_ms) return std::optional<Claim>();
      claim.kind = here.kind;
      claim.prompt_number = here.prompt_number;
      claim.attempts = here.attempts;
    } else if (here != Likeness{claim.kind, claim.prompt_number, claim.attempts} ||
               claim.kind == MessageKind::kSummarize) {
      break;
    }
    Message message;
    message.id = list.id<MessageId>(0);
    message.happened_at_ms = list.integer(5);
    message.created_at_ms = list.integer(6);
    message.payload = list.text(7);
    bytes += message.payload.size();
    if (bytes > limits.payload_bytes && !claim.messages.empty()) break;
    claim.messages.push_back(std::move(message));
  }
  if (claim.messages.empty()) return std::optional<Claim>();
  CODEXMEM_ASSIGN(store::Statement take, database.statement(kClaimSql));
  for (const Message& message : claim.messages) {
    take.reset();
    take.bind(1, message.id);
    take.bind(2, claim.lease_until_ms);
    CODEXMEM_ASSIGN(const std::size_t taken, count_changed(take));
    if (taken != 1) return claim_ended();
  }
  return std::optional<Claim>(std::move(claim));
}

Result<void> Queue::renew(Claim& claim) {
  const std::int64_t until_ms = clock_() + kLease.count();
  CODEXMEM_TRY(commit_soon(*store_, [&](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(store::Statement renew, database.statement(kRenewSql));
    renew.bind(1, claim.session);
    renew.bind(2, claim.lease_until_ms);
    renew.bind(3, until_ms);
    CODEXMEM_ASSIGN(const std::size_t renewed, count_changed(renew));
    if (renewed == 0) return claim_ended();
    return {};
  }));
  claim.lease_until_ms = until_ms;
  return {};
}

Result<void> Queue::remove(store::Database& database, const Claim& claim) {
  CODEXMEM_ASSIGN(store::Statement remove, database.statement(kRemoveSql));
  for (const Message& message : claim.messages) {
    remove.reset();
    remove.bind(1, message.id);
    remove.bind(2, claim.lease_until_ms);
    CODEXMEM_ASSIGN(const std::size_t removed, count_changed(remove));
    if (removed == 0) return claim_ended();
  }
  return {};
}

Result<void> Queue::retry(store::Database& database, const Claim& claim, std::int64_t not_before_ms,
                          const ProviderFailure& failure) {
  return change(database, claim, kRetrySql, failure, not_before_ms);
}

Result<void> Queue::fail(store::Database& database, const Claim& claim,
                         const ProviderFailure& failure) {
  return change(database, claim, kFailSql, failure, clock_());
}

Result<void> Queue::change(store::Database& database, const Claim& claim, const char* sql,
                           const ProviderFailure& failure, std::int64_t at_ms) {
  const std::string message(utf8_prefix(failure.message, kMaxFailureBytes));
  CODEXMEM_ASSIGN(store::Statement change, database.statement(sql));
  for (const Message& of : claim.messages) {
    change.reset();
    change.bind(1, of.id);
    change.bind(2, claim.lease_until_ms);
    change.bind(3, failure_class_name(failure.kind));
    change.bind(4, message);
    change.bind(5, at_ms);
    CODEXMEM_ASSIGN(const std::size_t changed, count_changed(change));
    if (changed == 0) return claim_ended();
  }
  return {};
}

Result<void> Queue::release(const Claim& claim) {
  return commit_soon(*store_, [&](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(store::Statement release, database.statement(kReleaseClaimSql));
    release.bind(1, claim.session);
    release.bind(2, claim.lease_until_ms);
    return release.run();
  });
}

Result<std::size_t> Queue::retry_failed(std::optional<SessionId> session) {
  std::size_t count = 0;
  CODEXMEM_TRY(commits_->run([&](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(store::Statement retry, database.statement(kRetryFailedSql));
    if (session) {
      retry.bind(1, *session);
    } else {
      retry.bind_null(1);
    }
    CODEXMEM_ASSIGN(count, count_changed(retry));
    return {};
  }));
  return count;
}

Result<std::optional<std::int64_t>> Queue::forget_payloads() {
  constexpr std::int64_t kKeepMs =
      std::chrono::duration_cast<std::chrono::milliseconds>(kKeepFailedPayload).count();
  const std::int64_t now_ms = clock_();
  std::optional<std::int64_t> oldest;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
    CODEXMEM_ASSIGN(oldest, reader->find_integer(kOldestFailedSql));
  }
  if (!oldest) return std::optional<std::int64_t>();
  if (*oldest + kKeepMs > now_ms) return std::optional<std::int64_t>(*oldest + kKeepMs);
  CODEXMEM_TRY(commits_->run([&](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(store::Statement forget, database.statement(kForgetDoneSql));
    forget.bind(1, now_ms - kKeepMs);
    return forget.run();
  }));
  return forget_payloads();
}

Result<QueueDepth> Queue::depth() const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(store::Statement list, reader->statement(kDepthSql));
  QueueDepth depth;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return depth;
    const std::string_view status = list.text(0);
    (status == "pending"      ? depth.pending
     : status == "processing" ? depth.processing
                              : depth.failed) = list.integer(1);
  }
}

Result<std::vector<QueuedMessage>> Queue::list(std::size_t limit) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  std::vector<QueuedMessage> messages;
  for (const char* part : {kWaitingFirstSql, kFailedLastSql}) {
    CODEXMEM_ASSIGN(store::Statement list, reader->statement(std::string(kListColumnsSql) + part));
    list.bind(1, static_cast<std::int64_t>(limit - messages.size()));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, list.step());
      if (!more) break;
      messages.push_back(read_message(list));
    }
  }
  return messages;
}

Result<std::vector<SessionId>> Queue::list_sessions() const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(store::Statement list, reader->statement(kListSessionsSql));
  std::vector<SessionId> sessions;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return sessions;
    sessions.push_back(list.id<SessionId>(0));
  }
}

Result<bool> Queue::is_drained(SessionId session) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(store::Statement find, reader->statement(kIsQueuedSql));
  find.bind(1, session);
  CODEXMEM_ASSIGN(const bool found, find.step());
  return !found;
}

std::uint64_t Queue::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace codexmem::observe
