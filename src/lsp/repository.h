// lsp/repository.h - the index that a language server answers from, with the open texts over it.
//
// The index is kept up to date while it is open. look() and close are for one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "index/run/indexer.h"
#include "index/run/open_texts.h"
#include "lsp/documents.h"
#include "memory/memory.h"
#include "serve/fresh_index.h"
#include "serve/memory_setup.h"
#include "store/code/workspace.h"

namespace codexmem::lsp {

/// The repository at one moment. One thread.
class Moment {
 public:
  explicit Moment(store::ReaderLease lease) : lease_(std::move(lease)) {}

  /// The files with the open texts over them.
  store::CodeReader& reader() { return *overlay_; }

 private:
  friend class Repository;
  store::ReaderLease lease_;
  store::ReadMoment moment_;
  std::unique_ptr<store::CodeReader> overlay_;
};

class Repository {
 public:
  struct Options {
    std::size_t watches = SIZE_MAX;  // maximum number of watched folders
    /// Called on a thread of its own while the first index is made, and at its end with kDone.
    std::function<void(const index::IndexProgress&)> on_first_index = {};
  };

  /// Opens the index of the repository at `root`, which is made in the background when there is
  /// none. Errors: as store::Workspace::open().
  static Result<std::unique_ptr<Repository>> open(const std::filesystem::path& root,
                                                  Options options);
  ~Repository();

  const store::Workspace& workspace() const { return *workspace_; }
  graph::FactsCache& facts() { return *facts_; }

  /// False until there is a whole index.
  bool is_ready();

  /// The state of files and `documents`, after a short wait for files that have just changed.
  /// Errors: the store's; kCancelled.
  Result<std::unique_ptr<Moment>> look(Documents& documents, const std::stop_token& stop);

  /// Frees memory that is soon filled again when it is needed.
  void rest();

  /// Memories and decisions that cite `symbol` (qualified; empty: any) of the file at `path`, as
  /// lines of plain text. Trouble with the memory gives none.
  std::vector<std::string> list_notes(Moment& moment, const std::string& path,
                                      const std::string& symbol);

 private:
  Repository(std::unique_ptr<store::Workspace> workspace, std::unique_ptr<index::OpenTexts> texts,
             Options options);
  void await_first(const std::stop_token& stop);

  const Options options_;
  std::unique_ptr<store::Workspace> workspace_;
  std::unique_ptr<graph::FactsCache> facts_;
  std::unique_ptr<index::OpenTexts> texts_;
  std::set<std::string> put_;  // paths that texts_ has
  Result<serve::MemorySetup> memory_;
  bool is_ready_ = false;
  serve::FreshIndex fresh_;
  std::jthread awaiting_;  // last: it uses the members above
};

}  // namespace codexmem::lsp
