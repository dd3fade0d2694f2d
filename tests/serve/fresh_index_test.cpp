#include "serve/fresh_index.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "base/file_lock.h"
#include "support/temporary_directory.h"

namespace codexmem::serve {
namespace {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Only queries cause indexing: neither quiet files nor the clock start a run.
FreshIndex::Options patient() {
  FreshIndex::Options options;
  options.first_patience = 1min;
  options.quiet = 1h;
  options.look_over = 1h;
  return options;
}

std::chrono::steady_clock::time_point soon(std::chrono::milliseconds in = 1min) {
  return std::chrono::steady_clock::now() + in;
}

class FreshIndexTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_.write("src/one.ts", "export function one() {}\n");
    auto opened = store::Workspace::open(directory_.path());
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    workspace_ = *std::move(opened);
  }

  bool defines(std::string_view name) {
    auto reader = workspace_->reader();
    return reader.ok() && !(*reader)->list_symbols_named(name)->empty();
  }

  // The file that defines `name`, alone.
  std::string paths_of(std::string_view name) {
    auto reader = workspace_->reader();
    std::string paths;
    const auto symbols = (*reader)->list_symbols_named(name).value();
    for (const auto& symbol : symbols) {
      paths += (*reader)->find_file(store::file_of(symbol.id)).value()->path;
    }
    return paths;
  }

  void await(FreshIndex& fresh) {
    const auto behind = fresh.await(soon(), {}, {});
    ASSERT_TRUE(behind.ok()) << behind.error().message();
    EXPECT_EQ(*behind, "");
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<store::Workspace> workspace_;
};

TEST_F(FreshIndexTest, TheFirstQuestionWaitsForTheFirstIndex) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  EXPECT_TRUE(defines("one"));
}

