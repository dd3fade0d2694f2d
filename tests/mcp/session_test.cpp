#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "mcp/fixture_tools.h"
#include "mcp/memory_transport.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::HasSubstr;

// Parameters of a request of the stateless era.
Json modern(Json params = Json::object(), const std::string& version = "2026-07-28") {
  params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version;
  params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = Json::object();
  return params;
}

void wait_for_waiting_call() {
  while (waiting_calls() == 0) std::this_thread::yield();
}

TEST(Handshake, EchoesEachRevisionItKnows) {
  for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Client client;
    EXPECT_EQ(client.initialize(revision)["result"]["protocolVersion"], revision);
  }
}

TEST(Handshake, AnswersAnUnknownRevisionWithItsNewest) {
  for (const char* revision : {"2099-01-01", "1.0", "", "2026-07-28"}) {
    Client client;
    EXPECT_EQ(client.initialize(revision)["result"]["protocolVersion"], "2025-11-25");
  }
}

TEST(Handshake, SaysWhoItIs) {
  Client client;
  const Json result = client.initialize()["result"];
  EXPECT_EQ(result["serverInfo"]["name"], "codexmem");
  EXPECT_EQ(result["serverInfo"]["version"], "1.2.3");
  EXPECT_EQ(result["serverInfo"]["contracts"]["code"], "1.0.0");
  EXPECT_EQ(result["instructions"], "Use echo.");
  EXPECT_TRUE(result["capabilities"].contains("tools"));
  EXPECT_TRUE(result["capabilities"].contains("logging"));
}

TEST(Handshake, RefusesMalformedParams) {
  Client client;
  EXPECT_EQ(code(client.request("initialize")), -32602);
  EXPECT_EQ(code(client.request("initialize", {{"protocolVersion", 3}})), -32602);
  EXPECT_EQ(code(client.request("initialize", Json::array({1}))), -32602);
  EXPECT_EQ(code(client.request("initialize",
                                {{"protocolVersion", "2025-11-25"}, {"capabilities", "none"}})),
            -32602);
  EXPECT_EQ(client.initialize()["result"]["protocolVersion"], "2025-11-25");
}

TEST(Handshake, OnlyPingComesBeforeInitialize) {
  Client client;
  EXPECT_EQ(client.request("ping")["result"], Json::object());
  EXPECT_EQ(code(client.request("tools/list")), -32600);
  EXPECT_EQ(code(client.call("echo", {{"text", "a"}})), -32600);
  EXPECT_EQ(code(client.request("logging/setLevel", {{"level", "info"}})), -32600);
  client.initialize();
  EXPECT_TRUE(client.request("tools/list").contains("result"));
}

TEST(Requests, IdsComeBackAsTheyWere) {
  Client client;
  client.send(R"({"jsonrpc":"2.0","id":"7","method":"ping"})");
  EXPECT_EQ(client.answer("7")["result"], Json::object());
  client.send(R"({"jsonrpc":"2.0","id":-3,"method":"ping"})");
  EXPECT_FALSE(client.answer(-3).is_null());
  client.send(R"({"jsonrpc":"2.0","id":"","method":"ping"})");
  EXPECT_FALSE(client.answer("").is_null());
  client.send(R"({"jsonrpc":"2.0","id":2.5,"method":"ping"})");
  EXPECT_FALSE(client.answer(2.5).is_null());
}

TEST(Requests, UnknownMethodsAndToolsAreRefused) {
  Client client;
  client.initialize();
  EXPECT_EQ(code(client.request("tools/lost")), -32601);
  EXPECT_EQ(code(client.request("resources/list")), -32601);
  const Json unknown = client.call("ecko");
  EXPECT_EQ(code(unknown), -32602);
  EXPECT_THAT(message(unknown), HasSubstr("did you mean echo?"));
}

TEST(Requests, BadParamsAreRefused) {
  Client client;
  client.initialize();
  EXPECT_EQ(code(client.request("tools/call")), -32602);
  EXPECT_EQ(code(client.request("tools/call", {{"name", 7}})), -32602);
  EXPECT_EQ(code(client.request("tools/call", Json::array({"echo"}))), -32602);
  EXPECT_EQ(code(client.request("tools/list", {{"_meta", "x"}})), -32602);
  EXPECT_EQ(code(client.request("tools/list", {{"_meta", {{"progressToken", true}}}})), -32602);
  EXPECT_EQ(code(client.request("logging/setLevel", {{"level", "loud"}})), -32602);
  EXPECT_EQ(code(client.request("logging/setLevel", {{"level", 3}})), -32602);
}

