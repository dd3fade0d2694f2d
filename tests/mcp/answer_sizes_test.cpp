// Answers keep to their size whatever they are asked, and their pages together are the whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "mcp/tools_fixture.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::HasSubstr;

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

// Many uses and definitions of one name, long lines, names and texts that JSON writes longer.
void write_worst(ToolsFixture& fixture) {
  const auto number = [](int i) { return std::to_string(i); };
  std::string all;
  for (int i = 0; i < 150; ++i) {
    fixture.write("mods/m" + number(i) + ".ts",
                  "import { hub } from '../core/hub';\nexport function run" + number(i) +
                      "() { hub(1); hub(2); return hub(3); }\nexport function same() { return " +
                      number(i) + "; }\n");
    all += "import { run" + number(i) + " } from '../mods/m" + number(i) + "';\nimport x" +
           number(i) + " from './missing" + number(i) + "';\n";
  }
  fixture.write("core/hub.ts", "/** The hub. */\nexport function hub(x: number) { return x; }\n");
  fixture.write("core/all.ts", all);
  std::string huge = "export class Huge {\n";
  for (int i = 0; i < 400; ++i) {
    huge += "  method" + number(i) + "(a = \"" + repeated("x", 80) + "\") { return this.method" +
            number((i + 1) % 400) + "(\"needle\"); }\n";
  }
  fixture.write("long/huge.ts", huge + "}\n");
  fixture.write("long/line.ts", "export const longLine = \"" +
                                    repeated("needle haystack \\\" \\\\ é ", 20'000) + "\";\n");
  for (int i = 0; i < 12; ++i) {
    fixture.write("uni/" + repeated("日本語", 8) + "/" + repeated("ß", 60) + number(i) + ".ts",
                  "import { hub } from '../../core/hub';\n/** " +
                      repeated("“quoted” \\\\ \"é\" ", 100) + " */\nexport function übergröße" +
                      number(i) + "(a = \"" + repeated("\\\"é", 300) + "\") { return hub(1); }\n");
  }
  for (int i = 0; i < 60; ++i) {
    const std::string next = number((i + 1) % 60), far = number((i + 7) % 60);
    fixture.write("cyc/c" + number(i) + ".ts", "import { f" + next + " } from './c" + next +
                                                   "';\nimport { f" + far + " as g } from './c" +
                                                   far + "';\nexport function f" + number(i) +
                                                   "() { return [f" + next + ", g]; }\n");
  }
  ASSERT_TRUE(fixture.services().index({}, {}, {}).ok());
}

ToolsFixture& worst() {
  static ToolsFixture* const kFixture = [] {
    auto* fixture = new ToolsFixture;
    write_worst(*fixture);
    return fixture;
  }();
  return *kFixture;
}

const std::string kLongPath = "uni/" + repeated("日本語", 8) + "/" + repeated("ß", 60) + "1.ts";

struct Question {
  const char* tool;
  Json arguments;
  std::size_t usual_bytes;
};

const std::vector<Question>& questions() {
  constexpr std::size_t kShort = 8192, kLong = 100'000;
  static const std::vector<Question> kAll = {
      {"search_code", {{"query", "needle"}, {"limit", 50}, {"threshold", 0}}, kShort},
      {"search_code", {{"query", "hub run"}, {"limit", 50}, {"explain", true}}, kShort},
      {"search_code", {{"query", "/needle|hub/"}, {"limit", 50}}, kShort},
      {"search_code", {{"query", "“quoted” é übergröße"}, {"limit", 50}}, kShort},
      {"locate", {{"text", "needle hub run übergröße"}, {"limit", 50}}, kShort},
      {"locate", {{"text", repeated("at run (a/b/c.ts:12:3)\n", 500)}, {"explain", true}}, kShort},
      {"find_symbol", {{"symbol", "same"}}, kLong},
      {"find_symbol", {{"symbol", "method1"}}, kLong},
      {"find_symbol", {{"symbol", "method"}}, kLong},
      {"find_symbol", {{"symbol", "übergröße"}}, kLong},
      {"find_symbol", {{"symbol", "nothing at all"}}, kLong},
      {"get_references", {{"symbol", "hub"}}, kLong},
      {"get_references",
       {{"symbol", "same"}, {"include_hierarchy", true}, {"min_confidence", "name"}},
       kLong},
      {"get_references",
       {{"symbol", "hub"}, {"include_hierarchy", true}, {"explain", true}},
       kLong},
      {"analyze_dependencies",
       {{"file_path", "core/all.ts"}, {"depth", 10}, {"include_external", true}},
       kLong},
      {"analyze_dependencies", {{"file_path", "cyc/c0.ts"}, {"depth", 10}}, kLong},
      {"get_context", {{"file_path", "core/hub.ts"}, {"context_size", 20}}, kShort},
      {"get_context",
       {{"file_path", "long/huge.ts"}, {"symbol", "Huge"}, {"context_size", 20}},
       kShort},
      {"get_context", {{"file_path", "long/line.ts"}}, kShort},
      {"get_context", {{"file_path", kLongPath}, {"context_size", 20}}, kShort},
      {"get_context", {{"file_path", repeated("z", 100'000)}}, kShort},
      {"find_symbol", {{"symbol", "a"}, {"file_path", repeated("z", 100'000)}}, kShort},
      {"index_repository", {{"path", repeated("z", 100'000)}}, kShort},
  };
  return kAll;
}

TEST(AnswerSizes, HoldWhateverIsAsked) {
  for (const Question& question : questions()) {
    for (const std::size_t tokens : {0, 200, 1000, 25'000}) {
      Json arguments = question.arguments;
      const bool is_set = tokens > 0 && std::string_view(question.tool) != "index_repository";
      if (is_set) arguments["max_tokens"] = tokens;
      const ToolResult result = worst().call_raw(question.tool, arguments);
      const std::size_t most = is_set ? tokens * 7 / 2 : question.usual_bytes;
      const std::string asked = question.tool + (" " + arguments.dump().substr(0, 150));
      // A failure has a message of 2,000 bytes at most, and one item comes whatever its size.
      const std::size_t least = result.is_error ? 2'200 : 1'000;
      const std::size_t bound = std::max(most, least);
      EXPECT_LE(result.structured.size(), bound) << asked;
      EXPECT_LE(result.text.size(), bound) << asked;
    }
  }
}

// The members of `lists` of all pages of `tokens` each.
std::vector<std::string> walk(const char* tool, Json arguments, std::size_t tokens,
                              const std::vector<std::string>& lists) {
  std::vector<std::string> items;
  arguments["max_tokens"] = tokens;
  for (std::size_t page = 0; page < 2000; ++page) {
    const Json answer = worst().call(tool, arguments);
    EXPECT_FALSE(answer.contains("is_error")) << answer;
    std::size_t reported = 0;
    for (const std::string& list : lists) {
      for (const Json& item : answer[list]) {
        Json one = item;
        one.erase("definition");  // counts within a page
        items.push_back(one.dump());
        ++reported;
      }
    }
    if (!answer.contains("nextOffset")) {
      EXPECT_EQ(answer.value("omitted", 0), 0);
      return items;
    }
    EXPECT_GT(reported, 0U);
    EXPECT_EQ(answer["nextOffset"], items.size());
    if (answer.contains("total")) {
      EXPECT_EQ(answer["omitted"].get<std::size_t>() + items.size(), answer["total"]);
    }
    arguments["offset"] = answer["nextOffset"];
  }
  ADD_FAILURE() << tool << " has no last page";
  return items;
}

TEST(AnswerSizes, AllPagesTogetherAreTheWhole) {
  struct Walk {
    const char* tool;
    Json arguments;
    std::vector<std::string> lists;
    std::size_t least;  // items in all
  };
  const std::vector<std::string> results = {"results"};
  const std::vector<Walk> walks = {
      {"get_references", {{"symbol", "hub"}}, results, 450},
      {"get_references", {{"symbol", "same"}}, results, 150},
      {"find_symbol", {{"symbol", "same"}}, results, 150},
      {"find_symbol", {{"symbol", "method"}}, results, 400},
      {"analyze_dependencies",
       {{"file_path", "core/all.ts"}},
       {"dependencies", "dependents", "resources"},
       151},
  };
  for (const Walk& each : walks) {
    auto whole = walk(each.tool, each.arguments, 25'000, each.lists);
    EXPECT_GE(whole.size(), each.least) << each.tool << each.arguments;
    auto pages = walk(each.tool, each.arguments, 1500, each.lists);
    std::sort(whole.begin(), whole.end());
    EXPECT_EQ(std::set<std::string>(pages.begin(), pages.end()).size(), pages.size())
        << each.tool << each.arguments;
    std::sort(pages.begin(), pages.end());
    EXPECT_EQ(pages, whole) << each.tool << each.arguments;
  }
}

TEST(AnswerSizes, SearchGoesOnToEveryFileThatPasses) {
  const auto paths_of = [](const Json& arguments) {
    std::vector<std::string> paths;
    for (const std::string& item : walk("search_code", arguments, 2048, {"results"})) {
      paths.push_back(Json::parse(item)["file"]["path"]);
    }
    return paths;
  };
  const auto exact = paths_of({{"query", "/\\bhub\\b/"}, {"limit", 50}});
  EXPECT_EQ(exact.size(), 163U);  // 150 modules, hub.ts and 12 of uni/
  EXPECT_EQ(std::set<std::string>(exact.begin(), exact.end()).size(), exact.size());
  const auto pages = paths_of({{"query", "hub"}, {"threshold", 0}, {"limit", 7}});
  EXPECT_GE(pages.size(), 163U);
  EXPECT_EQ(std::set<std::string>(pages.begin(), pages.end()).size(), pages.size());
}

}  // namespace
}  // namespace codexmem::mcp::testing
