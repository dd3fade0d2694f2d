#include "config/project.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "base/file.h"
#include "config/git_root.h"
#include "support/temporary_directory.h"

namespace codexmem {
namespace {

namespace fs = std::filesystem;

class Project : public ::testing::Test {
 protected:
  Project() : base_(fs::canonical(directory_.path())), data_(base_ / "data") {
    if (const char* home = std::getenv("HOME")) home_ = home;
    ::setenv("HOME", (base_ / "home").c_str(), 1);
    fs::create_directories(base_ / "home");
  }
  ~Project() override { ::setenv("HOME", home_.c_str(), 1); }

  std::string project(const fs::path& folder) const {
    return project_of(find_project_place(base_ / folder), data_);
  }
  // As an earlier or another process would name it: only from the records.
  std::string found(const fs::path& folder) const {
    return find_project(find_project_place(base_ / folder), data_);
  }
  std::string records() const {
    auto text = read_file(data_ / kProjectsFileName);
    return text.ok() ? *std::move(text) : std::string();
  }

  fs::path repository(const std::string& folder, const std::string& remote = {}) const {
    directory_.write(
        folder + "/.git/config",
        "[core]\n\tbare = false\n" +
            (remote.empty() ? std::string() : "[remote \"origin\"]\n\turl = " + remote + "\n"));
    return base_ / folder;
  }

  testing::TemporaryDirectory directory_;
  fs::path base_, data_;
  std::string home_;
};

TEST_F(Project, HasTheNameOfTheRepositoryAroundTheFolder) {
  directory_.write("shop/.git/HEAD", "ref: refs/heads/main\n");
  directory_.write("shop/src/api/a.ts", "");
  EXPECT_EQ(git_root(base_ / "shop/src/api"), base_ / "shop");
  EXPECT_EQ(git_root(base_), fs::path());
  EXPECT_EQ(git_root(""), fs::path());
  EXPECT_EQ(project("shop/src/api"), "shop");
  EXPECT_EQ(project("shop"), "shop");
  EXPECT_EQ(project("shop/gone"), "shop");
}

TEST_F(Project, WithoutGitHasTheNameOfTheFolder) {
  directory_.write("notes/a.md", "");
  directory_.write("book/.codexmem/index.db", "");
  directory_.write("book/chapters/1.md", "");
  EXPECT_EQ(project("notes"), "notes");
  EXPECT_EQ(project("notes/"), "notes");
  EXPECT_EQ(project("gone/for good"), "for good");
  EXPECT_EQ(project("book/chapters"), "book");  // the folder that commands call the repository
  fs::create_directory_symlink(base_ / "notes", base_ / "link");
  EXPECT_EQ(project("link"), "notes");
}

TEST_F(Project, NowhereIsDefault) {
  directory_.write("home/.codexmem/index.db", "");
  directory_.write("home/notes/a.md", "");
  for (const fs::path& folder : {fs::path(), fs::path("/"), base_ / "home", base_ / "home/"}) {
    EXPECT_EQ(project_of(find_project_place(folder), data_), "default") << folder;
  }
  EXPECT_EQ(project("home/notes"), "notes");
  EXPECT_EQ(records().find("default"), std::string::npos);
}

TEST_F(Project, WorktreesBelongToTheirRepositoryAndASubmoduleToItself) {
  directory_.write("shop/.git/worktrees/fix/HEAD", "ref: refs/heads/fix\n");
  directory_.write("fix-1/.git", "gitdir: " + (base_ / "shop/.git/worktrees/fix").string() + "\n");
  directory_.write("near/.git", "gitdir: ../shop/.git/worktrees/fix\n");
  directory_.write("shop/lib/.git", "gitdir: ../.git/modules/lib\n");
  directory_.write("odd/.git", "gitdir:");
  directory_.write("bare/shop.git/worktrees/main/HEAD", "");
  directory_.write("bare/main/.git", "gitdir: ../shop.git/worktrees/main\n");
  directory_.write("site/.bare/worktrees/main/HEAD", "");
  directory_.write("site/.git", "gitdir: ./.bare\n");
  directory_.write("site/main/.git", "gitdir: ../.bare/worktrees/main\n");
  EXPECT_EQ(project("shop"), "shop");
  EXPECT_EQ(project("fix-1"), "shop");
  EXPECT_EQ(project("near"), "shop");
  EXPECT_EQ(project("shop/lib"), "lib");
  EXPECT_EQ(project("odd"), "odd");
  EXPECT_EQ(project("bare/main"), "shop~2");
  EXPECT_EQ(project("site/main"), "site");
  EXPECT_EQ(project("site"), "site");
}

TEST_F(Project, TwoRepositoriesOfOneNameAreTwoProjects) {
  repository("a/shop", "https://example.com/a/shop.git");
  repository("b/shop", "https://example.com/b/shop.git");
  repository("c/shop");
  directory_.write("d/shop/notes.md", "");
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(project("a/shop"), "shop");
    EXPECT_EQ(project("b/shop"), "shop~2");
    EXPECT_EQ(project("c/shop"), "shop~3");
    EXPECT_EQ(project("d/shop"), "shop~4");
    EXPECT_EQ(found("b/shop"), "shop~2");
  }
  repository("e/shop~2");
  EXPECT_EQ(project("e/shop~2"), "shop~2~2");
  EXPECT_NE(records().find(R"("name":"shop~2","folder":"shop","path":")" +
                           (base_ / "b/shop").string() + '"'),
            std::string::npos)
      << records();
  struct stat info {};
  ASSERT_EQ(::stat((data_ / kProjectsFileName).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(Project, ClonesOfOneRepositoryAreOneProject) {
  const char* const kSame[] = {"git@example.com:Me/shop.git", "https://example.com/me/shop",
                               "https://me:key@example.com/me/shop/",
                               "ssh://git@example.com:22/me/shop.git",
                               "\"https://EXAMPLE.com/me/shop?key=1\""};
  int number = 0;
  for (const char* url : kSame) {
    const std::string folder = std::to_string(++number) + "/shop";
    repository(folder, url);
    EXPECT_EQ(project(folder), "shop") << url;
  }
  EXPECT_EQ(records().find("key"), std::string::npos) << records();  // no credentials on record
  const char* const kOther[] = {"https://example.com/you/shop", "https://example.com:8443/me/shop",
                                "git@elsewhere.com:me/shop.git"};
  number = 1;
  for (const char* url : kOther) {
    const std::string folder = "other" + std::to_string(++number) + "/shop";
    repository(folder, url);
    EXPECT_EQ(project(folder), "shop~" + std::to_string(number)) << url;
  }
}

TEST_F(Project, ALocalCloneIsOneWithWhatItWasClonedFrom) {
  const std::string first = repository("a/shop").string();
  repository("b/shop", first + "/.git");
  repository("c/shop", "../../a/shop");
  repository("d/shop", "file://" + first);
  repository("e/book", (base_ / "f/book").string());
  repository("f/book");
  for (const char* folder : {"a/shop", "b/shop", "c/shop", "d/shop"}) {
    EXPECT_EQ(project(folder), "shop") << folder;
  }
  EXPECT_EQ(project("e/book"), "book");
  EXPECT_EQ(project("f/book"), "book");
}

TEST_F(Project, AFolderThatWasMovedStaysTheProject) {
  repository("a/shop");
  directory_.write("notes/a.md", "");
  EXPECT_EQ(project("a/shop"), "shop");
  EXPECT_EQ(project("notes"), "notes");
  fs::rename(base_ / "a", base_ / "moved");
  fs::create_directory(base_ / "home/x");
  fs::rename(base_ / "notes", base_ / "home/x/notes");
  EXPECT_EQ(project("moved/shop"), "shop");
  EXPECT_EQ(project("home/x/notes"), "notes");
  // Its new place is on record: who comes to the old one is another.
  repository("a/shop");
  EXPECT_EQ(project("a/shop"), "shop~2");
  EXPECT_EQ(project("moved/shop"), "shop");
}

TEST_F(Project, ARepositoryInThePlaceOfOneThatIsGoneIsAnotherByItsRemote) {
  repository("a/shop", "https://example.com/a/shop.git");
  EXPECT_EQ(project("a/shop"), "shop");
  fs::remove_all(base_ / "a");
  repository("b/shop", "https://example.com/b/shop.git");
  repository("c/shop");
  EXPECT_EQ(project("b/shop"), "shop~2");
  EXPECT_EQ(project("c/shop"), "shop~3");
  repository("d/shop", "git@example.com:a/shop.git");  // cloned again
  EXPECT_EQ(project("d/shop"), "shop");
}

TEST_F(Project, ANewRemoteIsTheSameRepositorys) {
  repository("a/shop");
  EXPECT_EQ(project("a/shop"), "shop");
  repository("a/shop", "https://example.com/me/shop.git");
  EXPECT_EQ(project("a/shop"), "shop");
  repository("b/shop", "https://example.com/me/shop.git");
  EXPECT_EQ(project("b/shop"), "shop");
}

TEST_F(Project, ManyAtOnceGetANameEach) {
  constexpr int kMany = 24;
  std::vector<std::string> names(kMany);
  for (int i = 0; i < kMany; ++i) repository(std::to_string(i) + "/shop");
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kMany; ++i) {
      threads.emplace_back(
          [&, i] { names[std::size_t(i)] = project(std::to_string(i) + "/shop"); });
    }
  }
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), std::size_t{kMany});
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(found(std::to_string(i) + "/shop"), names[std::size_t(i)]);
  }
}

