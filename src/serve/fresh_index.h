// serve/fresh_index.h - keeps the index of a served repository up to date.
//
// A thread of its own runs the index when the server starts and when files change. A query that
// finds changes does not wait for that thread to notice them: it has them indexed at once and
// continues when they are. Thread-safe. Design: docs/security.md.
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
#include "index/run/indexer.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

class FreshIndex : private index::RunObserver {
 public:
  struct Options {
    /// How long a query waits for the first index, without which it cannot be answered.
    std::chrono::milliseconds first_patience{45'000};
    /// How long files must be quiet before changes are indexed without a query.
    std::chrono::milliseconds quiet{300};
    /// All files are checked at least this often, whatever the kernel reports.
    std::chrono::milliseconds look_over{60'000};
    /// Maximum number of watched folders; 0: none. With fewer watches than folders, every query has
    /// the files checked first.
    std::size_t watches = SIZE_MAX;
    /// Runs make no vectors: they are made elsewhere, or not at all.
    bool skip_embeddings = false;
    /// Vectors of a remote model are replaced (index::IndexOptions).
    bool replace_vectors = false;
    /// Packs for a run while there is no complete index; called on the worker's thread. May be
    /// empty.
    std::function<std::vector<std::shared_ptr<const index::Pack>>(const std::stop_token&)>
        first_packs = {};
  };

  /// Starts the first run. `after_run` is called on the worker's thread when something has changed
  /// and no query waits, so it delays no query. May be empty. `workspace` must outlive this object.
  explicit FreshIndex(store::Workspace& workspace, std::function<void()> after_run = {});
  FreshIndex(store::Workspace& workspace, std::function<void()> after_run, Options options);

  /// Cancels a running run and waits for its end.
  ~FreshIndex() override;
  FreshIndex(const FreshIndex&) = delete;
  FreshIndex& operator=(const FreshIndex&) = delete;

  /// Waits until the index describes the files as they were at the time of this call, at most until
  /// `deadline`. Returns why it does not, for display; empty if it does.
  ///
  /// `on_progress` is called on this thread for the awaited run. Without a complete index no answer
  /// is possible: then it waits longer, and finally fails. Errors: kBusy when the first index is
  /// not complete yet; kCancelled when `stop` was requested; as the first run when it failed.
  Result<std::string> await(std::chrono::steady_clock::time_point deadline, std::stop_token stop,
                            const std::function<void(const index::IndexProgress&)>& on_progress);

  /// One run on the calling thread, after the running ones. While it waits for them, `progress` is
  /// called every 50 ms, and `stop` ends the wait. Errors: as index::index_repository.
  Result<index::IndexReport> run(const index::IndexOptions& options,
                                 const index::ProgressCallback& progress, std::stop_token stop);

  /// Why the watch may miss changes, so that queries check the files; empty if it cannot.
  std::string watch_gap();

 private:
  // A run of the worker, by number. Queries wait for one.
  using RunNumber = std::uint64_t;

  void on_folder(const std::string& folder) override;
  void on_file(const std::filesystem::path& file, Interest interest) override;

  void work(std::stop_token stop);
  // True if it is time to check everything, whatever the kernel reports. With mutex_ held.
  bool look_over_due() const;
  // True if only ignored files have changed. With mutex_ held.
  bool only_ignored();
  // The run that will include all changes up to now. With mutex_ held.
  RunNumber run_that_settles() const;
  std::string describe_wait() const;
  void report_gap();
  // Requests a full run if the store was deleted or replaced.
  void notice_store();

  store::Workspace& workspace_;
  const std::function<void()> after_run_;
  const Options options_;

  std::mutex run_mutex_;  // guards has_run_; not held during a run
  std::condition_variable_any run_ended_;
  bool has_run_ = false;  // one run at a time in this process

  std::mutex mutex_;  // guards all members below
  std::condition_variable_any changed_;
  DirectoryWatch watch_;
  std::string reported_gap_;
  Changes pending_;
  bool asked_ = false;       // a query waits for pending_
  bool unreported_ = false;  // something has changed since after_run_
  RunNumber started_ = 0;    // runs of the worker
  RunNumber ended_ = 0;      // likewise; one less than started_ during a run
  RunNumber needed_ = 0;     // the last one started for changes
  bool has_index_ = false;   // a full run was completed, now or earlier
  std::uint64_t epoch_ = 0;  // of the store for which has_index_ holds
  std::uint64_t progress_count_ = 0;
  index::IndexProgress progress_;
  std::optional<Error> failure_;  // of the last run
  std::chrono::steady_clock::time_point last_look_over_;

  std::jthread worker_;  // last: it uses the members above
};

}  // namespace codexmem::serve
