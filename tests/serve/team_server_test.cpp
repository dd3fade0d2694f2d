#include "serve/team/team_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "serve/team/audit_log.h"
#include "support/temporary_directory.h"

namespace codexmem::serve {
namespace {

namespace fs = std::filesystem;
using net::ServedReply;
using net::ServedRequest;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})";
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";

std::string header_of(const ServedReply& reply, std::string_view name) {
  for (const auto& header : reply.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

class TeamServerTest : public ::testing::Test {
 protected:
  TeamServerTest() {
    for (const char* name : {"red", "blue"}) {
      place_.write(fmt::format("{}/{}.py", name, name),
                   fmt::format("def of_{}():\n    pass\n", name));
    }
    write();
    auto opened = TeamServer::open(place_.path() / "team.json");
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    server_ = *std::move(opened);
  }

  void write(std::string_view limits = R"({"rate": {"perMinute": 60, "burst": 50}})",
             std::string_view of_red = R"(["red"])") {
    const std::string in = place_.path().string();
    const fs::path path = place_.write(
        "team.json",
        fmt::format(R"({{"data": "{0}/data", "audit": {{"file": "{0}/audit.jsonl"}}, "limits": {1},
                        "repositories": {{"red": "{0}/red", "blue": "{0}/blue"}},
                        "tokens": [{{"name": "r", "sha256": "{2}", "repositories": {3}}},
                                   {{"name": "b", "sha256": "{4}", "repositories": ["blue"]}}]}})",
                    in, limits, sha256_hex("r's"), of_red, sha256_hex("b's")));
    EXPECT_EQ(::chmod(path.c_str(), 0600), 0);
  }

  static ServedRequest request(const std::string& token, std::string body,
                               std::string session = "") {
    ServedRequest made{.method = "POST", .path = "/mcp", .body = std::move(body)};
    made.headers = {{"Host", "localhost"},
                    {"Authorization", "Bearer " + token},
                    {"Content-Type", "application/json"}};
    if (!session.empty()) made.headers.push_back({"Mcp-Session-Id", std::move(session)});
    return made;
  }
  // As the HTTP server does.
  ServedReply ask(const ServedRequest& made) {
    if (auto refused = server_->refuse(made)) return *std::move(refused);
    return server_->answer(made);
  }
  std::vector<std::string> lines() const {
    const auto text = read_file(place_.path() / "audit.jsonl");
    std::vector<std::string> all;
    if (!text.ok()) return all;
    for (const std::string_view line : split(*text, '\n')) all.emplace_back(line);
    all.pop_back();
    return all;
  }

  const testing::TemporaryDirectory place_;
  std::unique_ptr<TeamServer> server_;
};

TEST_F(TeamServerTest, ASessionIsItsCallers) {
  const ServedReply opened = ask(request("r's", kInitialize));
  EXPECT_EQ(opened.status, 200) << opened.body;
  const std::string id = header_of(opened, "Mcp-Session-Id");
  EXPECT_TRUE(id.starts_with("2025-11-25."));
  EXPECT_EQ(ask(request("r's", kPing, id)).status, 200);
  EXPECT_EQ(ask(request("b's", kPing, id)).status, 404);
  EXPECT_EQ(ask(request("x", kPing, id)).status, 401);
}

TEST_F(TeamServerTest, ASessionIsTakenUpByAnotherInstance) {
  const std::string id = header_of(ask(request("r's", kInitialize)), "Mcp-Session-Id");
  server_.reset();
  server_ = *TeamServer::open(place_.path() / "team.json");
  EXPECT_EQ(ask(request("b's", kPing, id)).status, 404);
  EXPECT_EQ(ask(request("r's", kPing, id)).status, 200);
  for (const std::string& forged :
       {"2025-06-18" + id.substr(10), id + "0", id.substr(0, id.size() - 1),
        std::string("2025-11-25.0.0.0"), std::string("."), std::string("....")}) {
    EXPECT_EQ(ask(request("r's", kPing, forged)).status, 404) << forged;
  }
  ServedRequest end = request("r's", "", id);
  end.method = "DELETE";
  EXPECT_EQ(ask(end).status, 204);
  EXPECT_EQ(ask(request("r's", kPing, id)).status, 404);
}

TEST_F(TeamServerTest, ACallerWhoMaySeeLessBeginsAnew) {
  const std::string red = header_of(ask(request("r's", kInitialize)), "Mcp-Session-Id");
  const std::string blue = header_of(ask(request("b's", kInitialize)), "Mcp-Session-Id");
  write("{}", R"(["blue"])");
  ASSERT_TRUE(server_->reload().ok());
  EXPECT_EQ(ask(request("r's", kPing, red)).status, 404);
  EXPECT_EQ(ask(request("b's", kPing, blue)).status, 200);
  place_.write("team.json", "{");
  EXPECT_FALSE(server_->reload().ok());
  EXPECT_EQ(ask(request("b's", kPing, blue)).status, 200);
}

