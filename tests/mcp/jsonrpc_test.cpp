#include "mcp/jsonrpc.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::mcp {
namespace {

Message single(std::string_view line) {
  ParsedLine parsed = parse_line(line);
  EXPECT_FALSE(parsed.batch);
  EXPECT_EQ(parsed.messages.size(), 1U);
  return parsed.messages.front();
}

TEST(ParseLine, ReadsARequest) {
  const Message message =
      single(R"({"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"x"}})");
  EXPECT_EQ(message.kind, MessageKind::kRequest);
  EXPECT_EQ(message.id.json, "\"a\"");
  EXPECT_EQ(message.method, "tools/list");
  EXPECT_EQ(message.params.member("cursor").string(), "x");
}

TEST(ParseLine, ReadsANotificationAndAResponse) {
  EXPECT_EQ(single(R"({"jsonrpc":"2.0","method":"x"})").kind, MessageKind::kNotification);
  EXPECT_EQ(single(R"({"jsonrpc":"2.0","id":1,"result":{}})").kind, MessageKind::kResponse);
  EXPECT_EQ(single(R"({"jsonrpc":"2.0","id":null,"error":{}})").kind, MessageKind::kResponse);
}

struct BadLine {
  const char* name;
  std::string line;
  RpcCode code;
  const char* id;
};

class BadLines : public ::testing::TestWithParam<BadLine> {};

TEST_P(BadLines, BecomesAnErrorThatCanBeAnswered) {
  const Message message = single(GetParam().line);
  EXPECT_EQ(message.kind, MessageKind::kInvalid);
  EXPECT_EQ(message.error.code, GetParam().code) << message.error.message;
  EXPECT_EQ(message.id.json, GetParam().id);
  EXPECT_FALSE(message.error.message.empty());
  EXPECT_LT(message.error.message.size(), 300U);
}

const BadLine kBadLines[] = {
    {"no_json", "hello", RpcCode::kParseError, "null"},
    {"cut_off", R"({"jsonrpc":"2.0","id":1,)", RpcCode::kParseError, "1"},
    {"cut_off_in_the_id", R"({"jsonrpc":"2.0","id":12)", RpcCode::kParseError, "null"},
    {"no_utf8", "{\"jsonrpc\":\"2.0\",\"id\":1,\xff\"method\":\"a\"}", RpcCode::kParseError, "1"},
    {"bad_escape", R"({"method":"\x","params":{},"jsonrpc":"2.0","id":"a"})", RpcCode::kParseError,
     "\"a\""},
    {"too_deep_inside",
     R"({"method":"a","params":)" + std::string(70, '[') + std::string(70, ']') + R"(,"id":4})",
     RpcCode::kParseError, "4"},
    {"too_deep", std::string(100000, '['), RpcCode::kParseError, "null"},
    {"number_too_big", R"({"jsonrpc":"2.0","id":1e999,"method":"a"})", RpcCode::kParseError,
     "null"},
    {"a_string", "\"ping\"", RpcCode::kInvalidRequest, "null"},
    {"a_number", "1", RpcCode::kInvalidRequest, "null"},
    {"empty_object", "{}", RpcCode::kInvalidRequest, "null"},
    {"empty_batch", "[]", RpcCode::kInvalidRequest, "null"},
    {"no_version", R"({"id":3,"method":"ping"})", RpcCode::kInvalidRequest, "3"},
    {"wrong_version", R"({"jsonrpc":"1.0","id":3,"method":"ping"})", RpcCode::kInvalidRequest, "3"},
    {"version_as_number", R"({"jsonrpc":2.0,"id":3,"method":"ping"})", RpcCode::kInvalidRequest,
     "3"},
    {"no_method", R"({"jsonrpc":"2.0","id":3})", RpcCode::kInvalidRequest, "3"},
    {"method_as_number", R"({"jsonrpc":"2.0","id":3,"method":1})", RpcCode::kInvalidRequest, "3"},
    {"null_id", R"({"jsonrpc":"2.0","id":null,"method":"ping"})", RpcCode::kInvalidRequest, "null"},
    {"id_as_object", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", RpcCode::kInvalidRequest,
     "null"},
    {"id_as_boolean", R"({"jsonrpc":"2.0","id":true,"method":"ping"})", RpcCode::kInvalidRequest,
     "null"},
    {"params_as_string", R"({"jsonrpc":"2.0","id":3,"method":"ping","params":"x"})",
     RpcCode::kInvalidParams, "3"},
    {"params_as_number", R"({"jsonrpc":"2.0","id":3,"method":"ping","params":1})",
     RpcCode::kInvalidParams, "3"},
    {"method_twice", R"({"jsonrpc":"2.0","id":3,"method":"ping","method":"tools/call"})",
     RpcCode::kInvalidRequest, "3"},
    {"id_twice", R"({"jsonrpc":"2.0","id":3,"id":4,"method":"ping"})", RpcCode::kInvalidRequest,
     "null"},
    {"inner_id_twice", R"({"jsonrpc":"2.0","id":3,"method":"a","params":{"id":1,"id":2}})",
     RpcCode::kInvalidRequest, "3"},
    {"argument_twice", R"({"jsonrpc":"2.0","id":3,"method":"a","params":{"p":1,"p":2}})",
     RpcCode::kInvalidRequest, "3"},
};

