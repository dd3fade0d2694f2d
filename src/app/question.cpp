#include "app/question.h"

#include <fmt/core.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/refresh.h"
#include "app/signals.h"
#include "ask/questions.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "text/json.h"
#include "base/stop_scope.h"
#include "base/symbol_type.h"
#include "base/text.h"
#include "graph/facts_cache.h"
#include "index/indexer.h"
#include "parse/languages.h"
#include "search/search.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// How long an answer waits for somebody else's run, which may be long; as a server has it.
constexpr std::chrono::seconds kQuestionPatience{5};
constexpr std::chrono::hours kFirstIndexPatience{24};

// The index of the repository around `start`, as fresh as it can be had.
Result<std::unique_ptr<store::Workspace>> open_fresh(bool no_refresh,
                                                     const serve::EmbeddingProvider& provider,
                                                     const fs::path& start, std::stop_token stop,
                                                     Console& console) {
  if (no_refresh) {
    auto found = serve::open_index(start);
    if (found.ok() && !serve::has_complete_index(**found)) {
      console.note("codexmem: warning: no index run was completed, so files may be missing");
    }
    return found;
  }
  CODEXMEM_ASSIGN(const fs::path root, serve::find_root_to_index(start));
  if (!serve::has_repository(root)) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("{} is not a repository and has no index, and a question does not make "
                    "one there: run `codexmem index` first",
                    root.string())};
  }
  auto opened = store::Workspace::open(root);
  if (!opened.ok()) {
    auto as_it_is = serve::open_index(start);
    return as_it_is.ok() ? std::move(as_it_is) : std::move(opened);
  }
  const bool first = !serve::has_complete_index(**opened);
  if (first) {
    console.note(fmt::format("codexmem: indexing {} first, once", root.string()));
    tell_if_in_cache(**opened, console);
  }
  index::IndexOptions run;
  provider.apply_to(&run);
  // The first index is waited for, whoever makes it.
  const auto report =
      refresh_index(**opened, run, first ? kFirstIndexPatience : kQuestionPatience, console, stop);
  if (report.ok()) {
    serve::follow_cited_code(**opened);
    return opened;
  }
  if (report.error().code() == ErrorCode::kCancelled) {
    return Error{ErrorCode::kCancelled,
                 "stopped; what was indexed is kept, and the next question goes on from there"};
  }
  if (first) return report.error();
  console.note(fmt::format("codexmem: warning: answered from the index as it is: {}",
                           report.error().message()));
  return opened;
}

std::vector<std::string> known_languages() {
  std::vector<std::string> names;
  for (const parse::Language& language : parse::languages()) names.emplace_back(language.name);
  return names;
}

std::vector<std::string> known_extensions() {
  std::vector<std::string> all;
  for (const parse::Language& language : parse::languages()) {
    all.insert(all.end(), language.extensions.begin(), language.extensions.end());
  }
  return all;
}

std::vector<std::string> known_types() {
  std::vector<std::string> names;
  for (int type = 0; type <= static_cast<int>(SymbolType::kProperty); ++type) {
    names.emplace_back(symbol_type_name(static_cast<SymbolType>(type)));
  }
  return names;
}

// The values that there are for `param`.
void offer_values(const ask::Param& param, Values& values) {
  if (!param.choices.empty()) {
    std::vector<std::string> choices;
    for (const std::string_view choice : split(param.choices, ',')) choices.emplace_back(choice);
    return values.are(std::move(choices));
  }
  switch (param.takes) {
    case ask::Takes::kFile:
      return values.are_files();
    case ask::Takes::kFolder:
      return values.are_folders();
    case ask::Takes::kSymbol:
      return values.are_symbols();
    case ask::Takes::kLanguage:
      return values.are(known_languages());
    case ask::Takes::kExtension:
      return values.are(known_extensions());
    case ask::Takes::kKind:
      return values.are(known_types());
    default:
      return;
  }
}

// A parameter of the question as the command line gives it.
struct GivenParam {
  const ask::Param& param;
  std::string word;  // of one that must be given
  std::optional<std::string> text;
  std::vector<std::string> texts;
  std::optional<double> number;
  bool flag = false;

  bool is_on_by_default() const { return param.default_json == "true"; }

  void declare(Arguments& arguments) {
    const std::string help(param.help);
    const bool is_rest = param.option.ends_with("...");
    const std::string names(param.option.substr(0, param.option.size() - (is_rest ? 3 : 0)));
    switch (param.type) {
      case ask::ParamType::kFlag:
        flag = is_on_by_default();
        return arguments.flag(names, flag, help);
      case ask::ParamType::kNumber:
      case ask::ParamType::kWhole:
      case ask::ParamType::kInteger:
        return arguments.number(names, number, help);
      case ask::ParamType::kText:
        if (!is_rest) {
          return offer_values(param, param.required ? arguments.text(names, word, help, true)
                                                    : arguments.text(names, text, help));
        }
        [[fallthrough]];
      default:
        return offer_values(param, arguments.texts(names, texts, help, param.required));
    }
  }

