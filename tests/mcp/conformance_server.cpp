// The server that the conformance suite of MCP judges: its fixtures on our protocol layer.
//
//     mcp_conformance_server           over standard input and output
//     mcp_conformance_server --http    over HTTP at any port; prints its address
#include <signal.h>

#include <cstdio>
#include <string_view>
#include <thread>

#include "mcp/fixture_conformance.h"
#include "mcp/http_endpoint.h"
#include "mcp/stdio_transport.h"
#include "net/loopback.h"

namespace {

// Until SIGTERM.
int serve_http(codexmem::mcp::Server& server) {
  using namespace codexmem;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  mcp::HttpEndpoint endpoint(server);
  net::HttpServer http([&](const net::ServedRequest& request) -> net::ServedReply {
    if (!net::is_of_this_machine(request)) return {.status = 403, .body = "{}"};
    return endpoint.handle(request);
  });
  const auto port = http.listen(0);
  if (!port.ok()) return 1;
  std::printf("http://127.0.0.1:%d/mcp\n", *port);
  std::fflush(stdout);
  std::jthread serving([&] { http.serve(); });
  int number = 0;
  sigwait(&signals, &number);
  endpoint.close();
  http.stop();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace codexmem::mcp;
  const bool is_http = argc == 2 && std::string_view(argv[1]) == "--http";
  if (argc > 1 && !is_http) {
    std::fprintf(stderr, "usage: mcp_conformance_server [--http]\n");
    return 2;
  }
  ServerOptions options;
  options.name = "codexmem-conformance";
  options.version = "0.0.0-test";
  options.progress_interval = std::chrono::milliseconds(0);
  Server server(testing::conformance_offer(), nullptr, options);
  testing::report_changes_to(&server);
  if (is_http) return serve_http(server);
  auto transport = StdioTransport::take_over();
  if (!transport.ok()) return 1;
  server.serve(**transport);
  return 0;
}
