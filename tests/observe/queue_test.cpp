#include "observe/intake/queue.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "memory/entries/sessions.h"
#include "observe/worker_store.h"

namespace codexmem::observe {
namespace {

using memory::SessionId;

class QueueTest : public WorkerStoreTest {
 protected:
  SessionId session(const char* name) {
    const auto started = memory_->sessions().start(name, "demo", "");
    EXPECT_TRUE(started.ok());
    return *started;
  }

  std::optional<MessageId> add(SessionId session, std::int64_t prompt = 1,
                               MessageKind kind = MessageKind::kObservation,
                               std::string payload = "{}") {
    std::optional<MessageId> id;
    const auto done = commits_.run([&](store::Database& database) -> Result<void> {
      CODEXMEM_ASSIGN(id, queue_.add(database, {session, kind, prompt, payload, now_ms_}));
      return {};
    });
    EXPECT_TRUE(done.ok()) << done.error().message();
    return id;
  }

  std::optional<Claim> claim(const BatchLimits& limits = {}) {
    auto answer = queue_.claim(limits);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    next_due_ms_ = answer->next_due_ms;
    return std::move(answer->claim);
  }

  Result<void> finish(const Claim& claim) {
    return commits_.run([&](store::Database& database) { return queue_.remove(database, claim); });
  }

  Result<void> retry(const Claim& claim, std::int64_t in_ms) {
    return commits_.run([&](store::Database& database) {
      return queue_.retry(database, claim, now_ms_ + in_ms,
                          {.kind = FailureClass::kTimeout, .message = "slow"});
    });
  }

  Result<void> fail(const Claim& claim) {
    return commits_.run([&](store::Database& database) {
      return queue_.fail(database, claim, {.kind = FailureClass::kAuth, .message = "no key"});
    });
  }

  std::optional<std::int64_t> next_due_ms_;
};

TEST_F(QueueTest, MessagesOfOnePromptAndKindAreTakenTogetherOldestFirst) {
  const SessionId one = session("one"), two = session("two");
  add(one, 1, MessageKind::kObservation, "a");
  add(two, 1, MessageKind::kObservation, "b");
  add(one, 1, MessageKind::kObservation, "c");
  add(one, 1, MessageKind::kSummarize, "d");
  add(one, 2, MessageKind::kObservation, "e");

  const auto first = claim();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->content_session_id, "one");
  EXPECT_EQ(first->project, "demo");
  ASSERT_EQ(first->messages.size(), 2U);
  EXPECT_EQ(first->messages[0].payload, "a");
  EXPECT_EQ(first->messages[1].payload, "c");
  // The session waits, others do not.
  const auto second = claim();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->messages[0].payload, "b");
  EXPECT_FALSE(claim());
  EXPECT_EQ(next_due_ms_, now_ms_ + kLease.count());

  ASSERT_TRUE(finish(*first).ok());
  const auto third = claim();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->kind, MessageKind::kSummarize);
  EXPECT_EQ(third->messages.size(), 1U);
  ASSERT_TRUE(finish(*third).ok());
  EXPECT_EQ(claim()->prompt_number, 2);
}

