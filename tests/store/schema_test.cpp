#include "store/schema.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

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
  ASSERT_TRUE(migrate(database_, code_schema()).ok());
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
  ASSERT_TRUE(migrate(database_, code_schema()).ok());
  ASSERT_TRUE(migrate(database_, code_schema()).ok());
  EXPECT_EQ(database_.find_integer("PRAGMA user_version").value(), code_schema().version);
}

TEST_F(SchemaTest, TheCodeSchemaHasTheObjectsThatItsRowSays) {
  ASSERT_TRUE(migrate(database_, code_schema()).ok());
  EXPECT_EQ(digest_objects(database_).value(), code_schema().steps.back().objects);
}

TEST_F(SchemaTest, ANewerStoreIsRefusedWithTheCure) {
  ASSERT_TRUE(database_.execute("PRAGMA user_version=9999").ok());
  const auto refused = migrate(database_, code_schema());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message().find("update codexmem"), std::string::npos);
}

TEST_F(SchemaTest, AForeignDatabaseIsLeftAlone) {
  ASSERT_TRUE(database_.execute("CREATE TABLE theirs (x INTEGER)").ok());
  const auto refused = migrate(database_, code_schema());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorrupt);
  EXPECT_FALSE(database_.statement("SELECT id FROM files").ok());
}

TEST_F(SchemaTest, AFailedStepIsNamedAndLeavesTheOldStoreAndABackup) {
  const std::array first = {Migration{"one", "CREATE TABLE a (x INTEGER)"}};
  ASSERT_TRUE(migrate(database_, {first}).ok());
  ASSERT_TRUE(database_.execute("INSERT INTO a VALUES (7)").ok());
  const std::array broken = {first[0], Migration{"two", "CREATE TABLE b (x INTEGER); NONSENSE"}};
  const auto failed = migrate(database_, {broken});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message().find("migration 2 (two)"), std::string::npos)
      << failed.error().message();
  EXPECT_EQ(database_.find_integer("PRAGMA user_version").value(), 1);
  EXPECT_FALSE(database_.statement("SELECT x FROM b").ok());
  auto backup = Database::open(directory_.path() / "index.db.v1.bak");
  ASSERT_TRUE(backup.ok());
  EXPECT_EQ(backup->find_integer("SELECT x FROM a").value(), 7);
  // The program of that version goes on with it.
  auto old = Database::open(directory_.path() / "index.db");
  ASSERT_TRUE(migrate(*old, {first}).ok());
  auto writing = Transaction::begin(*old);
  ASSERT_TRUE(writing.ok());
  EXPECT_TRUE(old->execute("INSERT INTO a VALUES (8)").ok());
  EXPECT_TRUE(writing->commit().ok());
}

TEST_F(SchemaTest, OneBackupIsKept) {
  const std::array steps = {Migration{"one", "CREATE TABLE a (x INTEGER)"},
                            Migration{"two", "CREATE TABLE b (x INTEGER)"},
                            Migration{"three", "CREATE TABLE c (x INTEGER)"}};
  for (std::size_t count = 1; count <= steps.size(); ++count) {
    ASSERT_TRUE(migrate(database_, {std::span(steps).first(count)}).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "index.db.v1.bak"));
  EXPECT_TRUE(std::filesystem::exists(directory_.path() / "index.db.v2.bak"));
}

TEST_F(SchemaTest, ARebuiltTableKeepsItsReferences) {
  const std::array steps = {
      Migration{"one",
                "CREATE TABLE a (id INTEGER PRIMARY KEY);"
                "CREATE TABLE b (a INTEGER REFERENCES a (id) ON DELETE CASCADE);"
                "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)"},
      Migration{"two",
                "CREATE TABLE a2 (id INTEGER PRIMARY KEY, more TEXT);"
                "INSERT INTO a2 (id) SELECT id FROM a ORDER BY id; DROP TABLE a;"
                "ALTER TABLE a2 RENAME TO a"},
      Migration{"three", "DELETE FROM a"}};
  ASSERT_TRUE(migrate(database_, {std::span(steps).first(2)}).ok());
  EXPECT_EQ(database_.find_integer("SELECT count(*) FROM b").value(), 1);
  EXPECT_EQ(database_.find_integer("PRAGMA foreign_keys").value(), 1);
  EXPECT_FALSE(migrate(database_, {steps}).ok()) << "a row would refer to nothing";
  EXPECT_EQ(database_.find_integer("SELECT count(*) FROM a").value(), 1);
}

