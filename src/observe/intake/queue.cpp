// Claims, renewals and releases need not outlive a power cut (reset() undoes them anyway), so they
// are committed without waiting for the disk.
//
// Tested by observe/queue_test.cpp.
#include "observe/intake/queue.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "store/user/sessions.h"

namespace codexmem::observe {
namespace {

using memory::SessionId;
using store::PendingMessage;

constexpr std::size_t kMaxFailureBytes = 1'000;
constexpr std::size_t kMaxCountedSessions = 1'000;

// True for messages that may be of one batch.
bool is_alike(const PendingMessage& a, const PendingMessage& b) {
  return a.kind == b.kind && a.prompt_number == b.prompt_number && a.attempts == b.attempts;
}

Error claim_ended() { return Error{ErrorCode::kCancelled, "the claim has ended"}; }

// Changes each message of a claim by `change`, which says if it was still the claim's.
template <typename Change>
Result<void> change_each(const Claim& claim, const Change& change) {
  for (const Message& message : claim.messages) {
    CODEXMEM_ASSIGN(const bool is_ours, change(message.id));
    if (!is_ours) return claim_ended();
  }
  return {};
}

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
  const bool is_alone = limits.company.count() == 0;
  std::optional<PendingMessage> head;
  std::size_t alike = 0;
  bool has_company = false;
  CODEXMEM_TRY(store::visit_pending(database, session, is_alone ? 1 : limits.messages,
                                    /*has_payloads=*/false, [&](PendingMessage message) {
                                      if (!head) head = message;
                                      has_company = !is_alike(*head, message);
                                      alike += has_company ? 0 : 1;
                                      return !has_company;
                                    }));
  if (!head) return 0;
  if (is_alone || has_company || alike >= limits.messages ||
      head->kind != MessageKind::kObservation || head->attempts > 0) {
    return head->not_before_ms;
  }
  CODEXMEM_ASSIGN(const auto state, store::find_session_state(database, session));
  if (!state || !state->is_active) return head->not_before_ms;
  return std::max(head->not_before_ms, head->created_at_ms + limits.company.count());
}

}  // namespace

Result<void> Queue::reset() {
  return commits_->run(
      [](store::Database& database) { return store::end_leases(database, std::nullopt); });
}

Result<std::optional<MessageId>> Queue::add(store::Database& database, const NewMessage& message) {
  const std::lock_guard lock(mutex_);
  if (rows_.size() > kMaxCountedSessions) rows_.clear();
  auto [rows, is_new] = rows_.try_emplace(message.session, kMaxSessionMessages);
  if (rows->second >= kMaxSessionMessages) {
    CODEXMEM_ASSIGN(rows->second, store::count_messages(database, message.session));
    if (rows->second >= kMaxSessionMessages) {
      ++refused_;
      return std::optional<MessageId>();
    }
  }
  CODEXMEM_ASSIGN(const MessageId id, store::add_message(database, message, clock_()));
  ++rows->second;
  return std::optional(id);
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
    CODEXMEM_ASSIGN(const auto lease, store::find_first_lease(*reader));
    if (lease && *lease <= now_ms) {
      CODEXMEM_TRY(commit_soon(
          *store_, [&](store::Database& database) { return store::end_leases(database, now_ms); }));
    } else if (lease) {
      note_due(*lease);
    }
    CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
    CODEXMEM_ASSIGN(const auto waiting, store::list_waiting_sessions(*reader));
    for (const SessionId session : waiting) {
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
  // Another thread was quicker with all that were due; its lease says when to look again.
  return answer;
}

Result<std::optional<Claim>> Queue::claim_session(store::Database& database, SessionId session,
                                                  const BatchLimits& limits, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const bool is_busy, store::is_processing(database, session));
  if (is_busy) return std::optional<Claim>();
  CODEXMEM_ASSIGN(const auto state, store::find_session_state(database, session));
  if (!state) return std::optional<Claim>();
  Claim claim;
  claim.session = session;
  claim.content_session_id = state->content_session_id;
  claim.project = state->project;
  claim.lease_until_ms = now_ms + kLease.count();
  std::optional<PendingMessage> head;
  std::size_t bytes = 0;
  const auto take = [&](PendingMessage message) {
    std::string payload = std::move(message.payload);
    if (!head) {
      if (message.not_before_ms > now_ms) return false;
      head = message;
    } else if (!is_alike(*head, message) || head->kind == MessageKind::kSummarize) {
      return false;
    }
    bytes += payload.size();
    if (bytes > limits.payload_bytes && !claim.messages.empty()) return false;
    claim.messages.push_back(
        {message.id, std::move(payload), message.happened_at_ms, message.created_at_ms});
    return true;
  };
  CODEXMEM_TRY(
      store::visit_pending(database, session, limits.messages, /*has_payloads=*/true, take));
  if (!head) return std::optional<Claim>();
  claim.kind = head->kind;
  claim.prompt_number = head->prompt_number;
  claim.attempts = head->attempts;
  CODEXMEM_TRY(change_each(claim, [&](MessageId id) {
    return store::claim_message(database, id, claim.lease_until_ms);
  }));
  return std::optional<Claim>(std::move(claim));
}

