// The worker sleeps until there are changes and either a query arrives or the files have been quiet
// for a while. A query reads the kernel's queue itself, so it sees every earlier edit. Then it
// waits for the run that includes these, and not for later ones, because files may change all the
// time.
//
// A run reports each folder just before listing it, and the folder is watched at that moment. So
// every change is seen either by the run or by the kernel, and each folder that a run enters is
// watched, however it was created.
//
// Without watches, a query has all files checked before it is answered, which costs about as much
// as `git status`. In any case, all files are checked every minute.
//
// Tested by serve/fresh_index_test.cpp.
#include "serve/fresh_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "serve/repository.h"
#include "base/log.h"

namespace codexmem::serve {
namespace {

using Clock = std::chrono::steady_clock;

// With more changed files, a full run is simpler and hardly slower.
constexpr std::size_t kMaxSinglePaths = 200;

// Git writes its list of tracked files with every other command: do not check everything each time.
constexpr std::chrono::seconds kLater{5};

// How often a run that waits for another one reports that.
constexpr std::chrono::milliseconds kWaitingStep{50};

bool is_full(const index::IndexOptions& options) {
  return options.path.empty() && options.only.empty();
}

}  // namespace

FreshIndex::FreshIndex(store::Workspace& workspace, std::function<void()> after_run)
    : FreshIndex(workspace, std::move(after_run), Options{}) {}

FreshIndex::FreshIndex(store::Workspace& workspace, std::function<void()> after_run,
                       Options options)
    : workspace_(workspace),
      after_run_(std::move(after_run)),
      options_(std::move(options)),
      watch_(workspace.root(), options_.watches),
      has_index_(has_complete_index(workspace)),
      epoch_(workspace.epoch()) {
  pending_.anything = true;
  asked_ = true;
  worker_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
}

FreshIndex::~FreshIndex() {
  worker_.request_stop();
  worker_.join();
}

void FreshIndex::on_folder(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  watch_.add(folder);
}

void FreshIndex::notice_store() {
  const bool complete = has_complete_index(workspace_);  // finds out which store exists
  const std::uint64_t epoch = workspace_.epoch();
  const std::lock_guard lock(mutex_);
  if (epoch == epoch_) return;
  epoch_ = epoch;
  has_index_ = complete;
  pending_.anything = true;
}

void FreshIndex::on_file(const std::filesystem::path& file, Interest interest) {
  const std::lock_guard lock(mutex_);
  watch_.follow(file, interest);
}

std::string FreshIndex::watch_gap() {
  const std::lock_guard lock(mutex_);
  return watch_.gap();
}

void FreshIndex::report_gap() {
  const std::string& gap = watch_.gap();
  if (gap.empty() == reported_gap_.empty()) return;
  reported_gap_ = gap;
  if (gap.empty()) {
    log_info("all folders are watched again");
  } else {
    log_warn("changes are not noticed by themselves: {}; every question looks the files over first",
             gap);
  }
}

bool FreshIndex::look_over_due() const {
  const auto age = Clock::now() - last_look_over_;
  return age > options_.look_over || (pending_.later && age > kLater);
}

bool FreshIndex::only_ignored() {
  if (pending_.anything || pending_.paths.size() > kMaxSinglePaths) return false;
  auto reader = workspace_.reader();
  return reader.ok() &&
         std::all_of(pending_.paths.begin(), pending_.paths.end(), [&](const std::string& path) {
           const auto skipped = (*reader)->find_skipped(path);
           return skipped.ok() && *skipped && (*skipped)->reason == "ignored";
         });
}

void FreshIndex::work(std::stop_token stop) {
  while (!stop.stop_requested()) {
    notice_store();
    Changes changes;
    std::uint64_t epoch = 0;
    bool is_first = false;
    {
      std::unique_lock lock(mutex_);
      watch_.take(pending_);
      if (!asked_) {
        // The kernel's queue is not a condition variable: poll it.
        const bool due = !pending_.empty() || look_over_due();
        if (changed_.wait_for(lock, stop, options_.quiet, [this] { return asked_; })) continue;
        if (stop.stop_requested()) continue;
        if (std::exchange(unreported_, false) && after_run_) {
          lock.unlock();
          after_run_();
          continue;
        }
        if (!due) continue;
        watch_.take(pending_);
        // Do not work all the time just because a log is written all the time.
        if (!look_over_due() && only_ignored()) continue;
      }
      // The work of a failed run is still to be done, also after a run for other files.
      if (failure_) pending_.anything = true;
      asked_ = false;
      if (look_over_due() || !has_index_) {  // single files would not complete the index
        pending_.later = true;
      }
      changes = std::exchange(pending_, {});
      if (changes.empty() && !changes.later) {
        changed_.notify_all();
        continue;
      }
      ++started_;
      if (!changes.empty() || !has_index_) needed_ = started_;
      epoch = epoch_;
      is_first = !has_index_;
      progress_ = {};
    }
    index::IndexOptions options;
    if (!changes.anything && !changes.later && changes.paths.size() <= kMaxSinglePaths) {
      options.only.assign(changes.paths.begin(), changes.paths.end());
      // The kernel has reported a write: a copied time and an equal size prove nothing.
      options.distrust_times = true;
    }
    if (is_first && options_.first_packs) options.packs = options_.first_packs(stop);
    const auto report = run(
        options,
        [this](const index::IndexProgress& now) {
          const std::lock_guard lock(mutex_);
          progress_ = now;
          ++progress_count_;
          changed_.notify_all();
        },
        stop);
    if (!report.ok() && report.error().code() != ErrorCode::kCancelled) {
      log_error("indexing {}: {}", workspace_.root().string(), report.error().message());
    }
    if (report.ok() && report->packs) {
      log_info("{}: {} of {} files were taken from a pack", workspace_.root().string(),
               report->packs->taken, report->files_processed);
    }
    {
      const std::lock_guard lock(mutex_);
      ended_ = started_;
      failure_ = report.ok() ? std::nullopt : std::optional<Error>(report.error());
      has_index_ = has_index_ || (report.ok() && epoch == epoch_);
    }
    changed_.notify_all();
  }
}

Result<index::IndexReport> FreshIndex::run(const index::IndexOptions& options,
                                           const index::ProgressCallback& progress,
                                           std::stop_token stop) {
  const auto begin = Clock::now();
  std::unique_lock turn(run_mutex_);
  while (!run_ended_.wait_for(turn, stop, kWaitingStep, [this] { return !has_run_; })) {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "indexing was cancelled"};
    if (!progress) continue;
    index::IndexProgress waiting;
    waiting.phase = index::IndexPhase::kWaiting;
    waiting.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    turn.unlock();
    progress(waiting);
    turn.lock();
  }
  has_run_ = true;
  turn.unlock();
  index::IndexOptions observed = options;
  observed.observer = this;
  observed.skip_embeddings = observed.skip_embeddings || options_.skip_embeddings;
  observed.replace_vectors = options_.replace_vectors;
  if (is_full(options)) {
    const std::lock_guard lock(mutex_);
    watch_.begin_round();
  }
  auto report = index::index_repository(workspace_, observed, progress, std::move(stop));
  {
    const std::lock_guard lock(mutex_);
    if (report.ok() && report->added + report->changed + report->deleted + report->renamed +
                               report->embeddings_generated >
                           0) {
      unreported_ = true;
    }
    // Successful or not: the next query retries failed work.
    if (is_full(options)) last_look_over_ = Clock::now();
    if (is_full(options) && report.ok()) watch_.end_round();
    report_gap();
  }
  turn.lock();
  has_run_ = false;
  turn.unlock();
  run_ended_.notify_all();
  return report;
}

