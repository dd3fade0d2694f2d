#include "index/changes/change_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <vector>

#include "base/stop_scope.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangeHistoryTest : public ::testing::Test {
 protected:
  ChangeHistoryTest() { tree_.git("init -q -b main"); }

  // A commit that changes `paths`.
  void commit(const std::vector<std::string>& paths, const std::string& options = "") {
    for (const std::string& path : paths) tree_.write(path, std::to_string(++count_) + "\n");
    tree_.git("add -A");
    tree_.git("commit -qm change " + options);
  }

  static std::vector<std::string> lines(const FileHistory& history) {
    std::vector<std::string> list;
    for (const ChangedFile& file : history.together) {
      list.push_back(file.path + " " + std::to_string(file.commits));
    }
    return list;
  }

  FileHistory find(const std::string& path, const std::string& root = "") {
    auto found = ChangeHistory(tree_.root() / root).find(path);
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message());
    return *std::move(found);
  }

  TemporaryTree tree_;
  int count_ = 0;
};

TEST_F(ChangeHistoryTest, FilesOfTheSameCommitsAreCounted) {
  commit({"src/a.ts", "src/b.ts", "c.ts"});
  commit({"src/a.ts", "c.ts"});
  commit({"src/a.ts"});
  commit({"d.ts", "c.ts"});
  const FileHistory history = find("src/a.ts");
  EXPECT_THAT(lines(history), ElementsAre("c.ts 2", "src/b.ts 1"));
  EXPECT_EQ(history.commits, 3U);
  EXPECT_EQ(history.looked_at, 4U);
  EXPECT_FALSE(history.is_shallow);
  EXPECT_FALSE(history.is_cut);
  EXPECT_THAT(lines(find("never.ts")), IsEmpty());
}

TEST_F(ChangeHistoryTest, MergesAndCommitsOfManyFilesDoNotCount) {
  commit({"a.ts", "b.ts"});
  std::vector<std::string> many = {"a.ts"};
  for (std::size_t i = 0; i < kMaxCommitFiles; ++i) many.push_back("m" + std::to_string(i));
  commit(many);
  tree_.git("checkout -qb side");
  commit({"a.ts", "side.ts"});
  tree_.git("checkout -q main");
  commit({"b.ts"});
  tree_.git("merge -q --no-edit side");
  const FileHistory history = find("a.ts");
  EXPECT_THAT(lines(history), ElementsAre("b.ts 1", "side.ts 1"));
  EXPECT_EQ(history.commits, 2U);
  EXPECT_EQ(history.looked_at, 5U);
}

TEST_F(ChangeHistoryTest, TheTimelineHasTodaysPathsAndPeopleByNumber) {
  const auto dated = [](int day) {
    return "--date=2024-01-0" + std::to_string(day) + "T00:00:00Z";
  };
  const auto at = [&](int day, const std::vector<std::string>& paths, const std::string& author) {
    setenv("GIT_COMMITTER_DATE", ("2024-01-0" + std::to_string(day) + "T00:00:00Z").c_str(), 1);
    commit(paths, dated(day) + " --author='X <" + author + "@x.test>'");
  };
  at(1, {"src/a.ts", "src/b.ts"}, "one");
  at(2, {"src/a.ts"}, "two");
  tree_.git("mv src lib");
  at(3, {"c.ts"}, "one");
  unsetenv("GIT_COMMITTER_DATE");
  const auto found = ChangeHistory(tree_.root()).timeline(std::chrono::seconds(10));
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->commits.size(), 3U);
  const TimedCommit& first = found->commits[0];
  EXPECT_EQ(first.time, 1'704'067'200);
  EXPECT_THAT(first.changed, ElementsAre("lib/a.ts", "lib/b.ts"));
  EXPECT_THAT(first.added, ElementsAre("lib/a.ts", "lib/b.ts"));
  EXPECT_NE(found->commits[1].author, first.author);
  EXPECT_EQ(found->commits[2].author, first.author);
  EXPECT_THAT(found->commits[2].added, ElementsAre("c.ts"));
  const auto inside = ChangeHistory(tree_.root() / "lib").timeline(std::chrono::seconds(10));
  ASSERT_TRUE(inside.ok());
  EXPECT_THAT(inside->commits[1].changed, ElementsAre("a.ts"));
}

TEST_F(ChangeHistoryTest, PathsAreOfTheRoot) {
  commit({"src/a.ts", "src/b.ts", "outside.ts"});
  EXPECT_THAT(lines(find("a.ts", "src")), ElementsAre("b.ts 1"));
  // A repository inside of the workspace has a history of its own.
  std::filesystem::create_directory(tree_.root() / "inner");
  tree_.git("init -q -b main", "inner");
  tree_.write("inner/x.ts", "x\n");
  tree_.write("inner/y.ts", "y\n");
  tree_.git("add -A", "inner");
  tree_.git("commit -qm first", "inner");
  EXPECT_THAT(lines(find("inner/x.ts")), ElementsAre("inner/y.ts 1"));
}

