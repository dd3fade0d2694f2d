#include "index/git/git_files.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/git/git_changes.h"
#include "index/git/git_repository.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {
namespace fs = std::filesystem;

class GitFiles : public ::testing::Test {
 protected:
  GitFiles() {
    tree_.git("init -q");
    tree_.write("src/a.ts", "a\n");
    tree_.git("add -A");
    tree_.git("commit -qm first");
  }

  void fifo(const fs::path& path) const {
    fs::create_directories((tree_.root() / path).parent_path());
    fs::remove(tree_.root() / path);
    ASSERT_EQ(::mkfifo((tree_.root() / path).c_str(), 0600), 0) << path;
  }

  ErrorCode refusal() const {
    const auto found = find_git_top(tree_.root(), true);
    EXPECT_FALSE(found.ok());
    EXPECT_EQ(GitRepository::find(tree_.root().string(), true), nullptr);
    return found.ok() ? ErrorCode::kIo : found.error().code();
  }

  TemporaryTree tree_;
};

// Each of these waited for ever: issue 17.
TEST_F(GitFiles, AFifoInGitsDataIsNotOpened) {
  for (const std::string path :
       {".git/config", ".git/HEAD", ".git/index", ".git/packed-refs", ".git/info/exclude",
        ".git/info/attributes", ".git/objects/info/alternates", ".git/refs/heads/main",
        ".git/objects/pack/pack-1.idx", ".git/logs/HEAD", ".git/commondir"}) {
    const std::string before = path + ".before";
    std::error_code missing;
    fs::rename(tree_.root() / path, tree_.root() / before, missing);
    fifo(path);
    EXPECT_EQ(refusal(), ErrorCode::kUnsupported) << path;
    fs::remove(tree_.root() / path);
    fs::rename(tree_.root() / before, tree_.root() / path, missing);
    EXPECT_TRUE(find_git_top(tree_.root(), true).ok()) << path;
  }
}

