// mcp/services.h - what the product's tools stand on; app wires it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "graph/completion.h"
#include "graph/facts_cache.h"
#include "index/change_history.h"
#include "index/indexer.h"
#include "index/repository_status.h"
#include "memory/memory.h"
#include "search/search.h"
#include "store/code/workspace.h"

namespace codexmem::mcp {

struct CallContext;

/// The engines of one workspace. All of them outlive the calls; all are safe to use from many
/// threads.
struct CodeServices {
  store::Workspace& workspace;
  search::SearchEngine& search;
  graph::FactsCache& facts;

  /// An index run: index::index_repository of the workspace. Runs of one workspace queue up.
  std::function<Result<index::IndexReport>(const index::IndexOptions&,
                                           const index::ProgressCallback&, std::stop_token)>
      index = [&repository = workspace](const index::IndexOptions& options,
                                        const index::ProgressCallback& progress,
                                        std::stop_token stop) {
        return index::index_repository(repository, options, progress, std::move(stop));
      };

  /// Called before a question is answered; waits until the index describes the files as they are,
  /// at most until `deadline`. Returns why it does not; empty when it does. No function: it is up
  /// to date already. Errors become the question's failure.
  std::function<Result<std::string>(const CallContext&,
                                    std::chrono::steady_clock::time_point deadline)>
      await_ready = {};

  /// The embedding model that the settings name.
  std::function<index::ProviderStatus()> provider = [] { return index::ProviderStatus{}; };

  /// What a half-typed path or symbol may become; shared by copies of this.
  std::shared_ptr<graph::Completer> completer = std::make_shared<graph::Completer>();

  /// What changed together in git; shared by copies of this.
  std::shared_ptr<index::ChangeHistory> history =
      std::make_shared<index::ChangeHistory>(workspace.root());

  /// Why changes are not noticed by themselves; empty when they are. May be no function.
  std::function<std::string()> watch_gap = {};

  /// How long a question waits for the index in all.
  std::chrono::milliseconds patience{5'000};
};

/// What all tools stand on. Without a repository `code` is null, and calls of code tools fail with
/// `missing_code`; memory tools stand on `memory` alone. Both outlive the calls.
struct Services {
  CodeServices* code = nullptr;
  memory::LazyMemory* memory = nullptr;
  std::optional<memory::Caller> caller = {};  // of the decision tools; none: the memory's own
  std::string missing_code = {};  // why there is no code, for those who ask about it all the same
};

}  // namespace codexmem::mcp
