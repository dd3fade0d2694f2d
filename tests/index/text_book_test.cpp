#include "index/packs/text_book.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "index/run/indexer.h"
#include "index/packs/store_check.h"
#include "store/code/text_books.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

// Python of some kilobytes; `seed` gives other names.
std::string module_text(unsigned seed, std::size_t size, const char* line_end = "\n") {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; text.size() < size; ++i) {
    const std::string name = "value_" + std::to_string(random() % 500);
    text += "def compute_" + name + "_" + std::to_string(i) + "(self, " + name + "):" + line_end;
    text += "    \"\"\"Returns the " + name + " of \xF0\x9F\x98\x80 and Größe.\"\"\"" + line_end;
    text += "    if " + name + " is None:" + line_end + "        return self." + name + line_end;
  }
  return text;
}

class TextBookTest : public ::testing::Test {
 protected:
  TextBookTest() {
    for (unsigned i = 0; i < 40; ++i) {
      write("src/m" + std::to_string(i) + ".py", module_text(i, 9000));
    }
    write("crlf.py", module_text(100, 5000, "\r\n"));
    write("empty.py", "");
    std::string line = "x = [";
    while (line.size() < (1U << 20) - 20) line += "'" + std::to_string(line.size() * 7919) + "', ";
    write("line.py", line + "]");
    write("block.py", module_text(101, 3000).substr(0, 1024));
    write("small.py", "x = 1");
    tree_.write("latin.py", "# caf\xE9\n" + module_text(102, 3000));
    texts_["latin.py"] = "# caf\xEF\xBF\xBD\n" + module_text(102, 3000);
    std::mt19937 random(5);
    std::string noise = "# ";
    for (int i = 0; i < 4000; ++i) {
      // Letters of many scripts, three bytes each.
      const auto letter = static_cast<unsigned>(0x4E00 + random() % 20000);
      noise +=
          {static_cast<char>(0xE0 | letter >> 12), static_cast<char>(0x80 | (letter >> 6 & 63)),
           static_cast<char>(0x80 | (letter & 63))};
    }
    write("noise.py", noise);
  }

  void write(const std::string& path, const std::string& text) {
    tree_.write(path, text);
    texts_[path] = text;
  }

  void index(bool force = false) {
    IndexOptions options;
    options.force = force;
    const auto report = index_repository(*workspace_, options);
    ASSERT_TRUE(report.ok()) << report.error().message();
  }

  std::int64_t count(const std::string& sql) {
    const auto number = workspace_->writer().value()->find_integer(sql);
    EXPECT_TRUE(number.ok()) << number.error().message();
    return number.value().value_or(-1);
  }

  // The text of each file, as SQL and as the program reads it, is `texts_`.
  void expect_texts() {
    store::Database& database = *workspace_->writer().value();
    store::StoreReader reader(database);
    auto rows = database.statement("SELECT id, path, content, typeof(content) FROM files").value();
    std::size_t files = 0;
    while (rows.step().value()) {
      const std::string path(rows.text(1));
      EXPECT_EQ(rows.text(2), texts_[path]) << path;
      EXPECT_EQ(rows.text(3), "text") << path;
      EXPECT_EQ(reader.find_content(rows.id<store::FileId>(0)).value(), texts_[path]) << path;
      ++files;
    }
    EXPECT_EQ(files, texts_.size());
  }

  TemporaryTree tree_;
  std::map<std::string, std::string> texts_;
  std::unique_ptr<store::Workspace> workspace_ = store::Workspace::open(tree_.root()).value();
};

TEST_F(TextBookTest, TextsAreCodedAndReadAsTheyWere) {
  index();
  EXPECT_EQ(count("SELECT count(*) FROM phrase_books"), 1);
  EXPECT_GT(count("SELECT count(*) FROM file_rows WHERE typeof(text) = 'blob'"), 40);
  EXPECT_LT(count("SELECT sum(length(text)) FROM file_rows WHERE path LIKE 'src/%'"),
            count("SELECT sum(text_size) FROM file_rows WHERE path LIKE 'src/%'") / 2);
  expect_texts();
}

