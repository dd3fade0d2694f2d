#include "serve/team/team_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "serve/team/address_range.h"
#include "serve/team_file_checks.h"
#include "support/temporary_directory.h"

namespace codexmem::serve {
namespace {

namespace fs = std::filesystem;

const std::string kHash(64, 'a');

// A good file with `members` in addition to the usual ones, or in place of them.
std::string file_with(std::string_view members, std::string_view token = "") {
  return fmt::format(
      R"({{{}{}"tokens": [{{"name": "ci", "sha256": "{}", {}}}]}})", members,
      members.starts_with("\"repositories\"") ? "" : R"("repositories": {"shop": "/srv/shop"}, )",
      kHash, token.empty() ? R"("repositories": ["shop"])" : token);
}

std::string problem_of(const std::string& text) {
  const auto file = parse_team_file(text, "team.json");
  return file.ok() ? "" : file.error().message();
}

// A file with everything.
const std::string& whole_file() {
  static const std::string kText = R"({
    // who may see what
    "listen": "0.0.0.0:8080", "hosts": ["code.example.com"], "origins": ["https://code.example.com"],
    "data": "/var/lib/codexmem",
    "repositories": {"shop": "/srv/shop", "tools": "/srv/../srv/tools"},
    "tokens": [{"name": "ci", "sha256": ")" +
                                   kHash + R"(", "repositories": ["sh*"], "role": "agent",
                "memory": true, "mayWriteMemory": true, "tools": ["find_symbol", "memory"],
                "fleet": ["git.example.com/shop/*"],
                "expires": "2027-01-31", "rate": {"perMinute": 60, "burst": 5}}],
    "proxy": {"header": "X-Forwarded-User", "groupsHeader": "X-Forwarded-Groups", "from": ["10.0.0.0/8", "fd00::/8"],
              "secret": {"header": "X-Proxy-Secret", "sha256": ")" +
                                   kHash + R"("},
              "users": {"ana": {"repositories": ["*"], "role": "admin"}},
              "groups": {"zz": {"repositories": ["shop"]}, "aa": {"repositories": ["tools"]}}},
    "limits": {"rate": {"perMinute": 100}, "workAtOnce": 8, "requestBytes": 65536, "requestSeconds": 5,
               "streams": 10, "streamsACaller": 2, "openRepositories": 4},
    "audit": {"file": "/var/log/codexmem.jsonl", "arguments": true},
  })";
  return kText;
}

TEST(ParseTeamFile, AFileWithEverythingIsRead) {
  const auto file = parse_team_file(whole_file(), "team.json");
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_EQ(file->address, "0.0.0.0");
  EXPECT_EQ(file->port, 8080);
  EXPECT_FALSE(file->is_on_loopback());
  EXPECT_EQ(file->repositories.at("tools"), "/srv/tools");
  const TeamToken& token = file->tokens.at(0);
  EXPECT_EQ(token.grant.role, memory::Role::kAgent);
  EXPECT_EQ(token.expires, parse_expiry("2027-01-31T23:59:59Z"));
  EXPECT_EQ(token.grant.rate, (TeamRate{60, 5}));
  EXPECT_EQ(token.grant.fleet, std::vector<std::string>{"git.example.com/shop/*"});
  EXPECT_TRUE(token.grant.tools.starts_with("find_symbol,search,"));
  EXPECT_EQ(token.grant.tools.find("search_code"), std::string::npos);
  EXPECT_EQ(file->proxy->groups.at(0).first, "zz");  // in the order of the file
  EXPECT_EQ(file->limits.rate, (TeamRate{100, 120}));
  EXPECT_EQ(file->admitted({token.grant}), std::vector<std::string>{"shop"});
  EXPECT_TRUE(file->audits_arguments);
}