TEST_F(Project, LookingWritesNothing) {
  repository("a/shop");
  EXPECT_EQ(found("a/shop"), "shop");
  EXPECT_FALSE(fs::exists(data_));
  EXPECT_EQ(project("gone/shop"), "shop");
  EXPECT_FALSE(fs::exists(data_));
}

TEST_F(Project, WhereNothingCanBeWrittenNamesAreTheSameEachTime) {
  repository("a/shop");
  repository("b/shop");
  EXPECT_EQ(project("a/shop"), "shop");
  const std::string before = records();
  fs::remove(data_ / kProjectsFileName);
  fs::create_directory(base_ / "elsewhere");
  directory_.write("elsewhere/projects.jsonl", before);
  fs::create_symlink(base_ / "elsewhere/projects.jsonl", data_ / kProjectsFileName);
  // A link is read, and never written: it represents every file that cannot be written.
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(project("b/shop"), "shop~2");
    EXPECT_EQ(project("a/shop"), "shop");
  }
  EXPECT_EQ(records(), before);
}

TEST_F(Project, ALineThatWasCutShortIsNoRecord) {
  repository("a/shop");
  repository("b/shop");
  directory_.write("data/projects.jsonl", R"({"name":"shop","folder":"shop","pa)");
  EXPECT_EQ(project("a/shop"), "shop");
  EXPECT_EQ(project("b/shop"), "shop~2");
  EXPECT_EQ(found("a/shop"), "shop");
  EXPECT_EQ(found("b/shop"), "shop~2");
}

}  // namespace
}  // namespace codexmem
