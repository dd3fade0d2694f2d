#include "mcp/tool_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/json.h"
#include "mcp/fixture_tools.h"

namespace codexmem::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ToolTable table(std::string_view selection = "all") {
  auto made = ToolTable::make(testing::fixture_tools(), selection);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
  return std::move(made).value();
}

ToolResult call(const ToolTable& tools, std::string_view name, std::string_view arguments) {
  const Tool* tool = tools.find(name);
  EXPECT_NE(tool, nullptr);
  return tools.call(*tool, *JsonValue::parse(arguments), {});
}

TEST(ToolTable, SelectsByNameAndByProfileInTheOrderOfTheRows) {
  EXPECT_EQ(table().size(), testing::fixture_tools().size());
  EXPECT_EQ(table("").size(), testing::fixture_tools().size());
  EXPECT_THAT(table("plain").names(), ElementsAre("echo"));
  EXPECT_THAT(table(" wait , echo,").names(), ElementsAre("echo", "wait"));
  EXPECT_THAT(table("odd,echo").names().size(), testing::fixture_tools().size());
}

TEST(ToolTable, RefusesASelectionThatNamesNothing) {
  const auto made = ToolTable::make(testing::fixture_tools(), "ecko");
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(), HasSubstr("did you mean \"echo\"?"));
}

TEST(ToolTable, RefusesTheOthersWhereASelectionIsWrong) {
  const auto made = ToolTable::make(testing::fixture_tools(), "echo", "the setting is wrong");
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->size(), testing::fixture_tools().size());
  EXPECT_FALSE(call(*made, "echo", R"({"text":"a"})").is_error);
  const ToolResult refused = call(*made, "wait", "{}");
  EXPECT_TRUE(refused.is_error);
  EXPECT_THAT(refused.text, HasSubstr("the setting is wrong"));
  const auto none = ToolTable::make(testing::fixture_tools(), "", "the setting is wrong");
  EXPECT_TRUE(call(*none, "echo", R"({"text":"a"})").is_error);
}

TEST(ToolTable, RefusesRowsThatAreNoGood) {
  Tool row = testing::fixture_tools()[0];
  row.name = "has-dash";
  EXPECT_FALSE(ToolTable::make({&row, 1}).ok());
  row.name = "fine";
  row.input_schema = "{";
  EXPECT_FALSE(ToolTable::make({&row, 1}).ok());
  const Tool twice[] = {testing::fixture_tools()[0], testing::fixture_tools()[0]};
  EXPECT_FALSE(ToolTable::make(twice).ok());
}

TEST(ToolTable, ListsAToolWithTitleSchemasAndAnnotations) {
  const Json listing = Json::parse(table("echo").listing(0));
  EXPECT_EQ(listing["name"], "echo");
  EXPECT_EQ(listing["title"], "echo");
  EXPECT_EQ(listing["inputSchema"]["properties"]["count"]["maximum"], 50);
  EXPECT_FALSE(listing["inputSchema"]["properties"]["count"].contains("multipleOf"));
  EXPECT_EQ(listing["outputSchema"]["type"], "object");
  EXPECT_EQ(listing["annotations"]["readOnlyHint"], true);
  EXPECT_EQ(listing["annotations"]["destructiveHint"], false);
}

TEST(ToolTable, AnswersInvalidArgumentsWithTheContractsFailure) {
  const ToolResult result = call(table(), "echo", R"({"text":"a","count":51})");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.text,
            "Error: ValidationError - count must be a whole number from 1 to 50, got 51");
  EXPECT_EQ(Json::parse(result.structured),
            Json({{"type", "ValidationError"},
                  {"message", "count must be a whole number from 1 to 50, got 51"}}));
  EXPECT_EQ(call(table(), "echo", "[1]").text,
            "Error: ValidationError - arguments must be an object, got array");
}

TEST(ToolTable, TakesAbsentAndNullArgumentsForNone) {
  const ToolTable tools = table();
  EXPECT_FALSE(tools.call(*tools.find("steps"), {}, {}).is_error);
  EXPECT_FALSE(call(tools, "steps", "null").is_error);
  EXPECT_TRUE(call(tools, "echo", "null").is_error);
}

TEST(ToolTable, TurnsExceptionsIntoFailures) {
  EXPECT_EQ(call(table(), "throw", "{}").text, "Error: SearchError - internal error: thrown");
  EXPECT_EQ(call(table(), "throw", R"({"kind":"int"})").text,
            "Error: SearchError - internal error");
}

}  // namespace
}  // namespace codexmem::mcp
