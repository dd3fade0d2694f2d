#include "mcp/worker_pool.h"

#include <utility>

namespace codexmem::mcp {

WorkerPool::WorkerPool(const Limits& limits) : limits_(limits) {
  threads_.reserve(limits_.threads);
  for (std::size_t i = 0; i < limits_.threads; ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  not_empty_.notify_all();
}

void WorkerPool::submit(std::function<void()> task, std::size_t size_bytes) {
  {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] {
      return tasks_.empty() ||
             (tasks_.size() < limits_.max_tasks && bytes_ + size_bytes <= limits_.max_bytes);
    });
    tasks_.push_back({std::move(task), size_bytes});
    bytes_ += size_bytes;
  }
  not_empty_.notify_one();
}

void WorkerPool::work() {
  while (true) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      not_empty_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      bytes_ -= task.size_bytes;
    }
    not_full_.notify_one();
    task.run();
  }
}

}  // namespace codexmem::mcp