Result<void> Queue::renew(Claim& claim) {
  const std::int64_t until_ms = clock_() + kLease.count();
  CODEXMEM_TRY(commit_soon(*store_, [&](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(const bool is_renewed,
                    store::renew_claim(database, claim.session, claim.lease_until_ms, until_ms));
    if (!is_renewed) return claim_ended();
    return {};
  }));
  claim.lease_until_ms = until_ms;
  return {};
}

Result<void> Queue::remove(store::Database& database, const Claim& claim) {
  return change_each(claim, [&](MessageId id) {
    return store::remove_message(database, id, claim.lease_until_ms);
  });
}

Result<void> Queue::retry(store::Database& database, const Claim& claim, std::int64_t not_before_ms,
                          const ProviderFailure& failure) {
  return fail_each(database, claim, failure, not_before_ms);
}

Result<void> Queue::fail(store::Database& database, const Claim& claim,
                         const ProviderFailure& failure) {
  return fail_each(database, claim, failure, std::nullopt);
}

Result<void> Queue::fail_each(store::Database& database, const Claim& claim,
                              const ProviderFailure& failure,
                              std::optional<std::int64_t> retry_at_ms) const {
  const store::FailedAttempt attempt{failure.kind,
                                     std::string(utf8_prefix(failure.message, kMaxFailureBytes)),
                                     retry_at_ms, clock_()};
  return change_each(claim, [&](MessageId id) {
    return store::fail_message(database, id, claim.lease_until_ms, attempt);
  });
}

Result<void> Queue::release(const Claim& claim) {
  return commit_soon(*store_, [&](store::Database& database) {
    return store::release_claim(database, claim.session, claim.lease_until_ms);
  });
}

Result<std::size_t> Queue::retry_failed(std::optional<SessionId> session) {
  std::size_t count = 0;
  CODEXMEM_TRY(commits_->run([&](store::Database& database) -> Result<void> {
    CODEXMEM_ASSIGN(count, store::retry_failed(database, session));
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
    CODEXMEM_ASSIGN(oldest, store::find_oldest_failed(*reader));
  }
  if (!oldest) return std::optional<std::int64_t>();
  if (*oldest + kKeepMs > now_ms) return std::optional<std::int64_t>(*oldest + kKeepMs);
  CODEXMEM_TRY(commits_->run([&](store::Database& database) {
    return store::forget_payloads(database, now_ms - kKeepMs);
  }));
  return forget_payloads();
}

Result<QueueDepth> Queue::depth() const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  return store::count_queue(*reader);
}

Result<std::vector<QueuedMessage>> Queue::list(std::size_t limit) const {
  CODEXMEM_ASSIGN(store::UserMoment reader, store_->moment());
  return store::list_queue(*reader, limit);
}

Result<std::vector<SessionId>> Queue::list_sessions() const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  return store::list_queued_sessions(*reader);
}

Result<bool> Queue::is_drained(SessionId session) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const bool is_waiting, store::has_waiting(*reader, session));
  return !is_waiting;
}

std::uint64_t Queue::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace codexmem::observe
