// Rows have ids without gaps (a ring loses its oldest alone), so a ring is trimmed by one
// comparison with the id just given.
//
// Tested by worker/journal_test.cpp.
#include "observe/journal.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxMessageBytes = 1'000;

constexpr char kInsertTimingSql[] = R"sql(
INSERT INTO message_timings (message_id, session_id, kind, provider, queue_wait_ms, model_ms,
  index_ms, total_ms, success, error_class, at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11))sql";
constexpr char kTrimTimingsSql[] = "DELETE FROM message_timings WHERE id <= ?1";
constexpr char kInsertFailureSql[] = R"sql(
INSERT INTO message_failures (message_id, session_id, kind, provider, error_class, message,
  attempt, outcome, at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))sql";
constexpr char kTrimFailuresSql[] = "DELETE FROM message_failures WHERE id <= ?1";

constexpr char kCountSql[] = R"sql(
INSERT INTO agent_metrics (task, outcome, count) VALUES (?1, ?2, ?3)
ON CONFLICT (task, outcome) DO UPDATE SET count = count + excluded.count)sql";
constexpr char kListMetricsSql[] = R"sql(
SELECT task, outcome, count FROM agent_metrics ORDER BY task, outcome)sql";
constexpr char kResetMetricsSql[] = "DELETE FROM agent_metrics";

// ?1 from, ?2 to. instr() knows no case: both sides are brought to one.
constexpr char kSearchFilterSql[] = R"sql(
FROM search_traces
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 = '' OR instr(lower(query), lower(?3)) > 0)
  AND (?4 = '' OR project = ?4) AND (?5 = '' OR mode = ?5))sql";
constexpr char kListSearchesSql[] = R"sql(
SELECT id, at_ms, query, project, mode, vector_backend, vector_hits, lexical_hits, returned,
  total_ms, lexical_ms, vector_ms, fuse_ms, degraded)sql";
constexpr char kTimingFilterSql[] = R"sql(
FROM message_timings
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR session_id = ?3) AND (?4 = '' OR kind = ?4)
  AND (?5 IS NULL OR success = ?5))sql";
constexpr char kListTimingsSql[] = R"sql(
SELECT id, message_id, session_id, kind, provider, queue_wait_ms, model_ms, index_ms, total_ms,
  success, error_class, at_ms)sql";
constexpr char kAverageTimingsSql[] = R"sql(
SELECT count(*), avg(queue_wait_ms), avg(model_ms), avg(index_ms), avg(total_ms))sql";
constexpr char kFailureFilterSql[] = R"sql(
FROM message_failures
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR session_id = ?3) AND (?4 = '' OR kind = ?4)
  AND (?5 = '' OR error_class = ?5))sql";
constexpr char kListFailuresSql[] = R"sql(
SELECT id, message_id, session_id, kind, provider, error_class, message, attempt, outcome,
  at_ms)sql";
constexpr char kNewestSql[] = " ORDER BY at_ms DESC, id DESC LIMIT ?6";
constexpr char kByClassSql[] = " GROUP BY error_class ORDER BY error_class";

// ?1 the first moment, ?2 one past the last, ?3 the bucket's length.
constexpr char kSearchTrendSql[] = R"sql(
SELECT (at_ms - ?1) / ?3 AS bucket, count(*), avg(total_ms) FROM search_traces
WHERE at_ms >= ?1 AND at_ms < ?2 GROUP BY bucket ORDER BY bucket)sql";
constexpr char kTimingTrendSql[] = R"sql(
SELECT (at_ms - ?1) / ?3 AS bucket, count(*), avg(total_ms) FROM message_timings
WHERE at_ms >= ?1 AND at_ms < ?2 GROUP BY bucket ORDER BY bucket)sql";
constexpr char kFailureTrendSql[] = R"sql(
SELECT (at_ms - ?1) / ?3 AS bucket, count(*), 0.0 FROM message_failures
WHERE at_ms >= ?1 AND at_ms < ?2 GROUP BY bucket ORDER BY bucket)sql";

