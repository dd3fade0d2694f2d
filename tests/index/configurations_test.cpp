#include "index/run/configurations.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "temporary_tree.h"

namespace codexmem::index {
namespace {
namespace fs = std::filesystem;

class Watcher : public RunObserver {
 public:
  void on_folder(const std::string&) override {}
  void on_file(const fs::path& file, Interest interest) override {
    EXPECT_EQ(interest, Interest::kConfiguration);
    files.insert(file);
  }
  std::set<fs::path> files;
};

TEST(Configurations, NoteWhatWasReadAndWhatWasNotThere) {
  struct Case {
    const char* change;
    std::function<void(TemporaryTree&)> make;
    bool differs;
  };
  const Case cases[] = {
      {"nothing", [](TemporaryTree&) {}, false},
      {"a time", [](TemporaryTree& tree) { tree.write("conf/base.json", "{}"); }, false},
      {"content of the same size", [](TemporaryTree& tree) { tree.write("conf/base.json", "[]"); },
       true},
      {"content", [](TemporaryTree& tree) { tree.write("conf/base.json", "{ }"); }, true},
      {"removal", [](TemporaryTree& tree) { fs::remove(tree.root() / "conf/base.json"); }, true},
      {"what was looked for", [](TemporaryTree& tree) { tree.write("gen/made.json", ""); }, true},
      {"a folder in its place",
       [](TemporaryTree& tree) { fs::create_directories(tree.root() / "gen/made.json"); }, false},
      {"something else", [](TemporaryTree& tree) { tree.write("conf/other.json", "{}"); }, false},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.change);
    TemporaryTree tree;
    tree.write("conf/base.json", "{}");
    const auto root = RootDirectory::open(tree.root());
    ASSERT_TRUE(root.ok());
    Configurations first(*root, nullptr);
    EXPECT_EQ(first.read("conf/base.json"), "{}");
    EXPECT_EQ(first.read("gen/made.json"), std::nullopt);
    each.make(tree);
    Watcher watcher;
    Configurations second(*root, &watcher);
    ASSERT_TRUE(second.load(first.to_json()));
    EXPECT_EQ(second.have_changed(), each.differs);
    EXPECT_TRUE(each.differs || watcher.files.size() == 2U) << "both are worth a watch";
  }
}

TEST(Configurations, KnowTheirNotes) {
  TemporaryTree tree;
  const auto root = RootDirectory::open(tree.root());
  ASSERT_TRUE(root.ok());
  for (const char* notes : {"", "[]", "{\"a\":1}", "{\"a\":[1,2]}", "{\"a\":[1,2,3]}"}) {
    EXPECT_FALSE(Configurations(*root, nullptr).load(notes)) << notes;
  }
  Configurations none(*root, nullptr);
  EXPECT_TRUE(none.load("{}"));
  EXPECT_FALSE(none.have_changed());
  EXPECT_EQ(none.to_json(), "{}");
}

}  // namespace
}  // namespace codexmem::index
