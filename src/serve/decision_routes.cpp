// Decisions, and sessions with their results, for the viewer: read-only.
//
// Tested over HTTP by tests/viewer.
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/record.h"
#include "memory/times.h"
#include "serve/routes.h"
#include "observe/session_list.h"

namespace codexmem::serve {
namespace {

using ask::ToolArguments;

constexpr std::size_t kDefaultLimit = 20;
constexpr std::size_t kMaxLimit = 100;
constexpr std::size_t kMaxOffset = 1'000'000;
constexpr std::size_t kSessionRecords = 300;

net::ServedReply reply(Result<Json> made) {
  return made.ok() ? json_reply(dump_json(*made)) : failure_reply(made.error());
}

struct Page {
  std::size_t limit = kDefaultLimit, offset = 0;
  std::vector<std::string> projects;
};

Result<Page> read_page(memory::Memory& memory, const ToolArguments& given) {
  Page page;
  CODEXMEM_ASSIGN(page.limit, given.clamped("limit", kDefaultLimit, 1, kMaxLimit));
  CODEXMEM_ASSIGN(page.offset, given.clamped("offset", 0, 0, kMaxOffset));
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  if (!trim(project).empty()) page.projects = {std::string(trim(project))};
  if (memory.is_isolated()) page.projects = {memory.project()};
  return page;
}

// A page of rows; one more row than `page.limit` was requested.
Json page_json(const Page& page, std::vector<Json> rows) {
  const bool has_more = rows.size() > page.limit;
  if (has_more) rows.resize(page.limit);
  return Json{{"items", std::move(rows)},
              {"hasMore", has_more},
              {"offset", page.offset},
              {"limit", page.limit}};
}

void put_time(Json& row, const char* name, std::int64_t ms) {
  row[name] = memory::iso_time(ms);
  row[std::string(name) + "_epoch"] = ms;
}

Result<Json> decision_json(memory::Memory& memory, const memory::Decision& decision) {
  Json row = {{"id", decision.id},
              {"kind", memory::decision_kind(decision.status)},
              {"project", decision.project},
              {"title", decision.title},
              {"target", decision.target},
              {"status", memory::status_name(decision.status)},
              {"rationale", decision.rationale},
              {"consequences", decision.consequences},
              {"source", memory::source_name(decision.source)},
              {"supersedes", decision.supersedes},
              {"superseded_by", text_or_null(decision.superseded_by)}};
  if (memory::is_proposal(decision.status)) {
    row["confidence"] = decision.confidence;
    row["replaces"] = decision.replaces;
    row["converted_to"] = text_or_null(decision.converted_to);
    Json& evidence = row["evidence"] = Json::array();
    for (const memory::EntryId id : decision.evidence) {
      evidence.push_back(static_cast<std::int64_t>(id));
    }
  }
  Json& history = row["history"] = Json::array();
  CODEXMEM_ASSIGN(const auto changes, memory.decisions().history(decision.id));
  for (const memory::StatusChange& change : changes) {
    history.push_back({{"from", change.from ? Json(memory::status_name(*change.from)) : Json()},
                       {"to", memory::status_name(change.to)},
                       {"role", change.role},
                       {"reason", change.reason},
                       {"at", memory::iso_time(change.at_ms)}});
  }
  put_time(row, "created_at", decision.created_at_ms);
  return row;
}

Result<Json> decision_page(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  CODEXMEM_ASSIGN(const auto given, ToolArguments::parse(query_arguments(call.request)));
  CODEXMEM_ASSIGN(const Page page, read_page(memory, given));
  memory::DecisionFilter filter;
  filter.projects = page.projects;
  filter.limit = page.limit + 1;
  filter.offset = page.offset;
  CODEXMEM_ASSIGN(filter.target, given.text("target"));
  CODEXMEM_ASSIGN(const auto statuses, given.texts("status"));
  for (const std::string& name : statuses) {
    const auto status = memory::parse_status(name);
    if (!status) {
      return Error{ErrorCode::kInvalidArgument,
                   "status must be active, deprecated, superseded, draft, accepted, rejected or "
                   "falsified, not " +
                       std::string(utf8_prefix(name, 40))};
    }
    filter.statuses.push_back(*status);
  }
  CODEXMEM_ASSIGN(const auto decisions, memory.decisions().list(filter));
  std::vector<Json> rows;
  for (const memory::Decision& decision : decisions) {
    CODEXMEM_ASSIGN(Json row, decision_json(memory, decision));
    rows.push_back(std::move(row));
  }
  return page_json(page, std::move(rows));
}

Json session_json(const observe::ListedSession& session) {
  Json row = {{"id", static_cast<std::int64_t>(session.id)},
              {"content_session_id", session.content_session_id},
              {"project", session.project},
              {"platform", text_or_null(session.platform)},
              {"status", session.status},
              {"title", text_or_null(session.title)},
              {"prompts", session.prompts},
              {"observations", session.observations},
              {"summaries", session.summaries},
              {"pending", session.pending},
              {"failed", session.failed}};
  put_time(row, "started_at", session.started_at_ms);
  if (session.completed_at_ms) {
    put_time(row, "completed_at", *session.completed_at_ms);
  } else {
    row["completed_at"] = row["completed_at_epoch"] = nullptr;
  }
  return row;
}

Result<Json> session_page(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  CODEXMEM_ASSIGN(const auto given, ToolArguments::parse(query_arguments(call.request)));
  CODEXMEM_ASSIGN(const Page page, read_page(memory, given));
  CODEXMEM_ASSIGN(auto reader, memory.store().reader());
  CODEXMEM_ASSIGN(const auto sessions,
                  observe::list_sessions(*reader, page.projects.empty() ? "" : page.projects[0],
                                         page.limit + 1, page.offset));
  std::vector<Json> rows;
  for (const observe::ListedSession& session : sessions) rows.push_back(session_json(session));
  return page_json(page, std::move(rows));
}

Result<Json> session_records(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  const std::string_view given = call.request.query("sessionDbId").value_or("");
  std::int64_t id = 0;
  const auto [end, problem] = std::from_chars(given.data(), given.data() + given.size(), id);
  if (problem != std::errc() || end != given.data() + given.size() || id < 1) {
    return Error{ErrorCode::kInvalidArgument, "sessionDbId must be the number of a session"};
  }
  std::vector<memory::DocumentKey> keys;
  Json answer;
  {
    CODEXMEM_ASSIGN(auto reader, memory.store().reader());
    CODEXMEM_ASSIGN(const auto session,
                    observe::find_session(*reader, static_cast<memory::SessionId>(id)));
    if (!session || !memory.shows(session->project)) {
      return Error{ErrorCode::kNotFound, "Session #" + std::to_string(id) + " not found"};
    }
    answer["session"] = session_json(*session);
    CODEXMEM_ASSIGN(keys, observe::list_session_records(*reader, session->id, kSessionRecords + 1));
  }
  answer["hasMore"] = keys.size() > kSessionRecords;
  if (keys.size() > kSessionRecords) keys.resize(kSessionRecords);
  for (const char* name : {"observations", "summaries", "prompts"}) answer[name] = Json::array();
  CODEXMEM_ASSIGN(const auto records, ask::read_records({memory}, keys));
  for (const memory::DocumentKey key : keys) {
    const auto record = records.find(key);
    if (record == records.end()) continue;
    const char* const list = memory::kind_of(key) == memory::DocumentKind::kEntry ? "observations"
                             : memory::kind_of(key) == memory::DocumentKind::kSummary ? "summaries"
                                                                                      : "prompts";
    answer[list].push_back(Json::parse(ask::record_json(record->second)));
  }
  return answer;
}

net::ServedReply decisions(const RouteCall& call) { return reply(decision_page(call)); }

net::ServedReply sessions(const RouteCall& call) { return reply(session_page(call)); }

net::ServedReply records(const RouteCall& call) { return reply(session_records(call)); }

}  // namespace

std::span<const Route> decision_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/decisions", decisions},
      Route{"GET", "/api/sessions", sessions},
      Route{"GET", "/api/session-records", records},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
