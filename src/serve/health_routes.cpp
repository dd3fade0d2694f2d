#include <array>

#include "text/json_object.h"
#include "serve/routes.h"

namespace codexmem::serve {
namespace {

net::ServedReply health(const RouteCall& call) {
  Worker& worker = call.worker;
  return json_reply(json_object("status", "ok", "version", worker.options().version, "initialized",
                                worker.is_ready(), "mcpReady", worker.is_ready(), "pid",
                                worker.address().pid, "uptime", worker.uptime().count())
                        .text);
}

net::ServedReply readiness(const RouteCall& call) {
  if (call.worker.is_ready()) return json_reply(R"({"status":"ready","mcpReady":true})");
  return json_reply(R"({"status":"initializing","message":"the worker is opening its store"})",
                    503);
}

net::ServedReply version(const RouteCall& call) {
  return json_reply(json_object("version", call.worker.options().version).text);
}

}  // namespace

std::span<const Route> health_routes() {
  static constexpr std::array kRoutes = {
      Route{"GET", "/api/health", health, true},
      Route{"GET", "/api/readiness", readiness, true},
      Route{"GET", "/api/version", version, true},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
