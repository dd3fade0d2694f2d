// Rows have ids without gaps (a ring loses only its oldest), so a ring is trimmed by one
// comparison with the id just given.
//
// Tested by observe/journal_test.cpp.
#include "store/user/journal.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kInsertSearchSql[] = R"sql(
INSERT INTO search_traces (at_ms, query, project, mode, vector_backend, vector_hits, lexical_hits,
  returned, total_ms, lexical_ms, vector_ms, fuse_ms, degraded)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13))sql";
constexpr char kTrimSearchesSql[] = "DELETE FROM search_traces WHERE id <= ?1";
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

constexpr char kCountOutcomeSql[] = R"sql(
INSERT INTO agent_metrics (task, outcome, count) VALUES (?1, ?2, ?3)
ON CONFLICT (task, outcome) DO UPDATE SET count = count + excluded.count)sql";
constexpr char kListMetricsSql[] = R"sql(
SELECT task, outcome, count FROM agent_metrics ORDER BY task, outcome)sql";
constexpr char kClearMetricsSql[] = "DELETE FROM agent_metrics";

// ?1 from, ?2 to. instr() knows no case: both sides are brought to one.
constexpr char kSearchFilterSql[] = R"sql(
FROM search_traces
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 = '' OR instr(lower(query), lower(?3)) > 0)
  AND (?4 = '' OR project = ?4) AND (?5 = '' OR mode = ?5))sql";
constexpr char kCountSearchesSql[] = "SELECT count(*)";
constexpr char kListSearchesSql[] = R"sql(
SELECT id, at_ms, query, project, mode, vector_backend, vector_hits, lexical_hits, returned,
  total_ms, lexical_ms, vector_ms, fuse_ms, degraded)sql";
constexpr char kTimingFilterSql[] = R"sql(
FROM message_timings
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR session_id = ?3) AND (?4 = '' OR kind = ?4)
  AND (?5 IS NULL OR success = ?5))sql";
constexpr char kAverageTimingsSql[] = R"sql(
SELECT count(*), avg(queue_wait_ms), avg(model_ms), avg(index_ms), avg(total_ms))sql";
constexpr char kListTimingsSql[] = R"sql(
SELECT id, message_id, session_id, kind, provider, queue_wait_ms, model_ms, index_ms, total_ms,
  success, error_class, at_ms)sql";
constexpr char kFailureFilterSql[] = R"sql(
FROM message_failures
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR session_id = ?3) AND (?4 = '' OR kind = ?4)
  AND (?5 IS NULL OR error_class = ?5))sql";
constexpr char kCountClassesSql[] = "SELECT error_class, count(*)";
constexpr char kListFailuresSql[] = R"sql(
SELECT id, message_id, session_id, kind, provider, error_class, message, attempt, outcome,
  at_ms)sql";
constexpr char kNewestSql[] = " ORDER BY at_ms DESC, id DESC LIMIT ?6";
constexpr char kByClassSql[] = " GROUP BY error_class ORDER BY error_class";

// ?1 the first moment, ?2 one past the last, ?3 the bucket's length.
constexpr char kTrendSql[] = "SELECT (at_ms - ?1) / ?3 AS bucket, count(*), ";
constexpr char kOfSearchesSql[] = "avg(total_ms) FROM search_traces";
constexpr char kOfTimingsSql[] = "avg(total_ms) FROM message_timings";
constexpr char kOfFailuresSql[] = "0.0 FROM message_failures";
constexpr char kByBucketSql[] = R"sql(
WHERE at_ms >= ?1 AND at_ms < ?2 GROUP BY bucket ORDER BY bucket)sql";

constexpr std::string_view mode_name(bool is_hybrid) {
  return is_hybrid ? "hybrid" : "lexical-only";
}

// Keeps the newest kJournalRows of a table into which a row has just been written.
Result<void> trim_ring(Database& database, const char* sql) {
  const std::int64_t last = database.last_insert_id() - kJournalRows;
  if (last >= 1) CODEXMEM_TRY(query::run(database, sql, last));
  return {};
}

// Calls `read` with each row of `parts` that passes: ?1 and ?2 are the filter's times, then come
// `values`.
template <typename Read, typename... Values>
Result<void> visit_passing(Database& database, const std::string& sql, const JournalFilter& filter,
                           const Read& read, const Values&... values) {
  return query::visit(database, sql, read, filter.from_ms.value_or(INT64_MIN),
                      filter.to_ms.value_or(INT64_MAX), values...);
}

