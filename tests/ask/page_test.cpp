// What the page that shows code is answered, over a small repository that is really indexed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ask/page/code_map.h"
#include "ask/page/dependency_map.h"
#include "ask/page/file_page.h"
#include "ask/page/find_page.h"
#include "ask/page/memory_map.h"
#include "ask/page/symbol_page.h"
#include "base/text.h"
#include "graph/stored/facts_cache.h"
#include "index/run/indexer.h"
#include "memory/memory.h"
#include "search/search.h"
#include "support/temporary_directory.h"
#include "text/json.h"

namespace codexmem::ask {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Page : public ::testing::Test {
 protected:
  Page() {
    directory_.write("repo/src/core/money.ts",
                     "/** Cents, never floats. */\n"
                     "export class Money {\n"
                     "  constructor(readonly cents: number) {}\n"
                     "  plus(other: Money): Money {\n"
                     "    return new Money(this.cents + other.cents);\n"
                     "  }\n"
                     "}\n"
                     "\n"
                     "export function zero(): Money {\n"
                     "  return new Money(0);\n"
                     "}\n");
    directory_.write("repo/src/cart.ts",
                     "import { Money, zero } from './core/money';\n"
                     "import { readFile } from 'fs';\n"
                     "export function total(prices: Money[]): Money {\n"
                     "  let sum = zero();\n"
                     "  for (const price of prices) sum = sum.plus(price);\n"
                     "  return sum;\n"
                     "}\n");
    directory_.write("repo/src/loop/a.ts",
                     "import { b } from './b';\nexport function a(): number { return b(); }\n");
    directory_.write("repo/src/loop/b.ts",
                     "import { a } from './a';\nexport function b(): number { return a(); }\n");
    directory_.write("repo/tests/cart.test.ts",
                     "import { total } from '../src/cart';\n"
                     "import { zero } from '../src/core/money';\n"
                     "export function testTotal() { total([zero()]); }\n");
    directory_.write("repo/README.md", "# Shop\n\nA shop.\n");
    open();
  }

  void open() {
    workspace_ = store::Workspace::open(directory_.path() / "repo").value();
    index::IndexOptions options;
    options.skip_embeddings = true;
    const auto report = index::index_repository(*workspace_, options, {}, {});
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
    memory::MemoryOptions with;
    with.directory = directory_.path() / "data";
    memory_ = memory::Memory::open(std::move(with)).value();
    search::SearchOptions words;
    words.use_vectors = false;
    search_ = std::make_unique<search::SearchEngine>(*workspace_, words);
    code_ = std::make_unique<CodeServices>(
        CodeServices{.workspace = *workspace_, .search = *search_, .facts = facts_});
  }

  PageCall call() { return {*code_, *memory_}; }

  static Json read(const Result<std::string>& made) {
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
    return made.ok() ? Json::parse(*made) : Json();
  }

  // A memory that cites the file at `path`.
  memory::EntryId remember(const std::string& title, const std::string& path,
                           const std::string& symbol = "", const std::string& hash = "") {
    memory::Citation citation;
    citation.workspace = workspace_->root().string();
    citation.path = path;
    citation.symbol = symbol;
    citation.body_hash = hash;
    const auto saved = memory_->entries().save(
        {.title = title, .text = title + ", said at length."},
        [&](const memory::NewEntry&) -> Result<memory::DocumentWriter> {
          return memory::DocumentWriter(
              [citation](store::Database& database, memory::DocumentKey key) -> Result<void> {
                return memory::put_citations(database, key, {&citation, 1}, 1);
              });
        });
    EXPECT_TRUE(saved.ok());
    return saved->id;
  }

  static std::vector<std::string> texts(const Json& list, const char* key) {
    std::vector<std::string> all;
    for (const Json& each : list) all.push_back(each.value(key, ""));
    return all;
  }

  // The node at `path`, or null.
  static Json node(const Json& root, const std::string& path) {
    if (root["path"] == path) return root;
    if (root.contains("children")) {
      for (const Json& child : root["children"]) {
        if (Json found = node(child, path); !found.is_null()) return found;
      }
    }
    return nullptr;
  }

