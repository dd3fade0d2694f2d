#include "config/worker_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace codexmem {
namespace {

TEST(WorkerFile, SaysWhatWasWritten) {
  const testing::TemporaryDirectory directory;
  EXPECT_FALSE(read_worker_file(directory.path()));
  const WorkerAddress written{.pid = 12,
                              .port = 4711,
                              .version = "1.2",
                              .started_at_ms = 1'700'000'000'000,
                              .process_start = 99};
  ASSERT_TRUE(write_worker_file(directory.path(), written).ok());
  const auto read = read_worker_file(directory.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pid, 12);
  EXPECT_EQ(read->port, 4711);
  EXPECT_EQ(read->version, "1.2");
  EXPECT_EQ(read->started_at_ms, 1'700'000'000'000);
  EXPECT_EQ(read->process_start, 99);
  for (const char* text :
       {"{", "[]", "{}", R"({"pid":0,"port":1})", R"({"pid":-1,"port":1})", R"({"pid":1})",
        R"({"pid":1,"port":65536})", R"({"pid":99999999999,"port":1})"}) {
    directory.write("worker.json", text);
    EXPECT_FALSE(read_worker_file(directory.path())) << text;
  }
}

TEST(WorkerFile, AnotherProcessOfThatNumberIsNotTheWorker) {
  const std::int64_t start = process_start(::getpid());
  EXPECT_GT(start, 0);
  EXPECT_TRUE(is_alive({.pid = ::getpid(), .port = 1, .process_start = start}));
  EXPECT_FALSE(is_alive({.pid = ::getpid(), .port = 1, .process_start = start + 1}));
  EXPECT_FALSE(is_alive({.pid = ::getpid(), .port = 1, .process_start = 0}));
  EXPECT_EQ(process_start(2'147'483'646), 0);
}

TEST(WorkerFile, AProcessThatHasEndedIsNotAliveThoughItsParentHasNotAsked) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(process_start(child), 0);
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace codexmem
