#include "app/question.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/render/question_text.h"
#include "app/look.h"
#include "app/open_workspace.h"
#include "app/param_options.h"
#include "app/commands/question_command.h"
#include "app/refresh.h"
#include "app/signals.h"
#include "ask/code/code_place.h"
#include "ask/fresh.h"
#include "ask/questions.h"
#include "ask/revision.h"
#include "serve/embedding_provider.h"
#include "serve/fleet_setup.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "base/stop_scope.h"
#include "graph/stored/facts_cache.h"
#include "index/run/indexer.h"
#include "search/search.h"
#include "text/json.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// "zod at 1a2b3c4d5e6f, changed since": the repositories of a workspace that an answer names.
std::string revisions_text(const std::string& structured) {
  std::string text;
  const Json answer = Json::parse(structured, nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object() || !answer.contains("repositories")) return text;
  for (const Json& each : answer["repositories"]) {
    const std::string revision = each.value("revision", "");
    if (revision.empty()) continue;
    text +=
        fmt::format("{}{} at {}{}\n", text.empty() ? "\n" : "", each.value("name", ""),
                    revision.substr(0, 12), each.value("changed", false) ? ", changed since" : "");
  }
  return text;
}

// How long an answer waits for somebody else's run, which may be long; as a server has it.
constexpr std::chrono::seconds kQuestionPatience{5};

}  // namespace

Result<std::unique_ptr<store::Workspace>> open_fresh_index(bool no_refresh,
                                                           const serve::EmbeddingProvider& provider,
                                                           const fs::path& start,
                                                           std::stop_token stop, Console& console) {
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
    report_if_in_cache(**opened, console);
  }
  index::IndexOptions run;
  provider.apply_to(&run);
  // Waits for the first index, whichever process builds it.
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

QuestionCommand::QuestionCommand(std::string_view question)
    : question_(ask::get_question(question)), options_(question_), render_(find_render(question)) {}

void QuestionCommand::declare(Arguments& arguments) {
  options_.declare(arguments);
  arguments.text("--repo", directory_, "Ask about the repository around this folder").are_folders();
  arguments
      .text("-w,--workspace", workspace_,
            question_.is_united
                ? "Ask about all repositories that this file names; none: only about this one"
                : "The file whose repositories --repository chooses from")
      .are_files();
  look_.declare(arguments);
  arguments.flag("--json", json_, "Print the tool's JSON");
  arguments.flag("--no-refresh", no_refresh_, "Answer from the index as it is");
}

