// The index of a worktree begins as a copy of another one in the repository
// (store/code/workspace.h).
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "config/git_root.h"
#include "dump_lines.h"
#include "index/run/indexer.h"
#include "store/code/store_directory.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;

class Worktrees : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 20; ++i) {
      tree_.write("main/src/m" + std::to_string(i) + ".py",
                  "from m0 import f0\n\ndef f" + std::to_string(i) + "():\n    return f0()\n");
    }
    tree_.git("init -q main");
    tree_.git("add .", "main");
    tree_.git("commit -qm one", "main");
  }

  fs::path at(const std::string& name) const { return fs::canonical(tree_.root() / name); }

  static IndexReport index(const fs::path& root) {
    auto workspace = store::Workspace::open(root);
    EXPECT_TRUE(workspace.ok()) << workspace.error().message();
    auto report = index_repository(**workspace);
    EXPECT_TRUE(report.ok()) << report.error().message();
    return *std::move(report);
  }

  static std::vector<std::string> dump(const fs::path& root) {
    auto workspace = store::Workspace::open(root);
    return dump_lines(**workspace);
  }

  // The dump of an index made from nothing.
  std::vector<std::string> clean_dump(const std::string& name) const {
    const fs::path copy = tree_.root() / (name + ".clean");
    fs::copy(at(name), copy, fs::copy_options::recursive);
    fs::remove_all(copy / ".codexmem");
    fs::remove(copy / ".git");
    index(copy);
    return dump(copy);
  }

  TemporaryTree tree_;
};

TEST_F(Worktrees, AreFoundFromEach) {
  tree_.git("worktree add -q ../b", "main");
  tree_.git("worktree add -q ../a", "main");
  EXPECT_EQ(other_worktrees(at("main")), (std::vector{at("a"), at("b")}));
  EXPECT_EQ(other_worktrees(at("a")), (std::vector{at("main"), at("b")}));
  EXPECT_EQ(other_worktrees(at("main/src")), std::vector<fs::path>());
  fs::remove_all(at("b"));
  EXPECT_EQ(other_worktrees(at("a")), std::vector{at("main")});
}

TEST_F(Worktrees, OfABareRepositoryAreFound) {
  tree_.git("clone -q --bare main bare.git");
  tree_.git("worktree add -q ../a -b a", "bare.git");
  tree_.git("worktree add -q ../b -b b", "bare.git");
  EXPECT_EQ(other_worktrees(at("a")), std::vector{at("b")});
}

// Names of folders alone do not make one a worktree of somebody's repository.
TEST_F(Worktrees, OnlyCountWhenBothSidesSaySo) {
  tree_.git("worktree add -q ../a", "main");
  const std::string data = (at("main") / ".git/worktrees/a").string();
  tree_.write("claims/.git", "gitdir: " + data + "\n");
  EXPECT_EQ(other_worktrees(at("claims")), std::vector<fs::path>());
  // Data of its own that names the repository.
  tree_.write("forged/.git", "gitdir: data\n");
  tree_.write("forged/data/gitdir", (at("forged") / ".git").string() + "\n");
  tree_.write("forged/data/commondir", (at("main") / ".git").string() + "\n");
  EXPECT_EQ(other_worktrees(at("forged")), std::vector<fs::path>());
  tree_.write("owner/.git/worktrees/x/gitdir", (at("a") / ".git").string() + "\n");
  EXPECT_EQ(other_worktrees(at("owner")), std::vector<fs::path>());
}

TEST_F(Worktrees, BeginWithTheIndexOfAnother) {
  EXPECT_EQ(index(at("main")).files_processed, 20U);
  tree_.git("worktree add -q ../b", "main");
  tree_.write("b/src/m3.py", "def changed():\n    return 3\n");
  tree_.write("b/src/new.py", "from m3 import changed\n");
  fs::remove(at("b") / "src/m4.py");
  const IndexReport report = index(at("b"));
  EXPECT_EQ(report.added, 1U);
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.deleted, 1U);
  EXPECT_EQ(report.unchanged, 18U);
  EXPECT_EQ(report.files_processed, 2U);
  EXPECT_EQ(dump(at("b")), clean_dump("b"));
  EXPECT_EQ(index(at("b")).files_processed, 0U);
  EXPECT_EQ(index(at("main")).files_processed, 0U);
}

TEST_F(Worktrees, CompareFilesThatHaveTheTimesOfOthers) {
  index(at("main"));
  tree_.git("worktree add -q ../b", "main");
  const fs::path here = at("b") / "src/m5.py", there = at("main") / "src/m5.py";
  std::string text = read_file(there).value();
  text.replace(text.find("f5"), 2, "g5");
  tree_.write("b/src/m5.py", text);
  fs::last_write_time(here, fs::last_write_time(there));
  EXPECT_EQ(index(at("b")).changed, 1U);
  EXPECT_EQ(dump(at("b")), clean_dump("b"));
}

TEST_F(Worktrees, BeginWithNothingWhenTheOtherIndexIsNotOurs) {
  index(at("main"));
  fs::remove(at("main") / store::kDirectoryName / "seal");
  tree_.git("worktree add -q ../b", "main");
  EXPECT_EQ(index(at("b")).added, 20U);
}

}  // namespace
}  // namespace codexmem::index
