// The server that the conformance suite of MCP judges: its fixtures on our protocol layer.
//
//     mcp_conformance_server           over standard input and output
#include <cstdio>
#include <string_view>

#include "mcp/fixture_conformance.h"
#include "mcp/stdio_transport.h"

int main(int argc, char**) {
  using namespace codexmem::mcp;
  if (argc > 1) {
    std::fprintf(stderr, "usage: mcp_conformance_server\n");
    return 2;
  }
  ServerOptions options;
  options.name = "codexmem-conformance";
  options.version = "0.0.0-test";
  options.progress_interval = std::chrono::milliseconds(0);
  Server server(testing::conformance_offer(), nullptr, options);
  testing::tell_changes_to(&server);
  auto transport = StdioTransport::take_over();
  if (!transport.ok()) return 1;
  server.serve(**transport);
  return 0;
}
