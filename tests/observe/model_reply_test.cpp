#include "observe/models/model_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/growth.h"

namespace codexmem::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kOne[] =
    R"({"observations":[{"type":"bugfix","title":"Fixed login","subtitle":"s","narrative":"n","facts":["f"],"concepts":["gotcha"],"files_read":["a"],"files_modified":["b"],"outcome":"success","events":[2]}]})";

struct ReplyCase {
  std::string_view name;
  std::string text;
  ReplyFault fault = ReplyFault::kNone;
  bool odd = false;
  std::vector<std::string> titles = {"Fixed login"};
};

TEST(ReadObservations, FindsThemWhateverStandsAround) {
  const std::string one = kOne;
  const std::string bare = one.substr(17, one.size() - 19);
  const ReplyCase cases[] = {
      {"as asked", one},
      {"fenced", "```json\n" + one + "\n```"},
      {"with chatter", "Sure! Here is {what} you asked for:\n\n" + one + "\n\nHope [this] helps."},
      {"with thoughts", "<think>{\"observations\": 1}</think>\n" + one},
      {"a list", "[" + bare + "]"},
      {"an object alone", bare},
      {"twice encoded",
       R"("{\"observations\":[{\"type\":\"bugfix\",\"title\":\"Fixed login\"}]}")"},
      {"none", R"({"observations":[]})", ReplyFault::kNone, false, {}},
      {"null", R"({"observations":null})", ReplyFault::kNone, false, {}},
      {"an unknown type", R"({"observations":[{"type":"fixup","title":"Fixed login"}]})",
       ReplyFault::kNone, true},
      {"no type", R"({"observations":[{"title":"Fixed login"}]})", ReplyFault::kNone, true},
      {"facts that are no list",
       R"({"observations":[{"type":"bugfix","title":"Fixed login","facts":"f"}]})",
       ReplyFault::kNone, true},
      {"one of two says nothing",
       R"({"observations":[{"type":"bugfix"},{"type":"bugfix","title":"Fixed login"}]})",
       ReplyFault::kNone, true},
      {"all say nothing",
       R"({"observations":[{"type":"bugfix"},7]})",
       ReplyFault::kShape,
       true,
       {}},
      {"another object", R"({"answer":"42"})", ReplyFault::kShape, false, {}},
      {"observations of another kind", R"({"observations":"none"})", ReplyFault::kShape, false, {}},
      {"cut off", one.substr(0, one.size() - 20), ReplyFault::kUnreadable, false, {}},
      {"no JSON", "I could not find anything.", ReplyFault::kUnreadable, false, {}},
      {"nothing", "", ReplyFault::kUnreadable, false, {}},
      {"XML", "<observation><type>bugfix</type><title>Fixed login</title></observation>"},
      {"XML with chatter and several",
       "Here:\n```xml\n<observations>\n<observation>\n <type>bugfix</type>\n <title>Fixed "
       "login</title>\n</observation>\n<observation><type>change</type><title>a &lt; "
       "b</title></observation>\n</observations>\n```",
       ReplyFault::kNone,
       false,
       {"Fixed login", "a < b"}},
      {"XML, the last one cut off",
       "<observation><type>bugfix</type><title>Fixed "
       "login</title></observation><observation><type>ch"},
  };
  for (const ReplyCase& one_case : cases) {
    SCOPED_TRACE(one_case.name);
    const ReadObservations read = read_observations(one_case.text, {11, 12});
    EXPECT_EQ(read.fault, one_case.fault);
    EXPECT_EQ(read.has_odd_values, one_case.odd);
    std::vector<std::string> titles;
    for (const Observation& observation : read.observations) titles.push_back(observation.title);
    EXPECT_EQ(titles, one_case.titles);
  }
}

TEST(ReadObservations, TakesEveryField) {
  for (const std::string& text :
       {std::string(kOne),
        std::string(
            "<observation><type>bugfix</type><title>Fixed login</title><subtitle>s</subtitle>"
            "<facts><fact>f</fact></facts><narrative>n</narrative><concepts><concept>gotcha"
            "</concept><concept>bugfix</concept></concepts><files_read><file>a</file>"
            "</files_read><files_modified><file>b</file></files_modified></observation>")}) {
    const ReadObservations read = read_observations(text, {11, 12});
    ASSERT_EQ(read.observations.size(), 1U);
    const Observation& one = read.observations[0];
    EXPECT_EQ(one.type, "bugfix");
    EXPECT_EQ(one.subtitle, "s");
    EXPECT_EQ(one.narrative, "n");
    EXPECT_THAT(one.facts, ElementsAre("f"));
    EXPECT_THAT(one.concepts, ElementsAre("gotcha"));
    EXPECT_THAT(one.files_read, ElementsAre("a"));
    EXPECT_THAT(one.files_modified, ElementsAre("b"));
  }
  const Observation one = read_observations(kOne, {11, 12}).observations[0];
  EXPECT_EQ(one.outcome, "success");
  EXPECT_THAT(one.message_ids, ElementsAre(12));
}

TEST(ReadObservations, UnknownTypeIsADiscoveryAndTypeIsNoConcept) {
  const ReadObservations read = read_observations(
      R"({"observations":[{"type":"Bug Fix","title":"t","concepts":["discovery","Trade Off","mine"],"events":[0,9,-1,"x",1,1]}]})",
      {11});
  ASSERT_EQ(read.observations.size(), 1U);
  EXPECT_EQ(read.observations[0].type, "discovery");
  EXPECT_THAT(read.observations[0].concepts, ElementsAre("trade-off", "mine"));
  EXPECT_THAT(read.observations[0].message_ids, ElementsAre(11));
}

TEST(ReadObservations, IsBoundedAndLinear) {
  const auto start = testing::ProcessorClock::now();
  for (const std::string_view part :
       {"{", "[", "{\"a\":", "<observation>", "<observation><title>a</title></observation>",
        "<fact>", "[{\"title\":\"a\"},", "&amp;", "\"", "\\"}) {
    std::string text;
    while (text.size() < (std::size_t{2} << 20)) text += part;
    EXPECT_LE(read_observations(text, {}).observations.size(), kMaxModelObservations);
    read_summary(text);
  }
  const std::string huge(100'000, 'x');
  const ReadObservations read = read_observations(
      "[{\"type\":\"change\",\"title\":\"" + huge + "\",\"narrative\":\"" + huge + "\"}]", {});
  EXPECT_LE(read.observations.at(0).title.size(), kMaxModelTitleBytes);
  EXPECT_LE(read.observations.at(0).narrative.size(), kMaxModelNarrativeBytes);
  EXPECT_LT(testing::ProcessorClock::now() - start, std::chrono::seconds(20 * CODEXMEM_SLOWNESS));
}

TEST(ReadObservations, WhatIsNestedWithoutEndIsNotRead) {
  const std::string nested = std::string(300'000, '[') + std::string(300'000, ']');
  for (const std::string& text :
       {"{\"observations\":" + nested + "}",
        R"({"observations":[{"type":"change","title":"t","facts":)" + nested + "}]}"}) {
    EXPECT_NE(read_observations(text, {}).fault, ReplyFault::kNone);
    EXPECT_NE(read_summary(text).fault, ReplyFault::kNone);
  }
}

TEST(ReadSummary, ReadsBothShapes) {
  for (
      const char* text :
      {R"({"skip":false,"request":"r","investigated":"i","learned":"l","completed":"c","next_steps":"x","notes":""})",
       R"(Here: {"summary":{"request":"r","investigated":"i","learned":"l","completed":"c","next_steps":"x"}})",
       "<summary><request>r</request><investigated>i</investigated><learned>l</learned>"
       "<completed>c</completed><next_steps>x</next_steps><notes></notes></summary>"}) {
    SCOPED_TRACE(text);
    const ReadSummary read = read_summary(text);
    ASSERT_TRUE(read.summary.has_value());
    EXPECT_EQ(read.summary->request, "r");
    EXPECT_EQ(read.summary->investigated, "i");
    EXPECT_EQ(read.summary->learned, "l");
    EXPECT_EQ(read.summary->completed, "c");
    EXPECT_EQ(read.summary->next_steps, "x");
    EXPECT_EQ(read.summary->notes, "");
  }
}

TEST(ReadSummary, MayBeSkipped) {
  for (const char* text : {R"({"skip":true,"request":""})", "<skip_summary reason=\"no work\"/>"}) {
    const ReadSummary read = read_summary(text);
    EXPECT_EQ(read.fault, ReplyFault::kNone);
    EXPECT_FALSE(read.summary.has_value());
  }
}

TEST(ReadSummary, FaultsAreReported) {
  EXPECT_EQ(read_summary("no").fault, ReplyFault::kUnreadable);
  EXPECT_EQ(read_summary(R"({"a":1})").fault, ReplyFault::kShape);
  EXPECT_EQ(read_summary("[]").fault, ReplyFault::kShape);
  EXPECT_TRUE(read_summary(R"({"request":["a","b"]})").has_odd_values);
}

}  // namespace
}  // namespace codexmem::observe
