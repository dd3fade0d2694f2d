#include "app/help/known_languages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace codexmem::app {
namespace {
using ::testing::HasSubstr;

TEST(KnownLanguages, SayHowEachIsKnown) {
  std::string ranks;
  for (const KnownLanguage& known : languages_by_knowledge()) {
    EXPECT_EQ(known.package.empty(), known.known_by == "text") << known.language->name;
    EXPECT_EQ(known.version.empty(), known.known_by == "text") << known.language->name;
    EXPECT_NE(recognised_by(*known.language), "");
    ranks += known.known_by == "reference" ? '0' : known.known_by == "name" ? '1' : '2';
    if (known.language->name == "go") {
      EXPECT_EQ(known.known_by, "reference");
    }
    if (known.language->name == "lua") {
      EXPECT_EQ(known.known_by, "name");
    }
    if (known.language->name == "markdown") {
      EXPECT_EQ(known.known_by, "text");
    }
  }
  EXPECT_EQ(ranks.size(), parse::languages().size());
  EXPECT_EQ(ranks.find("10"), std::string::npos);
  EXPECT_EQ(ranks.find("20"), std::string::npos);
  EXPECT_EQ(ranks.find("21"), std::string::npos);
}

TEST(KnownLanguages, HaveFiguresThatAreShares) {
  for (const KnownLanguage& known : languages_by_knowledge()) {
    const parse::Measured& measured = known.language->measured;
    for (const std::string_view figure :
         {measured.definitions, measured.references, measured.imports}) {
      if (figure.empty()) continue;
      EXPECT_NE(measured.against, "") << known.language->name;
      const double share = std::strtod(std::string(figure).c_str(), nullptr);
      EXPECT_GT(share, 0.5) << known.language->name;
      EXPECT_LE(share, 1.0) << known.language->name;
    }
    // References by spelling are measured for none.
    if (known.known_by != "reference") {
      EXPECT_EQ(measured.references, "") << known.language->name;
    }
    if (!measured.calls.empty()) {
      EXPECT_THAT(std::string(measured.calls), HasSubstr("/"));
    }
  }
}

}  // namespace
}  // namespace codexmem::app