TEST(ParseTeamFile, ProblemsAreReportedWithTheirPlace) {
  const struct {
    std::string_view name;
    std::string text;
    std::string_view want;
  } kCases[] = {
      {"no JSON", "{", "team.json: "},
      {"no object", "[]", "must be an object, got array"},
      {"twice", R"({"hosts": [], "hosts": []})", "hosts"},
      {"unknown", file_with(R"("host": ["a"], )"), R"(unknown key "host" (did you mean "hosts"?))"},
      {"no repositories", R"({"tokens": []})", "repositories: must be an object"},
      {"repository's name", file_with(R"("repositories": {"a/b": "/x"}, )"), "repositories.a/b"},
      {"relative", file_with(R"("repositories": {"a": "x"}, )"), "repositories.a: must be an abso"},
      {"nobody", R"({"repositories": {"a": "/x"}})", "tokens: neither a token nor a proxy"},
      {"tokens", R"({"repositories": {"a": "/x"}, "tokens": {}})", "tokens: must be a list"},
      {"token", R"({"repositories": {"a": "/x"}, "tokens": [1]})", "tokens[0]: must be an object"},
      {"no hash",
       R"({"repositories": {"a": "/x"}, "tokens": [{"name": "ci", "repositories": ["a"]}]})",
       "tokens[0]: has no sha256: `codexmem serve --team-token ci`"},
      {"the token itself",
       R"({"repositories": {"a": "/x"}, "tokens": [{"name": "ci", "sha256": "hunter2", "repositories": ["a"]}]})",
       "tokens[0].sha256: must be the 64"},
      {"sees nothing", file_with("", R"("role": "agent")"), "tokens[0].repositories: must name"},
      {"role", file_with("", R"("repositories": ["a"], "role": "boss")"),
       R"(tokens[0].role: must be viewer, agent or admin, got "boss")"},
      {"writes what he cannot see",
       file_with("", R"("repositories": ["a"], "role": "agent", "mayWriteMemory": true)"),
       "tokens[0].mayWriteMemory: needs \"memory\""},
      {"viewer writes",
       file_with("", R"("repositories": ["a"], "memory": true, "mayWriteMemory": true)"),
       "needs the role agent or admin"},
      {"flag", file_with("", R"("repositories": ["a"], "memory": "yes")"),
       "memory: must be true or"},
      {"tool", file_with("", R"("repositories": ["a"], "tools": ["find_symbols"])"),
       R"(tokens[0].tools[0]: there is no tool or group "find_symbols")"},
      {"no tool is left", file_with("", R"("repositories": ["a"], "tools": ["index_repository"])"),
       "tokens[0].tools: the role"},
      {"expires", file_with("", R"("repositories": ["a"], "expires": "tomorrow")"),
       "tokens[0].expires"},
      {"rate", file_with("", R"("repositories": ["a"], "rate": {"perMinute": 0})"),
       "tokens[0].rate.perMinute: must be a whole number from 1"},
      {"misspelt in a token", file_with("", R"("repositories": ["a"], "exipres": "2027-01-01")"),
       R"(did you mean "expires"?)"},
      {"listen", file_with(R"("listen": "localhost:80", )"), "listen: must be an address"},
      {"listen's port", file_with(R"("listen": "127.0.0.1:99999", )"),
       "listen: must be an address"},
      {"open without names", file_with(R"("listen": "0.0.0.0:80", )"), "hosts: is missing"},
      {"host", file_with(R"("hosts": ["https://a"], )"), "hosts[0]: must be a name"},
      {"origin", file_with(R"("origins": ["a.example"], )"), "origins[0]: must be like"},
      {"limit", file_with(R"("limits": {"workAtOnce": 1.5}, )"),
       "limits.workAtOnce: must be a whole"},
      {"audit", file_with(R"("audit": {"file": "log"}, )"), "audit.file: must be an absolute path"},
      {"proxy of nobody", file_with(R"("proxy": {"header": "X-U", "from": ["10.0.0.1"]}, )"),
       "proxy: has neither users nor groups"},
      {"proxy from everywhere on this machine",
       file_with(
           R"("proxy": {"header": "X-U", "from": ["127.0.0.0/8"], "users": {"a": {"repositories": ["shop"]}}}, )"),
       "proxy.secret: is missing"},
      {"proxy from anywhere",
       file_with(
           R"("proxy": {"header": "X-U", "from": ["0.0.0.0/0"], "users": {"a": {"repositories": ["shop"]}}}, )"),
       "proxy.secret: is missing"},
      {"proxy's range", file_with(R"("proxy": {"header": "X-U", "from": ["10.0.0.1/8"]}, )"),
       "proxy.from[0]"},
      {"proxy's header",
       file_with(R"("proxy": {"header": "Authorization", "from": ["10.0.0.1"]}, )"),
       "proxy.header"},
      {"groups without a header",
       file_with(
           R"("proxy": {"header": "X-U", "from": ["10.0.0.1"], "groups": {"a": {"repositories": ["shop"]}}}, )"),
       "proxy.groups: needs `groupsHeader`"},
  };
  for (const auto& each : kCases) {
    const std::string problem = problem_of(each.text);
    EXPECT_NE(problem.find(each.want), problem.npos) << each.name << ": " << problem;
    EXPECT_EQ(problem.find("hunter2"), problem.npos);
  }
}

TEST(ParseTeamFile, WhateverIsChangedItIsSoundOrRefused) {
  std::mt19937 random(27);
  const auto below = [&](std::size_t count) { return random() % count; };
  const std::vector<std::string_view> words = {"true",
                                               "false",
                                               "null",
                                               "\"\"",
                                               "[]",
                                               "{}",
                                               "-1",
                                               "1e99",
                                               "\"*\"",
                                               "\"admin\"",
                                               "\"memory\": true, ",
                                               "\"0.0.0.0/0\"",
                                               ",",
                                               "}",
                                               "]"};
  std::size_t accepted = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::string text = whole_file();
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text.erase(at, 1 + below(20));
          break;
        case 1:
          text.insert(at, words[below(words.size())]);
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        default:  // a value in the place of another
          if (const std::size_t colon = text.find(": ", at); colon != text.npos) {
            const std::size_t end = text.find_first_of(",}\n", colon);
            text.replace(colon + 2, end - colon - 2, words[below(words.size())]);
          }
      }
    }
    const auto file = parse_team_file(text, "team.json");
    accepted += file.ok() ? 1 : 0;
    ASSERT_TRUE(file.ok() ? testing::is_sound(*file)
                          : file.error().message().starts_with("team.json: "))
        << text;
  }
  EXPECT_GT(accepted, 100U);
}

