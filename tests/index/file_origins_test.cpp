#include "index/discovery/file_origins.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "temporary_tree.h"

namespace codexmem::index {
namespace {

class FileOriginsTest : public ::testing::Test {
 protected:
  FileOriginsTest() { tree_.git("init -q -b main"); }

  std::string commit(const std::string& path, const std::string& text, const std::string& author) {
    tree_.write(path, text);
    tree_.git("add -A");
    tree_.git("commit -qm change --author='" + author + " <a@example.org>'");
    return find_head(tree_.root());
  }

  FileOrigin find(const std::string& path) {
    return find_file_origins(tree_.root(), std::vector{path}).front();
  }

  TemporaryTree tree_;
};

TEST_F(FileOriginsTest, IsTheCommitThatMadeTheFileWhatItIs) {
  const std::string first = commit("a/x.md", "one\n", "Ann");
  const std::string second = commit("a/y.md", "two\n", "Bob");
  commit("z.md", "three\n", "Cy");
  EXPECT_EQ(find("a/x.md").author, "Ann");
  EXPECT_EQ(find("a/x.md").commit_id, first);
  EXPECT_GT(find("a/x.md").committed_at_ms, 0);
  EXPECT_EQ(find("a/y.md").commit_id, second);
  const std::string changed = commit("a/x.md", "other\n", "Dan");
  EXPECT_EQ(find("a/x.md").author, "Dan");
  EXPECT_EQ(find("a/x.md").commit_id, changed);
}

TEST_F(FileOriginsTest, AMergeIsNotWhoWroteIt) {
  commit("x.md", "one\n", "Ann");
  tree_.git("checkout -qb side");
  const std::string wrote = commit("y.md", "two\n", "Bob");
  tree_.git("checkout -q main");
  commit("z.md", "three\n", "Cy");
  tree_.git("merge -q --no-edit side");
  EXPECT_EQ(find("y.md").author, "Bob");
  EXPECT_EQ(find("y.md").commit_id, wrote);
}

TEST_F(FileOriginsTest, UncommittedFilesHaveNone) {
  EXPECT_EQ(find_head(tree_.root()), "");
  EXPECT_EQ(find("x.md").commit_id, "");
  commit("x.md", "one\n", "Ann");
  tree_.write("new.md", "new\n");
  EXPECT_EQ(find("new.md").commit_id, "");
  EXPECT_EQ(find_file_origins("/nonexistent", std::vector<std::string>{"x"}).front().commit_id, "");
}

}  // namespace
}  // namespace codexmem::index
