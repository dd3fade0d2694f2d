#include "base/git_project.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

namespace fs = std::filesystem;

TEST(GitProject, IsTheFolderOfTheRepositoryAroundIt) {
  const testing::TemporaryDirectory directory;
  directory.write("shop/.git/HEAD", "ref: refs/heads/main\n");
  directory.write("shop/src/api/a.ts", "");
  EXPECT_EQ(git_root(directory.path() / "shop/src/api"), directory.path() / "shop");
  EXPECT_EQ(git_project(directory.path() / "shop/src/api"), "shop");
  EXPECT_EQ(git_project(directory.path() / "shop"), "shop");
  EXPECT_EQ(git_project(directory.path() / "shop/gone"), "shop");
  EXPECT_EQ(git_project(directory.path()), "");
  EXPECT_EQ(git_project(""), "");
}

TEST(GitProject, AWorktreeBelongsToItsRepositoryAndASubmoduleToItself) {
  const testing::TemporaryDirectory directory;
  directory.write("shop/.git/worktrees/fix/HEAD", "ref: refs/heads/fix\n");
  directory.write("fix-1/.git",
                  "gitdir: " + (directory.path() / "shop/.git/worktrees/fix").string() + "\n");
  directory.write("near/.git", "gitdir: ../shop/.git/worktrees/fix\n");
  directory.write("shop/lib/.git", "gitdir: ../.git/modules/lib\n");
  directory.write("odd/.git", "gitdir:");
  EXPECT_EQ(git_project(directory.path() / "fix-1"), "shop");
  EXPECT_EQ(git_project(directory.path() / "near"), "shop");
  EXPECT_EQ(git_project(directory.path() / "shop/lib"), "lib");
  EXPECT_EQ(git_project(directory.path() / "odd"), "odd");
}

}  // namespace
}  // namespace codexmem