FreshIndex::RunNumber FreshIndex::run_that_settles() const {
  return !pending_.empty() ? started_ + 1 : needed_;
}

std::string FreshIndex::describe_wait() const {
  if (ended_ < started_ && progress_.phase != index::IndexPhase::kWaiting) {
    return fmt::format("files have changed and are being indexed ({}, {} of {} files)",
                       index::index_phase_name(progress_.phase), progress_.files_done,
                       progress_.files_total);
  }
  return "files have changed, and another index run is under way";
}

Result<std::string> FreshIndex::await(
    std::chrono::steady_clock::time_point deadline, std::stop_token stop,
    const std::function<void(const index::IndexProgress&)>& on_progress) {
  notice_store();
  const bool damaged = workspace_.damage().has_value();
  std::unique_lock lock(mutex_);
  watch_.take(pending_);
  if (damaged) {  // a full run builds a new store, which is empty at first
    pending_.anything = true;
    has_index_ = false;
  }
  if (!watch_.gap().empty()) pending_.anything = true;
  // The work of a failed run is still to be done.
  if (ended_ == started_ && failure_) pending_.anything = true;
  const RunNumber wanted = run_that_settles();
  if (!has_index_) deadline = std::max(deadline, Clock::now() + options_.first_patience);
  if (ended_ < wanted) {
    asked_ = asked_ || started_ < wanted;
    changed_.notify_all();
  }
  std::uint64_t reported = progress_count_;
  while (ended_ < wanted && Clock::now() < deadline && !stop.stop_requested()) {
    changed_.wait_until(lock, stop, deadline,
                        [&] { return ended_ >= wanted || progress_count_ != reported; });
    if (progress_count_ == reported) continue;
    reported = progress_count_;
    if (!on_progress) continue;
    const index::IndexProgress now = progress_;
    lock.unlock();
    on_progress(now);
    lock.lock();
  }
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
  if (has_index_) {
    if (ended_ < wanted) return describe_wait();
    return failure_ ? "indexing failed: " + failure_->message() : std::string();
  }
  if (failure_) return *failure_;
  return Error{ErrorCode::kBusy,
               fmt::format("the first index of this repository is still being made ({}, {} of {} "
                           "files): ask again in a moment",
                           index::index_phase_name(progress_.phase), progress_.files_done,
                           progress_.files_total)};
}

}  // namespace codexmem::serve