INSTANTIATE_TEST_SUITE_P(Table, BadLines, ::testing::ValuesIn(kBadLines),
                         [](const auto& row) { return row.param.name; });

TEST(ParseLine, TakesNullForNoParams) {
  const Message message = single(R"({"jsonrpc":"2.0","id":3,"method":"ping","params":null})");
  EXPECT_EQ(message.kind, MessageKind::kRequest);
  EXPECT_TRUE(message.params.is_absent());
}

TEST(ParseLine, ReadsTextsThatWereCutInTheMiddleOfAnEmoji) {
  const Message message = single(
      R"({"method":"tools/\udc4d","params":{"\uD83D":"a\uD83d!"},"jsonrpc":"2.0","id":"\uD83dx"})");
  EXPECT_EQ(message.kind, MessageKind::kRequest);
  EXPECT_EQ(message.method, "tools/\uFFFD");
  EXPECT_EQ(message.params.member("\uFFFD").string(), "a\uFFFD!");
  EXPECT_EQ(message.id.json, R"("\uD83dx")") << "its sender knows it by this text";
  EXPECT_EQ(single("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\xff\"}").method, "a\uFFFD");
}

TEST(ParseLine, JudgesTheMessagesOfABatchOneByOne) {
  const ParsedLine parsed =
      parse_line(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"n"}])");
  ASSERT_TRUE(parsed.batch);
  ASSERT_EQ(parsed.messages.size(), 3U);
  EXPECT_EQ(parsed.messages[0].kind, MessageKind::kRequest);
  EXPECT_EQ(parsed.messages[1].error.code, RpcCode::kInvalidRequest);
  EXPECT_EQ(parsed.messages[2].kind, MessageKind::kNotification);
}

TEST(ParseLine, RefusesABatchBeyondTheBound) {
  std::string line = "[1";
  for (std::size_t i = 0; i < kMaxBatch; ++i) line += ",1";
  const ParsedLine parsed = parse_line(line + "]");
  EXPECT_FALSE(parsed.batch);
  EXPECT_EQ(parsed.messages.front().error.code, RpcCode::kInvalidRequest);
}

TEST(MakeAnswer, WritesOneLine) {
  EXPECT_EQ(make_result({"7"}, "{}"), R"({"jsonrpc":"2.0","id":7,"result":{}})");
  EXPECT_EQ(make_error({}, {RpcCode::kParseError, "a\nb", "[1]"}),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a\nb","data":[1]}})");
  EXPECT_EQ(make_notification("n", "{}"), R"({"jsonrpc":"2.0","method":"n","params":{}})");
}

}  // namespace
}  // namespace codexmem::mcp
