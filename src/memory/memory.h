// memory/memory.h - the user's memory as a whole: one store, and all that works on it.
//
// A program that offers memory (a server, a command, the worker) opens one Memory and passes it to
// ask/memory. Safe to use from many threads. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "embed/embedder.h"
#include "memory/branches/branch_access.h"
#include "memory/transfer/chroma_mirror.h"
#include "memory/entries/citations.h"
#include "memory/clock.h"
#include "memory/decisions/decision_roles.h"
#include "memory/decisions/decisions.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/entries.h"
#include "memory/recall/recall.h"
#include "memory/recall/search_log.h"
#include "memory/entries/sessions.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

class Memory;

/// Returns the writer of a document's citations. May be no function: then code is
/// cited by name.
using CiteText = std::function<Result<DocumentWriter>(const Mentions&)>;

struct MemoryOptions {
  std::filesystem::path directory;                  // of the store
  std::shared_ptr<const embed::Embedder> embedder;  // null: no vectors
  bool is_immediate = true;  // the embedder answers from memory, not over a network
  RecallOptions recall =
      {};  // the backend; why there is no embedder or no Chroma, if one is wanted
  std::shared_ptr<embed::Chroma> chroma = {};  // null: none is configured
  std::string chroma_collection = {};          // of all projects; empty: each has its own
  Clock clock = system_clock();
  std::string project = "default";                  // of saved texts that name none
  std::filesystem::path root = {};                  // of the documents that are ingested, absolute
  bool is_isolated = false;                         // other projects are neither found nor shown
  bool leaves_traces = true;                        // searches do
  std::vector<std::string> excluded_projects = {};  // names or globs: searches in these do not
  bool maintains = false;                           // a thread does the work that is not urgent
  Caller caller = {};                               // of the decision tools
  DecisionOptions decisions = {};                   // its clock is `clock`
  /// Brings what others share up to date (memory/transfer/team_memory.h). May be no function.
  std::function<Result<void>(Memory&, const CiteText&)> look_around = {};
  BranchSource branches = {};
  bool is_of_all_projects = false;  // of no work tree: nothing is hidden
};

class Memory {
 public:
  /// Opens the store, or makes it. Errors: as store::UserStore::open().
  static Result<std::unique_ptr<Memory>> open(MemoryOptions options);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  store::UserStore& store() { return *store_; }
  const DocumentVectors& vectors() const { return vectors_; }
  Recall& recall() { return recall_; }
  ChromaMirror* chroma() { return chroma_.get(); }  // null: none is configured
  /// Why it is missing though one is wanted; empty: not wanted, or present.
  const std::string& missing_chroma() const { return options_.recall.missing_chroma; }
  /// Why nothing is embedded though it should be; empty: it is, or is not wanted.
  const std::string& missing_model() const { return options_.recall.missing_model; }
  VectorBackend vector_backend() const { return options_.recall.backend; }
  /// As they are seen on the branch of root(), or from another work tree.
  Entries entries(const BranchAccess* other = nullptr) {
    return Entries(*store_, vectors_, options_.clock, other != nullptr ? other : &branches_);
  }
  Decisions& decisions() { return decisions_; }
  Sessions sessions() { return Sessions(*store_, vectors_, options_.clock); }

  /// The branch of root().
  const BranchAccess& branches() const { return branches_; }
  /// Looks at git, and returns the scope. Trouble is logged.
  std::shared_ptr<const BranchScope> seen_now();
  /// The branch of another work tree, or of none (empty).
  std::unique_ptr<BranchAccess> branches_of(const std::filesystem::path& other);
  const Clock& clock() const { return options_.clock; }

  const std::filesystem::path& root() const { return options_.root; }
  const std::string& project() const { return options_.project; }
  bool is_isolated() const { return options_.is_isolated; }

  /// Whether records of the project `name` may be shown here.
  bool shows(std::string_view name) const { return !is_isolated() || name == project(); }
  const Caller& caller() const { return options_.caller; }

  /// Brings what others share up to date, unless that was done a moment ago, and the scope of
  /// its branch. Trouble is logged.
  void look_around(const CiteText& cite);

  /// Leaves a trace of a search that returned `returned` rows, if traces are left.
  void note_search(const RecallRequest& request, const RecallAnswer& found, std::size_t returned);
  SearchLog& searches() { return searches_; }

  /// Says that documents have come or gone: has the thread look after them soon.
  void note_change();

 private:
  static constexpr std::int64_t kNeverLooked = INT64_MIN;

  Memory(MemoryOptions options, std::unique_ptr<store::UserStore> store);
  std::unique_ptr<ChromaMirror> make_mirror();
  RecallOptions recall_options() const;
  void look_after(const std::stop_token& stop);

  MemoryOptions options_;
  std::unique_ptr<store::UserStore> store_;
  DocumentVectors vectors_;
  BranchAccess branches_;
  std::unique_ptr<ChromaMirror> chroma_;
  Recall recall_;
  Decisions decisions_;
  SearchLog searches_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::int64_t looked_around_ms_ = kNeverLooked;  // by the steady clock
  bool has_changed_ = true;                       // by others, while nobody looked
  bool chroma_is_back_ = false;
  std::jthread keeper_;  // last: it ends before what it works on
};

/// A memory that is opened when it is first asked for, so that a server starts as quickly as
/// without one, and code tools work when it cannot be opened. Safe to use from many threads.
class LazyMemory {
 public:
  using Open = std::function<Result<std::unique_ptr<Memory>>()>;

  /// `directory` is where `open` finds the store.
  LazyMemory(std::filesystem::path directory, Open open)
      : directory_(std::move(directory)), open_(std::move(open)) {}

  /// The memory, which lives as long as this. What fails is tried again at the next call. Errors:
  /// kUnsupported for a store that is newer than this program; else kIo, kCorrupt or kBusy, also
  /// where there is no folder for it.
  Result<Memory*> get();

  /// get() where there is a store already, else null: for those who merely look.
  Result<Memory*> find();

 private:
  std::filesystem::path directory_;
  Open open_;
  std::mutex mutex_;  // guards memory_
  std::unique_ptr<Memory> memory_;
};

}  // namespace codexmem::memory
