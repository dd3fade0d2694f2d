#include "observe/intake/journal.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/temporary_directory.h"

namespace codexmem::observe {
namespace {

constexpr std::int64_t kJournalNoon = 1'773'835'200'000;  // 2026-03-18 12:00 UTC

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() {
    auto opened = store::UserStore::open(directory_.path() / "data");
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    store_ = *std::move(opened);
    restart();
  }

  void restart() {
    journal_.reset();
    const memory::Clock clock = [this] { return now_ms_; };
    searches_ = std::make_unique<memory::SearchLog>(*store_, clock);
    journal_ = std::make_unique<Journal>(*store_, clock, searches_.get());
  }

  // As the processor does it.
  template <typename Function>
  void write(const Function& function) {
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok());
    auto transaction = store::Transaction::begin(**writer);
    ASSERT_TRUE(transaction.ok());
    const Result<void> done = function(**writer);
    ASSERT_TRUE(done.ok()) << done.error().message();
    ASSERT_TRUE(transaction->commit().ok());
  }

  void add_timing(std::int64_t total_ms, bool success = true, std::string_view kind = "observation",
                  std::int64_t session = 1) {
    MessageTiming timing;
    timing.message_id = total_ms;
    timing.session_id = session;
    timing.kind = kind;
    timing.provider = "rule-based";
    timing.queue_wait_ms = total_ms / 2;
    timing.model_ms = total_ms / 4;
    timing.index_ms = total_ms / 10;
    timing.total_ms = total_ms;
    timing.success = success;
    if (!success) timing.error_class = FailureClass::kStorage;
    timing.at_ms = now_ms_;
    write([&](store::Database& database) { return write_timing(database, timing); });
  }

  void add_failure(FailureClass error_class, std::string message, std::int64_t session = 1) {
    MessageFailure failure;
    failure.message_id = 7;
    failure.session_id = session;
    failure.kind = "summarize";
    failure.provider = "openai";
    failure.error_class = error_class;
    failure.message = std::move(message);
    failure.attempt = 2;
    failure.outcome = FailureOutcome::kFallback;
    failure.at_ms = now_ms_;
    write([&](store::Database& database) { return write_failure(database, failure); });
  }

  void search(std::string query, std::string project = {}, bool is_hybrid = true) {
    SearchTrace trace;
    trace.query = std::move(query);
    trace.project = std::move(project);
    if (is_hybrid) trace.mode = "hybrid";
    trace.vector_backend = "sqlite";
    trace.returned = 3;
    trace.total_ms = 2.5;
    searches_->record(std::move(trace));
  }

  std::vector<std::string> queries(const JournalFilter& filter) {
    const auto found = journal_->searches(filter);
    EXPECT_TRUE(found.ok()) << found.error().message();
    std::vector<std::string> texts;
    for (const SearchTrace& trace : found->rows) texts.push_back(trace.query);
    return texts;
  }

  std::int64_t count(const std::string& sql) {
    auto reader = store_->reader();
    EXPECT_TRUE(reader.ok());
    return (*reader)->find_integer(sql)->value_or(-1);
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::int64_t now_ms_ = kJournalNoon;
  std::unique_ptr<store::UserStore> store_;
  std::unique_ptr<memory::SearchLog> searches_;
  std::unique_ptr<Journal> journal_;
};

using Texts = std::vector<std::string>;

TEST_F(JournalTest, ASearchIsSeenAtOnceAndNewestFirst) {
  search("first");
  now_ms_ += 1'000;
  search("second", "demo", false);
  const auto found = journal_->searches({});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->rows.size(), 2u);
  EXPECT_EQ(found->total, 2);
  EXPECT_EQ(found->rows[0].query, "second");
  EXPECT_EQ(found->rows[0].project, "demo");
  EXPECT_EQ(found->rows[0].mode, "lexical-only");
  EXPECT_EQ(found->rows[0].at_ms, kJournalNoon + 1'000);
  EXPECT_EQ(found->rows[1].vector_backend, "sqlite");
  EXPECT_EQ(found->rows[1].returned, 3u);
  EXPECT_DOUBLE_EQ(found->rows[1].total_ms, 2.5);
  EXPECT_GT(found->rows[0].id, found->rows[1].id);
}

TEST_F(JournalTest, SearchesAreFiltered) {
  search("Timeout of the Queue", "demo");
  search("retry", "other", false);
  now_ms_ += 5'000;
  search("queue again", "demo", false);
  JournalFilter filter;
  filter.query = "QUEUE";
  EXPECT_EQ(queries(filter), (Texts{"queue again", "Timeout of the Queue"}));
  filter.mode = "hybrid";
  EXPECT_EQ(queries(filter), Texts{"Timeout of the Queue"});
  filter = {};
  filter.project = "other";
  EXPECT_EQ(queries(filter), Texts{"retry"});
  filter = {};
  filter.from_ms = kJournalNoon + 5'000;
  EXPECT_EQ(queries(filter), Texts{"queue again"});
  filter = {};
  filter.to_ms = kJournalNoon;
  filter.limit = 1;
  EXPECT_EQ(queries(filter), Texts{"retry"});
  EXPECT_EQ(journal_->searches(filter)->total, 2);
}

TEST_F(JournalTest, PrivateTextInAQueryIsNotKept) {
  search("where is <private>the key</private> used");
  search(std::string("password=") + "hunter2" + "Xq9vLm3TzR");
  const auto found = journal_->searches({});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->rows.size(), 2u);
  EXPECT_EQ(found->rows[0].query.find("Xq9vLm3TzR"), std::string::npos) << found->rows[0].query;
  EXPECT_EQ(found->rows[1].query.find("key"), std::string::npos) << found->rows[1].query;
}

