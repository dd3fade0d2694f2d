#include "serve/observed_code.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "index/run/indexer.h"
#include "support/temporary_directory.h"

namespace codexmem::serve {
namespace {

class ObservedCodeTest : public ::testing::Test {
 protected:
  ObservedCodeTest() {
    folder_.write("src/auth.py", "def login():\n    return 1\n");
    std::filesystem::create_directory(folder_.path() / ".git");
  }

  void index() {
    const auto workspace = store::Workspace::open(folder_.path());
    ASSERT_TRUE(workspace.ok());
    ASSERT_TRUE(index::index_repository(**workspace, {.skip_embeddings = true}, {}, {}).ok());
  }

  std::vector<memory::Citation> cite(const std::string& text, std::vector<std::string> files) {
    const auto citations =
        code_.cite(folder_.path() / "src", {.text = text, .files = std::move(files)});
    EXPECT_TRUE(citations.ok()) << citations.error().message();
    return citations.ok() ? *citations : std::vector<memory::Citation>();
  }

  testing::TemporaryDirectory folder_;
  ServedRepositories repositories_{{}};
  ObservedCode code_{repositories_};
};

TEST_F(ObservedCodeTest, WithoutAnIndexNothingIsCitedAndNothingIsMade) {
  EXPECT_TRUE(cite("changed login()", {"src/auth.py"}).empty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / ".codexmem"));
}

TEST_F(ObservedCodeTest, CodeIsCitedAsTheSessionHasJustLeftIt) {
  index();
  const auto before = cite("changed login()", {"src/auth.py"});
  ASSERT_EQ(before.size(), 2U);
  folder_.write("src/auth.py", "def login():\n    return 2\n\ndef logout():\n    return 3\n");
  const auto after = cite("changed login(), added logout()", {"src/auth.py"});
  ASSERT_EQ(after.size(), 3U);
  EXPECT_EQ(after[0].path, "src/auth.py");
  EXPECT_NE(after[0].body_hash, before[0].body_hash);
  EXPECT_EQ(after[2].symbol, "logout");
  EXPECT_FALSE(after[2].body_hash.empty());
}

TEST_F(ObservedCodeTest, AStopIsNotDelayedByMissingIndexes) {
  index();
  folder_.write("src/auth.py", "def login():\n    return 2\n\ndef logout():\n    return 3\n");
  std::stop_source stop;
  stop.request_stop();
  const auto cited =
      code_.cite(folder_.path() / "src", {.text = "added logout()", .files = {"src/auth.py"}},
                 stop.get_token());
  ASSERT_TRUE(cited.ok()) << cited.error().message();
  EXPECT_EQ(cited->size(), 1U);  // the file, as it was
  EXPECT_EQ(cite("added logout()", {"src/auth.py"}).size(), 2U);
}

TEST_F(ObservedCodeTest, WhatNamesNoFileIsNotLookedUp) {
  index();
  EXPECT_TRUE(cite("login() was discussed", {}).empty());
}

}  // namespace
}  // namespace codexmem::serve