ExitCode QuestionCommand::run(Console& console) {
  if (const auto done = look_.apply(console); !done.ok()) return fail(console, done.error());
  const StopOnSignal signals;
  const StopScope scope(signals.token());
  const fs::path typed_in = serve::start_directory(directory_);
  auto members = choose_workspace(workspace_, typed_in);
  if (!members.ok()) return fail_to_find(console, members.error());
  fs::path start = start_in(*members, typed_in);
  const bool is_of_one = !question_.is_united || !options_.text(ask::kAt).empty();
  if (is_of_one && !members->empty()) {
    auto one = choose_one(*members, typed_in, console);
    if (!one.ok()) return fail_to_find(console, one.error());
    start = *std::move(one);
    members->clear();
    options_.drop(ask::kRepository);
  }
  const ask::Home chosen = start == typed_in ? ask::Home::kChosen : ask::Home::kFirst;
  const Settings settings = serve::load_settings(start);
  if (options_.has("fleet")) return ask_fleet(settings, signals.token(), console);
  const auto expected = expect_repository(start, "name the workspace's file with --workspace");
  if (!expected.ok()) return fail_to_find(console, expected.error());
  const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
  auto workspace = open_fresh_index(no_refresh_, provider, start, signals.token(), console);
  if (!workspace.ok()) return fail_to_find(console, workspace.error());

  graph::FactsCache facts;
  search::SearchEngine search(**workspace, provider.search_options());
  ask::CodeServices code{
      .workspace = **workspace, .search = search, .facts = facts, .await_ready = {}};
  code.index = [&](index::IndexOptions run, const index::ProgressCallback& progress,
                   std::stop_token stop) {
    provider.apply_to(&run);
    return index::index_repository(**workspace, run, progress, std::move(stop));
  };
  // get_context lists the memories that cite the code.
  const auto memory =
      serve::set_up_memory({.folder = start, .is_at_shell = true}, provider, settings);
  ask::Services services{.code = &code, .memory = memory.ok() ? memory->memory.get() : nullptr};
  ask::Context context;
  context.services = &services;
  context.stop = signals.token();
  context.whole_lists = true;  // pages are for readers that pay for each word
  ParamOptions::PathReader read_path = [&](const std::string& typed) {
    return serve::relative_to_root((*workspace)->root(), start, typed);
  };
  // What was typed names files and symbols of the revision that is asked about.
  std::shared_ptr<ask::RevisionServices> at;
  if (const std::string revision = options_.text(ask::kAt); !revision.empty()) {
    auto opened = ask::open_revision(context, revision);
    if (!opened.ok()) return fail_to_find(console, opened.error());
    at = *std::move(opened);
  }
  std::optional<OpenWorkspace> whole;
  if (at == nullptr && !members->empty()) {
    whole.emplace(*std::move(members), code, chosen, no_refresh_, signals.token(), console);
    services.code = &whole->united().code();
    // Paths are of the repository that is named; for other questions it only limits results.
    const std::string named = options_.text(ask::kRepository);
    const bool is_unused = question_.name == "unused_code";
    const bool is_path_of_it = is_unused || question_.name == "get_context";
    read_path = whole->path_reader(typed_in, is_path_of_it ? named : "");
    if (const auto paths = options_.texts("paths"); is_unused && !named.empty() && !paths.empty()) {
      Json list = Json::array();
      for (const std::string& path : paths) list.push_back(read_path(path));
      options_.put("paths", dump_json(list));
    }
  }
  ask::Context asked = context;
  ask::Staleness unused;
  asked.staleness = &unused;
  if (at != nullptr) asked.services = &at->services;
  if (const auto ready = prepare(asked, read_path, console); !ready.ok()) {
    return fail_to_find(console, ready.error());
  }
  const auto arguments = options_.read(read_path);
  if (!arguments.ok()) return fail(console, arguments.error());
  const ask::Outcome outcome = ask::ask(question_, *arguments, context);
  const ExitCode printed = print(outcome, console);
  return outcome.ok() ? conclude(**workspace, *outcome.answer, printed, console, signals.token())
                      : printed;
}

Result<fs::path> QuestionCommand::choose_one(const std::vector<serve::WorkspaceMember>& members,
                                             const fs::path& typed_in, Console& console) {
  const std::string name = options_.text(ask::kRepository);
  CODEXMEM_ASSIGN(const serve::WorkspaceMember one, choose_member(members, name, typed_in));
  if (name.empty()) {
    const ask::OnlyRepository only{one.name, ask::list_names(members, one.name)};
    console.note("codexmem: " + only.text("--repository"));
    return typed_in;
  }
  const auto root = serve::find_root(typed_in);
  return root.ok() && *root == one.root ? typed_in : one.root;
}

ExitCode QuestionCommand::ask_fleet(const Settings& settings, std::stop_token stop,
                                    Console& console) {
  auto fleet = serve::set_up_fleet(settings);
  if (!fleet.ok()) return fail(console, fleet.error());
  ask::Services services{.fleet = *std::move(fleet)};
  ask::Context context;
  context.services = &services;
  context.stop = stop;
  context.whole_lists = true;
  if (services.fleet == nullptr) {
    return fail(console, {ErrorCode::kNotFound,
                          "no fleet is set up: `codexmem config set fleetUrl http://...` names "
                          "its server"});
  }
  const auto arguments = options_.read();
  if (!arguments.ok()) return fail(console, arguments.error());
  return print(ask::ask(question_, *arguments, context), console);
}

