// codexmem serve: the code and memory tools over MCP, on standard input and output or over HTTP.
#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "app/command.h"
#include "app/refresh.h"
#include "app/render/question_text.h"
#include "serve/embedding_provider.h"
#include "serve/fleet_setup.h"
#include "serve/listening.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "serve/served_repositories.h"
#include "serve/served_repository.h"
#include "serve/served_server.h"
#include "serve/team/team_file.h"
#include "serve/team/team_server.h"
#include "app/open_workspace.h"
#include "app/signals.h"
#include "base/access_token.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "mcp/http_endpoint.h"
#include "mcp/server.h"
#include "mcp/stdio_transport.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"
#include "memory/decisions/decision_roles.h"
#include "net/http_server.h"
#include "net/loopback.h"
#include "store/user/user_store.h"
#include "text/json_value.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr int kDefaultPort = 37'878;
// Ports that are tried after the default one.
constexpr int kMorePorts = 20;

std::optional<net::ServedReply> refuse_strangers(const net::ServedRequest& head) {
  if (net::is_of_this_machine(head) && !net::is_of_another_site(head)) return std::nullopt;
  constexpr std::string_view kWhy =
      R"json({"error":"only programs of this machine may ask (Host, Origin, Sec-Fetch-Site)"})json";
  return net::ServedReply{.status = 403, .body = std::string(kWhy)};
}

// 256 bits: nobody guesses one, so their plain hash is enough.
constexpr std::size_t kTokenDigits = 64;

// Serves by the team file `file` until a signal; SIGHUP reads it again.
ExitCode serve_team(const std::string& file, Console& console) {
  auto team = serve::TeamServer::open(file);
  if (!team.ok()) {
    // A file that is missing is a mistake, not an empty answer.
    return fail(console, {ErrorCode::kInvalidArgument, team.error().message()});
  }
  log_with_times();
  serve::TeamServer& served = **team;
  const StopOnSignal signals([&] {
    const auto read = served.reload();
    if (read.ok()) {
      console.note("codexmem: the team file was read again");
    } else {
      console.note(fmt::format("codexmem: the previous team file still applies: {}",
                               read.error().message()));
    }
  });
  serve::allow_files();
  net::HttpServer http([&](const net::ServedRequest& request) { return served.answer(request); },
                       served.http_options());
  const auto port = http.listen(served.port());
  if (!port.ok()) return fail(console, port.error());
  const std::string address = served.http_options().address;
  const bool is_six = address.find(':') != std::string::npos;
  console.print_line(
      fmt::format("http://{}{}{}:{}/mcp", is_six ? "[" : "", address, is_six ? "]" : "", *port));
  std::fflush(stdout);
  console.note("codexmem: MCP for a team; SIGHUP reads the file again, Ctrl-C ends it");
  const std::stop_callback on_signal(signals.token(), [&] {
    served.close();
    http.stop();
  });
  http.serve();
  return ExitCode::kFound;
}

// Prints a new token for the caller `name`, and the entry for the team file that admits it.
ExitCode print_team_token(const std::string& name, Console& console) {
  const std::string token = "cm_" + random_hex(kTokenDigits);
  console.print_line(token);
  console.print_line(
      fmt::format(R"({{"name": {}, "sha256": "{}", "repositories": ["NAME"], "role": "viewer"}})",
                  json_quote(name), sha256_hex(token)));
  console.note(
      "codexmem: the first line is the token, which codexmem does not keep: give it to the person "
      "or program that will use it; the second line goes into \"tokens\" of the team file");
  return ExitCode::kFound;
}

Result<std::string> user_token() {
  CODEXMEM_TRY(store::prepare_user_directory(user_directory()));
  return make_access_token(user_directory());
}

// A connection holds a thread, and so does each stream that stays open.
net::HttpServerOptions http_options() {
  return {.threads = 192,
          .max_body_bytes = std::size_t{16} << 20,
          .keep_alive_timeout = std::chrono::seconds(2),
          .refuse = refuse_strangers,
          .token = user_token};
}

constexpr std::string_view kHowToNameRepository =
    "start codexmem in one, `codexmem serve PATH`, or have the client send its roots";

std::string describe_no_repository(const fs::path& root) {
  return fmt::format("{} is not a repository; {}", root.string(), kHowToNameRepository);
}

class ServeCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)")
        .are_folders();
    arguments.text("-w,--workspace", workspace_, "Serve all repositories that this file names")
        .are_files();
    arguments.text("--role", role_,
                   "viewer, agent or admin, of the decision tools (default: CODEXMEM_ROLE)");
    arguments.flag("--text", text_,
                   "Answer in short text, for models, with two fifths of the bytes");
    arguments.text("--tools", tools_,
                   "The tools that are offered: code, memory, decisions, or names, with commas");
    arguments.flag("--http", http_, "Over HTTP, for several clients; its address is printed");
    arguments.text("--port", port_, "With --http: default 37878 or the next free one; 0: any");
    arguments.text("--team", team_, "With --http: repositories and tokens of a team, by this file")
        .are_files();
    arguments.text("--team-token", team_token_, "Print a new token of this name for --team");
  }

  ExitCode run(Console& console) override {
    // Each of a dozen threads would keep the memory that it freed; two arenas need a quarter of it.
    ::mallopt(M_ARENA_MAX, 2);
    if (!team_token_.empty()) return print_team_token(team_token_, console);
    if (!team_.empty()) {
      if (path_.empty() && workspace_.empty() && role_.empty() && port_.empty() && tools_.empty() &&
          !text_) {
        return serve_team(team_, console);
      }
      return fail(console, {ErrorCode::kInvalidArgument,
                            "PATH, --workspace, --role, --port, --tools and --text are not for "
                            "--team: its file says "
                            "them"});
    }
    if (!tools_.empty()) {
      const auto known = mcp::ToolTable::make(mcp::tools(), tools_);
      if (!known.ok()) return fail(console, known.error());
      ::setenv("CODEXMEM_TOOLS", tools_.c_str(), 1);  // what the option is short for
    }
    const auto port = read_port();
    if (!port.ok()) return fail(console, port.error());
    if (!role_.empty() && !memory::parse_role(role_)) {
      return fail(console,
                  {ErrorCode::kInvalidArgument,
                   fmt::format("the role must be viewer, agent or admin, got \"{}\"", role_)});
    }
    auto members = workspace_.empty() ? Result(std::vector<serve::WorkspaceMember>())
                                      : choose_workspace(workspace_, serve::start_directory(path_));
    if (!members.ok()) return fail(console, members.error());
    const fs::path start = start_in(*members, serve::start_directory(path_));
    const Settings settings = serve::load_settings(start);
    const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
    if (!provider.problem.empty()) log_warn("{}", provider.problem);
    const auto memory = serve::set_up_memory(
        {.folder = start, .role = role_, .maintains = true, .bears_trouble = true}, provider,
        settings);
    if (!memory.ok()) return fail(console, memory.error());
    auto tools = serve::selected_tools(settings, memory->role);
    if (!tools.ok()) return fail(console, tools.error());
    if (text_) tools->answer_in_text(text_for_model);
    for (const std::string& warning : memory->warnings) {
      console.note("codexmem: warning: " + warning);
    }
    serve::ServedServer::Options options{
        .memory = memory->memory.get(), .role = role_, .is_for_all = http_};
    options.members = *std::move(members);
    const bool is_moved = start != serve::start_directory(path_);
    options.home = is_moved ? ask::Home::kFirst : ask::Home::kChosen;
    options.secret = settings.of_user().value("AGENT_MEMORY_SECRET");
    auto fleet = serve::set_up_fleet(settings);
    if (!fleet.ok()) return fail(console, fleet.error());
    options.fleet = *std::move(fleet);
    // A named path is used; otherwise a client's roots are better evidence of the project.
    if (path_.empty() && settings.value("CODEXMEM_PROJECT").empty()) {
      options.project = find_project_place(start);
    }
    if (!serve::names_of(*tools, "code").empty()) {
      if (const auto found = find_code(start, settings, options, console); !found.ok()) {
        return fail(console, found.error());
      }
      options.provider = provider;
    }
    return http_ ? serve_http(*std::move(tools), std::move(options), *port, console)
                 : serve_stdio(*std::move(tools), std::move(options), console);
  }

 private:
  // The code that all clients ask about, or why it is missing. A failure to open it does not end
  // the server: the code tools report it to clients, and it may pass. Errors: a named folder that
  // does not exist.
  Result<void> find_code(const fs::path& start, const Settings& settings,
                         serve::ServedServer::Options& options, Console& console) const {
    const auto root = serve::find_root(start);
    if (!root.ok()) {
      if (!path_.empty()) return root.error();
      options.missing_code = root.error().message();
    } else if (std::error_code ignored; path_.empty() && !fs::exists(*root / ".git", ignored)) {
      const bool is_indexed = serve::has_repository(*root);
      if (!is_indexed) options.missing_code = serve::why_no_repository(*root);
      // Clients on the desktop start in some folder and send roots.
      options.prefers_roots = options.missing_code.empty() && !http_;
      if (options.prefers_roots && !is_indexed) {
        options.root = *root;
        options.missing_code = describe_no_repository(*root);
        return {};
      }
    }
    if (options.missing_code.empty()) {
      const auto watches = serve::most_watches(settings);
      auto workspace = watches.ok() ? store::Workspace::open(*root)
                                    : Result<std::unique_ptr<store::Workspace>>(watches.error());
      if (workspace.ok()) {
        report_if_in_cache(**workspace, console);
        options.workspace = *std::move(workspace);
        if (options.prefers_roots) options.missing_code = describe_no_repository(*root);
        options.watches = *watches;
        return {};
      }
      options.root = *root;
      console.note("codexmem: " + workspace.error().message());
      return {};
    }
    console.note(fmt::format("codexmem: {}; code tools wait for a client that names its roots",
                             options.missing_code));
    options.missing_code += fmt::format("; no repository is known yet: {}", kHowToNameRepository);
    return {};
  }

  static ExitCode serve_stdio(mcp::ToolTable tools, serve::ServedServer::Options options,
                              Console& console) {
    if (::isatty(STDIN_FILENO) != 0) {
      console.note("codexmem: MCP on standard input: editors start this; Ctrl-C ends it");
    }
    const auto transport = mcp::StdioTransport::take_over();
    if (!transport.ok()) return fail(console, transport.error());
    const StopOnSignal signals;
    const std::stop_callback on_signal(signals.token(), [&] { (*transport)->stop(); });
    serve::ServedServer served(std::move(tools), std::move(options));
    served.server().serve(**transport);
    return ExitCode::kFound;
  }

  static ExitCode serve_http(mcp::ToolTable tools, serve::ServedServer::Options options,
                             std::optional<int> wanted, Console& console) {
    const StopOnSignal signals;
    serve::allow_files();
    serve::ServedServer served(std::move(tools), std::move(options));
    mcp::HttpEndpoint endpoint(served.server(), {.services = [&](const net::ServedRequest& request,
                                                                 mcp::Session& session) {
                                 return served.services_of(request, session);
                               }});
    net::HttpServer http(
        [&](const net::ServedRequest& request) { return answer(endpoint, request); },
        http_options());
    const auto port = listen(http, wanted);
    if (!port.ok()) return fail(console, port.error());
    console.print_line(fmt::format("http://127.0.0.1:{}/mcp", *port));
    std::fflush(stdout);
    console.note("codexmem: MCP over HTTP for programs of this machine; Ctrl-C ends it");
    if (http.asks_for_token()) {
      if (const auto token = user_token(); !token.ok()) return fail(console, token.error());
      console.note(fmt::format(
          "codexmem: not every client's user can be known here: clients may have to send the "
          "header {}, the text of {}",
          net::kTokenHeader, (user_directory() / "token").string()));
    }
    const std::stop_callback on_signal(signals.token(), [&] {
      endpoint.close();
      http.stop();
    });
    http.serve();
    return ExitCode::kFound;
  }

  static net::ServedReply answer(mcp::HttpEndpoint& endpoint, const net::ServedRequest& request) {
    if (request.path != "/mcp") return {.status = 404, .body = R"({"error":"MCP is at /mcp"})"};
    return endpoint.handle(request);
  }

  // The port that is asked for, if one is.
  Result<std::optional<int>> read_port() const {
    if (port_.empty()) return std::optional<int>();
    if (!http_) return Error{ErrorCode::kInvalidArgument, "--port is for --http"};
    if (const auto port = serve::parse_port(port_)) return port;
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the port must be a number from 0 to 65535, got \"{}\"", port_)};
  }

  static Result<int> listen(net::HttpServer& http, std::optional<int> wanted) {
    if (wanted) return http.listen(*wanted);
    for (int port = kDefaultPort;; ++port) {
      auto listening = http.listen(port);
      const bool is_taken = !listening.ok() && listening.error().code() == ErrorCode::kBusy;
      if (!is_taken || port == kDefaultPort + kMorePorts) return listening;
    }
  }

  std::string path_, workspace_, role_, port_, tools_, team_, team_token_;
  bool http_ = false, text_ = false;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace codexmem::app
