// The index of a worktree begins as a copy of another one in the repository
// (store/code/workspace.h).
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/file_lock.h"
#include "config/git_root.h"
#include "dump_lines.h"
#include "index/run/indexer.h"
#include "store/code/seal.h"
#include "store/code/store_directory.h"
#include "store/file_identity.h"
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

  static IndexReport index(const fs::path& root, const IndexOptions& options = {}) {
    auto workspace = store::Workspace::open(root);
    EXPECT_TRUE(workspace.ok()) << workspace.error().message();
    auto report = index_repository(**workspace, options);
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
    fs::remove_all(copy);
    fs::copy(at(name), copy, fs::copy_options::recursive);
    fs::remove_all(copy / ".codexmem");
    fs::remove_all(copy / ".git");
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

TEST_F(Worktrees, ShareWhatIsDerivedUntilItIsWrittenAgain) {
  index(at("main"));
  const fs::path theirs = at("main") / store::kDirectoryName / "vectors.faiss";
  const std::string before = read_file(theirs).value();
  tree_.git("worktree add -q ../b", "main");
  index(at("b"));
  const fs::path own = at("b") / store::kDirectoryName / "vectors.faiss";
  EXPECT_TRUE(fs::equivalent(own, theirs));
  for (int i = 0; i < 100; ++i) {
    tree_.write("b/src/x" + std::to_string(i) + ".py", "def x():\n    return 1\n");
  }
  index(at("b"));
  EXPECT_FALSE(fs::equivalent(own, theirs));
  EXPECT_EQ(read_file(theirs).value(), before);
}

// A file in the new worktree, or in the other and not sealed, is not taken for ours.
TEST_F(Worktrees, ShareNothingThatSomebodyElseLeft) {
  index(at("main"));
  tree_.git("worktree add -q ../b", "main");
  for (const char* name : {"vectors.faiss", "ranking.bin"}) {
    tree_.write(std::string("b/.codexmem/") + name, "theirs");
  }
  tree_.write("foreign", "theirs");
  fs::rename(at("foreign"), at("main") / ".codexmem/ranking.bin");
  auto workspace = store::Workspace::open(at("b"));
  ASSERT_TRUE(workspace.ok());
  EXPECT_FALSE(store::is_own_file((*workspace)->vectors_path()));
  EXPECT_FALSE(store::is_own_file((*workspace)->ranking_path()));
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

// What another worktree has parsed since is not parsed again: a mark that its index has of the
// files shows where the facts come from.
TEST_F(Worktrees, TakeTheFactsOfFilesThatAnotherHasParsed) {
  index(at("main"));
  tree_.git("worktree add -q ../b", "main");
  index(at("b"));
  const auto write = [&](const std::string& tree) {
    for (int i = 0; i < 10; ++i) {
      tree_.write(tree + "/src/n" + std::to_string(i) + ".py",
                  "from m1 import f1\n\nclass C:\n    def new" + std::to_string(i) +
                      "(self):\n        return f1()\n");
    }
  };
  const auto change = [&](const std::string& sql) {
    auto workspace = store::Workspace::open(at("b"));
    EXPECT_TRUE((*workspace)->writer().value()->execute(sql).ok());
  };
  const auto marked = [&] {
    const auto lines = dump(at("main"));
    return std::ranges::count_if(
        lines, [](const std::string& line) { return line.find("in \"Marked\"") != line.npos; });
  };
  write("b");
  index(at("b"));
  write("main");
  EXPECT_EQ(index(at("main")).added, 10U);
  EXPECT_EQ(dump(at("main")), clean_dump("main"));

  const auto read_again = [&] {
    for (int i = 0; i < 10; ++i) fs::remove(at("main") / ("src/n" + std::to_string(i) + ".py"));
    index(at("main"), {.force = true});  // which drops parked rows
    write("main");
    index(at("main"));
  };
  change("UPDATE symbol_rows SET container = 'Marked' WHERE name LIKE 'new%'");
  read_again();
  EXPECT_EQ(marked(), 10);
  change("UPDATE meta SET value = 'older' WHERE key = 'index_version'");
  read_again();
  EXPECT_EQ(marked(), 0);
  fs::remove(at("b") / store::kDirectoryName / "seal");
  read_again();
  EXPECT_EQ(dump(at("main")), clean_dump("main"));
}

// Where files can share blocks, indexes have no bases.
class Bases : public Worktrees {
 protected:
  void SetUp() override {
    Worktrees::SetUp();
    index(at("main"));
    tree_.git("worktree add -q ../a", "main");
    index(at("a"));
    if (bases("a").empty()) GTEST_SKIP() << "files share blocks here";
  }

  // The bases in a worktree's store.
  std::vector<fs::path> bases(const std::string& name) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(at(name) / store::kDirectoryName)) {
      if (entry.path().filename().string().starts_with("base-")) found.push_back(entry.path());
    }
    return found;
  }

  std::uint64_t own_bytes(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::lstat((at(name) / ".codexmem/index.db").c_str(), &info), 0);
    return static_cast<std::uint64_t>(info.st_blocks) * 512;
  }

  void change_all(const std::string& name) {
    for (int i = 0; i < 300; ++i) {
      tree_.write(name + "/src/x" + std::to_string(i) + ".py",
                  "def of_" + name + std::to_string(i) + "():\n    return f0()\n");
    }
  }
};

