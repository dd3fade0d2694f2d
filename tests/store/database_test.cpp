#include "store/database.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/file.h"
#include "base/stop_scope.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

class DatabaseTest : public ::testing::Test {
 protected:
  Database open(const OpenOptions& options = {}) {
    auto opened = Database::open(directory_.path() / "test.db", options);
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return std::move(opened).value();
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(DatabaseTest, ValuesComeBackAsBound) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, n TEXT)").ok());
  {
    auto insert = database.statement("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)");
    insert->bind(1, std::int64_t{1} << 40);
    insert->bind(2, 0.5);
    insert->bind(3, "");
    insert->bind_blob(4, std::string_view("\0\xFF", 2));
    insert->bind_null(5);
    ASSERT_TRUE(insert->run().ok());
  }
  auto query = database.statement("SELECT i, r, s, b, n FROM t");
  ASSERT_TRUE(query->step().value());
  EXPECT_EQ(query->integer(0), std::int64_t{1} << 40);
  EXPECT_EQ(query->real(1), 0.5);
  EXPECT_FALSE(query->is_null(2)) << "an empty text is not NULL";
  EXPECT_EQ(query->blob(3), std::string_view("\0\xFF", 2));
  EXPECT_TRUE(query->is_null(4));
  EXPECT_FALSE(query->step().value());
}

TEST_F(DatabaseTest, AWriteThatNeverEndsIsStoppedAShortWhileAfterItsThread) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (i INTEGER)").ok());
  std::stop_source stop;
  const StopScope scope(stop.get_token());
  stop.request_stop();
  EXPECT_TRUE(database.execute("INSERT INTO t VALUES (1)").ok()) << "what ends a run is written";
  const auto endless = database.execute(
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      "SELECT max(i) FROM n");
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.error().code(), ErrorCode::kCancelled) << endless.error().message();
  EXPECT_EQ(database.find_integer("SELECT count(*) FROM t").value(), 1);
}

TEST_F(DatabaseTest, OneTextCanBeUsedTwiceAtOnce) {
  Database database = open();
  const char sql[] = "SELECT value FROM json_each('[1,2]') ORDER BY value";
  auto outer = database.statement(sql);
  auto inner = database.statement(sql);
  ASSERT_TRUE(outer->step().value());
  ASSERT_TRUE(inner->step().value());
  ASSERT_TRUE(inner->step().value());
  EXPECT_EQ(outer->integer(0), 1);
  EXPECT_EQ(inner->integer(0), 2);
}

TEST_F(DatabaseTest, TransactionRollsBackUnlessCommitted) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (i INTEGER)").ok());
  {
    auto transaction = Transaction::begin(database);
    ASSERT_TRUE(database.execute("INSERT INTO t VALUES (1)").ok());
  }
  EXPECT_EQ(database.find_integer("SELECT count(*) FROM t").value(), 0);
  {
    auto transaction = Transaction::begin(database);
    ASSERT_TRUE(database.execute("INSERT INTO t VALUES (1)").ok());
    ASSERT_TRUE(transaction->commit().ok());
  }
  EXPECT_EQ(database.find_integer("SELECT count(*) FROM t").value(), 1);
}

TEST_F(DatabaseTest, AReaderSeesTheOldStateUntilCommit) {
  Database writer = open();
  ASSERT_TRUE(writer.execute("CREATE TABLE t (i INTEGER)").ok());
  Database reader = open({.read_only = true});
  auto transaction = Transaction::begin(writer);
  ASSERT_TRUE(writer.execute("INSERT INTO t VALUES (1)").ok());
  EXPECT_EQ(reader.find_integer("SELECT count(*) FROM t").value(), 0);
  ASSERT_TRUE(transaction->commit().ok());
  EXPECT_EQ(reader.find_integer("SELECT count(*) FROM t").value(), 1);
  EXPECT_EQ(reader.execute("INSERT INTO t VALUES (2)").error().code(), ErrorCode::kIo);
}

TEST_F(DatabaseTest, ASecondWriterWaitsThenSaysBusy) {
  Database first = open();
  Database second = open({.busy_timeout = std::chrono::milliseconds(10)});
  auto transaction = Transaction::begin(first);
  EXPECT_EQ(Transaction::begin(second).error().code(), ErrorCode::kBusy);
}

TEST_F(DatabaseTest, AStopEndsWhatAReaderReadsAndNoWriting) {
  Database writer = open();
  ASSERT_TRUE(writer.execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1), (2)").ok());
  Database reader = open({.read_only = true});
  std::stop_source source;
  {
    const StopScope scope(source.get_token());
    const auto moment = Transaction::begin_read(reader);
    auto query = reader.statement("SELECT i FROM t");
    ASSERT_TRUE(query->step().ok());
    const std::jthread stopper([&source] { source.request_stop(); });
    // One row, which takes minutes.
    const auto counted = reader.find_integer(
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) "
        "SELECT count(*) FROM n");
    ASSERT_FALSE(counted.ok());
    EXPECT_EQ(counted.error().code(), ErrorCode::kCancelled);
    EXPECT_EQ(query->step().error().code(), ErrorCode::kCancelled);
    EXPECT_EQ(writer.find_integer("SELECT sum(i) FROM t").value(), 3);
  }
  EXPECT_TRUE(Transaction::begin_read(reader).ok()) << "the stopped one is over";
  EXPECT_EQ(reader.find_integer("SELECT sum(i) FROM t").value(), 3);
}

TEST_F(DatabaseTest, AForeignFileIsCorrupt) {
  ASSERT_TRUE(replace_file(directory_.path() / "test.db", std::string(5000, 'x')).ok());
  auto opened = Database::open(directory_.path() / "test.db");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(opened.error().message().find("test.db"), std::string::npos);
}

TEST_F(DatabaseTest, AFullDiskIsCalledSoAndLosesNothing) {
  Database database = open();
  ASSERT_TRUE(database.execute("CREATE TABLE t (s TEXT); INSERT INTO t VALUES ('kept')").ok());
  // As full as a disk: no page may be added.
  ASSERT_TRUE(database.execute("PRAGMA max_page_count=1").ok());
  auto writing = Transaction::begin(database);
  const auto failed = database.execute("INSERT INTO t VALUES (hex(zeroblob(100000)))");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kIo);
  EXPECT_NE(failed.error().message().find("no room"), std::string::npos)
      << failed.error().message();
  EXPECT_EQ(database.find_integer("SELECT count(*) FROM t").value(), 1);
}

}  // namespace
}  // namespace codexmem::store