constexpr std::array<std::string_view, 3> kOutcomes = {"retry", "fallback", "failed"};
constexpr std::array<std::string_view, kAgentTasks> kTasks = {"observation", "summary"};
constexpr std::array<std::string_view, kAgentOutcomes> kAgentOutcomeNames = {
    "success", "parse_fail", "schema_fail", "repair_fail", "fallback_used"};

constexpr std::string_view mode_name(bool is_hybrid) {
  return is_hybrid ? "hybrid" : "lexical-only";
}

// Keeps the newest kJournalRows of a table into which a row has just been written.
Result<void> trim_ring(store::Database& database, const char* sql) {
  const std::int64_t last = database.last_insert_id() - kJournalRows;
  if (last < 1) return {};
  CODEXMEM_ASSIGN(store::Statement trim, database.statement(sql));
  trim.bind(1, last);
  return trim.run();
}

// The parameters that all filters have; what is bound must live until the last step.
void bind_times(store::Statement& statement, const JournalFilter& filter) {
  statement.bind(1, filter.from_ms.value_or(INT64_MIN));
  statement.bind(2, filter.to_ms.value_or(INT64_MAX));
}

void bind_search(store::Statement& statement, const JournalFilter& filter) {
  bind_times(statement, filter);
  statement.bind(3, filter.query);
  statement.bind(4, filter.project);
  statement.bind(5, filter.is_hybrid ? mode_name(*filter.is_hybrid) : std::string_view());
}

void bind_message(store::Statement& statement, const JournalFilter& filter) {
  bind_times(statement, filter);
  if (filter.session_id) {
    statement.bind(3, *filter.session_id);
  } else {
    statement.bind_null(3);
  }
  statement.bind(4, filter.kind);
}

void bind_timing(store::Statement& statement, const JournalFilter& filter) {
  bind_message(statement, filter);
  if (filter.success) {
    statement.bind(5, *filter.success);
  } else {
    statement.bind_null(5);
  }
}

void bind_failure(store::Statement& statement, const JournalFilter& filter) {
  bind_message(statement, filter);
  statement.bind(5,
                 filter.error_class ? failure_class_name(*filter.error_class) : std::string_view());
}

AgentMetrics no_metrics() {
  AgentMetrics metrics;
  for (std::size_t task = 0; task < kAgentTasks; ++task) {
    for (std::size_t outcome = 0; outcome < kAgentOutcomes; ++outcome) {
      metrics[static_cast<AgentTask>(task)][static_cast<AgentOutcome>(outcome)] = 0;
    }
  }
  return metrics;
}

Result<AgentMetrics> read_metrics(store::Database& database) {
  AgentMetrics metrics = no_metrics();
  CODEXMEM_ASSIGN(store::Statement list, database.statement(kListMetricsSql));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return metrics;
    for (auto& [task, outcomes] : metrics) {
      if (list.text(0) != agent_task_name(task)) continue;
      for (auto& [outcome, n] : outcomes) {
        if (list.text(1) == agent_outcome_name(outcome)) n = list.integer(2);
      }
    }
  }
}

// Fills the buckets' `count` and, unless null, `average` with what `sql` tells.
Result<void> fill(store::Database& database, const char* sql, std::int64_t bucket_ms,
                  std::int64_t TrendBucket::*count, double TrendBucket::*average,
                  std::vector<TrendBucket>& buckets) {
  const std::int64_t from_ms = buckets.front().at_ms;
  CODEXMEM_ASSIGN(store::Statement select, database.statement(sql));
  select.bind(1, from_ms);
  select.bind(2, buckets.back().at_ms + bucket_ms);
  select.bind(3, bucket_ms);
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, select.step());
    if (!more) return {};
    TrendBucket& bucket = buckets.at(static_cast<std::size_t>(select.integer(0)));
    bucket.*count = select.integer(1);
    if (average != nullptr) bucket.*average = select.real(2);
  }
}

}  // namespace

std::string_view failure_outcome_name(FailureOutcome outcome) {
  return kOutcomes.at(static_cast<std::size_t>(outcome));
}

std::string_view agent_task_name(AgentTask task) {
  return kTasks.at(static_cast<std::size_t>(task));
}

