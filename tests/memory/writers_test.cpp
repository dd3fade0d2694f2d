// Processes that write to one store at once, and processes that are killed while they write. Each
// reports acknowledged writes through a pipe. For a long run, set the number of rounds:
// CODEXMEM_TEST_ROUNDS=200 memory_test --gtest_filter='Writers*'.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

int rounds(int quick) {
  const char* given = std::getenv("CODEXMEM_TEST_ROUNDS");
  return given != nullptr ? std::atoi(given) : quick;
}

// What a writer says of one save; a line of a pipe is written whole.
struct Acknowledged {
  std::int64_t id = 0;
  int writer = 0, number = 0;
  std::int64_t took_us = 0;
};

std::string text_of(int writer, int number) {
  return "writer " + std::to_string(writer) + " says " + std::to_string(number);
}

class WritersTest : public ::testing::Test {
 protected:
  struct Writer {
    pid_t process = 0;
    int pipe = -1;
  };

  /// Starts a process that saves `count` entries; it leaves with 0 when all went well.
  Writer start(int writer, int count) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t process = ::fork();
    if (process == 0) {
      ::close(ends[0]);
      ::_exit(write(writer, count, ends[1]));
    }
    ::close(ends[1]);
    return {process, ends[0]};
  }

  int write(int writer, int count, int pipe) const {
    auto store = store::UserStore::open(directory_.path() / "data");
    if (!store.ok()) return fail(store.error());
    const DocumentVectors vectors(nullptr, true);
    const Entries entries(**store, vectors, system_clock());
    for (int number = 0; number < count; ++number) {
      const auto begin = std::chrono::steady_clock::now();
      const auto saved =
          entries.save({.project = "p" + std::to_string(writer), .text = text_of(writer, number)});
      if (!saved.ok()) return fail(saved.error());
      const auto took = std::chrono::steady_clock::now() - begin;
      const Acknowledged line{static_cast<std::int64_t>(saved->id), writer, number,
                              std::chrono::duration_cast<std::chrono::microseconds>(took).count()};
      if (::write(pipe, &line, sizeof line) != sizeof line) return 3;
    }
    return 0;
  }

  static int fail(const Error& error) {
    (void)std::fprintf(stderr, "a writer: %s\n", error.message().c_str());
    return 1;
  }

  /// Waits for the writer's end, and takes what it said. Returns its status.
  int finish(const Writer& writer) {
    Acknowledged line;
    for (;;) {
      const ssize_t got = ::read(writer.pipe, &line, sizeof line);
      if (got != sizeof line) break;
      acknowledged_.push_back(line);
    }
    ::close(writer.pipe);
    int status = 0;
    EXPECT_EQ(::waitpid(writer.process, &status, 0), writer.process);
    return status;
  }

  /// Every acknowledged entry is there under its id, and nothing twice.
  void expect_all_there(bool is_exact) {
    auto store = store::UserStore::open(directory_.path() / "data");
    ASSERT_TRUE(store.ok()) << store.error().message();
    const DocumentVectors vectors(nullptr, true);
    const Entries entries(**store, vectors, system_clock());
    for (const Acknowledged& line : acknowledged_) {
      const EntryId ids[] = {EntryId{line.id}};
      const auto got = entries.get(ids);
      ASSERT_TRUE(got.ok()) << got.error().message();
      ASSERT_EQ(got->size(), 1U) << text_of(line.writer, line.number) << " is lost";
      EXPECT_EQ(got->front().body, text_of(line.writer, line.number));
    }
    auto writer = (*store)->writer();
    ASSERT_TRUE(writer.ok());
    const auto total = (*writer)->find_integer("SELECT count(*) FROM entries");
    const auto distinct = (*writer)->find_integer("SELECT count(DISTINCT body) FROM entries");
    EXPECT_EQ(*total, *distinct);
    if (is_exact) {
      EXPECT_EQ(*total, static_cast<std::int64_t>(acknowledged_.size()));
    }
    const auto damage = (*writer)->find_damage();
    ASSERT_TRUE(damage.ok()) << damage.error().message();
    EXPECT_TRUE(damage->empty()) << damage->front();
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::vector<Acknowledged> acknowledged_;
};

TEST_F(WritersTest, ManyProcessesLoseNothingAndNeverGiveUp) {
  constexpr int kWriters = 8;
  const int count = rounds(15);
  std::vector<Writer> writers;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kWriters; ++i) writers.push_back(start(i, count));
  for (const Writer& writer : writers) EXPECT_EQ(finish(writer), 0);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(acknowledged_.size(), static_cast<std::size_t>(kWriters * count));
  std::int64_t longest = 0;
  for (const Acknowledged& line : acknowledged_) longest = std::max(longest, line.took_us);
  RecordProperty("saves_per_second", static_cast<int>(kWriters * count / took.count()));
  RecordProperty("longest_ms", static_cast<int>(longest / 1000));
  std::printf("%d writers, %.0f saves/s, the longest took %.0f ms\n", kWriters,
              kWriters * count / took.count(), static_cast<double>(longest) / 1e3);
  expect_all_there(true);
}

TEST_F(WritersTest, WhatWasAcknowledgedOutlivesAKill) {
  std::mt19937 random(11);
  const int kills = rounds(12);
  for (int i = 0; i < kills; ++i) {
    const Writer writer = start(i, 10'000);
    Acknowledged line;  // it is at work
    ASSERT_EQ(::read(writer.pipe, &line, sizeof line), static_cast<ssize_t>(sizeof line));
    acknowledged_.push_back(line);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    ASSERT_EQ(::kill(writer.process, SIGKILL), 0);
    EXPECT_TRUE(WIFSIGNALED(finish(writer)));
  }
  std::printf("%d kills, %zu saves acknowledged\n", kills, acknowledged_.size());
  expect_all_there(false);
}

// The limit of a file's size simulates a full disk.
TEST_F(WritersTest, WithoutRoomASaveFailsAndExistingEntriesStay) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    auto store = store::UserStore::open(directory_.path() / "data");
    if (!store.ok()) ::_exit(1);
    const DocumentVectors vectors(nullptr, true);
    const Entries entries(**store, vectors, system_clock());
    const auto first = entries.save({.text = "one"});
    if (!first.ok()) ::_exit(2);
    rlimit before{};
    if (::getrlimit(RLIMIT_FSIZE, &before) != 0) ::_exit(3);
    const rlimit limit{1 << 20, before.rlim_max};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
    auto refused = entries.save({.text = std::string(900'000, 'x')});
    if (refused.ok()) refused = entries.save({.text = std::string(900'000, 'y')});
    if (refused.ok()) ::_exit(4);
    const std::string& message = refused.error().message();
    if (refused.error().code() != ErrorCode::kIo) ::_exit(5);
    if (message.find("codexmem index") != std::string::npos) ::_exit(6);
    const EntryId ids[] = {first->id};
    const auto got = entries.get(ids);
    if (!got.ok() || got->size() != 1 || got->front().body != "one") ::_exit(7);
    if (::setrlimit(RLIMIT_FSIZE, &before) != 0) ::_exit(3);
    ::_exit(entries.save({.text = "two"}).ok() ? 0 : 8);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

}  // namespace
}  // namespace codexmem::memory