  // The value for the question; null: it is not given. Paths become paths from `root`.
  Json value(const fs::path& root, const fs::path& start) const {
    if (param.type == ask::ParamType::kFlag)
      return flag != is_on_by_default() ? Json(flag) : Json();
    if (number) return *number;
    if (param.type != ask::ParamType::kText) return texts.empty() ? Json() : Json(texts);
    if (param.option.ends_with("...")) return join(texts, " ");
    if (!param.required && !text) return Json();
    const std::string& given = param.required ? word : *text;
    return param.takes == ask::Takes::kFile ? serve::relative_to_root(root, start, given) : given;
  }
};

class QuestionCommand : public Command {
 public:
  QuestionCommand(const ask::Question& question, Render render)
      : question_(question), render_(render) {}

  void declare(Arguments& arguments) override {
    for (const ask::Param& param : question_.params) {
      if (!param.option.empty()) given_.emplace_back(GivenParam{param}).declare(arguments);
    }
    arguments.text("--repo", directory_, "Ask about the repository around this folder")
        .are_folders();
    arguments.flag("--json", json_, "Print the tool's JSON");
    arguments.flag("--no-refresh", no_refresh_, "Answer from the index as it is");
  }

  ExitCode run(Console& console) override {
    const StopOnSignal signals;
    const StopScope scope(signals.token());
    const fs::path start = serve::start_directory(directory_);
    const Settings settings = serve::load_settings(start);
    const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
    auto workspace = open_fresh(no_refresh_, provider, start, signals.token(), console);
    if (!workspace.ok()) return fail(console, workspace.error());

    graph::FactsCache facts;
    search::SearchEngine search(**workspace, provider.search_options());
    ask::CodeServices code{
        .workspace = **workspace, .search = search, .facts = facts, .await_ready = {}};
    code.index = [&](index::IndexOptions run, const index::ProgressCallback& progress,
                     std::stop_token stop) {
      provider.apply_to(&run);
      return index::index_repository(**workspace, run, progress, std::move(stop));
    };
    // get_context tells which memories cite what is asked about.
    const auto memory =
        serve::set_up_memory({.folder = start, .is_at_shell = true}, provider, settings);
    ask::Services services{.code = &code, .memory = memory.ok() ? memory->memory.get() : nullptr};
    ask::Context context;
    context.services = &services;
    context.stop = signals.token();
    context.whole_lists = true;  // pages are for readers that pay for each word
    const auto arguments = arguments_json((*workspace)->root(), start);
    if (!arguments.ok()) return fail(console, arguments.error());
    return print(ask::ask(question_, *arguments, context), console);
  }

 private:
  Result<JsonValue> arguments_json(const fs::path& root, const fs::path& start) const {
    Json arguments = Json::object();
    for (const GivenParam& given : given_) {
      Json value = given.value(root, start);
      if (!value.is_null()) arguments[std::string(given.param.name)] = std::move(value);
    }
    return JsonValue::parse(dump_json(arguments));
  }

  ExitCode print(const ask::Outcome& outcome, Console& console) const {
    const ask::Written written = outcome.to_json();
    if (!outcome.ok()) {
      console.error(outcome.failure.message);
      if (json_) console.print_json(written.structured);
      return outcome.failure.type == "FileNotFoundError" ? exit_code_of(ErrorCode::kNotFound)
                                                         : ExitCode::kError;
    }
    if (!written.note.empty()) console.note("codexmem: warning: " + written.note);
    const Rendered rendered = render_(*outcome.answer, console);
    if (json_) {
      console.print_json(written.text);
      if (!rendered.warning.empty()) console.note("codexmem: warning: " + rendered.warning);
    } else {
      console.print(rendered.text);
      if (!rendered.found && rendered.text.empty()) console.note("nothing found");
    }
    return rendered.found ? ExitCode::kFound : ExitCode::kNothingFound;
  }

  const ask::Question& question_;
  Render render_;
  std::deque<GivenParam> given_;  // options are bound to their members
  std::string directory_;
  bool json_ = false, no_refresh_ = false;
};

}  // namespace

std::unique_ptr<Command> make_question_command(std::string_view question, Render render) {
  return std::make_unique<QuestionCommand>(ask::get_question(question), render);
}

}  // namespace codexmem::app
