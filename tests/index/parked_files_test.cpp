// A content that returns to its path is neither parsed nor written again.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "dump_lines.h"
#include "index/packs/store_check.h"
#include "index/run/indexer.h"
#include "index/run/parked_files.h"
#include "store/code/code_writer.h"
#include "store/query.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;

class ParkedFiles : public ::testing::Test {
 protected:
  // Two branches: half of the files differ, one file exists only in each, and one has moved.
  void SetUp() override {
    tree_.git("init -q repo");
    tree_.git("checkout -q -b one", "repo");
    for (int i = 0; i < kFiles; ++i) write(i, "one");
    tree_.write("repo/src/here.py", "from m1 import one1\n\ndef here():\n    return one1()\n");
    tree_.write("repo/src/only_one.py", "def only_one():\n    return 1\n");
    commit();
    tree_.git("checkout -q -b two", "repo");
    for (int i = 0; i < kFiles / 2; ++i) write(i, "two");
    fs::rename(root() / "src/here.py", root() / "src/there.py");
    fs::remove(root() / "src/only_one.py");
    tree_.write("repo/src/only_two.py",
                "from m0 import two0\n\ndef only_two():\n    return two0()\n");
    commit();
    tree_.git("checkout -q one", "repo");
  }

  static constexpr int kFiles = 24;

  void write(int i, const std::string& branch) {
    tree_.write("repo/src/m" + std::to_string(i) + ".py",
                "from m0 import " + branch + "0\n\ndef " + branch + std::to_string(i) +
                    "():\n    return " + branch + "0()\n");
  }
  void commit() {
    tree_.git("add -A .", "repo");
    tree_.git("commit -qm x", "repo");
  }
  fs::path root() const { return fs::canonical(tree_.root() / "repo"); }

  static IndexReport index(const fs::path& at, const IndexOptions& options = {}) {
    auto workspace = store::Workspace::open(at);
    auto report = index_repository(**workspace, options);
    EXPECT_TRUE(report.ok()) << report.error().message();
    return *std::move(report);
  }
  IndexReport switch_to(const std::string& branch, const IndexOptions& options = {}) {
    tree_.git("checkout -q " + branch, "repo");
    return index(root(), options);
  }

  // The index is what a run over the same files makes from nothing.
  void expect_clean() {
    auto workspace = store::Workspace::open(root());
    const StoreCheck check = check_store(**workspace).value();
    EXPECT_EQ(check.problems, std::vector<std::string>());
    const fs::path copy = tree_.root() / "clean";
    fs::remove_all(copy);
    fs::copy(root(), copy, fs::copy_options::recursive);
    fs::remove_all(copy / ".codexmem");
    index(copy);
    auto clean = store::Workspace::open(copy);
    EXPECT_EQ(dump_lines(**workspace), dump_lines(**clean));
  }

  std::vector<store::FileRow> parked() {
    auto workspace = store::Workspace::open(root());
    return (*workspace)->reader().value()->list_parked().value();
  }
  void change_store(const std::string& sql) {
    auto workspace = store::Workspace::open(root());
    ASSERT_TRUE((*workspace)->writer().value()->execute(sql).ok());
  }

  TemporaryTree tree_;
};

TEST_F(ParkedFiles, ASwitchThereAndBackParsesNothing) {
  EXPECT_EQ(index(root()).files_processed, std::uint64_t{kFiles + 2});
  const IndexReport there = switch_to("two");
  EXPECT_EQ(there.files_processed, std::uint64_t{kFiles / 2 + 1});
  EXPECT_EQ(there.files_revived, 0U);
  expect_clean();
  EXPECT_EQ(parked().size(), std::size_t{kFiles / 2 + 1});

  const IndexReport back = switch_to("one");
  EXPECT_EQ(back.files_processed, 0U);
  EXPECT_EQ(back.files_revived, std::uint64_t{kFiles / 2 + 1});
  EXPECT_EQ(back.changed, std::uint64_t{kFiles / 2});
  EXPECT_EQ(back.added, 1U);
  EXPECT_EQ(back.deleted, 1U);
  EXPECT_EQ(back.renamed, 1U);
  expect_clean();

  EXPECT_EQ(switch_to("two").files_processed, 0U);
  expect_clean();
}

// An import leads to the present file at its path, whether its own file changed or not.
TEST_F(ParkedFiles, ImportsFollowWhenTheSetOfFilesStays) {
  for (const char* branch : {"one", "two"}) {
    tree_.git(std::string("checkout -q ") + branch, "repo");
    for (const char* path : {"src/here.py", "src/there.py", "src/only_one.py", "src/only_two.py"}) {
      fs::remove(root() / path);
    }
    commit();
  }
  switch_to("one");
  EXPECT_EQ(switch_to("two").deleted, 0U);
  expect_clean();
  EXPECT_EQ(switch_to("one").files_revived, std::uint64_t{kFiles / 2});
  expect_clean();
}

