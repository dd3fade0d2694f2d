#include "app/question.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "app/refresh.h"
#include "serve/repository.h"
#include "app/signals.h"
#include "text/json.h"
#include "base/stop_scope.h"
#include "base/symbol_type.h"
#include "base/text.h"
#include "graph/facts_cache.h"
#include "index/indexer.h"
#include "ask/context.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"
#include "parse/languages.h"
#include "search/search.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// How long an answer waits for somebody else's run, which may be long; as a server has it.
constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::hours kFirstPatience{24};

// The paths of `arguments` as the tools want them: from the root.
std::string with_paths_from_root(std::string_view arguments, std::string_view paths,
                                 const fs::path& root, const fs::path& start) {
  Json value = Json::parse(arguments);
  for (const std::string_view name : split(paths, ',')) {
    const auto found = value.find(std::string(name));
    if (found != value.end()) {
      *found = serve::relative_to_root(root, start, found->get<std::string>());
    }
  }
  return dump_json(value);
}

// The index of the repository around `start`, as fresh as it can be had.
Result<std::unique_ptr<store::Workspace>> open_fresh(const QuestionOptions& options,
                                                     const serve::EmbeddingProvider& provider,
                                                     const fs::path& start, std::stop_token stop,
                                                     Console& console) {
  if (options.no_refresh) {
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
      refresh_index(**opened, run, first ? kFirstPatience : kPatience, console, stop);
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

mcp::ToolResult call(const mcp::ToolTable& table, const mcp::Tool& tool,
                     const std::string& arguments, const mcp::CallContext& context) {
  const auto value = JsonValue::parse(arguments);
  return value.ok() ? table.call(tool, *value, context)
                    : mcp::make_failure("ValidationError", value.error().message());
}

// Adds the definitions of `page`, a page of references, to those of `whole`, and has the page's
// items refer to them there.
void merge_definitions(Json& whole, Json& page) {
  if (!whole.contains("definitions") || !page.contains("definitions")) return;
  Json& definitions = whole["definitions"];
  std::vector<std::size_t> places;  // in `definitions`, of each of the page
  for (Json& definition : page["definitions"]) {
    const auto known = std::find(definitions.begin(), definitions.end(), definition);
    places.push_back(static_cast<std::size_t>(known - definitions.begin()));
    if (known == definitions.end()) definitions.push_back(std::move(definition));
  }
  for (Json& item : page["results"]) {
    if (!item.contains("definition")) continue;
    item["definition"] = places.at(item["definition"].get<std::size_t>());
  }
  if (page.contains("definitionsOmitted")) {
    const std::size_t all = places.size() + page["definitionsOmitted"].get<std::size_t>();
    whole["definitionsOmitted"] = all - definitions.size();
  }
}

// Long lists come in pages, for readers that pay for each word. A shell gets them whole.
void add_further_pages(const mcp::ToolTable& table, const mcp::Tool& tool,
                       const std::string& arguments, const mcp::CallContext& context,
                       mcp::ToolResult& result) {
  Json whole = Json::parse(result.structured, nullptr, /*allow_exceptions=*/false);
  if (!whole.is_object() || !whole.contains("nextOffset") || !whole["results"].is_array()) return;
  // Names that are merely near are a hint, of which the best are enough.
  if (!whole["results"].empty() && whole["results"][0].value("match", "exact") != "exact") return;
  Json next_arguments = Json::parse(arguments);
  // A search has as many results as were asked for, of however many there are.
  const std::size_t most = tool.name == "search_code"
                               ? static_cast<std::size_t>(next_arguments.value("limit", 10.0))
                               : SIZE_MAX;
  Json next = whole["nextOffset"];
  while (!next.is_null() && whole["results"].size() < most) {
    next_arguments["offset"] = next;
    if (most != SIZE_MAX) next_arguments["limit"] = most - whole["results"].size();
    mcp::ToolResult page = call(table, tool, dump_json(next_arguments), context);
    if (page.is_error) {
      result = std::move(page);
      return;
    }
    Json more = Json::parse(page.structured, nullptr, /*allow_exceptions=*/false);
    merge_definitions(whole, more);
    for (Json& item : more["results"]) whole["results"].push_back(std::move(item));
    next = more.contains("nextOffset") ? more["nextOffset"] : Json(nullptr);
    whole["omitted"] = more.value("omitted", Json(nullptr));
  }
  whole.erase("nextOffset");
  if (next.is_null()) whole.erase("omitted");
  if (whole.contains("definitionsOmitted") && whole["definitionsOmitted"] == 0) {
    whole.erase("definitionsOmitted");
  }
  result.text = dump_json(whole["results"]);
  result.structured = dump_json(whole);
}

// A list alone does not say that it was ranked without vectors.
void tell_if_degraded(const std::string& structured, Console& console) {
  const Json answer = Json::parse(structured, nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object() || !answer.value("degraded", false)) return;
  console.note("codexmem: warning: " + answer.value("note", ""));
}

// A failure's exit code by its type in the contract.
ExitCode exit_code_of_failure(const Json& failure) {
  return failure.is_object() && failure.value("type", "") == "FileNotFoundError"
             ? exit_code_of(ErrorCode::kNotFound)
             : ExitCode::kError;
}

}  // namespace

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

void QuestionOptions::declare(Arguments& arguments) {
  arguments.text("--repo", directory, "Ask about the repository around this folder").are_folders();
  arguments.flag("--json", json, "Print the tool's JSON");
  arguments.flag("--no-refresh", no_refresh, "Answer from the index as it is");
}

ExitCode ask(const QuestionOptions& options, std::string_view tool, std::string_view arguments,
             std::string_view paths,
             Rendered (*render)(std::string_view answer, const Console& console),
             Console& console) {
  const StopOnSignal signals;
  const StopScope scope(signals.token());
  const fs::path start = serve::start_directory(options.directory);
  const Settings settings = serve::load_settings(start);
  const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
  auto workspace = open_fresh(options, provider, start, signals.token(), console);
  if (!workspace.ok()) return fail(console, workspace.error());
  const auto table = mcp::ToolTable::make(mcp::tools());
  if (!table.ok()) return fail(console, table.error());
  const mcp::Tool* row = table->find(tool);
  CODEXMEM_CHECK(row != nullptr);

  const std::string asked = with_paths_from_root(arguments, paths, (*workspace)->root(), start);
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
  mcp::CallContext context;
  context.services = &services;
  context.stop = signals.token();
  mcp::ToolResult result = call(*table, *row, asked, context);
  if (!result.is_error) add_further_pages(*table, *row, asked, context, result);
  if (result.is_error) {
    const Json failure = Json::parse(result.structured, nullptr, /*allow_exceptions=*/false);
    console.error(failure.is_object() && failure.contains("message")
                      ? failure["message"].get<std::string>()
                      : result.text);
    if (options.json) console.print_json(result.structured);
    return exit_code_of_failure(failure);
  }
  if (!result.note.empty()) console.note("codexmem: warning: " + result.note);
  const Rendered rendered = render(result.structured, console);
  if (options.json) {
    console.print_json(result.text);
    tell_if_degraded(result.structured, console);
  } else {
    console.print(rendered.text);
    if (!rendered.found && rendered.text.empty()) console.note("nothing found");
  }
  return rendered.found ? ExitCode::kFound : ExitCode::kNothingFound;
}

}  // namespace codexmem::app