TEST_F(ChangeHistoryTest, AShallowCloneSaysSoAndItsBorderDoesNotCount) {
  commit({"a.ts", "b.ts", "c.ts"});
  commit({"a.ts", "b.ts"});
  commit({"a.ts", "c.ts"});
  tree_.git("clone -q --depth 2 file://" + tree_.root().string() + " shallow");
  const FileHistory history = find("a.ts", "shallow");
  EXPECT_TRUE(history.is_shallow);
  EXPECT_EQ(history.looked_at, 2U);
  EXPECT_THAT(lines(history), ElementsAre("c.ts 1"));
}

TEST_F(ChangeHistoryTest, WithoutCommitsOrGitItIsEmpty) {
  EXPECT_EQ(find("a.ts").looked_at, 0U);
  TemporaryTree bare;
  const auto found = ChangeHistory(bare.root()).find("a.ts");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->looked_at, 0U);
}

TEST_F(ChangeHistoryTest, ANewCommitIsSeenByTheSameHistory) {
  ChangeHistory history(tree_.root());
  commit({"a.ts", "b.ts"});
  EXPECT_THAT(lines(*history.find("a.ts")), ElementsAre("b.ts 1"));
  commit({"a.ts", "b.ts"});
  EXPECT_THAT(lines(*history.find("a.ts")), ElementsAre("b.ts 2"));
  tree_.git("reset -q --hard HEAD~1");
  EXPECT_THAT(lines(*history.find("a.ts")), ElementsAre("b.ts 1"));
}

TEST_F(ChangeHistoryTest, OnlyTheLastThousandCommitsAreRead) {
  commit({"old.ts", "a.ts"});
  std::string script;  // one process: a thousand of them take long
  for (std::size_t i = 0; i < kMaxCommits; ++i) {
    script += "commit refs/heads/main\ncommitter A <a@b.c> " + std::to_string(4'000'000'000 + i) +
              " +0000\ndata 0\n" + (i == 0 ? "from refs/heads/main^0\n" : "") +
              "M 100644 inline a.ts\ndata 8\n" + std::to_string(10'000'000 + i) + "\n";
  }
  tree_.write("script", script);
  tree_.git("fast-import --quiet < script");
  const FileHistory history = find("a.ts");
  EXPECT_EQ(history.looked_at, kMaxCommits);
  EXPECT_EQ(history.commits, kMaxCommits);
  EXPECT_THAT(lines(history), IsEmpty());
}

TEST_F(ChangeHistoryTest, MayBeCancelledAndGoesOnAfterwards) {
  commit({"a.ts", "b.ts"});
  ChangeHistory history(tree_.root());
  std::stop_source stop;
  stop.request_stop();
  {
    const StopScope scope(stop.get_token());
    const auto cancelled = history.find("a.ts");
    ASSERT_FALSE(cancelled.ok());
    EXPECT_EQ(cancelled.error().code(), ErrorCode::kCancelled);
  }
  EXPECT_THAT(lines(*history.find("a.ts")), ElementsAre("b.ts 1"));
}

TEST_F(ChangeHistoryTest, AllFilesAreCountedAtOnce) {
  commit({"src/a.ts", "src/b.ts", "c.ts"});
  commit({"src/a.ts"});
  const auto all = ChangeHistory(tree_.root()).count(std::chrono::seconds(10));
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->is_unfinished);
  EXPECT_EQ(all->looked_at, 2U);
  EXPECT_EQ(all->commits.at("src/a.ts"), 2U);
  EXPECT_EQ(all->commits.at("c.ts"), 1U);
  const auto inside = ChangeHistory(tree_.root() / "src").count(std::chrono::seconds(10));
  ASSERT_TRUE(inside.ok());
  EXPECT_EQ(inside->commits.size(), 2U);
  EXPECT_EQ(inside->commits.at("a.ts"), 2U);
}

TEST_F(ChangeHistoryTest, ACountThatTakesLongGoesOnByItself) {
  for (int i = 0; i < 3; ++i) commit({"a.ts"});
  ChangeHistory history(tree_.root());
  const auto hasty = history.count(std::chrono::milliseconds(-1));
  ASSERT_TRUE(hasty.ok());
  EXPECT_TRUE(hasty->is_unfinished);
  EXPECT_TRUE(hasty->commits.empty());
  auto later = history.count(std::chrono::seconds(10));
  while (later.ok() && later->is_unfinished) later = history.count(std::chrono::seconds(10));
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->commits.at("a.ts"), 3U);
}

}  // namespace
}  // namespace codexmem::index