TEST_F(ParkedFiles, AreNotFound) {
  index(root());
  switch_to("two");
  auto workspace = store::Workspace::open(root());
  auto reader = (*workspace)->reader();
  store::StoreReader& store = **reader;
  EXPECT_TRUE(store.list_symbols_named("one3").value().empty());
  EXPECT_TRUE(store.list_symbols_named_ignoring_case("ONE3").value().empty());
  EXPECT_EQ(store.list_symbols_named("two3").value().size(), 1U);
  EXPECT_TRUE(store.list_files_with_identifier("only_one").value().empty());
  EXPECT_TRUE(store.list_symbol_names("only_o", 9).value().empty());
  EXPECT_TRUE(store.list_files_with_word("one3").value().empty());
  const auto names = store.list_symbol_names().value();
  EXPECT_EQ(std::ranges::count(names, "one3"), 0);
  const auto all = store.list_parked().value();
  ASSERT_FALSE(all.empty());
  for (const store::FileRow& file : all) {
    EXPECT_TRUE(store.find_content(file.id).value().has_value());
    EXPECT_FALSE(store.find_symbol(store::symbol_id(file.id, 0)).value().has_value());
    EXPECT_FALSE(store.find_file(file.id).value().has_value());
  }
}

TEST(ParkedFilesLimit, AnEditParksNothing) {
  ChangePlan plan;
  plan.jobs.resize(6);
  plan.deleted.resize(1);
  EXPECT_FALSE(is_worth_parking(plan));
  plan.deleted.resize(2);
  EXPECT_TRUE(is_worth_parking(plan));
}

// Rows that are not whole, or not as a run would write them, are parsed again.
TEST_F(ParkedFiles, ThoseThatAreDamagedAreRefused) {
  const char* const damages[] = {
      "UPDATE parked_rows SET text = CAST(text AS TEXT) || ' ', text_size = text_size + 1, book = "
      "0",
      "UPDATE file_facts SET facts = x'00' WHERE file_id IN (SELECT id FROM parked_rows)",
      "DELETE FROM chunk_vectors WHERE id >> 20 IN (SELECT id FROM parked_rows)",
      "DELETE FROM symbol_rows WHERE id >> 20 IN (SELECT id FROM parked_rows)",
      "UPDATE parked_rows SET language = 'ruby'",
  };
  index(root());
  for (const char* const damage : damages) {
    SCOPED_TRACE(damage);
    switch_to("two");
    change_store(damage);
    const IndexReport back = switch_to("one");
    EXPECT_EQ(back.files_revived, 0U);
    EXPECT_EQ(back.files_processed, std::uint64_t{kFiles / 2 + 1});
    expect_clean();
    // The damaged ones are gone.
    EXPECT_EQ(parked().size(), std::size_t{kFiles / 2 + 1});
  }
}

TEST_F(ParkedFiles, ARunOfAnotherVersionUsesNone) {
  index(root());
  switch_to("two");
  change_store("UPDATE meta SET value = 'older' WHERE key = 'index_version'");
  const IndexReport back = switch_to("one");
  EXPECT_EQ(back.files_revived, 0U);
  EXPECT_TRUE(parked().empty());
  expect_clean();
}

TEST_F(ParkedFiles, AreDeletedByAge) {
  index(root());
  switch_to("two");
  change_store(
      "UPDATE parked_rows SET parked_ns = 1 WHERE path LIKE '%m1.py' OR path LIKE '%m2.py'");
  auto workspace = store::Workspace::open(root());
  auto reader = (*workspace)->reader();
  EXPECT_EQ(list_surplus(**reader, false).value().size(), 2U);
  EXPECT_EQ(list_surplus(**reader, true).value().size(), std::size_t{kFiles / 2 + 1});
}

TEST_F(ParkedFiles, AreDeletedWhenTheyAreMoreThanTheIndex) {
  index(root());
  switch_to("two");
  change_store("UPDATE parked_rows SET size = 16000000");
  EXPECT_EQ(parked().size(), std::size_t{kFiles / 2 + 1});
  // Three new ones of small size are parked, and of the others four have room.
  for (int i = 0; i < kFiles; ++i) write(i, "three");
  const IndexReport report = index(root());
  EXPECT_EQ(report.changed, std::uint64_t{kFiles});
  const auto left = parked();
  EXPECT_EQ(std::ranges::count(left, 16'000'000, &store::FileRow::size), 4);
  EXPECT_EQ(left.size(), std::size_t{kFiles + 4});
  expect_clean();
}

TEST_F(ParkedFiles, AreWithoutVectorsWhenARunMakesNone) {
  index(root());
  switch_to("two", {.skip_embeddings = true});
  switch_to("one", {.skip_embeddings = true});
  index(root());
  expect_clean();
  switch_to("two");
  expect_clean();
}

}  // namespace
}  // namespace codexmem::index
