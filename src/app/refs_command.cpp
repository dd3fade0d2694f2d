// codexmem refs: who uses a symbol.
#include "app/question.h"
#include "text/json.h"

namespace codexmem::app {
namespace {

class RefsCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("NAME", name_, "A name, Class.method, module.name or path::name", true)
        .are_symbols();
    arguments.text("-f,--file", file_, "The file that defines it").are_files();
    arguments.flag("--definitions,!--no-definitions", definitions_,
                   "With the definitions themselves (default), or without");
    arguments
        .text("--min-confidence", min_confidence_,
              "resolved, likely (default; name where names are not resolved), or name: "
              "whatever has the name")
        .are({"resolved", "likely", "name"});
    arguments.flag("--explain", explain_, "Show the steps from each use to the definition");
    arguments.flag("--hierarchy", hierarchy_,
                   "With callers, callees, super- and subtypes, overrides");
    options_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    Json arguments = {{"symbol", name_}, {"include_definitions", definitions_}};
    if (file_) arguments["file_path"] = *file_;
    if (min_confidence_) arguments["min_confidence"] = *min_confidence_;
    if (explain_) arguments["explain"] = true;
    if (hierarchy_) arguments["include_hierarchy"] = true;
    return ask(options_, "get_references", dump_json(arguments), "file_path", render_references,
               console);
  }

 private:
  std::string name_;
  std::optional<std::string> file_, min_confidence_;
  bool definitions_ = true, explain_ = false, hierarchy_ = false;
  QuestionOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_refs_command() { return std::make_unique<RefsCommand>(); }

}  // namespace codexmem::app
