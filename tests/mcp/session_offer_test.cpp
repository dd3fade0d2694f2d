// Resources, prompts, completions, subscriptions and requests to the client, in both eras: over the
// fixtures of the conformance suite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "mcp/fixture_conformance.h"
#include "mcp/fixture_tools.h"
#include "mcp/memory_transport.h"
#include "mcp/request_state.h"
#include "ask/context.h"
#include "mcp/session.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::HasSubstr;

// A client of the fixtures; the tools can make its server report changes.
class OfferClient : public Client {
 public:
  explicit OfferClient(ServerOptions options = {})
      : Client(conformance_offer(), std::move(options)) {
    report_changes_to(&server());
  }
  ~OfferClient() { report_changes_to(nullptr); }
};

// Takes what a session sends, and says when it was let go.
class Exchange : public MessageSink {
 public:
  explicit Exchange(std::atomic<int>& open) : open_(open) { ++open_; }
  ~Exchange() override { --open_; }
  void send(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    sent_.push_back(Json::parse(text));
  }
  std::vector<Json> sent() {
    const std::lock_guard lock(mutex_);
    return sent_;
  }

 private:
  std::atomic<int>& open_;
  std::mutex mutex_;  // guards the next
  std::vector<Json> sent_;
};

// With one worker, what was queued first has been done when a call is answered.
ServerOptions one_worker() {
  ServerOptions options;
  options.workers.threads = 1;
  return options;
}

const Json kAll = {
    {"elicitation", Json::object()}, {"sampling", Json::object()}, {"roots", Json::object()}};

TEST(Capabilities, SayWhatTheOfferHas) {
  OfferClient client;
  for (const Json& capabilities : {client.initialize()["result"]["capabilities"],
                                   client.modern("server/discover")["result"]["capabilities"]}) {
    EXPECT_EQ(capabilities["tools"]["listChanged"], true);
    EXPECT_EQ(capabilities["resources"]["subscribe"], true);
    EXPECT_EQ(capabilities["resources"]["listChanged"], true);
    EXPECT_EQ(capabilities["prompts"]["listChanged"], true);
    EXPECT_TRUE(capabilities.contains("completions"));
  }
}

TEST(Capabilities, AreNotClaimedForMissingParts) {
  Client client;  // tools alone
  const Json capabilities = client.initialize()["result"]["capabilities"];
  EXPECT_EQ(capabilities, Json({{"tools", Json::object()}, {"logging", Json::object()}}));
  for (const char* method :
       {"resources/list", "resources/templates/list", "resources/read", "resources/subscribe",
        "prompts/list", "prompts/get", "completion/complete"}) {
    EXPECT_EQ(code(client.request(method)), -32601) << method;
  }
  EXPECT_EQ(code(client.modern("subscriptions/listen", {{"notifications", Json::object()}})),
            -32601);
}

TEST(ResourcesList, GoesOnByCursor) {
  OfferClient client;
  client.initialize();
  const Json first = client.request("resources/list")["result"];
  ASSERT_EQ(first["resources"].size(), 2U);
  EXPECT_EQ(first["resources"][0]["uri"], "test://static-text");
  EXPECT_EQ(first["resources"][0]["mimeType"], "text/plain");
  EXPECT_EQ(first["resources"][1]["size"], 69);
  EXPECT_FALSE(first.contains("ttlMs"));
  const Json second = client.request("resources/list", {{"cursor", first["nextCursor"]}})["result"];
  EXPECT_EQ(second["resources"].size(), 1U);
  EXPECT_FALSE(second.contains("nextCursor"));
}

