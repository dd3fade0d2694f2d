#include "serve/worker.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "net/http_client.h"
#include "support/temporary_directory.h"
#include "serve/routes.h"

namespace codexmem::serve {
namespace {

namespace fs = std::filesystem;

class WorkerTest : public ::testing::Test {
 protected:
  memory::LazyMemory memory_of(const fs::path& directory) {
    return {directory, [directory] {
              memory::MemoryOptions options;
              options.directory = directory;
              return memory::Memory::open(std::move(options));
            }};
  }

  static WorkerOptions options(memory::LazyMemory& memory, const fs::path& directory) {
    return {.directory = directory,
            .port = 0,
            .version = "1.2.3",
            .memory = &memory,
            .setting = [](const char*) { return std::string(); }};
  }

  static void await_ready(const Worker& worker) {
    while (!worker.is_ready()) std::this_thread::yield();
  }

  static net::HttpAnswer get(const Worker& worker, const std::string& target) {
    net::HttpClient client;
    net::HttpRequest request;
    request.url = "http://127.0.0.1:" + std::to_string(worker.address().port) + target;
    const auto answer = client.send(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? *answer : net::HttpAnswer{};
  }

  testing::TemporaryDirectory folder_;
  fs::path directory_ = folder_.path() / "data";
};

TEST_F(WorkerTest, OneServesADirectoryAndCanBeFound) {
  auto memory = memory_of(directory_);
  {
    const auto worker = Worker::start(options(memory, directory_));
    ASSERT_TRUE(worker.ok()) << worker.error().message();
    await_ready(**worker);
    EXPECT_EQ(get(**worker, "/api/version").body, R"({"version":"1.2.3"})");
    EXPECT_EQ(get(**worker, "/api/readiness").status, 200);

    const auto found = find_worker(directory_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->port, (*worker)->address().port);
    EXPECT_EQ(found->version, "1.2.3");

    const auto second = Worker::start(options(memory, directory_));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code(), ErrorCode::kBusy);
    EXPECT_NE(second.error().message().find(std::to_string(found->port)), std::string::npos);
  }
  EXPECT_FALSE(find_worker(directory_));
  EXPECT_FALSE(fs::exists(directory_ / "worker.json"));
}

TEST_F(WorkerTest, WhatAKilledOneLeftBehindIsNoWorker) {
  fs::create_directories(directory_);
  std::ofstream(directory_ / "worker.json") << R"({"pid":1,"port":37877})";
  std::ofstream(directory_ / "worker.lock") << "";
  EXPECT_FALSE(find_worker(directory_));
}

TEST_F(WorkerTest, TheNextPortIsTakenWhenAStrangerHasIt) {
  net::HttpServer stranger([](const net::ServedRequest&) { return net::ServedReply{}; });
  const auto port = stranger.listen(0);
  ASSERT_TRUE(port.ok());
  auto memory = memory_of(directory_);
  WorkerOptions wanted = options(memory, directory_);
  wanted.port = *port;
  const auto worker = Worker::start(std::move(wanted));
  ASSERT_TRUE(worker.ok()) << worker.error().message();
  EXPECT_GT((*worker)->address().port, *port);
}

TEST_F(WorkerTest, AStoreThatCannotBeOpenedEndsIt) {
  memory::LazyMemory memory(directory_, []() -> Result<std::unique_ptr<memory::Memory>> {
    return Error{ErrorCode::kCorrupt, "the store is damaged"};
  });
  const auto worker = Worker::start(options(memory, directory_));
  ASSERT_TRUE(worker.ok());
  const auto served = (*worker)->run();
  ASSERT_FALSE(served.ok());
  EXPECT_EQ(served.error().message(), "the store is damaged");
}

TEST_F(WorkerTest, BeforeTheStoreIsOpenOnlyItsHealthIsReported) {
  std::promise<void> may_open;
  memory::LazyMemory memory(directory_, [&]() {
    may_open.get_future().wait();
    memory::MemoryOptions opened;
    opened.directory = directory_;
    return memory::Memory::open(std::move(opened));
  });
  const auto worker = Worker::start(options(memory, directory_));
  ASSERT_TRUE(worker.ok());
  EXPECT_NE(get(**worker, "/api/health").body.find(R"("initialized":false)"), std::string::npos);
  EXPECT_EQ(get(**worker, "/api/version").status, 200);
  EXPECT_EQ(get(**worker, "/api/readiness").status, 503);
  EXPECT_EQ(get(**worker, "/api/events").status, 503);
  EXPECT_EQ(get(**worker, "/api/no-such-route").status, 503);
  may_open.set_value();
  await_ready(**worker);
  EXPECT_EQ(get(**worker, "/api/no-such-route").status, 404);
}

TEST(RefuseStrangers, IsForOtherNamesAndSites) {
  struct Case {
    std::string host, origin;
    int status;
  };
  const Case cases[] = {
      {"localhost:37877", "", 200},
      {"127.0.0.1", "", 200},
      {"[::1]:1", "", 200},
      {"LOCALHOST:37877", "http://localhost:37877", 200},
      {"127.0.0.1:37877", "http://localhost:37877", 200},
      {"localhost", "http://127.0.0.1", 200},
      {"localhost:37877", "http://127.0.0.1:1", 403},
      {"localhost:37877", "http://127.0.0.1", 403},
      {"localhost", "http://127.0.0.1:9", 403},
      {"example.com", "", 403},
      {"localhost.example.com", "", 403},
      {"localhost:1@example.com", "", 403},
      {"127.0.0.1.example.com:80", "", 403},
      {"", "", 403},
      {"localhost", "http://example.com", 403},
      {"localhost", "http://localhost.example.com", 403},
      {"localhost", "null", 403},
      {"localhost", "file://", 403},
  };
  for (const Case& one : cases) {
    net::ServedRequest request{.method = "GET", .path = "/api/health"};
    if (!one.host.empty()) request.headers.push_back({"Host", one.host});
    if (!one.origin.empty()) request.headers.push_back({"Origin", one.origin});
    const auto refusal = refuse_strangers(request);
    EXPECT_EQ(refusal ? refusal->status : 200, one.status) << one.host << one.origin;
  }
}

TEST_F(WorkerTest, AWrongMethodIsAnsweredWithTheAllowedOnes) {
  auto memory = memory_of(directory_);
  const auto worker = Worker::start(options(memory, directory_));
  ASSERT_TRUE(worker.ok());
  const net::ServedReply reply = answer_request(
      **worker, {.method = "POST", .path = "/api/health", .headers = {{"Host", "localhost"}}});
  EXPECT_EQ(reply.status, 405);
  EXPECT_EQ(reply.headers.back().value, "GET");
}

}  // namespace
}  // namespace codexmem::serve
