// codexmem deps: what a file imports, and what imports it.
#include "app/question.h"
#include "text/json.h"

namespace codexmem::app {
namespace {

class DepsCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("FILE", file_, "The file asked about", true).are_files();
    arguments.number("-d,--depth", depth_, "Levels of files (1 to 10, default 2)");
    arguments.flag("-x,--external", external_, "With packages from outside");
    arguments.number("--offset", offset_, "Files to skip, when an answer was cut");
    options_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    Json arguments = {{"file_path", file_}, {"include_external", external_}};
    if (depth_) arguments["depth"] = *depth_;
    if (offset_) arguments["offset"] = *offset_;
    return ask(options_, "analyze_dependencies", dump_json(arguments), "file_path",
               render_dependencies, console);
  }

 private:
  std::string file_;
  std::optional<double> depth_, offset_;
  bool external_ = false;
  QuestionOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_deps_command() { return std::make_unique<DepsCommand>(); }

}  // namespace codexmem::app
