// memory/recall/search_log.h - a trace of each search: what was asked for, and how it went.
//
// A ring of the newest in the store (store/user/journal.h), which the worker shows. Traces are
// written by a thread of their own, a moment later: no search waits for the disk, and one that
// leaves no trace, because the store is locked for long or cannot be written, was answered all the
// same. Thread-safe. Design: docs/how-it-works.md, "Recall".
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "memory/clock.h"
#include "store/user/journal.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

using store::SearchTrace;

class SearchLog {
 public:
  /// `store` outlives this. The thread is started by the first trace.
  SearchLog(store::UserStore& store, Clock clock);
  /// Writes the pending traces, or gives up after a quarter of a second.
  ~SearchLog();
  SearchLog(const SearchLog&) = delete;
  SearchLog& operator=(const SearchLog&) = delete;

  /// Remembers a search; its id and time are filled in. Never fails: where it cannot be written the
  /// log says so.
  void record(SearchTrace trace);

  /// Writes the pending traces at once. False while the store is locked: then they are kept.
  bool write_pending();

 private:
  void write_in_background(const std::stop_token& stop);

  store::UserStore* store_;
  Clock clock_;
  std::mutex write_mutex_;  // held from taking pending_ until it is committed
  std::mutex mutex_;        // guards what follows
  std::condition_variable_any added_;
  std::vector<SearchTrace> pending_;
  std::jthread writer_;  // last: it ends before what it works on
};

}  // namespace codexmem::memory
