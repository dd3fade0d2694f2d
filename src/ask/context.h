// ask/context.h - what a question is asked with: the engines, and how far an answer has come.
//
// app and serve wire the engines. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/scope.h"
#include "base/result.h"
#include "graph/uses/completion.h"
#include "graph/stored/facts_cache.h"
#include "index/changes/change_history.h"
#include "index/run/indexer.h"
#include "index/repository_status.h"
#include "memory/memory.h"
#include "search/search.h"
#include "store/code/workspace.h"

namespace codexmem::fleet {
class Fleet;
}

namespace codexmem::ask {

struct Context;
class RevisionCache;
class UnitedCode;
class UnitedCache;
std::shared_ptr<UnitedCache> make_united_cache();
std::shared_ptr<RevisionCache> make_revision_cache();

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
  std::function<Result<std::string>(const Context&, std::chrono::steady_clock::time_point deadline)>
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

  /// It is the store of a revision: its files are not on disk, and nothing is out of date.
  bool is_revision = false;

  /// Revisions that were asked about (ask/revision.h); shared by copies of this.
  std::shared_ptr<RevisionCache> revisions = make_revision_cache();

  /// Set where questions are about several repositories (ask/united.h); the rest is then of the one
  /// that is called home, but `facts`, which are of all.
  UnitedCode* united = nullptr;

  /// The cache of a workspace with this home; shared by copies of this.
  std::shared_ptr<UnitedCache> unions = make_united_cache();

  /// How long a question waits for the index in all.
  std::chrono::milliseconds patience{5'000};
};

/// What all questions need. Without a repository `code` is null, and questions about code fail with
/// `missing_code`; those about memory need only `memory`. Both outlive the questions.
struct Services {
  CodeServices* code = nullptr;
  memory::LazyMemory* memory = nullptr;
  std::optional<memory::Caller> caller = {};  // of the decision tools; none: the memory's own
  std::string missing_code = {};  // why there is no code, for those who ask about it all the same;
                                  // with code: why it may be another's than was meant
  std::optional<Scope> scope = {};           // what the caller may see; none: everything
  std::shared_ptr<fleet::Fleet> fleet = {};  // an organisation's index; null: none is set up
};

/// How far an answer has come.
struct Progress {
  double done = 0;
  double total = 0;  // 0: not known yet
  std::string message;
};

/// What an answer could not be brought up to date with.
struct Staleness {
  std::string why;                 // for people; empty: nothing is known
  std::vector<std::string> files;  // that the answer mentions and that have changed since
  // Repositories of a workspace that could not be asked, and why; the answer is of the others.
  std::vector<std::pair<std::string, std::string>> missing = {};

  bool empty() const { return why.empty() && files.empty(); }
};

/// One question that is being answered.
struct Context {
  Services* services = nullptr;  // null only for questions that need none (tests)
  std::stop_token stop;          // requested when the caller has cancelled: work ends soon after
  std::function<void(const Progress&)> on_progress = {};  // may be empty
  std::function<void(std::string_view)> on_warning = {};  // may be empty
  Staleness* staleness = nullptr;                         // set by the answer; ask() gives one
  bool whole_lists = false;     // lists are not cut unless max_tokens is given
  std::string repository = {};  // of a workspace: the only one that is asked about; empty: all

  bool has_code() const { return services != nullptr && services->code != nullptr; }
  CodeServices& code() const { return *services->code; }
  bool is_stale() const { return staleness != nullptr && !staleness->empty(); }
  void progress(const Progress& progress) const {
    if (on_progress) on_progress(progress);
  }
};

}  // namespace codexmem::ask
