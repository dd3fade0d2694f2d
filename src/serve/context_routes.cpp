#include <array>

#include "base/text.h"
#include "observe/work/context.h"
#include "serve/routes.h"

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
  auto text = observe::build_context(call.worker.memory(), projects);
  if (!text.ok()) return failure_reply(text.error());
  net::ServedReply reply = json_reply(*std::move(text));
  reply.content_type = "text/plain; charset=utf-8";
  return reply;
}

}  // namespace

std::span<const Route> context_routes() {
  static constexpr std::array kRoutes = {Route{"GET", "/api/context/inject", inject}};
  return kRoutes;
}

}  // namespace codexmem::serve