TEST_F(FreshIndexTest, AQuestionSeesEditsNewFilesNewFoldersAndDeletionsMadeBeforeIt) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  directory_.write("src/one.ts", "export function edited() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("edited"));
  EXPECT_FALSE(defines("one"));
  directory_.write("src/two.ts", "export function two() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("two"));
  directory_.write("lib/deep/three.ts", "export function three() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("three"));
  directory_.write("lib/deep/three.ts", "export function four() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("four")) << "a folder that came later is watched too";
  fs::remove(directory_.path() / "src/two.ts");
  await(fresh);
  EXPECT_FALSE(defines("two"));
}

TEST_F(FreshIndexTest, FoldersThatComeGoAndMoveAreSeen) {
  // A folder without an indexed file is watched as well.
  fs::create_directories(directory_.path() / "empty/within");
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  directory_.write("empty/within/two.ts", "export function two() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("two"));

  fs::rename(directory_.path() / "empty", directory_.path() / "full");
  await(fresh);
  EXPECT_EQ(paths_of("two"), "full/within/two.ts");
  directory_.write("full/within/two.ts", "export function three() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("three")) << "a folder that moved is watched at its new place";

  // The old name is another folder's now.
  directory_.write("empty/within/four.ts", "export function four() {}\n");
  await(fresh);
  directory_.write("empty/within/four.ts", "export function five() {}\n");
  await(fresh);
  EXPECT_EQ(paths_of("five"), "empty/within/four.ts");

  const testing::TemporaryDirectory outside;
  fs::rename(directory_.path() / "full", outside.path() / "full");
  await(fresh);
  EXPECT_FALSE(defines("three"));
  outside.write("full/within/two.ts", "export function six() {}\n");
  fs::rename(outside.path() / "full", directory_.path() / "src/back");
  await(fresh);
  EXPECT_EQ(paths_of("six"), "src/back/within/two.ts");
  fs::remove_all(directory_.path() / "src/back");
  directory_.write("src/back/within/two.ts", "export function seven() {}\n");
  await(fresh);
  EXPECT_EQ(paths_of("seven"), "src/back/within/two.ts");
  directory_.write("src/back/within/two.ts", "export function eight() {}\n");
  await(fresh);
  EXPECT_TRUE(defines("eight"));
}

TEST_F(FreshIndexTest, IgnoredFoldersCostNoWatch) {
  for (int i = 0; i < 20; ++i) {
    directory_.write("node_modules/p" + std::to_string(i) + "/index.js", "");
    directory_.write("out/p" + std::to_string(i) + "/index.js", "");
  }
  directory_.write(".gitignore", "out/\n");
  FreshIndex::Options options = patient();
  options.watches = 8;  // the root and src, plus possible folders of git and the user
  FreshIndex fresh(*workspace_, {}, options);
  await(fresh);
  EXPECT_EQ(fresh.watch_gap(), "");
  directory_.write(".gitignore", "");
  await(fresh);
  EXPECT_NE(fresh.watch_gap(), "") << "out/ is to be watched now";
  directory_.write(".gitignore", "out/\n");
  await(fresh);
  EXPECT_EQ(fresh.watch_gap(), "") << "and not any more";
}

TEST_F(FreshIndexTest, WithoutWatchesAQuestionLooksForItself) {
  for (const std::size_t watches : {0, 1}) {
    FreshIndex::Options options = patient();
    options.watches = watches;
    FreshIndex fresh(*workspace_, {}, options);
    await(fresh);
    EXPECT_NE(fresh.watch_gap(), "");
    const std::string name = "late" + std::to_string(watches);
    directory_.write("a/b/c.ts", "export function " + name + "() {}\n");
    await(fresh);
    EXPECT_TRUE(defines(name));
  }
}

TEST_F(FreshIndexTest, IgnoreFilesAreWatchedWhereverTheyAre) {
  const auto git = [&](const std::string& line) {
    const std::string command = "cd '" + directory_.path().string() +
                                "' && git -c user.name=t -c " + "user.email=t@t " + line +
                                " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << line;
  };
  git("init -q");
  directory_.write("deep/in/three.ts", "export function three() {}\n");
  auto opened = store::Workspace::open(directory_.path() / "deep/in");
  ASSERT_TRUE(opened.ok());
  FreshIndex below(**opened, {}, patient());  // its rules come from above too
  FreshIndex fresh(*workspace_, {}, patient());
  const auto three_below = [&] {
    await(below);
    return !(*(*opened)->reader())->list_symbols_named("three")->empty();
  };
  await(fresh);
  EXPECT_TRUE(three_below());

  directory_.write(".git/info/exclude", "src/\n");
  await(fresh);
  EXPECT_FALSE(defines("one"));
  directory_.write(".git/info/exclude", "");
  await(fresh);
  EXPECT_TRUE(defines("one"));

  // A file that is named before it is there, in a folder that is not there either.
  git("config core.excludesFile conf/deep/rules");
  await(fresh);
  directory_.write("conf/deep/rules", "one.ts\n");
  await(fresh);
  EXPECT_FALSE(defines("one"));

  directory_.write("deep/.gitignore", "three.ts\n");
  EXPECT_FALSE(three_below()) << "an ignore file above the root";
}

TEST_F(FreshIndexTest, WhoWritesAllTheTimeDoesNotHoldUpAQuestion) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  std::jthread writer([&](std::stop_token stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      directory_.write("src/busy.ts", "export const busy = " + std::to_string(i) + ";\n");
    }
  });
  for (int i = 0; i < 5; ++i) {
    const std::string name = "asked" + std::to_string(i);
    directory_.write("src/asked.ts", "export function " + name + "() {}\n");
    await(fresh);
    EXPECT_TRUE(defines(name));
  }
}

TEST_F(FreshIndexTest, AFailedRunIsReportedUntilOneSucceeds) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  // No run can take its lock.
  fs::remove(workspace_->lock_path());
  fs::create_directory(workspace_->lock_path());
  directory_.write("src/one.ts", "export function edited() {}\n");
  for (int i = 0; i < 2; ++i) {
    const auto behind = fresh.await(soon(), {}, {});
    ASSERT_TRUE(behind.ok());
    EXPECT_NE(behind->find("indexing failed: "), std::string::npos) << *behind;
    EXPECT_FALSE(defines("edited"));
  }
  fs::remove(workspace_->lock_path());
  await(fresh);
  EXPECT_TRUE(defines("edited"));
}

TEST_F(FreshIndexTest, WhileAnotherProcessIndexesAQuestionWaitsForItsTimeAndSaysSo) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  const int other = ::open(workspace_->lock_path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  directory_.write("src/one.ts", "export function edited() {}\n");
  const auto behind = fresh.await(soon(100ms), {}, {});
  ASSERT_TRUE(behind.ok());
  EXPECT_NE(behind->find("another index run"), std::string::npos) << *behind;
  ::close(other);
  await(fresh);
  EXPECT_TRUE(defines("edited"));
}

TEST_F(FreshIndexTest, AWriteThatKeepsSizeAndTimeIsSeen) {
  FreshIndex fresh(*workspace_, {}, patient());
  const fs::path file = directory_.path() / "src/one.ts";
  fs::last_write_time(file, fs::last_write_time(file) - 1h);
  await(fresh);
  const auto time = fs::last_write_time(file);
  directory_.write("src/one.ts", "export function two() {}\n");
  fs::last_write_time(file, time);
  await(fresh);
  EXPECT_TRUE(defines("two"));
}

TEST_F(FreshIndexTest, AChangedIgnoreFileTakesFilesOut) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  directory_.write(".codexmemignore", "src/\n");
  await(fresh);
  EXPECT_FALSE(defines("one"));
}

TEST_F(FreshIndexTest, ManyQuestionsAtOnceAreAllAnswered) {
  FreshIndex fresh(*workspace_, {}, patient());
  std::vector<std::jthread> threads;
  for (int at = 0; at < 8; ++at) {
    threads.emplace_back([this, &fresh, at] {
      directory_.write("src/part" + std::to_string(at) + ".ts",
                       "export function part" + std::to_string(at) + "() {}\n");
      EXPECT_TRUE(fresh.await(soon(), {}, {}).ok());
      EXPECT_TRUE(defines("part" + std::to_string(at)));
    });
  }
}

TEST_F(FreshIndexTest, WithoutPatienceTheFirstQuestionIsAskedToRetry) {
  FreshIndex::Options options = patient();
  options.first_patience = 0ms;
  FreshIndex fresh(*workspace_, {}, options);
  const auto ready = fresh.await(soon(0ms), {}, {});
  // The run may have been quicker than the question.
  if (ready.ok()) {
    EXPECT_TRUE(defines("one"));
  } else {
    EXPECT_EQ(ready.error().code(), ErrorCode::kBusy);
  }
}

TEST_F(FreshIndexTest, AnIndexOfSingleFilesIsNotAnsweredFrom) {
  directory_.write("src/two.ts", "export function two() {}\n");
  ASSERT_TRUE(index::index_repository(*workspace_, {.only = {"src/one.ts"}}).ok());
  FreshIndex::Options options = patient();
  options.first_patience = 0ms;
  const auto answer = [&] {
    // The run that starts with it has to wait.
    const auto held = FileLock::take(workspace_->lock_path());
    EXPECT_TRUE(held.ok());
    FreshIndex fresh(*workspace_, {}, options);
    return fresh.await(soon(0ms), {}, {});
  };
  const auto partial = answer();
  ASSERT_FALSE(partial.ok());
  EXPECT_EQ(partial.error().code(), ErrorCode::kBusy);
  ASSERT_TRUE(index::index_repository(*workspace_).ok());
  EXPECT_TRUE(answer().ok());
}

TEST_F(FreshIndexTest, RunsThatChangeSomethingAreReportedWithoutQueries) {
  int notified = 0;
  std::promise<void> first;
  FreshIndex::Options options = patient();
  options.quiet = 1ms;
  {
    FreshIndex fresh(
        *workspace_,
        [&] {
          if (++notified == 1) first.set_value();
        },
        options);
    await(fresh);
    first.get_future().wait();
    for (int i = 0; i < 20; ++i) await(fresh);
  }
  EXPECT_EQ(notified, 1) << "the other looks found nothing to do";
}

TEST_F(FreshIndexTest, ARunThatWaitsForAnotherProcessCanBeCancelled) {
  // A run of somebody else, which holds the lock while the worker and this test want it.
  const int other = ::open(workspace_->lock_path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  FreshIndex fresh(*workspace_, {}, patient());
  std::vector<std::jthread> questions;
  for (int i = 0; i < 12; ++i) {
    questions.emplace_back([&fresh] {
      std::stop_source stop;
      const auto report = fresh.run(
          {},
          [&stop](const index::IndexProgress& now) {
            EXPECT_EQ(now.phase, index::IndexPhase::kWaiting);
            if (now.elapsed > 100ms) stop.request_stop();
          },
          stop.get_token());
      ASSERT_FALSE(report.ok());
      EXPECT_EQ(report.error().code(), ErrorCode::kCancelled);
    });
  }
  questions.clear();
  ::close(other);
  await(fresh);
  EXPECT_TRUE(defines("one"));
}

TEST_F(FreshIndexTest, ACancelledQuestionDoesNotWait) {
  FreshIndex fresh(*workspace_, {}, patient());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(fresh.await(soon(), stop.get_token(), {}).error().code(), ErrorCode::kCancelled);
}

TEST_F(FreshIndexTest, ADeletedStoreIsRebuiltForTheNextQuestion) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  testing::remove_in_use(workspace_->directory());
  await(fresh);
  EXPECT_TRUE(defines("one"));
}

TEST_F(FreshIndexTest, ADamagedStoreIsRebuiltForTheNextQuestion) {
  FreshIndex fresh(*workspace_, {}, patient());
  await(fresh);
  ASSERT_TRUE((*workspace_->writer())->execute("PRAGMA wal_checkpoint(TRUNCATE)").ok());
  const fs::path database = workspace_->directory() / "index.db";
  const auto pages = static_cast<std::size_t>(fs::file_size(database)) / 4096;
  {
    std::fstream file(database, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4096);
    for (std::size_t i = 0; i < (pages - 1) * 4096; ++i) file.put('\x5A');
  }
  {
    auto old = workspace_->reader();  // a connection that may know the pages still
    auto other = workspace_->reader();
    // The schema, which a connection reads first, may be among the damaged pages.
    const auto failed = other.ok() ? (*other)->list_files().error() : other.error();
    EXPECT_EQ(failed.code(), ErrorCode::kCorrupt);
  }
  ASSERT_TRUE(workspace_->damage().has_value());
  // However little patience a question has: the new store is empty until its run ends.
  const auto behind = fresh.await(soon(0ms), {}, {});
  ASSERT_TRUE(behind.ok()) << behind.error().message();
  EXPECT_EQ(*behind, "");
  EXPECT_TRUE(defines("one"));
  EXPECT_FALSE(workspace_->damage().has_value());
}

}  // namespace
}  // namespace codexmem::serve