TEST_F(JournalTest, SearchesOutliveARestart) {
  search("kept");
  restart();
  EXPECT_EQ(queries({}), Texts{"kept"});
}

TEST_F(JournalTest, RingsAreTrimmedAsTheyAreWritten) {
  write([&](store::Database& database) {
    return database.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10100) "
        "INSERT INTO search_traces (at_ms, query, project, mode, vector_backend, vector_hits, "
        "lexical_hits, returned, total_ms, lexical_ms, vector_ms, fuse_ms) "
        "SELECT i, 'q', '', 'hybrid', 'sqlite', 0, 0, 0, 1, 1, 0, 0 FROM n;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10100) "
        "INSERT INTO message_timings (message_id, session_id, kind, provider, queue_wait_ms, "
        "model_ms, index_ms, total_ms, success, at_ms) "
        "SELECT i, 1, 'observation', 'rule-based', 0, 0, 0, 0, 1, i FROM n;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10100) "
        "INSERT INTO message_failures (message_id, session_id, kind, provider, error_class, "
        "message, attempt, outcome, at_ms) "
        "SELECT i, 1, 'observation', 'openai', 'timeout', '', 1, 'retry', i FROM n");
  });
  search("newest");
  add_timing(100);
  add_failure(FailureClass::kAuth, "refused");
  JournalFilter filter;
  filter.limit = 1;
  EXPECT_EQ(journal_->searches(filter)->total, kJournalRows);
  EXPECT_EQ(journal_->timings(filter)->total, kJournalRows);
  EXPECT_EQ(journal_->failures(filter)->total, kJournalRows);
  EXPECT_EQ(queries(filter), Texts{"newest"});
}

TEST_F(JournalTest, AveragesAreOfAllThatPassTheFilter) {
  add_timing(100);
  add_timing(300);
  add_timing(1'000, false, "summarize", 2);
  JournalFilter filter;
  filter.limit = 1;
  filter.success = true;
  const auto found = journal_->timings(filter);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->total, 2);
  ASSERT_EQ(found->rows.size(), 1u);
  EXPECT_EQ(found->rows[0].total_ms, 300);
  EXPECT_DOUBLE_EQ(found->total_ms, 200);
  EXPECT_DOUBLE_EQ(found->queue_wait_ms, 100);
  EXPECT_DOUBLE_EQ(found->model_ms, 50);
  EXPECT_DOUBLE_EQ(found->index_ms, 20);
  filter = {};
  filter.kind = "summarize";
  filter.session_id = 2;
  const auto failed = journal_->timings(filter);
  ASSERT_EQ(failed->rows.size(), 1u);
  EXPECT_EQ(failed->rows[0].error_class, FailureClass::kStorage);
  filter.session_id = 3;
  const auto none = journal_->timings(filter);
  EXPECT_EQ(none->total, 0);
  EXPECT_DOUBLE_EQ(none->total_ms, 0);
}

