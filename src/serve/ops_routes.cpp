// The worker's activity for display: traces, timings, failures, trends, metrics, and exports of
// them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "text/json.h"
#include "text/json_object.h"
#include "base/text.h"
#include "ask/arguments.h"
#include "memory/times.h"
#include "observe/intake/activity.h"
#include "observe/intake/journal.h"
#include "observe/intake/queue.h"
#include "observe/session_list.h"
#include "serve/routes.h"

namespace codexmem::serve {
namespace {

constexpr std::size_t kDefaultRows = 50, kMaxRows = 500;
// An export has the whole ring unless a limit is given.
constexpr auto kMaxExported = static_cast<std::size_t>(observe::kJournalRows);

constexpr std::int64_t kMaxBuckets = 1'440;

// Milliseconds with at most three decimals.
double rounded(double ms) { return std::round(ms * 1'000) / 1'000; }

// The parameters of a request for a journal: which rows, and the format of an export.
struct JournalRequest {
  observe::JournalFilter filter;
  bool is_csv = true;
};

// The filters that all three journals accept; each route ignores those that do not apply.
Result<observe::JournalFilter> read_filter(const ask::ToolArguments& given, bool is_export) {
  observe::JournalFilter filter;
  const std::size_t most = is_export ? kMaxExported : kMaxRows;
  CODEXMEM_ASSIGN(filter.limit,
                  given.clamped("limit", is_export ? kMaxExported : kDefaultRows, 1, most));
  CODEXMEM_ASSIGN(filter.from_ms, given.time("from"));
  CODEXMEM_ASSIGN(filter.to_ms, given.time("to", /*is_end=*/true));
  if (filter.from_ms && filter.to_ms && *filter.from_ms > *filter.to_ms) {
    return invalid_argument("from must not be after to");
  }
  return filter;
}

Result<observe::JournalFilter> read_search_filter(const ask::ToolArguments& given, bool is_export) {
  CODEXMEM_ASSIGN(observe::JournalFilter filter, read_filter(given, is_export));
  CODEXMEM_ASSIGN(filter.query, given.text("query"));
  CODEXMEM_ASSIGN(filter.project, given.text("project"));
  CODEXMEM_ASSIGN(filter.mode, given.choice("mode", "lexical-only,hybrid"));
  return filter;
}

Result<observe::JournalFilter> read_message_filter(const ask::ToolArguments& given,
                                                   bool is_export) {
  CODEXMEM_ASSIGN(observe::JournalFilter filter, read_filter(given, is_export));
  if (given.has("sessionDbId")) {
    CODEXMEM_ASSIGN(const std::size_t id, given.whole("sessionDbId", 0, 1, INT64_MAX));
    filter.session_id = static_cast<std::int64_t>(id);
  }
  CODEXMEM_ASSIGN(filter.kind, given.choice("messageType", "observation,summarize"));
  CODEXMEM_ASSIGN(const std::string success, given.choice("success", "true,false,1,0"));
  if (!success.empty()) filter.success = success == "true" || success == "1";
  CODEXMEM_ASSIGN(const std::string error_class,
                  given.choice("errorClass",
                               "timeout,rate_limit,auth,network,server_error,parse_fail,"
                               "schema_fail,storage,unknown"));
  if (!error_class.empty()) filter.error_class = observe::parse_failure_class(error_class);
  return filter;
}

using ReadFilter = Result<observe::JournalFilter> (*)(const ask::ToolArguments& given,
                                                      bool is_export);

Result<JournalRequest> read_request(const net::ServedRequest& request, ReadFilter read,
                                    bool is_export) {
  CODEXMEM_ASSIGN(const auto given, ask::ToolArguments::parse(query_arguments(request)));
  JournalRequest asked;
  CODEXMEM_ASSIGN(asked.filter, read(given, is_export));
  if (!is_export) return asked;
  CODEXMEM_ASSIGN(const std::string format, given.choice("format", "csv,ndjson"));
  asked.is_csv = format != "ndjson";
  return asked;
}

JsonText row_of(const observe::SearchTrace& trace) {
  return json_object(
      "id", trace.id, "at", memory::iso_time(trace.at_ms), "query", trace.query, "project",
      trace.project, "mode", trace.mode, "vectorBackend", trace.vector_backend, "vectorHits",
      trace.vector_hits, "lexicalHits", trace.lexical_hits, "returned", trace.returned, "ms",
      json_object("total", rounded(trace.total_ms), "lexical", rounded(trace.lexical_ms), "vector",
                  rounded(trace.vector_ms), "fuse", rounded(trace.fuse_ms)),
      "degraded", !trace.degraded.empty(), "degradedReason", json_or_null(trace.degraded));
}

JsonText row_of(const observe::MessageTiming& timing) {
  return json_object(
      "id", timing.id, "at", memory::iso_time(timing.at_ms), "messageId", timing.message_id,
      "sessionDbId", timing.session_id, "messageType", timing.kind, "provider", timing.provider,
      "queueWaitMs", timing.queue_wait_ms, "modelMs", timing.model_ms, "indexMs", timing.index_ms,
      "totalMs", timing.total_ms, "success", timing.success, "errorClass",
      json_or_null(timing.error_class ? observe::failure_class_name(*timing.error_class) : ""));
}

JsonText row_of(const observe::MessageFailure& failure) {
  return json_object(
      "id", failure.id, "at", memory::iso_time(failure.at_ms), "messageId", failure.message_id,
      "sessionDbId", failure.session_id, "messageType", failure.kind, "provider", failure.provider,
      "errorClass", observe::failure_class_name(failure.error_class), "message", failure.message,
      "attempt", failure.attempt, "outcome", observe::failure_outcome_name(failure.outcome));
}

template <typename Row>
JsonText rows_of(const std::vector<Row>& rows) {
  return json_list(rows, [](const Row& row) { return row_of(row); });
}

// ---- exports

// The names and values of a row's cells; an object gives one cell per member.
void add_cells(const std::string& prefix, const Json& row, std::vector<std::string>& names,
               std::vector<Json>& values) {
  for (const auto& [key, value] : row.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) {
      add_cells(name, value, names, values);
    } else {
      names.push_back(name);
      values.push_back(value);
    }
  }
}

// RFC 4180. A spreadsheet interprets a text that begins like a formula; a quote before it prevents
// that.
std::string csv_cell(const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_string()) return dump_json(value);
  std::string text = value.get<std::string>();
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) {
    text.insert(0, 1, '\'');
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<Json>& cells) {
  std::vector<std::string> texts;
  for (const Json& cell : cells) texts.push_back(csv_cell(cell));
  return join(texts, ",") + "\r\n";
}

// The rows as a file.
template <typename Row>
net::ServedReply export_reply(bool is_csv, std::string_view name, const std::vector<Row>& rows) {
  std::string body;
  if (is_csv) {
    std::vector<std::string> names;
    std::vector<Json> unused;
    add_cells({}, Json::parse(row_of(Row()).text), names, unused);
    body += csv_line(std::vector<Json>(names.begin(), names.end()));
  }
  for (const Row& row : rows) {
    const std::string json = row_of(row);
    if (!is_csv) {
      body += json + "\n";
      continue;
    }
    std::vector<std::string> names;
    std::vector<Json> cells;
    add_cells({}, Json::parse(json), names, cells);
    body += csv_line(cells);
  }
  return {.content_type = is_csv ? "text/csv; charset=utf-8" : "application/x-ndjson",
          .body = std::move(body),
          .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}.{}\"", name,
                                                          is_csv ? "csv" : "ndjson")},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

