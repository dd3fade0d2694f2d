#include "index/discovery/discover.h"

#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "temporary_tree.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;

struct Found {
  std::vector<std::string> files;
  std::map<std::string, std::string> skipped;  // path -> "reason: detail"
};

Found walk(const TemporaryTree& tree, const DiscoverOptions& options = {}) {
  auto root = RootDirectory::open(tree.root());
  EXPECT_TRUE(root.ok());
  auto discovery = discover(*root, options);
  EXPECT_TRUE(discovery.ok());
  Found found;
  for (const FoundFile& file : discovery->files) found.files.push_back(file.path);
  for (const SkippedEntry& entry : discovery->skipped) {
    found.skipped[entry.path] = std::string(skip_reason_name(entry.reason)) + ": " + entry.detail;
  }
  return found;
}

using Files = std::vector<std::string>;

TEST(Discover, FindsFilesInByteOrderOfTheirPaths) {
  const TemporaryTree tree;
  for (const char* path : {"b.ts", "a/z.ts", "a-b.ts", "a/b/c.py", "a.ts", ".eslintrc.js"}) {
    tree.write(path, "x");
  }
  EXPECT_EQ(walk(tree).files,
            (Files{".eslintrc.js", "a-b.ts", "a.ts", "a/b/c.py", "a/z.ts", "b.ts"}));
}

TEST(Discover, PassesOverTheUsersStoreWhateverItIsCalled) {
  const TemporaryTree tree;
  tree.write("src/a.ts", "x");
  tree.write("data/memory/memory.db", "x");
  tree.write("data/b.ts", "x");
  const char* before = std::getenv("CODEXMEM_DATA_DIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("CODEXMEM_DATA_DIR", (fs::path(tree.root()) / "data/memory").c_str(), 1);
  const Found found = walk(tree);
  before != nullptr ? ::setenv("CODEXMEM_DATA_DIR", kept.c_str(), 1)
                    : ::unsetenv("CODEXMEM_DATA_DIR");
  EXPECT_EQ(found.files, (Files{"data/b.ts", "src/a.ts"}));
}

TEST(Discover, SaysWhichRuleIgnoresWhat) {
  const TemporaryTree tree;
  tree.write(".gitignore", "dist/\n*.log\n");
  tree.write("dist/a.ts", "x");
  tree.write("src/a.log", "x");
  tree.write("src/.codexmemignore", "b.ts\n");
  tree.write("src/b.ts", "x");
  tree.write("src/c.ts", "x");
  const Found found = walk(tree);
  EXPECT_EQ(found.files, (Files{".gitignore", "src/.codexmemignore", "src/c.ts"}));
  EXPECT_EQ(found.skipped, (std::map<std::string, std::string>{
                               {"dist/", "ignored: .gitignore:1: dist/"},
                               {"src/a.log", "ignored: .gitignore:2: *.log"},
                               {"src/b.ts", "ignored: src/.codexmemignore:1: b.ts"}}));
}

TEST(Discover, PassesOverVersionControlAndItsOwnStoreInSilence) {
  const TemporaryTree tree;
  tree.git("init -q");
  tree.write(".codexmem/index.db", "x");
  tree.write(".hg/store", "x");
  tree.write("a.ts", "x");
  const Found found = walk(tree);
  EXPECT_EQ(found.files, Files{"a.ts"});
  EXPECT_TRUE(found.skipped.empty());
}

TEST(Discover, SkipsInstalledPackagesUnlessARuleKeepsThem) {
  const TemporaryTree tree;
  tree.write("node_modules/x/index.js", "x");
  tree.write("env/pyvenv.cfg", "x");
  tree.write("env/lib/a.py", "x");
  EXPECT_EQ(walk(tree).skipped, (std::map<std::string, std::string>{
                                    {"env/", "vendored: a Python virtual environment"},
                                    {"node_modules/", "vendored: installed packages"}}));
  tree.write(".codexmemignore", "!*\n");
  EXPECT_EQ(walk(tree).files, (Files{".codexmemignore"}));
  tree.write(".codexmemignore", "!node_modules/\n");
  EXPECT_EQ(walk(tree).files, (Files{".codexmemignore", "node_modules/x/index.js"}));
}

TEST(Discover, KeepsTrackedFilesOfIgnoredFolders) {
  const TemporaryTree tree;
  tree.git("init -q");
  tree.write(".gitignore", "vendor/\n");
  tree.write("vendor/a/kept.ts", "x");
  tree.write("vendor/a/other.ts", "x");
  tree.write("vendor/b/other.ts", "x");
  tree.git("add -f vendor/a/kept.ts");
  const Found found = walk(tree);
  EXPECT_EQ(found.files, (Files{".gitignore", "vendor/a/kept.ts"}));
  EXPECT_TRUE(found.skipped.contains("vendor/a/other.ts"));
  EXPECT_TRUE(found.skipped.contains("vendor/b/"));
}

TEST(Discover, NeverFollowsLinks) {
  const TemporaryTree outside;
  outside.write("secret.ts", "x");
  const TemporaryTree tree;
  tree.write("src/a.ts", "x");
  fs::create_symlink("src/a.ts", tree.root() / "same.ts");
  fs::create_symlink(outside.root(), tree.root() / "out");
  fs::create_symlink("..", tree.root() / "src/up");
  fs::create_symlink("loop", tree.root() / "loop");
  fs::create_symlink("gone.ts", tree.root() / "dangling.ts");
  const Found found = walk(tree);
  EXPECT_EQ(found.files, Files{"src/a.ts"});
  EXPECT_EQ(found.skipped.at("same.ts"), "symlink: a link to src/a.ts");
  EXPECT_EQ(found.skipped.at("out"),
            "symlink: a link that leads out of the repository: " + outside.root().string());
  EXPECT_EQ(found.skipped.at("src/up"), "symlink: a link to .");
  EXPECT_EQ(found.skipped.at("loop"), "symlink: a link that leads to itself: loop");
  EXPECT_EQ(found.skipped.at("dangling.ts"), "symlink: a link that leads nowhere: gone.ts");
}

TEST(Discover, ReportsOddEntries) {
  const TemporaryTree tree;
  tree.write("big.ts", std::string(2000, 'x'));
  tree.write("new\nline.ts", "x");
  tree.write("bad\xFF.ts", "x");
  ASSERT_EQ(::mkfifo((tree.root() / "pipe.ts").c_str(), 0600), 0);
  DiscoverOptions options;
  options.max_file_bytes = 1999;
  const Found found = walk(tree, options);
  EXPECT_EQ(found.files, Files{"new\nline.ts"});
  EXPECT_EQ(found.skipped.at("big.ts"), "too_large: 2000 bytes, the limit is 1999");
  EXPECT_EQ(found.skipped.at("bad\xEF\xBF\xBD.ts"), "name_not_utf8: the name is not UTF-8");
  EXPECT_EQ(found.skipped.at("pipe.ts"), "not_regular: no regular file");
}

TEST(Discover, SurvivesDeepNesting) {
  const TemporaryTree tree;
  // Deeper than PATH_MAX allows to name at once.
  int fd = ::open(tree.root().c_str(), O_RDONLY | O_DIRECTORY);
  const std::string name(200, 'd');
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(::mkdirat(fd, name.c_str(), 0700), 0);
    const int below = ::openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY);
    ::close(fd);
    fd = below;
  }
  ::close(fd);
  tree.write("a.ts", "x");
  const Found found = walk(tree);
  EXPECT_EQ(found.files, Files{"a.ts"});
  ASSERT_EQ(found.skipped.size(), 1U);
  EXPECT_TRUE(found.skipped.begin()->second.starts_with("unreadable: "));
}

