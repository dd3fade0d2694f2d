#include "text/json_value.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem {
namespace {

JsonValue parsed(std::string_view text) {
  auto value = JsonValue::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : JsonValue();
}

TEST(JsonValue, ReadsOnThroughAbsentValues) {
  const JsonValue value = parsed(R"({"a":{"b":[1,"x"]}})");
  EXPECT_EQ(value.member("a").member("b").element(1).string(), "x");
  EXPECT_TRUE(value.member("z").member("b").element(1).is_absent());
  EXPECT_EQ(value.member("z").type_name(), "absent");
  EXPECT_FALSE(value.member("a").string().has_value());
  EXPECT_EQ(value.member("z").dump(), "null");
}

TEST(JsonValue, OutlivesTheDocumentItCameFrom) {
  const JsonValue inner = parsed(R"({"a":{"b":"kept"}})").member("a");
  EXPECT_EQ(inner.dump(), R"({"b":"kept"})");
}

TEST(JsonValue, TakesWholeNumbersInEitherSpelling) {
  EXPECT_EQ(parsed("5").integer(), 5);
  EXPECT_EQ(parsed("5.0").integer(), 5);
  EXPECT_EQ(parsed("-9223372036854775808").integer(), INT64_MIN);
  EXPECT_FALSE(parsed("5.5").integer());
  EXPECT_FALSE(parsed("18446744073709551615").integer());
  EXPECT_FALSE(parsed("1e300").integer());
  EXPECT_FALSE(parsed("9223372036854775808.0").integer());
  EXPECT_FALSE(parsed("\"5\"").integer());
}

TEST(JsonValue, RefusesInvalidJson) {
  const std::string_view texts[] = {"",          "{",       "[1,]",     "{\"a\":}", "nul",
                                    "1 2",       "'a'",     "\xff",     "\"\\x\"",  "\"a\nb\"",
                                    "{\"a\" 1}", "\x01",    "[1]x",     "NaN",      "\"\\ud83\"",
                                    "{a:1}",     "// x\n1", {"{}\0", 3}};
  for (const std::string_view text : texts) {
    const auto value = JsonValue::parse(text);
    ASSERT_FALSE(value.ok()) << text;
    EXPECT_EQ(value.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(value.error().message().find("at byte"), std::string::npos) << text;
  }
}

TEST(JsonValue, RefusesNumbersThatNoDoubleHolds) {
  const auto value = JsonValue::parse("[1e400]");
  ASSERT_FALSE(value.ok());
  EXPECT_NE(value.error().message().find("out of range"), std::string::npos);
}

TEST(JsonValue, RefusesDeepNestingWithoutUsingTheStack) {
  const std::string deep(5'000'000, '[');
  EXPECT_FALSE(JsonValue::parse(deep).ok());
  EXPECT_TRUE(JsonValue::parse(std::string(64, '[') + std::string(64, ']')).ok());
  EXPECT_FALSE(JsonValue::parse(std::string(65, '[') + std::string(65, ']')).ok());
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_FALSE(JsonValue::parse(objects + "1" + std::string(65, '}')).ok());
}

TEST(JsonValue, RefusesMoreValuesThanTheLimit) {
  JsonLimits limits;
  limits.max_values = 4;
  EXPECT_TRUE(JsonValue::parse("[1,2,3]", limits).ok());
  EXPECT_FALSE(JsonValue::parse("[1,2,3,4]", limits).ok());
  EXPECT_FALSE(JsonValue::parse("[[],[],[],[]]", limits).ok());
}

TEST(JsonValue, FindsAMemberThatIsGivenTwice) {
  const auto value = JsonValue::parse(R"({"a":{"x":1,"y":2,"x":3}})");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(value.error().message().find("\"x\""), std::string::npos);
  EXPECT_TRUE(JsonValue::parse(R"([{"x":1},{"x":1}])").ok());
}

TEST(JsonValue, ManyMembersOfOneObjectAreNotQuadratic) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  text += "\"end\":1}";
  // Quadratic building would take minutes here.
  EXPECT_EQ(parsed(text).member("end").integer(), 1);
}

TEST(JsonValue, KeepsIdsToTheirLastDigit) {
  EXPECT_EQ(parsed(R"({"id":123456789012345678901234567890})").member("id").dump_id(),
            "123456789012345678901234567890");
  EXPECT_EQ(parsed(R"([0,{"x":[1],"id":1.50}])").element(1).member("id").dump_id(), "1.50");
  EXPECT_EQ(parsed(R"({"params":{"_meta":{"progressToken":1e2}}})")
                .member("params")
                .member("_meta")
                .member("progressToken")
                .dump_id(),
            "1e2");
  EXPECT_EQ(parsed(R"({"id":"\u0061\n"})").member("id").dump_id(), "\"a\\n\"");
  EXPECT_EQ(parsed(R"({"id":7})").member("id").dump_id(), "7");
}

TEST(JsonValue, ReplacesInvalidText) {
  const std::string_view texts[] = {R"("a\ud83d")", R"("a\uDE00")", "\"a\xff\"",
                                    "\"a\xed\xa0\xbd\""};
  for (const std::string_view text : texts) {
    const auto string = parsed(text).string();
    ASSERT_TRUE(string);
    EXPECT_TRUE(string->starts_with("a\uFFFD")) << text;
  }
  EXPECT_EQ(parsed(R"(["\ud83d\ude00","\\ud83d"])").dump(), "[\"\U0001F600\",\"\\\\ud83d\"]");
  // Only the one that was changed goes back as it was written.
  EXPECT_EQ(parsed(R"({"x":"\ud83d","id":"\u0061"})").member("id").dump_id(), "\"a\"");
  EXPECT_EQ(parsed(R"([{"x":"\ud83d"},{"id":"\ud83d"}])").element(1).member("id").dump_id(),
            R"("\ud83d")");
}

TEST(JsonQuote, RepairsInvalidUtf8) { EXPECT_EQ(json_quote("a\"\xff"), "\"a\\\"\xEF\xBF\xBD\""); }

}  // namespace
}  // namespace codexmem
