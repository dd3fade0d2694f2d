#include "serve/directory_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/temporary_directory.h"

namespace codexmem::serve {
namespace {
namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Interest = index::RunObserver::Interest;

class DirectoryWatchTest : public ::testing::Test {
 protected:
  Changes take() {
    Changes changes;
    watch_.take(changes);
    return changes;
  }
  fs::path root() const { return directory_.path(); }

  testing::TemporaryDirectory directory_;
  DirectoryWatch watch_{directory_.path()};
};

TEST_F(DirectoryWatchTest, ReportsEntriesOfAddedFolders) {
  fs::create_directories(root() / "a/b");
  watch_.add("");
  watch_.add("a");
  directory_.write("one", "");
  directory_.write("a/two", "");
  directory_.write("a/b/three", "");
  fs::create_directory(root() / "c");
  EXPECT_THAT(take().paths, ElementsAre("a/two", "c", "one"));
  EXPECT_TRUE(take().empty());
}

TEST_F(DirectoryWatchTest, AFolderThatMovesLosesItsNameAndGetsItsNewOne) {
  fs::create_directories(root() / "a/b");
  for (const char* folder : {"", "a", "a/b"}) watch_.add(folder);
  fs::rename(root() / "a", root() / "z");
  watch_.add("z");
  watch_.add("z/b");
  EXPECT_THAT(take().paths, ElementsAre("a", "z"));
  directory_.write("z/b/file", "");
  EXPECT_THAT(take().paths, ElementsAre("z/b/file"));
}

TEST_F(DirectoryWatchTest, AFolderMadeAgainUnderItsNameIsAnotherOne) {
  fs::create_directories(root() / "a");
  watch_.add("");
  watch_.add("a");
  fs::remove(root() / "a");
  fs::create_directory(root() / "a");
  watch_.add("a");
  EXPECT_THAT(take().paths, ElementsAre("a"));
  watch_.add("a");  // the run that the event asks for
  directory_.write("a/file", "");
  EXPECT_THAT(take().paths, ElementsAre("a/file"));
}

TEST_F(DirectoryWatchTest, FilesThatHoldRulesChangeEverything) {
  watch_.add("");
  for (const char* name : {".gitignore", ".codexmemignore", "pyvenv.cfg"}) {
    directory_.write(name, "");
    EXPECT_TRUE(take().anything) << name;
  }
  fs::create_directory(root() / ".git");
  EXPECT_TRUE(take().anything) << "a repository begins here";
  fs::create_directory(root() / ".codexmem");
  EXPECT_TRUE(take().empty()) << "our own";
}

TEST_F(DirectoryWatchTest, ASingleFileIsFollowedBeforeItIsThere) {
  const fs::path file = root() / "outside/git/HEAD";
  watch_.follow(file, Interest::kRules);
  fs::create_directory(root() / "other");
  EXPECT_TRUE(take().empty());
  fs::create_directory(root() / "outside");
  EXPECT_TRUE(take().anything);
  watch_.follow(file, Interest::kRules);
  directory_.write("outside/git/HEAD", "");
  EXPECT_TRUE(take().anything);
  watch_.follow(file, Interest::kRules);
  directory_.write("outside/git/FETCH_HEAD", "");
  EXPECT_TRUE(take().empty());
  // As git writes it.
  directory_.write("outside/git/HEAD.lock", "");
  fs::rename(root() / "outside/git/HEAD.lock", file);
  EXPECT_TRUE(take().anything);
}

TEST_F(DirectoryWatchTest, ALinkIsFollowedToItsFile) {
  directory_.write("dotfiles/ignore", "");
  fs::create_directory(root() / "home");
  fs::create_symlink("../dotfiles/ignore", root() / "home/ignore");
  watch_.follow(root() / "home/ignore", Interest::kRules);
  directory_.write("dotfiles/ignore", "*.log");
  EXPECT_TRUE(take().anything);
}

TEST_F(DirectoryWatchTest, ConfigurationIsReportedByPathAndTheListOfTrackedFilesForLater) {
  fs::create_directories(root() / "git");
  watch_.follow(root() / "gen/conf/base.json", Interest::kConfiguration);
  watch_.follow(root() / "git/index", Interest::kTracked);
  fs::create_directory(root() / "gen");
  EXPECT_THAT(take().paths, ElementsAre("gen/conf/base.json"));
  directory_.write("git/index", "");
  const Changes changes = take();
  EXPECT_TRUE(changes.empty());
  EXPECT_TRUE(changes.later);
}

TEST_F(DirectoryWatchTest, ARoundDropsWatchesThatAreNotAddedAgain) {
  fs::create_directories(root() / "a");
  fs::create_directories(root() / "b");
  for (const char* folder : {"", "a", "b"}) watch_.add(folder);
  watch_.begin_round();
  watch_.add("");
  watch_.add("b");
  watch_.end_round();
  EXPECT_EQ(watch_.size(), 2U);
  directory_.write("a/file", "");
  EXPECT_TRUE(take().empty());
  directory_.write("b/file", "");
  EXPECT_THAT(take().paths, ElementsAre("b/file"));
}

TEST_F(DirectoryWatchTest, SaysWhenThereAreTooFewWatchesAndWhenThereAreEnoughAgain) {
  fs::create_directories(root() / "a");
  DirectoryWatch narrow(root(), 1);
  narrow.add("");
  EXPECT_EQ(narrow.gap(), "");
  narrow.add("a");
  EXPECT_NE(narrow.gap().find("max_user_watches"), std::string::npos) << narrow.gap();
  narrow.begin_round();
  narrow.add("");
  EXPECT_NE(narrow.gap(), "") << "a round that is not over says nothing";
  narrow.end_round();
  EXPECT_EQ(narrow.gap(), "");
  EXPECT_NE(DirectoryWatch(root(), 0).gap(), "");
}

TEST_F(DirectoryWatchTest, LostEventsAreAChangeOfEverything) {
  watch_.add("");
  std::size_t most = 16384;
  if (FILE* limit = std::fopen("/proc/sys/fs/inotify/max_queued_events", "re")) {
    EXPECT_EQ(std::fscanf(limit, "%zu", &most), 1);
    std::fclose(limit);
  }
  if (most > 100'000) GTEST_SKIP() << "the queue is too long to be filled";
  // Events that are equal to the last one are not queued.
  for (std::size_t i = 0; i <= most / 2; ++i) {
    fs::permissions(root(), fs::perms::owner_all);
    directory_.write(i % 2 == 0 ? "a" : "b", "");
  }
  EXPECT_TRUE(take().anything);
  EXPECT_EQ(watch_.size(), 0U) << "what was watched is to be found out anew";
}

}  // namespace
}  // namespace codexmem::serve
