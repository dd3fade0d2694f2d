#include "text/json_text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "text/json.h"
#include "text/parse_json.h"

namespace codexmem {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonText, DepthIsThatOfBracketsOutsideOfStrings) {
  EXPECT_FALSE(is_too_deep(nested(3), 3));
  EXPECT_TRUE(is_too_deep(nested(4), 3));
  EXPECT_TRUE(is_too_deep(R"({"a":[{"b":[]}]})", 3));
  EXPECT_FALSE(is_too_deep(R"({"a":"[[[[\"[[[","b":[[],[],[]]})", 3));
  EXPECT_TRUE(is_too_deep(std::string(5'000'000, '[')));
}

TEST(JsonText, DeepValuesBecomeText) {
  EXPECT_EQ(flatten_json(R"({"a":[1, {"b": "]\""}, 2],"c":[[3]]})", 2),
            R"({"a":[1, "{\"b\": \"]\\\"\"}", 2],"c":["[3]"]})");
  EXPECT_EQ(flatten_json(nested(3), 3), nested(3));
  for (const std::size_t depth : {std::size_t{101}, std::size_t{2'000'000}}) {
    const Json flat = Json::parse(flatten_json(nested(depth)), nullptr, false);
    ASSERT_TRUE(flat.is_array());
    EXPECT_EQ(dump_json(flat).size(), 2 * depth + 2);
  }
}

TEST(JsonText, InvalidJsonIsNotTooDeepEither) {
  for (const std::string& text :
       {std::string(200'000, '['), "]]]" + std::string(5'000, '{'), nested(300) + "\"[[[",
        nested(101) + std::string(4'000, '[') + "\"", "[[\"" + std::string(2'000, '[')}) {
    EXPECT_FALSE(is_too_deep(flatten_json(text))) << text.substr(0, 20);
  }
}

TEST(JsonText, MembersAreFoundInPlace) {
  constexpr std::array<std::string_view, 5> kNames = {"a", "c\"", "d", "e", ""};
  const auto members = find_json_members(
      R"( {"a":1,"b":{"a":2},"\u0061" : [1, {"b":2}] ,"c\"":"x,}:\\","d":{},"":null} )", kNames);
  ASSERT_TRUE(members);
  std::string listed;
  for (const auto& [name, value] : *members) {
    listed += std::string(name) + "=" + std::string(value) + ";";
  }
  EXPECT_EQ(listed, R"(=null;a=[1, {"b":2}];c"="x,}:\\";d={};)");
  EXPECT_TRUE(find_json_members("{}", kNames)->empty());
  for (const char* text : {"", " ", "[]", "{", "{\"a\":}", "{} x", "{\"a\":\"\\ud83d\"}"}) {
    EXPECT_FALSE(find_json_members(text, kNames)) << text;
  }
  EXPECT_FALSE(find_json_members(std::string_view("{}\0((\"", 6), kNames));
}

TEST(ParseJson, DeepJsonIsDiscarded) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth)).is_array());
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth + 1)).is_discarded());
  EXPECT_TRUE(parse_json(nested(1'000'000)).is_discarded());
  EXPECT_TRUE(parse_json("{").is_discarded());
  EXPECT_EQ(parse_json(R"({"a":"[[["})")["a"], "[[[");
}

TEST(ParseJson, AZeroByteIsNoEnd) {
  using namespace std::string_literals;
  EXPECT_TRUE(parse_json("{}\0"s).is_discarded());
  EXPECT_TRUE(parse_json("123\0 more"s).is_discarded());
  EXPECT_TRUE(parse_json(R"("a\u0000b")").is_string());
}

}  // namespace
}  // namespace codexmem
