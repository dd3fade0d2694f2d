// Decisions, and sessions with their results, for the viewer: read-only.
//
// Tested over HTTP by tests/viewer.
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "text/json_object.h"
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
template <typename Row, typename Write>
JsonText page_json(const Page& page, std::vector<Row> rows, const Write& write) {
  const bool has_more = rows.size() > page.limit;
  if (has_more) rows.resize(page.limit);
  return json_object("items", json_list(rows, write), "hasMore", has_more, "offset", page.offset,
                     "limit", page.limit);
}

JsonText decision_json(const memory::Decision& decision,
                       const std::vector<memory::StatusChange>& changes) {
  const bool is_proposal = memory::is_proposal(decision.status);
  const auto change_json = [](const memory::StatusChange& change) {
    return json_object("from", json_or_null(change.from ? memory::status_name(*change.from) : ""),
                       "to", memory::status_name(change.to), "role", change.role, "reason",
                       change.reason, "at", memory::iso_time(change.at_ms));
  };
  return json_object(
      "id", decision.id, "kind", memory::decision_kind(decision.status), "project",
      decision.project, "title", decision.title, "target", decision.target, "status",
      memory::status_name(decision.status), "rationale", decision.rationale, "consequences",
      decision.consequences, "source", memory::source_name(decision.source), "supersedes",
      decision.supersedes, "superseded_by", json_or_null(decision.superseded_by), "branch",
      some(decision.branch), "confidence", json_if(is_proposal, decision.confidence), "replaces",
      json_if(is_proposal, decision.replaces), "converted_to",
      json_if(is_proposal, json_or_null(decision.converted_to)), "evidence",
      json_if(is_proposal, decision.evidence), "history", json_list(changes, change_json),
      "created_at", memory::iso_time(decision.created_at_ms), "created_at_epoch",
      decision.created_at_ms);
}

Result<JsonText> decision_page(const RouteCall& call) {
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
  std::vector<JsonText> rows;
  for (const memory::Decision& decision : decisions) {
    CODEXMEM_ASSIGN(const auto changes, memory.decisions().history(decision.id));
    rows.push_back(decision_json(decision, changes));
  }
  return page_json(page, std::move(rows), std::identity());
}

JsonText session_json(const observe::ListedSession& session) {
  const auto completed = session.completed_at_ms;
  return json_object(
      "id", session.id, "content_session_id", session.content_session_id, "project",
      session.project, "platform", json_or_null(session.platform), "status", session.status,
      "title", json_or_null(session.title), "prompts", session.prompts, "observations",
      session.observations, "summaries", session.summaries, "pending", session.pending, "failed",
      session.failed, "started_at", memory::iso_time(session.started_at_ms), "started_at_epoch",
      session.started_at_ms, "completed_at",
      json_or_null(completed ? memory::iso_time(*completed) : ""), "completed_at_epoch",
      completed ? json_value(*completed) : json_value(nullptr));
}

Result<JsonText> session_page(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  CODEXMEM_ASSIGN(const auto given, ToolArguments::parse(query_arguments(call.request)));
  CODEXMEM_ASSIGN(const Page page, read_page(memory, given));
  CODEXMEM_ASSIGN(auto reader, memory.store().reader());
  CODEXMEM_ASSIGN(const auto sessions,
                  observe::list_sessions(*reader, page.projects.empty() ? "" : page.projects[0],
                                         page.limit + 1, page.offset));
  return page_json(page, sessions, session_json);
}

Result<JsonText> session_records(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  const std::string_view given = call.request.query("sessionDbId").value_or("");
  std::int64_t id = 0;
  const auto [end, problem] = std::from_chars(given.data(), given.data() + given.size(), id);
  if (problem != std::errc() || end != given.data() + given.size() || id < 1) {
    return Error{ErrorCode::kInvalidArgument, "sessionDbId must be the number of a session"};
  }
  std::vector<memory::DocumentKey> keys;
  JsonText shown;
  {
    CODEXMEM_ASSIGN(auto reader, memory.store().reader());
    CODEXMEM_ASSIGN(const auto session,
                    observe::find_session(*reader, static_cast<memory::SessionId>(id)));
    if (!session || !memory.shows(session->project)) {
      return Error{ErrorCode::kNotFound, "Session #" + std::to_string(id) + " not found"};
    }
    shown = session_json(*session);
    CODEXMEM_ASSIGN(keys, observe::list_session_records(*reader, session->id, kSessionRecords + 1));
  }
  const bool has_more = keys.size() > kSessionRecords;
  if (has_more) keys.resize(kSessionRecords);
  CODEXMEM_ASSIGN(const auto records, ask::read_records({memory}, keys));
  std::map<memory::DocumentKind, std::vector<JsonText>> lists;
  for (const memory::DocumentKey key : keys) {
    const auto record = records.find(key);
    if (record == records.end()) continue;
    lists[memory::kind_of(key)].push_back({ask::record_json(record->second)});
  }
  return json_object("session", shown, "hasMore", has_more, "observations",
                     lists[memory::DocumentKind::kEntry], "summaries",
                     lists[memory::DocumentKind::kSummary], "prompts",
                     lists[memory::DocumentKind::kPrompt]);
}

net::ServedReply decisions(const RouteCall& call) { return reply_of(decision_page(call)); }

net::ServedReply sessions(const RouteCall& call) { return reply_of(session_page(call)); }

net::ServedReply records(const RouteCall& call) { return reply_of(session_records(call)); }

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