// ---- routes

// The rows of a journal as `write(found, limit)` puts them, JSON; `find` is a member of Journal.
template <typename Find, typename Write>
net::ServedReply journal_reply(const RouteCall& call, ReadFilter read, Find find,
                               const Write& write) {
  const auto asked = read_request(call.request, read, /*is_export=*/false);
  if (!asked.ok()) return failure_reply(asked.error());
  const auto found = (call.worker.journal().*find)(asked->filter);
  if (!found.ok()) return failure_reply(found.error());
  return json_reply(write(*found, asked->filter.limit));
}

// The same as a file.
template <typename Find>
net::ServedReply journal_file(const RouteCall& call, ReadFilter read, Find find,
                              std::string_view name) {
  const auto asked = read_request(call.request, read, /*is_export=*/true);
  if (!asked.ok()) return failure_reply(asked.error());
  const auto found = (call.worker.journal().*find)(asked->filter);
  if (!found.ok()) return failure_reply(found.error());
  return export_reply(asked->is_csv, name, found->rows);
}

net::ServedReply search_traces(const RouteCall& call) {
  return journal_reply(call, read_search_filter, &observe::Journal::searches,
                       [](const auto& found, std::size_t limit) {
                         return json_object("traces", rows_of(found.rows), "total", found.total,
                                            "limit", limit);
                       });
}

