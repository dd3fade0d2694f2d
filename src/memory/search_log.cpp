// Rows have ids without gaps (a ring loses its oldest alone), so the ring is trimmed by one
// comparison with the id just given.
//
// Tested by ask/memory_answers_test.cpp and worker/journal_test.cpp.
#include "memory/search_log.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxQueryBytes = 1'000;
constexpr std::size_t kMaxPending = 1'000;
// Searches come in groups; one transaction takes them together.
constexpr std::chrono::milliseconds kSettleTime{250};
// That others may keep the store locked while a trace waits, and until the next attempt.
constexpr std::chrono::milliseconds kPatience{250}, kRest{2'000};

constexpr char kInsertSql[] = R"sql(
INSERT INTO search_traces (at_ms, query, project, mode, vector_backend, vector_hits, lexical_hits,
  returned, total_ms, lexical_ms, vector_ms, fuse_ms, degraded)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, nullif(?13, '')))sql";
constexpr char kTrimSql[] = "DELETE FROM search_traces WHERE id <= ?1";

Result<void> insert_trace(store::Database& database, const SearchTrace& trace) {
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertSql));
  insert.bind(1, trace.at_ms);
  insert.bind(2, trace.query);
  insert.bind(3, trace.project);
  insert.bind(4, trace.is_hybrid ? "hybrid" : "lexical-only");
  insert.bind(5, trace.vector_backend);
  insert.bind(6, static_cast<std::int64_t>(trace.vector_hits));
  insert.bind(7, static_cast<std::int64_t>(trace.lexical_hits));
  insert.bind(8, static_cast<std::int64_t>(trace.returned));
  insert.bind(9, trace.total_ms);
  insert.bind(10, trace.lexical_ms);
  insert.bind(11, trace.vector_ms);
  insert.bind(12, trace.fuse_ms);
  insert.bind(13, trace.degraded);
  return insert.run();
}

Result<void> insert_traces(store::UserStore& store, const std::vector<SearchTrace>& traces) {
  CODEXMEM_ASSIGN(store::UserWriter writer, store.writer());
  const auto usual = writer->busy_timeout();
  writer->set_busy_timeout(std::min(usual, kPatience));
  auto begun = store::Transaction::begin(*writer);
  writer->set_busy_timeout(usual);
  CODEXMEM_ASSIGN(store::Transaction transaction, std::move(begun));
  for (const SearchTrace& trace : traces) CODEXMEM_TRY(insert_trace(*writer, trace));
  if (const std::int64_t last = writer->last_insert_id() - kSearchTraces; last > 0) {
    CODEXMEM_ASSIGN(store::Statement trim, writer->statement(kTrimSql));
    trim.bind(1, last);
    CODEXMEM_TRY(trim.run());
  }
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
  trace.query = utf8_prefix(privacy::captured(trace.query), kMaxQueryBytes);
  trace.project = utf8_prefix(privacy::captured(trace.project), kMaxQueryBytes);
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
  auto pause = kSettleTime;
  while (added_.wait(lock, stop, [this] { return !pending_.empty(); })) {
    added_.wait_for(lock, stop, pause, [] { return false; });
    if (stop.stop_requested()) return;
    lock.unlock();
    pause = write_pending() ? kSettleTime : kRest;
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
