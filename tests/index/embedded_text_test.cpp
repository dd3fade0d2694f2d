#include "index/discovery/embedded_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "embed/static_model.h"
#include "index/run/indexer.h"
#include "store/code/workspace.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

// Every row of the view `embeddings`, compared with what the model makes of its content.
void check_rows(store::Workspace& workspace, std::size_t least) {
  const auto embedder = embed::make_static_embedder(*embed::StaticModel::built_in());
  auto lease = workspace.reader();
  std::map<std::int64_t, std::string> texts;
  const auto files = (*lease)->list_files();
  for (const store::FileRow& file : *files) {
    auto made = read_embedded_texts(**lease, file.id);
    for (EmbeddedText& text : *made) {
      texts[static_cast<std::int64_t>(text.id)] = std::move(text.text);
    }
  }
  auto query = (*lease)->database().statement(
      "SELECT id, content, embedding, json_extract(metadata, '$.type') FROM embeddings ORDER BY "
      "id");
  ASSERT_TRUE(query.ok());
  std::size_t rows = 0;
  while (*query->step()) {
    const std::string content(query->text(1));
    EXPECT_EQ(content, texts[query->integer(0)]);
    EXPECT_FALSE(query->text(3).empty());
    const std::string_view bytes = query->blob(2);
    std::vector<float> stored(bytes.size() / sizeof(float));
    std::memcpy(stored.data(), bytes.data(), stored.size() * sizeof(float));
    const std::string_view view = content;
    const std::vector<float> made = *embedder->embed_documents(std::span(&view, 1));
    ASSERT_EQ(stored.size(), made.size());
    double product = 0, a = 0, b = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
      product += double{stored[i]} * double{made[i]};
      a += double{stored[i]} * double{stored[i]};
      b += double{made[i]} * double{made[i]};
    }
    if (b > 0) {
      EXPECT_GT(product / std::sqrt(a * b), 0.99) << content;
    } else {
      EXPECT_LT(a, 0.01) << content;
    }
    ++rows;
  }
  EXPECT_EQ(rows, texts.size());
  EXPECT_GE(rows, least);
}

TEST(EmbeddedText, TheViewGivesWhatWasEmbedded) {
  TemporaryTree tree;
  tree.write("top.py", "import os\n\n\ndef top():\n    return os.name\n");
  tree.write("web/src/app.test.ts",
             "export class Shop {\n  sell(item: string) { return item; }\n  sell2() {}\n}\n");
  tree.write("a/.eslintrc.json", "{\"rules\": {}}\n");
  tree.write("a/.hidden/no.name/x..py", "def sell():\n    pass\n\n\ndef sell():\n    pass\n");
  tree.write("Makefile", "all:\n\techo done\n");
  tree.write("größe/отчёт.py", "def отчёт():\n    return 'é'\n");
  std::string many, lines;
  for (int i = 0; i < 900; ++i) many += "def имя_" + std::to_string(i) + "(): pass\n";
  for (int i = 0; i < 900; ++i) lines += "'слово " + std::to_string(i) + "' ";
  tree.write("many.py", many);
  tree.write("long.py", "x = (" + lines + ")\n");
  const auto workspace = *store::Workspace::open(tree.root());
  ASSERT_TRUE(index_repository(*workspace).ok());
  check_rows(*workspace, 14);
}

// The sources of this program: a repository that nobody made up.
TEST(EmbeddedText, TheViewGivesWhatWasEmbeddedOfARealRepository) {
  TemporaryTree tree;
  for (const char* folder : {"src", "docs", "tests/index", "scripts"}) {
    std::filesystem::create_directories((tree.root() / folder).parent_path());
    std::filesystem::copy(std::filesystem::path(CODEXMEM_SOURCE_DIR) / folder, tree.root() / folder,
                          std::filesystem::copy_options::recursive);
  }
  const auto workspace = *store::Workspace::open(tree.root());
  ASSERT_TRUE(index_repository(*workspace).ok());
  check_rows(*workspace, 3000);
}

}  // namespace
}  // namespace codexmem::index
