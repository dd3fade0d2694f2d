// codexmem serve: the code tools over MCP on standard input and output.
#include <fmt/core.h>

#include <cstdlib>
#include <stop_token>

#include "app/command.h"
#include "app/fresh_index.h"
#include "app/repository.h"
#include "app/signals.h"
#include "base/log.h"
#include "graph/facts_cache.h"
#include "mcp/server.h"
#include "mcp/services.h"
#include "mcp/stdio_transport.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"
#include "search/search.h"

namespace codexmem::app {
namespace {

class ServeCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)");
  }

  ExitCode run(Console& console) override {
    auto tools = mcp::ToolTable::make(mcp::tools(), selected_tools());
    if (!tools.ok()) return fail(console, tools.error());
    const auto root = find_root(start_directory(path_));
    if (!root.ok()) return fail(console, root.error());
    const auto workspace = store::Workspace::open(*root);
    if (!workspace.ok()) return fail(console, workspace.error());
    tell_if_in_cache(**workspace, console);
    const auto transport = mcp::StdioTransport::take_over();
    if (!transport.ok()) return fail(console, transport.error());
    const StopOnSignal signals;
    const std::stop_callback on_signal(signals.token(), [&] { (*transport)->stop(); });

    graph::FactsCache facts;
    search::SearchEngine search(**workspace);
    // So that the first question does not pay for it.
    const auto warm = [&search] {
      if (const auto done = search.refresh(); !done.ok()) {
        log_warn("search: {}", done.error().message());
      }
    };
    FreshIndex fresh(**workspace, warm);
    mcp::Services services{
        .workspace = **workspace, .search = search, .facts = facts, .await_ready = {}};
    services.index = [&fresh](const index::IndexOptions& options,
                              const index::ProgressCallback& progress, std::stop_token stop) {
      return fresh.run(options, progress, std::move(stop));
    };
    services.await_ready = [&fresh](const mcp::CallContext& context) {
      return fresh.await(context.stop, [&context](const index::IndexProgress& now) {
        context.progress({static_cast<double>(now.files_done), static_cast<double>(now.files_total),
                          fmt::format("indexing first: {}", index::index_phase_name(now.phase))});
      });
    };
    mcp::Server server(*std::move(tools), &services, mcp::server_options(CODEXMEM_VERSION));
    server.serve(**transport);
    return ExitCode::kFound;
  }

 private:
  static std::string selected_tools() {
    const char* selection = std::getenv("CODEXMEM_TOOLS");
    return selection == nullptr ? "all" : selection;
  }

  std::string path_;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace codexmem::app
