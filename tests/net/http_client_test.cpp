#include "net/http_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/http_test_server.h"

namespace codexmem::net {
namespace {

using namespace std::chrono_literals;
using testing::HttpTestServer;
using testing::reply;
using testing::TestReply;
using testing::TestRequest;

TEST(HttpClient, PostsAndReadsTheAnswer) {
  TestRequest seen;
  HttpTestServer server([&](const TestRequest& request) {
    seen = request;
    return reply(201, R"({"a":1})");
  });
  HttpClient client;
  const auto answer = client.send(post_json(server.url() + "/v1/x", R"({"q":2})", "k1"));
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->body, R"({"a":1})");
  EXPECT_FALSE(answer->retry_after.has_value());
  EXPECT_EQ(seen.body, R"({"q":2})");
  EXPECT_TRUE(seen.head.starts_with("POST /v1/x HTTP/1.1\r\n")) << seen.head;
  EXPECT_NE(seen.head.find("\r\nAuthorization: Bearer k1"), std::string::npos);
  EXPECT_NE(seen.head.find("\r\nContent-Type: application/json"), std::string::npos);
}

TEST(HttpClient, WithoutAKeyThereIsNoAuthorization) {
  TestRequest seen;
  HttpTestServer server([&](const TestRequest& request) {
    seen = request;
    return reply(200, "");
  });
  ASSERT_TRUE(HttpClient().send(post_json(server.url(), "{}")).ok());
  EXPECT_EQ(seen.head.find("Authorization"), std::string::npos);
}

TEST(HttpClient, ReportsHowLongToWait) {
  HttpTestServer server([](const TestRequest&) { return reply(429, "", "Retry-After: 7\r\n"); });
  const auto answer = HttpClient().send({.url = server.url()});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->status, 429);
  EXPECT_EQ(answer->retry_after, 7s);
}

TEST(HttpClient, ARedirectIsAnAnswerSoTheKeyGoesNowhereElse) {
  HttpTestServer other([](const TestRequest&) { return reply(200, ""); });
  HttpTestServer server(
      [&](const TestRequest&) { return reply(307, "", "Location: " + other.url() + "\r\n"); });
  const auto answer = HttpClient().send(post_json(server.url(), "{}", "k1"));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->status, 307);
  EXPECT_EQ(other.requests(), 0);
}

TEST(HttpClient, WhatMayGoBetterAnotherTimeIsIo) {
  HttpTestServer silent([](const TestRequest&) { return TestReply{"", true}; });
  HttpTestServer cut([](const TestRequest&) {
    return TestReply{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"};
  });
  HttpTestServer mute([](const TestRequest&) { return TestReply{}; });
  std::string gone;
  {
    HttpTestServer there([](const TestRequest&) { return TestReply{}; });
    gone = there.url();
  }
  HttpClient client;
  for (const std::string& url : {silent.url(), cut.url(), mute.url(), gone}) {
    const auto answer = client.send({.url = url, .timeout = 200ms});
    ASSERT_FALSE(answer.ok()) << url;
    EXPECT_EQ(answer.error().code(), ErrorCode::kIo) << answer.error().message();
    EXPECT_TRUE(answer.error().message().starts_with("127.0.0.1: ")) << answer.error().message();
  }
}

TEST(HttpClient, GarbageAndAnswersThatAreTooLongAreCorrupt) {
  HttpTestServer garbage([](const TestRequest&) { return TestReply{"\x01\x02 not HTTP\r\n\r\n"}; });
  HttpTestServer endless([](const TestRequest&) { return reply(200, std::string(5000, 'x')); });
  HttpClient client;
  for (const std::string& url : {garbage.url(), endless.url()}) {
    const auto answer = client.send({.url = url, .timeout = 2s, .max_answer_bytes = 4999});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code(), ErrorCode::kCorrupt) << answer.error().message();
  }
  EXPECT_TRUE(client.send({.url = endless.url(), .max_answer_bytes = 5000}).ok());
}

TEST(HttpClient, WhatCannotBeSentIsRefused) {
  HttpClient client;
  for (const char* url :
       {"", "example.com", "file:///etc/passwd", "ftp://example.com/", "http://"}) {
    const auto answer = client.send({.url = url});
    ASSERT_FALSE(answer.ok()) << url;
    EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidArgument) << url;
  }
  const auto split = client.send(post_json("http://127.0.0.1:1/", "{}", "key\r\nX-Other: 1"));
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(split.error().message().find("key\r"), std::string::npos);
}

TEST(HttpClient, IsCancelledAtOnceAndUsableAfter) {
  HttpTestServer silent([](const TestRequest&) { return TestReply{"", true}; });
  HttpTestServer quick([](const TestRequest&) { return reply(200, "yes"); });
  HttpClient client;
  std::stop_source stop;
  const auto begin = std::chrono::steady_clock::now();
  std::jthread later([&] {
    while (silent.requests() == 0) std::this_thread::yield();
    stop.request_stop();
  });
  const auto answer = client.send({.url = silent.url(), .timeout = 30s}, stop.get_token());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(client.send({.url = quick.url()})->body, "yes");
}

TEST(HttpClient, IsUsedByManyThreads) {
  HttpTestServer server([](const TestRequest& request) { return reply(200, request.body); });
  HttpClient client;
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        const std::string text = std::to_string(i * 100 + round);
        const auto answer = client.send(post_json(server.url(), text));
        if (answer.ok() && answer->body == text) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 80);
}

TEST(HostOf, IsTheHostAlone) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://API.Example.com/v1", "api.example.com"},
      {"http://user:secret@example.com:8080/x?y", "example.com"},
      {"http://[::1]:11434/v1", "::1"},
      {"http://localhost", "localhost"},
      {"http://a@b@example.com", "example.com"},
      {"example.com", ""},
      {"http://", ""},
      {"", ""},
  };
  for (const auto& [url, want] : cases) EXPECT_EQ(host_of(url), want) << url;
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_TRUE(is_loopback("::1"));
  EXPECT_FALSE(is_loopback("127.0.0.1.example.com"));
}

}  // namespace
}  // namespace codexmem::net