TEST(Lists, RefuseACursorThatWasNeverGiven) {
  OfferClient client;
  client.initialize();
  for (const char* method :
       {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
    for (const Json& cursor : {Json("nonsense"), Json(""), Json(7), Json(nullptr)}) {
      EXPECT_EQ(code(client.request(method, {{"cursor", cursor}})), -32602) << method << cursor;
    }
  }
}

TEST(Lists, OfPromptsHavePagesToo) {
  ServerOptions options;
  options.page_size = 2;
  OfferClient client(options);
  client.initialize();
  Json params = Json::object();
  std::vector<std::string> names;
  while (true) {
    const Json page = client.request("prompts/list", params)["result"];
    EXPECT_LE(page["prompts"].size(), 2U);
    for (const Json& prompt : page["prompts"]) names.push_back(prompt["name"]);
    if (!page.contains("nextCursor")) break;
    params["cursor"] = page["nextCursor"];
  }
  ASSERT_EQ(names.size(), 5U);
  EXPECT_EQ(names[1], "test_prompt_with_arguments");
}

TEST(ResourcesRead, AnswersTextAndBinary) {
  OfferClient client;
  client.initialize();
  const auto read = [&](const char* uri) {
    return client.request("resources/read", {{"uri", uri}})["result"]["contents"];
  };
  EXPECT_THAT(read("test://static-text")[0]["text"].get<std::string>(), HasSubstr("static text"));
  const Json binary = read("test://static-binary")[0];
  EXPECT_EQ(binary["mimeType"], "image/png");
  EXPECT_TRUE(binary.contains("blob") && !binary.contains("text"));
  EXPECT_EQ(Json::parse(read("test://template/123/data")[0]["text"].get<std::string>())["id"],
            "123");
}

TEST(ResourcesRead, RefusesInTheCodeOfTheEra) {
  OfferClient client;
  client.initialize();
  const Json params = {{"uri", "test://nowhere"}};
  const Json old = client.request("resources/read", params);
  EXPECT_EQ(code(old), -32002);
  EXPECT_EQ(old["error"]["data"]["uri"], "test://nowhere");
  const Json newer = client.modern("resources/read", params);
  EXPECT_EQ(code(newer), -32602);
  EXPECT_EQ(newer["error"]["data"]["uri"], "test://nowhere");
  EXPECT_EQ(code(client.request("resources/read", {{"uri", "other:thing"}})), -32602);
  EXPECT_EQ(code(client.request("resources/read", {{"uri", 7}})), -32602);
  EXPECT_EQ(code(client.request("resources/read")), -32602);
}

TEST(Templates, AreListedAndCompleted) {
  OfferClient client;
  client.initialize();
  const Json templates = client.request("resources/templates/list")["result"]["resourceTemplates"];
  ASSERT_EQ(templates.size(), 1U);
  EXPECT_EQ(templates[0]["uriTemplate"], "test://template/{id}/data");
  const auto complete = [&](const Json& uri, const Json& name, const Json& value) {
    return client.request("completion/complete",
                          {{"ref", {{"type", "ref/resource"}, {"uri", uri}}},
                           {"argument", {{"name", name}, {"value", value}}}});
  };
  const Json all = complete("test://template/{id}/data", "id", "")["result"]["completion"];
  EXPECT_EQ(all["values"].size(), 100U);
  EXPECT_EQ(all["total"], 150);
  EXPECT_EQ(all["hasMore"], true);
  const Json some = complete("test://template/{id}/data", "id", "14")["result"]["completion"];
  EXPECT_EQ(some["values"].size(), 11U);
  EXPECT_EQ(some["hasMore"], false);
  EXPECT_EQ(code(complete("test://template/{id}/data", "size", "")), -32602);
  EXPECT_EQ(code(complete("test://nowhere/{id}", "id", "")), -32602);
  EXPECT_EQ(code(complete(7, "id", "")), -32602);
  EXPECT_EQ(code(complete("test://template/{id}/data", "id", 7)), -32602);
  EXPECT_EQ(code(client.request("completion/complete")), -32602);
}

TEST(Prompts, AreListedRenderedAndCompleted) {
  OfferClient client;
  client.initialize();
  const Json prompts = client.request("prompts/list")["result"]["prompts"];
  EXPECT_FALSE(prompts[0].contains("arguments"));
  EXPECT_EQ(prompts[1]["arguments"][0]["name"], "arg1");
  EXPECT_EQ(prompts[1]["arguments"][0]["required"], true);
  const Json result = client.request(
      "prompts/get", {{"name", "test_prompt_with_arguments"},
                      {"arguments", {{"arg1", "a"}, {"arg2", "b"}, {"arg3", "c"}}}})["result"];
  EXPECT_EQ(result["messages"][0]["role"], "user");
  EXPECT_EQ(result["messages"][0]["content"]["text"], "Prompt with arguments: arg1='a', arg2='b'");
  EXPECT_EQ(result["description"], "With both arguments");
  const Json values = client.request(
      "completion/complete",
      {{"ref", {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}}},
       {"argument", {{"name", "arg2"}, {"value", "par"}}},
       {"context", {{"arguments", {{"arg1", "known"}}}}}})["result"]["completion"]["values"];
  EXPECT_EQ(values, Json::array({"known", "paris", "park", "party"}));
  for (const Json& context :
       {Json(7), Json({{"arguments", 7}}), Json({{"arguments", {{"arg1", 7}}}})}) {
    EXPECT_EQ(code(client.request(
                  "completion/complete",
                  {{"ref", {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}}},
                   {"argument", {{"name", "arg2"}, {"value", "par"}}},
                   {"context", context}})),
              -32602)
        << context;
  }
}

