#include "search/snapshot_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "search/small_index.h"
#include "search/snapshot.h"
#include "store/code/seal.h"

namespace codexmem::search {
namespace {

namespace fs = std::filesystem;

class SnapshotFileTest : public ::testing::Test {
 protected:
  SnapshotFileTest() {
    index_.add({{"a.py", "def go(): pass", {{"go"}}}, {"b.py", "go()", {}}});
    write();
  }
  fs::path path() { return index_.workspace().ranking_path(); }
  void write() {
    EXPECT_TRUE(write_ranking_file(index_.workspace(), *index_.workspace().writer().value()).ok());
  }
  std::shared_ptr<const Segment> open() {
    return open_ranking_file(*index_.workspace().reader().value(), path()).value();
  }
  bool is_due(bool has_written) {
    return is_ranking_file_due(*index_.workspace().reader().value(), path(), has_written).value();
  }

  SmallIndex index_;
};

TEST_F(SnapshotFileTest, IsMappedAndForItsUserAlone) {
  const auto segment = open();
  ASSERT_NE(segment, nullptr);
  EXPECT_EQ(segment->file_count(), 2U);
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(is_due(false));
  EXPECT_FALSE(is_due(true));
}

TEST_F(SnapshotFileTest, ADamagedOneIsNotUsedAndGoes) {
  std::string bytes = read_file(path()).value();
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  for (const std::string& damaged : {bytes, bytes.substr(0, 100), std::string()}) {
    write();
    ASSERT_TRUE(replace_file(path(), damaged).ok());
    ASSERT_TRUE(store::seal_file(path()).ok());
    EXPECT_EQ(open(), nullptr) << damaged.size();
    EXPECT_FALSE(fs::exists(path())) << damaged.size();
    EXPECT_TRUE(is_due(false)) << damaged.size();
  }
}

TEST_F(SnapshotFileTest, OneThatThisUserHasNotMadeIsNotRead) {
  const std::string bytes = read_file(path()).value();
  fs::remove(path());
  ASSERT_TRUE(replace_file(path(), bytes).ok());
  EXPECT_EQ(open(), nullptr);
  EXPECT_TRUE(fs::exists(path()));
  EXPECT_TRUE(is_due(false));
}

TEST_F(SnapshotFileTest, AnEarlierWritingIsNotUsed) {
  const std::string before = read_file(path()).value();
  index_.add({{"c.py", "def c(): pass", {{"c"}}}});
  write();
  ASSERT_TRUE(replace_file(path(), before).ok());
  ASSERT_TRUE(store::seal_file(path()).ok());
  EXPECT_EQ(open(), nullptr) << "the store notes another mark";
  const auto snapshot =
      Snapshot::build(*index_.workspace().reader().value(), path(), nullptr).value();
  EXPECT_EQ(snapshot->file_count(), 3U);
}

TEST_F(SnapshotFileTest, IsDueWhenManyFilesAreNotInIt) {
  std::vector<SmallFile> files;
  for (int i = 0; i < 70; ++i) files.push_back({"new" + std::to_string(i) + ".py", "x = 1", {}});
  index_.add(files);
  EXPECT_FALSE(is_due(false)) << "nobody looks when nothing was written";
  EXPECT_TRUE(is_due(true));
  write();
  for (const SmallFile& file : files) index_.remove(file);
  EXPECT_TRUE(is_due(true)) << "they are gone";
}

}  // namespace
}  // namespace codexmem::search
