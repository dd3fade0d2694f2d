#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/running_hash.h"
#include "dump_lines.h"
#include "index/run/index_version.h"
#include "index/run/indexer.h"
#include "index/packs/pack_check.h"
#include "index/packs/pack_file.h"
#include "index/packs/pack_make.h"
#include "index/packs/pack_set.h"
#include "index/packs/store_check.h"
#include "index/repository_status.h"
#include "parse/walk/extract.h"
#include "parse/facts/fingerprint.h"
#include "parse/rules/languages.h"
#include "parse/facts/whole_facts.h"
#include "random_tree.h"
#include "support/temporary_directory.h"
#include "temporary_tree.h"
#include "text/json.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShop =
    "import os\n\n\nclass Shop:\n    \"\"\"Sells.\"\"\"\n\n    def total(self, prices):\n"
    "        return sum(prices)\n\n\ndef main():\n    print(Shop().total([1]), os.name)\n";

class PackTest : public ::testing::Test {
 protected:
  std::unique_ptr<store::Workspace> open(const fs::path& root) {
    return store::Workspace::open(root).value();
  }
  IndexReport index(store::Workspace& workspace, IndexOptions options = {}) {
    auto report = index_repository(workspace, options);
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
    return report.ok() ? *report : IndexReport();
  }
  std::shared_ptr<const Pack> pack(store::Workspace& workspace, bool all = true) {
    const auto made = make_pack(workspace, path(), {.program = "test", .all = all});
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
    report_ = made.ok() ? *made : PackReport();
    return reopen();
  }
  std::shared_ptr<const Pack> reopen() {
    auto opened = Pack::open(path(), "a.pack");
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message());
    return opened.ok() ? *opened : nullptr;
  }
  // A pack with the facts given for each text.
  std::shared_ptr<const Pack> forge(
      const std::vector<std::pair<std::string, std::string>>& facts_of_texts) {
    PackHeader header;
    header.index_version = index_version();
    header.languages = {{"python", parse::facts_fingerprint(*parse::find_language("python"))}};
    auto writer = PackWriter::begin(path(), header).value();
    for (const auto& [text, facts] : facts_of_texts) {
      EXPECT_TRUE(writer.add_file(hash_bytes(sha256_hex(text)), 0, facts).ok());
    }
    EXPECT_TRUE(writer.commit().ok());
    return reopen();
  }
  // A pack that says `facts` of the text.
  std::shared_ptr<const Pack> forge(std::string_view text, std::string_view facts,
                                    const std::string& version = index_version(),
                                    const std::string& fingerprint = "") {
    PackHeader header;
    header.index_version = version;
    header.languages = {{"python", fingerprint.empty()
                                       ? parse::facts_fingerprint(*parse::find_language("python"))
                                       : fingerprint}};
    auto writer = PackWriter::begin(path(), header).value();
    EXPECT_TRUE(writer.add_file(hash_bytes(sha256_hex(text)), 0, facts).ok());
    EXPECT_TRUE(writer.commit().ok());
    return reopen();
  }
  std::string facts_of(std::string_view text) {
    parse::Extractor extractor;
    return parse::encode_whole_facts(
        extractor.extract(*parse::find_language("python"), text).value());
  }
  // The tree's files under another root, without its index.
  void copy_tree(const fs::path& from) {
    for (const auto& entry : fs::directory_iterator(from)) {
      if (entry.path().filename() == ".codexmem") continue;
      fs::copy(entry.path(), copy_.root() / entry.path().filename(),
               fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }
  }
  fs::path path() const { return folder_.path() / "a.pack"; }

  testing::TemporaryDirectory folder_;
  TemporaryTree tree_, copy_;
  PackReport report_;
};