// Sums up what passes, then lists its newest rows.
template <typename Sum, typename Row, typename... Values>
Result<void> sum_and_list(Database& database, const char* sum_sql, const char* list_sql,
                          const std::string& filter_sql, const char* group_sql,
                          const JournalFilter& filter, const Sum& sum, std::vector<Row>& rows,
                          Row (*read)(const Statement&), const Values&... values) {
  CODEXMEM_TRY(visit_passing(database, sum_sql + filter_sql + group_sql, filter, sum, values...));
  return visit_passing(
      database, list_sql + filter_sql + kNewestSql, filter,
      [&](const Statement& row) { rows.push_back(read(row)); }, values..., filter.limit);
}

SearchTrace read_search(const Statement& row) {
  return {.id = row.integer(0),
          .at_ms = row.integer(1),
          .query = std::string(row.text(2)),
          .project = std::string(row.text(3)),
          .is_hybrid = row.text(4) == mode_name(true),
          .vector_backend = std::string(row.text(5)),
          .vector_hits = static_cast<std::size_t>(row.integer(6)),
          .lexical_hits = static_cast<std::size_t>(row.integer(7)),
          .returned = static_cast<std::size_t>(row.integer(8)),
          .total_ms = row.real(9),
          .lexical_ms = row.real(10),
          .vector_ms = row.real(11),
          .fuse_ms = row.real(12),
          .degraded = std::string(row.text(13))};
}

MessageTiming read_timing(const Statement& row) {
  return {.id = row.integer(0),
          .message_id = row.integer(1),
          .session_id = row.integer(2),
          .kind = std::string(row.text(3)),
          .provider = std::string(row.text(4)),
          .queue_wait_ms = row.integer(5),
          .model_ms = row.integer(6),
          .index_ms = row.integer(7),
          .total_ms = row.integer(8),
          .success = row.integer(9) != 0,
          .error_class = parse_failure_class(row.text(10)),
          .at_ms = row.integer(11)};
}

MessageFailure read_failure(const Statement& row) {
  return {.id = row.integer(0),
          .message_id = row.integer(1),
          .session_id = row.integer(2),
          .kind = std::string(row.text(3)),
          .provider = std::string(row.text(4)),
          .error_class = parse_failure_class(row.text(5)).value_or(FailureClass::kUnknown),
          .message = std::string(row.text(6)),
          .attempt = row.integer(7),
          .outcome = parse_failure_outcome(row.text(8)).value_or(FailureOutcome::kRetry),
          .at_ms = row.integer(9)};
}

std::optional<std::string_view> class_name(std::optional<FailureClass> error_class) {
  if (!error_class) return std::nullopt;
  return failure_class_name(*error_class);
}

}  // namespace

Result<void> write_search(Database& database, const SearchTrace& trace) {
  CODEXMEM_TRY(query::run(database, kInsertSearchSql, trace.at_ms, trace.query, trace.project,
                          mode_name(trace.is_hybrid), trace.vector_backend, trace.vector_hits,
                          trace.lexical_hits, trace.returned, trace.total_ms, trace.lexical_ms,
                          trace.vector_ms, trace.fuse_ms, query::OrNull{trace.degraded}));
  return trim_ring(database, kTrimSearchesSql);
}

Result<void> write_timing(Database& database, const MessageTiming& timing) {
  CODEXMEM_TRY(query::run(database, kInsertTimingSql, timing.message_id, timing.session_id,
                          timing.kind, timing.provider, timing.queue_wait_ms, timing.model_ms,
                          timing.index_ms, timing.total_ms, timing.success,
                          class_name(timing.error_class), timing.at_ms));
  return trim_ring(database, kTrimTimingsSql);
}

Result<void> add_failure(Database& database, const MessageFailure& failure) {
  CODEXMEM_TRY(query::run(database, kInsertFailureSql, failure.message_id, failure.session_id,
                          failure.kind, failure.provider, failure_class_name(failure.error_class),
                          failure.message, failure.attempt, failure_outcome_name(failure.outcome),
                          failure.at_ms));
  return trim_ring(database, kTrimFailuresSql);
}

Result<void> count_outcome(Database& database, AgentTask task, AgentOutcome outcome,
                           std::int64_t n) {
  return query::execute(database, kCountOutcomeSql, agent_task_name(task),
                        agent_outcome_name(outcome), n);
}