TEST(ParseTeamFile, TwoTokensAreNotTheSame) {
  const auto two = [](std::string_view name, std::string_view hash) {
    return fmt::format(
        R"({{"repositories": {{"a": "/x"}}, "tokens": [
             {{"name": "ci", "sha256": "{}", "repositories": ["a"]}},
             {{"name": "{}", "sha256": "{}", "repositories": ["a"]}}]}})",
        kHash, name, hash);
  };
  EXPECT_EQ(problem_of(two("other", std::string(64, 'b'))), "");
  EXPECT_NE(problem_of(two("ci", std::string(64, 'b'))).find("tokens[1].name"), std::string::npos);
  EXPECT_NE(problem_of(two("other", kHash)).find("tokens[1].sha256"), std::string::npos);
}

TEST(TeamGrants, ARolePermitsItsTools) {
  const auto tools = [](std::string_view grant) {
    const auto file = parse_team_file(file_with("", grant), "team.json");
    EXPECT_TRUE(file.ok()) << file.error().message();
    return file.ok() ? "," + file->tokens[0].grant.tools + "," : "";
  };
  const std::string viewer = tools(R"("repositories": ["a"])");
  EXPECT_NE(viewer.find(",find_symbol,"), viewer.npos);
  for (const char* other :
       {",index_repository,", ",search,", ",save_memory,", ",search_decisions,"}) {
    EXPECT_EQ(viewer.find(other), viewer.npos) << other;
  }
  const std::string reader = tools(R"("repositories": ["a"], "role": "agent", "memory": true)");
  EXPECT_NE(reader.find(",search,"), reader.npos);
  EXPECT_EQ(reader.find(",save_memory,"), reader.npos);
  const std::string writer =
      tools(R"("repositories": ["a"], "role": "agent", "memory": true, "mayWriteMemory": true)");
  EXPECT_NE(writer.find(",save_memory,"), writer.npos);
  EXPECT_EQ(writer.find(",index_repository,"), writer.npos);
  const std::string admin = tools(R"("repositories": ["a"], "role": "admin")");
  EXPECT_NE(admin.find(",index_repository,"), admin.npos);
  EXPECT_EQ(admin.find(",search,"), admin.npos);
}

