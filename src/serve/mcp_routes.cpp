// MCP, as offered by the program that runs the worker: https://modelcontextprotocol.io
#include <array>

#include "serve/routes.h"

namespace codexmem::serve {
namespace {

net::ServedReply mcp(const RouteCall& call) {
  if (!call.worker.options().mcp) return error_reply(404, "Not found");
  return call.worker.options().mcp(call.request);
}

}  // namespace

std::span<const Route> mcp_routes() {
  static constexpr std::array kRoutes = {
      Route{"POST", "/mcp", mcp},
      Route{"GET", "/mcp", mcp},
      Route{"DELETE", "/mcp", mcp},
      Route{"OPTIONS", "/mcp", mcp},
  };
  return kRoutes;
}

}  // namespace codexmem::serve
