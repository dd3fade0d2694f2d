// codexmem context: what a newcomer to a file needs to see.
#include "app/question.h"
#include "text/json.h"

namespace codexmem::app {
namespace {

class ContextCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("FILE", file_, "The file asked about", true).are_files();
    arguments.text("-s,--symbol", symbol_, "One of its symbols").are_symbols();
    arguments.number("-n,--size", size_, "How many related things (1 to 20, default 5)");
    arguments.flag("--dependencies,!--no-dependencies", dependencies_,
                   "With what the file imports (default), or without");
    options_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    Json arguments = {{"file_path", file_}, {"include_dependencies", dependencies_}};
    if (symbol_) arguments["symbol"] = *symbol_;
    if (size_) arguments["context_size"] = *size_;
    return ask(options_, "get_context", dump_json(arguments), "file_path", render_context, console);
  }

 private:
  std::string file_;
  std::optional<std::string> symbol_;
  std::optional<double> size_;
  bool dependencies_ = true;
  QuestionOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_context_command() { return std::make_unique<ContextCommand>(); }

}  // namespace codexmem::app
