#include "mcp/http_endpoint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "mcp/event_stream.h"
#include "mcp/fixture_tools.h"
#include "mcp/http_headers.h"
#include "mcp/session.h"

namespace codexmem::mcp {
namespace {

using net::ServedReply;
using net::ServedRequest;

constexpr const char* kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string call(int id, const std::string& tool, const std::string& arguments = "{}") {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{}}}}})",
      id, tool, arguments);
}

std::string header_of(const ServedReply& reply, std::string_view name) {
  for (const auto& header : reply.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

// What a client reads of a stream until it ends, or until it has read `enough`.
std::string read_stream(const ServedReply& reply, const std::string& enough = "") {
  std::string text;
  const net::StreamSink sink = [&](std::string_view bytes) {
    text += bytes;
    return true;
  };
  while (reply.stream && reply.stream(sink)) {
    if (!enough.empty() && text.find(enough) != std::string::npos) break;
  }
  return text;
}

class Endpoint : public ::testing::Test {
 protected:
  Endpoint() : Endpoint(HttpEndpointOptions{}) {}
  explicit Endpoint(HttpEndpointOptions options)
      : server_({.tools = *ToolTable::make(testing::fixture_tools(), "all")}, nullptr,
                ServerOptions{}),
        endpoint_(server_, std::move(options)) {}

  ServedReply post(std::string body, std::vector<net::HttpHeader> headers = {}) {
    ServedRequest request{.method = "POST", .path = "/mcp", .body = std::move(body)};
    request.headers = {{"Content-Type", "application/json"},
                       {"Accept", "application/json, text/event-stream"}};
    for (auto& header : headers) {
      std::erase_if(request.headers, [&](const auto& known) { return known.name == header.name; });
      request.headers.push_back(std::move(header));
    }
    return endpoint_.handle(request);
  }
  ServedReply ask(std::string method, std::vector<net::HttpHeader> headers = {}) {
    return endpoint_.handle(
        {.method = std::move(method), .path = "/mcp", .headers = std::move(headers)});
  }
  std::string open(const std::string& revision = "2025-11-25") {
    const ServedReply reply = post(fmt::format(
        R"({{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{{}}}}}})",
        revision));
    EXPECT_EQ(reply.status, 200) << reply.body;
    return header_of(reply, "Mcp-Session-Id");
  }
  ServedReply in_session(const std::string& id, std::string body) {
    return post(std::move(body), {{"Mcp-Session-Id", id}});
  }
  ServedReply stateless(const std::string& method, const std::string& params = "",
                        std::vector<net::HttpHeader> headers = {}) {
    headers.push_back({"MCP-Protocol-Version", "2026-07-28"});
    headers.push_back({"Mcp-Method", method});
    return post(fmt::format(R"({{"jsonrpc":"2.0","id":9,"method":"{}","params":{{{}{}{}}}}})",
                            method, kMeta, params.empty() ? "" : ",", params),
                std::move(headers));
  }

  Server server_;
  HttpEndpoint endpoint_;
};

TEST_F(Endpoint, ASessionHasAnIdAndEnds) {
  const std::string id = open();
  EXPECT_EQ(id.size(), 32U);
  EXPECT_NE(id, open());
  EXPECT_EQ(in_session(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status,
            202);
  const ServedReply answered = in_session(id, R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_EQ(answered.status, 200);
  EXPECT_EQ(answered.body, R"({"jsonrpc":"2.0","id":2,"result":{}})");
  EXPECT_EQ(ask("DELETE", {{"Mcp-Session-Id", id}}).status, 204);
  EXPECT_EQ(in_session(id, R"({"jsonrpc":"2.0","id":2,"method":"ping"})").status, 404);
  EXPECT_EQ(ask("GET", {{"Mcp-Session-Id", id}}).status, 404);
}

TEST_F(Endpoint, ForeignMessagesAreRefused) {
  const std::string id = open();
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
  EXPECT_EQ(post(ping).status, 400);  // no session
  EXPECT_EQ(post(ping, {{"Content-Type", "text/plain"}, {"Mcp-Session-Id", id}}).status, 415);
  EXPECT_EQ(post(ping, {{"Accept", "text/html"}, {"Mcp-Session-Id", id}}).status, 406);
  EXPECT_EQ(post(ping, {{"MCP-Protocol-Version", "1999-01-01"}, {"Mcp-Session-Id", id}}).status,
            400);
  EXPECT_EQ(in_session(id, std::string((16 << 20) + 1, ' ')).status, 413);
  const ServedReply broken = in_session(id, "{\"a\":");
  EXPECT_EQ(broken.status, 400);
  EXPECT_NE(broken.body.find("-32700"), std::string::npos);
  EXPECT_EQ(ask("PUT").status, 405);
  EXPECT_EQ(header_of(ask("OPTIONS"), "Allow"), "GET, POST, DELETE, OPTIONS");
}

TEST_F(Endpoint, AnAnswerThatIsThereIsJson) {
  const std::string id = open();
  const ServedReply reply = in_session(id, call(2, "echo", R"({"text":"\"method\":"})"));
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_FALSE(reply.stream);
}

TEST_F(Endpoint, ProgressMakesAStreamThatCanBeReadAgain) {
  const std::string id = open();
  const ServedReply reply = in_session(
      id,
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps","arguments":{"count":3},"_meta":{"progressToken":"p"}}})");
  ASSERT_TRUE(reply.stream) << reply.body;
  const std::string all = read_stream(reply);
  EXPECT_TRUE(all.starts_with("id: 1.0\nretry: 1000\ndata: \n\n")) << all;
  EXPECT_NE(all.find("notifications/progress"), std::string::npos);
  EXPECT_NE(all.find("\"result\""), std::string::npos);
  const std::string again =
      read_stream(ask("GET", {{"Mcp-Session-Id", id}, {"Last-Event-ID", "1.1"}}));
  EXPECT_EQ(again.find("id: 1.1\n"), std::string::npos) << again;
  EXPECT_NE(again.find("\"result\""), std::string::npos) << again;
}

TEST_F(Endpoint, OlderRevisionsGetNoEventWithoutData) {
  const std::string id = open("2025-06-18");
  const std::string all = read_stream(in_session(
      id,
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps","arguments":{"count":3},"_meta":{"progressToken":"p"}}})"));
  EXPECT_TRUE(all.starts_with("retry: 1000\n\nevent: message\n")) << all;
}

TEST_F(Endpoint, WhoTakesJsonAloneGetsTheAnswerAlone) {
  const std::string id = open();
  const ServedReply reply = post(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps","arguments":{"count":3},"_meta":{"progressToken":"p"}}})",
      {{"Accept", "application/json"}, {"Mcp-Session-Id", id}});
  EXPECT_FALSE(reply.stream);
  EXPECT_NE(reply.body.find("\"result\""), std::string::npos);
}

TEST_F(Endpoint, ASecondReaderTakesThePlaceOfTheFirst) {
  const std::string id = open();
  const ServedReply first = ask("GET", {{"Mcp-Session-Id", id}});
  auto reading = std::async(std::launch::async, [&] { return read_stream(first); });
  const ServedReply second = ask("GET", {{"Mcp-Session-Id", id}});
  EXPECT_EQ(reading.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_EQ(ask("DELETE", {{"Mcp-Session-Id", id}}).status, 204);
  read_stream(second);  // ends with the session
}

TEST_F(Endpoint, AConnectionThatIsGoneCancelsAStatelessRequest) {
  const int before = testing::waiting_calls();
  {
    const ServedReply reply =
        stateless("tools/call", R"("name":"wait","arguments":{})", {{"Mcp-Name", "wait"}});
    ASSERT_TRUE(reply.stream) << reply.body;
    read_stream(reply, ":\n\n");
    EXPECT_EQ(testing::waiting_calls(), before + 1);
  }
  for (int i = 0; i < 1000 && testing::waiting_calls() != before; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(testing::waiting_calls(), before);
}

TEST_F(Endpoint, HeadersMustSayWhatTheMessageSays) {
  EXPECT_EQ(stateless("tools/list").status, 200);
  EXPECT_EQ(stateless("no/such").status, 404);
  EXPECT_EQ(stateless("tools/call", R"("name":"echo","arguments":{})").status, 400);
  const ServedReply other =
      stateless("tools/call", R"("name":"echo","arguments":{})", {{"Mcp-Name", "talk"}});
  EXPECT_EQ(other.status, 400);
  EXPECT_NE(other.body.find("-32020"), std::string::npos);
  EXPECT_NE(other.body.find("\"id\":9"), std::string::npos);
  EXPECT_EQ(stateless("tools/call", R"("name":"echo","arguments":{})",
                      {{"Mcp-Name", "=?base64?ZWNobw==?="}})
                .status,
            200);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":9,"method":"tools/list"})",
                 {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}})
                .status,
            400);
}

class NamedSessions : public Endpoint {
 protected:
  NamedSessions()
      : Endpoint({.max_sessions = 2,
                  .name_session =
                      [this](std::string_view revision) {
                        return fmt::format("{}/{}", revision, ++opened_);
                      },
                  .revision_of =
                      [](std::string_view id) {
                        return std::string(id.substr(0, id.find('/')) == "2025-06-18" ? "2025-06-18"
                                                                                      : "");
                      }}) {}
  int opened_ = 0;
};

TEST_F(NamedSessions, ASessionOfAnotherProcessIsTakenUp) {
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
  EXPECT_EQ(open("2025-06-18"), "2025-06-18/1");
  EXPECT_EQ(in_session("2025-06-18/of another", ping).status, 200);
  EXPECT_EQ(in_session("2025-06-18/of another", call(3, "echo", R"({"text":"a"})")).status, 200);
  EXPECT_EQ(in_session("unknown", ping).status, 404);
  EXPECT_EQ(ask("DELETE", {{"Mcp-Session-Id", "2025-06-18/of another"}}).status, 204);
  EXPECT_EQ(in_session("2025-06-18/of another", ping).status, 404);
  // One that had to make room comes back.
  for (const char* other : {"2025-06-18/a", "2025-06-18/b", "2025-06-18/1"}) {
    EXPECT_EQ(in_session(other, ping).status, 200) << other;
  }
}

TEST(DecodeHeader, TakesBase64InItsStrictFormAlone) {
  EXPECT_EQ(decode_header("plain value"), "plain value");
  EXPECT_EQ(decode_header("=?base64?SGVsbG8=?="), "Hello");
  EXPECT_EQ(decode_header("=?base64?SGVsbG8?="), std::nullopt);
  EXPECT_EQ(decode_header("=?base64?SGVs!!!bG8=?="), std::nullopt);
  EXPECT_EQ(decode_header("=?base64?SGVsbG8="), "=?base64?SGVsbG8=");
  EXPECT_EQ(decode_header("caf\xc3\xa9"), std::nullopt);
}

class FewSessions : public Endpoint {
 protected:
  FewSessions() : Endpoint({.max_sessions = 2, .max_streams = 1}) {}
};

TEST_F(FewSessions, TheOneThatIsIdleLongestEnds) {
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
  const std::string first = open(), second = open();
  EXPECT_EQ(in_session(first, ping).status, 200);
  const std::string third = open();
  EXPECT_EQ(in_session(first, ping).status, 200);
  EXPECT_EQ(in_session(second, ping).status, 404);
  EXPECT_EQ(in_session(third, ping).status, 200);
}

TEST_F(FewSessions, StreamsThatStayOpenAreCounted) {
  const std::string id = open();
  const ServedReply held = ask("GET", {{"Mcp-Session-Id", id}});
  EXPECT_EQ(held.status, 200);
  EXPECT_EQ(ask("GET", {{"Mcp-Session-Id", id}}).status, 503);
}

TEST_F(Endpoint, NothingIsAnsweredOnceItIsClosed) {
  const std::string id = open();
  endpoint_.close();
  EXPECT_EQ(in_session(id, R"({"jsonrpc":"2.0","id":2,"method":"ping"})").status, 503);
}

TEST(EventStreamTest, AnAnswerIsNotLostToNotifications) {
  const auto stream = std::make_shared<EventStream>(1, true, EventStream::Limits{.messages = 3});
  auto sink = stream->open_sink();
  sink->send(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  for (int i = 0; i < 9; ++i) sink->send(R"({"jsonrpc":"2.0","method":"notifications/message"})");
  sink.reset();
  std::vector<EventStream::Event> events;
  EXPECT_EQ(stream->read(stream->attach(), 0, std::chrono::milliseconds(0), events),
            EventStream::Kind::kNews);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_TRUE(is_answer(events[0].message));
}

TEST(EventStreamTest, HangingUpCutsTheReaderThatComes) {
  const auto stream = std::make_shared<EventStream>(1, true, EventStream::Limits{});
  auto sink = stream->open_sink();
  sink->hang_up();
  EXPECT_EQ(stream->await_first(std::chrono::milliseconds(0)), EventStream::First::kOthers);
  sink->send(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  sink.reset();
  std::vector<EventStream::Event> events;
  EXPECT_EQ(stream->read(stream->attach(), 0, std::chrono::seconds(0), events),
            EventStream::Kind::kCut);
  EXPECT_EQ(stream->read(stream->attach(), 0, std::chrono::seconds(0), events),
            EventStream::Kind::kNews);
}

}  // namespace
}  // namespace codexmem::mcp
