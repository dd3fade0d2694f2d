#include "app/init/client_config.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "app/init/clients.h"

namespace codexmem::app {
namespace {

// "sh" is a program that there is on every machine.
constexpr const char* kProgram = "/bin/sh";

struct Named {
  const char* client;
  bool hooks;
  ConfigFile file;
};

std::vector<Named> every_file() {
  std::vector<Named> out;
  const ConfigPlaces places = {"/r", "/h"};
  for (const Client& client : clients()) {
    out.push_back({client.name.data(), false, client.server(places, ConfigScope::kProject)});
    const ConfigFile hooks = client.hooks(places, ConfigScope::kUser);
    if (!hooks.path.empty()) out.push_back({client.name.data(), true, hooks});
  }
  return out;
}

ConfigText with(std::string_view before, const ConfigEntries& entries) {
  auto text = with_entries(before, entries, {});
  EXPECT_TRUE(text.ok()) << text.error().message();
  return text.ok() ? *text : ConfigText{};
}

ConfigText without(std::string_view before, const ConfigEntries& entries) {
  auto text = without_entries(before, entries);
  EXPECT_TRUE(text.ok()) << text.error().message();
  return text.ok() ? *text : ConfigText{};
}

TEST(ClientConfig, AddingNothingLeavesNoFileBehind) {
  for (const Named& one : every_file()) {
    const ConfigText after = with("", one.file.entries);
    EXPECT_NE(after.text, "") << one.client;
    EXPECT_FALSE(after.had_ours);
    const ConfigText back = without(after.text, one.file.entries);
    EXPECT_EQ(back.text, "") << one.client;
    EXPECT_TRUE(back.had_ours);
    EXPECT_TRUE(back.left.empty());
  }
}

TEST(ClientConfig, TheEditGuardIsWrittenWhenAskedForAndKeptUntilItIsRemoved) {
  for (const char* name : {"claude-code", "cursor"}) {
    ConfigEntries entries = find_client(name)->hooks({"/r", "/h"}, ConfigScope::kUser).entries;
    const std::string plain = with("", entries).text;
    EXPECT_EQ(plain.find("before-edit"), std::string::npos);
    entries.guard_change = GuardChange::kAdd;
    const std::string guarded = with(plain, entries).text;
    EXPECT_NE(guarded.find("before-edit"), std::string::npos);
    EXPECT_EQ(with(guarded, entries).text, guarded);
    entries.guard_change = GuardChange::kKeep;
    EXPECT_EQ(with(guarded, entries).text, guarded);
    EXPECT_EQ(without(guarded, entries).text, "");
    entries.guard_change = GuardChange::kRemove;
    EXPECT_EQ(with(guarded, entries).text, plain);
    EXPECT_EQ(with(plain, entries).text, plain);
    // A hook that the user changed is the user's.
    std::string own = guarded;
    own.replace(own.find(name == std::string_view("cursor") ? "Write" : "Edit|"), 5, "Other");
    EXPECT_EQ(with(own, entries).text, own);
  }
}

TEST(ClientConfig, TheUsersOwnServerIsLeftAndNamed) {
  const ConfigEntries entries = clients()[1].server({"/r", "/h"}, ConfigScope::kProject).entries;
  for (const std::string own :
       {R"({"mcpServers":{"codexmem":{"command":"codexmem","args":["serve"],"env":{"A":"b"}}}})",
        R"({"mcpServers":{"codexmem":{"command":"codexmem","args":["serve","/elsewhere"]}}})",
        R"({"mcpServers":{"codexmem":{"command":"codexmem","args":["serve"] /* why */}}})",
        R"({"mcpServers":{"codexmem":{"type":"http","url":"http://127.0.0.1:37878/mcp"}}})",
        R"({"mcpServers":{"codexmem":{"command":"/opt/mine"}}})"}) {
    for (const ConfigText& text : {with(own, entries), without(own, entries)}) {
      EXPECT_EQ(text.text, own);
      EXPECT_EQ(text.left.size(), 1U) << own;
      EXPECT_FALSE(text.had_ours);
    }
  }
}

TEST(ClientConfig, AServerWhoseProgramIsGoneIsBroughtUpToDate) {
  const ConfigEntries entries = clients()[1].server({"/r", "/h"}, ConfigScope::kProject).entries;
  const std::string gone =
      R"({"mcpServers":{"codexmem":{"command":"/gone/codexmem","args":["serve"]}}})";
  const ConfigText text = with(gone, entries);
  EXPECT_TRUE(text.had_ours);
  EXPECT_EQ(text.text.find("/gone"), std::string::npos) << text.text;
  EXPECT_EQ(without(gone, entries).text, "");
}

TEST(ClientConfig, HooksAreAddedToTheUsersOwn) {
  for (const Named& one : every_file()) {
    if (!one.hooks) continue;
    const std::string event(one.file.entries.events[0].host);
    const std::string mine =
        "{\n  // mine\n  \"version\": 1,\n  \"hooks\": {\n    \"" + event +
        "\": [\n      {\"command\": \"mine\", \"hooks\": []},\n    ],\n  },\n}\n";
    const ConfigText after = with(mine, one.file.entries);
    EXPECT_NE(after.text.find("\"mine\""), std::string::npos);
    EXPECT_EQ(with(after.text, one.file.entries).text, after.text) << "a second time";
    EXPECT_EQ(without(after.text, one.file.entries).text, mine) << one.client;
  }
}

TEST(ClientConfig, AHookOfOursThatTheUserEditedStaysAndIsNotDoubled) {
  const ConfigEntries entries = clients()[1].hooks({"/r", "/h"}, ConfigScope::kUser).entries;
  const std::string own =
      R"({"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[)"
      R"({"type":"command","command":"codexmem-hook claude-code observation","timeout":10}]}]}})";
  const ConfigText after = with(own, entries);
  ASSERT_EQ(after.left.size(), 1U);
  EXPECT_EQ(after.text.find("observation"), own.find("observation"));
  EXPECT_NE(after.text.find("PostToolUseFailure"), std::string::npos);
  const ConfigText back = without(after.text, entries);
  EXPECT_EQ(back.text, own);
  EXPECT_EQ(back.left.size(), 1U);
}

TEST(ClientConfig, AHookThatStartsNoWorkerOrWaitsForOneThatHangsIsOld) {
  const ConfigEntries entries = clients()[2].hooks({"/r", "/h"}, ConfigScope::kUser).entries;
  for (const std::string start : {"", "codexmem worker start </dev/null >/dev/null 2>&1; "}) {
    const std::string old = R"({"hooks":{"SessionStart":[{"hooks":[{"type":"command",)"
                            R"("command":")" +
                            start + R"(codexmem-hook codex context","timeout":10}]}]}})";
    const ConfigText after = with(old, entries);
    EXPECT_TRUE(after.had_ours);
    EXPECT_NE(after.text.find("codexmem worker start --quiet </dev/null"), std::string::npos)
        << after.text;
    EXPECT_EQ(after.text.find("context"), after.text.rfind("context"));
    EXPECT_EQ(without(old, entries).text, "");
  }
}

