#include "exchange/scip_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "exchange/scip_made.h"
#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::exchange {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::made_scip;
using testing::MadeDocument;

// What the receivers are, only a compiler knows.
const std::map<std::string, std::string> kCompiled = {{"shop.py",
                                                       "class Shop:\n"
                                                       "    def open(self):\n"
                                                       "        pass\n"
                                                       "\n"
                                                       "class Door:\n"
                                                       "    def open(self):\n"
                                                       "        pass\n"},
                                                      {"use.py",
                                                       "def run(a, b, c):\n"
                                                       "    a.open()\n"
                                                       "    b.open()\n"
                                                       "    c.open()\n"}};

const MadeDocument kShopDocument = {"shop.py",
                                    {{{0, 6, 10}, "t . p . Shop#", 1},
                                     {{1, 8, 12}, "t . p . Shop#open().", 1},
                                     {{4, 6, 10}, "t . p . Door#", 1},
                                     {{5, 8, 12}, "t . p . Door#open().", 1}}};
const MadeDocument kUseDocument = {"use.py",
                                   {{{1, 6, 10}, "t . p . Shop#open().", 8},
                                    {{2, 6, 10}, "t . p . Door#open().", 8},
                                    {{3, 6, 10}, "t . other . x().", 8}}};

class ImportScipTest : public ::testing::Test {
 protected:
  Result<ScipImportReport> import(const std::string& bytes) {
    const auto path = directory_.path() / "index.scip";
    EXPECT_TRUE(replace_file(path, bytes).ok());
    return import_scip(fixture_.workspace(), path, {});
  }
  // The uses of Shop.open as "line drawer", and the account.
  std::vector<std::string> uses() {
    auto reader = fixture_.workspace().reader().value();
    graph::FactsCache cache;
    graph::ReferenceQuery query;
    query.symbol = "Shop.open";
    query.min_confidence = graph::Confidence::kName;
    query.include_definitions = false;
    auto answer = graph::find_references(cache, *reader, query).value();
    std::vector<std::string> lines;
    for (const auto& item : answer.items) {
      lines.push_back(std::to_string(item.position.line) + " " +
                      std::string(graph::drawer_name(item.drawer)));
    }
    lines.push_back(graph::account_text(answer.account));
    return lines;
  }

  testing::TemporaryDirectory directory_;
  testing::CodeFixture fixture_{kCompiled};
};

TEST_F(ImportScipTest, WhatTheCompilerSaysIsCertain) {
  EXPECT_THAT(uses(), ElementsAre("2 possible", "3 possible", "4 possible", "6 other",
                                  HasSubstr("3 possible")));
  const auto report = import(made_scip({kShopDocument, kUseDocument}));
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->tool, "tester 1");
  EXPECT_EQ(report->files, 2U);
  EXPECT_THAT(report->refused, IsEmpty());
  EXPECT_THAT(uses(), ElementsAre("2 certain", "6 other", "3 other", "4 other",
                                  "1 definition, 1 certain; 3 of something else (1 other "
                                  "definition of that name) = 5 places"));
}

TEST_F(ImportScipTest, APlaceThatItDoesNotMentionIsNoGuess) {
  MadeDocument use = kUseDocument;
  use.occurrences.resize(1);
  ASSERT_TRUE(import(made_scip({kShopDocument, use})).ok());
  EXPECT_THAT(uses(), ElementsAre("2 certain", "6 other", "3 other", "4 other", ::testing::_));
}

