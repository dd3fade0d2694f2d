#include "app/help/settings_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "text/json.h"
#include "config/settings.h"
#include "base/text.h"

namespace codexmem::app {
namespace {
const std::string kDocs = std::string(CODEXMEM_SOURCE_DIR) + "/docs/";

// `codexmem config schema [--project]` rewrites them.
TEST(SettingsSchema, ThePublishedSchemaMatchesTheTable) {
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

}  // namespace
}  // namespace codexmem::app