TEST(ClientConfig, AHookThatTakesTooLongAtTheEndIsOld) {
  const ConfigEntries entries = clients()[2].hooks({"/r", "/h"}, ConfigScope::kUser).entries;
  const std::string now = with("", entries).text;
  const std::string three = "\"timeout\": 3";
  ASSERT_NE(now.find(three), std::string::npos) << now;
  ASSERT_GT(now.find(three), now.find("session-complete"));
  std::string old = now;
  old.replace(old.find(three), three.size(), "\"timeout\": 10");
  EXPECT_EQ(with(old, entries).text, now);
  EXPECT_EQ(without(old, entries).text, "");
}

TEST(ClientConfig, ServerAndHooksSayWhereTheMemoryIs) {
  const std::string directory = "/data of mine/x";
  for (const Named& one : every_file()) {
    ProgramNames programs;
    programs.data_directory = directory;
    const auto after = with_entries("", one.file.entries, programs);
    ASSERT_TRUE(after.ok());
    EXPECT_NE(after->text.find("CODEXMEM_DATA_DIR"), std::string::npos) << after->text;
    EXPECT_NE(after->text.find(directory), std::string::npos) << after->text;
    // Ours: it is taken out, brought up to date, and kept by who names none.
    EXPECT_EQ(without(with(after->text, one.file.entries).text, one.file.entries).text, "");
    EXPECT_NE(with(after->text, one.file.entries).text.find(directory), std::string::npos);
    programs.data_directory = "/elsewhere";
    const auto moved = with_entries(after->text, one.file.entries, programs);
    ASSERT_TRUE(moved.ok());
    EXPECT_EQ(moved->text.find(directory), std::string::npos) << moved->text;
    EXPECT_NE(moved->text.find("/elsewhere"), std::string::npos) << moved->text;
    EXPECT_TRUE(moved->left.empty()) << one.client;
  }
  EXPECT_EQ(data_directory_of_hook("export CODEXMEM_DATA_DIR='/a b'; codexmem-hook codex context"),
            "/a b");
  EXPECT_EQ(data_directory_of_hook("CODEXMEM_DATA_DIR=/a codexmem-hook codex context"), "/a");
  EXPECT_EQ(data_directory_of_hook("codexmem-hook codex context"), "");
  EXPECT_EQ(data_directory_of_server(R"({"env": {"CODEXMEM_DATA_DIR": "/a"}} // mine)"), "/a");
  EXPECT_EQ(data_directory_of_server(R"({"command": "codexmem"})"), "");
}