TEST(Prompts, RefuseWhatTheyCannotRender) {
  OfferClient client;
  client.initialize();
  const auto get = [&](const Json& name, const Json& arguments) {
    return client.request("prompts/get", {{"name", name}, {"arguments", arguments}});
  };
  const Json unknown = get("test_simple_promt", Json::object());
  EXPECT_EQ(code(unknown), -32602);
  EXPECT_THAT(message(unknown), HasSubstr("did you mean test_simple_prompt?"));
  EXPECT_EQ(code(get(7, Json::object())), -32602);
  const Json missing = get("test_prompt_with_arguments", {{"arg1", "a"}});
  EXPECT_EQ(code(missing), -32602);
  EXPECT_THAT(message(missing), HasSubstr("arg2"));
  EXPECT_EQ(code(get("test_prompt_with_arguments", {{"arg1", "a"}, {"arg2", 7}})), -32602);
  EXPECT_EQ(code(get("test_prompt_with_arguments", "arg1")), -32602);
  EXPECT_EQ(code(client.request("completion/complete",
                                {{"ref", {{"type", "ref/prompt"}, {"name", "test_simple_prompt"}}},
                                 {"argument", {{"name", "none"}, {"value", ""}}}})),
            -32602);
}

TEST(Subscriptions, NotifyOnlySubscribers) {
  OfferClient client(one_worker());
  client.initialize();
  const Json uri = {{"uri", "test://watched-resource"}};
  client.call("test_trigger_resource_change");
  client.notification("notifications/resources/list_changed");  // changed lists are reported
                                                                // without a subscription
  EXPECT_EQ(client.request("resources/subscribe", uri)["result"], Json::object());
  client.call("test_trigger_resource_change");
  EXPECT_EQ(client.notification("notifications/resources/updated")["params"], uri);
  client.notification("notifications/resources/list_changed");
  EXPECT_EQ(client.request("resources/unsubscribe", uri)["result"], Json::object());
  client.call("test_trigger_resource_change");
  client.notification("notifications/resources/list_changed");
  EXPECT_TRUE(client.end().empty());
}

TEST(Subscriptions, AreLookedAtWhenItIsNotKnownWhatChanged) {
  OfferClient client(one_worker());
  client.initialize();
  set_watched("one");
  client.request("resources/subscribe", {{"uri", "test://watched-resource"}});
  client.request("resources/subscribe", {{"uri", "test://not-there"}});
  const auto look = [&] {
    client.server().look_at_resources();
    client.call("test_simple_text");
    return client.transport().take_all();
  };
  set_watched("two");  // the first look: what it was when it was subscribed to is known
  const auto received = look();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0]["method"], "notifications/resources/updated");
  EXPECT_EQ(received[0]["params"]["uri"], "test://watched-resource");
  EXPECT_TRUE(look().empty());
  client.request("resources/unsubscribe", {{"uri", "test://watched-resource"}});
  set_watched("three");
  EXPECT_TRUE(look().empty());
  client.request("resources/subscribe", {{"uri", "test://watched-resource"}});
  EXPECT_TRUE(look().empty());
}

TEST(Subscriptions, OfManySessionsAreReadOnce) {
  std::atomic<int> open = 0;  // before the server, whose threads let go of sinks last
  Server server(conformance_offer(), nullptr, {});
  set_watched("one");
  std::vector<std::pair<std::shared_ptr<Session>, std::shared_ptr<Exchange>>> peers;
  for (int i = 0; i < 5; ++i) {
    const auto session = server.open_session();
    const auto peer = std::make_shared<Exchange>(open);
    session->set_peer(peer);
    for (
        const char* line :
        {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})",
         R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"test://watched-resource"}})"}) {
      session->handle(line, std::make_shared<Exchange>(open));
      EXPECT_TRUE(session->wait_idle(std::chrono::seconds(10)));
    }
    peers.emplace_back(session, peer);
  }
  const int before = watched_reads();
  set_watched("two");
  server.look_at_resources();
  for (const auto& [session, peer] : peers) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (peer->sent().empty() && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    ASSERT_EQ(peer->sent().size(), 1U);
    EXPECT_EQ(peer->sent()[0]["method"], "notifications/resources/updated");
  }
  EXPECT_EQ(watched_reads() - before, 1);
}