ExitCode QuestionCommand::print(const ask::Outcome& outcome, Console& console) const {
  const ask::Written written = outcome.to_json();
  if (!outcome.ok() && caught_signal() != 0) {
    return fail(console, {ErrorCode::kCancelled, "stopped"});
  }
  if (!outcome.ok()) {
    console.error(options_.in_options(outcome.failure.message));
    if (json_) console.print_json(written.structured);
    return outcome.failure.type == "FileNotFoundError" ? ExitCode::kNothingFound : ExitCode::kError;
  }
  if (!written.note.empty()) console.note("codexmem: warning: " + written.note);
  for (const ask::AnsweredRepository& each : outcome.repositories) {
    if (each.missing.empty()) continue;
    console.note(fmt::format("codexmem: warning: without {}: {}", each.name, each.missing));
  }
  const Rendered rendered = render(*outcome.answer, console);
  if (json_) {
    console.print_json(written.text);
    if (!rendered.warning.empty()) console.note("codexmem: warning: " + rendered.warning);
  } else {
    console.print_paged(rendered.text + revisions_text(written.structured));
    if (!rendered.found && rendered.text.empty()) console.note("nothing found");
  }
  return rendered.found ? ExitCode::kFound : ExitCode::kNothingFound;
}

namespace {

class ContextCommand : public QuestionCommand {
 public:
  ContextCommand() : QuestionCommand("get_context") {}

 protected:
  Result<void> prepare(const ask::Context& context, const ParamOptions::PathReader& read_path,
                       Console& console) override {
    if (options().has("symbol")) return {};
    ask::Context limited = context;
    const ask::UnitedCode* const united = context.code().united;
    const std::string repository = options().text(ask::kRepository);
    if (united != nullptr && united->find(repository) != nullptr) limited.repository = repository;
    const auto keep = [&](const std::string& path) { return ask::is_asked(limited, path); };
    CODEXMEM_ASSIGN(const ask::CodePlace place,
                    ask::answer_fresh<ask::CodePlace>(
                        context, {},
                        [&](store::CodeReader& reader) {
                          return ask::find_code_place(reader, context.code().workspace.root(),
                                                      options().word("file_path"), read_path, keep);
                        },
                        [](const ask::CodePlace&, std::set<std::string>&) {}));
    options().put("file_path", dump_json(Json(place.path)));
    if (place.symbol) options().put("symbol", dump_json(Json(*place.symbol)));
    if (!place.note.empty()) console.note(place.note);
    return {};
  }
};

class ReferencesCommand : public QuestionCommand {
 public:
  ReferencesCommand() : QuestionCommand("get_references") {}

  void declare(Arguments& arguments) override {
    QuestionCommand::declare(arguments);
    arguments.number("-l,--limit", limit_,
                     "Definitions and uses to print, 0 for all (default 100 on a terminal, else "
                     "all)");
  }

  ExitCode run(Console& console) override {
    if (limit_ && !(*limit_ >= 0)) {
      return fail(console, {ErrorCode::kInvalidArgument, "--limit must be at least 0"});
    }
    return QuestionCommand::run(console);
  }

 protected:
  Rendered render(const ask::Answer& answer, const Console& console) const override {
    const double limit = std::min(limit_.value_or(console.is_terminal() ? 100 : 0), 1e9);
    return render_references(answer, console, static_cast<std::size_t>(limit));
  }

 private:
  std::optional<double> limit_;
};

}  // namespace

std::unique_ptr<Command> make_question_command(std::string_view question) {
  return std::make_unique<QuestionCommand>(question);
}

std::unique_ptr<Command> make_references_command() { return std::make_unique<ReferencesCommand>(); }

std::unique_ptr<Command> make_fleet_search_command() {
  class FleetSearchCommand : public QuestionCommand {
   public:
    FleetSearchCommand() : QuestionCommand("search_code") { options().put("fleet", "true"); }
  };
  return std::make_unique<FleetSearchCommand>();
}

std::unique_ptr<Command> make_context_command() { return std::make_unique<ContextCommand>(); }

}  // namespace codexmem::app
