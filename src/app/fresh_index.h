// app/fresh_index.h - keeps the index of a served repository up to date.
//
// A thread of its own runs the index when the server starts and again when files change. A question
// that finds changes does not wait for that thread to notice them: it has them indexed at once and
// goes on when they are. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "app/directory_watch.h"
#include "base/result.h"
#include "index/indexer.h"
#include "store/workspace.h"

namespace codexmem::app {

class FreshIndex {
 public:
  struct Options {
    /// How long a question waits for changes to be indexed before it is answered from the index as
    /// it is.
    std::chrono::milliseconds patience{5'000};
    /// The same when there is no complete index yet; then the question fails instead.
    std::chrono::milliseconds first_patience{45'000};
    /// How long files must be quiet before changes that nobody asks about are indexed.
    std::chrono::milliseconds quiet{300};
    /// Files are looked over at least this often, whatever the kernel told.
    std::chrono::milliseconds look_over{60'000};
    /// When not every folder could be watched, a question looks them over after this time.
    std::chrono::milliseconds look_over_unwatched{1'000};
  };

  /// Starts the first run. `after_run` is called on the thread of each run that changed something;
  /// may be empty. `workspace` outlives this.
  explicit FreshIndex(store::Workspace& workspace, std::function<void()> after_run = {});
  FreshIndex(store::Workspace& workspace, std::function<void()> after_run, Options options);

  /// Cancels a run under way and waits for its end.
  ~FreshIndex();
  FreshIndex(const FreshIndex&) = delete;
  FreshIndex& operator=(const FreshIndex&) = delete;

  /// Waits until the index describes the files as they were when this was called, or patience ends.
  ///
  /// `on_progress` hears of the run that is waited for, on this thread. Errors: kBusy when the
  /// first index is not complete yet; kCancelled when `stop` was requested; that of the first run
  /// when it failed and there is nothing to answer from.
  Result<void> await(std::stop_token stop,
                     const std::function<void(const index::IndexProgress&)>& on_progress);

  /// One run on the calling thread, after those under way. While it waits for them, `progress`
  /// hears so every 50 ms, and `stop` ends the wait. Errors: those of index::index_repository.
  Result<index::IndexReport> run(const index::IndexOptions& options,
                                 const index::ProgressCallback& progress, std::stop_token stop);

 private:
  void work(std::stop_token stop);
  // Asks for a full run when the last one ended longer ago than `age`; with mutex_ held.
  void look_over_after(std::chrono::milliseconds age);
  void watch_folders();

  store::Workspace& workspace_;
  const std::function<void()> after_run_;
  const Options options_;

  std::mutex run_mutex_;  // guards has_run_; not held during a run
  std::condition_variable_any run_ended_;
  bool has_run_ = false;  // one run at a time in this process

  std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  DirectoryWatch watch_;
  Changes pending_;
  bool asked_ = false;  // somebody waits for pending_
  bool running_ = false;
  bool has_index_ = false;  // a run over everything was completed, now or earlier
  std::uint64_t progress_count_ = 0;
  index::IndexProgress progress_;
  std::optional<Error> failure_;  // of the last run
  std::chrono::steady_clock::time_point last_full_run_;

  std::jthread worker_;  // last: it uses all above
};

}  // namespace codexmem::app
