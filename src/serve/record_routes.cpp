// Reading and saving memory. Search and timeline use ask/memory, as over MCP.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "text/json_object.h"
#include "base/text.h"
#include "ask/memory/get_records.h"
#include "ask/memory/save_memory.h"
#include "ask/memory/search.h"
#include "ask/memory/timeline.h"
#include "store/user/projects.h"
#include "memory/times.h"
#include "observe/intake/record_import.h"
#include "serve/routes.h"

namespace codexmem::serve {
namespace {

constexpr std::size_t kDefaultItems = 20;
constexpr std::size_t kMaxItems = 100;
constexpr std::size_t kMaxRecordOffset = 1'000'000'000;

ask::MemoryCall memory_call(const RouteCall& call) {
  return {call.worker.memory(), call.worker.stopping()};
}

// The answer to a query with `Params`.
template <typename Params>
auto ask_memory(const ask::Question& question, const RouteCall& call, std::string_view arguments)
    -> decltype(run(memory_call(call), std::declval<Params>())) {
  CODEXMEM_ASSIGN(const auto given, ask::ToolArguments::parse(arguments));
  return ask::answer_to<Params>(question, memory_call(call), given);
}

std::array<JsonText, 1> text_content(std::string_view text) {
  return {json_object("type", "text", "text", text)};
}

// {content: [{type, text}]}, or with format=json only the object.
net::ServedReply tool_reply(const net::ServedRequest& request, const ask::Written& answer) {
  if (request.query("format") == "json") return json_reply(answer.structured);
  return json_reply(json_object("content", text_content(answer.text)));
}

net::ServedReply search(const RouteCall& call) {
  const auto answer =
      ask_memory<ask::SearchParams>(ask::kSearch, call, query_arguments(call.request));
  return answer.ok() ? tool_reply(call.request, answer->to_json()) : failure_reply(answer.error());
}

net::ServedReply timeline(const RouteCall& call) {
  const auto answer =
      ask_memory<ask::TimelineParams>(ask::kTimeline, call, query_arguments(call.request));
  if (answer.ok()) return tool_reply(call.request, answer->to_json());
  if (answer.error().code() != ErrorCode::kNotFound) return failure_reply(answer.error());
  // As over MCP: the request is valid, but the record does not exist.
  const std::string text = ask::memory_failure(answer.error()).text;
  return json_reply(json_object("content", text_content(text), "isError", true));
}

Result<std::vector<ask::Record>> list_batch(const RouteCall& call) {
  CODEXMEM_ASSIGN(const std::string_view body, body_object(call.request));
  CODEXMEM_ASSIGN(const auto given, ask::ToolArguments::parse(body));
  CODEXMEM_ASSIGN(const auto params, ask::read_params<ask::GetObservationsParams>(
                                         ask::kGetObservations, call.worker.memory(), given));
  return ask::list_observations(memory_call(call), params.list);
}

net::ServedReply batch(const RouteCall& call) {
  const auto records = list_batch(call);
  constexpr std::string_view kNoIntegers = "All ids must be integers";
  if (!records.ok()) {
    if (records.error().message().starts_with(kNoIntegers)) return error_reply(400, kNoIntegers);
    return failure_reply(records.error());
  }
  std::vector<std::string> rows;
  for (const ask::Record& record : *records) rows.push_back(ask::record_json(record));
  return json_reply("[" + join(rows, ",") + "]");
}

// One record, by the number at the end of the path.
net::ServedReply one(const RouteCall& call, memory::DocumentKind kind, std::string_view name) {
  std::int64_t id = 0;
  const char* const end = call.tail.data() + call.tail.size();
  const auto [read_to, error] = std::from_chars(call.tail.data(), end, id);
  if (error != std::errc() || read_to != end) return error_reply(400, "Invalid id");
  const memory::DocumentKey key = memory::document_key(kind, id);
  if (id >= 1 && id <= INT64_MAX / 8) {
    const auto records = ask::read_records(memory_call(call), {&key, 1});
    if (!records.ok()) return failure_reply(records.error());
    if (!records->empty()) return json_reply(ask::record_json(records->begin()->second));
  }
  return error_reply(404, std::string(name) + " #" + std::string(call.tail) + " not found");
}

net::ServedReply observation(const RouteCall& call) {
  return one(call, memory::DocumentKind::kEntry, "Observation");
}
net::ServedReply session(const RouteCall& call) {
  return one(call, memory::DocumentKind::kSummary, "Session");
}
net::ServedReply prompt(const RouteCall& call) {
  return one(call, memory::DocumentKind::kPrompt, "Prompt");
}

// The parameters of a list. One row more than `limit` shows whether there are more.
struct ListRequest {
  std::string project;
  std::size_t limit = kDefaultItems, offset = 0;
  bool is_hidden = false;  // it belongs to a project that is hidden here
};

Result<ListRequest> read_list(const RouteCall& call) {
  CODEXMEM_ASSIGN(const auto given, ask::ToolArguments::parse(query_arguments(call.request)));
  ListRequest list;
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  list.project = trim(project);
  CODEXMEM_ASSIGN(list.limit, given.clamped("limit", kDefaultItems, 1, kMaxItems));
  CODEXMEM_ASSIGN(list.offset, given.clamped("offset", 0, 0, kMaxRecordOffset));
  const memory::Memory& memory = call.worker.memory();
  list.is_hidden = !list.project.empty() && !memory.shows(list.project);
  if (memory.is_isolated()) list.project = memory.project();
  return list;
}

// `read(list)` returns the rows, at most `list.limit`.
template <typename Read, typename ToJson>
net::ServedReply list_reply(const RouteCall& call, const Read& read, const ToJson& to_json) {
  const auto list = read_list(call);
  if (!list.ok()) return failure_reply(list.error());
  ListRequest wider = *list;
  ++wider.limit;
  auto rows = read(wider);
  if (!rows.ok()) return failure_reply(rows.error());
  if (list->is_hidden) rows->clear();
  const bool has_more = rows->size() > list->limit;
  rows->resize(std::min(rows->size(), list->limit));
  return json_reply(json_object("items", json_list(*rows, to_json), "hasMore", has_more, "offset",
                                list->offset, "limit", list->limit));
}

net::ServedReply observations(const RouteCall& call) {
  return list_reply(
      call,
      [&](const ListRequest& list) {
        memory::EntryFilter filter;
        if (!list.project.empty()) filter.projects = {list.project};
        filter.limit = list.limit;
        filter.offset = list.offset;
        return call.worker.memory().entries().list(filter);
      },
      [](const memory::Entry& entry) { return ask::record_json({entry}); });
}

net::ServedReply summaries(const RouteCall& call) {
  return list_reply(
      call,
      [&](const ListRequest& list) {
        return call.worker.memory().sessions().list_summaries(
            {list.project, list.limit, list.offset});
      },
      [](const memory::Summary& summary) {
        // Lists use this key for the session.
        return json_joined(json_object("session_id", summary.session),
                           {ask::record_json({summary})});
      });
}

net::ServedReply prompts(const RouteCall& call) {
  return list_reply(
      call,
      [&](const ListRequest& list) {
        return call.worker.memory().sessions().list_prompts(
            {list.project, list.limit, list.offset});
      },
      [](const memory::Prompt& prompt) { return ask::record_json({prompt}); });
}

net::ServedReply projects(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  auto reader = memory.store().reader();
  if (!reader.ok()) return failure_reply(reader.error());
  auto names = store::list_project_names(**reader);
  if (!names.ok()) return failure_reply(names.error());
  std::erase_if(*names, [&](const std::string& name) { return !memory.shows(name); });
  return json_reply(json_object("projects", *names).text);
}

net::ServedReply stats(const RouteCall& call) {
  Worker& worker = call.worker;
  auto reader = worker.memory().store().reader();
  if (!reader.ok()) return failure_reply(reader.error());
  const auto counts = store::count_records(**reader);
  if (!counts.ok()) return failure_reply(counts.error());
  const std::string path = (worker.memory().store().directory() / "memory.db").string();
  struct stat file = {};
  const bool file_exists = ::stat(path.c_str(), &file) == 0;
  return json_reply(json_object(
      "worker",
      json_object("version", worker.options().version, "uptime", worker.uptime().count(),
                  "activeSessions", counts->active_sessions, "sseClients",
                  worker.listeners().load(), "port", worker.address().port),
      "database",
      json_object("path", path, "size", file_exists ? file.st_size : 0, "observations",
                  counts->entries, "sessions", counts->sessions, "summaries", counts->summaries)));
}

net::ServedReply save(const RouteCall& call) {
  const auto body = body_object(call.request);
  if (!body.ok()) return failure_reply(body.error());
  const auto answer = ask_memory<ask::SaveMemoryParams>(ask::kSaveMemory, call, *body);
  if (!answer.ok()) return failure_reply(answer.error());
  const memory::SavedEntry& saved = answer->saved;
  const auto id = static_cast<std::int64_t>(saved.id);
  if (!saved.is_duplicate) {
    call.worker.events().publish(
        "record.saved",
        json_object("kind", "observation", "id", id, "project", saved.project).text);
  }
  return json_reply(
      json_object("success", true, "id", id, "title", saved.title, "project", saved.project,
                  "message", "Memory saved as observation #" + std::to_string(id), "created_at",
                  memory::iso_time(saved.created_at_ms), "duplicate", some(saved.is_duplicate)));
}

net::ServedReply import(const RouteCall& call) {
  const auto body = body_object(call.request);
  if (!body.ok()) return failure_reply(body.error());
  const auto done = observe::import_records(call.worker.memory(), *body, call.worker.stopping());
  if (!done.ok()) return failure_reply(done.error());
  const auto refused = json_list(done->refused, [](const observe::RefusedRecord& each) {
    return json_object("list", each.list, "index", each.index, "reason", each.reason);
  });
  return json_reply(
      json_object("success", true, "stats",
                  json_object("sessionsImported", done->sessions.imported, "sessionsSkipped",
                              done->sessions.skipped, "summariesImported", done->summaries.imported,
                              "summariesSkipped", done->summaries.skipped, "observationsImported",
                              done->observations.imported, "observationsSkipped",
                              done->observations.skipped, "promptsImported", done->prompts.imported,
                              "promptsSkipped", done->prompts.skipped),
                  "refused", some(refused)));
}

}  // namespace

std::span<const Route> record_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/search", search},
      Route{"GET", "/api/timeline", timeline},
      Route{"POST", "/api/observations/batch", batch},
      Route{"GET", "/api/observation/", observation},
      Route{"GET", "/api/session/", session},
      Route{"GET", "/api/prompt/", prompt},
      Route{"GET", "/api/observations", observations},
      Route{"GET", "/api/summaries", summaries},
      Route{"GET", "/api/prompts", prompts},
      Route{"GET", "/api/projects", projects},
      Route{"GET", "/api/stats", stats},
      Route{"POST", "/api/memory/save", save},
      Route{"POST", "/api/import", import},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