TEST_F(PackTest, AnIndexWithAPackIsTheIndexWithout) {
  RandomTree tree(11);
  for (int step = 0; step < 30; ++step) tree.change();
  auto first = open(tree.root());
  index(*first, {.max_file_bytes = kLargeFile});
  const auto packed = pack(*first);
  copy_tree(tree.root());
  auto second = open(copy_.root());
  const IndexReport report = index(*second, {.max_file_bytes = kLargeFile, .packs = {packed}});
  ASSERT_TRUE(report.packs);
  EXPECT_GT(report.packs->taken, 0U);
  EXPECT_EQ(report.packs->made + report.packs->refused + report.packs->other_version, 0U);
  EXPECT_GT(report.packs->compared, 0U);
  EXPECT_EQ(dump_lines(*second), dump_lines(*first));
}

TEST_F(PackTest, ChangesAreMadeAndTheRestIsTakenAtEachStep) {
  RandomTree tree(12);
  auto grown = open(tree.root());
  index(*grown, {.max_file_bytes = kLargeFile});
  const auto packed = pack(*grown);
  for (int step = 0; step < 12; ++step) {
    const std::string what = tree.change();
    index(*grown, {.max_file_bytes = kLargeFile, .packs = {packed}});
    TemporaryTree clean;
    for (const auto& entry : fs::directory_iterator(tree.root())) {
      if (entry.path().filename() == ".codexmem") continue;
      fs::copy(entry.path(), clean.root() / entry.path().filename(),
               fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }
    auto other = open(clean.root());
    index(*other, {.max_file_bytes = kLargeFile});
    ASSERT_EQ(dump_lines(*grown), dump_lines(*other)) << what;
  }
}

TEST_F(PackTest, TheSameTreeGivesTheSameBytes) {
  for (const char* name : {"a.py", "b/c.py", "d.js"}) {
    tree_.write(name, std::string(kShop) + name);
    copy_.write(name, std::string(kShop) + name);
  }
  auto first = open(tree_.root());
  index(*first);
  pack(*first);
  const std::string bytes = read_file(path()).value();
  auto second = open(copy_.root());
  copy_.write("a.py", "x = 1\n");
  index(*second, {.threads = 1});
  copy_.write("a.py", std::string(kShop) + "a.py");
  index(*second, {.distrust_times = true, .threads = 3});
  pack(*second);
  EXPECT_EQ(read_file(path()).value(), bytes);
}

TEST_F(PackTest, HoldsWhatGitHasAndNoMore) {
  tree_.write("kept.py", kShop);
  tree_.write("changed.py", "a = 1\n");
  tree_.git("init -q");
  tree_.git("add .");
  tree_.git("commit -qm first");
  tree_.write("changed.py", "password_of_mine = 2\n");
  tree_.write("new.py", "secret_name = 3\n");
  auto workspace = open(tree_.root());
  index(*workspace);
  auto packed = pack(*workspace, false);
  EXPECT_EQ(report_.files, 1U);
  EXPECT_EQ(report_.left_out, 2U);
  EXPECT_EQ(packed->header().tree, report_.tree);
  EXPECT_FALSE(report_.tree.empty());
  EXPECT_TRUE(packed->has_file(sha256_hex(kShop), "python"));
  EXPECT_FALSE(packed->has_file(sha256_hex("secret_name = 3\n"), "python"));
  packed = pack(*workspace, true);
  EXPECT_EQ(packed->files(), 3U);
  const auto key = pack_key(tree_.root());
  ASSERT_TRUE(key.ok());
  EXPECT_TRUE(key->starts_with("codexmem-pack-"));
  EXPECT_TRUE(key->ends_with("-" + report_.tree) || report_.tree.empty());
}

TEST_F(PackTest, OfAnotherProgramIsNotUsed) {
  tree_.write("shop.py", kShop);
  for (const bool is_other_index : {true, false}) {
    auto workspace = open(tree_.root());
    const auto packed = is_other_index ? forge(kShop, facts_of(kShop), "0.0")
                                       : forge(kShop, facts_of(kShop), index_version(), "0123");
    const IndexReport report = index(*workspace, {.force = true, .packs = {packed}});
    ASSERT_TRUE(report.packs);
    EXPECT_EQ(report.packs->other_version, 1U);
    EXPECT_EQ(report.packs->taken, 0U);
  }
}

TEST_F(PackTest, WhatCannotBeIsMadeAnew) {
  tree_.write("shop.py", kShop);
  const std::string longer = std::string(kShop) + "\n\ndef more():\n    pass\n";
  auto workspace = open(tree_.root());
  const IndexReport report =
      index(*workspace, {.packs = {forge(kShop, facts_of(longer))}, .pack_sample = 0});
  EXPECT_EQ(report.packs->refused, 1U);
  copy_.write("shop.py", kShop);
  auto clean = open(copy_.root());
  index(*clean);
  EXPECT_EQ(dump_lines(*workspace), dump_lines(*clean));
}

TEST_F(PackTest, ALieIsFoundBeforeAnythingIsWritten) {
  tree_.write("shop.py", kShop);
  std::string other(kShop);
  other.replace(other.find("main"), 4, "mine");
  auto workspace = open(tree_.root());
  const auto liar = forge(kShop, facts_of(other));
  const IndexReport report = index(*workspace, {.packs = {liar}});
  EXPECT_EQ(report.packs->taken, 0U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("a.pack is not used: it says something else of shop.py"),
            std::string::npos);
  auto reader = workspace->reader().value();
  EXPECT_EQ(reader->list_symbols_named("main").value().size(), 1U);
  EXPECT_EQ(reader->list_symbols_named("mine").value().size(), 0U);
}

// One that no sample met (issue 47).
TEST_F(PackTest, ALieIsFoundAtLeisureAndThePackIsNotUsedForThatFileAgain) {
  tree_.write("shop.py", kShop);
  std::string other(kShop);
  other.replace(other.find("main"), 4, "mine");
  auto workspace = open(tree_.root());
  const auto liar = forge(kShop, facts_of(other));
  index(*workspace, {.packs = {liar}, .pack_sample = 0});
  const auto status = [&] { return read_repository_status(*workspace, {}).value().packs; };
  EXPECT_EQ(status(), R"({"from":"a.pack, not signed","files":1,"compared":0})");

  const FactsCheck found = check_facts(*workspace, {}).value();
  EXPECT_EQ(found.compared, 1U);
  ASSERT_EQ(found.differs.size(), 1U);
  EXPECT_EQ(found.differs[0].path, "shop.py");
  index(*workspace, {.packs = {liar}});
  EXPECT_EQ(workspace->reader().value()->list_symbols_named("mine").value().size(), 0U);
  const FactsCheck again = check_facts(*workspace, {}).value();
  EXPECT_TRUE(again.differs.empty());
  EXPECT_EQ(status(), R"({"from":"a.pack, not signed","files":1,"compared":1})");
}

// Issue 47.
TEST_F(PackTest, ALieInTheLastFileIsFoundALittleAtATime) {
  constexpr std::int64_t kFiles = 12;
  std::vector<std::pair<std::string, std::string>> facts;
  for (std::int64_t i = 0; i < kFiles; ++i) {
    const std::string name = "sell_" + std::to_string(i);
    const std::string text = "def " + name + "():\n    return 1\n";
    tree_.write("shop" + std::to_string(100 + i) + ".py", text);
    facts.emplace_back(text, facts_of(text));
  }
  facts.back().second = facts_of("def sell_xx():\n    return 1\n");
  auto workspace = open(tree_.root());
  const auto liar = forge(facts);
  ASSERT_EQ(index(*workspace, {.packs = {liar}, .pack_sample = 0}).packs->taken, kFiles);
  const auto status = [&] {
    return Json::parse(read_repository_status(*workspace, {}).value().packs);
  };
  const auto has = [&](const char* name) {
    return workspace->reader().value()->list_symbols_named(name).value().size() == 1;
  };
  ASSERT_TRUE(has("sell_xx"));
  std::int64_t steps = 0;
  for (std::int64_t compared = 0; compared < kFiles; ++steps) {
    ASSERT_LE(steps, kFiles);
    const FactsCheck found = check_some_facts(*workspace, {}, {}).value();
    EXPECT_EQ(found.differs.size(), found.left == 0 ? 1U : 0U);
    EXPECT_GE(status()["compared"], compared);
    compared = status()["compared"];
  }
  EXPECT_GT(steps, 2) << "a few at a time";
  index(*workspace);
  EXPECT_TRUE(has("sell_11"));
  EXPECT_FALSE(has("sell_xx"));
  EXPECT_EQ(check_some_facts(*workspace, {}, {}).value().compared, 0U) << "there is nothing to do";
  EXPECT_TRUE(check_facts(*workspace, {}).value().differs.empty());
}

// A lie at the beginning costs the trust in what comes after it.
TEST_F(PackTest, AfterALieTheRestIsReadAgain) {
  tree_.write("a.py", kShop);
  tree_.write("b.py", "def b():\n    pass\n");
  std::string other(kShop);
  other.replace(other.find("main"), 4, "mine");
  auto workspace = open(tree_.root());
  const auto liar = forge({{std::string(kShop), facts_of(other)},
                           {"def b():\n    pass\n", facts_of("def c():\n    pass\n")}});
  index(*workspace, {.packs = {liar}, .pack_sample = 0});
  const FactsCheck found = check_some_facts(*workspace, {}, {}).value();
  EXPECT_EQ(found.compared, 1U);
  EXPECT_EQ(found.left, 0U);
  EXPECT_EQ(index(*workspace).files_processed, 2U);
  EXPECT_TRUE(check_facts(*workspace, {}).value().differs.empty());
}

TEST_F(PackTest, WhatAnIndexSaysOfFilesIsWhatAParseSays) {
  RandomTree tree(13);
  for (int step = 0; step < 30; ++step) tree.change();
  auto workspace = open(tree.root());
  index(*workspace, {.max_file_bytes = kLargeFile});
  const FactsCheck found = check_facts(*workspace, {}).value();
  EXPECT_GT(found.compared, 10U);
  for (const store::FileRow& file : found.differs) ADD_FAILURE() << file.path;
}

TEST_F(PackTest, DamagedAnywhereIsNoPack) {
  tree_.write("shop.py", kShop);
  tree_.write("other.js", "export const a = () => 1;\n");
  auto workspace = open(tree_.root());
  index(*workspace);
  pack(*workspace);
  const std::string whole = read_file(path()).value();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ 1U);
    ASSERT_TRUE(replace_file(path(), damaged, Sync::kNo).ok());
    EXPECT_FALSE(Pack::open(path(), "a.pack").ok()) << at;
  }
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    ASSERT_TRUE(replace_file(path(), whole.substr(0, size), Sync::kNo).ok());
    EXPECT_FALSE(Pack::open(path(), "a.pack").ok()) << size;
  }
  EXPECT_EQ(Pack::open(folder_.path() / "none", "none").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Pack::open(folder_.path(), "folder").error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(Pack::open("/dev/zero", "zero").error().code(), ErrorCode::kCorrupt);
}

