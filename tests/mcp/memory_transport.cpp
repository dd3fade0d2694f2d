#include "mcp/memory_transport.h"

#include "mcp/fixture_tools.h"

namespace codexmem::mcp::testing {

namespace {

ToolTable table(std::span<const Tool> tools) {
  auto made = ToolTable::make(tools.empty() ? fixture_tools() : tools);
  CODEXMEM_CHECK(made.ok());
  return std::move(made).value();
}

ServerOptions with_defaults(ServerOptions options) {
  if (options.version.empty()) options.version = "1.2.3";
  if (options.instructions.empty()) options.instructions = "Use echo.";
  options.contracts = R"({"code":"1.0.0"})";
  options.progress_interval = std::chrono::milliseconds(0);
  return options;
}

}  // namespace

Client::Client(ServerOptions options, std::span<const Tool> tools)
    : server_({.tools = table(tools)}, nullptr, with_defaults(std::move(options))),
      thread_([this] { server_.serve(transport_); }) {}

Client::Client(Offer offer, ServerOptions options)
    : server_(std::move(offer), nullptr, with_defaults(std::move(options))),
      thread_([this] { server_.serve(transport_); }) {}

}  // namespace codexmem::mcp::testing
