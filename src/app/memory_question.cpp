#include "app/memory_question.h"

#include <fmt/core.h>

#include <iostream>
#include <iterator>
#include <optional>
#include <utility>

#include "serve/repository.h"
#include "app/signals.h"
#include "text/json.h"
#include "base/text.h"
#include "graph/facts_cache.h"
#include "ask/context.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"
#include "search/search.h"

namespace codexmem::app {
namespace {

// What a tool needs of the repository around, where that is indexed.
struct CodeAround {
  std::unique_ptr<store::Workspace> workspace;
  std::unique_ptr<search::SearchEngine> search;
  graph::FactsCache facts;
  std::optional<ask::CodeServices> services;

  explicit CodeAround(const serve::EmbeddingProvider& provider) {
    auto opened = serve::open_index(serve::start_directory({}));
    if (!opened.ok()) return;
    workspace = *std::move(opened);
    search = std::make_unique<search::SearchEngine>(*workspace, provider.search_options());
    services.emplace(ask::CodeServices{.workspace = *workspace, .search = *search, .facts = facts});
    services->index = [this, &provider](index::IndexOptions run,
                                        const index::ProgressCallback& progress,
                                        std::stop_token stop) {
      provider.apply_to(&run);
      return index::index_repository(*workspace, run, progress, std::move(stop));
    };
  }
};

Result<serve::MemorySetup> set_up(const MemoryQuestion& question,
                                  const serve::EmbeddingProvider& provider,
                                  const Settings& settings, Console& console) {
  CODEXMEM_ASSIGN(
      serve::MemorySetup setup,
      serve::set_up_memory(
          {.folder = serve::start_directory({}), .role = question.role, .is_at_shell = true},
          provider, settings));
  for (const std::string& warning : setup.warnings) {
    console.note("codexmem: warning: " + warning);
  }
  return setup;
}

// What people typed for an argument of a tool.
constexpr std::pair<std::string_view, std::string_view> kOptions[] = {
    {"text", "TEXT"},
    {"ids", "ID"},
    {"dateStart", "--from"},
    {"dateEnd", "--to"},
    {"orderBy", "--order"},
    {"limit", "--limit"},
    {"offset", "--offset"},
    {"type", "--type"},
    {"entry_type", "--type"},
    {"project", "--project"},
    {"mode", "--mode"},
    {"anchor", "ANCHOR"},
    {"depth_before", "--before"},
    {"depth_after", "--after"},
    {"max_age_days", "--max-age"},
    {"max_entries_per_project", "--max-entries"},
    {"target", "--target"},
    {"rationale", "--rationale"},
    {"source_ref", "--source"},
};

// A failure that begins with an argument, with the option in its place.
std::string in_options(std::string message) {
  for (const auto& [argument, option] : kOptions) {
    if (message.starts_with(std::string(argument) + " ")) {
      return std::string(option) + message.substr(argument.size());
    }
  }
  return message;
}

}  // namespace

void MemoryQuestion::declare(Arguments& arguments) {
  arguments.flag("--json", json, "Print the tool's JSON");
}

Result<memory::Memory*> open_memory(const MemoryQuestion& question, serve::MemorySetup* setup,
                                    Console& console) {
  const Settings settings = serve::load_settings(serve::start_directory({}));
  CODEXMEM_ASSIGN(*setup,
                  set_up(question, serve::choose_provider(settings.reader()), settings, console));
  return setup->memory->get();
}

ExitCode ask_memory(const MemoryQuestion& question, std::string_view tool,
                    std::string_view arguments,
                    Rendered (*render)(std::string_view answer, const Console& console),
                    Console& console) {
  const StopOnSignal signals;
  const Settings settings = serve::load_settings(serve::start_directory({}));
  const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
  const auto setup = set_up(question, provider, settings, console);
  if (!setup.ok()) return fail(console, setup.error());
  const auto table = mcp::ToolTable::make(mcp::tools());
  if (!table.ok()) return fail(console, table.error());
  const mcp::Tool* const row = table->find(tool);
  CODEXMEM_CHECK(row != nullptr);

  CodeAround code(provider);
  ask::Services services{.code = code.services ? &*code.services : nullptr,
                         .memory = setup->memory.get()};
  mcp::CallContext context;
  context.services = &services;
  context.stop = signals.token();
  const auto value = JsonValue::parse(arguments);
  if (!value.ok()) return fail(console, value.error());
  const mcp::ToolResult result = table->call(*row, *value, context);
  if (result.is_error) return fail_as_tool(question, result.text, result.structured, console);
  const Rendered rendered = render(result.structured, console);
  if (question.json) {
    console.print_json(result.structured);
  } else {
    console.print(rendered.text);
    if (!rendered.found && rendered.text.empty()) console.note("nothing found");
  }
  return rendered.found ? ExitCode::kFound : ExitCode::kNothingFound;
}

Result<std::string> text_or_input(const std::string& given) {
  if (given != "-") return given;
  std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  if (std::cin.bad()) return Error{ErrorCode::kIo, "standard input cannot be read"};
  return text;
}

ExitCode fail_as_tool(const MemoryQuestion& question, const std::string& text,
                      const std::string& structured, Console& console) {
  const Json failure = Json::parse(structured, nullptr, /*allow_exceptions=*/false);
  const bool has_message = failure.is_object() && failure.contains("message");
  console.error(in_options(has_message ? failure["message"].get<std::string>() : text));
  if (question.json) console.print_json(structured);
  return failure.is_object() && failure.value("code", "") == "ENTRY_NOT_FOUND"
             ? ExitCode::kNothingFound
             : ExitCode::kError;
}

}  // namespace codexmem::app