std::string_view agent_outcome_name(AgentOutcome outcome) {
  return kAgentOutcomeNames.at(static_cast<std::size_t>(outcome));
}

Result<void> write_timing(store::Database& database, const MessageTiming& timing) {
  {
    CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertTimingSql));
    insert.bind(1, timing.message_id);
    insert.bind(2, timing.session_id);
    insert.bind(3, timing.kind);
    insert.bind(4, timing.provider);
    insert.bind(5, timing.queue_wait_ms);
    insert.bind(6, timing.model_ms);
    insert.bind(7, timing.index_ms);
    insert.bind(8, timing.total_ms);
    insert.bind(9, timing.success);
    if (timing.error_class) {
      insert.bind(10, failure_class_name(*timing.error_class));
    } else {
      insert.bind_null(10);
    }
    insert.bind(11, timing.at_ms);
    CODEXMEM_TRY(insert.run());
  }
  return trim_ring(database, kTrimTimingsSql);
}

Result<void> write_failure(store::Database& database, const MessageFailure& failure) {
  const std::string message(utf8_prefix(privacy::captured(failure.message), kMaxMessageBytes));
  {
    CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertFailureSql));
    insert.bind(1, failure.message_id);
    insert.bind(2, failure.session_id);
    insert.bind(3, failure.kind);
    insert.bind(4, failure.provider);
    insert.bind(5, failure_class_name(failure.error_class));
    insert.bind(6, message);
    insert.bind(7, failure.attempt);
    insert.bind(8, failure_outcome_name(failure.outcome));
    insert.bind(9, failure.at_ms);
    CODEXMEM_TRY(insert.run());
  }
  return trim_ring(database, kTrimFailuresSql);
}

Result<void> count_outcome(store::Database& database, AgentTask task, AgentOutcome outcome,
                           std::int64_t n) {
  CODEXMEM_ASSIGN(store::Statement count, database.statement(kCountSql));
  count.bind(1, agent_task_name(task));
  count.bind(2, agent_outcome_name(outcome));
  count.bind(3, n);
  return count.run();
}

Result<SearchTraces> Journal::searches(const JournalFilter& filter) {
  if (searches_ != nullptr) searches_->write_pending();
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  SearchTraces traces;
  CODEXMEM_ASSIGN(store::Statement count,
                  reader->statement(std::string("SELECT count(*)") + kSearchFilterSql));
  bind_search(count, filter);
  CODEXMEM_TRY(count.step());
  traces.total = count.integer(0);
  CODEXMEM_ASSIGN(store::Statement list,
                  reader->statement(std::string(kListSearchesSql) + kSearchFilterSql + kNewestSql));
  bind_search(list, filter);
  list.bind(6, static_cast<std::int64_t>(filter.limit));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return traces;
    SearchTrace trace;
    trace.id = list.integer(0);
    trace.at_ms = list.integer(1);
    trace.query = privacy::redacted(list.text(2));
    trace.project = list.text(3);
    trace.is_hybrid = list.text(4) == mode_name(true);
    trace.vector_backend = list.text(5);
    trace.vector_hits = static_cast<std::size_t>(list.integer(6));
    trace.lexical_hits = static_cast<std::size_t>(list.integer(7));
    trace.returned = static_cast<std::size_t>(list.integer(8));
    trace.total_ms = list.real(9);
    trace.lexical_ms = list.real(10);
    trace.vector_ms = list.real(11);
    trace.fuse_ms = list.real(12);
    trace.degraded = list.text(13);
    traces.rows.push_back(std::move(trace));
  }
}

