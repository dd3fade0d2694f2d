#include "index/git/git_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/run/indexer.h"
#include "support/leaks.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "path" with what it is: + new, - gone, ~ other.
std::vector<std::string> lines(const std::vector<GitChange>& changes) {
  std::vector<std::string> list;
  for (const GitChange& change : changes) {
    list.push_back((change.existed ? change.exists ? "~ " : "- " : "+ ") + change.path);
  }
  return list;
}

class GitChangesTest : public ::testing::Test {
 protected:
  GitChangesTest() {
    tree_.git("init -q");
    tree_.write("src/a.ts", "a\n");
    tree_.write("src/b.ts", "b\n");
    tree_.git("add -A");
    tree_.git("commit -qm first");
  }

  GitChanges find(bool is_staged, const std::string& since = "", const std::string& below = "") {
    auto changes = GitChanges::find(tree_.root() / below, tree_.root() / below,
                                    {.since = since, .is_staged = is_staged});
    EXPECT_TRUE(changes.ok()) << (changes.ok() ? "" : changes.error().message());
    return *std::move(changes);
  }

  TemporaryTree tree_;
};

TEST_F(GitChangesTest, StagedAndWorkTreeAreDistinguished) {
  EXPECT_THAT(lines(find(true).changes()), IsEmpty());
  tree_.write("src/a.ts", "other\n");
  tree_.git("rm -q src/b.ts");
  tree_.write("new.ts", "new\n");
  EXPECT_THAT(lines(find(true).changes()), ElementsAre("- src/b.ts"));
  EXPECT_THAT(lines(find(false).changes()), ElementsAre("+ new.ts", "~ src/a.ts", "- src/b.ts"));
  EXPECT_TRUE(find(true).is_staged());
}

TEST_F(GitChangesTest, TwoCommitsAreCompared) {
  tree_.git("rm -q src/b.ts");
  tree_.write("src/b.ts/c.ts", "c\n");  // a folder in the place of a file
  tree_.write("deep/x/new.ts", "new\n");
  tree_.write("src.ts", "between src and its files\n");
  tree_.git("add -A");
  tree_.git("commit -qm second");
  const auto between = [&](std::vector<std::string> only) {
    const auto found = GitChanges::find(
        tree_.root(), tree_.root(),
        {.since = "HEAD~", .is_staged = false, .until = "HEAD", .only = std::move(only)});
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message());
    return lines(found->changes());
  };
  EXPECT_THAT(between({}),
              ElementsAre("+ deep/x/new.ts", "+ src.ts", "- src/b.ts", "+ src/b.ts/c.ts"));
  EXPECT_THAT(between({"src/b.ts", "src/a.ts"}), ElementsAre("- src/b.ts"));
  EXPECT_THAT(between({"src/b.ts/c.ts"}), ElementsAre("+ src/b.ts/c.ts"));
}

// A blob of megabytes may be one of gigabytes, packed.
TEST_F(GitChangesTest, WhatIsLargerThanAnyTextIsNotUnpacked) {
  tree_.write("src/a.ts", std::string(std::size_t{64} << 20U, ' '));
  tree_.git("add -A");
  // One byte more than a text has, and no text.
  const std::string large((std::size_t{1} << 20U) + 1, '\0');
  EXPECT_EQ(find(true).read_staged("src/a.ts")->value(), large);
  tree_.git("commit -qm large");
  EXPECT_EQ(find(true).read_before("src/a.ts")->value(), large);
}

// With holes, such as an archive may bring along.
TEST_F(GitChangesTest, AFileOfGitsDataOfAnySizeIsNotReadWhole) {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t kSize = std::uintmax_t{2} << 30U;
  tree_.git("pack-refs --all");
  for (const char* name : {".git/packed-refs", ".git/index", ".git/HEAD"}) {
    const fs::path path = tree_.root() / name;
    const std::uintmax_t before = fs::file_size(path);
    fs::resize_file(path, kSize);
    const auto found = GitChanges::find(tree_.root(), tree_.root(), {});
    ASSERT_FALSE(found.ok()) << name;
    EXPECT_EQ(found.error().code(), ErrorCode::kUnsupported) << name;
    fs::resize_file(path, before);
  }
  EXPECT_TRUE(GitChanges::find(tree_.root(), tree_.root(), {}).ok());
  for (const auto& entry : fs::recursive_directory_iterator(tree_.root() / ".git/objects")) {
    if (!entry.is_regular_file()) continue;
    fs::permissions(entry.path(), fs::perms::owner_all);
    fs::resize_file(entry.path(), kSize);
  }
  const testing::LeaksOfOthers allowed;  // libgit2 keeps a reference when it gets no memory
  EXPECT_FALSE(GitChanges::find(tree_.root(), tree_.root(), {}).ok());
}

