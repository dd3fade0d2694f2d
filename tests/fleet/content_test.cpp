#include "fleet/content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "search/small_index.h"

namespace codexmem::fleet {
namespace {

using search::SmallFile;
using search::SmallIndex;

// The shape of a key, put together so that no source holds one.
std::string key() { return std::string("AKIA") + "Q3EGRZ5XN7WJ4KDL"; }

SmallFile cart() {
  return {"src/cart.py",
          "def add_article(cart):\n    cart.append(1)\n\ndef total_price(cart):\n    return 2\n",
          {{"add_article"}, {"total_price"}}};
}

FileRows rows_of(const Content& content, std::size_t which) {
  auto rows = content.rows_of(content.files().at(which), 77);
  EXPECT_TRUE(rows.ok() && rows->has_value());
  return **rows;
}

TEST(FleetContent, AFileIsItsPiecesWithLinesSymbolsAndWords) {
  SmallIndex index;
  index.add({cart()}, true);
  const auto content = Content::read(index.workspace(), "shop", "ab12");
  ASSERT_TRUE(content.ok()) << content.error().message();
  ASSERT_EQ(content->files().size(), 1U);
  const FileRows rows = rows_of(*content, 0);
  ASSERT_EQ(rows.pieces.size(), 2U);
  const auto piece = read_piece({.id = rows.pieces[1].id,
                                 .document = rows.pieces[1].document,
                                 .metadata = rows.pieces[1].metadata});
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->symbol, "total_price");
  EXPECT_EQ(piece->start_line, 4U);
  EXPECT_EQ(piece->revision, "ab12");
  ASSERT_EQ(piece->definitions.size(), 1U);
  EXPECT_EQ(piece->definitions.front().line, 4U);
  EXPECT_EQ(rows.pieces[1].vector.size(), 128U);
  const auto file = read_file(
      {.id = rows.file.id, .document = rows.file.document, .metadata = rows.file.metadata});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->names, (std::vector<std::string>{"add_article", "total_price"}));
  for (const char* word : {"cart", "articl", "=addarticle", "src"}) {
    EXPECT_TRUE(std::ranges::binary_search(file->words, std::string(word))) << word;
  }
  EXPECT_EQ(file->pushed_ms, 77);
}

TEST(FleetContent, APieceWithASecretIsLeftOut) {
  SmallIndex index;
  index.add({{"src/keys.py",
              "def open_shop():\n    return 1\n\naws_access_key_id = \"" + key() +
                  "\"\nquetzalcoatl = 1\n",
              {{"open_shop"}, {"quetzalcoatl", SymbolType::kVariable, "variable"}}}},
            true);
  const auto content = Content::read(index.workspace(), "shop", "");
  ASSERT_TRUE(content.ok());
  const FileRows rows = rows_of(*content, 0);
  ASSERT_EQ(rows.pieces.size(), 1U);
  for (const std::string& text : {rows.file.document, rows.pieces[0].document}) {
    EXPECT_EQ(text.find(key()), std::string::npos);
    EXPECT_EQ(text.find("quetzalcoatl"), std::string::npos);
  }
  const auto summary = content->summarize();
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->left_out, 1);
  EXPECT_EQ(summary->pieces, 1);
}

TEST(FleetContent, AFileWhosePathIsASecretIsLeftOut) {
  SmallIndex index;
  index.add({{"src/" + key() + ".py", "def a():\n    return 1\n", {{"a"}}}}, true);
  const auto content = Content::read(index.workspace(), "shop", "");
  ASSERT_TRUE(content.ok());
  const auto rows = content->rows_of(content->files().front(), 1);
  ASSERT_TRUE(rows.ok());
  EXPECT_FALSE(rows->has_value());
}

TEST(FleetContent, TheDigestIsOfNamePathsAndContents) {
  SmallIndex one, other;
  one.add({cart()}, true);
  other.add({cart()}, true);
  const auto digest = [](SmallIndex& index, const char* name) {
    return Content::read(index.workspace(), name, "any").value().digest();
  };
  EXPECT_EQ(digest(one, "shop"), digest(other, "shop"));
  EXPECT_NE(digest(one, "shop"), digest(one, "site"));
  other.add({{"src/b.py", "def b():\n    return 1\n", {{"b"}}}}, true);
  EXPECT_NE(digest(one, "shop"), digest(other, "shop"));
}

TEST(FleetContent, AFileThatChangesMeanwhileIsNotSent) {
  SmallIndex index;
  index.add({cart()}, true);
  const auto content = Content::read(index.workspace(), "shop", "");
  ASSERT_TRUE(content.ok());
  SmallFile changed = cart();
  changed.content += "\n# changed\n";
  index.replace(cart(), changed);
  const auto rows = content->rows_of(content->files().front(), 1);
  ASSERT_TRUE(rows.ok());
  EXPECT_FALSE(rows->has_value());
}

TEST(FleetContent, WithoutVectorsItSaysWhatToDo) {
  SmallIndex index;
  index.add({cart()});
  const auto content = Content::read(index.workspace(), "shop", "");
  ASSERT_FALSE(content.ok());
  EXPECT_NE(content.error().message().find("index the repository"), std::string::npos);
}

}  // namespace
}  // namespace codexmem::fleet
