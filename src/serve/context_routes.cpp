#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "base/text.h"
#include "config/git_root.h"
#include "observe/work/context.h"
#include "serve/edit_guard.h"
#include "serve/routes.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::serve {
namespace {

constexpr std::size_t kMaxProjects = 20;

// The projects in ?project= and ?projects=a,b, each once.
std::vector<std::string> asked_projects(const net::ServedRequest& request) {
  std::vector<std::string> projects;
  const auto add = [&](std::string_view name) {
    std::string project = fold_whitespace(repair_utf8(name));
    const bool is_new = std::find(projects.begin(), projects.end(), project) == projects.end();
    if (!project.empty() && is_new && projects.size() < kMaxProjects) {
      projects.push_back(std::move(project));
    }
  };
  if (const auto list = request.query("projects")) {
    for (const std::string_view name : split(*list, ',')) add(name);
  }
  if (const auto name = request.query("project")) add(*name);
  return projects;
}

net::ServedReply inject(const RouteCall& call) {
  const std::vector<std::string> projects = asked_projects(call.request);
  if (projects.empty()) return error_reply(400, "Project(s) parameter is required");
  // Of which branch is known by the folder; without one, nothing of a branch is shown.
  memory::Memory& memory = call.worker.memory();
  const std::string cwd(call.request.query("cwd").value_or(""));
  const auto root = cwd.starts_with('/') ? git_root(cwd) : std::filesystem::path();
  const auto branches = memory.branches_of(root.empty() ? std::filesystem::path("/") : root);
  if (const auto looked = branches->look(); !looked.ok()) return failure_reply(looked.error());
  auto text = observe::build_context(memory, projects, branches.get());
  if (!text.ok()) return failure_reply(text.error());
  net::ServedReply reply = json_reply(*std::move(text));
  reply.content_type = "text/plain; charset=utf-8";
  return reply;
}

JsonText break_json(const graph::EditBreak& each) {
  const auto places = [](const std::vector<graph::BrokenPlace>& list) {
    return json_list(list, [](const graph::BrokenPlace& place) {
      return json_object("path", place.path, "line", place.line);
    });
  };
  return json_object("name", each.name, "newName", some(each.new_name), "unfit", some(each.unfit),
                     "broken", places(each.broken), "possible", places(each.possible));
}

net::ServedReply edit(const RouteCall& call) {
  const auto text = body_object(call.request);
  if (!text.ok()) return failure_reply(text.error());
  const Json body = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  const auto member = [&](const char* name) {
    const auto at = body.find(name);
    return at != body.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  EditGuard::Edit edit{.session = member("contentSessionId"),
                       .cwd = member("cwd"),
                       .tool_name = member("tool_name"),
                       .tool_input = "{}"};
  if (const auto at = body.find("timeMs"); at != body.end() && at->is_number_integer()) {
    constexpr std::int64_t kMaxTime = 2'000;
    edit.time =
        std::chrono::milliseconds(std::clamp<std::int64_t>(at->get<std::int64_t>(), 0, kMaxTime));
  }
  if (edit.session.empty()) return error_reply(400, "Missing contentSessionId");
  if (edit.tool_name.empty()) return error_reply(400, "Missing tool_name");
  if (const auto at = body.find("tool_input"); at != body.end()) edit.tool_input = dump_json(*at);
  return reply_of([&]() -> Result<JsonText> {
    CODEXMEM_ASSIGN(const auto answer,
                    call.worker.edit_guard().check(edit, call.worker.stopping()));
    return json_object("text", answer.text, "breaks", json_list(answer.breaks.breaks, break_json),
                       "isComplete", answer.breaks.is_complete);
  }());
}

net::ServedReply unseen(const RouteCall& call) {
  const std::string session(call.request.query("contentSessionId").value_or(""));
  if (session.empty()) return error_reply(400, "Missing contentSessionId");
  return reply_of([&]() -> Result<JsonText> {
    CODEXMEM_ASSIGN(const std::string text,
                    call.worker.edit_guard().list_unseen(session, call.worker.stopping()));
    return json_object("text", text);
  }());
}

}  // namespace

std::span<const Route> context_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/context/inject", inject},
      Route{"POST", "/api/context/edit", edit},
      Route{"GET", "/api/context/unseen", unseen},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