TEST_F(JournalTest, FailuresAreCountedByClass) {
  add_failure(FailureClass::kTimeout, "no answer within 45 s");
  add_failure(FailureClass::kTimeout, "no answer within 45 s", 2);
  add_failure(FailureClass::kRateLimit, "429");
  const auto found = journal_->failures({});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->counts.size(), 9u);
  EXPECT_EQ(found->counts.at(FailureClass::kTimeout), 2);
  EXPECT_EQ(found->counts.at(FailureClass::kRateLimit), 1);
  EXPECT_EQ(found->counts.at(FailureClass::kAuth), 0);
  EXPECT_EQ(found->total, 3);
  EXPECT_EQ(found->rows.front().message, "429");
  EXPECT_EQ(found->rows.front().attempt, 2);
  EXPECT_EQ(found->rows.front().outcome, FailureOutcome::kFallback);
  JournalFilter filter;
  filter.error_class = FailureClass::kTimeout;
  filter.session_id = 2;
  EXPECT_EQ(journal_->failures(filter)->total, 1);
}

TEST_F(JournalTest, ASecretInAFailuresMessageIsNotKept) {
  add_failure(FailureClass::kAuth, std::string("password=") + "hunter2" + "Xq9vLm3TzR");
  EXPECT_EQ(journal_->failures({})->rows.front().message.find("Xq9vLm3TzR"), std::string::npos);
  EXPECT_EQ(count("SELECT count(*) FROM message_failures WHERE message LIKE '%Xq9vLm3TzR%'"), 0);
}

TEST_F(JournalTest, EveryBucketOfATrendIsThere) {
  now_ms_ = kJournalNoon - 61'000;
  search("a");
  add_timing(100);
  add_failure(FailureClass::kTimeout, "");
  now_ms_ = kJournalNoon + 5'000;
  search("b");
  search("c");
  add_timing(100);
  add_timing(300);
  const auto buckets = journal_->trends(60'000, 4);
  ASSERT_TRUE(buckets.ok()) << buckets.error().message();
  ASSERT_EQ(buckets->size(), 4u);
  EXPECT_EQ(buckets->back().at_ms, kJournalNoon);
  EXPECT_EQ(buckets->front().at_ms, kJournalNoon - 180'000);
  EXPECT_EQ((*buckets)[0].searches + (*buckets)[0].messages + (*buckets)[0].failures, 0);
  EXPECT_EQ((*buckets)[1].searches, 1);
  EXPECT_EQ((*buckets)[1].messages, 1);
  EXPECT_EQ((*buckets)[1].failures, 1);
  EXPECT_EQ((*buckets)[2].searches, 0);
  EXPECT_EQ((*buckets)[3].searches, 2);
  EXPECT_EQ((*buckets)[3].messages, 2);
  EXPECT_DOUBLE_EQ((*buckets)[3].avg_message_ms, 200);
  EXPECT_DOUBLE_EQ((*buckets)[3].avg_search_ms, 2.5);
}

TEST_F(JournalTest, MetricsOutliveARestartAndAResetReturnsThem) {
  write([](store::Database& database) -> Result<void> {
    CODEXMEM_TRY(count_outcome(database, AgentTask::kObservation, AgentOutcome::kSuccess));
    CODEXMEM_TRY(count_outcome(database, AgentTask::kObservation, AgentOutcome::kSuccess, 2));
    return count_outcome(database, AgentTask::kSummary, AgentOutcome::kFallbackUsed);
  });
  restart();
  auto metrics = journal_->agent_metrics();
  ASSERT_TRUE(metrics.ok());
  EXPECT_EQ((*metrics)[AgentTask::kObservation][AgentOutcome::kSuccess], 3);
  EXPECT_EQ((*metrics)[AgentTask::kSummary][AgentOutcome::kFallbackUsed], 1);
  EXPECT_EQ((*metrics)[AgentTask::kSummary].size(), store::kAgentOutcomes);
  EXPECT_EQ(*journal_->reset_agent_metrics(), *metrics);
  metrics = journal_->agent_metrics();
  EXPECT_EQ((*metrics)[AgentTask::kObservation][AgentOutcome::kSuccess], 0);
}

TEST_F(JournalTest, RowsAreReadAlongTheIndexOfTheirTimes) {
  for (const std::string table : {"search_traces", "message_timings", "message_failures"}) {
    auto reader = store_->reader();
    ASSERT_TRUE(reader.ok());
    auto explain = (*reader)->statement(
        "EXPLAIN QUERY PLAN SELECT * FROM " + table +
        " WHERE at_ms BETWEEN ?1 AND ?2 ORDER BY at_ms DESC, id DESC LIMIT 50");
    ASSERT_TRUE(explain.ok()) << explain.error().message();
    std::string plan;
    while (explain->step().value()) plan += std::string(explain->text(3)) + "\n";
    EXPECT_NE(plan.find("USING INDEX " + table + "_time"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("TEMP B-TREE"), std::string::npos) << plan;
  }
}

}  // namespace
}  // namespace codexmem::observe