TEST(Discover, KeepsToTheSelection) {
  const TemporaryTree tree;
  for (const char* path : {"a.ts", "src/a.ts", "src/b/c.ts", "src/bb.ts", "src-b/x.ts"}) {
    tree.write(path, "x");
  }
  tree.write(".gitignore", "bb.ts\n");
  DiscoverOptions options;
  options.below = "src/b/";
  EXPECT_EQ(walk(tree, options).files, Files{"src/b/c.ts"});
  options.below = "src";
  EXPECT_EQ(walk(tree, options).files, (Files{"src/a.ts", "src/b/c.ts"}));
  options.below = "";
  options.only = {"src/a.ts", "src/bb.ts", "nowhere/x.ts"};
  const Found found = walk(tree, options);
  EXPECT_EQ(found.files, Files{"src/a.ts"});
  EXPECT_EQ(found.skipped.size(), 1U);
}

TEST(Discover, StopsWhenAsked) {
  const TemporaryTree tree;
  tree.write("a/b.ts", "x");
  auto root = RootDirectory::open(tree.root());
  std::stop_source stop;
  stop.request_stop();
  const auto got = discover(*root, {}, stop.get_token());
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code(), ErrorCode::kCancelled);
}

TEST(RootDirectory, ReadsNothingThroughLinks) {
  const TemporaryTree outside;
  outside.write("x.ts", "secret");
  const TemporaryTree tree;
  tree.write("a.ts", "text");
  fs::create_directory_symlink(outside.root(), tree.root() / "out");
  auto root = RootDirectory::open(tree.root());
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(*root->read("a.ts", 100), "text");
  EXPECT_FALSE(root->read("out/x.ts", 100).ok());
  EXPECT_FALSE(root->read("../" + tree.root().filename().string() + "/a.ts", 100).ok());
  EXPECT_FALSE(root->list("out").ok());
  EXPECT_EQ(root->stat("out")->kind, EntryKind::kSymlink);
  EXPECT_EQ(root->read("gone", 100).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(root->read("a.ts", 3).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace codexmem::index
