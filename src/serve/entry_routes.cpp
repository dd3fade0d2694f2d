// Changes that a user makes on the page: saved entries, and decisions within their rules.
//
// Tested over HTTP by tests/worker/routes_test.py.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ask/memory/call.h"
#include "ask/arguments.h"
#include "base/access_token.h"
#include "base/text.h"
#include "memory/entries/entry_edit.h"
#include "memory/times.h"
#include "serve/routes.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::serve {
namespace {

constexpr std::size_t kDefaultEntries = 20;
constexpr std::size_t kMaxEntries = 100;
constexpr std::size_t kMaxEntryOffset = 1'000'000'000;

Result<Json> read_body(const RouteCall& call) {
  CODEXMEM_ASSIGN(const std::string_view body, body_object(call.request));
  return Json::parse(body);
}

// The member `name` as a text; nothing if it is missing or null. Errors: kInvalidArgument.
Result<std::optional<std::string>> text_member(const Json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return std::optional<std::string>();
  if (!found->is_string()) {
    return Error{ErrorCode::kInvalidArgument, std::string(name) + " must be a text"};
  }
  return std::optional(found->get<std::string>());
}

// The entry with the number `id` (12, "12", "#12"), if it may be shown here.
Result<memory::EntryId> read_entry_id(const RouteCall& call, const Json& body) {
  const auto found = body.find("id");
  std::string text;
  if (found != body.end() && found->is_number_integer()) text = found->dump();
  if (found != body.end() && found->is_string()) text = found->get<std::string>();
  const auto key = ask::read_id(text);
  if (!key || memory::kind_of(*key) != memory::DocumentKind::kEntry) {
    return Error{ErrorCode::kInvalidArgument, "id must be the number of an entry"};
  }
  const auto entry = static_cast<memory::EntryId>(memory::id_of(*key));
  CODEXMEM_ASSIGN(const auto there, call.worker.memory().entries().get({&entry, 1}));
  if (there.empty() || !call.worker.memory().shows(there.front().project)) {
    return Error{ErrorCode::kNotFound, "there is no entry #" + ask::id_text(*key)};
  }
  return entry;
}

void publish_saved(const RouteCall& call, memory::EntryId id, const std::string& project) {
  call.worker.memory().note_change();
  call.worker.events().publish(
      "record.saved", json_object("kind", "observation", "id", id, "project", project).text);
}

Result<JsonText> edit_entry(const RouteCall& call) {
  CODEXMEM_ASSIGN(const Json body, read_body(call));
  memory::EntryEdit edit;
  CODEXMEM_ASSIGN(edit.id, read_entry_id(call, body));
  CODEXMEM_ASSIGN(edit.title, text_member(body, "title"));
  CODEXMEM_ASSIGN(edit.text, text_member(body, "text"));
  if (const auto tags = body.find("tags"); tags != body.end() && !tags->is_null()) {
    edit.concepts.emplace();
    if (!tags->is_array()) return Error{ErrorCode::kInvalidArgument, "tags must be a list"};
    for (const Json& tag : *tags) {
      if (!tag.is_string()) return Error{ErrorCode::kInvalidArgument, "tags must be texts"};
      edit.concepts->push_back(tag.get<std::string>());
    }
  }
  memory::Memory& memory = call.worker.memory();
  CODEXMEM_ASSIGN(const auto saved,
                  memory::edit_entry(memory.store(), memory.entries(), edit, memory.clock()));
  const bool is_unchanged = saved.id == edit.id;
  if (!is_unchanged) publish_saved(call, saved.id, saved.project);
  return json_object("success", true, "id", saved.id, "title", saved.title, "createdAt",
                     memory::iso_time(saved.created_at_ms), "unchanged", some(is_unchanged),
                     "supersedes", json_if(!is_unchanged, edit.id));
}

Result<JsonText> pin_entry(const RouteCall& call) {
  CODEXMEM_ASSIGN(const Json body, read_body(call));
  CODEXMEM_ASSIGN(const memory::EntryId id, read_entry_id(call, body));
  const auto pinned = body.find("pinned");
  if (pinned == body.end() || !pinned->is_boolean()) {
    return Error{ErrorCode::kInvalidArgument, "pinned must be true or false"};
  }
  CODEXMEM_TRY(memory::pin_entry(call.worker.memory().store(), id, pinned->get<bool>()));
  call.worker.memory().note_change();
  return json_object("success", true, "id", id, "pinned", pinned->get<bool>());
}

Result<JsonText> forget_entry(const RouteCall& call) {
  CODEXMEM_ASSIGN(const Json body, read_body(call));
  CODEXMEM_ASSIGN(const memory::EntryId id, read_entry_id(call, body));
  memory::Memory& memory = call.worker.memory();
  CODEXMEM_ASSIGN(const auto gone, memory::forget_entry(memory.store(), id, memory.clock()));
  memory.note_change();
  return json_object("success", true, "forgotten", gone);
}

Result<JsonText> list_entries(const RouteCall& call) {
  memory::Memory& memory = call.worker.memory();
  CODEXMEM_ASSIGN(const auto given, ask::ToolArguments::parse(query_arguments(call.request)));
  memory::EntryFilter filter;
  CODEXMEM_ASSIGN(const std::size_t limit, given.clamped("limit", kDefaultEntries, 1, kMaxEntries));
  CODEXMEM_ASSIGN(filter.offset, given.clamped("offset", 0, 0, kMaxEntryOffset));
  CODEXMEM_ASSIGN(const std::string given_project, given.text("project"));
  const std::string project(trim(given_project));
  if (!project.empty()) filter.projects = {project};
  if (memory.is_isolated()) filter.projects = {memory.project()};
  filter.limit = limit + 1;
  filter.only_saved = filter.only_current = true;
  CODEXMEM_ASSIGN(auto entries, memory.entries().list(filter));
  if (!project.empty() && !memory.shows(project)) entries.clear();
  const bool has_more = entries.size() > limit;
  if (has_more) entries.resize(limit);
  const auto write = [](const memory::Entry& entry) {
    return json_object("id", entry.id, "kind", "entry", "type", entry.type, "title", entry.title,
                       "text", entry.body, "tags", entry.concepts, "project", entry.project,
                       "createdAt", memory::iso_time(entry.created_at_ms), "pinned",
                       memory::is_pinned(entry));
  };
  return json_object("items", json_list(entries, write), "hasMore", has_more, "offset",
                     filter.offset, "limit", limit);
}

// The caller, by the secret in the request: the worker's own secret proves nothing about who
// reaches its port.
memory::Caller caller_of(const RouteCall& call) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string secret = call.worker.options().setting("AGENT_MEMORY_SECRET");
  const std::string_view given = call.request.header("Authorization").value_or("");
  if (!secret.empty() && to_lower_ascii(given.substr(0, kScheme.size())) == kScheme &&
      is_same_secret(trim(given.substr(kScheme.size())), secret)) {
    return call.worker.memory().caller();
  }
  return {.why_viewer = secret.empty()
                            ? "AGENT_MEMORY_SECRET is not set"
                            : "a request has to carry the secret, as Authorization: Bearer"};
}

