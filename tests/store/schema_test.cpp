#include "store/schema.h"

#include <gtest/gtest.h>

#include <array>

#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

class SchemaTest : public ::testing::Test {
 protected:
  SchemaTest() : database_(Database::open(directory_.path() / "index.db").value()) {}

  testing::TemporaryDirectory directory_;
  Database database_;
};

TEST_F(SchemaTest, ContractTablesHaveTheContractsColumns) {
  ASSERT_TRUE(migrate(database_, workspace_migrations()).ok());
  // spec/code-tools.md, "Database Schema Contracts".
  const std::pair<const char*, std::vector<const char*>> tables[] = {
      {"files",
       {"id", "path", "content", "hash", "size", "language", "last_modified", "indexed_at"}},
      {"symbols",
       {"id", "file_id", "name", "type", "start_line", "end_line", "start_column", "end_column",
        "definition", "docstring", "modifiers"}},
      {"embeddings",
       {"id", "file_id", "symbol_id", "chunk_index", "content", "embedding", "metadata"}},
      {"dependencies",
       {"id", "source_file_id", "target_file_id", "import_path", "import_type", "is_external",
        "symbols"}},
  };
  for (const auto& [table, columns] : tables) {
    for (const char* column : columns) {
      const std::string sql = std::string("SELECT ") + column + " FROM " + table;
      EXPECT_TRUE(database_.statement(sql).ok()) << table << "." << column;
    }
  }
}

TEST_F(SchemaTest, MigratingTwiceChangesNothing) {
  ASSERT_TRUE(migrate(database_, workspace_migrations()).ok());
  ASSERT_TRUE(migrate(database_, workspace_migrations()).ok());
  EXPECT_EQ(database_.find_integer("PRAGMA user_version").value(),
            static_cast<std::int64_t>(workspace_migrations().size()));
}

TEST_F(SchemaTest, ANewerStoreIsRefusedWithTheCure) {
  ASSERT_TRUE(database_.execute("PRAGMA user_version=9999").ok());
  const auto refused = migrate(database_, workspace_migrations());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message().find("update codexmem"), std::string::npos);
}

TEST_F(SchemaTest, AForeignDatabaseIsLeftAlone) {
  ASSERT_TRUE(database_.execute("CREATE TABLE theirs (x INTEGER)").ok());
  const auto refused = migrate(database_, workspace_migrations());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorrupt);
  EXPECT_FALSE(database_.statement("SELECT id FROM files").ok());
}

TEST_F(SchemaTest, AFailedStepRollsBackAndLeavesABackup) {
  const std::array first = {Migration{"one", "CREATE TABLE a (x INTEGER)"}};
  ASSERT_TRUE(migrate(database_, first).ok());
  ASSERT_TRUE(database_.execute("INSERT INTO a VALUES (7)").ok());
  const std::array broken = {first[0], Migration{"two", "CREATE TABLE b (x INTEGER); NONSENSE"}};
  EXPECT_FALSE(migrate(database_, broken).ok());
  EXPECT_EQ(database_.find_integer("PRAGMA user_version").value(), 1);
  EXPECT_FALSE(database_.statement("SELECT x FROM b").ok());
  auto backup = Database::open(directory_.path() / "index.db.v1.bak");
  ASSERT_TRUE(backup.ok());
  EXPECT_EQ(backup->find_integer("SELECT x FROM a").value(), 7);
}

}  // namespace
}  // namespace codexmem::store