// For ThreadSanitizer: one may be about to be looked at while it begins.
TEST(Sessions, BeginAndEndWhileOthersAreNotifiedOfChanges) {
  Server server(conformance_offer(), nullptr, {});
  for (int i = 0; i < 200; ++i) {
    server.look_at_resources();
    EXPECT_EQ(server.open_session()->revision(), "");
  }
}

TEST(Subscriptions, ListenKnowsWhatTheResourceWas) {
  OfferClient client(one_worker());
  set_watched("one");
  client.send_request(
      "mine", "subscriptions/listen",
      {{"notifications",
        {{"resourcesListChanged", true}, {"resourceSubscriptions", {"test://watched-resource"}}}},
       {"_meta",
        {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
         {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}});
  client.notification("notifications/subscriptions/acknowledged");
  set_watched("");
  client.server().look_at_resources();
  EXPECT_EQ(client.notification("notifications/resources/updated")["params"]["uri"],
            "test://watched-resource");
  EXPECT_FALSE(client.notification("notifications/resources/list_changed").is_null());
}

// Subscribes to a resource that is read again, slowly, when this returns.
void let_it_look(Server& server, const std::function<Json(const Json&)>& subscribe) {
  set_slow(false);
  subscribe({{"uri", "test://slow-resource"}});
  set_slow(true);
  server.look_at_resources();
  while (slow_reads() == 0) std::this_thread::yield();
}

TEST(Subscriptions, NothingIsReadAnyMoreWhenAServerHasServed) {
  OfferClient client;
  client.initialize();
  let_it_look(client.server(),
              [&](const Json& uri) { return client.request("resources/subscribe", uri); });
  client.end(Incoming::Kind::kStopped);
  EXPECT_EQ(slow_reads(), 0);
}

TEST(Subscriptions, ReportListChangesToClientsWithASubscription) {
  OfferClient client(one_worker());
  client.initialize();
  const auto look = [&] {
    client.server().look_at_resources();
    client.call("test_simple_text");
    return client.transport().take_all();
  };
  set_watched("");
  EXPECT_TRUE(look().empty());  // it has no list
  client.request("resources/list");
  client.call("test_simple_text");
  EXPECT_TRUE(look().empty());  // it is as it was
  set_watched("one");
  const auto received = look();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0]["method"], "notifications/resources/list_changed");
  set_watched("two");
  EXPECT_TRUE(look().empty());
}

TEST(Subscriptions, RefuseInvalidUris) {
  OfferClient client;
  client.initialize();
  for (const Json& uri : {Json(7), Json(""), Json(std::string(5000, 'a'))}) {
    EXPECT_EQ(code(client.request("resources/subscribe", {{"uri", uri}})), -32602);
  }
  EXPECT_EQ(code(client.request("resources/subscribe")), -32602);
}