TEST(Requests, EveryKindOfBadLineIsAnsweredAndTheServerLivesOn) {
  Client client;
  client.initialize();
  EXPECT_EQ(code(client.refusal("not json")), -32700);
  EXPECT_EQ(code(client.refusal("{\"a\":\xff}")), -32700);
  EXPECT_EQ(code(client.refusal(std::string(1'000'000, '['))), -32700);
  EXPECT_EQ(code(client.refusal("[]")), -32600);
  EXPECT_EQ(code(client.refusal("7")), -32600);
  EXPECT_EQ(code(client.refusal(R"({"jsonrpc":"2.0","id":null,"method":"ping"})")), -32600);
  client.transport().push({Incoming::Kind::kTooLong, "", 20'000'000, {"7"}});
  const Json too_long = client.answer(7);
  EXPECT_EQ(code(too_long), -32600);
  EXPECT_THAT(message(too_long), HasSubstr("20000000"));
  EXPECT_EQ(client.request("ping")["result"], Json::object());
}

TEST(Requests, NotificationsAndResponsesAreNeverAnswered) {
  Client client;
  client.initialize();
  client.notify("notifications/initialized", Json::object());
  client.notify("notifications/unheard", Json::array({1}));
  client.notify("notifications/cancelled", {{"requestId", 12345}});
  client.notify("notifications/cancelled", {{"requestId", {{"a", 1}}}});
  client.notify("notifications/cancelled", Json::array());
  client.send(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  client.request("ping");
  EXPECT_TRUE(client.end().empty());
}

TEST(ToolsList, IsTheSameEveryTimeAndCountsItsPages) {
  ServerOptions options;
  options.page_size = 3;
  Client client(options);
  client.initialize();
  std::vector<std::string> names;
  Json params = Json::object();
  int pages = 0;
  while (true) {
    const Json result = client.request("tools/list", params)["result"];
    ++pages;
    for (const Json& tool : result["tools"]) names.push_back(tool["name"]);
    if (!result.contains("nextCursor")) break;
    params["cursor"] = result["nextCursor"];
  }
  EXPECT_EQ(pages, 3);
  std::vector<std::string> want;
  for (const Tool& tool : fixture_tools()) want.emplace_back(tool.name);
  EXPECT_EQ(names, want);
}

TEST(ToolsList, RefusesACursorThatItNeverGave) {
  Client client;
  client.initialize();
  EXPECT_EQ(code(client.request("tools/list", {{"cursor", "nonsense"}})), -32602);
  EXPECT_EQ(code(client.request("tools/list", {{"cursor", ""}})), -32602);
  EXPECT_EQ(code(client.request("tools/list", {{"cursor", 1}})), -32602);
  EXPECT_EQ(code(client.request("tools/list", {{"cursor", nullptr}})), -32602);
}

TEST(ToolsCall, AnswersWithTextAndStructuredContent) {
  Client client;
  client.initialize();
  const Json result = client.call("echo", {{"text", "a\n\"b\""}})["result"];
  EXPECT_EQ(result["structuredContent"]["text"], "a\n\"b\"");
  EXPECT_EQ(Json::parse(result["content"][0]["text"].get<std::string>()),
            result["structuredContent"]);
  EXPECT_EQ(result["content"][0]["type"], "text");
  EXPECT_FALSE(result.contains("isError"));
}

TEST(ToolsCall, FailuresAreResultsAndNoProtocolErrors) {
  Client client;
  client.initialize();
  for (const Json& answer :
       {client.call("echo", {{"text", 7}}), client.call("echo", "text"), client.call("fail"),
        client.call("throw"), client.call("throw", {{"kind", "int"}})}) {
    ASSERT_TRUE(answer.contains("result")) << answer;
    EXPECT_EQ(answer["result"]["isError"], true);
    const Json failure = answer["result"]["structuredContent"];
    EXPECT_EQ(answer["result"]["content"][0]["text"],
              "Error: " + failure["type"].get<std::string>() + " - " +
                  failure["message"].get<std::string>());
  }
}

TEST(ToolsCall, TenCallsRunAtTheSameTime) {
  Client client;
  client.initialize();
  for (int i = 0; i < 10; ++i) {
    client.send_request(i, "tools/call", {{"name", "meet"}, {"arguments", {{"count", 10}}}});
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.answer(i)["result"]["structuredContent"]["met"], true);
  }
}

