// Rows have ids without gaps (a ring loses only its oldest), so a ring is trimmed by one
// comparison with the id just given.
//
// Tested by observe/journal_test.cpp.
#include "store/user/journal.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

// ?1 from, ?2 to. instr() knows no case: both sides are brought to one.
constexpr char kSearchFilterSql[] = R"sql(
FROM search_traces
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 = '' OR instr(lower(query), lower(?3)) > 0)
  AND (?4 = '' OR project = ?4) AND (?5 = '' OR mode = ?5))sql";
constexpr char kCountSearchesSql[] = "SELECT count(*)";
constexpr char kTimingFilterSql[] = R"sql(
FROM message_timings
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR session_id = ?3) AND (?4 = '' OR kind = ?4)
  AND (?5 IS NULL OR success = ?5))sql";
constexpr char kAverageTimingsSql[] = R"sql(
SELECT count(*), avg(queue_wait_ms), avg(model_ms), avg(index_ms), avg(total_ms))sql";
constexpr char kFailureFilterSql[] = R"sql(
FROM message_failures
WHERE at_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR session_id = ?3) AND (?4 = '' OR kind = ?4)
  AND (?5 IS NULL OR error_class = ?5))sql";
constexpr char kCountClassesSql[] = "SELECT error_class, count(*)";
constexpr char kByClassSql[] = " GROUP BY error_class ORDER BY error_class";

// ?1 the first moment, ?2 one past the last, ?3 the bucket's length.
constexpr char kTrendSql[] = "SELECT (at_ms - ?1) / ?3 AS bucket, count(*), ";
constexpr char kOfSearchesSql[] = "avg(total_ms) FROM search_traces";
constexpr char kOfTimingsSql[] = "avg(total_ms) FROM message_timings";
constexpr char kOfFailuresSql[] = "0.0 FROM message_failures";

// Writes `row`, and keeps the newest kJournalRows of the table.
template <typename Row>
Result<void> add_to_ring(Database& database, const std::string& table, const Row& row) {
  CODEXMEM_ASSIGN(const auto id,
                  query::insert_row<std::int64_t>(database, query::insert_sql<Row>(table), row));
  if (id <= kJournalRows) return {};
  return query::execute(database, "DELETE FROM " + table + " WHERE id <= ?1", id - kJournalRows);
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
Result<void> sum_and_list(Database& database, const char* sum_sql, const std::string& filter_sql,
                          const char* group_sql, const JournalFilter& filter, const Sum& sum,
                          std::vector<Row>& rows, const Values&... values) {
  CODEXMEM_TRY(visit_passing(database, sum_sql + filter_sql + group_sql, filter, sum, values...));
  return visit_passing(
      database,
      "SELECT id, " + query::columns<Row>() + filter_sql + " ORDER BY at_ms DESC, id DESC LIMIT ?6",
      filter, [&](const Statement& row) { rows.push_back(query::read_row<Row, &Row::id>(row)); },
      values..., filter.limit);
}

std::optional<std::string_view> class_name(std::optional<FailureClass> error_class) {
  if (!error_class) return std::nullopt;
  return failure_class_name(*error_class);
}

}  // namespace

Result<void> write_search(Database& database, const SearchTrace& trace) {
  return add_to_ring(database, "search_traces", trace);
}

Result<void> write_timing(Database& database, const MessageTiming& timing) {
  return add_to_ring(database, "message_timings", timing);
}

Result<void> add_failure(Database& database, const MessageFailure& failure) {
  return add_to_ring(database, "message_failures", failure);
}

Result<void> count_outcome(Database& database, AgentTask task, AgentOutcome outcome,
                           std::int64_t n) {
  return query::execute(database, R"sql(
INSERT INTO agent_metrics (task, outcome, count) VALUES (?1, ?2, ?3)
ON CONFLICT (task, outcome) DO UPDATE SET count = count + excluded.count)sql",
                        agent_task_name(task), agent_outcome_name(outcome), n);
}

Result<SearchTraces> list_searches(Database& database, const JournalFilter& filter) {
  SearchTraces traces;
  CODEXMEM_TRY(sum_and_list(
      database, kCountSearchesSql, kSearchFilterSql, "", filter,
      [&](const Statement& row) { traces.total = row.integer(0); }, traces.rows, filter.query,
      filter.project, filter.mode));
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
  CODEXMEM_TRY(sum_and_list(database, kAverageTimingsSql, kTimingFilterSql, "", filter, sum,
                            timings.rows, filter.session_id, filter.kind, filter.success));
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
  CODEXMEM_TRY(sum_and_list(database, kCountClassesSql, kFailureFilterSql, kByClassSql, filter, sum,
                            failures.rows, filter.session_id, filter.kind,
                            class_name(filter.error_class)));
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
    return query::visit(database, std::string(kTrendSql) + what_sql + R"sql(
WHERE at_ms >= ?1 AND at_ms < ?2 GROUP BY bucket ORDER BY bucket)sql",
                        put, from_ms, buckets.back().at_ms + bucket_ms, bucket_ms);
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
  CODEXMEM_TRY(query::visit(database, R"sql(
SELECT task, outcome, count FROM agent_metrics ORDER BY task, outcome)sql",
                            [&](const Statement& row) {
                              for (auto& [task, outcomes] : metrics) {
                                if (row.text(0) != agent_task_name(task)) continue;
                                for (auto& [outcome, n] : outcomes) {
                                  if (row.text(1) == agent_outcome_name(outcome))
                                    n = row.integer(2);
                                }
                              }
                            }));
  return metrics;
}

Result<void> clear_agent_metrics(Database& database) {
  return query::execute(database, "DELETE FROM agent_metrics");
}

}  // namespace codexmem::store