TEST(ClientConfig, AServerOffersTheToolsThatWereChosen) {
  for (const Named& one : every_file()) {
    if (one.hooks) continue;
    ProgramNames programs;
    programs.tools = "memory";
    const auto after = with_entries("", one.file.entries, programs);
    ASSERT_TRUE(after.ok());
    EXPECT_NE(after->text.find("CODEXMEM_TOOLS"), std::string::npos) << after->text;
    EXPECT_EQ(with(after->text, one.file.entries).text, after->text) << "what is said stays";
    EXPECT_EQ(without(after->text, one.file.entries).text, "");
    programs.tools = "code";
    const auto changed = with_entries(after->text, one.file.entries, programs);
    ASSERT_TRUE(changed.ok());
    EXPECT_EQ(changed->text.find("memory"), std::string::npos) << changed->text;
    EXPECT_TRUE(changed->left.empty());
    programs.tools = "all";
    const auto all = with_entries(after->text, one.file.entries, programs);
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->text, with("", one.file.entries).text);
  }
  const ConfigEntries entries = clients()[1].server({"/r", "/h"}, ConfigScope::kProject).entries;
  const std::string own =
      R"({"mcpServers":{"codexmem":{"command":"codexmem","args":["serve"],"env":{"CODEXMEM_TOOLS":"search_code"}}}})";
  EXPECT_EQ(with(own, entries).text, own) << "a list of one's own is one's own";
}

TEST(ClientConfig, PathsWithSpacesAreOneWordOfTheShell) {
  const ConfigEntries entries = clients()[1].hooks({"/r", "/h"}, ConfigScope::kUser).entries;
  const auto text = with_entries("", entries, {"/a b/codexmem", "/a b/codexmem-hook"});
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->text.find("'/a b/codexmem-hook' claude-code observation"), std::string::npos);
  EXPECT_EQ(without(text->text, entries).text, "");
}

