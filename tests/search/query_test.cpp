#include "search/query.h"

#include <gtest/gtest.h>

namespace codexmem::search {
namespace {

std::vector<std::string> term_texts(const Query& query) {
  std::vector<std::string> texts;
  for (const QueryTerm& term : query.terms) texts.push_back(term.text);
  return texts;
}

double weight_of(const Query& query, const std::string& text) {
  for (const QueryTerm& term : query.terms) {
    if (term.text == text) return term.weight;
  }
  return 0;
}

TEST(ParseQuery, StopWordsAreDroppedWhenAnythingElseIsLeft) {
  const Query query = parse_query("how are the routes registered");
  EXPECT_EQ(query.stems, (std::vector<std::string>{"rout", "regist"}));
  EXPECT_EQ(parse_query("how is it").stems, (std::vector<std::string>{"how", "is", "it"}));
}

TEST(ParseQuery, NeighboursGiveACompoundOfLessWeight) {
  const Query query = parse_query("rate limiter of requests");
  EXPECT_EQ(weight_of(query, "=ratelimiter"), 0.6);
  EXPECT_EQ(weight_of(query, "=limiter"), 0.6) << "LimiTer, if somebody writes it so";
  EXPECT_EQ(weight_of(query, "=limiterrequests"), 0) << "a stop word stands between";
}

TEST(ParseQuery, ACompoundOfTheQueryKeepsItsWeight) {
  const Query query = parse_query("getResponse");
  EXPECT_EQ(term_texts(query), (std::vector<std::string>{"get", "respons", "=getresponse"}));
  EXPECT_EQ(weight_of(query, "=getresponse"), 1);
}

TEST(ParseQuery, ATermCountsOnce) {
  EXPECT_EQ(term_texts(parse_query("test tests TEST")),
            (std::vector<std::string>{"test", "=testtests", "=teststest"}));
}

TEST(ParseQuery, WordsOfAWishCountHalf) {
  const Query query = parse_query("add support for cookies");
  EXPECT_EQ(weight_of(query, "add"), 0.5);
  EXPECT_EQ(weight_of(query, "support"), 0.5);
  EXPECT_EQ(weight_of(query, "cooki"), 1);
}

TEST(ParseQuery, TheWholeQueryIsASymbol) {
  struct Case {
    const char* text;
    const char* symbol;
  };
  const Case cases[] = {
      {"Blueprint", "Blueprint"},
      {" app.run() ", "run"},
      {"a::b->c#d", "d"},
      {"render_template", "render_template"},
      {"$el", "$el"},
      {"rate limit", ""},
      {"1st", ""},
      {"f(x)", ""},
      {"a.", ""},
      {"", ""},
  };
  for (const Case& one : cases) EXPECT_EQ(parse_query(one.text).symbol, one.symbol) << one.text;
}

TEST(ParseQuery, SymbolsAreFoundInsideASentence) {
  EXPECT_EQ(parse_query("where does app.dispatch_request call makeResponse, HTTPError or utf8?")
                .inner_symbols,
            (std::vector<std::string>{"dispatch_request", "makeResponse", "HTTPError", "utf8"}));
  EXPECT_TRUE(parse_query("how are Routes and APIs registered.").inner_symbols.size() <= 1);
  EXPECT_TRUE(parse_query("session handling").inner_symbols.empty());
}

TEST(ParseQuery, TakesWordsOfAnyScript) {
  EXPECT_EQ(parse_query("Расчёт налога parse").stems,
            (std::vector<std::string>{"расчет", "налога", "pars"}));
  EXPECT_EQ(parse_query("🚀").stems, (std::vector<std::string>{"🚀"}));
  EXPECT_EQ(parse_query("Заказ.рассчитатьНалог()").symbol, "рассчитатьНалог");
  EXPECT_EQ(parse_query("حساب_الضريبة").symbol, "حساب_الضريبة");
  EXPECT_EQ(parse_query("где рассчитатьНалог и ΥπολογισμόςΦόρου?").inner_symbols,
            (std::vector<std::string>{"рассчитатьНалог", "ΥπολογισμόςΦόρου"}));
  EXPECT_TRUE(parse_query("«где» — налог").inner_symbols.empty());
}

TEST(ParseQuery, NoWordsMeansNoTerms) {
  EXPECT_TRUE(parse_query(" \t\"*():^- — →").terms.empty());
  EXPECT_TRUE(parse_query("").terms.empty());
}

TEST(ParseQuery, AHugeQueryIsBounded) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "word" + std::to_string(i) + "x ";
  const Query query = parse_query(text);
  EXPECT_EQ(query.terms.size(), kMaxQueryTerms);
  EXPECT_LE(query.stems.size(), kMaxQueryTerms);
}

TEST(StemsMatch, ByPrefixOfFourOrMore) {
  EXPECT_TRUE(stems_match("appl", "application"));
  EXPECT_TRUE(stems_match("application", "appl"));
  EXPECT_FALSE(stems_match("map", "mapper"));
  EXPECT_TRUE(stems_match("id", "id"));
  EXPECT_FALSE(stems_match("id", "idea"));
  EXPECT_FALSE(stems_match("apple", "apply"));
  EXPECT_TRUE(stems_match("нало", "налог"));
  EXPECT_FALSE(stems_match("нал", "налог"));
}

}  // namespace
}  // namespace codexmem::search
