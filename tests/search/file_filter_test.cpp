#include "search/file_filter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/small_index.h"

namespace codexmem::search {
namespace {

class FileFilterTest : public ::testing::Test {
 protected:
  FileFilterTest() {
    index_.add({{"src/cart.py",
                 "class Cart:\n    def add_item(self): pass\n\ndef add_item(cart):\n    pass\n",
                 {{"Cart", SymbolType::kClass, "class"}, {"add_item"}}},
                {"src/cart.ts",
                 "enum Item {\n  One\n}\n\nfunction addItem(cart) {}\n",
                 {{"Item", SymbolType::kType, "enum"}, {"addItem"}},
                 "typescript"},
                {"tests/test_cart.py", "def test_add_item():\n    pass\n", {{"test_add_item"}}},
                {"README.md", "# Cart\n\nadd item\n", {}, "markdown"}});
  }

  std::vector<std::string> paths(const SearchRequest& request) {
    const auto answer = engine_.search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    std::vector<std::string> all;
    for (const SearchHit& hit : answer->hits) all.push_back(hit.path);
    std::ranges::sort(all);
    return all;
  }

  std::string refusal(const SearchRequest& request) {
    const auto answer = engine_.search(request);
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? "" : answer.error().message();
  }

  SmallIndex index_;
  SearchEngine engine_{index_.workspace()};
};

using Paths = std::vector<std::string>;

TEST_F(FileFilterTest, LanguagesGoByNameOrAsTheirFilesEnd) {
  for (const char* name : {"typescript", "ts", ".ts", "TypeScript"}) {
    EXPECT_EQ(paths({.query = "add item", .threshold = 0, .languages = {name}}),
              Paths({"src/cart.ts"}));
  }
  EXPECT_EQ(paths({.query = "add item", .threshold = 0, .languages = {"py", "markdown"}}),
            Paths({"README.md", "src/cart.py", "tests/test_cart.py"}));
  EXPECT_EQ(paths({.query = "add item", .threshold = 0, .languages = {"c#", "golang"}}), Paths());
  EXPECT_EQ(refusal({.query = "add item", .languages = {"pythn"}}),
            "language must be one of those of the index (markdown, python, typescript), got "
            "\"pythn\": did you mean \"python\"?");
}

TEST_F(FileFilterTest, PathsAndTestsAndFiltersTogether) {
  EXPECT_EQ(paths({.query = "add item", .threshold = 0, .paths = {"src/**", "!*.ts"}}),
            Paths({"src/cart.py"}));
  EXPECT_EQ(paths({.query = "add item", .threshold = 0, .tests = TestFiles::kOnly}),
            Paths({"tests/test_cart.py"}));
  EXPECT_EQ(paths({.query = "add item",
                   .threshold = 0,
                   .languages = {"python"},
                   .tests = TestFiles::kExclude}),
            Paths({"src/cart.py"}));
}

TEST_F(FileFilterTest, FilesLeftOutTakeNoPlace) {
  const auto answer = engine_.search({.query = "add item", .limit = 1, .languages = {"markdown"}});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->hits.size(), 1U);
  EXPECT_EQ(answer->hits[0].path, "README.md");
  EXPECT_EQ(answer->matched_files, 1U);
}

TEST_F(FileFilterTest, KindsShowDefinitionsOfThatKind) {
  const auto of_kind = [&](const char* kind) {
    return engine_.search({.query = "add item to cart", .threshold = 0, .kinds = {kind}}).value();
  };
  const SearchAnswer classes = of_kind("class");
  ASSERT_EQ(classes.hits.size(), 1U);
  EXPECT_EQ(classes.hits[0].path, "src/cart.py");
  EXPECT_EQ(classes.hits[0].symbol->name, "Cart");
  EXPECT_EQ(classes.hits[0].line, 1U);
  const SearchAnswer enums = of_kind("enum");
  ASSERT_EQ(enums.hits.size(), 1U);
  EXPECT_EQ(enums.hits[0].symbol->name, "Item");
  EXPECT_EQ(of_kind("type").hits.size(), 1U);
  EXPECT_EQ(of_kind("function").hits.size(), 3U);
  EXPECT_EQ(of_kind("interface").hits.size(), 0U);
  EXPECT_TRUE(refusal({.query = "cart", .kinds = {"clas"}}).ends_with("did you mean \"class\"?"));
}

TEST_F(FileFilterTest, ANamedDefinitionOfAnotherKindIsNotShown) {
  const auto answer = engine_.search({.query = "add_item", .kinds = {"class"}});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->hits.size(), 1U);
  EXPECT_EQ(answer->hits[0].symbol->name, "Cart");
}

}  // namespace
}  // namespace codexmem::search