TEST_F(TeamServerTest, TooManyRequestsAreToldToWait) {
  write(R"({"rate": {"perMinute": 1, "burst": 2}})");
  ASSERT_TRUE(server_->reload().ok());
  EXPECT_EQ(ask(request("b's", kInitialize)).status, 200);
  EXPECT_EQ(ask(request("b's", kInitialize)).status, 200);
  const ServedReply refused = ask(request("b's", kInitialize));
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(header_of(refused, "Retry-After"), "60");
  EXPECT_EQ(ask(request("r's", kInitialize)).status, 200);
}

TEST_F(TeamServerTest, HealthNeedsNoCaller) {
  const ServedRequest health{.method = "GET", .path = "/health"};
  EXPECT_EQ(ask(health).status, 200);
  EXPECT_EQ(ask(health).body, R"({"status":"ok"})");
  EXPECT_TRUE(lines().empty());
  server_->close();
  EXPECT_EQ(ask(health).status, 503);
  EXPECT_EQ(ask(request("r's", kInitialize)).status, 503);
}

TEST_F(TeamServerTest, EachRequestIsALineOfTheLog) {
  const ServedReply answered =
      ask(request("r's", R"({"jsonrpc":"2.0","id":"x","method":"tools/call",
      "params":{"name":"a tool","arguments":{"secret":"words"}}})"));
  ask(request("x", kPing));
  server_->note_unread(request("b's", ""), 413);
  const auto all = lines();
  ASSERT_EQ(all.size(), 3U);
  for (const char* want :
       {R"("caller":"token:r")", R"("method":"tools/call")", R"("tool":"a tool")",
        R"("repository":"red")", R"("http":"POST /mcp")", "\"ms\":"}) {
    EXPECT_NE(all[0].find(want), std::string::npos) << all[0];
  }
  EXPECT_NE(all[0].find(header_of(answered, "X-Request-Id")), std::string::npos);
  EXPECT_EQ(all[0].find("words"), std::string::npos);
  EXPECT_NE(all[1].find(R"("status":401)"), std::string::npos);
  EXPECT_EQ(all[1].find("caller"), std::string::npos);
  EXPECT_NE(all[2].find(R"("status":413)"), std::string::npos);
  EXPECT_NE(all[2].find("token:b"), std::string::npos);
}

TEST(AuditLog, IsAppendedToAndFollowsItsName) {
  const testing::TemporaryDirectory place;
  const fs::path path = place.path() / "log";
  const auto log = AuditLog::open(path);
  ASSERT_TRUE(log.ok());
  struct stat there {};
  ASSERT_EQ(::stat(path.c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777U, 0600U);
  (*log)->write({.request = "1", .tool = "line\nbreak \xff", .status = 200});
  EXPECT_EQ(split(*read_file(path), '\n').size(), 2U);
  fs::rename(path, place.path() / "old");
  (*log)->reopen();
  (*log)->write({.request = "2", .status = 200});
  EXPECT_NE(read_file(path)->find("\"2\""), std::string::npos);
  EXPECT_EQ(read_file(place.path() / "old")->find("\"2\""), std::string::npos);
}

TEST(AuditLog, StrangersDoNotFillIt) {
  const testing::TemporaryDirectory place;
  const auto log = AuditLog::open(place.path() / "log");
  ASSERT_TRUE(log.ok());
  for (int i = 0; i < 1'000; ++i) (*log)->write_of_stranger({.request = "x", .status = 401});
  const auto count = split(*read_file(place.path() / "log"), '\n').size() - 1;
  EXPECT_GE(count, 10U);
  EXPECT_LT(count, 100U);
  (*log)->write({.request = "known", .status = 200});
  EXPECT_NE(read_file(place.path() / "log")->find("\"omitted\":"), std::string::npos);
}

TEST(AuditLog, IsOfThisUserAlone) {
  const testing::TemporaryDirectory place;
  const fs::path open = place.write("open", "");
  ASSERT_EQ(::chmod(open.c_str(), 0666), 0);
  EXPECT_FALSE(AuditLog::open(open).ok());
  fs::create_symlink(place.write("real", ""), place.path() / "link");
  EXPECT_FALSE(AuditLog::open(place.path() / "link").ok());
  EXPECT_FALSE(AuditLog::open(place.path()).ok());
  ASSERT_EQ(::mkfifo((place.path() / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(AuditLog::open(place.path() / "fifo").ok());
}

}  // namespace
}  // namespace codexmem::serve
