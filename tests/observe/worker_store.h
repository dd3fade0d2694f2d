// observe/worker_store.h - a memory of its own for a test, with its queue and its intake, a clock
// set by hand and without a model.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "memory/memory.h"
#include "support/temporary_directory.h"
#include "observe/intake/group_commit.h"
#include "observe/intake/intake.h"
#include "observe/intake/queue.h"

namespace codexmem::observe {

class WorkerStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<memory::Memory> open_memory() {
    memory::MemoryOptions options;
    options.directory = directory_.path() / "data";
    options.clock = clock_;
    auto opened = memory::Memory::open(std::move(options));
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }

  store::UserStore& store() { return memory_->store(); }

  /// Takes the body of a POST to /api/sessions/`what`.
  IntakeOutcome post(const std::string& what, const std::string& body) {
    auto request = read_intake("/api/sessions/" + what, body);
    EXPECT_TRUE(request.ok()) << request.error().message();
    if (!request.ok()) return {};
    auto outcome = intake_.take(*std::move(request));
    EXPECT_TRUE(outcome.ok()) << outcome.error().message();
    return outcome.ok() ? *outcome : IntakeOutcome{};
  }

  std::string value(const std::string& sql) {
    auto reader = store().reader();
    EXPECT_TRUE(reader.ok());
    auto statement = (*reader)->statement(sql);
    EXPECT_TRUE(statement.ok()) << statement.error().message();
    if (!statement.ok() || !*statement->step()) return {};
    return std::string(statement->text(0));
  }

  std::int64_t count(const std::string& sql) {
    auto reader = store().reader();
    EXPECT_TRUE(reader.ok());
    const auto number = (*reader)->find_integer(sql);
    EXPECT_TRUE(number.ok()) << number.error().message();
    return number.ok() ? number->value_or(-1) : -1;
  }

  testing::TemporaryDirectory directory_;
  std::atomic<std::int64_t> now_ms_ = 1'790'000'000'000;
  memory::Clock clock_ = [this] { return now_ms_.load(); };
  std::unique_ptr<memory::Memory> memory_ = open_memory();
  GroupCommit commits_{memory_->store()};
  Queue queue_{memory_->store(), commits_, clock_};
  Intake intake_{*memory_, queue_, commits_, {.excluded_projects = {"hush*"}}};
};

}  // namespace codexmem::observe
