// Questions of the graph over two repositories, with links between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/uses/call_paths.h"
#include "graph/imports/dependencies.h"
#include "graph/uses/impact.h"
#include "graph/uses/references.h"
#include "graph/uses/symbol_search.h"
#include "store/code/united_reader.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class UnitedGraphTest : public ::testing::Test {
 protected:
  UnitedGraphTest()
      : library_(
            {{"src/index.ts",
              "export function parse(text: string) {\n  return text;\n}\n"
              "export class Ledger {\n  add(amount: number) {}\n}\n"},
             {"src/use.ts", "import { parse } from './index';\nexport const x = parse('1');\n"}}),
        app_({{"src/index.ts",
               "import { parse, Ledger } from '@acme/lib';\n"
               "export function checkout(text: string) {\n"
               "  const ledger = new Ledger();\n  ledger.add(1);\n"
               "  return parse(text);\n}\n"},
              {"src/main.ts", "import { checkout } from './index';\ncheckout('1');\n"}}),
        library_reader_(library_.workspace().reader().value()),
        app_reader_(app_.workspace().reader().value()) {}

  // The app is member 0, the library 1.
  std::unique_ptr<store::UnitedReader> united(bool with_links) {
    auto reader = store::UnitedReader::make({{"app", &*app_reader_}, {"lib", &*library_reader_}});
    if (!with_links) return reader;
    const auto source = reader->find_file("app:/src/index.ts").value();
    const auto target = reader->find_file("lib:/src/index.ts").value();
    std::vector<store::DependencyRow> links;
    const auto imports = reader->list_dependencies(source->id).value();
    for (store::DependencyRow row : imports) {
      if (row.import_path != "@acme/lib") continue;
      row.target = target->id;
      row.is_external = false;
      links.push_back(row);
    }
    EXPECT_EQ(links.size(), 1U);
    reader->set_links(std::make_shared<const store::CrossLinks>(std::move(links)));
    return reader;
  }

  testing::CodeFixture library_, app_;
  store::ReaderLease library_reader_, app_reader_;
  FactsCache facts_;
};

std::vector<std::string> uses_of(const ReferenceAnswer& answer) {
  std::vector<std::string> uses;
  for (const ReferenceItem& item : answer.items) {
    if (!item.is_definition) {
      uses.push_back(item.path + ":" + std::to_string(item.position.line) + " " +
                     std::string(confidence_name(item.confidence)));
    }
  }
  return uses;
}

TEST_F(UnitedGraphTest, UsesInTheOtherRepositoryAreResolved) {
  const auto reader = united(true);
  const auto answer = find_references(facts_, *reader, {.symbol = "parse"}).value();
  EXPECT_THAT(uses_of(answer),
              UnorderedElementsAre("app:/src/index.ts:1 resolved", "app:/src/index.ts:5 resolved",
                                   "lib:/src/use.ts:1 resolved", "lib:/src/use.ts:2 resolved"));
  const auto member = find_references(facts_, *reader, {.symbol = "Ledger.add"}).value();
  EXPECT_THAT(uses_of(member), ElementsAre("app:/src/index.ts:4 resolved"));
  ReferenceQuery only{.symbol = "parse"};
  only.keep = [](std::string_view path) { return path.starts_with("app:"); };
  const auto kept = find_references(facts_, *reader, only).value();
  EXPECT_EQ(uses_of(kept).size(), 2U);
  EXPECT_EQ(kept.total, 3U);
}

TEST_F(UnitedGraphTest, WithoutLinksRepositoriesAreApart) {
  const auto reader = united(false);
  const auto answer = find_references(facts_, *reader, {.symbol = "parse"}).value();
  EXPECT_THAT(uses_of(answer),
              UnorderedElementsAre("lib:/src/use.ts:1 resolved", "lib:/src/use.ts:2 resolved"));
}

TEST_F(UnitedGraphTest, FilesDependAcross) {
  const auto reader = united(true);
  const auto answer =
      analyze_dependencies(*reader, {.file_path = "lib:/src/index.ts", .depth = 2}).value();
  std::vector<std::string> dependents;
  for (const DependencyItem& item : answer.dependents) {
    dependents.push_back(item.path + " " + std::to_string(item.depth));
  }
  EXPECT_THAT(dependents, UnorderedElementsAre("app:/src/index.ts 1", "lib:/src/use.ts 1",
                                               "app:/src/main.ts 2"));
}

TEST_F(UnitedGraphTest, AChangeReachesTheOtherRepository) {
  const auto reader = united(true);
  const auto impact =
      find_impact(
          facts_, *reader, {{"lib:/src/index.ts", "parse", 1}},
          {.depth = 2, .deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1)}, {})
          .value();
  std::vector<std::string> paths;
  for (const AffectedCode& code : impact.code) paths.push_back(code.path);
  EXPECT_THAT(
      paths, ::testing::IsSupersetOf({"app:/src/index.ts", "app:/src/main.ts", "lib:/src/use.ts"}));
}

TEST_F(UnitedGraphTest, NamesAndPathsAreOfAll) {
  const auto reader = united(true);
  EXPECT_EQ(find_symbols(*reader, {.symbol = "checkout"})->results.front().path,
            "app:/src/index.ts");
  EXPECT_EQ(find_symbols(*reader, {.symbol = "lib:/src/index.ts::Ledger"})->total, 1U);
  EXPECT_EQ(find_symbols(*reader, {.symbol = "app:/src/index.ts::Ledger"})->results.size(), 0U);
}

}  // namespace
}  // namespace codexmem::graph
