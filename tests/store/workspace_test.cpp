#include "store/code/workspace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/stop_scope.h"
#include "store/code/store_directory.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

// Root may write everything: be somebody else meanwhile.
class Nobody {
 public:
  Nobody() { EXPECT_TRUE(!is_root_ || ::seteuid(65534) == 0); }
  ~Nobody() { EXPECT_TRUE(!is_root_ || ::seteuid(0) == 0); }

 private:
  const bool is_root_ = ::geteuid() == 0;
};

class WorkspaceTest : public ::testing::Test {
 protected:
  fs::path file(const char* name) const { return directory_.path() / ".codexmem" / name; }

  testing::TemporaryDirectory directory_;
};

std::string bytes_of(const fs::path& path) { return read_file(path).value(); }

TEST_F(WorkspaceTest, ADamagedDatabaseIsNamedWithItsCureAndLeftAsItIs) {
  {
    auto workspace = Workspace::open(directory_.path()).value();
    CodeWriter writer(*workspace->writer().value());
    ASSERT_TRUE(writer.begin_generation().ok());
  }
  const std::string whole = bytes_of(file("index.db"));
  {
    auto other = Database::open(file("other.db"));
    ASSERT_TRUE(
        other->execute("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('x')").ok());
  }
  std::string no_version = whole;
  no_version.replace(60, 4, 4, '\0');
  std::string later_format = whole;
  later_format[18] = later_format[19] = 9;
  std::string no_schema = whole;
  no_schema.replace(100, 8, 8, '\xFF');
  const std::pair<const char*, std::string> cases[] = {
      {"garbage", std::string(10'000, 'x')},
      {"cut", whole.substr(0, 4096)},
      {"of another program", bytes_of(file("other.db"))},
      {"without a version", no_version},
      {"of a later SQLite", later_format},
      {"with a damaged first page", no_schema},
  };
  for (const auto& [name, bytes] : cases) {
    std::ofstream(file("index.db"), std::ios::binary) << bytes;
    const auto existing = Workspace::open_existing(directory_.path());
    ASSERT_FALSE(existing.ok()) << name;
    EXPECT_EQ(existing.error().code(), ErrorCode::kCorrupt) << name;
    const std::string message = existing.error().message();
    EXPECT_NE(message.find("`codexmem index`"), std::string::npos) << name << ": " << message;
    EXPECT_EQ(message.find("PRAGMA"), std::string::npos) << name << ": " << message;
    EXPECT_EQ(bytes_of(file("index.db")).substr(100), bytes.substr(100)) << name;
    EXPECT_EQ(bytes_of(file("index.db")).size(), bytes.size()) << name;
  }
}

TEST_F(WorkspaceTest, ADamagedDatabaseIsSetAsideAndRebuilt) {
  ASSERT_TRUE(Workspace::open(directory_.path()).ok());
  directory_.write(".codexmem/index.db", "no database at all, and long enough to be looked at");
  directory_.write(".codexmem/index.db.damaged-20200101T000000Z", "an earlier one");
  directory_.write(".codexmem/vectors.faiss", "derived");
  auto workspace = Workspace::open(directory_.path()).value();
  ASSERT_TRUE(workspace->damage().has_value());
  EXPECT_FALSE(workspace->writer().ok());
  EXPECT_TRUE(workspace->confirm_damage().value().has_value());
  const auto aside = workspace->set_aside();
  ASSERT_TRUE(aside.ok()) << aside.error().message();
  EXPECT_EQ(bytes_of(*aside).substr(0, 11), "no database");
  EXPECT_FALSE(fs::exists(file("index.db.damaged-20200101T000000Z")));
  EXPECT_FALSE(fs::exists(workspace->vectors_path()));
  ASSERT_TRUE(workspace->writer().ok());
  EXPECT_FALSE(workspace->damage().has_value());
  EXPECT_FALSE(workspace->confirm_damage().value().has_value());
  EXPECT_EQ(workspace->reader().value()->generation().value(), 0);
}

TEST_F(WorkspaceTest, AStoppedCheckReportsNoDamage) {
  auto workspace = Workspace::open(directory_.path()).value();
  std::stop_source stop;
  stop.request_stop();
  {
    const StopScope scope(stop.get_token());
    const auto damage = workspace->confirm_damage();
    ASSERT_FALSE(damage.ok());
    EXPECT_EQ(damage.error().code(), ErrorCode::kCancelled);
  }
  EXPECT_FALSE(workspace->damage().has_value());
  EXPECT_FALSE(workspace->confirm_damage().value().has_value());
}

// Gives the store of `root` a generation.
std::int64_t stamp(const fs::path& root) {
  auto workspace = Workspace::open(root).value();
  CodeWriter writer(*workspace->writer().value());
  return writer.begin_generation().value();
}

TEST_F(WorkspaceTest, ADeletedStoreIsRebuiltUnderItsReaders) {
  const std::int64_t before = stamp(directory_.path());
  auto workspace = Workspace::open(directory_.path()).value();
  auto held = workspace->reader().value();
  EXPECT_EQ(workspace->reader().value()->generation().value(), before);
  const std::uint64_t epoch = workspace->epoch();
  fs::remove_all(workspace->directory());
  EXPECT_EQ(workspace->reader().value()->generation().value(), 0);
  EXPECT_GT(workspace->epoch(), epoch);
  EXPECT_TRUE(fs::exists(file(".gitignore")));
  EXPECT_EQ(held->generation().value(), before) << "whoever holds the old one reads on";
  CodeWriter writer(*workspace->writer().value());
  EXPECT_GT(writer.begin_generation().value(), before) << "numbers of another store never return";
  EXPECT_GT(workspace->reader().value()->generation().value(), before);
}

// What the next run over everything does about a store that is damaged, or not the user's own.
fs::path rebuild(Workspace& workspace) {
  EXPECT_TRUE(workspace.confirm_damage().value().has_value());
  const auto aside = workspace.set_aside();
  EXPECT_TRUE(aside.ok()) << aside.error().message();
  EXPECT_TRUE(workspace.writer().ok());
  return aside.value();
}

TEST_F(WorkspaceTest, AnotherStoreInItsPlaceIsNotBelieved) {
  const testing::TemporaryDirectory other;
  stamp(other.path());
  auto workspace = Workspace::open(directory_.path()).value();
  auto held = workspace->reader().value();
  const std::uint64_t epoch = workspace->epoch();
  fs::rename(other.path() / ".codexmem/index.db", file("index.db"));
  const auto reader = workspace->reader();
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(reader.error().message().find("not what your codexmem made"), std::string::npos);
  EXPECT_TRUE(workspace->damage().has_value());
  EXPECT_FALSE(has_index(directory_.path()));
  EXPECT_TRUE(has_foreign_index(directory_.path()));
  const fs::path aside = rebuild(*workspace);
  EXPECT_TRUE(aside.filename().string().starts_with("index.db.foreign-")) << aside;
  EXPECT_GT(workspace->epoch(), epoch);
  EXPECT_FALSE(workspace->damage().has_value());
  EXPECT_EQ(workspace->reader().value()->generation().value(), 0);
  EXPECT_EQ(held->generation().value(), 0) << "whoever holds the old one reads on";
}

// Two programs with different keys, or a checkout after a checkout: no one sets aside for ever.
TEST_F(WorkspaceTest, AStoreThatIsReplacedAgainLeavesTheTree) {
  const testing::TemporaryDirectory cache;
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  auto workspace = Workspace::open(directory_.path()).value();
  for (const bool again : {false, true}) {
    const testing::TemporaryDirectory other;
    stamp(other.path());
    fs::rename(other.path() / ".codexmem/index.db", file("index.db"));
    EXPECT_EQ(workspace->reader().ok(), again);
    if (!again) rebuild(*workspace);
    const std::string directory = workspace->directory().string();
    EXPECT_EQ(directory.starts_with(cache.path().string()), again) << directory;
    EXPECT_EQ(workspace->why_in_cache().empty(), !again);
    EXPECT_EQ(Workspace::open(directory_.path()).value()->directory(), directory);
  }
  EXPECT_NE(workspace->why_in_cache().find("`rm -r '"), std::string::npos)
      << workspace->why_in_cache();
  // A week later once more in the tree.
  std::vector<fs::path> files(fs::directory_iterator(file("")), {});
  for (const fs::path& path : files) {
    if (path.filename().string().starts_with("index.db.foreign-")) fs::remove(path);
  }
  directory_.write(".codexmem/index.db.foreign-20200101T000000Z", "an old one");
  EXPECT_EQ(locate_store(directory_.path()).why_in_cache, "");
  fs::remove_all(directory_.path() / ".codexmem");
  EXPECT_EQ(Workspace::open(directory_.path()).value()->why_in_cache(), "");
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(WorkspaceTest, AProgramThatIsOlderThanTheStoreStopsUsingIt) {
  auto workspace = Workspace::open(directory_.path()).value();
  Database& writer = *workspace->writer().value();
  ASSERT_TRUE(workspace->reader().ok());
  {
    auto newer = Database::open(file("index.db"));
    ASSERT_TRUE(newer->execute("PRAGMA user_version=9999").ok());
  }
  const auto reader = workspace->reader();
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code(), ErrorCode::kUnsupported);
  const auto writing = Transaction::begin(writer);
  ASSERT_FALSE(writing.ok());
  EXPECT_EQ(writing.error().code(), ErrorCode::kUnsupported);
}

class ReadOnlyTree : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(tree());
    fs::create_directories(cache());
    ::chmod(base_.path().c_str(), 0755);
    ::chmod(cache().c_str(), 0777);
    ::chmod(tree().c_str(), 0555);
    ::setenv("XDG_CACHE_HOME", cache().c_str(), 1);
  }
  void TearDown() override {
    ::chmod(tree().c_str(), 0755);
    ::unsetenv("XDG_CACHE_HOME");
  }

  fs::path tree() const { return base_.path() / "my app"; }
  fs::path cache() const { return base_.path() / "cache"; }

  testing::TemporaryDirectory base_;
};