// A compiler may say that `new A()` is its constructor: it stays a use of A, and an A. What it does
// not mention, a.go(), is likely.
TEST_F(ImportScipTest, AUseOfAConstructorIsOneOfItsClass) {
  const std::string text =
      "class A {\n  constructor() {}\n  go() {}\n}\nconst a = new A();\na.go();\n";
  testing::CodeFixture fixture(std::map<std::string, std::string>{{"a.ts", text}});
  const MadeDocument document{"a.ts",
                              {{{0, 6, 7}, "t . p . A#", 1},
                               {{1, 2, 13}, "t . p . A#`<constructor>`().", 1},
                               {{2, 2, 4}, "t . p . A#go().", 1},
                               {{4, 14, 15}, "t . p . A#`<constructor>`().", 0}}};
  const auto path = directory_.path() / "index.scip";
  ASSERT_TRUE(replace_file(path, made_scip({document})).ok());
  ASSERT_TRUE(import_scip(fixture.workspace(), path, {}).ok());
  auto reader = fixture.workspace().reader().value();
  graph::FactsCache cache;
  for (const auto& [symbol, certain] :
       std::map<std::string, std::size_t>{{"A", 1}, {"A.constructor", 1}, {"A.go", 0}}) {
    graph::ReferenceQuery query;
    query.symbol = symbol;
    const auto answer = graph::find_references(cache, *reader, query).value();
    EXPECT_EQ(answer.account[graph::Drawer::kCertain] + answer.account.renamed, certain) << symbol;
    EXPECT_EQ(answer.account[graph::Drawer::kLikely], symbol == "A.go" ? 1U : 0U) << symbol;
  }
}

// A quoted name, and code that the grammar does not understand.
TEST_F(ImportScipTest, WordsThatAreNotAmongTheFactsAreSettled) {
  const std::string text =
      "export interface A {\n  size: number;\n}\nexport type B = A[\"size\"];\n"
      "@@ size size @@\n";
  testing::CodeFixture fixture(std::map<std::string, std::string>{{"a.ts", text}});
  const MadeDocument document{"a.ts",
                              {{{1, 2, 6}, "t . p . A#size.", 1},
                               {{3, 18, 24}, "t . p . A#size.", 0},
                               {{4, 3, 7}, "t . p . A#size.", 0}}};
  const auto path = directory_.path() / "index.scip";
  ASSERT_TRUE(replace_file(path, made_scip({document})).ok());
  ASSERT_EQ(import_scip(fixture.workspace(), path, {})->files, 1U);
  auto reader = fixture.workspace().reader().value();
  graph::FactsCache cache;
  graph::ReferenceQuery query;
  query.symbol = "A.size";
  const auto answer = graph::find_references(cache, *reader, query).value();
  EXPECT_EQ(answer.account[graph::Drawer::kCertain], 2U);
  EXPECT_EQ(answer.account[graph::Drawer::kOther], 1U);
  EXPECT_TRUE(answer.account.is_complete());
}

TEST_F(ImportScipTest, AFileThatItDoesNotCoverIsResolvedAsBefore) {
  ASSERT_TRUE(import(made_scip({kShopDocument})).ok());
  EXPECT_THAT(uses(),
              ElementsAre("2 possible", "3 possible", "4 possible", "6 other", ::testing::_));
}

// Uses of what a refused document defines say nothing.
TEST_F(ImportScipTest, AnotherTextIsRefused) {
  MadeDocument shop = kShopDocument;
  shop.text = "class Shop: pass\n";
  const auto report = import(made_scip({shop, kUseDocument}));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->files, 1U);
  EXPECT_THAT(report->refused,
              ElementsAre(::testing::Pair("shop.py", HasSubstr("it has another text"))));
  // The third is of another package, whatever the shop is.
  EXPECT_THAT(uses(), ElementsAre("2 possible", "3 possible", "6 other", "4 other", ::testing::_));
}

TEST_F(ImportScipTest, NamesAtOtherPlacesAreRefused) {
  MadeDocument use = kUseDocument;
  for (auto& at : use.occurrences) ++at.range[1];
  const auto report = import(made_scip({kShopDocument, use}));
  ASSERT_TRUE(report.ok());
  EXPECT_THAT(report->refused, ElementsAre(::testing::Pair("use.py", HasSubstr("other places"))));
}