TEST(Subscriptions, ListenOpensAStreamOfWhatItNames) {
  OfferClient client;
  Json params = {{"notifications",
                  {{"toolsListChanged", true},
                   {"promptsListChanged", false},
                   {"resourceSubscriptions", {"test://watched-resource"}}}},
                 {"_meta",
                  {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                   {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}};
  client.send_request("mine", "subscriptions/listen", params);
  const Json opened = client.notification("notifications/subscriptions/acknowledged")["params"];
  EXPECT_EQ(opened["_meta"]["io.modelcontextprotocol/subscriptionId"], "mine");
  EXPECT_EQ(
      opened["notifications"],
      Json({{"toolsListChanged", true}, {"resourceSubscriptions", {"test://watched-resource"}}}));
  client.modern("tools/call", {{"name", "test_trigger_prompt_change"}});
  client.modern("tools/call", {{"name", "test_trigger_resource_change"}});
  const Json updated = client.notification("notifications/resources/updated")["params"];
  EXPECT_EQ(updated["uri"], "test://watched-resource");
  EXPECT_EQ(updated["_meta"]["io.modelcontextprotocol/subscriptionId"], "mine");
  client.modern("tools/call", {{"name", "test_trigger_tool_change"}});
  EXPECT_EQ(client.notification(
                "notifications/tools/list_changed")["params"]["_meta"]
                                                   ["io.modelcontextprotocol/subscriptionId"],
            "mine");
  // Its id is taken as long as it is open, by another one and by calls.
  client.send_request("mine", "subscriptions/listen", params);
  EXPECT_EQ(code(client.answer("mine")), -32600);
  params["name"] = "test_simple_text";
  client.send_request("mine", "tools/call", params);
  EXPECT_EQ(code(client.answer("mine")), -32600);

  // A server that ends says so; nothing else came.
  const auto left = client.end();
  ASSERT_EQ(left.size(), 1U) << Json(left);
  EXPECT_EQ(left[0]["id"], "mine");
  EXPECT_EQ(left[0]["result"]["resultType"], "complete");
  EXPECT_EQ(left[0]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "mine");
}

TEST(Subscriptions, ListenEndsWithItsCancellation) {
  OfferClient client;
  client.send_request(5, "subscriptions/listen",
                      {{"notifications", {{"toolsListChanged", true}}},
                       {"_meta",
                        {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                         {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}});
  client.notification("notifications/subscriptions/acknowledged");
  client.notify("notifications/cancelled", {{"requestId", 5}});
  client.modern("tools/call", {{"name", "test_trigger_tool_change"}});
  EXPECT_TRUE(client.end().empty());
}

TEST(Subscriptions, ListenRefusesInvalidFilters) {
  OfferClient client;
  for (const Json& filter :
       {Json(), Json(7), Json({{"toolsListChanged", "yes"}}),
        Json({{"resourceSubscriptions", "test://a"}}), Json({{"resourceSubscriptions", {1}}})}) {
    EXPECT_EQ(code(client.modern("subscriptions/listen", {{"notifications", filter}})), -32602)
        << filter;
  }
}

TEST(AskingTheClient, GivesItsAnswerToTheCall) {
  OfferClient client;
  client.initialize("2025-11-25", kAll);
  client.send_request(1, "tools/call",
                      {{"name", "test_sampling"}, {"arguments", {{"prompt", "Say it"}}}});
  const Json question = client.reply(
      "sampling/createMessage",
      {{"role", "assistant"}, {"content", {{"type", "text"}, {"text", "It."}}}, {"model", "m"}});
  EXPECT_EQ(question["params"]["messages"][0]["content"]["text"], "Say it");
  EXPECT_EQ(client.answer(1)["result"]["content"][0]["text"], "LLM response: It.");
}

TEST(AskingTheClient, FailsWithItsError) {
  OfferClient client;
  client.initialize("2025-11-25", kAll);
  client.send_request(1, "tools/call",
                      {{"name", "test_elicitation"}, {"arguments", {{"message", "Who?"}}}});
  const Json question = client.notification("elicitation/create");
  client.send(Json{
      {"jsonrpc", "2.0"}, {"id", question["id"]}, {"error", {{"code", -1}, {"message", "not now"}}}}
                  .dump());
  const Json result = client.answer(1)["result"];
  EXPECT_EQ(result["isError"], true);
  EXPECT_THAT(result["content"][0]["text"].get<std::string>(), HasSubstr("not now"));
}

TEST(AskingTheClient, IsForClientsThatDeclaredIt) {
  OfferClient client;
  client.initialize();
  const Json result = client.call("test_sampling", {{"prompt", "Say it"}})["result"];
  EXPECT_EQ(result["isError"], true);
  EXPECT_THAT(result["content"][0]["text"].get<std::string>(), HasSubstr("has not declared"));
  const Json modern = client.modern(
      "tools/call", {{"name", "test_sampling"}, {"arguments", {{"prompt", "Say it"}}}}, kAll);
  EXPECT_EQ(modern["result"]["isError"], true);
}

TEST(AskingTheClient, EndsWithTheCallAndInTime) {
  ServerOptions options;
  options.ask_time = std::chrono::milliseconds(20);
  OfferClient client(options);
  client.initialize("2025-11-25", kAll);
  const Json ask = {{"name", "test_sampling"}, {"arguments", {{"prompt", "Say it"}}}};
  EXPECT_EQ(client.request("tools/call", ask)["result"]["isError"], true);
  const Json late = client.notification("sampling/createMessage");
  EXPECT_EQ(client.notification("notifications/cancelled")["params"]["requestId"], late["id"]);
  // An answer that comes too late, or to nothing at all, changes nothing.
  client.send(Json{{"jsonrpc", "2.0"}, {"id", late["id"]}, {"result", Json::object()}}.dump());
  client.send(R"({"jsonrpc":"2.0","id":"server-99","result":{}})");
  EXPECT_EQ(client.request("ping")["result"], Json::object());

  OfferClient patient;
  patient.initialize("2025-11-25", kAll);
  patient.send_request(1, "tools/call", ask);
  patient.notification("sampling/createMessage");
  patient.notify("notifications/cancelled", {{"requestId", 1}});
  patient.notification("notifications/cancelled");
  EXPECT_TRUE(patient.end().empty());
}

TEST(Roots, AreAskedForOnceAndWhenTheyChange) {
  std::mutex mutex;
  std::vector<std::vector<std::string>> received;
  ServerOptions options;
  options.on_roots = [&](Session&, const std::vector<Root>& roots) {
    const std::lock_guard lock(mutex);
    received.emplace_back();
    for (const Root& root : roots) received.back().push_back(root.uri + "|" + root.name);
  };
  OfferClient client(options);
  client.initialize("2025-11-25", kAll);
  client.notify("notifications/initialized", Json::object());
  client.reply(
      "roots/list",
      {{"roots",
        {{{"uri", "file:///a"}, {"name", "A"}}, {{"uri", "file:///b"}}, {{"name", "none"}}}}});
  client.notify("notifications/roots/list_changed", Json::object());
  client.reply("roots/list", {{"roots", Json::array()}});
  client.request("ping");
  EXPECT_TRUE(client.end().empty());
  EXPECT_EQ(received, (std::vector<std::vector<std::string>>{{"file:///a|A", "file:///b|"}, {}}));
}

TEST(Roots, AreNotAskedOfAClientWithoutAny) {
  OfferClient client;
  client.initialize();
  client.notify("notifications/initialized", Json::object());
  client.request("ping");
  EXPECT_TRUE(client.end().empty());
}

TEST(Sessions, LetGoOfASinkWhenNothingMoreWillCome) {
  std::atomic<int> open = 0;  // before the server, whose threads let go of sinks last
  Server server(conformance_offer(), nullptr, {});
  const auto session = server.open_session();
  const auto hand = [&](const Json& message) {
    session->handle(message.dump(), std::make_shared<Exchange>(open));
  };
  const auto wait_until_none = [&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (open > 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return open == 0;
  };
  const Json meta = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  hand({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  hand({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "nothing"}});
  EXPECT_EQ(open, 0);
  hand({{"jsonrpc", "2.0"},
        {"id", 1},
        {"method", "tools/call"},
        {"params", {{"name", "test_tool_with_logging"}, {"_meta", meta}}}});
  hand({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
  EXPECT_TRUE(wait_until_none());  // a cancelled call gets no answer
  hand({{"jsonrpc", "2.0"},
        {"id", 2},
        {"method", "subscriptions/listen"},
        {"params", {{"notifications", {{"toolsListChanged", true}}}, {"_meta", meta}}}});
  EXPECT_TRUE(session->wait_idle(std::chrono::seconds(10)));
  EXPECT_EQ(open, 1);
  session->cancel_all();
  EXPECT_TRUE(wait_until_none());
}

// A peer that reads nothing until it may.
class Stuck : public MessageSink {
 public:
  void send(std::string_view) override {
    std::unique_lock lock(mutex_);
    is_sending_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_free_; });
  }
  void wait_for_message() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(10), [this] { return is_sending_; });
  }
  void free() {
    const std::lock_guard lock(mutex_);
    is_free_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  bool is_sending_ = false, is_free_ = false;
};

TEST(Sessions, GoOnWhileAStreamCannotBeWritten) {
  std::atomic<int> open = 0;  // before the server, whose threads let go of sinks last
  Server server(conformance_offer(), nullptr, {});
  const auto session = server.open_session();
  const auto stuck = std::make_shared<Stuck>();
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}})";
  session->handle(R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{)"
                  R"("notifications":{"toolsListChanged":true},)" +
                      meta + "}}",
                  stuck);
  stuck->wait_for_message();
  const auto exchange = std::make_shared<Exchange>(open);
  auto other = std::async(std::launch::async, [&] {
    session->handle(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{)"
                    R"("name":"test_simple_text",)" +
                        meta + "}}",
                    exchange);
    session->handle(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
        exchange);
  });
  EXPECT_EQ(other.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  stuck->free();
  other.get();
  EXPECT_TRUE(session->wait_idle(std::chrono::seconds(10)));
  ASSERT_EQ(exchange->sent().size(), 1U);
  EXPECT_EQ(exchange->sent()[0]["id"], 2);
}

TEST(Sessions, AreOverWhenTheServerIsClosed) {
  std::atomic<int> open = 0;  // before the server, whose threads let go of sinks last
  Server server(conformance_offer(), nullptr, {});
  const auto session = server.open_session();
  const auto exchange = std::make_shared<Exchange>(open);
  const auto hand = [&](const Json& id, const std::string& method, const Json& params) {
    session->handle(
        Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump(),
        exchange);
    EXPECT_TRUE(session->wait_idle(std::chrono::seconds(10)));
    return exchange->sent().back();
  };
  hand(1, "initialize", {{"protocolVersion", "2025-11-25"}});
  let_it_look(server, [&](const Json& uri) { return hand(2, "resources/subscribe", uri); });
  server.close();
  EXPECT_EQ(slow_reads(), 0);
  EXPECT_EQ(code(hand(3, "resources/list", Json::object())), -32600);
  server.look_at_resources();
  const auto late = server.open_session();
  late->handle(
      R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"test_simple_text",)"
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
      exchange);
  EXPECT_EQ(code(exchange->sent().back()), -32600);
}

TEST(Sessions, AskForRootsOnceThereIsAWayToThePeer) {
  std::atomic<int> open = 0;  // before the server, whose threads let go of sinks last
  Server server(conformance_offer(), nullptr, {});
  const auto session = server.open_session();
  const auto exchange = std::make_shared<Exchange>(open);
  session->handle(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{"roots":{}}}})",
      exchange);
  session->handle(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", exchange);
  EXPECT_EQ(exchange->sent().size(), 1U);
  const auto peer = std::make_shared<Exchange>(open);
  session->set_peer(peer);
  ASSERT_EQ(peer->sent().size(), 1U);
  EXPECT_EQ(peer->sent()[0]["method"], "roots/list");
  session->set_peer(nullptr);
  session->set_peer(peer);
  EXPECT_EQ(peer->sent().size(), 1U);
  EXPECT_EQ(session->revision(), "2025-11-25");
}

