#include "serve/team/callers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

#include "ask/scope.h"
#include "base/hash.h"
#include "serve/team/rate_limit.h"

namespace codexmem::serve {
namespace {

using net::ServedReply;
using net::ServedRequest;

constexpr std::int64_t kNow = 1'800'000'000;

TeamFile a_team() {
  TeamFile file;
  file.repositories = {{"red", "/srv/red"}, {"blue", "/srv/blue"}, {"grey", "/srv/grey"}};
  file.tokens = {
      {.name = "red", .sha256 = sha256_hex("red's"), .grant = {.repositories = {"red"}}},
      {.name = "two", .sha256 = sha256_hex("two's"), .grant = {.repositories = {"gr*", "red"}}},
      {.name = "old",
       .sha256 = sha256_hex("old's"),
       .expires = kNow - 1,
       .grant = {.repositories = {"*"}}}};
  TeamProxy proxy;
  proxy.user_header = "X-User";
  proxy.groups_header = "X-Groups";
  proxy.from = {*AddressRange::parse("10.0.0.0/8")};
  proxy.users = {{"ana", {.repositories = {"blue"}}}};
  proxy.groups = {{"g1", {.repositories = {"red"}, .role = memory::Role::kAdmin}},
                  {"g2", {.repositories = {"red", "grey"}}}};
  file.proxy = proxy;
  return file;
}

ServedRequest a_head(std::vector<net::HttpHeader> headers, std::string address = "127.0.0.1") {
  ServedRequest head{.method = "POST", .path = "/mcp", .headers = {{"Host", "127.0.0.1:37878"}}};
  for (auto& header : headers) head.headers.push_back(std::move(header));
  head.peer_address = std::move(address);
  return head;
}

// The caller's name, or the status of the refusal.
std::string caller_of(const TeamFile& file, const ServedRequest& head) {
  const auto found = find_team_caller(file, head, kNow);
  if (const auto* const caller = std::get_if<TeamCaller>(&found)) return caller->name;
  return std::to_string(std::get<ServedReply>(found).status);
}

TEST(TeamCallers, ATokenIsKnownByItsHash) {
  const TeamFile file = a_team();
  EXPECT_EQ(caller_of(file, a_head({{"Authorization", "Bearer red's"}})), "token:red");
  EXPECT_EQ(caller_of(file, a_head({{"authorization", "bearer  two's "}})), "token:two");
  for (const std::string& wrong :
       {std::string("Bearer old's"), std::string("Bearer none"), std::string("Bearer"),
        std::string("red's"), std::string("Basic red's"), "Bearer " + sha256_hex("red's"),
        std::string("Bearer red's x")}) {
    EXPECT_EQ(caller_of(file, a_head({{"Authorization", wrong}})), "401") << wrong;
  }
  EXPECT_EQ(caller_of(file, a_head({})), "401");
}

TEST(TeamCallers, AProxyIsBelievedWhereItConnectsFrom) {
  TeamFile file = a_team();
  const ServedRequest from_proxy = a_head({{"X-User", "ana"}}, "10.1.2.3");
  EXPECT_EQ(caller_of(file, from_proxy), "user:ana");
  EXPECT_EQ(caller_of(file, a_head({{"X-User", "ana"}}, "11.1.2.3")), "401");
  EXPECT_EQ(caller_of(file, a_head({{"X-User", "bob"}}, "10.1.2.3")), "403");
  EXPECT_EQ(caller_of(file, a_head({{"X-User", "bob"}, {"X-Groups", "x,g2"}}, "10.1.2.3")),
            "user:bob");
  EXPECT_EQ(caller_of(file, a_head({{"X-User", ""}, {"X-Groups", "g2"}}, "10.1.2.3")), "403");
  EXPECT_EQ(
      caller_of(file, a_head({{"X-User", "ana"}, {"Authorization", "Bearer no"}}, "10.1.2.3")),
      "401");
  file.proxy->secret_header = "X-Secret";
  file.proxy->secret_sha256 = sha256_hex("s");
  EXPECT_EQ(caller_of(file, from_proxy), "401");
  EXPECT_EQ(caller_of(file, a_head({{"X-User", "ana"}, {"X-Secret", "s"}}, "10.1.2.3")),
            "user:ana");
}

TEST(TeamCallers, TheFirstGrantThatAdmitsARepositoryHolds) {
  const TeamFile file = a_team();
  const auto found =
      find_team_caller(file, a_head({{"X-User", "bob"}, {"X-Groups", "g2, g1"}}, "10.0.0.1"), kNow);
  const TeamCaller& bob = std::get<TeamCaller>(found);
  EXPECT_EQ(bob.grant_for("red")->role, memory::Role::kAdmin);
  EXPECT_EQ(bob.grant_for("grey")->role, memory::Role::kViewer);
  EXPECT_EQ(bob.grant_for("blue"), nullptr);
}

// The repository, or status and body of the refusal.
std::string chosen(const std::string& token, ServedRequest head) {
  const TeamFile file = a_team();
  head.headers.push_back({"Authorization", "Bearer " + token});
  const auto caller = std::get<TeamCaller>(find_team_caller(file, head, kNow));
  const auto choice = choose_team_repository(file, caller, head);
  if (const auto* const name = std::get_if<std::string>(&choice)) return *name;
  const auto& reply = std::get<ServedReply>(choice);
  return std::to_string(reply.status) + " " + reply.body;
}

TEST(TeamCallers, ARepositoryIsOneOfThoseAdmitted) {
  const auto by_query = [](const std::string& name) {
    ServedRequest head = a_head({});
    head.queries = {{"repository", name}};
    return head;
  };
  EXPECT_EQ(chosen("red's", a_head({})), "red");
  EXPECT_EQ(chosen("two's", by_query("grey")), "grey");
  EXPECT_EQ(chosen("two's", a_head({{"X-Codexmem-Repository", "red"}})), "red");
  EXPECT_TRUE(chosen("two's", a_head({})).starts_with("400 "));
  const std::string refused = chosen("two's", by_query("blue"));
  EXPECT_TRUE(refused.starts_with("403 "));
  EXPECT_EQ(refused.find("blue"), refused.npos);
  EXPECT_EQ(refused, chosen("two's", by_query("none")));
  EXPECT_EQ(refused, chosen("two's", by_query("/srv/blue")));
  EXPECT_EQ(refused, chosen("two's", by_query("gr*")));
  ServedRequest both = by_query("red");
  both.headers.push_back({"X-Codexmem-Repository", "grey"});
  EXPECT_TRUE(chosen("two's", both).starts_with("400 "));
}

TEST(TeamHeads, HostOriginAndHeadersThatComeTwice) {
  TeamFile file = a_team();
  const auto status = [&](const ServedRequest& head) {
    const auto refused = refuse_team_head(file, head);
    return refused ? refused->status : 200;
  };
  const auto host = [](std::string name) {
    return ServedRequest{.method = "POST", .path = "/mcp", .headers = {{"Host", std::move(name)}}};
  };
  EXPECT_EQ(status(host("localhost:1")), 200);
  EXPECT_EQ(status(host("[::1]:1")), 200);
  EXPECT_EQ(status(host("code.example.com")), 403);
  EXPECT_EQ(status(ServedRequest{.method = "POST", .path = "/mcp"}), 403);
  file.hosts = {"Code.example.com", "10.0.0.5", "fd00::5"};
  EXPECT_EQ(status(host("code.EXAMPLE.com:443")), 200);
  EXPECT_EQ(status(host("10.0.0.5")), 200);
  EXPECT_EQ(status(host("[fd00::5]:80")), 200);
  for (const char* wrong : {"localhost", "code.example.com.", "code.example.com:x",
                            "a.code.example.com", "", "[fd00::5", "x:1:2"}) {
    EXPECT_EQ(status(host(wrong)), 403) << wrong;
  }
  file.hosts.clear();
  EXPECT_EQ(status(a_head({{"Origin", "https://a.example"}})), 403);
  EXPECT_EQ(status(a_head({{"Sec-Fetch-Site", "cross-site"}})), 403);
  file.origins = {"https://a.example"};
  EXPECT_EQ(status(a_head({{"Origin", "https://a.example"}, {"Sec-Fetch-Site", "cross-site"}})),
            200);
  EXPECT_EQ(status(a_head({{"Origin", "https://b.example"}})), 403);
  for (const char* name :
       {"X-User", "x-user", "X-Groups", "X-Codexmem-Repository", "X-Request-Id"}) {
    EXPECT_EQ(status(a_head({{name, "a"}, {name, "b"}})), 400) << name;
  }
}

TEST(TeamCallers, ACallerIsFoundAgainWhileTheFileHasHim) {
  TeamFile file = a_team();
  const auto red = std::get<TeamCaller>(
      find_team_caller(file, a_head({{"Authorization", "Bearer red's"}}), kNow));
  const auto ana =
      std::get<TeamCaller>(find_team_caller(file, a_head({{"X-User", "ana"}}, "10.0.0.1"), kNow));
  EXPECT_TRUE(find_team_caller_again(file, red, kNow));
  EXPECT_TRUE(find_team_caller_again(file, ana, kNow));
  file.tokens[0].expires = kNow - 1;
  EXPECT_FALSE(find_team_caller_again(file, red, kNow));
  file.tokens[0].expires.reset();
  file.tokens[0].sha256 = sha256_hex("another");
  EXPECT_FALSE(find_team_caller_again(file, red, kNow));
  file.proxy->users.clear();
  EXPECT_FALSE(find_team_caller_again(file, ana, kNow));
  file.proxy.reset();
  EXPECT_FALSE(find_team_caller_again(file, ana, kNow));
}

TEST(Scope, AdmitsNamesAndGlobs) {
  const auto admits = [](std::vector<std::string> names, std::string_view name) {
    return ask::Scope{.repositories = std::move(names)}.admits(name);
  };
  EXPECT_TRUE(admits({"shop"}, "shop"));
  EXPECT_FALSE(admits({"shop"}, "shop2"));
  EXPECT_TRUE(admits({"*"}, "a/b.c"));
  EXPECT_TRUE(admits({"web-*"}, "web-shop"));
  EXPECT_FALSE(admits({"web-*"}, "the-web-shop"));
  EXPECT_FALSE(admits({}, "shop"));
  EXPECT_FALSE(admits({"["}, "shop"));
}

TEST(RateLimit, ComesBackEvenly) {
  RateLimit limit;
  const TeamRate rate{.per_minute = 60, .burst = 3};
  auto now = RateLimit::Clock::now();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", rate, now), 0);
  EXPECT_EQ(limit.take("a", rate, now), 1);
  EXPECT_EQ(limit.take("b", rate, now), 0);  // others have their own
  now += std::chrono::milliseconds(1'001);
  EXPECT_EQ(limit.take("a", rate, now), 0);
  EXPECT_EQ(limit.take("a", rate, now), 1);
  now += std::chrono::hours(1);  // no more than the burst
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.take("a", rate, now), 0);
  EXPECT_EQ(limit.take("a", rate, now), 1);
  EXPECT_EQ(limit.take("c", {.per_minute = 1, .burst = 1}, now), 0);
  EXPECT_EQ(limit.take("c", {.per_minute = 1, .burst = 1}, now), 60);
}

}  // namespace
}  // namespace codexmem::serve
