#include "privacy/captured_text.h"

#include <gtest/gtest.h>

#include "text/json.h"
#include "privacy/json_strings.h"
#include "privacy/private_text.h"

namespace codexmem::privacy {
namespace {

TEST(CapturedJson, WhatWasBoundedOnceStaysAsItIs) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "ok " + std::to_string(i) + " - a \"test\"\n";
  const Json values[] = {Json{{"stdout", lines}}, Json{{"a", lines}, {"b", lines}, {"c", lines}},
                         Json(std::vector<std::string>(60'000, "\""))};
  for (const Json& value : values) {
    const std::string once = captured_json(dump_json(value));
    EXPECT_LE(once.size(), kMaxCapturedJson);
    EXPECT_TRUE(Json::accept(once));
    EXPECT_EQ(captured_json(once), once);
  }
}

TEST(CapturedJson, TagsAreSeenHoweverTheyAreWritten) {
  const struct {
    const char *json, *want;
  } rows[] = {
      {R"({"a":"x <private>canary</private>y"})", R"({"a":"x y"})"},
      {R"({"a":"x \u003cprivate\u003ecanary"})", R"({"a":"x "})"},
      {R"({"a":"{\"b\":\"\\u003cprivate>canary\"}"})", R"({"a":"{\"b\":\""})"},
      {R"({"<private>canary":1})", R"({"":null})"},
      {R"({"a":"1 < 2 \u0041"})", R"({"a":"1 < 2 \u0041"})"},
      {R"({"a":"x\\","b":"<private>canary"})", R"({"a":"x\\","b":""})"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(captured_json(row.json), row.want);
    EXPECT_EQ(strip_private_json(row.json), row.want);
  }
  EXPECT_EQ(captured_json("no <private>canary</private>\"JSON"), R"("no \"JSON")");
}

TEST(CapturedJson, AClosingTagBehindTheCutIsHeeded) {
  const std::string text = "begin <private>" + std::string(100'000, 'x') + "canary</private> end";
  EXPECT_EQ(captured_json(dump_json(Json{{"a", text}})), R"({"a":"begin  end"})");
}

TEST(CapturedMembers, LongOnesAreBoundedAndShortOnesStay) {
  const std::string text = "begin " + std::string(300'000, 'x') + " end";
  const std::string object = R"({ "a" : "<privat>" , "b":["<private>","x"], "long": )" +
                             dump_json(Json{{"stdout", text}, {"n", {1, 2}}}) +
                             R"(, "c":[1,"}"] })";
  const std::string bounded = captured_members(object);
  EXPECT_TRUE(
      bounded.starts_with(R"({ "a" : "<privat>" , "b":["",""], "long":{"stdout":"begin x)"));
  EXPECT_TRUE(bounded.ends_with(R"(x end","n":[1,2]}, "c":[1,"}"] })"));
  EXPECT_LT(bounded.size(), kMaxCapturedText + 200);
  EXPECT_EQ(captured_members(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(captured_members("]},{:"), "]},{:");
}

TEST(CapturedMembers, AWhollyPrivateOneDoesNotBecomeEmpty) {
  const std::string text = " <private>" + std::string(300'000, 'x') + "</private>\n";
  EXPECT_EQ(captured_members(dump_json(Json{{"prompt", text}})),
            R"({"prompt":"<private></private>"})");
}

TEST(CapturedMembers, JsonInAStringStaysJson) {
  const Json inner{{"stdout", std::string(300'000, 'x')}, {"exit_code", 1}};
  const std::string bounded = captured_members(dump_json(Json{{"result_json", dump_json(inner)}}));
  const Json read = Json::parse(Json::parse(bounded)["result_json"].get<std::string>());
  EXPECT_EQ(read["exit_code"], 1);
  EXPECT_LE(read["stdout"].get<std::string>().size(), kMaxCapturedText);
}

TEST(JsonStringValue, UndoesEscapes) {
  const struct {
    const char *literal, *want;
  } rows[] = {
      {R"("")", ""},
      {R"("a\"b\\c\/\b\f\n\r\t")", "a\"b\\c/\b\f\n\r\t"},
      {R"("\u0041\u00e9\u20ac\ud83d\ude00")", "A\u00e9\u20ac\U0001F600"},
      {R"("\ud83dx\ude00")", "\uFFFDx\uFFFD"},
      {R"("\u12")", "\uFFFDu12"},
  };
  for (const auto& row : rows) EXPECT_EQ(json_string_value(row.literal), row.want) << row.literal;
}

}  // namespace
}  // namespace codexmem::privacy
