#include "app/settings_schema.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "text/json.h"
#include "config/settings.h"
#include "base/text.h"
#include "ask/input_schema.h"

namespace codexmem::app {
namespace {
using ::testing::HasSubstr;

const std::string kDocs = std::string(CODEXMEM_SOURCE_DIR) + "/docs/";

// `codexmem config schema [--project]` writes them anew.
TEST(SettingsSchema, WhatIsPublishedIsWhatTheTableSays) {
  for (const bool of_project : {false, true}) {
    const auto published =
        read_file(kDocs + (of_project ? "codexmem.schema.json" : "settings.schema.json"));
    ASSERT_TRUE(published.ok()) << published.error().message();
    EXPECT_EQ(*published, settings_schema(of_project));
  }
}

TEST(SettingsSchema, TheProjectsHasNothingThatIsTheUsers) {
  const Json of_user = Json::parse(settings_schema(false))["properties"];
  const Json of_project = Json::parse(settings_schema(true))["properties"];
  for (const SettingRow& row : setting_rows()) {
    const std::string key(row.key);
    EXPECT_EQ(of_user.contains(key), !row.key.empty()) << key;
    EXPECT_EQ(of_project.contains(key), row.project != ProjectRule::kNever) << key;
  }
  EXPECT_EQ(of_project["embeddingProvider"]["enum"], Json::parse(R"(["builtin", "none"])"));
}

// A line of the table in docs/design/configuration.md.
std::string line_of(const SettingRow& row) {
  std::string project;
  switch (row.project) {
    case ProjectRule::kNever:
      break;
    case ProjectRule::kAny:
      project = "yes";
      break;
    case ProjectRule::kChoices: {
      std::vector<std::string> choices;
      for (const auto choice : split(row.project_choices, '|')) {
        choices.push_back(fmt::format("`{}`", choice));
      }
      project = join(choices, ", ");
      break;
    }
    case ProjectRule::kAdds:
      project = "adds";
      break;
    case ProjectRule::kLowers:
      project = "lowers";
      break;
  }
  const auto code = [](std::string_view text) {
    return text.empty() ? std::string() : fmt::format("`{}`", text);
  };
  return fmt::format("| {} | `{}` | {} | {} | {} |\n", code(row.key), row.name, row.summary,
                     code(row.usual), project);
}

TEST(SettingsDocs, HaveEachSettingAsTheTableSays) {
  const auto docs = read_file(kDocs + "design/configuration.md");
  ASSERT_TRUE(docs.ok());
  std::string table;
  for (const SettingRow& row : setting_rows()) table += line_of(row);
  EXPECT_THAT(*docs, HasSubstr(table));
}

}  // namespace
}  // namespace codexmem::app
