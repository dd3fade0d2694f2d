// The worker sleeps until there are changes and either somebody asks or the files have been quiet
// for a while. A question takes the kernel's queue itself, so it sees every edit that was made
// before it; then it waits until nothing is pending and nothing runs.
//
// Folders are watched before a run reads them where they are known, and after it where the run
// found them; in the second case the run is repeated, for what may have changed in between. A
// repeated run without changes costs about as much as `git status`.
//
// Tested by app/fresh_index_test.cpp.
#include "app/fresh_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/log.h"

namespace codexmem::app {
namespace {

using Clock = std::chrono::steady_clock;

// With more changed files than this a run over everything is simpler and hardly slower.
constexpr std::size_t kMaxSingleFiles = 200;

// How often a run that waits for another one says so.
constexpr std::chrono::milliseconds kWaitingStep{50};

bool has_complete_index(store::Workspace& workspace) {
  auto reader = workspace.reader();
  if (!reader.ok()) return false;
  const auto complete = index::has_complete_index(**reader);
  return complete.ok() && *complete;
}

}  // namespace

FreshIndex::FreshIndex(store::Workspace& workspace, std::function<void()> after_run)
    : FreshIndex(workspace, std::move(after_run), Options{}) {}

FreshIndex::FreshIndex(store::Workspace& workspace, std::function<void()> after_run,
                       Options options)
    : workspace_(workspace),
      after_run_(std::move(after_run)),
      options_(options),
      watch_(workspace.root()),
      has_index_(has_complete_index(workspace)) {
  pending_.anything = true;
  asked_ = true;
  worker_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
}

FreshIndex::~FreshIndex() {
  worker_.request_stop();
  worker_.join();
}

void FreshIndex::look_over_after(std::chrono::milliseconds age) {
  if (!running_ && Clock::now() - last_full_run_ > age) pending_.anything = true;
}

void FreshIndex::watch_folders() {
  std::set<std::string> folders = {""};
  if (auto reader = workspace_.reader(); reader.ok()) {
    if (const auto files = (*reader)->list_files(); files.ok()) {
      for (const store::FileRow& file : *files) {
        for (std::size_t slash = file.path.rfind('/'); slash != std::string::npos && slash > 0;
             slash = file.path.rfind('/', slash - 1)) {
          if (!folders.insert(file.path.substr(0, slash)).second) break;
        }
      }
    }
  }
  const std::lock_guard lock(mutex_);
  bool added = false;
  for (const std::string& folder : folders) added = watch_.add(folder) || added;
  if (added) pending_.anything = true;
}

void FreshIndex::work(std::stop_token stop) {
  watch_folders();
  while (!stop.stop_requested()) {
    Changes changes;
    {
      std::unique_lock lock(mutex_);
      watch_.take(pending_);
      look_over_after(options_.look_over);
      if (pending_.empty() && !asked_) {
        // The kernel's queue is not a condition variable: look at it now and then.
        changed_.wait_for(lock, stop, options_.quiet, [this] { return asked_; });
        continue;
      }
      if (!asked_ && changed_.wait_for(lock, stop, options_.quiet, [this] { return asked_; })) {
        continue;
      }
      watch_.take(pending_);
      asked_ = false;
      changes = std::exchange(pending_, {});
      if (changes.empty()) {
        changed_.notify_all();
        continue;
      }
      if (!has_index_) changes.anything = true;  // single files would not make it complete
      running_ = true;
      progress_ = {};
    }
    index::IndexOptions options;
    const bool full = changes.anything || changes.files.size() > kMaxSingleFiles;
    if (!full) options.only.assign(changes.files.begin(), changes.files.end());
    const auto report = run(
        options,
        [this](const index::IndexProgress& now) {
          const std::lock_guard lock(mutex_);
          progress_ = now;
          ++progress_count_;
          changed_.notify_all();
        },
        stop);
    if (report.ok() && full) watch_folders();
    if (!report.ok() && report.error().code() != ErrorCode::kCancelled) {
      log_error("indexing {}: {}", workspace_.root().string(), report.error().message());
    }
    {
      const std::lock_guard lock(mutex_);
      running_ = false;
      failure_ = report.ok() ? std::nullopt : std::optional<Error>(report.error());
      has_index_ = has_index_ || report.ok();
      if (full) last_full_run_ = Clock::now();
      // What a new folder's watch asks for is done at once, by the next turn.
      asked_ = asked_ || !pending_.empty();
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
  auto report = index::index_repository(workspace_, options, progress, std::move(stop));
  if (report.ok() && after_run_ &&
      report->added + report->changed + report->deleted + report->renamed +
              report->embeddings_generated >
          0) {
    after_run_();
  }
  turn.lock();
  has_run_ = false;
  turn.unlock();
  run_ended_.notify_all();
  return report;
}

Result<void> FreshIndex::await(
    std::stop_token stop, const std::function<void(const index::IndexProgress&)>& on_progress) {
  std::unique_lock lock(mutex_);
  watch_.take(pending_);
  // A run under way may have passed a file that has changed since; without events nobody tells.
  if (!watch_.complete() && running_) pending_.anything = true;
  // What a failed run was to do is still to be done.
  if (!running_ && failure_) pending_.anything = true;
  look_over_after(watch_.complete() ? options_.look_over : options_.look_over_unwatched);
  const auto idle = [this] { return pending_.empty() && !running_ && !asked_; };
  if (!idle()) {
    asked_ = true;
    changed_.notify_all();
  }
  const auto deadline = Clock::now() + (has_index_ ? options_.patience : options_.first_patience);
  std::uint64_t told = progress_count_;
  while (!idle() && Clock::now() < deadline && !stop.stop_requested()) {
    changed_.wait_until(lock, stop, deadline, [&] { return idle() || progress_count_ != told; });
    if (progress_count_ == told) continue;
    told = progress_count_;
    if (!on_progress) continue;
    const index::IndexProgress now = progress_;
    lock.unlock();
    on_progress(now);
    lock.lock();
  }
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
  if (has_index_) return {};
  if (failure_) return *failure_;
  return Error{ErrorCode::kBusy,
               fmt::format("the first index of this repository is still being made ({}, {} of {} "
                           "files): ask again in a moment",
                           index::index_phase_name(progress_.phase), progress_.files_done,
                           progress_.files_total)};
}

}  // namespace codexmem::app
