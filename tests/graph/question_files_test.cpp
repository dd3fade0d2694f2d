#include "graph/stored/question_files.h"

#include <gtest/gtest.h>

#include "graph/stored/facts_cache_impl.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

// One row at a time and from the whole table: the same.
TEST(QuestionFiles, AnswersAsTheTableDoes) {
  testing::CodeFixture fixture({{"a.ts", "export const a = 1;\n"},
                                {"lib/b.ts", "export const b = 2;\n"},
                                {"lib/deep/c.ts", "export const c = 3;\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  const auto table = FileTable::load(**lease).value();
  QuestionFiles single(cache.impl(), **lease);
  for (const store::FileRow& row : table->rows()) {
    const store::FileRow* const by_id = single.find(row.id);
    ASSERT_NE(by_id, nullptr);
    EXPECT_EQ(by_id->path, row.path);
    EXPECT_EQ(by_id->generation, row.generation);
    const store::FileRow* const by_path = single.find(row.path);
    ASSERT_NE(by_path, nullptr);
    EXPECT_EQ(by_path->id, row.id);
  }
  for (const char* const path : {"a.ts", "lib", "lib/deep", "lib/de", "", "none", "a.ts/"}) {
    EXPECT_EQ(single.has_folder(path), table->has_folder(path)) << path;
  }
  EXPECT_EQ(single.find("lib/none.ts"), nullptr);
  EXPECT_EQ(single.find(store::FileId{999}), nullptr);
  EXPECT_EQ(single.skipped(), table->skipped());
  const store::FileRow* const before = single.find("a.ts");
  EXPECT_EQ(single.rows().size(), 3U) << "the table comes when all are wanted";
  EXPECT_EQ(before->path, "a.ts") << "what was given out stays";
  EXPECT_TRUE(single.status().ok());
}

}  // namespace
}  // namespace codexmem::graph
