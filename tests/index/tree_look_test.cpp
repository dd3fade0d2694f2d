// The look at all files: every kind of change is seen, and without changes nothing is written,
// listed or read. Changes show in the times of inodes, which cannot be set: so a test waits for the
// file system's clock (tick(), some milliseconds) where the time must differ.
#include "index/discovery/tree_look.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "index/dump_lines.h"
#include "index/run/indexer.h"
#include "store/code/file_counts.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;
using store::Workspace;

// What a test has written is old for the runs, unless it says otherwise.
class AgedTree : public TemporaryTree {
 public:
  AgedTree() { put_clock_ahead(std::int64_t{10} * 1'000'000'000); }
  ~AgedTree() { put_clock_ahead(0); }

  // Waits until the file system stamps with another time.
  void tick() const {
    const auto stamp = [&] {
      write(".codexmem/probe", "x");
      struct stat info {};
      EXPECT_EQ(::stat((root() / ".codexmem/probe").c_str(), &info), 0);
      return std::pair(info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
    };
    const auto before = stamp();
    while (stamp() == before) {
    }
  }

  fs::file_time_type time(const std::string& path) const {
    return fs::last_write_time(root() / path);
  }
  void set_time(const std::string& path, fs::file_time_type time) const {
    fs::last_write_time(root() / path, time);
  }

  std::unique_ptr<Workspace> open() const {
    auto workspace = Workspace::open(root());
    EXPECT_TRUE(workspace.ok());
    return *std::move(workspace);
  }
};

// Counts the folders that are listed and watched.
class Listener : public RunObserver {
 public:
  void on_folder(const std::string& folder) override { folders.push_back(folder); }
  void on_file(const fs::path& file, Interest) override { files.push_back(file.string()); }

  std::vector<std::string> folders, files;
};

IndexReport run_once(Workspace& workspace, const IndexOptions& options = {}) {
  auto report = index_repository(workspace, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
  return report.ok() ? *std::move(report) : IndexReport{};
}

std::int64_t generation_now(Workspace& workspace) { return *(*workspace.reader())->generation(); }

// Whether the next run over everything would find the tree as recorded, by the record alone.
std::optional<TreeLook> look(Workspace& workspace) {
  const auto root = RootDirectory::open(workspace.root());
  auto reader = workspace.reader();
  auto record = TreeRecord::load(workspace.directory() / "tree", **(*reader)->find_meta("store"),
                                 *(*reader)->generation(), tree_settings(std::uint64_t{1} << 20));
  EXPECT_TRUE(record.has_value());
  if (!record) return std::nullopt;
  auto looked = look_at_tree(*root, *record, nullptr, 2, {});
  EXPECT_TRUE(looked.ok());
  return looked.ok() ? *std::move(looked) : std::nullopt;
}

void add_files(const AgedTree& tree) {
  tree.git("init -q .");
  tree.write(".gitignore", "*.log\nbuild/\n");
  tree.write("a.py", "def one(): pass\n");
  tree.write("src/b.py", "def two(): pass\n");
  tree.write("src/deep/c.py", "def three(): pass\n");
  tree.write("src/deep/notes.bin", std::string_view("\0\1", 2));
  tree.write("src/x.log", "x");
  tree.write("build/out.py", "def built(): pass\n");
  fs::create_symlink("a.py", tree.root() / "link.py");
  tree.git("add -A");
  tree.write("src/untracked.py", "def four(): pass\n");
}

// The store equals one that a first run makes of the tree.
void expect_as_clean(Workspace& workspace) {
  const auto grown = dump_lines(workspace);
  IndexOptions all;
  all.force = true;
  run_once(workspace, all);
  EXPECT_EQ(grown, dump_lines(workspace));
}

TEST(TreeLook, FindsNothingWhereNothingChanged) {
  AgedTree tree;
  add_files(tree);
  const auto workspace = tree.open();
  const IndexReport first = run_once(*workspace);
  const std::int64_t noted = generation_now(*workspace);
  const auto found = look(*workspace);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->changed.empty());
  EXPECT_FALSE(found->is_renewed);
  const auto written = fs::last_write_time(workspace->directory() / "tree");
  Listener listener;
  IndexOptions options;
  options.observer = &listener;
  const IndexReport again = run_once(*workspace, options);
  EXPECT_EQ(again.unchanged, 5U);  // four of Python and .gitignore
  EXPECT_EQ(again.skipped, first.skipped);
  EXPECT_EQ(generation_now(*workspace), noted);
  EXPECT_EQ(fs::last_write_time(workspace->directory() / "tree"), written);
  // Whoever watches hears of all that he did.
  EXPECT_EQ(listener.folders, (std::vector<std::string>{"", "src", "src/deep"}));
  EXPECT_FALSE(listener.files.empty());
}

struct Change {
  const char* name;
  std::function<void(AgedTree&)> make;
};

class EachChange : public ::testing::TestWithParam<Change> {};

TEST_P(EachChange, IsSeen) {
  AgedTree tree;
  add_files(tree);
  const auto workspace = tree.open();
  run_once(*workspace);
  tree.tick();
  GetParam().make(tree);
  const std::int64_t noted = generation_now(*workspace);
  run_once(*workspace);
  EXPECT_GT(generation_now(*workspace), noted);
  expect_as_clean(*workspace);
  const std::int64_t settled = generation_now(*workspace);
  run_once(*workspace);
  EXPECT_EQ(generation_now(*workspace), settled);
}

INSTANTIATE_TEST_SUITE_P(
    TreeLook, EachChange,
    ::testing::Values(
        Change{"Edited", [](AgedTree& tree) { tree.write("a.py", "def longer_one(): pass\n"); }},
        Change{"SameSize", [](AgedTree& tree) { tree.write("src/b.py", "def TWO(): pass\n"); }},
        Change{"TimeSetBack",
               [](AgedTree& tree) {
                 const auto time = tree.time("src/b.py");
                 tree.write("src/b.py", "def TWO(): pass\n");
                 tree.set_time("src/b.py", time);
               }},
        Change{"ReplacedByOneOfEqualSizeAndTime",
               [](AgedTree& tree) {
                 const auto time = tree.time("src/b.py");
                 tree.write("src/new", "def TWO(): pass\n");
                 tree.set_time("src/new", time);
                 fs::rename(tree.root() / "src/new", tree.root() / "src/b.py");
               }},
        Change{
            "Renamed",
            [](AgedTree& tree) { fs::rename(tree.root() / "src/b.py", tree.root() / "src/d.py"); }},
        Change{"NewFile", [](AgedTree& tree) { tree.write("src/deep/new.py", "x = 1\n"); }},
        Change{"NewFolders",
               [](AgedTree& tree) { tree.write("src/more/and/more/new.py", "x = 1\n"); }},
        Change{"Deleted", [](AgedTree& tree) { fs::remove(tree.root() / "src/b.py"); }},
        Change{"FolderDeleted", [](AgedTree& tree) { fs::remove_all(tree.root() / "src/deep"); }},
        Change{"FolderRenamed",
               [](AgedTree& tree) {
                 fs::rename(tree.root() / "src/deep", tree.root() / "src/deeper");
               }},
        Change{"FolderReplaced",
               [](AgedTree& tree) {
                 tree.write("other/c.py", "def three(): return 3\n");
                 fs::remove_all(tree.root() / "src/deep");
                 fs::rename(tree.root() / "other", tree.root() / "src/deep");
               }},
        Change{"FolderForFile",
               [](AgedTree& tree) {
                 fs::remove(tree.root() / "src/b.py");
                 tree.write("src/b.py/c.py", "x = 1\n");
               }},
        Change{"LinkForFile",
               [](AgedTree& tree) {
                 fs::remove(tree.root() / "src/b.py");
                 fs::create_symlink("../a.py", tree.root() / "src/b.py");
               }},
        Change{"LinkLeadsNowhere", [](AgedTree& tree) { fs::remove(tree.root() / "a.py"); }},
        Change{"IgnoreFileEdited",
               [](AgedTree& tree) { tree.write(".gitignore", "*.log\nbuild/\nb.py\n"); }},
        Change{"NewIgnoreFile", [](AgedTree& tree) { tree.write("src/.gitignore", "deep/\n"); }},
        Change{"IgnoreFileGone", [](AgedTree& tree) { fs::remove(tree.root() / ".gitignore"); }},
        Change{"NewOwnIgnoreFile",
               [](AgedTree& tree) { tree.write(".codexmemignore", "src/deep/c.py\n"); }},
        Change{"ExcludeFile",
               [](AgedTree& tree) { tree.write(".git/info/exclude", "untracked.py\n"); }},
        Change{"TrackedThoughIgnored",
               [](AgedTree& tree) {
                 tree.write("build/out.py", "def built(): return 1\n");
                 tree.git("add -f build/out.py");
               }},
        Change{"NestedRepository",
               [](AgedTree& tree) {
                 tree.write("src/deep/.gitignore", "c.py\n");
                 tree.git("init -q .", "src/deep");
               }},
        Change{"NoRepositoryAnyMore",
               [](AgedTree& tree) {
                 tree.write("src/x.log", "y");
                 tree.write(".codexmemignore", "a.py\n");
                 fs::remove_all(tree.root() / ".git");
               }},
        Change{"Environment", [](AgedTree& tree) { tree.write("src/deep/pyvenv.cfg", ""); }},
        Change{"TooLarge", [](AgedTree& tree) { tree.write("a.py", std::string(2 << 20, '#')); }},
        Change{"BinaryBecomesText",
               [](AgedTree& tree) {
                 fs::rename(tree.root() / "src/deep/notes.bin", tree.root() / "src/deep/n.py");
                 tree.write("src/deep/n.py", "x = 1\n");
               }}),
    [](const auto& info) { return std::string(info.param.name); });

// A file that changes within the clock's grain of the look keeps its stamp: such stamps are not
// trusted.
TEST(TreeLook, ARacyEditIsSeen) {
  AgedTree tree;
  add_files(tree);
  put_clock_ahead(0);
  const auto workspace = tree.open();
  for (int i = 0; i < 20; ++i) {
    const std::string text = i % 2 == 0 ? "def one(): pass\n" : "def two(): pass\n";
    tree.write("a.py", text);
    run_once(*workspace);
    const auto file = (*workspace->reader())->find_file("a.py");
    EXPECT_EQ((*workspace->reader())->find_content((*file)->id)->value(), text);
    const std::string name = "n" + std::to_string(i) + ".py";
    tree.write(name, "x = 1\n");
    run_once(*workspace);
    EXPECT_TRUE((*workspace->reader())->find_file(name)->has_value());
  }
}

TEST(TreeLook, ARunForSinglePathsKeepsTheRecord) {
  AgedTree tree;
  add_files(tree);
  const auto workspace = tree.open();
  run_once(*workspace);
  tree.tick();
  tree.write("src/b.py", "def more(): pass\n");
  tree.write("src/more/e.py", "def five(): pass\n");
  fs::remove(tree.root() / "src/deep/c.py");
  IndexOptions options;
  options.only = {"src/b.py", "src/more", "src/deep/c.py"};
  options.distrust_times = true;
  run_once(*workspace, options);
  const auto found = look(*workspace);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->changed.empty());
  expect_as_clean(*workspace);
}

TEST(TreeLook, ADamagedRecordIsIgnored) {
  AgedTree tree;
  add_files(tree);
  const auto workspace = tree.open();
  run_once(*workspace);
  const fs::path path = workspace->directory() / "tree";
  const std::string bytes = *read_file(path);
  const std::string id = **(*workspace->reader())->find_meta("store");
  const std::string settings = tree_settings(std::uint64_t{1} << 20);
  const std::int64_t now = generation_now(*workspace);
  ASSERT_TRUE(TreeRecord::load(path, id, now, settings).has_value());
  EXPECT_FALSE(TreeRecord::load(path, id, now + 1, settings).has_value());
  EXPECT_FALSE(TreeRecord::load(path, "another", now, settings).has_value());
  EXPECT_FALSE(TreeRecord::load(path, id, now, "other").has_value());
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    ASSERT_TRUE(replace_file(path, bytes.substr(0, size), Sync::kNo).ok());
    EXPECT_FALSE(TreeRecord::load(path, id, now, settings).has_value());
  }
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    ASSERT_TRUE(replace_file(path, damaged, Sync::kNo).ok());
    EXPECT_FALSE(TreeRecord::load(path, id, now, settings).has_value()) << at;
  }
  tree.tick();
  tree.write("a.py", "def ONE(): pass\n");
  EXPECT_EQ(run_once(*workspace).changed, 1U);
  EXPECT_TRUE(look(*workspace).has_value());
}

