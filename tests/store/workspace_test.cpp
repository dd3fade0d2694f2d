#include "store/workspace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "store/store_directory.h"
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

  // Opens what cannot be opened.
  Error failure() {
    auto opened = Workspace::open(directory_.path());
    EXPECT_FALSE(opened.ok());
    return opened.ok() ? Error{ErrorCode::kUnsupported, ""} : std::move(opened).error();
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(WorkspaceTest, ADatabaseThatIsNoneIsCorruptAndTheCureIsNamed) {
  directory_.write(".codexmem/index.db", std::string(10'000, 'x'));
  const Error error = failure();
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_NE(error.message().find("`codexmem index`"), std::string::npos) << error.message();
  EXPECT_EQ(error.message().find("PRAGMA"), std::string::npos) << error.message();
}

TEST_F(WorkspaceTest, ADatabaseOfAnotherProgramIsLeftAsItIs) {
  directory_.write(".codexmem/.gitignore", "*\n");
  {
    auto other = Database::open(file("index.db"));
    ASSERT_TRUE(other->execute("CREATE TABLE songs (title TEXT)").ok());
  }
  const Error error = failure();
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_NE(error.message().find("`codexmem index`"), std::string::npos) << error.message();
  auto other = Database::open(file("index.db"));
  EXPECT_EQ(*other->find_integer("SELECT count(*) FROM sqlite_master"), 1);
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

TEST_F(ReadOnlyTree, AnIndexThatCannotBeWrittenIsMadeAnewInTheCache) {
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
