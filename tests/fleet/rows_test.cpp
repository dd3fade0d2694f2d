#include "fleet/rows.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::fleet {
namespace {

embed::ChromaRecord record_of(const embed::ChromaRow& row) {
  return {.id = row.id, .document = row.document, .metadata = row.metadata};
}

TEST(FleetRows, ARepositoryIsReadAsItWasWritten) {
  RepositoryRow row{.name = "git.example.com/shop/cart", .revision = "ab12", .digest = "d"};
  row.push = "lot";
  row.pushed_ms = 1'764'000'000'123;
  row.is_complete = true;
  row.files = 3;
  row.pieces = 9;
  row.lines = 100;
  row.terms = 500;
  row.left_out = 1;
  row.frequencies = {{"cart", 3}, {"=addarticle", 2}};
  EXPECT_EQ(read_repository(record_of(to_row(row))), row);
}

TEST(FleetRows, OnlyTheCommonestTermsAreStored) {
  RepositoryRow row{.name = "large"};
  for (std::uint32_t i = 0; i < 2 * kTermsCounted; ++i)
    row.frequencies["t" + std::to_string(i)] = i;
  const auto read = read_repository(record_of(to_row(row)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->frequencies.size(), kTermsCounted);
  EXPECT_TRUE(read->frequencies.contains("t" + std::to_string(2 * kTermsCounted - 1)));
  EXPECT_FALSE(read->frequencies.contains("t0"));
}

TEST(FleetRows, APieceIsReadAsItWasWritten) {
  const PieceRow row{
      .repository = "r",
      .path = "src/a b.py",
      .file = "f1",
      .index = 7,
      .language = "python",
      .revision = "ab12",
      .start_line = 3,
      .end_line = 9,
      .symbol = "Cart.add",
      .symbol_type = "method",
      .definitions = {{"add", "method", "", 3, 4}, {"operator ()", "method", "op", 5, 20}},
      .text = "def add(self):\n    pass\n"};
  const embed::ChromaRow written = to_row(row, {1, 0});
  EXPECT_EQ(written.id, "f1.7");
  EXPECT_EQ(read_piece(record_of(written)), row);
}

TEST(FleetRows, AFileIsReadAsItWasWritten) {
  const FileRow row{.id = file_id("r", "a\nb.py", "blob"),
                    .repository = "r",
                    .path = "a\nb.py",
                    .language = "python",
                    .blob = "blob",
                    .revision = "ab12",
                    .pushed_ms = 5,
                    .lines = 4,
                    .pieces = 2,
                    .terms = 30,
                    .centrality = 0.25,
                    .imports = {path_number("src/c.py"), path_number("d")},
                    .names = {"Cart", "add"},
                    .name_pieces = {0, 1},
                    .words = {"=addarticl", "add", "cart"}};
  const embed::ChromaRow written = to_row(row, {1, 0});
  EXPECT_EQ(read_file(record_of(written)), row);
  EXPECT_NE(written.document.find(word_mark("cart")), std::string::npos);
  EXPECT_NE(written.document.find(name_mark("Cart")), std::string::npos);
  EXPECT_EQ(written.document.find(word_mark("car")), std::string::npos);
}

TEST(FleetRows, InvalidRowsAreIgnored) {
  EXPECT_FALSE(read_piece({}));
  EXPECT_FALSE(read_file({.id = "x", .metadata = {{"repository", std::string("r")}}}));
  EXPECT_FALSE(read_repository({.id = "x", .metadata = {{"files", std::int64_t{3}}}}));
  // Damaged ones give what can be read of them.
  const auto piece =
      read_piece({.id = "x",
                  .metadata = {{"repository", std::string("r")},
                               {"path", std::string("p")},
                               {"definitions", std::string("no\n1-2 a b c\n\n9\n  a b")},
                               {"lines", std::string("-4-nine")},
                               {"symbol", std::string("operator (")}}});
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->start_line, 1U);
  EXPECT_EQ(piece->symbol, "operator (");
  ASSERT_EQ(piece->definitions.size(), 1U);
  EXPECT_EQ(piece->definitions.front().name, "c");
}

TEST(FleetRows, IdsDependOnRepositoryPathAndContent) {
  const std::string id = file_id("r", "p", "b");
  EXPECT_EQ(id, file_id("r", "p", "b"));
  EXPECT_NE(id, file_id("s", "p", "b"));
  EXPECT_NE(id, file_id("r", "q", "b"));
  EXPECT_NE(id, file_id("r", "p", "c"));
  // A file's repository, and a piece's file and place, are in their ids.
  EXPECT_EQ(mark_of(id), repository_mark("r"));
  const std::string piece = piece_id(id, 12);
  EXPECT_EQ(mark_of(piece), repository_mark("r"));
  EXPECT_EQ(piece_place(piece).file, id);
  EXPECT_EQ(piece_place(piece).index, 12U);
  EXPECT_NE(collection_names("one model").pieces, collection_names("another").pieces);
}

}  // namespace
}  // namespace codexmem::fleet
