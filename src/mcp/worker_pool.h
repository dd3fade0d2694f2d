// mcp/worker_pool.h - the threads that run tool calls.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace codexmem::mcp {

/// A fixed number of threads over one bounded queue, first come, first served. Thread-safe.
class WorkerPool {
 public:
  struct Limits {
    std::size_t threads = 12;  // the contract asks for 10 calls at once; two more for stragglers
    std::size_t max_tasks = 4096;                   // waiting, not running
    std::size_t max_bytes = std::size_t{64} << 20;  // sum of the waiting tasks' sizes
  };

  explicit WorkerPool(const Limits& limits);

  /// Runs the waiting tasks, then joins.
  ~WorkerPool();

  /// Queues `task`, which holds about `size_bytes`. While the queue is full it waits: so whoever
  /// sends faster than we answer is slowed down, and memory stays bounded. A single task of any
  /// size fits into an empty queue. Tasks must not throw.
  void submit(std::function<void()> task, std::size_t size_bytes);

 private:
  struct Task {
    std::function<void()> run;
    std::size_t size_bytes = 0;
  };

  void work();

  const Limits limits_;
  std::mutex mutex_;  // guards the four below
  std::condition_variable not_empty_;
  std::condition_variable not_full_;
  std::deque<Task> tasks_;
  std::size_t bytes_ = 0;
  bool closed_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace codexmem::mcp
