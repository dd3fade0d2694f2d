// codexmem version: of the program, of the contracts it keeps and of the protocol it speaks.
#include <fmt/core.h>

#include "app/command.h"
#include "base/json.h"
#include "mcp/protocol.h"
#include "mcp/tools.h"

namespace codexmem::app {
namespace {

class VersionCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print the versions as JSON");
  }

  ExitCode run(Console& console) override {
    const Json contracts = Json::parse(mcp::contract_versions(), nullptr, false);
    Json revisions = Json::array();
    for (const auto revision : mcp::kStatelessRevisions) revisions.push_back(revision);
    for (const auto revision : mcp::kHandshakeRevisions) revisions.push_back(revision);
    if (json_) {
      console.print_line(dump_json(Json{{"name", "codexmem"},
                                        {"version", CODEXMEM_VERSION},
                                        {"contracts", contracts},
                                        {"mcpRevisions", revisions}}));
      return ExitCode::kFound;
    }
    console.print_line(fmt::format("codexmem {}", CODEXMEM_VERSION));
    for (const auto& [name, version] : contracts.items()) {
      console.print_line(fmt::format("contract {} {}", name, version.get<std::string>()));
    }
    console.print_line(fmt::format("MCP {} to {}", mcp::kHandshakeRevisions.back(),
                                   mcp::kStatelessRevisions.front()));
    return ExitCode::kFound;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_version_command() { return std::make_unique<VersionCommand>(); }

}  // namespace codexmem::app