Result<SearchTraces> list_searches(Database& database, const JournalFilter& filter) {
  SearchTraces traces;
  const std::string_view mode = filter.is_hybrid ? mode_name(*filter.is_hybrid) : "";
  CODEXMEM_TRY(sum_and_list(
      database, kCountSearchesSql, kListSearchesSql, kSearchFilterSql, "", filter,
      [&](const Statement& row) { traces.total = row.integer(0); }, traces.rows, read_search,
      filter.query, filter.project, mode));
  return traces;
}

Result<MessageTimings> list_timings(Database& database, const JournalFilter& filter) {
  MessageTimings timings;
  const auto sum = [&](const Statement& row) {
    timings.total = row.integer(0);
    timings.queue_wait_ms = row.real(1);
    timings.model_ms = row.real(2);
    timings.index_ms = row.real(3);
    timings.total_ms = row.real(4);
  };
  CODEXMEM_TRY(sum_and_list(database, kAverageTimingsSql, kListTimingsSql, kTimingFilterSql, "",
                            filter, sum, timings.rows, read_timing, filter.session_id, filter.kind,
                            filter.success));
  return timings;
}

Result<MessageFailures> list_failures(Database& database, const JournalFilter& filter) {
  MessageFailures failures;
  for (int each = 0; each <= static_cast<int>(FailureClass::kUnknown); ++each) {
    failures.counts[static_cast<FailureClass>(each)] = 0;
  }
  const auto sum = [&](const Statement& row) {
    failures.counts[parse_failure_class(row.text(0)).value_or(FailureClass::kUnknown)] +=
        row.integer(1);
    failures.total += row.integer(1);
  };
  CODEXMEM_TRY(sum_and_list(database, kCountClassesSql, kListFailuresSql, kFailureFilterSql,
                            kByClassSql, filter, sum, failures.rows, read_failure,
                            filter.session_id, filter.kind, class_name(filter.error_class)));
  return failures;
}

Result<std::vector<TrendBucket>> count_trends(Database& database, std::int64_t from_ms,
                                              std::int64_t bucket_ms, std::size_t count) {
  std::vector<TrendBucket> buckets(count);
  for (std::int64_t at_ms = from_ms; TrendBucket & bucket : buckets) {
    bucket.at_ms = at_ms;
    at_ms += bucket_ms;
  }
  const auto fill = [&](const char* what_sql, auto counted, auto average) {
    const auto put = [&](const Statement& row) {
      TrendBucket& bucket = buckets.at(static_cast<std::size_t>(row.integer(0)));
      bucket.*counted = row.integer(1);
      if (average != nullptr) bucket.*average = row.real(2);
    };
    return query::visit(database, std::string(kTrendSql) + what_sql + kByBucketSql, put, from_ms,
                        buckets.back().at_ms + bucket_ms, bucket_ms);
  };
  constexpr double TrendBucket::*kNone = nullptr;
  CODEXMEM_TRY(fill(kOfSearchesSql, &TrendBucket::searches, &TrendBucket::avg_search_ms));
  CODEXMEM_TRY(fill(kOfTimingsSql, &TrendBucket::messages, &TrendBucket::avg_message_ms));
  CODEXMEM_TRY(fill(kOfFailuresSql, &TrendBucket::failures, kNone));
  return buckets;
}

Result<AgentMetrics> read_agent_metrics(Database& database) {
  AgentMetrics metrics;
  for (std::size_t task = 0; task < kAgentTasks; ++task) {
    for (std::size_t outcome = 0; outcome < kAgentOutcomes; ++outcome) {
      metrics[static_cast<AgentTask>(task)][static_cast<AgentOutcome>(outcome)] = 0;
    }
  }
  CODEXMEM_TRY(query::visit(database, kListMetricsSql, [&](const Statement& row) {
    for (auto& [task, outcomes] : metrics) {
      if (row.text(0) != agent_task_name(task)) continue;
      for (auto& [outcome, n] : outcomes) {
        if (row.text(1) == agent_outcome_name(outcome)) n = row.integer(2);
      }
    }
  }));
  return metrics;
}

Result<void> clear_agent_metrics(Database& database) {
  return query::execute(database, kClearMetricsSql);
}

}  // namespace codexmem::store
