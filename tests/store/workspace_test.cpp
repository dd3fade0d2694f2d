#include "store/workspace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

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

TEST_F(WorkspaceTest, AFolderThatCannotBeWrittenIsNamed) {
  ASSERT_TRUE(Workspace::open(directory_.path()).ok());
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(file("").c_str(), 0555), 0);
  ASSERT_EQ(::chmod(file("index.db").c_str(), 0444), 0);
  const bool is_root = ::geteuid() == 0;  // root may write everything: be somebody else meanwhile
  ASSERT_TRUE(!is_root || ::seteuid(65534) == 0);
  const Error error = failure();
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  ::chmod(file("").c_str(), 0755);
  EXPECT_EQ(error.code(), ErrorCode::kIo);
  EXPECT_NE(error.message().find(".codexmem is not writable"), std::string::npos)
      << error.message();
}

TEST_F(WorkspaceTest, ALongStatementIsNotRepeatedInAnError) {
  auto database = Database::open(directory_.path() / "a.db");
  const auto failed = database->execute("\nSELECT " + std::string(500, 'x') + "\nFROM nowhere");
  ASSERT_FALSE(failed.ok());
  EXPECT_LT(failed.error().message().size(), directory_.path().string().size() + 200);
}

}  // namespace
}  // namespace codexmem::store
