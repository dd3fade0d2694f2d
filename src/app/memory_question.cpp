#include "app/memory_question.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "base/log.h"
#include "serve/repository.h"
#include "app/signals.h"
#include "graph/stored/facts_cache.h"
#include "ask/context.h"
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

void MemoryQuestionCommand::declare(Arguments& arguments) {
  options_.declare(arguments);
  declare_more(arguments);
  shell_.declare(arguments);
}

ExitCode MemoryQuestionCommand::run(Console& console) {
  if (const auto done = shell_.look.apply(console); !done.ok()) {
    return fail(console, done.error());
  }
  if (const auto done = complete(); !done.ok()) return fail(console, done.error());
  const auto arguments = options_.read();
  if (!arguments.ok()) return fail(console, arguments.error());
  const StopOnSignal signals;
  const Settings settings = serve::load_settings(serve::start_directory({}));
  const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
  const auto setup = set_up(shell_, provider, settings, console);
  if (!setup.ok()) return fail(console, setup.error());
  CodeAround code(provider);
  ask::Services services{.code = code.services ? &*code.services : nullptr,
                         .memory = setup->memory.get()};
  ask::Context context;
  context.services = &services;
  context.stop = signals.token();
  const ask::Outcome outcome = ask::ask(question_, *arguments, context);
  if (!outcome.ok()) {
    console.error(options_.in_options(outcome.failure.message));
    if (const std::string text = advice(outcome.failure); !text.empty()) console.note(text);
    if (shell_.json) console.print_json(outcome.failure.structured);
    return outcome.failure.type == "ENTRY_NOT_FOUND" ? ExitCode::kNothingFound : ExitCode::kError;
  }
  const Rendered lines = shell_.json ? render_(*outcome.answer, console)
                                     : rendered(*outcome.answer, *setup->memory, console);
  if (shell_.json) {
    console.print_json(outcome.to_json().structured);
  } else {
    console.print_paged(lines.text);
    if (!lines.found && lines.text.empty()) console.note("nothing found");
  }
  if (const auto memory = setup->memory->find(); memory.ok() && *memory != nullptr) {
    // The answer is out. Nobody else may ever do it, where no server runs.
    if (auto done = (*memory)->recall().renew_vectors(signals.token()); !done.ok()) {
      log_warn("memory: {}", done.error().message());
    }
  }
  return lines.found ? ExitCode::kFound : ExitCode::kNothingFound;
}

}  // namespace codexmem::app
