#include "ask/input_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mcp/fixture_tools.h"

namespace codexmem::mcp {
namespace {

using ::testing::HasSubstr;

std::string fault(const std::string& arguments) {
  const Tool& echo = testing::fixture_tools()[0];
  const auto schema = ask::InputSchema::make(echo.input_schema, echo.whole_numbers);
  EXPECT_TRUE(schema.ok());
  const auto value = JsonValue::parse(arguments);
  EXPECT_TRUE(value.ok()) << arguments;
  return schema->find_fault(schema->read(*value)).value_or("");
}

TEST(InputSchema, AcceptsWhatFits) {
  const char* good[] = {
      R"({"text":"a"})",
      R"({"text":"0123456789"})",
      R"({"text":"a","count":1})",
      R"({"text":"a","count":50})",
      R"({"text":"a","count":5.0})",
      R"({"text":"a","count":"5","share":" 0.5 ","flag":"true"})",
      R"({"text":"a","share":0})",
      R"({"text":"a","share":1.0})",
      R"({"text":"a","kind":"class"})",
      R"({"text":"a","flag":false})",
      R"({"text":"a","list":[]})",
      R"({"text":"a","list":["x","y","z"]})",
      R"({"text":"a","unknown":{"deep":[1]},"cuont":3})",
      R"({"text":"éééééééééé"})",
      R"({"text":"𝔘𝔘𝔘𝔘𝔘𝔘𝔘𝔘𝔘𝔘"})",
  };
  for (const char* arguments : good) EXPECT_EQ(fault(arguments), "") << arguments;
}

struct Misfit {
  const char* arguments;
  const char* sentence;
};

TEST(InputSchema, NamesTheArgumentTheLimitAndTheValue) {
  const Misfit misfits[] = {
      {R"({})", "text is required and must be a string of 1 to 10 characters, got nothing"},
      {R"({"text":""})", "text must be a string of 1 to 10 characters, got 0 characters"},
      {R"({"text":"0123456789x"})",
       "text must be a string of 1 to 10 characters, got 11 characters"},
      {R"({"text":5})", "text must be a string of 1 to 10 characters, got 5"},
      {R"({"text":null})", "text must be a string of 1 to 10 characters, got null"},
      {R"({"text":["a"]})", "text must be a string of 1 to 10 characters, got an array of 1"},
      {R"({"text":"a\u0000b"})", "text must not contain NUL characters"},
      {R"({"text":"a","count":0})", "count must be a whole number from 1 to 50, got 0"},
      {R"({"text":"a","count":51})", "count must be a whole number from 1 to 50, got 51"},
      {R"({"text":"a","count":51.0})", "count must be a whole number from 1 to 50, got 51"},
      {R"({"text":"a","count":2.5})", "count must be a whole number from 1 to 50, got 2.5"},
      {R"({"text":"a","count":-1e300})", "count must be a whole number from 1 to 50, got -1e+300"},
      {R"({"text":"a","count":"5x"})", "count must be a whole number from 1 to 50, got \"5x\""},
      {R"({"text":"a","count":"51"})", "count must be a whole number from 1 to 50, got 51"},
      {R"({"text":"a","count":true})", "count must be a whole number from 1 to 50, got true"},
      {R"({"text":"a","share":1.01})", "share must be a number from 0.0 to 1.0, got 1.01"},
      {R"({"text":"a","kind":"klass"})", R"(kind must be one of "class", "function", got "klass")"},
      {R"({"text":"a","flag":"yes"})", "flag must be true or false, got \"yes\""},
      {R"({"text":"a","list":"x"})",
       "list must be an array of at most 3 items, each a string that is not empty, got "
       "\"x\""},
      {R"({"text":"a","list":["x",7]})", "list[1] must be a string that is not empty, got 7"},
      {R"({"text":"a","list":["1","2","3","4"]})",
       "list must be an array of at most 3 items, each a string that is not empty, got an "
       "array of 4"},
  };
  for (const Misfit& misfit : misfits) {
    EXPECT_EQ(fault(misfit.arguments), misfit.sentence) << misfit.arguments;
  }
}

TEST(InputSchema, ShortensTheValueItShows) {
  const std::string sentence = fault(R"({"text":"a","kind":")" + std::string(5000, 'x') + "\"}");
  EXPECT_LT(sentence.size(), 200U);
  EXPECT_THAT(sentence, HasSubstr("(5000 characters)"));
}

TEST(InputSchema, HintsAtAMisspeltArgument) {
  EXPECT_THAT(fault(R"({"txt":"a"})"),
              HasSubstr("unknown argument \"txt\": did you mean \"text\"?"));
  EXPECT_THAT(fault(R"({"text":"","cuont":3})"), HasSubstr("did you mean \"count\"?"));
}

TEST(InputSchema, KnowsPatternsIntegersAndExclusiveBounds) {
  const auto schema = ask::InputSchema::make(
      R"({"type":"object","properties":{"a":{"type":"string","pattern":"^x+$"},)"
      R"("n":{"type":"integer","minimum":1},"d":{"type":"number","exclusiveMinimum":0}}})",
      "");
  ASSERT_TRUE(schema.ok());
  const auto fault_of = [&](const char* text) {
    return schema->find_fault(*JsonValue::parse(text)).value_or("");
  };
  EXPECT_EQ(fault_of(R"({"a":"xx","n":2.0,"d":0.1})"), "");
  EXPECT_EQ(fault_of(R"({"a":"y"})"), R"(a must be a string that matches ^x+$, got "y")");
  EXPECT_EQ(fault_of(R"({"n":2.5})"), "n must be a whole number of at least 1, got 2.5");
  EXPECT_EQ(fault_of(R"({"n":0})"), "n must be a whole number of at least 1, got 0");
  EXPECT_EQ(fault_of(R"({"d":0})"), "d must be a number above 0, got 0");
  EXPECT_FALSE(ask::InputSchema::make(
                   R"({"type":"object","properties":{"a":{"type":"string","pattern":"("}}})", "")
                   .ok());
}

TEST(InputSchema, RefusesSchemasOfOtherTypesThanObject) {
  EXPECT_FALSE(ask::InputSchema::make("{", "").ok());
  EXPECT_FALSE(ask::InputSchema::make(R"({"type":"string"})", "").ok());
  EXPECT_FALSE(ask::InputSchema::make(R"({"type":"object","properties":{}})", "limit").ok());
}

}  // namespace
}  // namespace codexmem::mcp
