#include "search/exact_search.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include <algorithm>

#include "text/trigrams.h"
#include "search/small_index.h"

namespace codexmem::search {
namespace {

using Lines = std::vector<std::uint32_t>;

const ExactDeadline kNoEnd;
const ExactDeadline kOver{.at = ExactDeadline::Clock::time_point::min()};

class ExactSearchTest : public ::testing::Test {
 protected:
  SearchAnswer search(SearchRequest request) {
    auto answer = engine_.search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? std::move(answer).value() : SearchAnswer();
  }

  // "path:line,line" of each hit, by path.
  std::vector<std::string> lines(const std::string& query) {
    std::vector<std::string> all;
    for (const SearchHit& hit : search({.query = query, .limit = 50}).hits) {
      std::string one = hit.path + ":";
      for (const std::uint32_t line : hit.match_lines) one += std::to_string(line) + ",";
      EXPECT_EQ(hit.match_count, hit.match_lines.size());
      all.push_back(one);
    }
    std::ranges::sort(all);
    return all;
  }

  SmallIndex index_;
  SearchEngine engine_{index_.workspace()};
};

using Found = std::vector<std::string>;

std::vector<SmallFile> cart_shop() {
  return {{"src/cart.py",
           "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n\n\n"
           "def total(cart):\n    # TODO: Rate limit this\n    return sum(cart.items)\n",
           {{"Cart", SymbolType::kClass, "class"}, {"total"}}},
          {"src/limits.py",
           "RATE_LIMIT = 10\n\ndef rate_limit():\n    pass  # rate limit\n",
           {{"rate_limit"}}},
          {"docs/notes.md", "Rate limit: 10\r\nx\r\n", {}, "markdown"}};
}

TEST_F(ExactSearchTest, APhraseMustOccurInTheFile) {
  index_.add(cart_shop());
  EXPECT_EQ(lines("\"rate limit\""),
            Found({"docs/notes.md:1,", "src/cart.py:7,", "src/limits.py:4,"}));
  EXPECT_EQ(lines("\"Rate limit\""), Found({"docs/notes.md:1,", "src/cart.py:7,"}));
  EXPECT_EQ(lines("total \"append(item)\""), Found({"src/cart.py:3,"}));
  EXPECT_EQ(lines("\"rate limit\" \"sum(\""), Found({"src/cart.py:7,8,"}));
  EXPECT_EQ(lines("\"no such thing\""), Found());
}

TEST_F(ExactSearchTest, AnExpressionMatchesLines) {
  index_.add(cart_shop());
  EXPECT_EQ(lines("/^def \\w+\\(/"), Found({"src/cart.py:6,", "src/limits.py:3,"}));
  EXPECT_EQ(lines("/rate.?limit/i"),
            Found({"docs/notes.md:1,", "src/cart.py:7,", "src/limits.py:1,3,4,"}));
  EXPECT_EQ(lines("/10$/"), Found({"src/limits.py:1,"}));
  EXPECT_EQ(lines("/10\\s$/"), Found({"docs/notes.md:1,"}));
  EXPECT_EQ(lines("/^$/"), Found({"src/cart.py:4,5,", "src/limits.py:2,"}));
  EXPECT_EQ(lines("/x/"), Found({"docs/notes.md:2,"}));
}

TEST_F(ExactSearchTest, TheSnippetShowsAMatchingLineAndTheMatches) {
  index_.add(cart_shop());
  const SearchAnswer answer = search({.query = "\"self.items\""});
  ASSERT_EQ(answer.hits.size(), 1U);
  const SearchHit& hit = answer.hits[0];
  EXPECT_EQ(hit.line, 3U);
  ASSERT_TRUE(hit.symbol.has_value());
  EXPECT_EQ(hit.symbol->name, "Cart");
  ASSERT_EQ(hit.matches.size(), 1U);
  EXPECT_EQ(hit.matches[0].text, "self.items");
  EXPECT_EQ(hit.snippet.substr(hit.matches[0].start, 10), "self.items");
  EXPECT_LE(hit.start_line, 3U);
  EXPECT_GE(hit.end_line, 3U);
  EXPECT_EQ(answer.matched_files, 1U);
  EXPECT_EQ(answer.matched_lines, 1U);
  EXPECT_FALSE(answer.is_partial);
}

TEST_F(ExactSearchTest, ALineInNoChunkIsShownAlone) {
  index_.add({{"a.py", "first = 1\n\nsecond = 2\n"}});
  const SearchAnswer answer = search({.query = "/^$/"});
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits[0].line, 2U);
  EXPECT_TRUE(answer.hits[0].matches.empty());
}

TEST_F(ExactSearchTest, AnExactMatchIsNeverBelowTheThresholdButTheLimitHolds) {
  std::vector<SmallFile> files;
  for (int i = 0; i < 20; ++i) {
    files.push_back(
        {"f" + std::to_string(i) + ".py",
         "def limiter(): pass\n" + std::string(i == 7 ? "limiter token\n" : "") + "x = '%%'\n"});
  }
  index_.add(files);
  const SearchAnswer answer = search({.query = "limiter token \"%%\"", .limit = 5, .threshold = 1});
  ASSERT_EQ(answer.hits.size(), 5U);
  EXPECT_EQ(answer.hits[0].path, "f7.py");
  EXPECT_EQ(answer.below_threshold, 0U);
  EXPECT_EQ(answer.beyond_limit, 15U);
  for (std::size_t i = 0; i < answer.hits.size(); ++i) {
    EXPECT_GE(answer.hits[i].score, 0.7);
    if (i > 0) {
      EXPECT_LE(answer.hits[i].score, answer.hits[i - 1].score);
    }
  }
}

TEST_F(ExactSearchTest, PartsWithoutAnyKnownWordRankByTheirLines) {
  index_.add({{"a.py", "x = '%%'\n"}, {"b.py", "x = '%%'\ny = '%%'\nz = '%%'\n"}});
  const SearchAnswer answer = search({.query = "\"%%\""});
  ASSERT_EQ(answer.hits.size(), 2U);
  EXPECT_EQ(answer.hits[0].path, "b.py");
  EXPECT_EQ(answer.hits[0].match_count, 3U);
}

TEST_F(ExactSearchTest, FiltersNarrowAndKindsCountLinesOfTheirDefinitions) {
  index_.add(cart_shop());
  EXPECT_EQ(search({.query = "\"rate limit\"", .languages = {"md"}}).hits.size(), 1U);
  const SearchAnswer classes = search({.query = "/item/", .kinds = {"class"}});
  ASSERT_EQ(classes.hits.size(), 1U);
  EXPECT_EQ(classes.hits[0].symbol->name, "Cart");
  EXPECT_EQ(classes.hits[0].match_lines, Lines({2, 3}));
  EXPECT_EQ(classes.hits[0].start_line, 1U);
  EXPECT_EQ(search({.query = "\"TODO\"", .kinds = {"class"}}).hits.size(), 0U);
}

TEST_F(ExactSearchTest, ALineBehindAnInnerDefinitionIsInTheOuterOne) {
  index_.add({{"a.py",
               "class Outer:\n    class Inner:\n        item\n    item\nitem\n",
               {{"Outer", SymbolType::kClass, "class"}, {"Inner", SymbolType::kClass, "class"}}}});
  const SearchAnswer answer = search({.query = "\"item\"", .kinds = {"class"}});
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits[0].match_lines, Lines({3, 4}));
}