TEST(FileCounts, AreNotedByEachRun) {
  AgedTree tree;
  add_files(tree);
  const auto workspace = tree.open();
  const auto expect_noted = [&] {
    auto reader = workspace->reader();
    const auto noted = store::find_noted_counts(**reader);
    ASSERT_TRUE(noted.ok() && noted->has_value());
    const auto counted = store::recount_files(**reader);
    ASSERT_TRUE(counted.ok());
    ASSERT_EQ((*noted)->languages.size(), counted->languages.size());
    for (std::size_t i = 0; i < counted->languages.size(); ++i) {
      EXPECT_EQ((*noted)->languages[i].language, counted->languages[i].language);
      EXPECT_EQ((*noted)->languages[i].files, counted->languages[i].files);
      EXPECT_EQ((*noted)->languages[i].files_unparsed, counted->languages[i].files_unparsed);
    }
    for (const auto total : {&store::StoreCounts::files, &store::StoreCounts::symbols,
                             &store::StoreCounts::chunks, &store::StoreCounts::vectors,
                             &store::StoreCounts::dependencies, &store::StoreCounts::skipped,
                             &store::StoreCounts::source_bytes, &store::StoreCounts::lines}) {
      EXPECT_EQ((*noted)->totals.*total, counted->totals.*total);
    }
  };
  run_once(*workspace);
  expect_noted();
  tree.tick();
  tree.write("a.py", "def broken(:\n");
  tree.write("src/new.ts", "export const a = 1;\n");
  fs::remove(tree.root() / "src/deep/c.py");
  run_once(*workspace);
  expect_noted();
  tree.write("src/new.ts", "export const b = 1;\n");
  IndexOptions one;
  one.only = {"src/new.ts"};
  run_once(*workspace, one);
  expect_noted();
}