TEST(ClientConfig, InvalidConfigurationsAreRefused) {
  for (const Named& one : every_file()) {
    EXPECT_FALSE(with_entries("{ = [", one.file.entries, {}).ok()) << one.client;
    EXPECT_FALSE(without_entries("{ = [", one.file.entries).ok()) << one.client;
  }
}

TEST(ClientConfig, WhatAPersonAddsByHandFitsIntoTheFile) {
  const ConfigEntries entries = clients()[2].server({"/r", "/h"}, ConfigScope::kUser).entries;
  EXPECT_EQ(entries_by_hand(entries, {}, "model = "),
            "[mcp_servers.codexmem]\ncommand = \"codexmem\"\nargs = [\"serve\", \"--text\"]\n");
  const std::string inline_servers = "mcp_servers = { a = { command = \"x\" } }\n";
  EXPECT_FALSE(with_entries(inline_servers, entries, {}).ok());
  EXPECT_EQ(entries_by_hand(entries, {}, inline_servers),
            "codexmem = { command = \"codexmem\", args = [\"serve\", \"--text\"] }");
}

TEST(ClientConfig, AProgramIsFoundByPathAndByName) {
  EXPECT_TRUE(can_start(kProgram));
  EXPECT_TRUE(can_start("sh"));
  EXPECT_FALSE(can_start("/gone/codexmem"));
  EXPECT_FALSE(can_start("/bin/"));
}

TEST(ClientConfig, AProgramThatOnlyNpmFindsIsNotFoundByName) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("codexmem-npm-{}", ::getpid());
  const fs::path bin = folder / "node_modules" / ".bin";
  fs::create_directories(bin);
  fs::create_symlink("/bin/sh", bin / "only-npm-has-this");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (bin.string() + ":" + before).c_str(), 1);
  EXPECT_FALSE(can_start("only-npm-has-this"));
  EXPECT_TRUE(can_start("sh"));
  ::setenv("PATH", (folder.string() + ":" + before).c_str(), 1);
  fs::create_symlink("/bin/sh", folder / "only-npm-has-this");
  EXPECT_TRUE(can_start("only-npm-has-this"));
  ::setenv("PATH", before.c_str(), 1);
  fs::remove_all(folder);
}

TEST(Clients, NamesAreUniqueAndFilesDiffer) {
  for (const Client& client : clients()) EXPECT_EQ(find_client(client.name), &client);
  EXPECT_EQ(find_client("nobody"), nullptr);
  const ConfigPlaces places = {"/r", "/h"};
  for (const Client& client : clients()) {
    EXPECT_NE(client.server(places, ConfigScope::kProject).path,
              client.server(places, ConfigScope::kUser).path);
  }
}

TEST(ForeignServer, IsWhatDoesNotStartCodexmem) {
  for (const std::string entry :
       {R"({"command":"codexmem","args":["serve"]})", R"({"command":"/usr/bin/codexmem"})",
        R"({"command":"codexmem","args":["serve"],"env":{"CODEXMEM_TOOLS":"code"}} // mine)",
        R"({"url":"http://127.0.0.1:37878/mcp"})"}) {
    EXPECT_EQ(foreign_server(entry), "") << entry;
  }
  const std::pair<std::string, std::string> cases[] = {
      {R"({"command":"sh","args":["-c","evil"]})", "sh -c evil"},
      {R"({"command":"./tools/codexmem","args":["serve"]})", "./tools/codexmem serve"},
      {R"({"command":"codexmem","env":{"LD_PRELOAD":"./x.so"}})", "LD_PRELOAD=... codexmem"},
      {R"({"url":"http://127.0.0.1:1@example.org/"})", "http://127.0.0.1:1@example.org/"},
      {R"({"url":"https://example.org/mcp"})", "https://example.org/mcp"}};
  for (const auto& [entry, want] : cases) EXPECT_EQ(foreign_server(entry), want) << entry;
}

}  // namespace
}  // namespace codexmem::app