TEST_F(SchemaTest, TheSecondOfTwoProgramsWaitsAndGoesOn) {
  const std::array steps = {
      Migration{"one", "CREATE TABLE a (x INTEGER)"},
      Migration{"two",
                "CREATE TABLE b (x INTEGER); INSERT INTO b WITH RECURSIVE n(x) AS (SELECT 1 UNION "
                "ALL SELECT x + 1 FROM n WHERE x < 200000) SELECT x FROM n"}};
  ASSERT_TRUE(migrate(database_, {std::span(steps).first(1)}).ok());
  std::vector<std::thread> programs;
  std::atomic<int> fine = 0;
  for (int i = 0; i < 4; ++i) {
    programs.emplace_back([&] {
      auto mine = Database::open(directory_.path() / "index.db");
      if (mine.ok() && migrate(*mine, {steps}).ok() &&
          mine->find_integer("SELECT count(*) FROM b").value() == 200'000) {
        ++fine;
      }
    });
  }
  for (std::thread& program : programs) program.join();
  EXPECT_EQ(fine, 4);
}

TEST_F(SchemaTest, WithoutRoomForTheBackupNothingIsBegun) {
  const std::array steps = {Migration{"one", "CREATE TABLE a (x INTEGER)"},
                            Migration{"two", "CREATE TABLE b (x INTEGER)"}};
  ASSERT_TRUE(migrate(database_, {std::span(steps).first(1)}).ok());
  ASSERT_TRUE(database_.execute("PRAGMA wal_checkpoint(TRUNCATE)").ok());
  // A file with a hole: large, and takes no room.
  const auto room = std::filesystem::space(directory_.path()).available;
  std::error_code refused;
  std::filesystem::resize_file(directory_.path() / "index.db", room / 2 / 4096 * 4096, refused);
  if (refused) GTEST_SKIP() << "no file of that size here";
  const auto failed = migrate(database_, {steps});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kIo);
  EXPECT_NE(failed.error().message().find("no room"), std::string::npos)
      << failed.error().message();
  EXPECT_EQ(database_.find_integer("PRAGMA user_version").value(), 1);
}

// testdata/stores has the store of a small repository as each earlier version wrote it.
TEST_F(SchemaTest, EveryEarlierStoreIsRebuilt) {
  std::size_t stores = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(CODEXMEM_SOURCE_DIR "/testdata/stores")) {
    if (entry.path().extension() != ".db") continue;
    SCOPED_TRACE(entry.path().filename());
    ++stores;
    const std::filesystem::path copy = directory_.path() / entry.path().filename();
    std::filesystem::copy_file(entry.path(), copy);
    auto old = Database::open(copy);
    ASSERT_TRUE(old.ok());
    const auto migrated = migrate(*old, code_schema());
    ASSERT_TRUE(migrated.ok()) << migrated.error().message();
    EXPECT_EQ(old->find_damage().value(), std::vector<std::string>());
    EXPECT_EQ(old->find_integer("PRAGMA user_version").value(), code_schema().version);
    EXPECT_EQ(digest_objects(*old).value(), code_schema().steps.back().objects);
    EXPECT_EQ(old->find_integer("SELECT count(*) FROM meta WHERE key = 'store'").value(), 1);
    EXPECT_EQ(old->find_integer("SELECT count(*) FROM file_rows").value(), 0);
  }
  EXPECT_GE(stores, 1U);
}

}  // namespace
}  // namespace codexmem::store
