#include "app/fresh_index.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "index/run_lock.h"
#include "support/temporary_directory.h"

namespace codexmem::app {
namespace {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Nothing is indexed but for a question: neither quiet files nor the clock start a run.
FreshIndex::Options patient() {
  FreshIndex::Options options;
  options.patience = 10s;
  options.first_patience = 10s;
  options.quiet = 1h;
  options.look_over = 1h;
  options.look_over_unwatched = 0s;
  return options;
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

  void await(FreshIndex& fresh) {
    const auto ready = fresh.await({}, {});
    EXPECT_TRUE(ready.ok()) << ready.error().message();
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
      EXPECT_TRUE(fresh.await({}, {}).ok());
      EXPECT_TRUE(defines("part" + std::to_string(at)));
    });
  }
}

TEST_F(FreshIndexTest, WithoutPatienceTheFirstQuestionIsToldToComeBack) {
  FreshIndex::Options options = patient();
  options.first_patience = 0ms;
  FreshIndex fresh(*workspace_, {}, options);
  const auto ready = fresh.await({}, {});
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
  options.patience = options.first_patience = 0ms;
  const auto answer = [&] {
    // The run that starts with it has to wait.
    const auto held = index::RunLock::take(workspace_->lock_path(), true, {}, {});
    EXPECT_TRUE(held.ok());
    FreshIndex fresh(*workspace_, {}, options);
    return fresh.await({}, {});
  };
  const auto partial = answer();
  ASSERT_FALSE(partial.ok());
  EXPECT_EQ(partial.error().code(), ErrorCode::kBusy);
  ASSERT_TRUE(index::index_repository(*workspace_).ok());
  EXPECT_TRUE(answer().ok());
}

TEST_F(FreshIndexTest, RunsThatChangeSomethingAreTold) {
  int runs = 0;
  {
    FreshIndex fresh(
        *workspace_, [&runs] { ++runs; }, patient());
    await(fresh);
    await(fresh);
  }
  EXPECT_EQ(runs, 1) << "the second look found nothing to do";
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
  EXPECT_EQ(fresh.await(stop.get_token(), {}).error().code(), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace codexmem::app