TEST(Sessions, HaveServicesOfTheirOwnForEachCall) {
  static std::vector<ask::Services*> seen;
  seen.clear();
  Tool look;
  look.name = "look";
  look.input_schema = R"({"type":"object"})";
  look.answer = [](const JsonValue&, const CallContext& context) {
    seen.push_back(context.services);
    return ToolResult{false, "seen", ""};
  };
  const Tool tools[] = {look};
  ask::Services shared;
  const auto own = std::make_shared<ask::Services>();
  std::atomic<int> open = 0;  // before the server, whose threads let go of sinks last
  Server server({.tools = ToolTable::make(tools).value()}, &shared, {});
  const auto session = server.open_session();
  const auto call = [&] {
    session->handle(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
        std::make_shared<Exchange>(open));
    EXPECT_TRUE(session->wait_idle(std::chrono::seconds(10)));
  };
  call();
  session->set_services([&] { return own; });
  call();
  session->set_services([]() -> std::shared_ptr<ask::Services> { return nullptr; });
  call();
  EXPECT_EQ(seen, (std::vector<ask::Services*>{&shared, own.get(), &shared}));
}

TEST(InputRequired, ComesBackWithTheAnswers) {
  OfferClient client;
  Json params = {{"name", "test_input_required_result_elicitation"}};
  const Json first = client.modern("tools/call", params, kAll)["result"];
  EXPECT_EQ(first["resultType"], "input_required");
  EXPECT_EQ(first["inputRequests"]["user_name"]["method"], "elicitation/create");
  EXPECT_FALSE(first.contains("ttlMs") || first.contains("content"));
  params["inputResponses"] = {
      {"user_name", {{"action", "accept"}, {"content", {{"name", "Alice"}}}}},
      {"unknown", Json::object()}};
  const Json second = client.modern("tools/call", params, kAll)["result"];
  EXPECT_EQ(second["resultType"], "complete");
  EXPECT_EQ(second["content"][0]["text"], "Hello, Alice!");
  params["inputResponses"] = "Alice";
  EXPECT_EQ(code(client.modern("tools/call", params, kAll)), -32602);
}