// Puts a folder away when a run is about to list it, with a link in its place if `leaves_link`.
class Mover : public RunObserver {
 public:
  explicit Mover(fs::path root, bool leaves_link = false)
      : root_(std::move(root)), leaves_link_(leaves_link) {}
  void on_folder(const std::string& folder) override {
    if (folder != "sub") return;
    std::error_code ignored;
    fs::rename(root_ / "sub", root_ / "aside.tmp", ignored);
    if (leaves_link_) fs::create_directory_symlink("aside.tmp", root_ / "sub", ignored);
  }
  void on_file(const fs::path&, Interest) override {}
  void put_back() const {
    fs::remove(root_ / "sub");
    fs::rename(root_ / "aside.tmp", root_ / "sub");
  }

 private:
  fs::path root_;
  bool leaves_link_;
};

TEST(TreeLook, AFolderThatWasAwayWhileItWasWalkedIsFound) {
  AgedTree tree;
  tree.write("a.py", "a = 1\n");
  tree.write("sub/b.py", "b = 1\n");
  const auto workspace = tree.open();
  Mover mover(tree.root());
  IndexOptions options;
  options.observer = &mover;
  EXPECT_EQ(run_once(*workspace, options).added, 1U);
  mover.put_back();
  EXPECT_EQ(run_once(*workspace).added, 1U);
  EXPECT_EQ(run_once(*workspace).added, 0U);
}

// The folder is only on the way to what the second run is about.
TEST(TreeLook, AFolderThatWasAwayOrClosedOnTheWayIsLookedAtAgain) {
  for (const bool is_closed : {false, true}) {
    SCOPED_TRACE(is_closed);
    AgedTree tree;
    tree.write("a.py", "a = 1\n");
    tree.write("sub/b.py", "b = 1\n");
    tree.write("sub/c.py", "c = 1\n");
    const auto workspace = tree.open();
    run_once(*workspace);
    Mover mover(tree.root(), is_closed);
    IndexOptions one;
    one.observer = &mover;
    one.only = {"sub/b.py"};
    EXPECT_EQ(run_once(*workspace, one).deleted, 1U);
    mover.put_back();
    EXPECT_EQ(run_once(*workspace).added, 1U);
    expect_as_clean(*workspace);
  }
}

}  // namespace
}  // namespace codexmem::index
