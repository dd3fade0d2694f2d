#include "search/locate/verbatim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace codexmem::search {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::vector<std::pair<std::string, double>> messages(std::string_view issue,
                                                     std::string_view code) {
  std::vector<std::pair<std::string, double>> found;
  MessageFinder(issue).read(code, [&](std::string_view literal, std::size_t place, double share) {
    EXPECT_EQ(code.substr(place + 1, literal.size()), literal);
    found.emplace_back(literal, share);
  });
  return found;
}

TEST(Verbatim, EachPlaceOfEachTextIsFound) {
  const std::vector<std::string> wanted = {"--color", "a.b_c", "abc", "color"};
  std::vector<std::pair<std::size_t, std::size_t>> found;
  VerbatimFinder(wanted).read(
      "use --color, a.b_c; --col abc color",
      [&](std::size_t text, std::size_t place) { found.emplace_back(text, place); });
  // "abc" is too short to say anything.
  EXPECT_THAT(found, UnorderedElementsAre(Pair(0, 4), Pair(3, 6), Pair(1, 13), Pair(3, 30)));
}

TEST(Verbatim, AMessageIsFoundWithWhateverItsVariablePartsHave) {
  const std::string issue = "It fails.\nError: The item 'tea' is not in cart 3\nof Ann";
  for (const char* literal :
       {"The item '%s' is not in cart %d", "The item '{}' is not in cart {number:d}",
        "the item '#{name}' is not in cart", "The item '%(name)s' is not in cart 3\\nof"}) {
    const std::string code = "  raise Error(\"" + std::string(literal) + "\")\n";
    EXPECT_THAT(messages(issue, code), ElementsAre(Pair(literal, Gt(0.5)))) << code;
  }
}

TEST(Verbatim, AnotherOrShorterMessageIsNot) {
  const std::string issue = "Error: The item 'tea' is not in cart 3";
  for (const char* code : {"\"The item '%s' is not in stock %d\"", "\"is not in\"",
                           "\"in cart {} The item\"", "\"{} {} {}\"", "\"%\"", "\"The item", "",
                           "\"%(The item is not in cart\"", "\"{The item is not in cart\""}) {
    EXPECT_THAT(messages(issue, code), IsEmpty()) << code;
  }
}

}  // namespace
}  // namespace codexmem::search
