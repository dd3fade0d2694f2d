#include "mcp/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace codexmem::mcp {
namespace {

TEST(WorkerPool, RunsQueuedWorkBeforeItEnds) {
  std::atomic<int> ran = 0;
  {
    WorkerPool pool({3, 100, 1000});
    for (int i = 0; i < 50; ++i) pool.submit([&] { ++ran; }, 1);
  }
  EXPECT_EQ(ran, 50);
}

TEST(WorkerPool, QueuesNoMoreTasksThanItMay) {
  constexpr int kThreads = 2;
  constexpr int kMaxTasks = 4;
  std::atomic<int> submitted = 0;
  std::atomic<int> started = 0;
  std::atomic<int> most_waiting = 0;
  {
    WorkerPool pool({kThreads, kMaxTasks, 1000});
    for (int i = 0; i < 2000; ++i) {
      pool.submit(
          [&] {
            const int waiting = submitted - ++started;
            int most = most_waiting;
            while (waiting > most && !most_waiting.compare_exchange_weak(most, waiting)) {
            }
          },
          1);
      ++submitted;
    }
  }
  EXPECT_EQ(started, 2000);
  EXPECT_LE(most_waiting, kMaxTasks + kThreads);
}

TEST(WorkerPool, BoundsTheirBytesButTakesOneOfAnySize) {
  std::atomic<int> ran = 0;
  {
    WorkerPool pool({1, 100, 10});
    for (int i = 0; i < 20; ++i) pool.submit([&] { ++ran; }, 1'000'000);
  }
  EXPECT_EQ(ran, 20);
}

}  // namespace
}  // namespace codexmem::mcp