TEST_F(GitChangesTest, TextsComeFromTheCommitAndTheStagingArea) {
  tree_.write("src/a.ts", "staged\n");
  tree_.git("add -A");
  tree_.write("src/a.ts", "in the work tree\n");
  tree_.write("src/c.ts", "c\n");
  const GitChanges changes = find(true);
  EXPECT_EQ(*changes.read_before("src/a.ts"), "a\n");
  EXPECT_EQ(*changes.read_staged("src/a.ts"), "staged\n");
  EXPECT_EQ(*changes.read_before("src/c.ts"), std::nullopt);
  EXPECT_EQ(*changes.read_staged("src/c.ts"), std::nullopt);
  // From the work tree's point of view: c.ts is there alone, a.ts in both.
  EXPECT_THAT(lines(*changes.list_unstaged()), ElementsAre("~ src/a.ts", "- src/c.ts"));
}

TEST_F(GitChangesTest, AnOlderRevision) {
  tree_.write("src/c.ts", "c\n");
  tree_.git("add -A");
  tree_.git("commit -qm second");
  EXPECT_THAT(lines(find(false).changes()), IsEmpty());
  EXPECT_THAT(lines(find(false, "HEAD~1").changes()), ElementsAre("+ src/c.ts"));
  EXPECT_EQ(GitChanges::find(tree_.root(), tree_.root(), {.since = "none"}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_F(GitChangesTest, BeforeTheFirstCommitAllIsNew) {
  TemporaryTree other;
  other.git("init -q");
  other.write("a.ts", "a\n");
  other.git("add -A");
  const auto changes = GitChanges::find(other.root(), other.root(), {});
  EXPECT_THAT(lines(changes->changes()), ElementsAre("+ a.ts"));
  EXPECT_EQ(*changes->read_before("a.ts"), std::nullopt);
}

TEST_F(GitChangesTest, PathsAreOfTheRootAndOthersAreLeftOut) {
  tree_.write("outside.ts", "x\n");
  tree_.write("src/a.ts", "other\n");
  const GitChanges changes = find(false, "", "src");
  EXPECT_THAT(lines(changes.changes()), ElementsAre("~ a.ts"));
  EXPECT_EQ(*changes.read_before("a.ts"), "a\n");
}

TEST_F(GitChangesTest, LinksAndSubmodulesAreNoFiles) {
  tree_.git("init -q module");
  tree_.git("commit -q --allow-empty -m first", "module");
  std::filesystem::create_symlink("src", tree_.root() / "link");
  tree_.git("add -A");
  EXPECT_THAT(lines(find(true).changes()), IsEmpty());
  // A file that becomes a link is gone.
  std::filesystem::remove(tree_.root() / "src/a.ts");
  std::filesystem::create_symlink("b.ts", tree_.root() / "src/a.ts");
  EXPECT_THAT(lines(find(false).changes()), ElementsAre("- src/a.ts"));
}

TEST_F(GitChangesTest, IgnoredFilesMayBeMissing) {
  tree_.write(".gitignore", "dist/\n*.gen.ts\n");
  const GitChanges changes = find(false);
  EXPECT_TRUE(changes.is_ignored("dist/x.js"));
  EXPECT_TRUE(changes.is_ignored("src/x.gen.ts"));
  EXPECT_FALSE(changes.is_ignored("src/x.ts"));
}

TEST_F(GitChangesTest, NoRepositoryIsSaidOnce) {
  TemporaryTree plain;
  const auto changes = GitChanges::find(plain.root(), plain.root(), {});
  ASSERT_FALSE(changes.ok());
  EXPECT_EQ(changes.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(changes.error().message(), plain.root().string() + " is in no git repository");
}

TEST_F(GitChangesTest, StagedFilesForTheHook) {
  tree_.write("src/a.ts", "other\n");
  tree_.git("add -A");
  tree_.git("rm -q src/b.ts");
  EXPECT_THAT(*list_staged_files(tree_.root(), tree_.root()), ElementsAre("src/a.ts", "src/b.ts"));
}

}  // namespace
}  // namespace codexmem::index