TEST_F(ExactSearchTest, InVainAnAnswerSaysWhatToDo) {
  index_.add(cart_shop());
  const SearchAnswer answer = search({.query = "\"rate limiting\""});
  EXPECT_TRUE(answer.hits.empty());
  EXPECT_NE(answer.note.find("without the quotes or slashes"), std::string::npos) << answer.note;
}

TEST_F(ExactSearchTest, InVainASentenceIsSearchedByItsWords) {
  index_.add(cart_shop());
  for (const char* query : {"the cart \"never seen\" total", "a cart that is /no such+/ total"}) {
    const SearchAnswer answer = search({.query = query});
    EXPECT_FALSE(answer.hits.empty()) << query;
    EXPECT_NE(answer.note.find("searched for the words"), std::string::npos) << answer.note;
  }
}

TEST_F(ExactSearchTest, InVainAPhraseWithCapitalsSaysThatItMindsCase) {
  index_.add(cart_shop());
  const auto tells = [&](const char* query) {
    return search({.query = query}).note.find("a phrase with capitals minds case") !=
           std::string::npos;
  };
  EXPECT_TRUE(tells("\"SUM(cart\""));
  EXPECT_FALSE(tells("\"sum(trolley\""));
  EXPECT_FALSE(tells("/SUM.cart/"));
}

