#include "hook/spool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace codexmem::hook {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

unsigned mode_of(const fs::path& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 0777;
}

TEST(Spool, LeavesWholeFilesInOrderForItsUserAlone) {
  const testing::TemporaryDirectory directory;
  const fs::path data = directory.path() / "home/data";
  const Spool spool(data);
  for (const char* text : {"one", "two", "three"}) ASSERT_TRUE(spool.leave(text).ok());
  const auto names = names_in(data / "spool");
  ASSERT_EQ(names.size(), 3);
  const char* want[] = {"one", "two", "three"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::regex_match(names[i], std::regex("[0-9]{20}-[0-9]+-[0-9a-f]{8}\\.json")))
        << names[i];
    EXPECT_EQ(*read_file(data / "spool" / names[i]), want[i]);
    EXPECT_EQ(mode_of(data / "spool" / names[i]), 0600);
  }
  EXPECT_EQ(mode_of(data), 0700);
  EXPECT_EQ(mode_of(data / "spool"), 0700);
}

TEST(Spool, TheOldestGiveWay) {
  const testing::TemporaryDirectory directory;
  const Spool spool(directory.path());
  spool.trim();
  for (const char* text : {"1", "2", "3", "4", "5"}) ASSERT_TRUE(spool.leave(text).ok());
  ASSERT_TRUE(spool.mark_private("s", true).ok());
  spool.trim(5);
  EXPECT_EQ(names_in(directory.path() / "spool").size(), 6);
  spool.trim(2);
  const auto names = names_in(directory.path() / "spool");
  ASSERT_EQ(names.size(), 3);
  EXPECT_EQ(*read_file(directory.path() / "spool" / names[0]), "4");
  EXPECT_EQ(*read_file(directory.path() / "spool" / names[1]), "5");
  EXPECT_TRUE(spool.is_private("s"));
  spool.trim(5, 2);
  EXPECT_EQ(names_in(directory.path() / "spool").size(), 3);
  ASSERT_TRUE(spool.leave("a long one").ok());
  spool.trim(5, 11);
  const auto left = names_in(directory.path() / "spool");
  ASSERT_EQ(left.size(), 3);  // the mark's folder, "5" and the long one
  EXPECT_EQ(*read_file(directory.path() / "spool" / left[0]), "5");
  spool.trim(5, 5);
  EXPECT_EQ(names_in(directory.path() / "spool").size(), 1);
}

TEST(Spool, ALinkInItsPlaceIsRefused) {
  const testing::TemporaryDirectory directory;
  fs::create_directory(directory.path() / "elsewhere");
  fs::create_directory_symlink(directory.path() / "elsewhere", directory.path() / "spool");
  EXPECT_FALSE(Spool(directory.path()).leave("x").ok());
  EXPECT_FALSE(Spool(directory.path()).mark_private("s", true).ok());
  EXPECT_TRUE(names_in(directory.path() / "elsewhere").empty());
}

TEST(Spool, MarksTheTurnOfOneSession) {
  const testing::TemporaryDirectory directory;
  const Spool spool(directory.path() / "data");
  EXPECT_FALSE(spool.is_private("s/1"));
  ASSERT_TRUE(spool.mark_private("s/1", false).ok());
  EXPECT_FALSE(fs::exists(directory.path() / "data"));
  ASSERT_TRUE(spool.mark_private("s/1", true).ok());
  ASSERT_TRUE(spool.mark_private("s/1", true).ok());
  ASSERT_TRUE(spool.mark_private("s2", true).ok());
  EXPECT_TRUE(spool.is_private("s/1"));
  EXPECT_FALSE(spool.is_private("s"));
  ASSERT_TRUE(spool.mark_private("s/1", false).ok());
  EXPECT_FALSE(spool.is_private("s/1"));
  EXPECT_TRUE(spool.is_private("s2"));
  ASSERT_TRUE(spool.mark_private("s2", false).ok());
  EXPECT_FALSE(fs::exists(directory.path() / "data/spool/private"));
}

}  // namespace
}  // namespace codexmem::hook
