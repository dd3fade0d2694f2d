#include "text/json_object.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text/json.h"

namespace codexmem {
namespace {

TEST(JsonObject, IsTheTextOfTheLibrary) {
  const std::vector<std::string> names = {"a", "b\"c", "é\n", std::string("\xff\0", 2)};
  const std::vector<double> numbers = {0, 1, 0.7, -2.5, 1e300, 0.1234, 1.0 / 3};
  Json want;
  want["names"] = names;
  want["numbers"] = numbers;
  want["flag"] = true;
  want["none"] = nullptr;
  want["count"] = std::int64_t{-5};
  want["big"] = UINT64_MAX;
  want["file"]["path"] = "src/a.ts";
  want["list"] = {1, 2};
  want["\x7f"] = "\\";
  EXPECT_EQ(
      json_object("names", names, "numbers", numbers, "flag", true, "none", nullptr, "count",
                  std::int64_t{-5}, "big", UINT64_MAX, "file", json_object("path", "src/a.ts"),
                  "list", std::set<int>{2, 1}, "\x7f", std::string_view("\\"))
          .text,
      dump_json(want));
}

TEST(JsonObject, LeavesOutWhatIsEmpty) {
  const std::string none;
  const std::vector<std::pair<std::string, std::size_t>> counts = {{"x", 2}, {"y", 3}};
  EXPECT_EQ(json_object().text, "{}");
  EXPECT_EQ(json_object("a", some(none), "b", std::optional<int>(), "c", some(0), "d", some(false),
                        "e", some(json_object("f", some(none))))
                .text,
            "{}");
  EXPECT_EQ(json_object("a", none, "b", std::optional(0), "c", some(1), "d", some(counts)).text,
            R"({"a":"","b":0,"c":1,"d":{"x":2,"y":3}})");
  const auto twice = [](int each) { return JsonText{std::to_string(2 * each)}; };
  EXPECT_EQ(json_list(std::vector<int>{1, 2}, twice).text, "[2,4]");
  EXPECT_EQ(json_list(std::vector<int>(), twice).text, "[]");
}

enum class RowId : std::int64_t {};

TEST(JsonObject, IdsAreNumbersAndMapsObjects) {
  EXPECT_EQ(json_object("id", RowId{7}, "ids", std::vector<RowId>{RowId{1}, RowId{-2}}, "by",
                        std::map<std::string, int, std::less<>>{{"a\"", 1}, {"b", 2}}, "none",
                        std::map<std::string, int>())
                .text,
            R"({"id":7,"ids":[1,-2],"by":{"a\"":1,"b":2},"none":{}})");
}

TEST(JsonObject, TakesMembersUnderACondition) {
  EXPECT_EQ(json_object("a", json_if(true, 1), "b", json_if(false, 2)).text, R"({"a":1})");
  JsonText object = json_object();
  json_add(object, "a", 1);
  json_add(object, "b", some(0), "c", json_or_null(""));
  EXPECT_EQ(object.text, R"({"a":1,"c":null})");
}

}  // namespace
}  // namespace codexmem
