// codexmem symbol: where a name is defined.
#include "app/question.h"
#include "text/json.h"

namespace codexmem::app {
namespace {

class SymbolCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("NAME", name_, "A name, Class.method, module.name or path::name", true)
        .are_symbols();
    arguments
        .text("-t,--type", type_, "function, class, variable, interface, type, method or property")
        .are(known_types());
    arguments.text("-f,--file", file_, "Only definitions in this file").are_files();
    arguments.number("--offset", offset_, "Results to skip, when an answer was cut");
    options_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    Json arguments = {{"symbol", name_}};
    if (type_) arguments["type"] = *type_;
    if (file_) arguments["file_path"] = *file_;
    if (offset_) arguments["offset"] = *offset_;
    return ask(options_, "find_symbol", dump_json(arguments), "file_path", render_symbols, console);
  }

 private:
  std::string name_;
  std::optional<std::string> type_, file_;
  std::optional<double> offset_;
  QuestionOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_symbol_command() { return std::make_unique<SymbolCommand>(); }

}  // namespace codexmem::app