TEST_F(ReadOnlyTree, ItsIndexIsInTheCacheForItsUserAlone) {
  const Nobody nobody;
  EXPECT_FALSE(has_index(tree()));
  EXPECT_EQ(Workspace::open_existing(tree()).error().code(), ErrorCode::kNotFound);
  fs::path directory;
  {
    const auto opened = Workspace::open(tree());
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    directory = (*opened)->directory();
    EXPECT_NE((*opened)->why_in_cache().find("my app cannot be written"), std::string::npos);
  }
  EXPECT_EQ(directory.parent_path(), cache() / "codexmem");
  EXPECT_TRUE(directory.filename().string().starts_with("my_app-")) << directory;
  struct stat info {};
  ASSERT_EQ(::stat(directory.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  EXPECT_TRUE(has_index(tree()));
  const auto again = Workspace::open_existing(tree());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->directory(), directory);
}

TEST_F(ReadOnlyTree, AnIndexThatCannotBeWrittenIsRebuiltInTheCache) {
  ::chmod(tree().c_str(), 0777);
  ASSERT_TRUE(Workspace::open(tree()).ok());
  const fs::path directory = tree() / ".codexmem";
  ::chmod(directory.c_str(), 0777);
  ::chmod((directory / "index.db").c_str(), 0444);
  const Nobody nobody;
  EXPECT_FALSE(has_index(tree()));
  EXPECT_TRUE(Workspace::open(tree()).ok());
  EXPECT_TRUE(has_index(tree()));
}

TEST_F(ReadOnlyTree, WithoutACacheTheCureIsNamed) {
  const Nobody nobody;
  ::setenv("XDG_CACHE_HOME", (tree() / "no").c_str(), 1);
  const auto opened = Workspace::open(tree());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kIo);
  EXPECT_NE(opened.error().message().find("XDG_CACHE_HOME"), std::string::npos)
      << opened.error().message();
}

TEST_F(ReadOnlyTree, TheIndexOfAnotherUserIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  ::chmod(tree().c_str(), 0777);
  const fs::path planted = tree() / ".codexmem";
  ASSERT_TRUE(Workspace::open(tree()).ok());
  EXPECT_TRUE(has_index(tree()));
  ASSERT_EQ(::chown(planted.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(has_index(tree()));
  EXPECT_EQ(locate_store(tree()).why_in_cache, planted.string() + " belongs to another user");
  ASSERT_EQ(::chown(planted.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown((planted / "index.db").c_str(), 12345, 12345), 0);
  EXPECT_FALSE(has_index(tree()));
  ::setenv("SUDO_UID", "12345", 1);
  EXPECT_TRUE(has_index(tree()));
  ::unsetenv("SUDO_UID");
}

TEST_F(WorkspaceTest, ALongStatementIsNotRepeatedInAnError) {
  auto database = Database::open(directory_.path() / "a.db");
  const auto failed = database->execute("\nSELECT " + std::string(500, 'x') + "\nFROM nowhere");
  ASSERT_FALSE(failed.ok());
  EXPECT_LT(failed.error().message().size(), directory_.path().string().size() + 200);
}

}  // namespace
}  // namespace codexmem::store
