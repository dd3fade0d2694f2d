#include "base/file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {
namespace fs = std::filesystem;

TEST(FileReplacement, DoesNotWriteThroughALink) {
  const testing::TemporaryDirectory folder;
  const fs::path victim = folder.write("victim", "mine");
  const fs::path path = folder.path() / "mcp.json";
  // What such a file was called once, which whoever fills the folder can guess.
  fs::create_symlink(victim, fmt::format("{}.{}.tmp", path.string(), ::getpid()));
  ASSERT_TRUE(replace_file(path, "new").ok());
  EXPECT_EQ(*read_file(victim), "mine");
  EXPECT_EQ(*read_file(path), "new");
  EXPECT_FALSE(fs::is_symlink(path));
}

TEST(FileReplacement, NamesTheFileThatCannotBeWritten) {
  const testing::TemporaryDirectory folder;
  const fs::path path = folder.path() / "gone" / "file";
  const auto done = replace_file(path, "new");
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message().find(path.string() + ": cannot be written: "), 0U)
      << done.error().message();
}

TEST(FileReplacement, LeavesNothingBehindThatWasNotCommitted) {
  const testing::TemporaryDirectory folder;
  const fs::path path = folder.write("file", "old");
  {
    auto file = FileReplacement::begin(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("new").ok());
  }
  EXPECT_EQ(*read_file(path), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace codexmem