TEST(ToolsCall, PingIsAnsweredWhileEveryWorkerIsBusy) {
  ServerOptions options;
  options.workers.threads = 1;
  Client client(options);
  client.initialize();
  client.send_request(1, "tools/call", {{"name", "wait"}});
  EXPECT_EQ(client.request("ping")["result"], Json::object());
  client.notify("notifications/cancelled", {{"requestId", 1}});
}

TEST(ToolsCall, AnIdInFlightCannotBeUsedAgain) {
  Client client;
  client.initialize();
  client.send_request(1, "tools/call", {{"name", "wait"}});
  wait_for_waiting_call();
  client.send_request(1, "tools/call", {{"name", "echo"}, {"arguments", {{"text", "a"}}}});
  EXPECT_EQ(code(client.answer(1)), -32600);
  client.notify("notifications/cancelled", {{"requestId", 1}});
  client.end();
}

TEST(Cancellation, StopsTheWorkAndSuppressesTheAnswer) {
  Client client;
  client.initialize();
  client.send_request("slow", "tools/call", {{"name", "wait"}});
  wait_for_waiting_call();
  client.notify("notifications/cancelled", {{"requestId", "slow"}, {"reason", "changed my mind"}});
  for (const Json& left : client.end()) EXPECT_FALSE(left.contains("id")) << left;
  EXPECT_EQ(waiting_calls(), 0);
}

TEST(Cancellation, DoesNotConfuseTheNumberWithTheString) {
  Client client;
  client.initialize();
  client.send_request(5, "tools/call", {{"name", "wait"}});
  wait_for_waiting_call();
  client.notify("notifications/cancelled", {{"requestId", "5"}});
  client.request("ping");
  EXPECT_EQ(waiting_calls(), 1);
  client.notify("notifications/cancelled", {{"requestId", 5}});
  client.end();
}

TEST(Progress, IsReportedOnlyWhenAskedForAndAlwaysRises) {
  Client client;
  client.initialize();
  client.call("steps");
  EXPECT_TRUE(client.transport().take_all().empty());

  const Json answer = client.request(
      "tools/call",
      {{"name", "steps"}, {"arguments", {{"count", 4}}}, {"_meta", {{"progressToken", "tok"}}}});
  EXPECT_TRUE(answer.contains("result"));
  double last = 0;
  int count = 0;
  for (const Json& note : client.transport().take_all()) {
    ASSERT_EQ(note["method"], "notifications/progress");
    EXPECT_EQ(note["params"]["progressToken"], "tok");
    EXPECT_EQ(note["params"]["total"], 4);
    EXPECT_GT(note["params"]["progress"].get<double>(), last);
    last = note["params"]["progress"];
    ++count;
  }
  EXPECT_EQ(count, 4);
}

TEST(Logging, SendsMessagesAtLeastAsSevereAsTheLevel) {
  Client client;
  client.initialize();
  client.call("talk");
  EXPECT_EQ(client.transport().take_all().size(), 5U);  // warning and above, by default
  EXPECT_EQ(client.request("logging/setLevel", {{"level", "alert"}})["result"], Json::object());
  client.call("talk");
  const auto notes = client.transport().take_all();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0]["method"], "notifications/message");
  EXPECT_EQ(notes[0]["params"]["level"], "alert");
  EXPECT_EQ(notes[0]["params"]["logger"], "talk");
}

TEST(Batches, AreAnsweredInOneArrayWhereTheRevisionHasThem) {
  Client client;
  client.initialize("2025-03-26");
  client.send(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},
                  {"jsonrpc":"2.0","method":"notifications/initialized"},
                  {"jsonrpc":"2.0","id":2,"method":"tools/call",
                   "params":{"name":"echo","arguments":{"text":"a"}}},
                  {"jsonrpc":"2.0","id":3,"method":"initialize",
                   "params":{"protocolVersion":"2025-03-26"}},
                  "junk"])");
  const auto batch = client.transport().take([](const Json& sent) { return sent.is_array(); });
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->size(), 4U);
  for (const Json& answer : *batch) {
    const Json id = answer["id"];
    if (id == 1 || id == 2) {
      EXPECT_TRUE(answer.contains("result")) << answer;
    } else {
      EXPECT_EQ(code(answer), -32600) << answer;
    }
  }
  client.send(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  client.request("ping");
  EXPECT_TRUE(client.end().empty());
}

TEST(Batches, AreRefusedInEveryOtherRevisionAndBeforeInitialize) {
  Client client;
  const char* line = R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])";
  EXPECT_EQ(code(client.refusal(line)), -32600);
  client.initialize("2025-06-18");
  EXPECT_EQ(code(client.refusal(line)), -32600);
}