net::ServedReply export_searches(const RouteCall& call) {
  return journal_file(call, read_search_filter, &observe::Journal::searches, "search-traces");
}

net::ServedReply session_timings(const RouteCall& call) {
  return journal_reply(
      call, read_message_filter, &observe::Journal::timings,
      [](const auto& found, std::size_t limit) {
        return json_object("timings", rows_of(found.rows), "averages",
                           json_object("queueWaitMs", rounded(found.queue_wait_ms), "modelMs",
                                       rounded(found.model_ms), "indexMs", rounded(found.index_ms),
                                       "totalMs", rounded(found.total_ms)),
                           "total", found.total, "limit", limit);
      });
}

net::ServedReply export_timings(const RouteCall& call) {
  return journal_file(call, read_message_filter, &observe::Journal::timings, "session-timings");
}

net::ServedReply failure_summary(const RouteCall& call) {
  return journal_reply(call, read_message_filter, &observe::Journal::failures,
                       [](const auto& found, std::size_t limit) {
                         std::vector<std::pair<std::string_view, std::int64_t>> counts;
                         for (const auto& [error_class, n] : found.counts) {
                           counts.emplace_back(observe::failure_class_name(error_class), n);
                         }
                         return json_object("counts", counts, "failures", rows_of(found.rows),
                                            "total", found.total, "limit", limit);
                       });
}

net::ServedReply export_failures(const RouteCall& call) {
  return journal_file(call, read_message_filter, &observe::Journal::failures, "failure-summary");
}

struct TrendRequest {
  std::int64_t window_s = 0, bucket_s = 0;
  std::size_t count = 0;
};

