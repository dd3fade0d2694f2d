// codexmem search: code by what it does, or by half-remembered names.
#include "app/question.h"
#include "text/json.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

class SearchCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.texts(
        "QUERY", query_,
        "What is looked for, in words or names; '\"exact text\"' and '/regex/i' must match", true);
    arguments.number("-l,--limit", limit_, "At most so many results (1 to 50, default 10)");
    arguments.texts("-e,--ext", extensions_, "Only files with these extensions: .ts,.py")
        .are(known_extensions());
    arguments.texts("--language", languages_, "Only files in these languages: python,ts")
        .are(known_languages());
    arguments.texts("--path", paths_,
                    "Only files that these globs hold, as in .gitignore from the root: 'src/**',"
                    "'!*.md'");
    arguments.texts("--kind", kinds_, "Only definitions of these kinds: class,method,enum")
        .are(known_types());
    arguments.text("--tests", tests_, "Files that are tests: include (default), exclude or only")
        .are({"include", "exclude", "only"});
    arguments.number("--threshold", threshold_,
                     "Leave out results with a lower score (0 to 1, default 0.7)");
    arguments.flag("--explain", explain_, "Show the parts of each score");
    options_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    Json arguments = {{"query", join(query_, " ")}};
    if (limit_) arguments["limit"] = *limit_;
    if (threshold_) arguments["threshold"] = *threshold_;
    if (!extensions_.empty()) arguments["file_extensions"] = extensions_;
    if (!languages_.empty()) arguments["language"] = languages_;
    if (!paths_.empty()) arguments["path"] = paths_;
    if (!kinds_.empty()) arguments["kind"] = kinds_;
    if (tests_) arguments["tests"] = *tests_;
    if (explain_) arguments["explain"] = true;
    return ask(options_, "search_code", dump_json(arguments), "", render_search, console);
  }

 private:
  std::vector<std::string> query_, extensions_, languages_, paths_, kinds_;
  std::optional<std::string> tests_;
  std::optional<double> limit_, threshold_;
  bool explain_ = false;
  QuestionOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_search_command() { return std::make_unique<SearchCommand>(); }

}  // namespace codexmem::app
