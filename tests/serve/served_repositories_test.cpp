#include "serve/served_repositories.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/path.h"
#include "support/temporary_directory.h"

namespace codexmem::serve {
namespace {

TEST(PathOfUri, TakesFilesOfThisMachine) {
  EXPECT_EQ(path_of_uri("file:///home/me/a%20b"), "/home/me/a b");
  EXPECT_EQ(path_of_uri("file://localhost/src"), "/src");
  EXPECT_EQ(path_of_uri("FILE:/src"), "/src");
  EXPECT_EQ(path_of_uri("file:///caf%C3%A9?x#y"), "/caf\xc3\xa9");
  for (const char* uri : {"", "file:", "file:///a%2", "file:///a%zz", "file:///a%00b",
                          "file://elsewhere/src", "https://localhost/src", "file:src", "/src"}) {
    EXPECT_FALSE(path_of_uri(uri)) << uri;
  }
}

TEST(WhyNoRepository, IsSaidOfTheRootAndTheHomeDirectory) {
  const testing::TemporaryDirectory directory;
  const std::string before = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  const auto home = std::filesystem::canonical(directory.path()) / "people/me";
  std::filesystem::create_directories(home / "project");
  ::setenv("HOME", home.c_str(), 1);
  EXPECT_FALSE(why_no_repository("/").empty());
  EXPECT_FALSE(why_no_repository(home).empty());
  EXPECT_FALSE(why_no_repository(home.parent_path()).empty());
  EXPECT_TRUE(why_no_repository(home / "project").empty());
  EXPECT_FALSE(why_no_repository(home / ".ssh").empty());
  EXPECT_FALSE(why_no_repository(home / ".config/gcloud/logs").empty());
  EXPECT_TRUE(why_no_repository(home / ".config/nvim").empty());
  EXPECT_FALSE(why_not_for_all(home / "project").empty());
  std::filesystem::create_directory(home / "project/.git");
  EXPECT_TRUE(why_not_for_all(home / "project").empty());
  std::filesystem::create_directories(home / ".ssh/.git");
  EXPECT_FALSE(why_not_for_all(home / ".ssh").empty());
  ::setenv("HOME", before.c_str(), 1);
}

class Several : public ::testing::Test {
 protected:
  Several() {
    ::setenv("CODEXMEM_DATA_DIR", (directory_.path() / "data").c_str(), 1);
    for (const char* name : {"a", "b", "c"}) {
      directory_.write(std::string(name) + "/" + name + ".py", "def f():\n    pass\n");
    }
  }
  ~Several() override { ::unsetenv("CODEXMEM_DATA_DIR"); }
  std::filesystem::path folder(const char* name) const { return directory_.path() / name; }

  const testing::TemporaryDirectory directory_;
};

TEST_F(Several, OneIsOpenedOnceAndClosedWhenOthersCome) {
  ServedRepositories repositories({.most = 2});
  const auto first = repositories.at(folder("a"));
  ASSERT_NE(first->code, nullptr) << first->missing_code;
  EXPECT_EQ(repositories.at(folder("a")), first);
  ask::CodeServices* second = repositories.at(folder("b"))->code;
  EXPECT_NE(second, nullptr);
  EXPECT_NE(repositories.at(folder("c"))->code, nullptr);
  EXPECT_EQ(repositories.at(folder("a")), first);  // in use, and so kept
  EXPECT_NE(repositories.at(folder("b"))->code, nullptr);
}

TEST_F(Several, AFolderWithoutRepositorySaysSo) {
  ServedRepositories repositories({});
  const auto none = repositories.at(folder("nothing"));
  EXPECT_EQ(none->code, nullptr);
  EXPECT_NE(none->missing_code.find("there is no directory"), std::string::npos);
}

TEST_F(Several, WhoeverAsksGetsNoFolderThatIsNoRepository) {
  ServedRepositories repositories({.is_for_all = true});
  const auto refused = repositories.at(folder("a"));
  EXPECT_EQ(refused->code, nullptr);
  EXPECT_NE(refused->missing_code.find("codexmem index "), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder("a") / ".codexmem"));
  std::filesystem::create_directory(folder("b") / ".git");
  EXPECT_NE(repositories.at(folder("b"))->code, nullptr);
}

TEST_F(Several, ManyThatAskForOneAtOnceGetTheSame) {
  ServedRepositories repositories({});
  std::vector<std::shared_ptr<ask::Services>> got(8);
  {
    std::vector<std::jthread> askers;
    for (auto& one : got) askers.emplace_back([&] { one = repositories.at(folder("a")); });
  }
  for (const auto& one : got) EXPECT_EQ(one, got.front());
}

TEST_F(Several, OneThatIsIdleIsClosed) {
  ServedRepositories repositories({.idle = std::chrono::milliseconds(1)});
  std::weak_ptr<ask::Services> gone = repositories.at(folder("a"));
  for (int i = 0; i < 2000 && !gone.expired(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(gone.expired());
}

}  // namespace
}  // namespace codexmem::serve