// rust-analyzer defines a module by its whole text, up to a line that has no text.
TEST_F(ImportScipTest, ARangeOfManyLinesIsNoName) {
  MadeDocument shop = kShopDocument;
  shop.occurrences.push_back({{0, 0, 7, 0}, "t . p . shop/", 1});
  const auto report = import(made_scip({shop, kUseDocument}));
  ASSERT_TRUE(report.ok());
  EXPECT_THAT(report->refused, IsEmpty());
  EXPECT_EQ(uses().front(), "2 certain");
}

TEST_F(ImportScipTest, UnknownFilesAreRefusedAndDocumentsOfAFolderAreFound) {
  const auto report = import(made_scip({{"gone.py", {}}}));
  ASSERT_TRUE(report.ok());
  EXPECT_THAT(report->refused, ElementsAre(::testing::Pair("gone.py", HasSubstr("not indexed"))));
  const std::string root = "file://" + (fixture_.workspace().root() / "pkg").string();
  EXPECT_THAT(import(made_scip({{"gone.py", {}}}, root))->refused,
              ElementsAre(::testing::Pair("pkg/gone.py", ::testing::_)));
}

TEST_F(ImportScipTest, ColumnsAreReadInEachEncoding) {
  testing::CodeFixture fixture(
      std::map<std::string, std::string>{{"a.py", "def f():\n    pass\nx = '😀é', f()\n"}});
  const std::vector<std::pair<std::int32_t, std::int32_t>> columns = {
      {1, 14}, {2, 11}, {3, 10}, {0, 11}};
  for (const auto& [encoding, column] : columns) {
    MadeDocument document{
        "a.py", {{{0, 4, 5}, "t . p . f().", 1}, {{2, column, column + 1}, "t . p . f().", 8}}};
    document.columns = encoding;
    const auto path = directory_.path() / "index.scip";
    ASSERT_TRUE(replace_file(path, made_scip({document})).ok());
    const auto report = import_scip(fixture.workspace(), path, {});
    ASSERT_TRUE(report.ok()) << report.error().message();
    EXPECT_EQ(report->files, 1U) << encoding;
  }
}

// Nothing of a bad index is kept, and nothing is lost.
TEST_F(ImportScipTest, ABadIndexChangesNothing) {
  ASSERT_TRUE(import(made_scip({kShopDocument, kUseDocument})).ok());
  const auto before = uses();
  const auto refused = [&](const std::string& bytes, const char* why) {
    const auto report = import(bytes);
    ASSERT_FALSE(report.ok()) << why;
    EXPECT_THAT(report.error().message(), HasSubstr(why));
    EXPECT_EQ(uses(), before) << why;
  };
  for (const char* path :
       {"../shop.py", "/etc/passwd", "a/../../b.py", "a//b.py", "./shop.py", "a\\b.py", ""}) {
    refused(made_scip({kShopDocument, {path, {}}}), "leads out of the repository");
  }
  refused("", "not a SCIP index");
  refused("{\"not\": \"protobuf\"}", "not a SCIP index");
  refused(made_scip({{"use.py", {{{1, 6}, "t . p . x.", 8}}}}), "no range");
  refused(made_scip({{"use.py", {{{-1, 6, 7}, "t . p . x.", 8}}}}), "no range");
  const std::string whole = made_scip({kShopDocument, kUseDocument});
  const std::string half = whole.substr(0, whole.size() - 5);
  refused(half, "damaged");
}

// Cut anywhere, it is refused, or says less: cut between two documents it is whole.
TEST_F(ImportScipTest, ACutIndexIsReadOrRefused) {
  const std::string whole = made_scip({kShopDocument, kUseDocument});
  std::size_t read = 0;
  for (std::size_t size = 0; size < whole.size(); size += 3) {
    if (import(whole.substr(0, size)).ok()) ++read;
  }
  EXPECT_LT(read, 10U);
}

}  // namespace
}  // namespace codexmem::exchange
