#include "exchange/scip_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/scip_text.h"
#include "support/code_fixture.h"

namespace codexmem::exchange {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Exported {
  std::string bytes;
  ScipReport report;
  std::vector<std::string> lines(std::string_view path) const {
    return testing::scip_lines(bytes, path);
  }
};

Exported exported(const std::map<std::string, std::string>& texts) {
  testing::CodeFixture fixture(texts);
  auto reader = fixture.workspace().reader().value();
  graph::FactsCache cache;
  Exported found;
  const ScipHead head{"/work/my shop", "example.com/me/shop", "1.0"};
  auto report = export_scip(cache, *reader, head, [&](std::string_view bytes) -> Result<void> {
    found.bytes += bytes;
    return {};
  });
  EXPECT_TRUE(report.ok());
  found.report = std::move(report).value();
  return found;
}

constexpr char kShop[] =
    "class Item:\n"
    "    \"\"\"Something for sale.\"\"\"\n"
    "    def price(self):\n"
    "        return 1\n"
    "\n"
    "class Book(Item):\n"
    "    def price(self):\n"
    "        return 2\n"
    "\n"
    "def total(first):\n"
    "    book = Book()\n"
    "    return book.price() + first.price()\n";

// All that is written of a file: places by line and column from 0, then its symbols.
TEST(ExportScip, WritesPlacesAndSymbolsOfAFile) {
  const Exported found = exported({{"shop.py", kShop}});
  EXPECT_THAT(
      found.lines("shop.py"),
      ElementsAre(
          "at 0:0:0 roles 1 codexmem . example.com/me/shop . `shop.py`/",
          "is codexmem . example.com/me/shop . `shop.py`/ kind 16 shop.py",
          "at 0:6:10 roles 1 codexmem . example.com/me/shop . `shop.py`/Item# in 0:0:3:16",
          "at 2:8:13 roles 1 codexmem . example.com/me/shop . `shop.py`/Item#price(). in 2:4:3:16",
          "at 2:14:18 roles 1 local 2", "is local 2",
          "at 5:6:10 roles 1 codexmem . example.com/me/shop . `shop.py`/Book# in 5:0:7:16",
          "at 5:11:15 roles 0 codexmem . example.com/me/shop . `shop.py`/Item#",
          "at 6:8:13 roles 1 codexmem . example.com/me/shop . `shop.py`/Book#price(). in 6:4:7:16",
          "at 6:14:18 roles 1 local 5", "is local 5",
          "at 9:4:9 roles 1 codexmem . example.com/me/shop . `shop.py`/total(). in 9:0:11:39",
          "at 9:10:15 roles 1 local 7", "is local 7", "at 10:4:8 roles 1 local 8", "is local 8",
          "at 10:11:15 roles 8 codexmem . example.com/me/shop . `shop.py`/Book#",
          "at 11:11:15 roles 8 local 8",
          "at 11:16:21 roles 8 codexmem . example.com/me/shop . `shop.py`/Book#price().",
          "at 11:26:31 roles 8 local 7",
          "is codexmem . example.com/me/shop . `shop.py`/Item# says 'Something for sale.' kind 7 "
          "Item as 'class Item'",
          "is codexmem . example.com/me/shop . `shop.py`/Item#price(). kind 26 price as 'def "
          "price(self)'",
          "is codexmem . example.com/me/shop . `shop.py`/Book# implements codexmem . "
          "example.com/me/shop . `shop.py`/Item# kind 7 Book as 'class Book(Item)'",
          "is codexmem . example.com/me/shop . `shop.py`/Book#price(). implements codexmem . "
          "example.com/me/shop . `shop.py`/Item#price(). kind 26 price as 'def price(self)'",
          "is codexmem . example.com/me/shop . `shop.py`/total(). kind 17 total as 'def "
          "total(first)'"));
}

TEST(ExportScip, CountsWhatIsNotCertain) {
  const Exported found = exported({{"shop.py", kShop}});
  EXPECT_EQ(found.report.uncertain, 1U);  // first.price()
  EXPECT_EQ(found.report.walked.files, 1U);
  EXPECT_EQ(found.report.symbols, 5U);
}

TEST(ExportScip, NamesWhatOtherPackagesDefine) {
  const Exported found =
      exported({{"src/a.ts", "import { z } from 'zod';\nexport const s = z;\n"},
                {"src/b.ts", "import { s } from './a';\nexport const t = s;\n"}});
  EXPECT_THAT(found.lines(""), ElementsAre("is codexmem . zod . z. z"));
  EXPECT_THAT(found.lines("src/a.ts"), Contains("at 0:9:10 roles 2 codexmem . zod . z."));
  EXPECT_THAT(found.lines("src/b.ts"),
              Contains("at 1:17:18 roles 8 codexmem . example.com/me/shop . src/`a.ts`/s."));
}

TEST(ExportScip, AnAnonymousDefaultExportBeginsWithItsDeclaration) {
  const Exported found = exported(
      {{"a.ts", "export default () => 1;\n"}, {"b.ts", "import one from './a';\none();\n"}});
  EXPECT_THAT(found.lines("a.ts"),
              Contains("at 0:0:0 roles 1 codexmem . example.com/me/shop . `a.ts`/default(). in "
                       "0:0:23"));
  EXPECT_THAT(found.lines("a.ts"),
              Contains(StartsWith("is codexmem . example.com/me/shop . `a.ts`/default().")));
  EXPECT_THAT(found.lines("b.ts"),
              Contains("at 1:0:3 roles 8 codexmem . example.com/me/shop . `a.ts`/default()."));
}

TEST(ExportScip, OverloadsOfJavaAreNumberedAndThoseOfTypeScriptAreOne) {
  const Exported found = exported(
      {{"A.java", "class A {\n  void f(int a) {}\n  void f(String a) {}\n}\n"},
       {"a.ts",
        "function f(a: number): void;\nfunction f(a: string): void;\nfunction f(a: any) {}\n"}});
  EXPECT_THAT(found.lines("A.java"), Contains(HasSubstr("A#f(). kind")));
  EXPECT_THAT(found.lines("A.java"), Contains(HasSubstr("A#f(+1). kind")));
  EXPECT_THAT(found.lines("a.ts"), Not(Contains(HasSubstr("(+1)"))));
}

TEST(ExportScip, APrototypeIsAForwardDefinition) {
  const Exported found = exported(
      {{"a.h", "int area(int);\n"}, {"a.c", "#include \"a.h\"\nint area(int r) { return r; }\n"}});
  const std::string symbol = "codexmem . example.com/me/shop . `a.c`/area().";
  EXPECT_THAT(found.lines("a.h"), Contains(StartsWith("at 0:4:8 roles 64 " + symbol)));
  EXPECT_THAT(found.lines("a.c"), Contains(StartsWith("at 1:4:8 roles 1 " + symbol)));
}

TEST(ExportScip, TestsAreMarked) {
  const Exported found = exported({{"tests/test_a.py", "def test_a():\n    pass\n"}});
  EXPECT_THAT(found.lines("tests/test_a.py"), Contains(StartsWith("at 0:4:10 roles 33 ")));
}

TEST(ExportScip, SecretsOfSignaturesAreMasked) {
  // In two parts, so that no file holds a token.
  const std::string token = std::string("ghp_") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  const Exported found = exported({{"a.py", "def f(token=\"" + token + "\"):\n    pass\n"}});
  EXPECT_EQ(found.bytes.find(token), std::string::npos);
  EXPECT_NE(found.bytes.find("[masked"), std::string::npos);
}

}  // namespace
}  // namespace codexmem::exchange