TEST_F(QueueTest, WhatBacksOffHoldsUpItsSessionAlone) {
  const SessionId one = session("one"), two = session("two");
  add(one);
  add(one, 2);
  add(two);
  auto first = claim();
  ASSERT_TRUE(retry(*first, 2'000).ok());
  EXPECT_EQ(claim()->session, two);
  EXPECT_FALSE(claim());
  EXPECT_EQ(next_due_ms_, now_ms_ + 2'000);
  now_ms_ += 2'000;
  first = claim();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->session, one);
  EXPECT_EQ(first->prompt_number, 1);
  EXPECT_EQ(first->attempts, 1);
  EXPECT_EQ(value("SELECT error_class || ' ' || error_message FROM queue WHERE id = 1"),
            "timeout slow");
}

TEST_F(QueueTest, FailedEventsAreNotMixedWithNewOnes) {
  const SessionId one = session("one");
  add(one);
  ASSERT_TRUE(retry(*claim(), 1'000).ok());
  add(one);
  now_ms_ += 1'000;
  EXPECT_EQ(claim()->messages.size(), 1U);
}

TEST_F(QueueTest, AModelWaitsForCompany) {
  const BatchLimits limits{.messages = 3, .company = std::chrono::seconds(5)};
  const SessionId one = session("one");
  add(one);
  EXPECT_FALSE(claim(limits));
  EXPECT_EQ(next_due_ms_, now_ms_ + 5'000);
  now_ms_ += 3'000;
  add(one);
  EXPECT_FALSE(claim(limits));
  now_ms_ += 2'000;
  auto taken = claim(limits);  // the oldest has waited long enough
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->messages.size(), 2U);
  ASSERT_TRUE(finish(*taken).ok());

  for (int i = 0; i < 4; ++i) add(one);
  taken = claim(limits);  // it is full
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->messages.size(), 3U);
  ASSERT_TRUE(finish(*taken).ok());
  EXPECT_FALSE(claim(limits));
  add(one, 1, MessageKind::kSummarize);  // nothing will join it
  taken = claim(limits);
  ASSERT_TRUE(taken);
  ASSERT_TRUE(finish(*taken).ok());
  ASSERT_TRUE(finish(*claim(limits)).ok());

  add(one);
  EXPECT_FALSE(claim(limits));
  ASSERT_TRUE(memory_->sessions().complete("one").ok());
  EXPECT_TRUE(claim(limits));
}

TEST_F(QueueTest, ABatchEndsWhereItsPayloadsAreTooLarge) {
  const SessionId one = session("one");
  for (int i = 0; i < 3; ++i) add(one, 1, MessageKind::kObservation, std::string(600, 'x'));
  const auto taken = claim({.payload_bytes = 1'000});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->messages.size(), 1U);
}

TEST_F(QueueTest, ALeaseEndsUnlessItIsRenewedAndWhatEndedIsRefused) {
  add(session("one"));
  auto first = claim();
  ASSERT_TRUE(first);
  now_ms_ += kLease.count() - 1;
  EXPECT_FALSE(claim());
  ASSERT_TRUE(queue_.renew(*first).ok());
  now_ms_ += kLease.count() - 1;
  EXPECT_FALSE(claim());
  now_ms_ += 1;
  const auto second = claim();
  ASSERT_TRUE(second);
  EXPECT_EQ(finish(*first).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(retry(*first, 0).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(fail(*first).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(queue_.renew(*first).error().code(), ErrorCode::kCancelled);
  ASSERT_TRUE(queue_.release(*first).ok());  // changes nothing
  EXPECT_TRUE(finish(*second).ok());
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
}

TEST_F(QueueTest, AStartOrAReleaseMakesPendingWhatWasClaimed) {
  add(session("one"));
  const auto first = claim();
  ASSERT_TRUE(first);
  ASSERT_TRUE(queue_.release(*first).ok());
  const auto second = claim();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->attempts, 0);
  ASSERT_TRUE(queue_.reset().ok());
  EXPECT_TRUE(claim());
}

TEST_F(QueueTest, WhatFailedIsKeptForAWhileAndCanBeTriedAgain) {
  const SessionId one = session("one"), two = session("two");
  add(one);
  add(two);
  ASSERT_TRUE(fail(*claim()).ok());
  ASSERT_TRUE(fail(*claim()).ok());
  EXPECT_FALSE(claim());
  EXPECT_EQ(queue_.depth()->failed, 2);
  const auto listed = queue_.list(10);
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->size(), 2U);
  EXPECT_EQ(listed->front().failure, FailureClass::kAuth);
  EXPECT_EQ(listed->front().failure_message, "no key");
  EXPECT_EQ(listed->front().attempts, 1);

  EXPECT_EQ(*queue_.retry_failed(one), 1U);
  const auto again = claim();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->session, one);
  EXPECT_EQ(again->attempts, 0);
  ASSERT_TRUE(finish(*again).ok());

  const std::int64_t gone_ms = now_ms_ + 7LL * 24 * 3'600'000;
  EXPECT_EQ(*queue_.forget_payloads(), gone_ms);
  now_ms_ = gone_ms;
  EXPECT_EQ(*queue_.forget_payloads(), std::nullopt);
  EXPECT_EQ(count("SELECT count(*) FROM queue WHERE status = 'failed' AND payload IS NULL AND "
                  "error_class = 'auth'"),
            1);
  EXPECT_EQ(*queue_.retry_failed({}), 0U);
  EXPECT_FALSE(queue_.list(10)->front().has_payload);
}

TEST_F(QueueTest, ASessionHasALimit) {
  const SessionId one = session("one"), two = session("two");
  const auto filled = commits_.run([&](store::Database& database) -> Result<void> {
    for (std::size_t i = 0; i < kMaxSessionMessages; ++i) {
      CODEXMEM_ASSIGN(const auto id, queue_.add(database, {.session = one, .payload = "{}"}));
      EXPECT_TRUE(id);
    }
    return {};
  });
  ASSERT_TRUE(filled.ok()) << filled.error().message();
  EXPECT_FALSE(add(one));
  EXPECT_TRUE(add(two));
  EXPECT_EQ(queue_.refused(), 1U);
  ASSERT_TRUE(finish(*claim()).ok());
  EXPECT_TRUE(add(one));
}

TEST_F(QueueTest, WhatFailedLongAgoDoesNotFillASession) {
  const SessionId one = session("one");
  add(one);
  ASSERT_TRUE(fail(*claim()).ok());
  const auto filled = commits_.run([&](store::Database& database) {
    return database.execute(fmt::format(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) "
        "INSERT INTO queue (session_id, prompt_number, kind, status, happened_at_ms, "
        "created_at_ms, failed_at_ms) SELECT 1, 1, 'observation', 'failed', 1, 1, 1 FROM n",
        kMaxSessionMessages));
  });
  ASSERT_TRUE(filled.ok()) << filled.error().message();
  EXPECT_TRUE(add(one));
  EXPECT_EQ(queue_.list(3)->front().status, "pending");
  EXPECT_EQ(queue_.list(3)->back().status, "failed");
}

TEST_F(QueueTest, DepthAndSessionsShowTheQueue) {
  const SessionId one = session("one"), two = session("two");
  add(one);
  add(two);
  EXPECT_FALSE(*queue_.is_drained(one));
  const auto taken = claim();
  const auto depth = queue_.depth();
  ASSERT_TRUE(depth.ok());
  EXPECT_EQ(depth->pending, 1);
  EXPECT_EQ(depth->processing, 1);
  EXPECT_EQ(*queue_.list_sessions(), (std::vector{one, two}));
  ASSERT_TRUE(finish(*taken).ok());
  EXPECT_TRUE(*queue_.is_drained(one));
  EXPECT_EQ(*queue_.list_sessions(), (std::vector{two}));
}

}  // namespace
}  // namespace codexmem::observe