Result<TrendRequest> read_trends(const net::ServedRequest& request) {
  CODEXMEM_ASSIGN(const auto given, ask::ToolArguments::parse(query_arguments(request)));
  CODEXMEM_ASSIGN(const std::size_t window, given.whole("windowSec", 3'600, 60, 86'400));
  CODEXMEM_ASSIGN(const std::size_t bucket, given.whole("bucketSec", 60, 10, 3'600));
  TrendRequest trends{static_cast<std::int64_t>(window), static_cast<std::int64_t>(bucket)};
  const std::int64_t count = (trends.window_s + trends.bucket_s - 1) / trends.bucket_s;
  if (count > kMaxBuckets) {
    return invalid_argument(
        fmt::format("windowSec / bucketSec must be at most {}, got {}", kMaxBuckets, count));
  }
  trends.count = static_cast<std::size_t>(count);
  return trends;
}

net::ServedReply trends(const RouteCall& call) {
  const auto asked = read_trends(call.request);
  if (!asked.ok()) return failure_reply(asked.error());
  const auto buckets = call.worker.journal().trends(asked->bucket_s * 1'000, asked->count);
  if (!buckets.ok()) return failure_reply(buckets.error());
  const auto write = [](const observe::TrendBucket& bucket) {
    return json_object("at", memory::iso_time(bucket.at_ms), "searchCount", bucket.searches,
                       "avgSearchMs", rounded(bucket.avg_search_ms), "queueCount", bucket.messages,
                       "avgQueueTotalMs", rounded(bucket.avg_message_ms), "failureCount",
                       bucket.failures);
  };
  return json_reply(json_object("windowSec", asked->window_s, "bucketSec", asked->bucket_s,
                                "buckets", json_list(*buckets, write)));
}

JsonText metrics_json(const observe::AgentMetrics& metrics) {
  std::vector<std::pair<std::string_view, JsonText>> tasks;
  for (const auto& [task, outcomes] : metrics) {
    std::vector<std::pair<std::string_view, std::int64_t>> counts;
    for (const auto& [outcome, n] : outcomes) {
      counts.emplace_back(observe::agent_outcome_name(outcome), n);
    }
    tasks.emplace_back(observe::agent_task_name(task), json_value(counts));
  }
  return json_value(tasks);
}

net::ServedReply agent_metrics(const RouteCall& call) {
  const auto metrics = call.worker.journal().agent_metrics();
  if (!metrics.ok()) return failure_reply(metrics.error());
  return json_reply(metrics_json(*metrics));
}

net::ServedReply reset_agent_metrics(const RouteCall& call) {
  const auto before = call.worker.journal().reset_agent_metrics();
  if (!before.ok()) return failure_reply(before.error());
  return json_reply(json_object("success", true, "previous", metrics_json(*before)));
}

// The platform of the session with the latest event.
Result<std::string> platform_of(store::UserStore& store, memory::SessionId session) {
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(const auto found, observe::find_session(*reader, session));
  return found ? found->platform : std::string();
}

// The information that explains first why nothing is recorded.
net::ServedReply status(const RouteCall& call) {
  const observe::ActivityReport report = call.worker.activity().report();
  return reply_of([&]() -> Result<JsonText> {
    CODEXMEM_ASSIGN(const observe::QueueDepth depth, call.worker.queue().depth());
    CODEXMEM_ASSIGN(const auto failures, call.worker.journal().failures({.limit = 1}));
    JsonText last_event = json_value(nullptr);
    if (report.last) {
      std::string platform = report.last->platform;
      if (platform.empty()) {
        CODEXMEM_ASSIGN(platform, platform_of(call.worker.memory().store(), report.last->session));
      }
      last_event =
          json_object("at", memory::iso_time(report.last->at_ms), "kind", report.last->kind, "tool",
                      json_or_null(report.last->tool), "platform", json_or_null(platform));
    }
    return json_object("startedAt", memory::iso_time(call.worker.address().started_at_ms),
                       "lastEvent", last_event, "events",
                       json_object("taken", report.taken, "deduped", report.deduped, "skipped",
                                   report.skipped, "refused", report.refused),
                       "queue",
                       json_object("pending", depth.pending, "processing", depth.processing,
                                   "failed", depth.failed),
                       "lastFailure",
                       failures.rows.empty() ? json_value(nullptr) : row_of(failures.rows.front()),
                       "store", (call.worker.memory().store().directory() / "memory.db").string());
  }());
}

}  // namespace

std::span<const Route> ops_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/ops/status", status},
      Route{"GET", "/api/ops/search-traces", search_traces},
      Route{"GET", "/api/ops/search-traces/export", export_searches},
      Route{"GET", "/api/ops/session-timings", session_timings},
      Route{"GET", "/api/ops/session-timings/export", export_timings},
      Route{"GET", "/api/ops/failure-summary", failure_summary},
      Route{"GET", "/api/ops/failure-summary/export", export_failures},
      Route{"GET", "/api/ops/trends", trends},
      Route{"GET", "/api/ops/agent-metrics", agent_metrics},
      Route{"POST", "/api/ops/agent-metrics/reset", reset_agent_metrics},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
