#include "app/editor_settings.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::app {
namespace {

std::string merged(std::string_view before) {
  const auto after = with_editor_entry(before);
  EXPECT_TRUE(after.ok()) << after.error().message();
  return after.ok() ? *after : "";
}

TEST(EditorSettings, NoFileBecomesOneThatHoldsTheEntryAlone) {
  EXPECT_EQ(merged(""),
            "{\n"
            "  \"servers\": {\n"
            "    \"codexmem\": {\n"
            "      \"type\": \"stdio\",\n"
            "      \"command\": \"codexmem\",\n"
            "      \"args\": [\"serve\"],\n"
            "      \"cwd\": \"${workspaceFolder}\"\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(EditorSettings, CommentsOrderAndIndentationOfTheFileStay) {
  const std::string before =
      "// mine\n"
      "{\n"
      "\t\"inputs\": [ /* none */ ],\n"
      "\t\"servers\": {\n"
      "\t\t\"other\": { \"command\": \"a // b\" } // keep this one\n"
      "\t}\n"
      "}\n";
  EXPECT_EQ(merged(before),
            "// mine\n"
            "{\n"
            "\t\"inputs\": [ /* none */ ],\n"
            "\t\"servers\": {\n"
            "\t\t\"other\": { \"command\": \"a // b\" }, // keep this one\n"
            "\t\t\"codexmem\": {\n"
            "\t\t\t\"type\": \"stdio\",\n"
            "\t\t\t\"command\": \"codexmem\",\n"
            "\t\t\t\"args\": [\"serve\"],\n"
            "\t\t\t\"cwd\": \"${workspaceFolder}\"\n"
            "\t\t}\n"
            "\t}\n"
            "}\n");
}

TEST(EditorSettings, AFileWithoutServersGetsThem) {
  const std::string after = merged("{\n  \"inputs\": [1.50]\n}\n");
  EXPECT_EQ(after.find("{\n  \"inputs\": [1.50],\n  \"servers\": {\n    \"codexmem\": {\n"), 0U);
  EXPECT_EQ(merged(after), after);
}

TEST(EditorSettings, AnEntryThatIsThereStaysWhateverItSays) {
  const std::string before = R"({"servers":{"codexmem":{"command":"/opt/mine"}}})";
  EXPECT_EQ(merged(before), before);
}

TEST(EditorSettings, EmptyObjectsTakeTheEntry) {
  for (const std::string before :
       {"{}", "{ }", "{\"servers\":{}}", "{\r\n\"servers\": {\r\n}\r\n}"}) {
    const std::string after = merged(before);
    EXPECT_NE(after.find("\"codexmem\""), std::string::npos) << after;
    EXPECT_EQ(merged(after), after);
  }
}

TEST(EditorSettings, TrailingCommasAndCommentsStay) {
  EXPECT_EQ(merged("{\n  \"servers\": {\n    \"a\": {}, // mine\n  }, /* all */\n}\n"),
            "{\n  \"servers\": {\n    \"a\": {}, // mine\n"
            "    \"codexmem\": {\n"
            "      \"type\": \"stdio\",\n"
            "      \"command\": \"codexmem\",\n"
            "      \"args\": [\"serve\"],\n"
            "      \"cwd\": \"${workspaceFolder}\"\n"
            "    },\n  }, /* all */\n}\n");
}

TEST(EditorSettings, TheLineThatIsNoJsonIsNamed) {
  const auto after = with_editor_entry("{\n  /* two\n lines */\n  \"a\": 1\n  \"b\": 2\n}\n");
  ASSERT_FALSE(after.ok());
  EXPECT_EQ(after.error().message(), "line 5 is not the JSON that an editor reads");
}

TEST(EditorSettings, WhatCannotBeChangedSafelyIsRefused) {
  const std::string deep = "{\"a\":" + std::string(500'000, '[');
  for (const std::string& before : std::initializer_list<std::string>{
           deep + std::string(500'000, ']') + "}", deep, "[]", "{\"servers\": []}",
           "{\"servers\": {}", "nonsense", "{\"a\": 1} {}"}) {
    const auto after = with_editor_entry(before);
    ASSERT_FALSE(after.ok()) << before.substr(0, 80);
    EXPECT_EQ(after.error().code(), ErrorCode::kUnsupported) << before.substr(0, 80);
  }
}

}  // namespace
}  // namespace codexmem::app
