// codexmem lsp: a language server on standard input and output.
#include <malloc.h>
#include <unistd.h>

#include <stop_token>

#include "app/command.h"
#include "app/signals.h"
#include "lsp/server.h"
#include "mcp/stdio_transport.h"
#include "serve/repository.h"

namespace codexmem::app {
namespace {

class LspCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments
        .text("PATH", path_,
              "A folder of the repository (default: the folder that the editor opens)")
        .are_folders();
    arguments.flag("--stdio", stdio_, "Nothing else is possible; some clients always say it");
  }

  ExitCode run(Console& console) override {
    // Each thread would keep the memory that it freed.
    ::mallopt(M_ARENA_MAX, 2);
    lsp::ServerOptions options{.version = CODEXMEM_VERSION};
    if (!path_.empty()) {
      const auto root = serve::find_root(serve::start_directory(path_));
      if (!root.ok()) return fail(console, root.error());
      options.root = *root;
    }
    if (::isatty(STDIN_FILENO) != 0) {
      console.note("codexmem: LSP on standard input: editors start this; Ctrl-C ends it");
    }
    const auto transport = mcp::StdioTransport::take_over(mcp::Framing::kHeaders);
    if (!transport.ok()) return fail(console, transport.error());
    const StopOnSignal signals;
    const std::stop_callback on_signal(signals.token(), [&] { (*transport)->stop(); });
    lsp::Server server(**transport, std::move(options));
    // The protocol: 0 after a shutdown request, else 1.
    return server.serve() ? ExitCode::kFound : ExitCode::kNothingFound;
  }

 private:
  std::string path_;
  bool stdio_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lsp_command() { return std::make_unique<LspCommand>(); }

}  // namespace codexmem::app