TEST(Stateless, NeedsNoHandshake) {
  Client client;
  const Json list = client.request("tools/list", modern())["result"];
  EXPECT_EQ(list["resultType"], "complete");
  EXPECT_EQ(list["tools"].size(), fixture_tools().size());
  EXPECT_GE(list["ttlMs"], 0);
  EXPECT_EQ(list["cacheScope"], "private");
  EXPECT_EQ(list["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "codexmem");
  const Json call = client.request(
      "tools/call", modern({{"name", "echo"}, {"arguments", {{"text", "a"}}}}))["result"];
  EXPECT_EQ(call["resultType"], "complete");
  EXPECT_EQ(call["structuredContent"]["text"], "a");
}

TEST(Stateless, DiscoversRevisionsAndCapabilities) {
  Client client;
  const Json result = client.request("server/discover", modern())["result"];
  EXPECT_EQ(result["supportedVersions"][0], "2026-07-28");
  EXPECT_EQ(result["supportedVersions"][1], "2025-11-25");
  EXPECT_TRUE(result["capabilities"].contains("tools"));
  EXPECT_EQ(result["instructions"], "Use echo.");
  EXPECT_EQ(result["resultType"], "complete");
}

TEST(Stateless, NamesTheRevisionsItKnowsToOneItDoesNot) {
  Client client;
  const Json answer = client.request("server/discover", modern({}, "2031-01-01"));
  EXPECT_EQ(code(answer), -32022);
  EXPECT_EQ(answer["error"]["data"]["requested"], "2031-01-01");
  EXPECT_EQ(answer["error"]["data"]["supported"], Json::array({"2026-07-28"}));
}

TEST(Stateless, RefusesAMalformedEnvelope) {
  Client client;
  Json params = modern();
  params["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
  EXPECT_EQ(code(client.request("tools/list", params)), -32602);
  params = modern();
  params["_meta"]["io.modelcontextprotocol/protocolVersion"] = 20260728;
  EXPECT_EQ(code(client.request("tools/list", params)), -32602);
  params = modern();
  params["_meta"]["io.modelcontextprotocol/logLevel"] = "loud";
  EXPECT_EQ(code(client.request("tools/list", params)), -32602);
  EXPECT_EQ(code(client.request("server/discover")), -32602);
}

TEST(Stateless, HasNoMethodsOfTheHandshake) {
  Client client;
  EXPECT_EQ(code(client.request("ping", modern())), -32601);
  EXPECT_EQ(code(client.request("logging/setLevel", modern({{"level", "info"}}))), -32601);
}

TEST(Stateless, MixesWithAHandshakeOnOneConnection) {
  Client client;
  client.initialize("2025-06-18");
  EXPECT_EQ(client.request("tools/list", modern())["result"]["resultType"], "complete");
  EXPECT_FALSE(client.request("tools/list")["result"].contains("resultType"));
}

TEST(Stateless, LogsOnlyToRequestsThatAskForIt) {
  Client client;
  client.request("tools/call", modern({{"name", "talk"}}));
  EXPECT_TRUE(client.transport().take_all().empty());
  Json params = modern({{"name", "talk"}});
  params["_meta"]["io.modelcontextprotocol/logLevel"] = "emergency";
  client.request("tools/call", params);
  EXPECT_EQ(client.transport().take_all().size(), 1U);
}

TEST(Serve, AnswersRunningCallsWhenTheInputEnds) {
  Client client;
  client.initialize();
  for (int i = 0; i < 20; ++i) {
    client.send_request(i, "tools/call", {{"name", "echo"}, {"arguments", {{"text", "a"}}}});
  }
  EXPECT_EQ(client.end().size(), 20U);
}

TEST(Serve, CancelsWhatDoesNotEndInTime) {
  ServerOptions options;
  options.drain_time = std::chrono::milliseconds(0);
  Client client(options);
  client.initialize();
  client.send_request(1, "tools/call", {{"name", "wait"}});
  wait_for_waiting_call();
  const auto left = client.end();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0]["result"]["structuredContent"]["stopped"], true);
}

TEST(Serve, CancelsAtOnceWithoutListenersOrWhenStopped) {
  {
    Client client;
    client.initialize();
    client.send_request(1, "tools/call", {{"name", "wait"}});
    wait_for_waiting_call();
    client.transport().hang_up();
    client.end();
  }
  Client client;
  client.initialize();
  client.send_request(1, "tools/call", {{"name", "wait"}});
  wait_for_waiting_call();
  client.end(Incoming::Kind::kStopped);
  EXPECT_EQ(waiting_calls(), 0);
}

}  // namespace
}  // namespace codexmem::mcp::testing