TEST_F(Bases, AreOneForAllWorktrees) {
  for (const char* name : {"b", "c"}) {
    tree_.git(std::string("worktree add -q ../") + name, "main");
    index(at(name));
  }
  ASSERT_EQ(bases("main").size(), 1U);
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_EQ(bases(name).size(), 1U) << name;
    EXPECT_TRUE(fs::equivalent(bases(name)[0], bases("main")[0])) << name;
    EXPECT_LT(own_bytes(name), fs::file_size(bases(name)[0]) / 4) << name;
    EXPECT_EQ(dump(at(name)), clean_dump(name)) << name;
  }
  change_all("b");
  index(at("b"));
  tree_.write("main/src/m1.py", "def other():\n    return 1\n");
  index(at("main"));
  for (const char* name : {"main", "a", "b", "c"}) EXPECT_EQ(dump(at(name)), clean_dump(name));
}

// Those that begin with an index that has grown far from its base share a new one.
TEST_F(Bases, AreMadeAgainWhenMuchHasChanged) {
  const fs::path first = bases("a")[0].filename();
  change_all("main");
  index(at("main"));
  tree_.git("add -A", "main");
  tree_.git("commit -qm more", "main");
  fs::last_write_time(at("main") / ".codexmem/index.db", fs::file_time_type::clock::now());
  tree_.git("worktree add -q ../b", "main");
  EXPECT_EQ(index(at("b")).files_processed, 0U);
  ASSERT_EQ(bases("main").size(), 1U);
  EXPECT_NE(bases("main")[0].filename(), first);
  EXPECT_TRUE(fs::equivalent(bases("main")[0], bases("b")[0]));
  EXPECT_EQ(bases("a")[0].filename(), first);
  for (const char* name : {"main", "a", "b"}) EXPECT_EQ(dump(at(name)), clean_dump(name));
}

TEST_F(Worktrees, AnOpenIndexStaysWholeWhenItGetsABase) {
  index(at("main"));
  auto open = store::Workspace::open(at("main"));
  auto before = (*open)->reader();
  const auto files = before->operator*().counts()->files;
  tree_.git("worktree add -q ../b", "main");
  index(at("b"));
  tree_.write("main/src/new.py", "def new():\n    return 1\n");
  ASSERT_TRUE(index_repository(**open, {}).ok());
  EXPECT_EQ(before->operator*().counts()->files, files);  // of the file that was there
  EXPECT_EQ((*open)->reader().value()->counts()->files, files + 1);
  EXPECT_EQ(dump(at("main")), clean_dump("main"));
}

// While it is written, nothing takes its place.
TEST_F(Worktrees, AnIndexUnderARunIsCopiedAsItIs) {
  index(at("main"));
  const fs::path database = at("main") / ".codexmem/index.db";
  const auto number = store::find_identity(database);
  {
    const auto run = FileLock::take(at("main") / ".codexmem/lock");
    tree_.git("worktree add -q ../b", "main");
    EXPECT_EQ(index(at("b")).files_processed, 0U);
    EXPECT_EQ(store::find_identity(database), number);
    EXPECT_EQ(dump(at("b")), clean_dump("b"));
  }
  {
    auto other = store::Workspace::open(at("main"));
    auto* const writer = (*other)->writer().value();
    const auto writing = store::Transaction::begin(*writer);
    tree_.git("worktree add -q ../c", "main");
    fs::remove_all(at("b"));
    EXPECT_EQ(index(at("c")).files_processed, 0U);
    EXPECT_EQ(store::find_identity(database), number);
  }
  EXPECT_EQ(dump(at("c")), clean_dump("c"));
}

TEST_F(Bases, EndWithTheirLastUserOnceTheyAreOfNoUse) {
  const auto number = store::find_identity(at("main") / ".codexmem/index.db");
  change_all("main");
  index(at("main"));
  index(at("main"));
  EXPECT_EQ(bases("main").size(), 1U);  // which the other uses
  fs::remove_all(at("a"));
  index(at("main"));
  EXPECT_TRUE(bases("main").empty());
  EXPECT_NE(store::find_identity(at("main") / ".codexmem/index.db"), number);
  EXPECT_EQ(index(at("main")).files_processed, 0U);
  EXPECT_EQ(dump(at("main")), clean_dump("main"));
}

TEST_F(Bases, ThatAreMissingOrChangedCostARebuild) {
  fs::remove(bases("a")[0]);
  IndexReport report = index(at("a"));
  EXPECT_EQ(report.files_processed, 20U);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings[0].find("is missing"), std::string::npos) << report.warnings[0];
  EXPECT_EQ(dump(at("a")), clean_dump("a"));
  const fs::path base = bases("main")[0];
  fs::permissions(base, fs::perms::owner_write, fs::perm_options::add);
  fs::resize_file(base, fs::file_size(base) / 8192 * 4096);
  report = index(at("main"));
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings[0].find("changed"), std::string::npos) << report.warnings[0];
  EXPECT_TRUE(bases("main").empty());
  EXPECT_EQ(dump(at("main")), clean_dump("main"));
}

TEST_F(Worktrees, BeginWithNothingWhenTheOtherIndexIsNotOurs) {
  index(at("main"));
  fs::remove(at("main") / store::kDirectoryName / "seal");
  tree_.git("worktree add -q ../b", "main");
  EXPECT_EQ(index(at("b")).added, 20U);
}

}  // namespace
}  // namespace codexmem::index