TEST(InputRequired, IsForPromptsToo) {
  OfferClient client;
  Json params = {{"name", "test_input_required_result_prompt"}};
  const Json first = client.modern("prompts/get", params, kAll)["result"];
  EXPECT_EQ(first["resultType"], "input_required");
  EXPECT_FALSE(first.contains("messages"));
  params["inputResponses"] = {{"user_context", {{"action", "accept"}}}};
  EXPECT_EQ(client.modern("prompts/get", params, kAll)["result"]["messages"].size(), 1U);
}

TEST(InputRequired, IsRefusedWhereTheClientCannotBeAsked) {
  OfferClient client;
  const Json refused = client.modern("tools/call", {{"name", "test_missing_capability"}},
                                     {{"elicitation", Json::object()}});
  EXPECT_EQ(code(refused), -32021);
  EXPECT_EQ(refused["error"]["data"]["requiredCapabilities"], Json({{"sampling", Json::object()}}));
  const Json some =
      client.modern("tools/call", {{"name", "test_input_required_result_capabilities"}},
                    {{"sampling", Json::object()}})["result"];
  EXPECT_TRUE(some["inputRequests"].contains("capital_question"));
  EXPECT_FALSE(some["inputRequests"].contains("user_name"));
  // In the handshake era there is no such answer.
  client.initialize("2025-11-25", kAll);
  EXPECT_EQ(code(client.call("test_input_required_result_elicitation")), -32603);
}

