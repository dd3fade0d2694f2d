#include "search/spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search.h"
#include "search/small_index.h"

namespace codexmem::search {
namespace {

class SpellingTest : public ::testing::Test {
 protected:
  SpellingTest() {
    index_.add({{"a.py", "def getHttpResponse(): pass", {{"getHttpResponse"}}},
                {"b.py",
                 "class Blueprint: pass\n\nzorkmid = 1",
                 {{"Blueprint", SymbolType::kClass, "class"}}}});
  }
  std::string corrected(std::string_view query) {
    auto reader = index_.workspace().reader().value();
    return correct_spelling(
               *reader,
               *Snapshot::build(*reader, index_.workspace().ranking_path(), nullptr).value(), query)
        .value()
        .text;
  }

  SmallIndex index_;
};

TEST_F(SpellingTest, AWordThatIsNowhereBecomesTheNearestOfANameWithItsCase) {
  EXPECT_EQ(corrected("getHttpRespnose"), "getHttpResponse");
  EXPECT_EQ(corrected("where is the bluepritn, please"), "where is the blueprint, please");
  EXPECT_EQ(corrected("Blueprnt()"), "Blueprint()");
}

TEST_F(SpellingTest, WordsThatAreKnownStay) {
  EXPECT_EQ(corrected("zorkmid"), "zorkmid") << "the text has it";
  EXPECT_EQ(corrected("blueprints"), "blueprints") << "the stem is a name's";
  EXPECT_EQ(corrected("responsive"), "responsive") << "a word that the model knows";
  EXPECT_EQ(corrected("bluxxrixt"), "bluxxrixt") << "three edits away";
  EXPECT_EQ(corrected("gett"), "gett") << "too short to tell";
  EXPECT_EQ(corrected(""), "");
}

TEST_F(SpellingTest, TheAnswerSaysWhatItSearchedFor) {
  SearchEngine engine(index_.workspace());
  const auto answer = engine.search({.query = "Blueprnt"});
  ASSERT_TRUE(answer.ok());
  ASSERT_FALSE(answer->hits.empty());
  EXPECT_EQ(answer->hits[0].path, "b.py");
  EXPECT_EQ(answer->hits[0].symbol->name, "Blueprint");
  EXPECT_THAT(answer->note, ::testing::HasSubstr("blueprnt"));
}

}  // namespace
}  // namespace codexmem::search
