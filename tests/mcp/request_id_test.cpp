#include "mcp/request_id.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::mcp {
namespace {

struct Broken {
  const char* name;
  std::string message;
  const char* id;
};

class BrokenMessages : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenMessages, AreReadForTheirId) {
  const std::string& message = GetParam().message;
  EXPECT_EQ(find_request_id(message).json, GetParam().id);
  RequestIdReader by_bytes;
  for (const char c : message) by_bytes.feed({&c, 1});
  EXPECT_EQ(by_bytes.id().json, GetParam().id);
}

const Broken kBroken[] = {
    {"nothing", "", "null"},
    {"no_object", R"([{"id":1}])", "null"},
    {"sound", R"( {"id" : 7 , "method":"a"} )", "7"},
    {"last", R"({"method":"a","id":"x"})", R"("x")"},
    {"fraction", R"({"id":-1.50})", "-1.50"},
    {"not_its_own", R"({"params":{"id":1},"list":[{"id":2}]})", "null"},
    {"in_a_text", R"({"a":"\"id\":1,","b":2})", "null"},
    {"escaped_name", R"({"\u0069d":3})", "3"},
    {"given_twice", R"({"id":1,"id":1})", "null"},
    {"null", R"({"id":null})", "null"},
    {"object", R"({"id":{"a":1}})", "null"},
    {"word", R"({"id":seven})", "null"},
    {"two_numbers", R"({"id":1 2})", "null"},
    {"cut_off_behind", R"({"id":1,"params":{"text":"ab)", "1"},
    {"cut_off_in_it", R"({"method":"a","id":12)", "null"},
    {"open_quote_before", R"({"text":"5" wide","id":9})", "null"},
    {"open_quotes_before", R"({"text":"say "hi" now","id":9})", "9"},
    {"json_in_a_text", R"({"text":"{"id":8,"a":1}","id":9})", "9"},
    {"escaped_behind_a_quote", R"({"text":"5" wide \",\"id\":1,","b":2})", "null"},
    {"behind_the_end", R"({"a":1}{"id":2})", "null"},
    {"lone_surrogate", R"({"id":"\ud83d"})", R"("\ud83d")"},
    {"no_utf8", "{\"id\":\"\xff\"}", "\"\uFFFD\""},
    {"zero_byte", std::string("{\"id\":1\0null2}", 14), "null"},
    {"very_long", R"({"id":")" + std::string(100'000, 'x') + "\"}", "null"},
};

INSTANTIATE_TEST_SUITE_P(Table, BrokenMessages, ::testing::ValuesIn(kBroken),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace codexmem::mcp