  const testing::TemporaryDirectory directory_;
  std::unique_ptr<store::Workspace> workspace_;
  std::unique_ptr<memory::Memory> memory_;
  graph::FactsCache facts_;
  std::unique_ptr<search::SearchEngine> search_;
  std::unique_ptr<CodeServices> code_;
};

TEST_F(Page, TheMapSumsTheContentsOfEachFolder) {
  remember("Money is in cents", "src/core/money.ts");
  const Json map = read(make_code_map(call(), {}));
  EXPECT_EQ(map["repo"], workspace_->root().string());
  EXPECT_EQ(map["files"], 6);
  EXPECT_EQ(map["cut"], 0);
  const Json source = node(map["root"], "src");
  EXPECT_EQ(source["kind"], "folder");
  EXPECT_EQ(source["files"], 4);
  EXPECT_EQ(source["language"], "typescript");
  EXPECT_EQ(source["memories"], 1);
  const Json money = node(map["root"], "src/core/money.ts");
  EXPECT_EQ(money["name"], "money.ts");
  EXPECT_EQ(money["lines"], 11);
  EXPECT_EQ(money["fanIn"], 2);
  EXPECT_EQ(money["tests"], 1);
  EXPECT_EQ(money["memories"], 1);
  EXPECT_EQ(node(map["root"], "tests/cart.test.ts")["tests"], 0);
  EXPECT_EQ(map["layers"]["fanIn"]["max"], 2);
  EXPECT_EQ(map["layers"]["churn"]["missing"], "no git history");
}

TEST_F(Page, GeneratedFilesAndDataTakeLittleOfTheMap) {
  std::string many;
  for (int i = 0; i < 900; ++i) many += "{\"text\": 1}\n";
  directory_.write("repo/src/lang/en.json", many);
  directory_.write("repo/src/lock/yarn.lock", many);
  std::string table = "export const all = [\n";
  for (int i = 0; i < 4100; ++i) table += "  1,\n";
  directory_.write("repo/src/table.ts", table + "];\n");
  directory_.write("repo/CHANGELOG.md", "# 1.0\n\nFirst.\n");
  open();
  const Json root = read(make_code_map(call(), {}))["root"];
  const Json data = node(root, "src/lang/en.json");
  EXPECT_EQ(data["sort"], "data");
  EXPECT_EQ(data["lines"], 900);
  EXPECT_EQ(data["code"], 0);
  EXPECT_EQ(data["size"], 30);
  EXPECT_EQ(node(root, "src/table.ts")["sort"], "data");
  EXPECT_EQ(node(root, "CHANGELOG.md")["sort"], "changelog");
  EXPECT_EQ(node(root, "CHANGELOG.md")["size"], 3);
  const Json money = node(root, "src/core/money.ts");
  EXPECT_FALSE(money.contains("sort"));
  EXPECT_EQ(money["size"], 11);
  EXPECT_EQ(money["code"], 11);
  EXPECT_EQ(node(root, "src/lang")["code"], 0);
}

TEST_F(Page, TheMapOpensTheLargestFoldersThatFit) {
  const Json map = read(make_code_map(call(), {.nodes = 6}));
  EXPECT_THAT(texts(map["root"]["children"], "name"),
              UnorderedElementsAre("README.md", "src", "tests"));
  EXPECT_FALSE(node(map["root"], "src").contains("children"));  // its three do not fit
  EXPECT_TRUE(node(map["root"], "tests").contains("children"));
  const Json inside = read(make_code_map(call(), {.path = "src/"}));
  EXPECT_EQ(inside["path"], "src");
  EXPECT_EQ(inside["root"]["name"], "src");
  EXPECT_THAT(texts(inside["root"]["children"], "name"),
              UnorderedElementsAre("core", "cart.ts", "loop"));
  const Json small = read(make_code_map(call(), {.path = "src", .nodes = 2}));
  EXPECT_THAT(texts(small["root"]["children"], "name"), ElementsAre("core"));
  EXPECT_EQ(small["cut"], 2);
}

TEST_F(Page, TheMapIsOfFoldersInside) {
  for (const char* path : {"..", "/etc", "../repo2"}) {
    const auto map = make_code_map(call(), {.path = path});
    ASSERT_FALSE(map.ok()) << path;
    EXPECT_EQ(map.error().code(), ErrorCode::kInvalidArgument) << path;
  }
  EXPECT_EQ(make_code_map(call(), {.path = "sr"}).error().code(), ErrorCode::kNotFound);
}

TEST_F(Page, AFileComesWithItsSurroundings) {
  const auto id = remember("Money is in cents", "src/core/money.ts");
  const Json page = read(make_file_page(call(), {.path = "src/core/money.ts"}));
  EXPECT_EQ(page["language"], "typescript");
  EXPECT_EQ(page["first"], 1);
  EXPECT_THAT(page["text"].get<std::string>(), HasSubstr("return new Money(0);\n}\n"));
  EXPECT_EQ(page["stale"], false);
  EXPECT_THAT(texts(page["importedBy"], "path"), ElementsAre("src/cart.ts", "tests/cart.test.ts"));
  EXPECT_THAT(texts(page["tests"], "path"), ElementsAre("tests/cart.test.ts"));
  std::map<std::string, int> depths;
  for (const Json& symbol : page["symbols"]) depths[symbol["name"]] = symbol["depth"];
  EXPECT_EQ(depths["Money"], 0);
  EXPECT_EQ(depths["plus"], 1);
  ASSERT_EQ(page["memories"].size(), 1U) << page.dump();
  EXPECT_EQ(page["memories"][0]["id"], static_cast<std::int64_t>(id));
  EXPECT_EQ(page["memories"][0]["kind"], "entry");
  EXPECT_EQ(page["memories"][0]["pinned"], false);
  EXPECT_EQ(page["cut"], Json::object());
  const Json cart = read(make_file_page(call(), {.path = "src/cart.ts"}));
  ASSERT_EQ(cart["imports"].size(), 2U);
  EXPECT_EQ(cart["imports"][0]["path"], "src/core/money.ts");
  EXPECT_THAT(cart["imports"][0]["names"].get<std::vector<std::string>>(),
              UnorderedElementsAre("Money", "zero"));
  EXPECT_EQ(cart["imports"][1]["module"], "fs");
}

TEST_F(Page, AFileIsCutAtLinesAndSaysSo) {
  const Json page = read(make_file_page(call(), {.path = "src/cart.ts", .from = 2, .lines = 2}));
  EXPECT_EQ(page["first"], 2);
  EXPECT_EQ(page["text"],
            "import { readFile } from 'fs';\nexport function total(prices: Money[]): Money {\n");
  EXPECT_EQ(page["cut"]["lines"], 4);
  EXPECT_EQ(page["lines"], 7);
}

TEST_F(Page, AFileThatHasChangedIsStaleAndNothingIsIndexedForIt) {
  directory_.write("repo/src/cart.ts", "export const other = 1;\n");
  directory_.write("repo/src/new.ts", "export const other = 1;\n");
  const Json page = read(make_file_page(call(), {.path = "src/cart.ts"}));
  EXPECT_EQ(page["stale"], true);
  EXPECT_THAT(page["text"].get<std::string>(), HasSubstr("total"));
  EXPECT_EQ(make_file_page(call(), {.path = "src/new.ts"}).error().code(), ErrorCode::kNotFound);
}

TEST_F(Page, NoFileOutsideIsRead) {
  directory_.write("secret.txt", "outside\n");
  std::filesystem::create_symlink(directory_.path() / "secret.txt",
                                  directory_.path() / "repo/link.txt");
  for (const std::string path : {"../secret.txt", "src/../../secret.txt", "link.txt", "",
                                 "/etc/passwd", ".codexmem/index.db"}) {
    EXPECT_FALSE(make_file_page(call(), {.path = path}).ok()) << path;
  }
}

TEST_F(Page, FoldersImportEachOther) {
  const Json graph = read(make_dependency_map(call(), {.path = "src"}));
  EXPECT_THAT(texts(graph["nodes"], "id"),
              UnorderedElementsAre("src/cart.ts", "src/core", "src/loop"));
  ASSERT_EQ(graph["edges"].size(), 1U) << graph.dump();
  EXPECT_EQ(graph["edges"][0]["from"], "src/cart.ts");
  EXPECT_EQ(graph["edges"][0]["to"], "src/core");
  EXPECT_THAT(graph["cycles"], IsEmpty());
  const Json cut = read(make_dependency_map(call(), {.path = "src", .nodes = 2}));
  EXPECT_THAT(texts(cut["nodes"], "id"), UnorderedElementsAre("src/cart.ts", "src/core"));
  EXPECT_EQ(cut["cut"], 1);
}

TEST_F(Page, DependenciesBeginWhereTheLinksAre) {
  for (const char* part : {"a", "b", "c", "d"}) {
    directory_.write(std::string("repo/app/main/") + part + "/x.ts",
                     "import { total } from '../z/cart';\nimport { b } from '../y/b';\n"
                     "export const x = [total, b];\n");
  }
  directory_.write("repo/app/main/z/cart.ts", "export const total = 1;\n");
  directory_.write("repo/app/main/y/b.ts", "export const b = 1;\n");
  open();
  EXPECT_EQ(read(make_dependency_map(call(), {}))["path"], "app/main");
  EXPECT_EQ(read(make_dependency_map(call(), {.path = "."}))["path"], "");
}

TEST_F(Page, WhatCannotImportIsHidden) {
  const Json graph = read(make_dependency_map(call(), {.path = "."}));
  EXPECT_THAT(texts(graph["nodes"], "id"), UnorderedElementsAre("src", "tests"));
  EXPECT_EQ(graph["hidden"], 1);
}

TEST_F(Page, CyclesAreMarked) {
  const Json graph = read(make_dependency_map(call(), {.path = "src/loop"}));
  EXPECT_EQ(graph["nodes"][0]["inCycle"], true);
  EXPECT_EQ(graph["edges"][0]["inCycle"], true);
  EXPECT_EQ(graph["cycles"], Json::parse(R"([["src/loop/a.ts","src/loop/b.ts"]])"));
}

TEST_F(Page, AFocusShowsItsNeighboursToADepth) {
  const Json near = read(make_dependency_map(call(), {.focus = "src/cart.ts"}));
  EXPECT_THAT(texts(near["nodes"], "id"),
              UnorderedElementsAre("src/cart.ts", "src/core/money.ts", "tests/cart.test.ts"));
  EXPECT_EQ(near["edges"].size(), 3U);
  EXPECT_EQ(near["nodes"][0]["id"], "src/cart.ts");
  EXPECT_EQ(near["nodes"][0]["fanIn"], 1);
  const Json cut = read(make_dependency_map(call(), {.focus = "src/cart.ts", .nodes = 2}));
  EXPECT_THAT(texts(cut["nodes"], "id"), ElementsAre("src/cart.ts", "src/core/money.ts"));
  EXPECT_EQ(cut["cut"], 1);
  EXPECT_EQ(make_dependency_map(call(), {.focus = "../x.ts"}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_F(Page, ASymbolComesWithWhoUsesIt) {
  remember("zero() is a Money", "src/core/money.ts", "zero");
  const Json page = read(make_symbol_page(call(), {.name = "zero"}));
  EXPECT_EQ(page["symbol"]["path"], "src/core/money.ts");
  EXPECT_EQ(page["symbol"]["line"], 9);
  EXPECT_EQ(page["code"]["first"], 9);
  EXPECT_EQ(page["code"]["text"], "export function zero(): Money {\n  return new Money(0);\n}\n");
  EXPECT_THAT(texts(page["callers"], "name"), ElementsAre("total"));
  EXPECT_EQ(page["callers"][0]["callLine"], 4);
  EXPECT_THAT(texts(page["tests"], "path"), ElementsAre("tests/cart.test.ts"));
  EXPECT_THAT(texts(page["references"], "path"), ElementsAre("src/cart.ts", "tests/cart.test.ts"));
  EXPECT_EQ(page["referencesTotal"], 4);
  EXPECT_EQ(page["memories"].size(), 1U);
  const Json same = read(make_symbol_page(
      call(), {.id = static_cast<store::SymbolId>(page["symbol"]["id"].get<std::int64_t>())}));
  EXPECT_EQ(same["symbol"], page["symbol"]);
  const Json inner = read(make_symbol_page(call(), {.path = "src/core/money.ts", .line = 5}));
  EXPECT_EQ(inner["symbol"]["qualifiedName"], "Money.plus");
  EXPECT_EQ(make_symbol_page(call(), {.name = "zeroo"}).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(make_symbol_page(call(), {}).error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(Page, CitedFilesComeWithTheirNotes) {
  remember("Money is in cents", "src/core/money.ts");
  remember("The cart had a cache", "src/cart.ts", "", "that of a file with a cache");
  const Json known = read(make_memory_map(call()));
  EXPECT_THAT(texts(known["files"], "path"), ElementsAre("src/cart.ts", "src/core/money.ts"));
  EXPECT_EQ(known["files"][0]["memories"][0]["stale"], true) << known.dump();
  EXPECT_EQ(known["files"][1]["memories"][0]["stale"], false);
  EXPECT_EQ(known["files"][1]["memories"][0]["title"], "Money is in cents");
  EXPECT_EQ(known["cut"], 0);
}

TEST_F(Page, NamesCodeAndMemoriesAreFoundAtOnce) {
  remember("Money is in cents", "src/core/money.ts");
  const Json found = read(make_find_page(call(), {.query = "money"}));
  EXPECT_EQ(found["files"][0]["path"], "src/core/money.ts");
  EXPECT_EQ(found["symbols"][0]["name"], "Money");
  EXPECT_EQ(found["symbols"][0]["line"], 2);
  EXPECT_EQ(found["code"][0]["path"], "src/core/money.ts");
  ASSERT_EQ(found["memories"].size(), 1U) << found.dump();
  EXPECT_EQ(found["memories"][0]["title"], "Money is in cents");
  const Json letter = read(make_find_page(call(), {.query = "z"}));
  EXPECT_THAT(letter["code"], IsEmpty());
  EXPECT_EQ(letter["symbols"][0]["name"], "zero");
  for (const char* query : {"", " ", "/(/", "\xff", "..::", "Money.", "src/"}) {
    EXPECT_TRUE(make_find_page(call(), {.query = query}).ok()) << query;
  }
  EXPECT_LE(read(make_find_page(call(), {.query = "mo", .limit = 1}))["code"].size(), 1U);
}

}  // namespace
}  // namespace codexmem::ask
