#include "graph/stored/repository_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/unused/public_names.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RepositoryMapTest : public ::testing::Test {
 protected:
  RepositoryMap map(std::size_t depth = 2) {
    return map_repository(cache_, *reader_, {.depth = depth}, {}).value();
  }
  static std::vector<std::string> folders(const RepositoryMap& map) {
    std::vector<std::string> list;
    for (const MappedFolder& folder : map.folders) {
      list.push_back(folder.path + ":" + std::to_string(folder.level) +
                     (folder.is_secondary ? " secondary" : ""));
    }
    return list;
  }

  testing::CodeFixture fixture_{{
      {"src/shop/__init__.py", "from .web.app import App\nfrom .core.price import price\n"},
      {"src/shop/web/__init__.py", ""},
      {"src/shop/web/app.py",
       "from ..core.price import price\nfrom ..data.rows import Row\nfrom ..core.money import "
       "Money\n"
       "class App:\n    pass\n"},
      {"src/shop/web/pages/home.py", "from ..app import App\ndef home():\n    pass\n"},
      {"src/shop/core/__init__.py", ""},
      {"src/shop/core/price.py", "from ..data.rows import Row\ndef price():\n    pass\n"},
      {"src/shop/core/money.py", "from ..web.app import App\nclass Money:\n    pass\n"},
      {"src/shop/data/__init__.py", ""},
      {"src/shop/data/rows.py", "from shop import price\nclass Row:\n    pass\n"},
      {"src/shop/jobs/nightly.py", "from ..data.rows import Row\ndef run():\n    pass\n"},
      {"tests/test_app.py", "from shop import App\n"},
      {"docs/conf.py", "project = 'shop'\n"},
      {"README.md", "# Shop\n"},
  }};
  store::ReaderLease reader_ = fixture_.workspace().reader().value();
  FactsCache cache_;
};

TEST_F(RepositoryMapTest, LevelsBeginWhereTheCodeIs) {
  EXPECT_THAT(folders(map()), ElementsAre("src/shop:0", "src/shop/web:1", "src/shop/core:1",
                                          "src/shop/data:1", "src/shop/jobs:1", "docs:1 secondary",
                                          "tests:1 secondary", "src/shop/web/pages:2"));
  EXPECT_THAT(folders(map(1)),
              ElementsAre("src/shop:0", "src/shop/web:1", "src/shop/core:1", "src/shop/data:1",
                          "src/shop/jobs:1", "docs:1 secondary", "tests:1 secondary"));
}

TEST_F(RepositoryMapTest, LayersLeaveOutWhatGoesThroughThePackage) {
  const RepositoryMap found = map();
  EXPECT_THAT(found.layers, ElementsAre(ElementsAre("src/shop/web"),
                                        ElementsAre("src/shop/core", "src/shop/jobs"),
                                        ElementsAre("src/shop/data")));
}

TEST_F(RepositoryMapTest, AnInversionSaysWhere) {
  const RepositoryMap found = map();
  EXPECT_THAT(found.cycles, ElementsAre(ElementsAre("src/shop/core", "src/shop/web")));
  ASSERT_EQ(found.inversions.size(), 1U);
  const Inversion& one = found.inversions.front();
  EXPECT_EQ(one.from, "src/shop/core");
  EXPECT_EQ(one.to, "src/shop/web");
  EXPECT_EQ(one.path, "src/shop/core/money.py");
  EXPECT_EQ(one.line, 1U);
  EXPECT_EQ(one.imported, "src/shop/web/app.py");
  EXPECT_EQ(one.imports, 1U);
  EXPECT_EQ(one.others, 2U);
}

TEST_F(RepositoryMapTest, WhatMostImportIsCentral) {
  const RepositoryMap found = map();
  ASSERT_FALSE(found.central.empty());
  EXPECT_EQ(found.central.front().path, "src/shop/data/rows.py");
  EXPECT_EQ(found.central.front().importers, 3U);
}

TEST_F(RepositoryMapTest, APackageOffersWhatItsModuleExports) {
  const PublicNames names = find_public_names(cache_, *reader_, "src", "").value();
  EXPECT_EQ(names.path, "src/shop/__init__.py");
  EXPECT_THAT(names.names, ElementsAre("App", "price"));
  EXPECT_THAT(find_used_names(cache_, *reader_, "src/shop/data", false, 3).value(),
              ElementsAre("Row"));
  EXPECT_THAT(find_used_names(cache_, *reader_, "docs", false, 3).value(), IsEmpty());
}

}  // namespace
}  // namespace codexmem::graph