TEST(ReadTeamFile, TakesNoFileThatOthersCanWrite) {
  const testing::TemporaryDirectory place;
  fs::create_directories(place.path() / "shop/part");
  fs::create_directories(place.path() / "shop/.git");
  fs::create_directories(place.path() / "other");
  const auto text = [&](std::string_view repositories) {
    return fmt::format(
        R"({{"data": "{}/data", "repositories": {{{}}}, "tokens": [{{"name": "ci", "sha256": "{}", "repositories": ["*"]}}]}})",
        place.path().string(), repositories, kHash);
  };
  const auto problem = [&](std::string_view repositories, const char* at = "team.json",
                           mode_t mode = 0600) {
    const fs::path path = place.write(at, text(repositories));
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    const auto file = read_team_file(path);
    fs::remove(path);
    return file.ok() ? std::string() : file.error().message();
  };
  const std::string in = place.path().string();
  const std::string shop = fmt::format(R"("shop": "{}/shop")", in);
  const auto says = [](const std::string& text_of, std::string_view want) {
    EXPECT_NE(text_of.find(want), text_of.npos) << text_of;
  };
  EXPECT_EQ(problem(shop), "");
  EXPECT_EQ(problem(shop, "team.json", 0644), "");
  says(problem(shop, "team.json", 0620), "others can write it");
  says(problem(shop, "team.json", 0602), "others can write it");
  says(problem(shop, "shop/team.json"), "this file is in it");
  says(problem(fmt::format(R"("a": "{}/none")", in)), "is not a folder");
  says(problem(fmt::format(R"("a": "{}/shop/part")", in)), "is part of the git repository");
  says(problem(fmt::format(R"({}, "all": "{}/shop")", shop, in)), "lies in");
  says(problem(R"("a": "/")"), "is not a repository");
  // A work tree, and a clone, that have the objects of another repository.
  fs::create_directories(place.path() / "shop/.git/objects/info");
  fs::create_directories(place.path() / "shop/.git/worktrees/tree");
  place.write("shop/.git/worktrees/tree/commondir", "../..\n");
  place.write("tree/.git", fmt::format("gitdir: {}/shop/.git/worktrees/tree\n", in));
  says(problem(fmt::format(R"({}, "tree": "{}/tree")", shop, in)), "has objects of git together");
  EXPECT_EQ(problem(fmt::format(R"("tree": "{}/tree")", in)), "");
  fs::create_directories(place.path() / "pool/objects");
  for (const char* name : {"one", "two"}) {
    fs::create_directories(place.path() / name / ".git/objects");
    place.write(fmt::format("{}/.git/objects/info/alternates", name),
                "# pool\n../../../pool/objects\n");
  }
  says(problem(fmt::format(R"("one": "{0}/one", "two": "{0}/two")", in)), "alternates");
  EXPECT_EQ(problem(fmt::format(R"({}, "one": "{}/one")", shop, in)), "");
  fs::create_directories(place.path() / "data/shop");
  says(problem(fmt::format(R"("a": "{}/data/shop")", in)), "must not hold, or lie in");
  fs::create_directories(place.path() / "open");
  EXPECT_EQ(::chmod((place.path() / "open").c_str(), 0777), 0);
  says(problem(shop, "open/team.json"), "put another file in its place");
  EXPECT_EQ(read_team_file(place.path() / "none.json").error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(read_team_file(place.path()).ok());
}

TEST(AddressRange, ContainsItsAddresses) {
  const struct {
    std::string_view range, address;
    bool holds;
  } kCases[] = {
      {"10.0.0.0/8", "10.255.0.1", true},
      {"10.0.0.0/8", "11.0.0.1", false},
      {"10.0.0.7", "10.0.0.7", true},
      {"10.0.0.7", "10.0.0.8", false},
      {"0.0.0.0/0", "192.0.2.1", true},
      {"0.0.0.0/0", "::1", false},
      {"fd00::/8", "fd12::1", true},
      {"fd00::/8", "fe80::1", false},
      {"::/0", "10.0.0.1", true},
      {"192.168.4.0/22", "192.168.7.255", true},
      {"192.168.4.0/22", "192.168.8.0", false},
      {"10.0.0.0/8", "", false},
      {"10.0.0.0/8", "10.1", false},
  };
  for (const auto& each : kCases) {
    const auto range = AddressRange::parse(each.range);
    ASSERT_TRUE(range) << each.range;
    EXPECT_EQ(range->holds(each.address), each.holds) << each.range << " " << each.address;
  }
  for (const char* wrong : {"", "10", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8x",
                            "10.0.0.1/8", "fd00::1/8", "localhost", "::/129"}) {
    EXPECT_FALSE(AddressRange::parse(wrong)) << wrong;
  }
  EXPECT_TRUE(AddressRange::parse("127.0.0.1")->has_loopback());
  EXPECT_TRUE(AddressRange::parse("::1")->has_loopback());
  EXPECT_TRUE(AddressRange::parse("0.0.0.0/0")->has_loopback());
  EXPECT_FALSE(AddressRange::parse("10.0.0.0/8")->has_loopback());
}

TEST(ParseExpiry, TakesDaysAndMomentsThatThereAre) {
  EXPECT_EQ(parse_expiry("1970-01-01T00:00:01Z"), 1);
  EXPECT_EQ(parse_expiry("1970-01-01"), 86'399);
  EXPECT_EQ(parse_expiry("2028-02-29"), 1'835'481'599);
  for (const char* wrong : {"", "2027-02-29", "2027-13-01", "2027-04-31", "2027-1-1", "27-01-01",
                            "2027-01-01T25:00:00Z", "2027-01-01T00:00:00", "2027-01-01 00:00:00Z",
                            "-027-01-01", "2027-01-01T00:00:0xZ"}) {
    EXPECT_FALSE(parse_expiry(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace codexmem::serve