TEST_F(ExactSearchTest, MoreThanEightPartsAreRefused) {
  index_.add(cart_shop());
  std::string query;
  for (int i = 0; i < 8; ++i) query += "\"item\" ";
  EXPECT_EQ(search({.query = query}).hits.size(), 1U);
  const auto answer = engine_.search({.query = query + "/item/"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(answer.error().message(),
            "query must hold at most 8 quoted phrases and regular expressions, got 9");
}

TEST_F(ExactSearchTest, AnExactPartIsNotMended) {
  index_.add({{"src/limits.py", "def compute_invoice():\n    pass\n", {{"compute_invoice"}}},
              {"src/log.py", "# compute_invoicx\n"}});
  for (const char* query : {"\"compute_invoicx\"", "/ompute_invoicx/"}) {
    const SearchAnswer answer = search({.query = query});
    ASSERT_EQ(answer.hits.size(), 1U) << query;
    EXPECT_EQ(answer.note.find("searched for"), std::string::npos) << answer.note;
  }
  EXPECT_EQ(search({.query = "\"invoiceq\""}).note.find("searched for \""), std::string::npos);
}

TEST_F(ExactSearchTest, InvalidExpressionsAreRefused) {
  index_.add(cart_shop());
  const auto answer = engine_.search({.query = "/foo(/"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(answer.error().message(),
            "query must hold a regular expression in RE2's syntax between slashes, got /foo(/: "
            "missing ): foo(");
}

TEST_F(ExactSearchTest, LinesBeyondTheMostAreNotCountedButAllFilesAreFound) {
  std::vector<SmallFile> files;
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "x\n";
  for (int i = 0; i < 4; ++i) files.push_back({"f" + std::to_string(i) + ".py", text});
  index_.add(files);
  const SearchAnswer answer = search({.query = "/./"});
  EXPECT_EQ(answer.matched_files, 4U);
  EXPECT_EQ(answer.matched_lines, 120'002U);
  EXPECT_TRUE(answer.is_partial);
  EXPECT_FALSE(answer.note.empty());
  ASSERT_FALSE(answer.hits.empty());
  EXPECT_EQ(answer.hits[0].match_lines.size(), 20U);
}

// A line of many matches, each of which takes a look at the whole line.
std::vector<SmallFile> slow_files(int count, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "ax ay bx;";
  std::vector<SmallFile> files;
  for (int i = 0; i < count; ++i) files.push_back({"f" + std::to_string(i) + ".py", text});
  return files;
}

constexpr char kSlow[] = "/a.*[0-9]{3}.{100}z|x/";

TEST_F(ExactSearchTest, AnAnswerIsBoundedInTime) {
  index_.add(slow_files(40, 200'000));
  SearchOptions options;
  options.exact_patience = std::chrono::milliseconds(10);
  SearchEngine hasty(index_.workspace(), options);
  const auto begin = ExactDeadline::Clock::now();
  const auto answer = hasty.search({.query = kSlow, .limit = 50});
  const auto took = ExactDeadline::Clock::now() - begin;
  ASSERT_TRUE(answer.ok());
  EXPECT_NE(answer->note.find("takes long"), std::string::npos) << answer->note;
  EXPECT_LT(took, std::chrono::seconds(5));
}

TEST_F(ExactSearchTest, AStopEndsASearch) {
  index_.add(slow_files(40, 200'000));
  SearchOptions options;
  options.exact_patience = std::chrono::seconds(60);
  SearchEngine patient(index_.workspace(), options);
  std::stop_source stop;
  std::jthread later([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  const auto begin = ExactDeadline::Clock::now();
  const auto answer = patient.search({.query = kSlow, .limit = 50}, stop.get_token());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
  EXPECT_LT(ExactDeadline::Clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(ExactSearchTest, ALongLineIsMarkedNearTheMatchAlone) {
  index_.add(slow_files(1, 200'000));
  const SearchAnswer answer = search({.query = kSlow});
  ASSERT_EQ(answer.hits.size(), 1U);
  ASSERT_EQ(answer.hits[0].matches.size(), 5U);
  EXPECT_EQ(answer.hits[0].matches[0].text, "x");
  EXPECT_EQ(answer.note.find("takes long"), std::string::npos) << answer.note;
}

TEST(FindExactLines, EndsWhenTheTimeIsUp) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "x\n";
  const std::vector<ExactPart> parts = {{"x", false, false}};
  const auto matcher = ExactMatcher::make(parts);
  const auto lines = find_exact_lines(*matcher, text, nullptr, 100'000, kOver);
  EXPECT_GT(lines.size(), 0U);
  EXPECT_LT(lines.size(), 1000U);
  EXPECT_TRUE(matcher->find_matches(text, {0, 200'000}, 1000, kOver).empty());
}

TEST(FindExactLines, CountsEachLineOnce) {
  const std::vector<ExactPart> parts = {{"a", false, false}, {"b.", true, false}};
  const auto matcher = ExactMatcher::make(parts);
  ASSERT_TRUE(matcher.ok());
  const auto lines = find_exact_lines(*matcher, "ab a\nx\nb\nbb\na", nullptr, 100, kNoEnd);
  Lines numbers;
  for (const ExactLine& line : lines) numbers.push_back(line.number);
  EXPECT_EQ(numbers, Lines({1, 4, 5}));
  EXPECT_EQ(lines[0].parts, 2U);
  EXPECT_TRUE(find_exact_lines(*matcher, "a\n", nullptr, 100, kNoEnd).empty());
  const auto matches = matcher->find_matches("ab a\nx\nb\nbb\na", {0, 13}, 100, kNoEnd);
  ASSERT_EQ(matches.size(), 5U);
  EXPECT_EQ(matches[1], (ByteRange{1, 3}));
}

TEST(FindExactLines, WindowsChangeNothing) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += i % 1000 == 7 ? "needle\n" : i % 3 == 0 ? "\n" : "hay\n";
  for (const std::string pattern : {"^needle$", "^$", "needle"}) {
    const std::vector<ExactPart> parts = {{pattern, true, false}};
    const auto matcher = ExactMatcher::make(parts);
    const auto lines = find_exact_lines(*matcher, text, nullptr, 100'000, kNoEnd);
    std::size_t plain = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      plain += (pattern == "^$" ? line.empty() : line == "needle") ? 1 : 0;
    }
    EXPECT_EQ(lines.size(), plain) << pattern;
  }
}

}  // namespace
}  // namespace codexmem::search
