// observe/intake/queue.h - what was captured and is still to be made into memories.
//
// A message is a row of the table `queue`: pending, then processing while somebody has claimed it,
// then gone in the transaction that stores what was made of it, or failed. Messages of a session
// are taken in the order in which they came: what backs off holds up what came after it. A claim is
// a lease: one that is not renewed ends, and its messages are pending again; whoever comes with a
// claim that has ended is refused. Safe to use from many threads. Design: docs/how-it-works.md,
// "Queue".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/queue.h"
#include "store/user/user_store.h"
#include "observe/intake/group_commit.h"
#include "observe/models/provider.h"

namespace codexmem::observe {

using store::message_kind_name;
using store::MessageId;
using store::MessageKind;
using store::NewMessage;
using store::parse_message_kind;
using store::QueueDepth;
using store::QueuedMessage;

inline constexpr std::size_t kMaxSessionMessages = 10'000;
inline constexpr std::chrono::milliseconds kLease{60'000};
inline constexpr std::chrono::hours kKeepFailedPayload{7 * 24};

struct Message {
  MessageId id{};
  std::string payload;
  std::int64_t happened_at_ms = 0, created_at_ms = 0;
};

/// Messages of one session, prompt and kind that were given to one thread, oldest first.
struct Claim {
  memory::SessionId session{};
  std::string content_session_id, project;
  MessageKind kind = MessageKind::kObservation;
  std::int64_t prompt_number = 0;
  std::int64_t attempts = 0;  // that failed before, the same of all
  std::vector<Message> messages;
  std::int64_t lease_until_ms = 0;  // names the claim, too
};

/// How much of a session is taken at once, and when.
struct BatchLimits {
  std::size_t messages = 64;
  std::size_t payload_bytes = std::size_t{4} << 20;  // at least one message is taken
  /// How long the oldest observation waits for others of its prompt, unless there are `messages`
  /// of them, something else follows or the session is completed.
  std::chrono::milliseconds company{0};
};

/// A claim, or when there may be one.
struct ClaimAnswer {
  std::optional<Claim> claim;
  std::optional<std::int64_t> next_due_ms;  // without a claim; nothing: when something changes
};

class Queue {
 public:
  /// `store` and `commits` outlive this.
  Queue(store::UserStore& store, GroupCommit& commits, memory::Clock clock)
      : store_(&store), commits_(&commits), clock_(std::move(clock)) {}

  /// Makes all that is processing pending: a program that had claimed it is no more. For the start.
  Result<void> reset();

  /// Adds a message, inside a transaction of the caller's. Nothing when its session has
  /// kMaxSessionMessages rows with a payload: it is counted in refused().
  Result<std::optional<MessageId>> add(store::Database& database, const NewMessage& message);

  /// Claims the messages that have waited longest of those that are due.
  Result<ClaimAnswer> claim(const BatchLimits& limits);

  /// Prolongs a claim by kLease. Errors: kCancelled when it has ended.
  Result<void> renew(Claim& claim);

  /// What becomes of a claim's messages; inside a transaction. `messages` are some or all of the
  /// claim's. Errors: kCancelled when the claim has ended, after which nothing may be committed.
  Result<void> remove(store::Database& database, const Claim& claim);
  Result<void> retry(store::Database& database, const Claim& claim, std::int64_t not_before_ms,
                     const ProviderFailure& failure);
  Result<void> fail(store::Database& database, const Claim& claim, const ProviderFailure& failure);

  /// Gives a claim back as if it had not been made; nothing when it has ended.
  Result<void> release(const Claim& claim);

  /// Makes failed messages of one session or of all pending again, with no attempt made, as far as
  /// their payload is still there; returns how many.
  Result<std::size_t> retry_failed(std::optional<memory::SessionId> session);

  /// Forgets payloads of messages that failed kKeepFailedPayload ago or before, and returns when
  /// the next one is to be forgotten.
  Result<std::optional<std::int64_t>> forget_payloads();

  Result<QueueDepth> depth() const;
  /// At most `limit` messages: those that wait or are worked on, oldest first, then those that
  /// failed, newest first.
  Result<std::vector<QueuedMessage>> list(std::size_t limit) const;
  /// Sessions that have messages which are pending or processing, by id.
  Result<std::vector<memory::SessionId>> list_sessions() const;
  /// True when nothing of the session is pending or processing.
  Result<bool> is_drained(memory::SessionId session) const;
  /// Messages that were not added since the start because their session had too many.
  std::uint64_t refused() const;

 private:
  Result<void> fail_each(store::Database& database, const Claim& claim,
                         const ProviderFailure& failure,
                         std::optional<std::int64_t> retry_at_ms) const;
  static Result<std::optional<Claim>> claim_session(store::Database& database,
                                                    memory::SessionId session,
                                                    const BatchLimits& limits, std::int64_t now_ms);

  store::UserStore* store_;
  GroupCommit* commits_;
  memory::Clock clock_;

  mutable std::mutex mutex_;  // guards all below
  // At least the rows of a session: counted when they would reach the limit.
  std::map<memory::SessionId, std::size_t> rows_;
  std::uint64_t refused_ = 0;
};

}  // namespace codexmem::observe