// 403 if the caller has no permission; a secret in a text stays a bad request.
net::ServedReply decision_reply(const Result<JsonText>& made) {
  if (!made.ok() && made.error().code() == ErrorCode::kBlocked && made.error().details().empty()) {
    return error_reply(403, made.error().message());
  }
  return reply_of(made);
}

Result<memory::Decision> read_decision(const RouteCall& call, const Json& body) {
  CODEXMEM_ASSIGN(const auto id, text_member(body, "id"));
  if (!id || trim(*id).empty()) {
    return Error{ErrorCode::kInvalidArgument, "id must be that of a decision"};
  }
  CODEXMEM_ASSIGN(auto decision, call.worker.memory().decisions().get(*id));
  if (!call.worker.memory().shows(decision.project)) {
    return Error{ErrorCode::kNotFound, "there is no decision " + *id};
  }
  return decision;
}

// A decision never changes: an edit is a new one that supersedes it.
Result<JsonText> edit_decision(const RouteCall& call) {
  CODEXMEM_ASSIGN(const Json body, read_body(call));
  CODEXMEM_ASSIGN(const memory::Decision before, read_decision(call, body));
  memory::NewDecision now;
  now.project = before.project;
  now.target = before.target;
  CODEXMEM_ASSIGN(const auto title, text_member(body, "title"));
  CODEXMEM_ASSIGN(const auto rationale, text_member(body, "rationale"));
  now.title = title.value_or(before.title);
  now.rationale = rationale.value_or(before.rationale);
  now.consequences = before.consequences;
  CODEXMEM_ASSIGN(const std::string id, call.worker.memory().decisions().supersede(
                                            caller_of(call), std::move(now), {before.id}));
  return json_object("success", true, "id", id, "supersedes", before.id);
}

Result<JsonText> deprecate_decision(const RouteCall& call) {
  CODEXMEM_ASSIGN(const Json body, read_body(call));
  CODEXMEM_ASSIGN(const memory::Decision decision, read_decision(call, body));
  CODEXMEM_ASSIGN(const auto reason, text_member(body, "reason"));
  CODEXMEM_TRY(call.worker.memory().decisions().deprecate(caller_of(call), decision.id,
                                                          reason.value_or("")));
  return json_object("success", true, "id", decision.id);
}

net::ServedReply entries_edit(const RouteCall& call) { return reply_of(edit_entry(call)); }
net::ServedReply entries_pin(const RouteCall& call) { return reply_of(pin_entry(call)); }
net::ServedReply entries_forget(const RouteCall& call) { return reply_of(forget_entry(call)); }
net::ServedReply entries_list(const RouteCall& call) { return reply_of(list_entries(call)); }
net::ServedReply decisions_edit(const RouteCall& call) {
  return decision_reply(edit_decision(call));
}
net::ServedReply decisions_deprecate(const RouteCall& call) {
  return decision_reply(deprecate_decision(call));
}

}  // namespace

std::span<const Route> entry_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/entries", entries_list},
      Route{"POST", "/api/entries/edit", entries_edit},
      Route{"POST", "/api/entries/pin", entries_pin},
      Route{"POST", "/api/entries/forget", entries_forget},
      Route{"POST", "/api/decisions/edit", decisions_edit},
      Route{"POST", "/api/decisions/deprecate", decisions_deprecate},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
