// serve/fresh_index.h - keeps the index of a served repository up to date.
//
// A thread of its own runs the index when the server starts and again when files change. A question
// that finds changes does not wait for that thread to notice them: it has them indexed at once and
// goes on when they are. Thread-safe. Design: docs/design/durability.md.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "serve/directory_watch.h"
#include "base/result.h"
#include "index/indexer.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

class FreshIndex : private index::RunObserver {
 public:
  struct Options {
    /// How long a question waits for the first index, which it cannot be answered without.
    std::chrono::milliseconds first_patience{45'000};
    /// How long files must be quiet before changes that nobody asks about are indexed.
    std::chrono::milliseconds quiet{300};
    /// Files are looked over at least this often, whatever the kernel told.
    std::chrono::milliseconds look_over{60'000};
    /// Folders that are watched at most; 0: none. With fewer watches than folders, every question
    /// has the files looked over first.
    std::size_t watches = SIZE_MAX;
    /// Vectors are no concern of the runs: somebody else makes them, or nobody.
    bool skip_embeddings = false;
    /// Vectors of a remote model give way (index::IndexOptions).
    bool replace_vectors = false;
    /// Packs that a run takes from while there is no complete index, called on the worker's thread.
    /// May be empty.
    std::function<std::vector<std::shared_ptr<const index::Pack>>(const std::stop_token&)>
        first_packs = {};
  };

  /// Starts the first run. `after_run` is called on the worker's thread when something has changed
  /// and nobody waits: what it does holds up no question. May be empty. `workspace` outlives this.
  explicit FreshIndex(store::Workspace& workspace, std::function<void()> after_run = {});
  FreshIndex(store::Workspace& workspace, std::function<void()> after_run, Options options);

  /// Cancels a run under way and waits for its end.
  ~FreshIndex() override;
  FreshIndex(const FreshIndex&) = delete;
  FreshIndex& operator=(const FreshIndex&) = delete;

  /// Waits until the index describes the files as they were when this was called, at most until
  /// `deadline`. Returns why it does not, for people; empty when it does.
  ///
  /// `on_progress` hears of the run that is waited for, on this thread. Without a complete index
  /// there is nothing to answer from: then it waits longer, and fails in the end. Errors: kBusy
  /// when the first index is not complete yet; kCancelled when `stop` was requested; that of the
  /// first run when it failed.
  Result<std::string> await(std::chrono::steady_clock::time_point deadline, std::stop_token stop,
                            const std::function<void(const index::IndexProgress&)>& on_progress);

  /// One run on the calling thread, after those under way. While it waits for them, `progress`
  /// hears so every 50 ms, and `stop` ends the wait. Errors: those of index::index_repository.
  Result<index::IndexReport> run(const index::IndexOptions& options,
                                 const index::ProgressCallback& progress, std::stop_token stop);

  /// Why changes may go unseen by the watch, so that questions look for them; empty when none can.
  std::string watch_gap();

 private:
  // A run of the worker, by number. Those who ask wait for one.
  using RunNumber = std::uint64_t;

  void on_folder(const std::string& folder) override;
  void on_file(const std::filesystem::path& file, Interest interest) override;

  void work(std::stop_token stop);
  // True if it is time for a look at everything, whatever the kernel told. With mutex_ held.
  bool look_over_due() const;
  // True if nothing but files that are ignored has changed. With mutex_ held.
  bool only_ignored();
  // The run after which nothing is left of what has changed by now. With mutex_ held.
  RunNumber run_that_settles() const;
  std::string describe_wait() const;
  void tell_of_gap();
  // Asks for a full run when the store was deleted or replaced.
  void notice_store();

  store::Workspace& workspace_;
  const std::function<void()> after_run_;
  const Options options_;

  std::mutex run_mutex_;  // guards has_run_; not held during a run
  std::condition_variable_any run_ended_;
  bool has_run_ = false;  // one run at a time in this process

  std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  DirectoryWatch watch_;
  std::string told_gap_;
  Changes pending_;
  bool asked_ = false;       // somebody waits for pending_
  bool untold_ = false;      // something has changed since after_run_
  RunNumber started_ = 0;    // runs of the worker
  RunNumber ended_ = 0;      // the same; one less than started_ while one is under way
  RunNumber needed_ = 0;     // the last one that was started for changes
  bool has_index_ = false;   // a run over everything was completed, now or earlier
  std::uint64_t epoch_ = 0;  // of the store that has_index_ is about
  std::uint64_t progress_count_ = 0;
  index::IndexProgress progress_;
  std::optional<Error> failure_;  // of the last run
  std::chrono::steady_clock::time_point last_look_over_;

  std::jthread worker_;  // last: it uses all above
};

}  // namespace codexmem::serve
