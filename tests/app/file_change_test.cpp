#include "app/init/file_change.h"

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace codexmem::app {
namespace {
namespace fs = std::filesystem;

FileChange begun(const fs::path& path) {
  auto change = begin_change(path);
  EXPECT_TRUE(change.ok()) << change.error().message();
  return change.ok() ? *change : FileChange{};
}

TEST(FileChange, TheMovedFileStaysIfTheNewFileCannotBeWritten) {
  const testing::TemporaryDirectory folder;
  // No room in the name for what a file that is being written is called.
  const fs::path hook = folder.write(std::string(250, 'h'), "mine");
  FileChange change = begun(hook);
  change.moved_to = folder.path() / "aside";
  change.after = "ours";
  EXPECT_FALSE(make_change(change).ok());
  EXPECT_EQ(*read_file(hook), "mine");
  EXPECT_FALSE(fs::exists(change.moved_to));
}

TEST(FileChange, WhatSomebodyChangedMeanwhileIsNotWritten) {
  const testing::TemporaryDirectory folder;
  const fs::path path = folder.write("settings.json", "{}");
  FileChange change = begun(path);
  change.after = "{ }";
  folder.write("settings.json", "{1}");
  const auto done = make_change(change);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kBusy);
  EXPECT_EQ(*read_file(path), "{1}");
}

TEST(FileChange, AFileKeepsItsModeAndANewOneHasItsOwn) {
  const testing::TemporaryDirectory folder;
  const fs::path path = folder.write("old", "a");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_write);
  FileChange change = begun(path);
  change.after = "b";
  ASSERT_TRUE(make_change(change).ok());
  EXPECT_EQ(fs::status(path).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_write);
  FileChange made = begun(folder.path() / "new/er/one");
  made.after = "c";
  made.mode = 0600;
  const auto outermost = make_change(made);
  ASSERT_TRUE(outermost.ok());
  EXPECT_EQ(*outermost, folder.path() / "new");
  EXPECT_EQ(fs::status(made.path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace codexmem::app
