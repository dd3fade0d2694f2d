#include "store/thin_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "store/code/database_copy.h"
#include "store/database.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kRowsSql[] =
    "SELECT id, length(text), hex(substr(text, 1, 8)) FROM rows ORDER BY id";

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

class ThinFileTest : public ::testing::Test {
 protected:
  // A database of some 200 pages, then a thin one over a base with the same rows.
  void SetUp() override {
    {
      Database plain = open("plain.db");
      ASSERT_TRUE(plain
                      .execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text BLOB NOT NULL);"
                               "CREATE INDEX by_text ON rows (text);"
                               "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n "
                               "WHERE i < 400) INSERT INTO rows SELECT i, randomblob(900) FROM n")
                      .ok());
      plain.shrink_log(0);
    }
    const auto still = StillDatabase::open(at("plain.db"), std::chrono::seconds(1));
    ASSERT_TRUE(still.ok() && still->is_still());
    auto base = write_base(still->get(), folder_.path());
    ASSERT_TRUE(base.ok()) << base.error().message();
    base_ = *base;
    ASSERT_TRUE(write_thin(at("thin.db"), base_).ok());
  }

  fs::path at(const std::string& name) const { return folder_.path() / name; }

  static Database open_path(const fs::path& path, bool read_only = false) {
    auto opened = Database::open(path, {.read_only = read_only});
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }
  Database open(const std::string& name) const { return open_path(at(name)); }

  static std::vector<std::string> rows(Database& database) {
    std::vector<std::string> found;
    auto query = database.statement(kRowsSql);
    EXPECT_TRUE(query.ok()) << query.error().message();
    for (;;) {
      const auto more = query->step();
      EXPECT_TRUE(more.ok()) << more.error().message();
      if (!more.ok() || !*more) return found;
      found.push_back(std::to_string(query->integer(0)) + " " + std::to_string(query->integer(1)) +
                      " " + std::string(query->text(2)));
    }
  }

  static std::vector<std::string> damage(Database& database) {
    auto found = database.find_damage();
    return found.ok() ? *found : std::vector{found.error().message()};
  }

  std::uint64_t own_blocks(const std::string& name = "thin.db") const {
    // (Blocks that a file system has only reserved count until it writes them.)
    const FileDescriptor file(::open(at(name).c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    EXPECT_EQ(::fsync(file.get()), 0);
    EXPECT_EQ(::fstat(file.get(), &info), 0);
    return static_cast<std::uint64_t>(info.st_blocks) * 512;
  }

  // What a statement of a random history does is the same in each database.
  std::string random_change() {
    const auto id = [&] { return std::to_string(random_() % 800); };
    const auto blob = [&](std::size_t bytes) {
      std::string hex;
      for (std::size_t i = 0; i < bytes; ++i) hex += "0123456789ABCDEF"[random_() % 16];
      return "X'" + hex + hex + "'";
    };
    switch (random_() % 8) {
      case 0:
        return "DELETE FROM rows WHERE id % 7 = " + std::to_string(random_() % 7);
      case 1:
        return "DELETE FROM rows WHERE id > " + id();
      case 2:
        return "VACUUM";
      case 3:
        return "PRAGMA wal_checkpoint(PASSIVE)";
      case 4:
        return "PRAGMA wal_checkpoint(TRUNCATE)";
      default:
        return "INSERT OR REPLACE INTO rows VALUES (" + id() + ", " + blob(random_() % 6'000) +
               "), (" + id() + ", " + blob(20) + ")";
    }
  }

  testing::TemporaryDirectory folder_;
  std::string base_;
  std::mt19937 random_{1};
};

TEST_F(ThinFileTest, TakesNoRoomAndReadsAsThePlainOne) {
  EXPECT_LE(own_blocks(), 8192U);
  Database plain = open("plain.db"), thin = open("thin.db");
  EXPECT_EQ(rows(thin), rows(plain));
  EXPECT_EQ(damage(thin), std::vector<std::string>());
  EXPECT_EQ(fs::status(at(base_)).permissions(), fs::perms::owner_read);
}

TEST_F(ThinFileTest, AWriteTakesRoomForItsPagesAndLeavesTheBase) {
  const std::string before = read_bytes(at(base_));
  {
    Database thin = open("thin.db");
    ASSERT_TRUE(thin.execute("UPDATE rows SET text = zeroblob(900) WHERE id = 200").ok());
  }
  EXPECT_LE(own_blocks(), 128U * 1024);
  EXPECT_GE(before.size(), 512U * 1024);
  Database thin = open("thin.db");
  EXPECT_EQ(thin.find_integer("SELECT count(*) FROM rows WHERE text = zeroblob(900)").value(), 1);
  EXPECT_EQ(read_bytes(at(base_)), before);
}

TEST_F(ThinFileTest, ARandomHistoryIsThatOfAPlainDatabase) {
  for (int round = 0; round < 12; ++round) {
    Database plain = open("plain.db"), thin = open("thin.db");
    Database reader = open_path(at("thin.db"), /*read_only=*/true);
    for (int step = 0; step < 25; ++step) {
      const std::string change = random_change();
      ASSERT_TRUE(plain.execute(change).ok()) << change;
      const auto done = thin.execute(change);
      ASSERT_TRUE(done.ok()) << change << ": " << done.error().message();
      ASSERT_EQ(rows(reader), rows(plain)) << round << " " << step << " " << change.substr(0, 60);
    }
    ASSERT_EQ(damage(thin), std::vector<std::string>());
  }
}

// Of an unfinished checkpoint a power cut leaves some sectors, in any order: pages without their
// bits, bits without their pages.
TEST_F(ThinFileTest, ACheckpointThatAPowerCutEndsIsDoneAgain) {
  constexpr std::size_t kSector = 512;
  Database thin = open("thin.db");
  for (int round = 0; round < 40; ++round) {
    ASSERT_TRUE(thin.execute("PRAGMA wal_autocheckpoint=0; PRAGMA wal_checkpoint(TRUNCATE)").ok());
    const std::string before = read_bytes(at("thin.db"));
    for (int step = 0; step < 3; ++step) {
      std::string change = random_change();
      while (change.starts_with("PRAGMA")) change = random_change();
      ASSERT_TRUE(thin.execute(change).ok());
    }
    const auto want = rows(thin);
    const std::string log = read_bytes(at("thin.db-wal"));
    ASSERT_TRUE(thin.execute("PRAGMA wal_checkpoint(PASSIVE)").ok());
    const std::string after = read_bytes(at("thin.db"));
    std::string left = random_() % 2 == 0 ? before : after;  // as long as one of them
    for (std::size_t at = 0; at < left.size(); at += kSector) {
      const std::string& from = random_() % 2 == 0 ? before : after;
      if (at + kSector <= from.size()) left.replace(at, kSector, from, at, kSector);
    }
    const testing::TemporaryDirectory cut;
    fs::create_hard_link(at(base_), cut.path() / base_);
    write_bytes(cut.path() / "thin.db", left);
    write_bytes(cut.path() / "thin.db-wal", log);
    Database found = open_path(cut.path() / "thin.db");
    ASSERT_EQ(rows(found), want) << round;
    found.shrink_log(0);
    ASSERT_EQ(damage(found), std::vector<std::string>()) << round;
    ASSERT_EQ(rows(found), want) << round;
  }
}

// Each commit of the writer gives all rows one text.
TEST_F(ThinFileTest, AReaderOfAnotherProcessSeesWholeCommits) {
  const pid_t child = ::fork();
  if (child == 0) {
    Database writer = open("thin.db");
    for (int i = 0; i < 60; ++i) {
      const bool done = writer
                            .execute(
                                "UPDATE rows SET text = randomblob(700) WHERE id = 1; "
                                "BEGIN IMMEDIATE; UPDATE rows SET text = (SELECT text FROM "
                                "rows WHERE id = 1); COMMIT; PRAGMA wal_checkpoint(PASSIVE)")
                            .ok();
      if (!done) ::_exit(1);
    }
    ::_exit(0);
  }
  Database reader = open_path(at("thin.db"), /*read_only=*/true);
  int status = 0, reads = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const auto texts =
        reader.find_integer("SELECT count(DISTINCT text) FROM rows NOT INDEXED WHERE id > 1");
    ASSERT_TRUE(texts.ok()) << texts.error().message();
    ASSERT_TRUE(*texts == 1 || *texts == 399) << **texts;
    ++reads;
  }
  EXPECT_EQ(status, 0);
  EXPECT_GT(reads, 3);
}

TEST_F(ThinFileTest, ACopyHasTheOwnPages) {
  {
    Database thin = open("thin.db");
    ASSERT_TRUE(thin.execute("DELETE FROM rows WHERE id < 300; VACUUM").ok());
    ASSERT_TRUE(thin.execute("INSERT INTO rows VALUES (9, zeroblob(9000))").ok());
    thin.shrink_log(0);
  }
  const auto still = StillDatabase::open(at("thin.db"), std::chrono::seconds(1));
  ASSERT_TRUE(still.ok() && still->is_still());
  const testing::TemporaryDirectory other;
  EXPECT_FALSE(write_thin(other.path() / "none.db", base_, still->get()).ok());  // without the base
  fs::create_hard_link(at(base_), other.path() / base_);
  ASSERT_TRUE(write_thin(other.path() / "copy.db", base_, still->get()).ok());
  Database copy = open_path(other.path() / "copy.db"), thin = open("thin.db");
  EXPECT_EQ(rows(copy), rows(thin));
  EXPECT_EQ(damage(copy), std::vector<std::string>());
  const auto own = find_thin(still->get());
  ASSERT_TRUE(own.ok() && *own);
  EXPECT_EQ((*own)->base, base_);
  EXPECT_EQ((*own)->base_bytes, fs::file_size(at(base_)));
  EXPECT_GT((*own)->own_bytes, 0U);
  const auto smaller = write_base(still->get(), other.path());
  ASSERT_TRUE(smaller.ok()) << smaller.error().message();
  EXPECT_LT(fs::file_size(other.path() / *smaller), fs::file_size(at(base_)) / 2);
}

TEST_F(ThinFileTest, ABaseThatIsNotTheSameIsRefused) {
  const std::string bytes = read_bytes(at(base_));
  const fs::path base = at(base_);
  const auto message = [&] {
    auto opened = Database::open(at("thin.db"));
    EXPECT_FALSE(opened.ok());
    if (opened.ok()) return std::string();
    EXPECT_EQ(opened.error().code(), ErrorCode::kCorrupt) << opened.error().message();
    return opened.error().message();
  };
  const std::string changed = base.string() + ", which has pages of it, was replaced or changed";
  fs::permissions(base, fs::perms::owner_write, fs::perm_options::add);
  {
    std::fstream file(base, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(50'000);
    file.put('x');
  }
  EXPECT_NE(message().find(changed), std::string::npos) << message();
  fs::resize_file(base, bytes.size() - 4096);
  EXPECT_NE(message().find(changed), std::string::npos) << message();
  fs::remove(base);
  EXPECT_NE(message().find(base.string() + ", which has pages of it, is missing"),
            std::string::npos)
      << message();
  write_bytes(base, bytes);
  EXPECT_NE(message().find(changed), std::string::npos) << message();
  fs::remove(base);
  ASSERT_EQ(::mkfifo(base.c_str(), 0600), 0);
  EXPECT_NE(message().find(changed), std::string::npos) << message();
  fs::remove(base);
  fs::create_symlink(at("plain.db"), base);
  EXPECT_NE(message().find("missing"), std::string::npos) << message();
}

TEST_F(ThinFileTest, ADamagedThinFileIsRefused) {
  const std::string bytes = read_bytes(at("thin.db"));
  std::vector<std::string> broken;
  for (const std::size_t left : {16U, 100U, 127U, 130U}) broken.push_back(bytes.substr(0, left));
  for (const std::size_t at : {16U, 24U, 48U, 72U, 79U, 127U}) {
    broken.push_back(bytes);
    broken.back()[at] = '\xfe';
  }
  for (const std::string& one : broken) {
    write_bytes(at("thin.db"), one);
    auto opened = Database::open(at("thin.db"));
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), ErrorCode::kCorrupt) << opened.error().message();
  }
}

TEST_F(ThinFileTest, NoOtherProgramTakesItForADatabase) {
  for (const std::string& name : {std::string("thin.db"), base_}) {
    EXPECT_FALSE(read_bytes(at(name)).starts_with("SQLite format 3")) << name;
  }
  EXPECT_FALSE(Database::open(at(base_), {.read_only = true}).ok());
}

TEST_F(ThinFileTest, OtherBasesAreRemoved) {
  write_bytes(at("base-0123456789abcdef"), "left by a kill");
  remove_bases(folder_.path(), base_);
  EXPECT_FALSE(fs::exists(at("base-0123456789abcdef")));
  EXPECT_TRUE(fs::exists(at(base_)));
}

}  // namespace
}  // namespace codexmem::store
