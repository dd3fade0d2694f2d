// codexmem serve: the code and memory tools over MCP on standard input and output.
#include <fmt/core.h>
#include <malloc.h>

#include <charconv>
#include <cstdint>
#include <stop_token>

#include "app/command.h"
#include "app/embedding_provider.h"
#include "app/memory_setup.h"
#include "app/repository.h"
#include "app/served_repository.h"
#include "app/signals.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/product_resources.h"
#include "mcp/prompts.h"
#include "mcp/server.h"
#include "mcp/services.h"
#include "mcp/stdio_transport.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

class ServeCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)");
    arguments.text("--role", role_,
                   "viewer, agent or admin, of the decision tools (default: CODEXMEM_ROLE)");
  }

  ExitCode run(Console& console) override {
    // Each of a dozen threads would keep what it freed for itself: a quarter of the memory does.
    ::mallopt(M_ARENA_MAX, 2);
    const fs::path start = start_directory(path_);
    const Settings settings = load_settings(start);
    auto tools = selected_tools(settings);
    if (!tools.ok()) return fail(console, tools.error());
    const auto watches = most_watches(settings);
    if (!watches.ok()) return fail(console, watches.error());
    const EmbeddingProvider provider = choose_provider(settings.reader());
    if (!provider.problem.empty()) log_warn("{}", provider.problem);
    const auto memory =
        set_up_memory({.folder = start, .role = role_, .maintains = true}, provider, settings);
    if (!memory.ok()) return fail(console, memory.error());
    for (const std::string& warning : memory->warnings) {
      console.note("codexmem: warning: " + printable(warning));
    }
    mcp::Services services{.memory = memory->memory.get()};
    if (names_of(*tools, "code").empty()) return serve_memory(*std::move(tools), services, console);

    const auto root = find_root(start);
    if (!root.ok()) return fail(console, root.error());
    auto workspace = store::Workspace::open(*root);
    if (!workspace.ok()) {
      // In the home directory there is no repository, but there may be an agent.
      const bool is_home = workspace.error().code() == ErrorCode::kInvalidArgument;
      const std::string others = join(names_of(*tools, "memory"), ",");
      if (!is_home || others.empty()) return fail(console, workspace.error());
      console.note(fmt::format("codexmem: warning: {}; only the memory tools are offered",
                               printable(workspace.error().message())));
      tools = mcp::ToolTable::make(mcp::tools(), others);
      if (!tools.ok()) return fail(console, tools.error());
      return serve_memory(*std::move(tools), services, console);
    }
    tell_if_in_cache(**workspace, console);
    const auto transport = mcp::StdioTransport::take_over();
    if (!transport.ok()) return fail(console, transport.error());
    const StopOnSignal signals;
    const std::stop_callback on_signal(signals.token(), [&] { (*transport)->stop(); });

    ServedRepository repository(*std::move(workspace), provider, {.watches = *watches});
    services.code = &repository.code();
    auto options = mcp::server_options(CODEXMEM_VERSION, *tools);
    const mcp::ProductResources resources;
    const auto prompts = mcp::prompts_for(*tools);
    mcp::Server server({*std::move(tools), &resources, prompts}, &services, std::move(options));
    server.serve(**transport);
    return ExitCode::kFound;
  }

 private:
  // Memory needs no repository.
  static ExitCode serve_memory(mcp::ToolTable tools, mcp::Services& services, Console& console) {
    const auto transport = mcp::StdioTransport::take_over();
    if (!transport.ok()) return fail(console, transport.error());
    const StopOnSignal signals;
    const std::stop_callback on_signal(signals.token(), [&] { (*transport)->stop(); });
    auto options = mcp::server_options(CODEXMEM_VERSION, tools);
    const auto prompts = mcp::prompts_for(tools);
    mcp::Server server({.tools = std::move(tools), .prompts = prompts}, &services,
                       std::move(options));
    server.serve(**transport);
    return ExitCode::kFound;
  }

  // The tools of one profile among those that are offered.
  static std::vector<std::string> names_of(const mcp::ToolTable& tools, std::string_view profile) {
    std::vector<std::string> names = tools.names();
    std::erase_if(names, [&](const std::string& name) {
      return !mcp::is_in_profile(*tools.find(name), profile);
    });
    return names;
  }

  // A repository offers no tool that its user does not.
  static Result<mcp::ToolTable> selected_tools(const Settings& settings) {
    const auto select = [](const std::string& selection) {
      return mcp::ToolTable::make(mcp::tools(), selection.empty() ? "all" : selection);
    };
    auto tools = select(settings.value("CODEXMEM_TOOLS"));
    if (settings.origin("CODEXMEM_TOOLS") != SettingOrigin::kProject) return tools;
    auto of_user = select(settings.of_user().value("CODEXMEM_TOOLS"));
    if (!tools.ok() || !of_user.ok()) {
      if (!tools.ok()) log_warn("{}: {}", kProjectSettingsName, tools.error().message());
      return of_user;
    }
    std::vector<std::string> names = tools->names();
    std::erase_if(names, [&](const std::string& name) { return of_user->find(name) == nullptr; });
    if (!names.empty()) return select(join(names, ","));
    log_warn("{}: tools: the user offers none of them", kProjectSettingsName);
    return of_user;
  }

  // Folders that are watched at most.
  static Result<std::size_t> most_watches(const Settings& settings) {
    const std::string text = settings.value("CODEXMEM_WATCHES");
    if (text.empty()) return SIZE_MAX;
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number).ptr == end) return number;
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("CODEXMEM_WATCHES must be a whole number, got \"{}\"", text)};
  }

  std::string path_, role_;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace codexmem::app
