#include "hook/worker_call.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hook/loopback_server.h"
#include "base/access_token.h"
#include "config/worker_file.h"
#include "support/temporary_directory.h"

namespace codexmem::hook {
namespace {

using std::chrono::milliseconds;
using testing::LoopbackServer;

constexpr milliseconds kLong{30000};

TEST(CallWorker, GivesStatusAndBody) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
  const auto answer =
      call_worker(server.port(), {.target = "/x?y=1", .body = "{}", .wants_body = true}, kLong);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "hello");
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("POST /x?y=1 HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\n{}")) << request;
  EXPECT_NE(request.find(fmt::format("Host: 127.0.0.1:{}\r\n", server.port())), std::string::npos);
}

TEST(CallWorker, WithoutALengthTheBodyEndsWithTheConnection) {
  const LoopbackServer server("HTTP/1.0 503 x\r\n\r\nlater");
  const auto answer = call_worker(server.port(), {.target = "/", .wants_body = true}, kLong);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->body, "later");
}

TEST(CallWorker, IsNothingWithoutAWholeAnswer) {
  for (const char* answer : {"SSH-2.0-x\r\n\r\n", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n",
                             "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"}) {
    const LoopbackServer server(answer);
    EXPECT_FALSE(call_worker(server.port(), {.target = "/", .wants_body = true}, kLong)) << answer;
  }
}

TEST(CallWorker, GivesUpInTimeOnWhoTakesButDoesNotAnswer) {
  const LoopbackServer server("");
  const auto begin = std::chrono::steady_clock::now();
  const std::string body(std::size_t{8} << 20, 'x');
  EXPECT_FALSE(call_worker(server.port(), {.target = "/", .body = body}, milliseconds(20)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(19));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(2000));
}

TEST(CallWorker, AMissingWorkerIsNoticedAtOnce) {
  int port = 0;
  {
    const LoopbackServer server("");
    port = server.port();
  }
  EXPECT_FALSE(call_worker(port, {.target = "/"}, kLong));
}

// Issue 17, 3.
TEST(CallWorker, SendsTheTokenOfAWorkerThatAsksForOne) {
  const testing::TemporaryDirectory directory;
  const auto token = make_access_token(directory.path());
  ASSERT_TRUE(token.ok()) << token.error().message();
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  WorkerAddress address{
      .pid = ::getpid(), .port = server.port(), .process_start = process_start(::getpid())};
  for (const std::string& wanted : {std::string(), *token}) {
    address.token = wanted;
    ASSERT_TRUE(write_worker_file(directory.path(), address).ok());
    const auto worker = find_worker(directory.path());
    ASSERT_TRUE(worker);
    EXPECT_EQ(worker->token, wanted);
    EXPECT_EQ(viewer_url(*worker), fmt::format("http://127.0.0.1:{}/viewer{}", server.port(),
                                               wanted.empty() ? "" : "?token=" + wanted));
    ASSERT_TRUE(call_worker(worker->port, {.target = "/", .token = worker->token}, kLong));
    const bool is_sent = server.requests().back().find("X-Codexmem-Token: ") != std::string::npos;
    EXPECT_EQ(is_sent, !wanted.empty());
  }
}

// Review of issue 7, 6: a living process with that number passed for the worker.
TEST(FindWorker, IsTheLivingProcessThatWroteTheFile) {
  const testing::TemporaryDirectory directory;
  EXPECT_FALSE(find_worker(directory.path()));
  WorkerAddress address{
      .pid = ::getpid(), .port = 4711, .process_start = process_start(::getpid())};
  ASSERT_TRUE(write_worker_file(directory.path(), address).ok());
  ASSERT_TRUE(find_worker(directory.path()));
  EXPECT_EQ(find_worker(directory.path())->port, 4711);
  --address.process_start;
  ASSERT_TRUE(write_worker_file(directory.path(), address).ok());
  EXPECT_FALSE(find_worker(directory.path()));
  directory.write("worker.json", fmt::format(R"({{"pid":{},"port":4711}})", ::getpid()));
  EXPECT_FALSE(find_worker(directory.path()));
}

}  // namespace
}  // namespace codexmem::hook