TEST(InputRequired, TakesBackTheStateThatItGaveThisRequest) {
  OfferClient client;
  const Json answers = {{"confirm", {{"action", "accept"}, {"content", {{"ok", true}}}}}};
  Json params = {{"name", "test_input_required_result_request_state"},
                 {"arguments", Json::object()}};
  const std::string state = client.modern("tools/call", params, kAll)["result"]["requestState"];
  params["inputResponses"] = answers;
  params["requestState"] = state;
  EXPECT_EQ(client.modern("tools/call", params, kAll)["result"]["content"][0]["text"], "state-ok");
  const auto code_of = [&](const Json& changed) {
    return code(client.modern("tools/call", changed, kAll));
  };
  Json other = params;
  other["requestState"] = state + "-TAMPERED";
  EXPECT_EQ(code_of(other), -32602);
  other["requestState"] = "asked to confirm";
  EXPECT_EQ(code_of(other), -32602);
  other["requestState"] = 7;
  EXPECT_EQ(code_of(other), -32602);
  other = params;
  other["name"] = "test_input_required_result_tampered_state";
  EXPECT_EQ(code_of(other), -32602);
  other = params;
  other["arguments"]["more"] = 1;
  EXPECT_EQ(code_of(other), -32602);
}

TEST(InputRequired, GoesOnForRounds) {
  OfferClient client;
  Json params = {{"name", "test_input_required_result_multi_round"}};
  Json result;
  for (const char* step : {"step1", "step2"}) {
    result = client.modern("tools/call", params, kAll)["result"];
    ASSERT_TRUE(result["inputRequests"].contains(step)) << result;
    params["requestState"] = result["requestState"];
    params["inputResponses"] = {{step, {{"action", "accept"}}}};
  }
  result = client.modern("tools/call", params, kAll)["result"];
  EXPECT_EQ(result["content"][0]["text"], "two rounds later");
}

TEST(StateSeal, OpensWhatItGaveForATime) {
  const StateSeal seal;
  const auto now = StateSeal::Clock::now();
  const std::string sealed = seal.seal("a.b\n", "question", now);
  EXPECT_EQ(seal.open(sealed, "question", now), "a.b\n");
  EXPECT_EQ(seal.open(sealed, "question", now + StateSeal::kLife + std::chrono::seconds(2)),
            std::nullopt);
  EXPECT_EQ(seal.open(sealed, "other", now), std::nullopt);
  EXPECT_EQ(StateSeal().open(sealed, "question", now), std::nullopt);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == '1' ? '2' : '1';
    EXPECT_EQ(seal.open(changed, "question", now), std::nullopt) << i;
    EXPECT_EQ(seal.open(sealed.substr(0, i), "question", now), std::nullopt) << i;
  }
}

TEST(Caching, IsSaidOfListsAndReads) {
  OfferClient client;
  for (const auto& [method, params] : std::vector<std::pair<std::string, Json>>{
           {"server/discover", Json::object()},
           {"tools/list", Json::object()},
           {"prompts/list", Json::object()},
           {"resources/list", Json::object()},
           {"resources/templates/list", Json::object()},
           {"resources/read", {{"uri", "test://static-text"}}}}) {
    const Json result = client.modern(method, params)["result"];
    EXPECT_GE(result["ttlMs"], 0) << method;
    EXPECT_EQ(result["cacheScope"], "private") << method;
    EXPECT_EQ(result["resultType"], "complete") << method;
  }
  EXPECT_FALSE(
      client.modern("tools/call", {{"name", "test_simple_text"}})["result"].contains("ttlMs"));
}

TEST(Blocks, AreAnsweredAsTheyAre) {
  OfferClient client;
  client.initialize();
  const Json content = client.call("test_multiple_content_types")["result"]["content"];
  ASSERT_EQ(content.size(), 3U);
  EXPECT_EQ(content[0]["type"], "text");
  EXPECT_EQ(content[1]["type"], "image");
  EXPECT_EQ(content[2]["resource"]["uri"], "test://mixed-content-resource");
}

}  // namespace
}  // namespace codexmem::mcp::testing
