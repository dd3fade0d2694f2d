// Tested by ask/memory_answers_test.cpp and observe/journal_test.cpp.
#include "memory/recall/search_log.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxTracedBytes = 1'000;
constexpr std::size_t kMaxPending = 1'000;
// Searches come in groups; one transaction takes them together.
constexpr std::chrono::milliseconds kTraceSettleTime{250};
// That others may keep the store locked while a trace waits, and until the next attempt.
constexpr std::chrono::milliseconds kTracePatience{250}, kRest{2'000};

Result<void> insert_traces(store::UserStore& store, const std::vector<SearchTrace>& traces) {
  CODEXMEM_ASSIGN(store::UserWriter writer, store.writer());
  const auto usual = writer->busy_timeout();
  writer->set_busy_timeout(std::min(usual, kTracePatience));
  auto begun = store::Transaction::begin(*writer);
  writer->set_busy_timeout(usual);
  CODEXMEM_ASSIGN(store::Transaction transaction, std::move(begun));
  for (const SearchTrace& trace : traces) CODEXMEM_TRY(store::write_search(*writer, trace));
  return transaction.commit();
}

}  // namespace

SearchLog::SearchLog(store::UserStore& store, Clock clock)
    : store_(&store), clock_(std::move(clock)) {}

SearchLog::~SearchLog() {
  if (writer_.joinable()) {
    writer_.request_stop();
    writer_.join();
  }
  write_pending();
}

void SearchLog::record(SearchTrace trace) {
  trace.at_ms = clock_();
  trace.query = utf8_prefix(privacy::captured(trace.query), kMaxTracedBytes);
  trace.project = utf8_prefix(privacy::captured(trace.project), kMaxTracedBytes);
  const std::lock_guard lock(mutex_);
  if (pending_.size() >= kMaxPending) return;  // the disk is far behind
  pending_.push_back(std::move(trace));
  if (!writer_.joinable()) {
    writer_ = std::jthread([this](const std::stop_token& stop) { write_in_background(stop); });
  }
  added_.notify_one();
}

void SearchLog::write_in_background(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  auto pause = kTraceSettleTime;
  while (added_.wait(lock, stop, [this] { return !pending_.empty(); })) {
    added_.wait_for(lock, stop, pause, [] { return false; });
    if (stop.stop_requested()) return;
    lock.unlock();
    pause = write_pending() ? kTraceSettleTime : kRest;
    lock.lock();
  }
}

bool SearchLog::write_pending() {
  const std::lock_guard writing(write_mutex_);
  std::vector<SearchTrace> traces;
  {
    const std::lock_guard lock(mutex_);
    traces.swap(pending_);
  }
  if (traces.empty()) return true;
  const auto done = insert_traces(*store_, traces);
  if (done.ok()) return true;
  if (done.error().code() == ErrorCode::kBusy) {
    const std::lock_guard lock(mutex_);
    pending_.insert(pending_.begin(), std::make_move_iterator(traces.begin()),
                    std::make_move_iterator(traces.end()));
    return false;
  }
  log_warn("search traces are lost: {}", done.error().message());
  return true;
}

}  // namespace codexmem::memory
