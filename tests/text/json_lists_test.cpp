#include "text/json_lists.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codexmem {
namespace {

using List = std::vector<std::string>;

TEST(JsonLists, StringsAreReadAndAnythingElseIsSkipped) {
  const struct {
    std::string json;
    List want;
  } kCases[] = {
      {"[]", {}},
      {R"(["a"])", {"a"}},
      {R"([""])", {""}},
      {R"(["a","","b c,d"])", {"a", "", "b c,d"}},
      {R"([ "a" , "b" ])", {"a", "b"}},
      {R"(["a" ,"b"])", {"a", "b"}},
      {R"(["a\"b","\u00e9"])", {"a\"b", "\u00e9"}},
      {"[\"\u00e9\"]", {"\u00e9"}},
      {R"(["a",1,"b"])", {"a", "b"}},
      {R"(["a",["b"]])", {"a"}},
      {R"(["a",{"b":"c"}])", {"a"}},
      {R"(["a","])", {}},
      {R"(["a""b"])", {}},
      {R"(["a",,"b"])", {}},
      {"[\"a\nb\"]", {}},
      {R"({"a":["b"]})", {}},
      {"", {}},
      {R"(["])", {}},
  };
  for (const auto& [json, want] : kCases) EXPECT_EQ(read_json_list(json), want) << json;
}

TEST(JsonLists, WhatIsWrittenIsRead) {
  const List list = {"a", "", "\"", "\\", "\n", "\u00e9", "],[", "\",\""};
  EXPECT_EQ(read_json_list(write_json_list(list)), list);
}

}  // namespace
}  // namespace codexmem
