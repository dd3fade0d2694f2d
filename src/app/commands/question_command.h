// app/commands/question_command.h - what commands that ask a question about code have in common.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/look.h"
#include "app/param_options.h"
#include "app/render/render.h"
#include "ask/answer.h"
#include "ask/context.h"
#include "ask/question.h"
#include "config/settings.h"
#include "serve/workspace.h"
#include "store/code/workspace.h"

namespace codexmem::app {

/// Brings the index up to date, asks, and prints the answer.
class QuestionCommand : public Command {
 public:
  explicit QuestionCommand(std::string_view question);

  void declare(Arguments& arguments) override;
  ExitCode run(Console& console) override;

 protected:
  /// Makes of what was typed the arguments that the question takes.
  virtual Result<void> prepare(const ask::Context&, const ParamOptions::PathReader&, Console&) {
    return {};
  }

  virtual Rendered render(const ask::Answer& answer, const Console& console) const {
    return render_(answer, console);
  }

  /// Goes on after the answer was printed, with `code` as the exit code so far.
  virtual ExitCode conclude(store::Workspace&, const ask::Answer&, ExitCode code, Console&,
                            const std::stop_token&) {
    return code;
  }

  ParamOptions& options() { return options_; }

 private:
  // Asks the organisation's index; no repository is needed.
  ExitCode ask_fleet(const Settings& settings, std::stop_token stop, Console& console);
  ExitCode print(const ask::Outcome& outcome, Console& console) const;
  // For a question about one repository of a workspace, the folder to start from instead of
  // `typed_in`; prints a note if the question named no repository.
  Result<std::filesystem::path> choose_one(const std::vector<serve::WorkspaceMember>& members,
                                           const std::filesystem::path& typed_in, Console& console);

  const ask::Question& question_;
  ParamOptions options_;
  Render render_;
  Look look_;
  std::string directory_, workspace_;
  bool json_ = false, no_refresh_ = false;
};

}  // namespace codexmem::app
