#include "app/render/check_formats.h"

#include <gtest/gtest.h>

#include "text/json.h"

namespace codexmem::app {
namespace {

using Kind = index::ChangeFinding::Kind;

index::ChangeFinding finding(std::string path, std::string message) {
  return {.kind = Kind::kName,
          .path = std::move(path),
          .line = 3,
          .column = 8,
          .name = "pay",
          .target = "src/shop.py",
          .message = std::move(message),
          .context = "from shop import pay"};
}

TEST(CheckFormats, AnAnnotationCannotBeLeftByANameOrAMessage) {
  EXPECT_EQ(
      to_annotation(finding("src/till.py", "\"pay\": src/shop.py has no such name")),
      "::error file=src/till.py,line=3,col=8,title=codexmem name::\"pay\": src/shop.py has no "
      "such name");
  EXPECT_EQ(to_annotation(finding("a,b:c%\n.py", "100%: a\r\n::stop-commands::x")),
            "::error file=a%2Cb%3Ac%25%0A.py,line=3,col=8,title=codexmem name::100%25: "
            "a%0D%0A::stop-commands::x");
}

TEST(CheckFormats, SarifHasRuleLevelAndRegion) {
  index::ChangeReport report;
  report.findings.push_back(finding("src/the till.py", "gone"));
  report.unchecked.push_back({Kind::kUse, "a.py", 1, 2, "f", "a.py has a __getattr__"});
  report.other["rust"] = 2;
  const Json sarif = Json::parse(to_sarif(report));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const Json& run = sarif["runs"][0];
  ASSERT_EQ(run["results"].size(), 1U);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "name");
  EXPECT_EQ(result["level"], "error");
  const std::size_t rule = result["ruleIndex"].get<std::size_t>();
  EXPECT_EQ(run["tool"]["driver"]["rules"][rule]["id"], "name");
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "src/the%20till.py");
  EXPECT_EQ(place["region"]["startLine"], 3);
  EXPECT_EQ(place["region"]["startColumn"], 8);
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 2U);
}

TEST(CheckFormats, SarifOfNothingIsARunWithoutResults) {
  const Json sarif = Json::parse(to_sarif({}));
  EXPECT_TRUE(sarif["runs"][0]["results"].is_array());
  EXPECT_TRUE(sarif["runs"][0]["results"].empty());
}

}  // namespace
}  // namespace codexmem::app