TEST_F(TextBookTest, ViewsSliceCodedTexts) {
  index();
  store::Database& database = *workspace_->writer().value();
  store::StoreReader reader(database);
  auto rows = database
                  .statement(
                      "SELECT id, file_id, definition, docstring, signature FROM symbols"
                      " WHERE file_id IN (SELECT id FROM files WHERE path IN ('crlf.py',"
                      " 'src/m3.py', 'line.py', 'latin.py'))")
                  .value();
  std::size_t symbols = 0;
  while (rows.step().value()) {
    auto symbol = reader.find_symbol(rows.id<store::SymbolId>(0)).value();
    ASSERT_TRUE(reader.read_texts(std::span(&*symbol, 1)).ok());
    const auto text = reader.find_content(rows.id<store::FileId>(1)).value();
    const std::string whole = text->substr(symbol->range.begin, symbol->range.size());
    EXPECT_TRUE(whole.starts_with(rows.text(2))) << rows.text(2);
    EXPECT_FALSE(rows.text(2).empty());
    EXPECT_NE(text->find(rows.text(4)), std::string::npos);
    EXPECT_EQ(rows.text(3).empty(), symbol->docstring.empty()) << rows.text(3);
    ++symbols;
  }
  EXPECT_GT(symbols, 50U);
  EXPECT_EQ(count("SELECT count(*) FROM embeddings WHERE length(content) = 0 OR content IS NULL"),
            0);
}

TEST_F(TextBookTest, AChangedFileIsCodedWithTheBookThatIsThere) {
  index();
  write("src/m3.py", module_text(300, 20000));
  write("new.py", module_text(301, 20000));
  index();
  EXPECT_EQ(count("SELECT count(*) FROM phrase_books"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM file_rows WHERE path = 'new.py' AND book = 1"), 1);
  expect_texts();
}

TEST_F(TextBookTest, ARepositoryThatHasGrownGetsAnotherBook) {
  index();
  for (unsigned i = 0; i < 400; ++i) {
    write("more/m" + std::to_string(i) + ".py", module_text(1000 + i, 9000));
  }
  index();
  EXPECT_EQ(count("SELECT count(*) FROM phrase_books"), 2);
  expect_texts();
  index(true);
  EXPECT_EQ(count("SELECT count(*) FROM phrase_books"), 1);
  EXPECT_EQ(count("SELECT count(DISTINCT id >> 16) FROM phrases"), 1);
  expect_texts();
}

TEST_F(TextBookTest, DamagedCodesAreFoundAndMadeAgain) {
  for (const char* sql :
       {"UPDATE file_rows SET text = CAST(substr(text, 1, 200) AS BLOB) WHERE path = 'src/m1.py'",
        "UPDATE file_rows SET text_size = text_size + 1 WHERE path = 'src/m1.py'",
        "DELETE FROM phrases WHERE id & 65535 > 300", "DELETE FROM phrase_books",
        "UPDATE phrases SET phrase = x'7878' WHERE id & 65535 = 700"}) {
    workspace_ = store::Workspace::open(tree_.root()).value();
    index();
    ASSERT_TRUE(workspace_->writer().value()->execute(sql).ok());
    EXPECT_FALSE(check_store(*workspace_).value().problems.empty()) << sql;
    index();
    expect_texts();
    EXPECT_TRUE(check_store(*workspace_).value().problems.empty()) << sql;
  }
}

TEST(TextBook, ASmallRepositoryHasNone) {
  TemporaryTree tree;
  tree.write("a.py", module_text(1, 20000));
  const auto workspace = store::Workspace::open(tree.root()).value();
  ASSERT_TRUE(index_repository(*workspace).ok());
  store::Database& database = *workspace->writer().value();
  EXPECT_EQ(database.find_integer("SELECT count(*) FROM phrase_books").value(), 0);
  EXPECT_EQ(database.find_integer("SELECT count(*) FROM phrases").value(), 0);
  EXPECT_EQ(database.find_integer("SELECT book FROM file_rows").value(), 0);
}

// A question about a workspace reads texts of all its repositories, each with a book of its own; to
// read five books takes longer than to search five repositories.
TEST(TextBook, BooksOfManyRepositoriesAreKept) {
  TemporaryTree tree;
  const auto workspace = store::Workspace::open(tree.root()).value();
  store::Database& database = *workspace->writer().value();
  std::vector<store::BookId> ids;
  for (unsigned seed = 0; seed < 64; ++seed) {
    auto book = std::make_shared<PhraseBook>(PhraseBook::learn(module_text(seed, 2000), 300));
    ids.push_back(store::add_book(database, std::move(book), 2000).value());
  }
  std::vector<std::shared_ptr<const PhraseBook>> books;
  for (const auto id : ids) books.push_back(store::find_book(database, id).value());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_NE(books[i], nullptr);
    EXPECT_EQ(store::find_book(database, ids[i]).value(), books[i]) << i;
  }
  // A book that is there already takes no other one's place.
  for (int i = 0; i < 70; ++i) {
    ASSERT_TRUE(
        database.execute("DELETE FROM phrase_books WHERE id = (SELECT max(id) FROM phrase_books)")
            .ok());
    ASSERT_TRUE(store::add_book(database, books.back(), 2000).ok());
  }
  EXPECT_EQ(store::find_book(database, ids.front()).value(), books.front());
}

}  // namespace
}  // namespace codexmem::index