TEST_F(PackTest, AnEntryBeyondWhatItsTextCanSayIsNotUnfolded) {
  const auto packed = forge(kShop, std::string(std::size_t{8} << 20U, '\0'));
  ASSERT_NE(packed, nullptr);
  EXPECT_LT(packed->bytes(), 10'000U);
  const auto found =
      packed->find_file(sha256_hex(kShop), "python", parse::most_whole_facts(kShop.size()));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kCorrupt);
}

TEST_F(PackTest, VectorsAreFoundByTheirText) {
  PackHeader header;
  header.model = "openai:example.com#m";
  header.dimension = 4;
  auto writer = PackWriter::begin(path(), header).value();
  for (int i = 0; i < 300'000; ++i) {
    std::string key = std::to_string(i);
    key.resize(16, ' ');
    ASSERT_TRUE(writer.add_vector(key, std::string(4, static_cast<char>(i))).ok());
  }
  ASSERT_TRUE(writer.commit().ok());
  const auto packed = reopen();
  EXPECT_EQ(packed->vectors(), 300'000U);
  std::string key = "271828";
  key.resize(16, ' ');
  EXPECT_EQ(packed->find_vector(key).value(), std::string(4, static_cast<char>(271828)));
  EXPECT_FALSE(packed->find_vector("271828").value().has_value());
}

}  // namespace
}  // namespace codexmem::index
