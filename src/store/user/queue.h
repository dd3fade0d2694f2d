// store/user/queue.h - the rows of the queue: what was captured and is still to be worked on.
//
// Who may take what and when is observe/intake/queue.h's to decide. Design: docs/how-it-works.md,
// "Queue".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/message_kinds.h"
#include "store/user/records.h"

namespace codexmem::store {

/// A message to add.
struct NewMessage {
  SessionId session{};
  MessageKind kind = MessageKind::kObservation;
  std::int64_t prompt_number = 0;  // 0: no prompt of the session is known
  std::string payload = {};        // a JSON object, stripped and redacted
  std::int64_t happened_at_ms = 0;
};

/// A message that is pending.
struct PendingMessage {
  MessageId id{};
  MessageKind kind = MessageKind::kObservation;
  std::int64_t prompt_number = 0, attempts = 0;
  std::int64_t not_before_ms = 0, happened_at_ms = 0, created_at_ms = 0;
  std::string payload;  // empty unless it was asked for
};

struct QueueDepth {
  std::int64_t pending = 0, processing = 0, failed = 0;
};

/// A row, for people: without its payload.
struct QueuedMessage {
  MessageId id{};
  SessionId session{};
  std::string content_session_id, project;
  MessageKind kind = MessageKind::kObservation;
  std::string status;  // pending, processing, failed
  std::int64_t prompt_number = 0, attempts = 0;
  std::optional<FailureClass> failure;
  std::string failure_message;
  std::int64_t happened_at_ms = 0, created_at_ms = 0;
  std::optional<std::int64_t> not_before_ms, failed_at_ms;
  bool has_payload = true;  // a failed one can be tried again
};

Result<MessageId> add_message(Database& database, const NewMessage& message, std::int64_t now_ms);

/// The session's rows that have a payload.
Result<std::size_t> count_messages(Database& database, SessionId session);

/// When the first lease ends; nothing when nobody has one.
Result<std::optional<std::int64_t>> find_first_lease(Database& database);

/// Makes processing messages pending again, if its lease has ended at `now_ms`; nothing: all of it.
Result<void> end_leases(Database& database, std::optional<std::int64_t> now_ms);

/// Sessions that have something pending and nothing processing, the oldest message first.
Result<std::vector<SessionId>> list_waiting_sessions(Database& database);

/// Calls `visit` with the session's first `limit` pending messages, oldest first, until it is
/// false.
Result<void> visit_pending(Database& database, SessionId session, std::size_t limit,
                           bool has_payloads, const std::function<bool(PendingMessage)>& visit);

/// True when a message of the session is processing.
Result<bool> is_processing(Database& database, SessionId session);
/// True when one is pending or processing.
Result<bool> has_waiting(Database& database, SessionId session);

// A claim is a lease: its messages are processing until `lease_until_ms`, which also names it.
// These are false when the message, or every message of the session, is no longer the claim's.

/// Claims a pending message.
Result<bool> claim_message(Database& database, MessageId id, std::int64_t lease_until_ms);
Result<bool> renew_claim(Database& database, SessionId session, std::int64_t lease_until_ms,
                         std::int64_t new_until_ms);
Result<void> release_claim(Database& database, SessionId session, std::int64_t lease_until_ms);
/// Deletes a claimed message.
Result<bool> remove_message(Database& database, MessageId id, std::int64_t lease_until_ms);

/// A failed attempt at a claimed message. fail_message() counts it, and makes the message pending
/// and due at `retry_at_ms`; without that, it has failed for good at `now_ms`.
struct FailedAttempt {
  FailureClass kind = FailureClass::kUnknown;
  std::string message;
  std::optional<std::int64_t> retry_at_ms;
  std::int64_t now_ms = 0;
};
Result<bool> fail_message(Database& database, MessageId id, std::int64_t lease_until_ms,
                          const FailedAttempt& attempt);

/// Makes failed messages that have a payload pending again, their attempts at 0; how many.
Result<std::size_t> retry_failed(Database& database, std::optional<SessionId> session);

/// When the oldest failed message that has a payload failed.
Result<std::optional<std::int64_t>> find_oldest_failed(Database& database);
/// Removes the payload of what failed at `until_ms` or before.
Result<void> forget_payloads(Database& database, std::int64_t until_ms);

Result<QueueDepth> count_queue(Database& database);
/// At most `limit` messages: those that wait or are worked on, oldest first, then those that
/// failed, newest first.
Result<std::vector<QueuedMessage>> list_queue(Database& database, std::size_t limit);
/// Sessions that have messages which are pending or processing, by id.
Result<std::vector<SessionId>> list_queued_sessions(Database& database);

}  // namespace codexmem::store
