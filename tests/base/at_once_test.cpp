#include "base/at_once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

namespace codexmem {
namespace {

TEST(AtOnce, EachCallIsMadeOnceOnAFewThreads) {
  std::mutex mutex;
  std::multiset<std::size_t> made;
  std::set<std::thread::id> threads;
  run_at_once(50, 4, [&](std::size_t i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    made.insert(i);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(made.size(), 50U);
  EXPECT_EQ(std::set<std::size_t>(made.begin(), made.end()).size(), 50U);
  EXPECT_LE(threads.size(), 4U);
  run_at_once(0, 4, [&](std::size_t) { FAIL(); });
}

TEST(AtOnce, WhatACallThrowsIsThrownOnceAllHaveEnded) {
  std::atomic<int> ended = 0;
  const auto run = [&] {
    run_at_once(8, 3, [&](std::size_t i) {
      ++ended;
      if (i == 2) throw std::runtime_error("second");
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(ended, 8);
}

}  // namespace
}  // namespace codexmem
