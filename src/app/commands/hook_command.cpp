// codexmem hook PLATFORM EVENT: what a coding tool runs when something happens in a session.
#include <unistd.h>

#include "app/command.h"
#include "hook/hook.h"

namespace codexmem::app {
namespace {

class HookCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PLATFORM", platform_, "claude-code, codex, cursor or raw", true)
        .are({"claude-code", "codex", "cursor", "raw"});
    arguments
        .text("EVENT", event_,
              "session-init, observation, file-edit, summarize, session-complete, context, "
              "user-message or before-edit",
              true)
        .are({"session-init", "observation", "file-edit", "summarize", "session-complete",
              "context", "user-message", "before-edit"});
  }

  bool opens_many_files() const override { return false; }

  ExitCode run(Console&) override {
    return hook::run_hook(platform_, event_, STDIN_FILENO, STDOUT_FILENO) == 0
               ? ExitCode::kFound
               : ExitCode::kNothingFound;
  }

 private:
  std::string platform_, event_;
};

}  // namespace

std::unique_ptr<Command> make_hook_command() { return std::make_unique<HookCommand>(); }

}  // namespace codexmem::app
