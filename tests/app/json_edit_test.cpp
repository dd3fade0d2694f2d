#include "app/init/json_edit.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "text/json.h"

namespace codexmem::app {
namespace {

constexpr const char* kEntry = R"({"command":"codexmem","args":["serve"]})";
const JsonPath kPath = {"servers", "codexmem"};

std::string with(std::string_view before, const JsonPath& path = kPath,
                 std::string_view value = kEntry) {
  const auto after = set_json(before, path, value);
  EXPECT_TRUE(after.ok()) << after.error().message() << "\n" << before;
  return after.ok() ? *after : "";
}

std::string without(std::string_view before, const JsonPath& path = kPath) {
  const auto after = remove_json(before, path);
  EXPECT_TRUE(after.ok()) << after.error().message() << "\n" << before;
  return after.ok() ? *after : "";
}

TEST(JsonEdit, NoTextBecomesADocument) {
  EXPECT_EQ(with(""),
            "{\n"
            "  \"servers\": {\n"
            "    \"codexmem\": {\n"
            "      \"command\": \"codexmem\",\n"
            "      \"args\": [\"serve\"]\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(JsonEdit, CommentsOrderAndIndentationStay) {
  const std::string before =
      "// mine\n"
      "{\n"
      "\t\"inputs\": [ /* none */ ],\n"
      "\t\"servers\": {\n"
      "\t\t\"other\": { \"command\": \"a // b\" } // keep this one\n"
      "\t}\n"
      "}\n";
  EXPECT_EQ(with(before),
            "// mine\n"
            "{\n"
            "\t\"inputs\": [ /* none */ ],\n"
            "\t\"servers\": {\n"
            "\t\t\"other\": { \"command\": \"a // b\" }, // keep this one\n"
            "\t\t\"codexmem\": {\n"
            "\t\t\t\"command\": \"codexmem\",\n"
            "\t\t\t\"args\": [\"serve\"]\n"
            "\t\t}\n"
            "\t}\n"
            "}\n");
  EXPECT_EQ(without(with(before)), before);
}

// What a person may have: each takes the entry, and is the same again without it.
TEST(JsonEdit, WhatWasPutInComesOutToTheByte) {
  const std::string texts[] = {
      "{\n  \"inputs\": [1.50]\n}\n",
      "{\n  \"servers\": {\n    \"a\": {}, // mine\n  }, /* all */\n}\n",
      "{\"servers\":{\"a\":{}}}",
      "{ \"servers\": { \"a\": { \"command\": \"x\" }, }, }",
      "\xEF\xBB\xBF{\r\n    \"servers\": {\r\n        \"a\": { }\r\n    }\r\n}\r\n",
      "{\n  \"servers\": {\n    // first\n    \"a\": {},\n    // \"b\": {}\n  }\n}",
      "{\n  \"servers\": {\n    \"a\": {} /* one */, /* two */\n    \"b\": {} // three\n  }\n}",
      "{\n  \"servers\":\n  {\n    \"a\":\n    {\n    }\n  }\n}\n",
      "{\n\"a\": 1}",
      "{\n  \"a\": [\n    1,\n    2\n  ]\n}",
      "/* top */ { \"a\": 1 } // end\n",
  };
  for (const std::string& before : texts) {
    const std::string after = with(before);
    EXPECT_NE(after.find("\"codexmem\""), std::string::npos) << after;
    EXPECT_EQ(with(after), after) << "a second time changes nothing";
    EXPECT_EQ(without(after), before) << after;
  }
}

TEST(JsonEdit, AnEmptyObjectTakesTheEntry) {
  EXPECT_EQ(with("{\n  \"servers\": {}\n}\n"),
            "{\n  \"servers\": {\n    \"codexmem\": {\n      \"command\": \"codexmem\",\n"
            "      \"args\": [\"serve\"]\n    }\n  }\n}\n");
  EXPECT_EQ(with("{\"servers\":{}}"),
            "{\"servers\":{\"codexmem\": {\"command\": \"codexmem\", \"args\": [\"serve\"]}}}");
  EXPECT_EQ(with("{\n  // nothing yet\n}\n").find("{\n  // nothing yet\n  \"servers\": {"), 0U);
  EXPECT_EQ(with("// a comment alone\n").find("// a comment alone\n{\n  \"servers\""), 0U);
}

TEST(JsonEdit, AValueThatIsThereIsReplacedInItsPlace) {
  EXPECT_EQ(with("{\n  \"servers\": {\n    \"codexmem\": {\"command\": \"old\"}, // mine\n"
                 "    \"b\": 1\n  }\n}\n"),
            "{\n  \"servers\": {\n    \"codexmem\": {\n      \"command\": \"codexmem\",\n"
            "      \"args\": [\"serve\"]\n    }, // mine\n    \"b\": 1\n  }\n}\n");
}

TEST(JsonEdit, ElementsGoBehindTheLastAndOutAgain) {
  const JsonPath end = {"hooks", "Stop", "-"};
  for (const std::string before :
       {"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"a\": 1}\n    ]\n  }\n}\n",
        "{\"hooks\": {\"Stop\": [{\"a\": 1}]}}",
        "{\n  \"hooks\": {\n    \"Start\": [] // none\n  }\n}\n", "{\n  \"model\": \"x\"\n}\n"}) {
    const std::string after = with(before, end, R"({"hooks":[{"command":"c"}]})");
    const auto plain = plain_json(after);
    ASSERT_TRUE(plain.ok());
    const Json list = Json::parse(*plain)["hooks"]["Stop"];
    EXPECT_EQ(list.back(), Json::parse(R"({"hooks":[{"command":"c"}]})"));
    EXPECT_EQ(without(after, {"hooks", "Stop", std::to_string(list.size() - 1)}), before);
  }
}

TEST(JsonEdit, WhatHoldsACommentIsNotTakenAway) {
  EXPECT_EQ(without("{\n  \"servers\": {\n    // mine\n    \"codexmem\": {}\n  }\n}\n"),
            "{\n  \"servers\": {\n    // mine\n  }\n}\n");
  EXPECT_EQ(without("{\n  \"servers\": {\n    \"codexmem\": {} // mine\n  }\n}\n"),
            "{\n  \"servers\": {\n     // mine\n  }\n}\n");
}

TEST(JsonEdit, OfMembersOfTheSameNameTheLastHolds) {
  const auto value = find_json(R"({"a": 1, "a": {"b": 2 }})", {"a", "b"});
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, "2");
}

TEST(JsonEdit, TheLineThatIsNoJsonIsNamed) {
  const auto after = set_json("{\n  /* two\n lines */\n  \"a\": 1\n  \"b\": 2\n}\n", kPath, kEntry);
  ASSERT_FALSE(after.ok());
  EXPECT_EQ(after.error().message(), "line 5 is not the JSON that an editor reads");
}

TEST(JsonEdit, WhatCannotBeChangedSafelyIsRefused) {
  const std::string deep = "{\"a\":" + std::string(500'000, '[');
  for (const std::string& before : std::initializer_list<std::string>{
           deep + std::string(500'000, ']') + "}", deep, "[]", "{\"servers\": []}",
           "{\"servers\": null}", "{\"servers\": {}", "nonsense", "{\"a\": 1} {}", "{\"a\": 1e999}",
           "{\"a\": \"\xff\"}", std::string("\xff\xfe{\0}\0", 6), "{'servers': {}}"}) {
    const auto after = set_json(before, kPath, kEntry);
    ASSERT_FALSE(after.ok()) << before.substr(0, 80);
    EXPECT_EQ(after.error().code(), ErrorCode::kUnsupported) << before.substr(0, 80);
  }
}

// Documents as people lay them out, made at random: put in and out again gives the bytes back, as
// long as no object had to be made and none was empty.
class RandomDocument {
 public:
  explicit RandomDocument(unsigned seed) : random_(seed) {}

  std::string make() {
    break_ = one_of(3) == 0 ? "\r\n" : "\n";
    unit_ = one_of(2) == 0 ? "  " : "\t";
    return (one_of(4) == 0 ? "// head" + break_ : "") + object(0, true) +
           (one_of(2) == 0 ? break_ : "");
  }

 private:
  unsigned one_of(unsigned count) { return static_cast<unsigned>(random_() % count); }

  std::string space() { return one_of(3) == 0 ? " /* , } \" */ " : one_of(2) == 0 ? " " : ""; }

  std::string value(int depth) {
    switch (one_of(depth > 3 ? 3U : 5U)) {
      case 0:
        return "\"a \\\" // {\"";
      case 1:
        return "12.50";
      case 2:
        return "true";
      case 3:
        return object(depth, false);
      default:
        return "[" + space() + value(depth + 1) + (one_of(2) == 0 ? "," : "") + "]";
    }
  }

  std::string object(int depth, bool holds_servers) {
    const bool lines = depth == 0 || one_of(3) > 0;
    std::string indent, inner;
    for (int i = 0; i < depth; ++i) indent += unit_;
    inner = indent + unit_;
    const unsigned count = 1 + one_of(3);
    const unsigned servers = one_of(count);
    std::string out = "{";
    for (unsigned i = 0; i < count; ++i) {
      if (lines && one_of(4) == 0) out += break_ + inner + "// remark";
      out += lines ? break_ + inner : space();
      const bool is_servers = holds_servers && i == servers;
      out += fmt::format("\"{}\":", is_servers ? "servers" : fmt::format("k{}", i)) + space();
      out += is_servers ? object(depth + 1, false) : value(depth + 1);
      if (i + 1 < count || one_of(4) == 0) out += space() + ",";
      if (lines && one_of(4) == 0) out += one_of(2) == 0 ? " // more" : " /* more */";
    }
    return out + (lines ? break_ + indent : space()) + "}";
  }

  std::mt19937 random_;
  std::string break_, unit_;
};

TEST(JsonEdit, OfRandomDocumentsTooWhatWasPutInComesOutToTheByte) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const std::string before = RandomDocument(seed).make();
    const auto after = set_json(before, kPath, kEntry);
    ASSERT_TRUE(after.ok()) << after.error().message() << "\n" << before;
    const auto back = remove_json(*after, kPath);
    ASSERT_TRUE(back.ok()) << back.error().message() << "\n" << *after;
    ASSERT_EQ(*back, before) << "seed " << seed << "\n" << *after;
  }
}

}  // namespace
}  // namespace codexmem::app
