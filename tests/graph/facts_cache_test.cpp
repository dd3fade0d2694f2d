#include "graph/stored/facts_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Questions that were asked at once took each other's notices: the one that had missed a file was
// not asked again.
TEST(FactsCache, AQuestionLearnsOfTheDamageThatItMetItself) {
  testing::CodeFixture fixture(
      {{"a.py", "def run():\n    pass\n"}, {"b.py", "from a import run\nrun()\n"}});
  {
    auto writer = fixture.workspace().writer();
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)
                    ->execute("UPDATE file_facts SET facts = x'00'"
                              " WHERE file_id = (SELECT id FROM files WHERE path = 'b.py')")
                    .ok());
  }
  FactsCache cache;
  auto one = fixture.workspace().reader();
  auto other = fixture.workspace().reader();
  ASSERT_TRUE(one.ok() && other.ok());
  ReferenceQuery query;
  query.symbol = "run";
  const auto answer = find_references(cache, **one, query);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->coverage.files_unparsed, 1U);
  EXPECT_THAT(cache.take_damaged(**other), IsEmpty());
  EXPECT_THAT(cache.take_damaged(**one), ElementsAre("b.py"));
  EXPECT_THAT(cache.take_damaged(**one), IsEmpty());
}

}  // namespace
}  // namespace codexmem::graph