Result<MessageTimings> Journal::timings(const JournalFilter& filter) {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  MessageTimings timings;
  CODEXMEM_ASSIGN(store::Statement average,
                  reader->statement(std::string(kAverageTimingsSql) + kTimingFilterSql));
  bind_timing(average, filter);
  CODEXMEM_TRY(average.step());
  timings.total = average.integer(0);
  timings.queue_wait_ms = average.real(1);
  timings.model_ms = average.real(2);
  timings.index_ms = average.real(3);
  timings.total_ms = average.real(4);
  CODEXMEM_ASSIGN(store::Statement list,
                  reader->statement(std::string(kListTimingsSql) + kTimingFilterSql + kNewestSql));
  bind_timing(list, filter);
  list.bind(6, static_cast<std::int64_t>(filter.limit));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return timings;
    MessageTiming timing;
    timing.id = list.integer(0);
    timing.message_id = list.integer(1);
    timing.session_id = list.integer(2);
    timing.kind = list.text(3);
    timing.provider = list.text(4);
    timing.queue_wait_ms = list.integer(5);
    timing.model_ms = list.integer(6);
    timing.index_ms = list.integer(7);
    timing.total_ms = list.integer(8);
    timing.success = list.integer(9) != 0;
    if (!list.is_null(10)) timing.error_class = parse_failure_class(list.text(10));
    timing.at_ms = list.integer(11);
    timings.rows.push_back(std::move(timing));
  }
}

Result<MessageFailures> Journal::failures(const JournalFilter& filter) {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  MessageFailures failures;
  for (int each = 0; each <= static_cast<int>(FailureClass::kUnknown); ++each) {
    failures.counts[static_cast<FailureClass>(each)] = 0;
  }
  CODEXMEM_ASSIGN(store::Statement count,
                  reader->statement(std::string("SELECT error_class, count(*)") +
                                    kFailureFilterSql + kByClassSql));
  bind_failure(count, filter);
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, count.step());
    if (!more) break;
    const FailureClass error_class =
        parse_failure_class(count.text(0)).value_or(FailureClass::kUnknown);
    failures.counts[error_class] += count.integer(1);
    failures.total += count.integer(1);
  }
  CODEXMEM_ASSIGN(store::Statement list, reader->statement(std::string(kListFailuresSql) +
                                                           kFailureFilterSql + kNewestSql));
  bind_failure(list, filter);
  list.bind(6, static_cast<std::int64_t>(filter.limit));
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return failures;
    MessageFailure failure;
    failure.id = list.integer(0);
    failure.message_id = list.integer(1);
    failure.session_id = list.integer(2);
    failure.kind = list.text(3);
    failure.provider = list.text(4);
    failure.error_class = parse_failure_class(list.text(5)).value_or(FailureClass::kUnknown);
    failure.message = privacy::redacted(list.text(6));
    failure.attempt = list.integer(7);
    for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
      if (list.text(8) == kOutcomes[i]) failure.outcome = static_cast<FailureOutcome>(i);
    }
    failure.at_ms = list.integer(9);
    failures.rows.push_back(std::move(failure));
  }
}

Result<std::vector<TrendBucket>> Journal::trends(std::int64_t bucket_ms, std::size_t count) {
  if (searches_ != nullptr) searches_->write_pending();
  const std::int64_t last_ms = clock_() / bucket_ms * bucket_ms;
  std::vector<TrendBucket> buckets(count);
  for (std::size_t i = 0; i < count; ++i) {
    buckets[i].at_ms = last_ms - static_cast<std::int64_t>(count - 1 - i) * bucket_ms;
  }
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  CODEXMEM_TRY(fill(*reader, kSearchTrendSql, bucket_ms, &TrendBucket::searches,
                    &TrendBucket::avg_search_ms, buckets));
  CODEXMEM_TRY(fill(*reader, kTimingTrendSql, bucket_ms, &TrendBucket::messages,
                    &TrendBucket::avg_message_ms, buckets));
  CODEXMEM_TRY(
      fill(*reader, kFailureTrendSql, bucket_ms, &TrendBucket::failures, nullptr, buckets));
  return buckets;
}

Result<AgentMetrics> Journal::agent_metrics() {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  return read_metrics(*reader);
}

Result<AgentMetrics> Journal::reset_agent_metrics() {
  CODEXMEM_ASSIGN(store::UserWriter writer, store_->writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(AgentMetrics before, read_metrics(*writer));
  {
    CODEXMEM_ASSIGN(store::Statement reset, writer->statement(kResetMetricsSql));
    CODEXMEM_TRY(reset.run());
  }
  CODEXMEM_TRY(transaction.commit());
  return before;
}

}  // namespace codexmem::observe
