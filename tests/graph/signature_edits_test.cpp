#include "graph/rename/signature_edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

std::string with(std::string text, std::vector<RenameEdit> edits) {
  std::ranges::sort(edits, std::ranges::greater(), &RenameEdit::offset);
  for (const RenameEdit& each : edits) text.replace(each.offset, each.size, each.text);
  return text;
}

parse::WrittenList list_in(const std::string& text) {
  const parse::WrittenLists lists(*parse::find_language("cpp"), text);
  return lists.parameters_of(static_cast<std::uint32_t>(text.find("f("))).value();
}

TEST(SignatureEdits, AnItemIsInserted) {
  struct Case {
    std::string text;
    std::size_t before;
    std::string want;
  };
  for (const Case& each :
       std::vector<Case>{{"int f();", 0, "int f(int x);"},
                         {"int f(void);", 1, "int f(int x);"},
                         {"int f(int a);", 0, "int f(int x, int a);"},
                         {"int f(int a);", 1, "int f(int a, int x);"},
                         {"int f(int a, B<1, 2> b);", 1, "int f(int a, int x, B<1, 2> b);"}}) {
    const auto list = list_in(each.text);
    EXPECT_EQ(with(each.text, {insert_item(each.text, list, each.before, "int x")}), each.want);
  }
}

TEST(SignatureEdits, AnItemIsRemovedWithAComma) {
  struct Case {
    std::string text;
    std::size_t index;
    std::string want;
  };
  for (const Case& each :
       std::vector<Case>{{"int f(int a);", 0, "int f();"},
                         {"int f(int a, int b);", 0, "int f(int b);"},
                         {"int f(int a, int b);", 1, "int f(int a);"},
                         {"int f(int a, int b, int c);", 1, "int f(int a, int c);"}}) {
    const auto list = list_in(each.text);
    EXPECT_EQ(with(each.text, {remove_item(each.text, list, each.index)}), each.want);
  }
  // A comma behind the only one.
  const std::string text = "f(a, )";
  EXPECT_EQ(with(text, {remove_item(text, {.range = {1, 6}, .items = {{2, 3}}}, 0)}), "f( )");
}

TEST(SignatureEdits, ItemsChangePlaces) {
  const std::string text = "int f(int a, B<1, 2> b, C c);";
  const auto list = list_in(text);
  const std::vector<std::size_t> order = {2, 1};
  const auto edits = reorder_items(text, list.items, order);
  ASSERT_TRUE(edits);
  EXPECT_EQ(with(text, *edits), "int f(B<1, 2> b, int a, C c);");
  const std::vector<std::size_t> missing = {2, 4};
  EXPECT_FALSE(reorder_items(text, list.items, missing));
}

}  // namespace
}  // namespace codexmem::graph
