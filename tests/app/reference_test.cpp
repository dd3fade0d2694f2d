#include "app/help/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command.h"
#include "base/file.h"
#include "config/settings.h"
#include "mcp/tools.h"

namespace codexmem::app {
namespace {
using ::testing::HasSubstr;

// When this fails, run scripts/reference and read the diff.
TEST(Reference, WhatIsCommittedIsWhatTheTablesSay) {
  for (const std::string page :
       {"reference/commands", "reference/tools", "reference/settings", "languages"}) {
    const auto committed = read_file(std::string(CODEXMEM_SOURCE_DIR) + "/docs/" + page + ".md");
    ASSERT_TRUE(committed.ok()) << committed.error().message();
    EXPECT_TRUE(*committed == reference_page(page.substr(page.find('/') + 1)))
        << "docs/" << page << ".md is out of date: run scripts/reference";
  }
}

TEST(Reference, HasARowOfEachTable) {
  const std::string commands_page = reference_page("commands");
  for (const CommandRow& row : commands()) {
    EXPECT_THAT(commands_page, HasSubstr("\n## codexmem " + std::string(row.name) + "\n"));
  }
  EXPECT_THAT(commands_page, HasSubstr("\n## codexmem memory save\n"));
  const std::string tools_page = reference_page("tools");
  for (const mcp::Tool& tool : mcp::tools()) {
    EXPECT_THAT(tools_page, HasSubstr("\n## " + std::string(tool.name) + "\n"));
  }
  const std::string settings_page = reference_page("settings");
  for (const SettingRow& row : setting_rows()) {
    EXPECT_THAT(settings_page, HasSubstr("- variable: `" + std::string(row.name) + "`"));
  }
}

TEST(Reference, HasNoOtherPage) { EXPECT_EQ(reference_page("nothing"), ""); }

}  // namespace
}  // namespace codexmem::app