// Named by files that are read here differently than by libgit2, or not to their end.
TEST_F(GitFiles, AFifoInGitsDataElsewhereIsNotOpened) {
  const std::string alternates = ".git/objects/info/alternates";
  const std::string evil = (tree_.root() / "evil").string();
  fifo("evil/pack/multi-pack-index");
  for (const std::string& text :
       {evil + "\n", evil + "\r\n", "# a remark\r" + evil, std::string("../../evil\n"),
        std::string(5'000'000, '#') + "\n" + evil + "\n"}) {
    tree_.write(alternates, text);
    EXPECT_EQ(refusal(), ErrorCode::kUnsupported) << text.substr(0, 100);
  }
  const fs::path before = fs::current_path();
  fs::current_path(tree_.root());
  tree_.write(alternates, "evil\n");
  EXPECT_EQ(refusal(), ErrorCode::kUnsupported);
  fs::current_path(before);
  fs::remove(tree_.root() / alternates);

  fs::copy(tree_.root() / ".git", tree_.root() / "evil/git", fs::copy_options::recursive);
  fifo("evil/git/packed-refs");
  for (const std::string& text :
       {std::string("../evil/git\n"), "../evil/git" + std::string(70'000, '\n')}) {
    tree_.write(".git/commondir", text);
    EXPECT_EQ(refusal(), ErrorCode::kUnsupported) << text.substr(0, 100);
  }
}

TEST_F(GitFiles, AFifoThatTheConfigurationNamesIsNotOpened) {
  fifo("trap");
  fifo("odd=]#.trap");
  fifo("back\\");
  fifo("blank ");
  fs::create_directory_symlink(tree_.root(), tree_.root() / "link");
  for (const std::string lines : {
           "[include]\n\tpath = ../trap\n",
           "[include] path = ../trap ; what is here\n",
           "[InClude]\r\n\tPATH=\"../trap\"\r\n",
           "[includeIf \"gitdir:/a=b\"] path = ../trap\n",
           "[includeIf \"onbranch:]\"]\n\tpath = ../tr\\\nap\n",
           "[include]\n\tpath = \"../odd=]#.trap\"\n",
           "[include]\n\tpath = ../back\\\\\n[x]\n",
           "[include]\n\tpath = \"../blank \"\n",
           "[include]\n\tpath = ../link/trap\n",
           "[core]\n\texcludesFile = ../trap\n",
           "[core]\n\tattributesFile = ../trap\n",
           "[include]\n\tpath = ../more\n",
           "[include]\n\tpath = /dev/tty\n",
       }) {
    tree_.write("more", "[include]\n\tpath = trap\n");
    tree_.write(".git/config", "[core]\n\trepositoryformatversion = 0\n" + lines);
    EXPECT_EQ(refusal(), ErrorCode::kUnsupported) << lines;
  }
}

TEST_F(GitFiles, WhatPeopleConfigureIsOpened) {
  tree_.write(".gitconfig", "[include]\n\tpath = none\n[alias]\n\tst = status\n");
  tree_.write(".git/config",
              "[core]\n\trepositoryformatversion = 0\n\texcludesFile = /dev/null\n\thooksPath = "
              ".husky\n[include]\n\tpath = ../.gitconfig\n\tpath = ../none\n"
              "[includeIf \"gitdir:~/work/\"]\n\tpath = ~/.gitconfig-work\n"
              "[submodule \"x\"]\n\turl = https://example.org/x?a=b\n");
  EXPECT_NE(GitRepository::find(tree_.root().string()), nullptr);
}

TEST_F(GitFiles, LinkedAndSeparateAndSubmodulesAreOpened) {
  tree_.git("worktree add -q linked");
  tree_.git("init -q --separate-git-dir=../elsewhere.git", "src");
  tree_.git("init -q other");
  tree_.git("commit -q --allow-empty -m first", "other");
  tree_.git("submodule --quiet add ./other sub");
  for (const std::string folder : {"", "linked", "src", "sub"}) {
    const fs::path place = fs::canonical(tree_.root() / folder);
    const auto repository = GitRepository::find((tree_.root() / folder).string(), true);
    ASSERT_NE(repository, nullptr) << folder;
    EXPECT_EQ(repository->worktree(), place.string());
  }
  // A moved worktree's data still names the old place; its own rules count then.
  EXPECT_EQ(GitRepository::find((tree_.root() / "src/deep").string())->worktree(),
            fs::canonical(tree_.root() / "src").string());
}

TEST_F(GitFiles, AWorkTreeElsewhereIsNotEntered) {
  tree_.write("inner/a.ts", "a\n");
  tree_.git("init -q", "inner");
  for (const std::string place : {"/", "../..", "/tmp"}) {
    tree_.git("config core.worktree " + place, "inner");
    EXPECT_EQ(GitRepository::find((tree_.root() / "inner").string()), nullptr) << place;
    for (const bool is_staged : {true, false}) {
      const auto changes = GitChanges::find(tree_.root() / "inner", tree_.root() / "inner",
                                            {.since = "", .is_staged = is_staged});
      ASSERT_FALSE(changes.ok()) << place;
      EXPECT_EQ(changes.error().code(), ErrorCode::kUnsupported);
    }
  }
  // What was asked for may be named.
  tree_.git("config core.worktree ../..", "inner");
  EXPECT_TRUE(GitChanges::find(tree_.root(), tree_.root() / "inner", {}).ok());
}

TEST_F(GitFiles, AFifoThatRulesAreReadFromEndsTheComparison) {
  for (const std::string path : {"src/.gitignore", "src/.gitattributes", ".gitmodules"}) {
    fifo(path);
    EXPECT_TRUE(
        GitChanges::find(tree_.root(), tree_.root(), {.since = "", .is_staged = true}).ok());
    const auto changes =
        GitChanges::find(tree_.root(), tree_.root(), {.since = "", .is_staged = false});
    ASSERT_FALSE(changes.ok()) << path;
    EXPECT_EQ(changes.error().code(), ErrorCode::kUnsupported);
    fs::remove(tree_.root() / path);
  }
}

// What libgit2 does not enter need not be looked at; what it enters though it is ignored must be.
TEST_F(GitFiles, AFifoInAnIgnoredFolderMattersIfTheFolderIsEntered) {
  const auto compare = [&] {
    return GitChanges::find(tree_.root(), tree_.root(), {.since = "", .is_staged = false});
  };
  tree_.write(".gitignore", "node_modules/\nbuild/*\n!build/keep/\nout\n");
  fifo("node_modules/pkg/.gitignore");
  fifo("node_modules/.gitignore");
  fifo("build/other/.gitignore");
  fifo("out/.gitattributes");
  EXPECT_TRUE(compare().ok()) << compare().error().message();
  EXPECT_TRUE(compare()->list_unstaged().ok());
  for (const std::string path :
       {"build/keep/.gitignore", "build/keep/deep/.gitignore", "build/.gitignore"}) {
    fifo(path);
    ASSERT_FALSE(compare().ok()) << path;
    EXPECT_EQ(compare().error().code(), ErrorCode::kUnsupported);
    fs::remove(tree_.root() / path);
  }
  // Something tracked: now the folder is entered.
  tree_.write("node_modules/pkg/a.ts", "a\n");
  tree_.git("add -f node_modules/pkg/a.ts");
  ASSERT_FALSE(compare().ok());
  EXPECT_EQ(compare().error().code(), ErrorCode::kUnsupported);
}

// libgit2 1.5 leaks 20 KB for each name that an expression does not match, at each look of a
// server.
TEST_F(GitFiles, LookingForIncludedFilesKeepsNoMemory) {
  tree_.write("more", "[user]\n\tname = x\n");
  tree_.git("config include.path ../more");
  tree_.git("config includeIf.onbranch:x.path /elsewhere");
  const auto repository = GitRepository::find(tree_.root().string(), true);
  ASSERT_NE(repository, nullptr);
  const std::size_t before = ::mallinfo2().uordblks;
  std::vector<std::string> files;
  for (int i = 0; i < 100; ++i) files = repository->config_files();
  EXPECT_LT(::mallinfo2().uordblks, before + (std::size_t{1} << 20));
  EXPECT_NE(std::ranges::find(files, "/elsewhere"), files.end());
  EXPECT_TRUE(std::ranges::any_of(
      files, [](const std::string& file) { return file.ends_with("/.git/../more"); }));
}

}  // namespace
}  // namespace codexmem::index
