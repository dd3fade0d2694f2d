// codexmem completion: the scripts by which shells complete its command lines.
#include <fmt/core.h>

#include "app/command.h"
#include "app/help/completion.h"

namespace codexmem::app {
namespace {

class CompletionCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("SHELL", shell_, "bash, zsh or fish", true).are({"bash", "zsh", "fish"});
    arguments.texts("WORDS", words_,
                    "After `words`, which the scripts call: a command line so far");
  }

  ExitCode run(Console& console) override {
    if (shell_ == "words") return show_candidates(console);
    const std::string_view script = completion_script(shell_);
    if (script.empty()) {
      console.error(
          fmt::format("there are completions for bash, zsh and fish, not for \"{}\"", shell_));
      return ExitCode::kError;
    }
    console.print(script);
    return ExitCode::kFound;
  }

 private:
  // First what the shell itself may put there, then a line for each word: word, tab, summary.
  ExitCode show_candidates(Console& console) {
    const Completion completion = complete(words_);
    console.print_line(completion.files ? "files" : completion.folders ? "folders" : "words");
    for (const Candidate& candidate : completion.candidates) {
      console.print_line(candidate.word + "\t" + candidate.summary);
    }
    return ExitCode::kFound;
  }

  std::string shell_;
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command() { return std::make_unique<CompletionCommand>(); }

}  // namespace codexmem::app
