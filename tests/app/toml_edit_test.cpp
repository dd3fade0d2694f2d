#include "app/init/toml_edit.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::app {
namespace {

constexpr const char* kValue = R"({"command":"codexmem","args":["serve"]})";
constexpr const char* kTable =
    "[mcp_servers.codexmem]\ncommand = \"codexmem\"\nargs = [\"serve\"]\n";
const TomlPath kTablePath = {"mcp_servers", "codexmem"};

std::string with_entry(std::string_view before) {
  const auto after = set_toml_table(before, kTablePath, kValue);
  EXPECT_TRUE(after.ok()) << after.error().message() << "\n" << before;
  return after.ok() ? *after : "";
}

std::string without_entry(std::string_view before) {
  const auto after = remove_toml_table(before, kTablePath);
  EXPECT_TRUE(after.ok()) << after.error().message() << "\n" << before;
  return after.ok() ? *after : "";
}

TEST(TomlEdit, TheTableGoesToTheEndAndOutAgainToTheByte) {
  EXPECT_EQ(with_entry(""), kTable);
  const std::string texts[] = {
      "",
      "model = \"gpt\" # mine\n",
      "# all of it is a comment\n",
      "\xEF\xBB\xBFmodel = 'x'\n\n[a]\nb = [\n  1, # one\n  2,\n]\n",
      "model = \"x\"\r\n\r\n[projects.\"/home/me/a.b\"]\r\ntrust_level = \"trusted\"\r\n",
      "text = \"\"\"\n[mcp_servers.codexmem]\ncommand = \"no\"\n\"\"\"\n",
      "a = '''\n# [x]'''\nb = { c = 1, d = \"#\" } # e\n[[list]]\nx = "
      "1979-05-27T07:32:00Z\n[[list]]\n",
      "[mcp_servers]\n\n[mcp_servers.other]\ncommand = \"x\"\nnumber = nan\n\n",
      "a = 1",
      "a = 1 # end\r\nb = 2",
      "[mcp_servers.other.env]\n\"quoted key\" = \"\\\"]\"\n'a'.\"b\" = 1_000\n",
  };
  for (const std::string& before : texts) {
    const std::string after = with_entry(before);
    EXPECT_EQ(with_entry(after), after) << "a second time changes nothing";
    EXPECT_EQ(without_entry(after), before) << after;
  }
}

TEST(TomlEdit, LinesEndLikeTheFilesLines) {
  EXPECT_EQ(
      with_entry("a = 1\r\n"),
      "a = 1\r\n\r\n[mcp_servers.codexmem]\r\ncommand = \"codexmem\"\r\nargs = [\"serve\"]\r\n");
  EXPECT_EQ(with_entry("a = 1") + "\n", std::string("a = 1\n\n") + kTable);
}

TEST(TomlEdit, ATableThatIsThereIsReplacedInItsPlace) {
  EXPECT_EQ(with_entry("[mcp_servers.\"codexmem\"]\ncommand = \"/gone/codexmem\"\n\n# next\n[b]\n"),
            std::string(kTable) + "\n# next\n[b]\n");
}

TEST(TomlEdit, ATableWithMoreInItIsNotPlain) {
  for (const std::string text :
       {"[mcp_servers.codexmem]\ncommand = \"codexmem\" # mine\n",
        "[mcp_servers.codexmem]\n# mine\ncommand = \"codexmem\"\n",
        "[mcp_servers.codexmem]\ncommand = \"codexmem\"\n[mcp_servers.codexmem.env]\nA = \"b\"\n",
        "mcp_servers = { codexmem = { command = \"codexmem\" } }\n",
        "[mcp_servers]\ncodexmem = { command = \"codexmem\" }\n",
        "mcp_servers.codexmem.command = \"codexmem\"\n"}) {
    const auto table = find_toml_table(text, kTablePath);
    ASSERT_TRUE(table.ok()) << text;
    EXPECT_NE(table->value, "") << text;
    EXPECT_FALSE(table->is_plain) << text;
    EXPECT_FALSE(remove_toml_table(text, kTablePath).ok()) << text;
    EXPECT_FALSE(set_toml_table(text, kTablePath, kValue).ok()) << text;
  }
}

TEST(TomlEdit, WhatCannotTakeTheTableIsRefused) {
  for (const std::string text :
       {"mcp_servers = { other = { command = \"x\" } }\n", "mcp_servers = 1\n", "[a]\n[a]\n",
        "a = \n", "[[mcp_servers]]\n"}) {
    const auto after = set_toml_table(text, kTablePath, kValue);
    ASSERT_FALSE(after.ok()) << text << *after;
    EXPECT_EQ(after.error().code(), ErrorCode::kUnsupported);
  }
  EXPECT_EQ(
      set_toml_table("a = 1\nb = \n", kTablePath, kValue).error().message().find("line 2 is no"),
      0U);
}

// The library that parses TOML calls itself for each part of a key.
TEST(TomlEdit, AKeyWithoutEndIsRefused) {
  std::string parts = "a";
  for (int i = 0; i < 200'000; ++i) parts += ".a";
  std::string tables = "1";
  for (int i = 0; i < 200; ++i) tables = "{" + parts.substr(0, 999) + " = " + tables + "}";
  for (const std::string& text :
       {parts + " = 1\n", "[" + parts + "]\n", "[[" + parts + "]]\n", "b = " + tables + "\n",
        "b = 'x'\nc = [\n{ " + parts + " = 1 }]\n"}) {
    const auto table = find_toml_table(text, kTablePath);
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(table.error().message(), "a key has more than 16 parts");
  }
  const std::string dots = "b = \"1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18\" # " + parts +
                           "\nc = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 1.5, 1.5, 1.5, 1.5,"
                           " 1.5, 1.5, 1.5, 1.5, 1.5]\n";
  EXPECT_TRUE(find_toml_table(dots, kTablePath).ok());
}

}  // namespace
}  // namespace codexmem::app
