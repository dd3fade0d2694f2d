#include "index/packs/store_check.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "index/run/indexer.h"
#include "store/code/seal.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

class StoreCheckTest : public ::testing::Test {
 protected:
  StoreCheckTest() {
    tree_.write("a.py", "def connect(host):\n    return host\n");
    tree_.write("latin.txt", "caf\xE9\n");
    tree_.write("utf16.txt", std::string("\xFF\xFEh\0i\0\n\0", 8));
    workspace_ = store::Workspace::open(tree_.root()).value();
    EXPECT_TRUE(index_repository(*workspace_).ok());
  }

  StoreCheck check() { return check_store(*workspace_).value(); }

  void execute(const std::string& sql) {
    const auto done = workspace_->writer().value()->execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message();
  }

  TemporaryTree tree_;
  std::unique_ptr<store::Workspace> workspace_;
};

TEST_F(StoreCheckTest, AWholeStoreHasNoProblems) {
  const StoreCheck found = check();
  EXPECT_EQ(found.problems, std::vector<std::string>());
  EXPECT_EQ(found.files, 3U);
  EXPECT_EQ(found.unknown, 0U);
}

TEST_F(StoreCheckTest, WhatCannotBeComparedIsCounted) {
  tree_.write("latin.txt", "something else\n");
  EXPECT_EQ(check().unknown, 1U);
}

TEST_F(StoreCheckTest, DamageThatSqliteDoesNotSeeIsFound) {
  // Each is within a value: pages and indexes stay valid.
  for (const char* sql :
       {"UPDATE file_rows SET text = replace(text, 'return', 'retorn') WHERE path = 'a.py'",
        "UPDATE file_rows SET text = 'bye' WHERE path = 'utf16.txt'"}) {
    execute(sql);
    const StoreCheck found = check();
    ASSERT_FALSE(found.problems.empty()) << sql;
    IndexOptions forced;
    forced.force = true;
    ASSERT_TRUE(index_repository(*workspace_, forced).ok());
    EXPECT_EQ(check().problems, std::vector<std::string>()) << sql;
  }
}

// They are damage of one file, which is read again; the store is kept (issue 47).
TEST_F(StoreCheckTest, FactsThatCannotBeReadCostTheirFileAlone) {
  for (const char* sql :
       {"UPDATE file_facts SET facts = CAST(substr(facts, 1, 20) || x'00' AS BLOB) WHERE file_id ="
        " (SELECT id FROM file_rows WHERE path = 'a.py')",
        "DELETE FROM file_facts WHERE file_id = (SELECT id FROM file_rows WHERE path = 'a.py')"}) {
    execute(sql);
    const StoreCheck found = check();
    EXPECT_EQ(found.problems, std::vector<std::string>()) << sql;
    ASSERT_EQ(found.unread.size(), 1U) << sql;
    EXPECT_EQ(found.unread[0].path, "a.py");
    const auto report = index_repository(*workspace_);
    ASSERT_TRUE(report.ok()) << report.error().message();
    EXPECT_EQ(report->changed, 1U);
    EXPECT_EQ(report->unchanged, 2U);
    EXPECT_EQ(report->warnings, std::vector<std::string>());
    EXPECT_TRUE(check().unread.empty());
    EXPECT_EQ(check().problems, std::vector<std::string>());
  }
}

TEST_F(StoreCheckTest, WordsOfAnotherTextAreFound) {
  execute("INSERT INTO chunk_terms (rowid, terms) VALUES (99999999, 'words of no file')");
  EXPECT_FALSE(check().problems.empty());
}

// A run has nothing to do where no file has changed, and would never meet them (issue 17).
TEST_F(StoreCheckTest, TheNextRunRebuildsTheDamageThatACheckFinds) {
  execute("INSERT INTO chunk_terms (rowid, terms) VALUES (99999999, 'words of no file')");
  ASSERT_TRUE(index_repository(*workspace_).ok());
  EXPECT_FALSE(check().problems.empty());
  workspace_ = store::Workspace::open(tree_.root()).value();
  const auto report = index_repository(*workspace_);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->added, 3U);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].find("damaged-"), std::string::npos) << report->warnings[0];
  EXPECT_EQ(check().problems, std::vector<std::string>());
  EXPECT_EQ(index_repository(*workspace_)->unchanged, 3U);
}

TEST_F(StoreCheckTest, FaissFindsTheSameInTheVectorsFile) {
  const StoreCheck found = check();
  ASSERT_TRUE(found.vectors.has_value());
  EXPECT_EQ(found.vectors->type(), "IDMap,SQ8 (flat, inner product)");
  EXPECT_EQ(found.vectors->dimension, 128U);
}

TEST_F(StoreCheckTest, ADamagedVectorsFileIsNamed) {
  std::filesystem::remove(workspace_->vectors_path());
  tree_.write(".codexmem/vectors.faiss", "garbage");
  EXPECT_EQ(check().problems, std::vector<std::string>()) << "one of somebody else is not read";
  ASSERT_TRUE(store::seal_file(workspace_->vectors_path()).ok());
  const StoreCheck found = check();
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_NE(found.problems[0].find("vectors.faiss"), std::string::npos);
}

}  // namespace
}  // namespace codexmem::index
