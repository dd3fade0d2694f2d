#include "base/owner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

constexpr uid_t kSomebody = 54'321, kNobody = 65'534;

TEST(Owner, RootAndTheUserAreTrusted) {
  EXPECT_TRUE(is_trusted(::geteuid()));
  EXPECT_TRUE(is_trusted(0));
  EXPECT_FALSE(is_trusted(kSomebody));
}

TEST(Owner, MissingFilesSpeakForNothing) {
  const testing::TemporaryDirectory folder;
  EXPECT_FALSE(speaks_for(folder.path() / ".git", folder.path()));
}

TEST(Owner, WhatAnotherUserPutAboveDoesNotSpeak) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to make files of other users";
  const testing::TemporaryDirectory folder;
  const auto git = folder.path() / ".git", link = folder.path() / "link",
             mine = folder.path() / "a";
  std::filesystem::create_directory(git);
  std::filesystem::create_directory(mine);
  std::filesystem::create_directory_symlink(mine, link);
  ASSERT_EQ(::chown(git.c_str(), kSomebody, kSomebody), 0);
  ASSERT_EQ(::lchown(link.c_str(), kSomebody, kSomebody), 0);
  EXPECT_FALSE(speaks_for(git, mine));
  EXPECT_FALSE(speaks_for(link, mine));
  ASSERT_EQ(::chown(mine.c_str(), kNobody, kNobody), 0);
  EXPECT_FALSE(speaks_for(git, mine));
  // All is of one who is not the caller: a mounted volume.
  ASSERT_EQ(::chown(mine.c_str(), kSomebody, kSomebody), 0);
  EXPECT_TRUE(speaks_for(git, mine));
  ASSERT_EQ(::chown(git.c_str(), 0, 0), 0);
  EXPECT_TRUE(speaks_for(git, mine));
}

}  // namespace
}  // namespace codexmem
