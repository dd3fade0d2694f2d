#include "serve/served_repository.h"

#include <fmt/core.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "serve/background_vectors.h"
#include "serve/fresh_index.h"
#include "serve/memory_setup.h"
#include "serve/pack_source.h"
#include "serve/repository.h"
#include "base/log.h"
#include "graph/stored/facts_cache.h"
#include "index/packs/store_check.h"
#include "search/search.h"

namespace codexmem::serve {
namespace {

// Two parts in a hundred of a core, while files of a pack are not compared yet.
constexpr std::chrono::milliseconds kComparePause{5'000}, kCompareTime{100};

}  // namespace

Result<std::size_t> most_watches(const Settings& settings) {
  const std::string text = settings.value("CODEXMEM_WATCHES");
  if (text.empty()) return SIZE_MAX;
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [read_to, failed] = std::from_chars(text.data(), end, number);
  if (failed == std::errc() && read_to == end) return number;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("CODEXMEM_WATCHES must be a whole number, got \"{}\": correct or unset "
                           "it, and start the server again",
                           text)};
}

struct ServedRepository::Impl {
  Impl(std::shared_ptr<store::Workspace> opened, EmbeddingProvider chosen, Options given)
      : workspace(std::move(opened)),
        provider(std::move(chosen)),
        options(std::move(given)),
        packs(load_settings(workspace->root()).value("CODEXMEM_PACK"), workspace->directory()),
        search(*workspace, search_options()),
        vectors(
            *workspace, provider.embedder, [this] { warm(); }, [this] { return packs.find(); }),
        fresh(*workspace, [this] { after_run(); },
              {.watches = options.watches,
               .skip_embeddings = !provider.is_built_in(),
               .replace_vectors = provider.is_named,
               .first_packs = [this](const std::stop_token& stop) { return packs.open(stop); }}),
        code{.workspace = *workspace, .search = search, .facts = facts},
        comparer([this](const std::stop_token& stop) { compare(stop); }) {
    maker = &vectors;
    code.index = [this](const index::IndexOptions& what, const index::ProgressCallback& progress,
                        std::stop_token stop) { return index(what, progress, std::move(stop)); };
    code.provider = [this] { return provider.status(); };
    code.watch_gap = [this] { return fresh.watch_gap(); };
    code.await_ready = [this](const ask::Context& context, auto deadline) {
      return fresh.await(deadline, context.stop, [&context](const index::IndexProgress& now) {
        context.progress({static_cast<double>(now.files_done), static_cast<double>(now.files_total),
                          fmt::format("indexing first: {}", index::index_phase_name(now.phase))});
      });
    };
  }

  // Another process may have indexed: files without vectors are then found by a query.
  search::SearchOptions search_options() {
    search::SearchOptions chosen = provider.search_options();
    chosen.on_pending = [this] {
      if (auto* there = maker.load(); there != nullptr) there->notify();
    };
    return chosen;
  }

  // Loads data before the first query.
  void warm() {
    if (const auto done = search.refresh(); !done.ok())
      log_warn("search: {}", done.error().message());
  }

  void after_run() {
    if (provider.embedder == nullptr) packs.close();  // otherwise its vectors are still needed
    warm();
    if (auto* there = maker.load(); there != nullptr) there->notify();
    follow_cited_code(*workspace, options.own_store);
    if (options.after_change) options.after_change();
  }

  // Compares the files of a pack with what they say, a few at a time. The next look at all files
  // (fresh_index.h) reads again what a pack lied about.
  void compare(const std::stop_token& stop) noexcept {
    try {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any pause;
      while (!stop.stop_requested()) {
        pause.wait_for(lock, stop, kComparePause, [] { return false; });
        if (stop.stop_requested()) return;
        const auto done = index::check_some_facts(*workspace, kCompareTime, stop);
        if (!done.ok()) log_debug("packs: {}", done.error().message());
      }
    } catch (const std::exception& error) {
      log_warn("packs: {}", error.what());
    }
  }

  Result<index::IndexReport> index(const index::IndexOptions& what,
                                   const index::ProgressCallback& progress, std::stop_token stop) {
    CODEXMEM_ASSIGN(auto report, fresh.run(what, progress, std::move(stop)));
    if (!provider.problem.empty()) report.warnings.push_back(provider.problem);
    if (provider.embedder != nullptr) {
      report.warnings.push_back(fmt::format("the vectors of {} are made in the background",
                                            provider.embedder->model_id()));
    }
    return report;
  }

  const std::shared_ptr<store::Workspace> workspace;
  const EmbeddingProvider provider;
  const Options options;
  graph::FactsCache facts;
  std::atomic<BackgroundVectors*> maker = nullptr;
  FirstPacks packs;
  search::SearchEngine search;
  BackgroundVectors vectors;
  FreshIndex fresh;
  ask::CodeServices code;
  std::jthread comparer;  // last: it ends before the members that it uses
};

ServedRepository::ServedRepository(std::shared_ptr<store::Workspace> workspace,
                                   EmbeddingProvider provider, Options options)
    : impl_(std::make_unique<Impl>(std::move(workspace), std::move(provider), std::move(options))) {
}
ServedRepository::~ServedRepository() = default;
store::Workspace& ServedRepository::workspace() { return *impl_->workspace; }
ask::CodeServices& ServedRepository::code() { return impl_->code; }

}  // namespace codexmem::serve
