#include "exchange/drawing.h"

#include <gtest/gtest.h>

#include "support/code_fixture.h"

namespace codexmem::exchange {
namespace {

const std::map<std::string, std::string> kDrawn = {
    {"web/app.py",
     "from core.price import price\ndef show(x):\n    price()\n    price()\n    x.sell()\n"},
    {"core/price.py", "def price():\n    return tax()\n\ndef tax():\n    return 1\n"},
    {"core/__init__.py", ""},
    {"core/shop.py", "class Shop:\n    def sell(self):\n        pass\n"}};

std::string drawn(const Drawing& drawing, Result<void> (*write)(const Drawing&, const Output&)) {
  std::string bytes;
  EXPECT_TRUE(write(drawing, [&](std::string_view more) -> Result<void> {
                bytes += more;
                return {};
              }).ok());
  return bytes;
}

Drawing drawing_of(EdgesOf of, NodesAre nodes) {
  testing::CodeFixture fixture(kDrawn);
  auto reader = fixture.workspace().reader().value();
  graph::FactsCache cache;
  auto drawing = draw(cache, *reader, of, nodes);
  EXPECT_TRUE(drawing.ok());
  return std::move(drawing).value();
}

TEST(Draw, ImportsByFolderAsDot) {
  EXPECT_EQ(drawn(drawing_of(EdgesOf::kImports, NodesAre::kFolders), write_dot),
            "digraph codexmem {\n  rankdir=LR;\n  node [shape=box];\n"
            "  \"core\";\n  \"web\";\n"
            "  \"web\" -> \"core\" [weight=1, label=1];\n}\n");
}

TEST(Draw, CallsBySymbolLeaveOutWhatIsNotCertain) {
  const Drawing drawing = drawing_of(EdgesOf::kCalls, NodesAre::kSymbols);
  const std::map<std::pair<std::string, std::string>, std::size_t> want = {
      {{"core/price.py::price", "core/price.py::tax"}, 1},
      {{"web/app.py::show", "core/price.py::price"}, 2}};
  EXPECT_EQ(drawing.edges, want);
  EXPECT_EQ(drawing.uncertain, 1U);
}

TEST(Draw, NamesAreEscaped) {
  Drawing drawing;
  drawing.edges[{"a\"\\\n<&", "b"}] = 1;
  EXPECT_NE(drawn(drawing, write_dot).find("\"a\\\"\\\\ <&\" -> \"b\""), std::string::npos);
  EXPECT_NE(drawn(drawing, write_graphml).find(">a&quot;\\ &lt;&amp;<"), std::string::npos);
}

TEST(Draw, ImportsBetweenSymbolsAreRefused) {
  testing::CodeFixture fixture(kDrawn);
  auto reader = fixture.workspace().reader().value();
  graph::FactsCache cache;
  EXPECT_FALSE(draw(cache, *reader, EdgesOf::kImports, NodesAre::kSymbols).ok());
}

}  // namespace
}  // namespace codexmem::exchange
