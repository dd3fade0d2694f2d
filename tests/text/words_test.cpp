#include "text/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "text/json.h"
#include "base/text.h"

namespace codexmem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for_each_word(text, [&](const Word& word) { words.emplace_back(word.text); });
  return words;
}

std::vector<std::string> terms_of(std::string_view text) {
  std::vector<std::string> terms;
  for_each_term(text, [&](const Term& term) { terms.emplace_back(term.text); });
  return terms;
}

TEST(Words, CutsAtCaseDigitsAndUnderscores) {
  EXPECT_THAT(words_of("getHTTPResponse2 my_func XMLParser utf8 HTTP/2 __init__ FooV2Bar"),
              ElementsAre("get", "http", "response2", "my", "func", "xml", "parser", "utf8", "http",
                          "2", "init", "foo", "v2", "bar"));
  EXPECT_THAT(words_of("2foo3Bar aBC ABc $el _ a$b"),
              ElementsAre("2", "foo3", "bar", "a", "bc", "a", "bc", "el", "a", "b"));
  EXPECT_THAT(words_of(""), IsEmpty());
  EXPECT_THAT(words_of("_$_ -- \xE2\x80\x94"), IsEmpty());
}

// The rule as the specification writes it, slow but plain.
std::vector<std::string> words_by_regex(const std::string& text) {
  static const std::regex run("[A-Za-z0-9]+");
  static const std::regex piece("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+");
  std::vector<std::string> words;
  for (std::sregex_iterator r(text.begin(), text.end(), run), end; r != end; ++r) {
    const std::string part = r->str();
    for (std::sregex_iterator p(part.begin(), part.end(), piece); p != end; ++p) {
      words.push_back(to_lower_ascii(p->str()));
    }
  }
  return words;
}

TEST(Words, AgreeWithTheRegularExpressionOnRandomText) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same texts on every run
  const std::string alphabet = "abzABZ019_$ .-";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 24; ++i) text += alphabet[random() % alphabet.size()];
    ASSERT_EQ(words_of(text), words_by_regex(text)) << text;
  }
}

TEST(Words, KnowTheirPlaceInTextAndRun) {
  std::string seen;
  for_each_word("  __getURL$x  y ", [&](const Word& word) {
    seen += std::string(word.text) + " " + std::to_string(word.begin) + "-" +
            std::to_string(word.end) + (word.starts_run ? " start" : "") +
            (word.ends_run ? " end" : "") + "\n";
  });
  EXPECT_EQ(seen, "get 4-7 start\nurl 7-10 end\nx 11-12 start end\ny 14-15 start end\n");
}

TEST(Words, GiveCjkAsOverlappingPairs) {
  EXPECT_THAT(words_of("検索する"), ElementsAre("検索", "索す", "する"));
  EXPECT_THAT(words_of("字 검색"), ElementsAre("字", "검색"));
  EXPECT_THAT(words_of("get数据Url"), ElementsAre("get", "数据", "url"));
  EXPECT_THAT(words_of("𠀀𠀁。x"), ElementsAre("𠀀𠀁", "x"));
  EXPECT_THAT(terms_of("数据库"), ElementsAre("数据", "据库"));
}

TEST(Words, AreOfAnyScript) {
  const struct {
    const char* name;
    const char* text;
    const char* want;
  } cases[] = {
      {"Russian", "ПолучитьОтчёт получить_отчет",
       "получить отчет =получитьотчет получить отчет =получитьотчет"},
      {"capitals", "HTTPЗапрос ИМЯ_ПОЛЯ2", "http запрос =httpзапрос имя поля2 =имяполя2"},
      {"Greek", "ΥπολογισμόςΦόρου ΦΌΡΟΣ φόρος", "υπολογισμοσ φορου =υπολογισμοσφορου φοροσ φοροσ"},
      {"accents", "Größe GRÖSSE café CAFÉ", "gross gross cafe cafe"},
      {"decomposed", "cafe\xCC\x81Menu E\xCC\x81tat", "cafe menu =cafemenu etat"},
      {"an accent within a name", "getCaféMenu", "get cafe menu =getcafemenu"},
      {"Arabic", "حساب_الضريبة getعنوان2", "حساب الضريبة =حسابالضريبة get عنوان2 =getعنوان2"},
      {"vowel points", "שָׁלוֹם", "שלום"},
      {"Hindi", "नमस्ते_दुनिया", "नमस्ते दुनिया =नमस्तेदुनिया"},
      {"Thai in pairs", "ภาษา", "ภา าษ ษา"},
      {"digits of another script", "سنة٢٠٢٦", "سنة2026"},
      {"full width", "ＡＰＩ１２", "api12"},
      {"emoji", "ship🚀it 🎉🎉 👍🏽", "ship 🚀 it 🎉 🎉 👍"},
      {"marks between words", "a—b…c “quoted” 100€ → x", "a b c quot 100 x"},
  };
  for (const auto& one : cases) {
    std::string all;
    for (const std::string& term : terms_of(one.text)) all += (all.empty() ? "" : " ") + term;
    EXPECT_EQ(all, one.want) << one.name;
  }
}

TEST(Words, OfAnyScriptKnowTheirPlace) {
  std::string seen;
  for_each_word("é1 ÜberЖук", [&](const Word& word) {
    seen += std::string(word.text) + " " + std::to_string(word.begin) + "-" +
            std::to_string(word.end) + "\n";
  });
  EXPECT_EQ(seen, "e1 0-3\nuber 4-9\nжук 9-15\n");
}

TEST(Words, BeyondAsciiAreCutBetweenCharacters) {
  std::string data;
  for (int i = 0; i < 500; ++i) data += i % 2 == 0 ? "ж" : "aж";
  for (const std::string& term : terms_of(data + "_" + data)) {
    EXPECT_LE(term.size(), kMaxWordBytes);
    EXPECT_TRUE(is_valid_utf8(term)) << term;
  }
}

TEST(Words, TakeDamagedUtf8ForSeparators) {
  EXPECT_THAT(words_of("ab\xE6\xA4 cd\xFF\xF0\xA0\x80"), ElementsAre("ab", "cd"));
  // U+0041 in four and three bytes, a lone surrogate, a tail byte.
  EXPECT_THAT(words_of("\xF0\x80\x81\x81 \xE0\x81\x81 \xED\xA0\x80 \x80"), IsEmpty());
}

TEST(Words, AreCutAtTheirGreatestLength) {
  const std::string data(1000, 'q');
  const std::vector<std::string> terms = terms_of(data + "_" + data);
  EXPECT_THAT(terms, ElementsAre(data.substr(0, kMaxWordBytes), data.substr(0, kMaxWordBytes),
                                 "=" + data.substr(0, kMaxWordBytes - 1)));
  std::size_t covered = 0;
  for_each_word(data, [&](const Word& word) { covered += word.end - word.begin; });
  EXPECT_EQ(covered, data.size());
}

TEST(Terms, AreStemsAndCompounds) {
  EXPECT_THAT(terms_of("parsedRequests caching"),
              ElementsAre("pars", "request", "=parsedrequests", "cach"));
}

TEST(Terms, GiveACompoundTheRangeOfItsRun) {
  std::string seen;
  for_each_term("a.getItems(b)", [&](const Term& term) {
    seen += std::string(term.text) + " " + std::to_string(term.begin) + "-" +
            std::to_string(term.end) + (term.is_compound ? " compound\n" : "\n");
    stem("interrupting");  // must not disturb the reader
  });
  EXPECT_EQ(seen, "a 0-1\nget 2-5\nitem 5-10\n=getitems 2-10 compound\nb 11-12\n");
}

TEST(Stem, FollowsPorter) {
  const struct {
    const char* word;
    const char* want;
  } kCases[] = {
      {"caresses", "caress"},
      {"ponies", "poni"},
      {"relational", "relat"},
      {"hopping", "hop"},
      {"generalizations", "gener"},
      {"oscillators", "oscil"},
      {"authentication", "authent"},
      {"is", "is"},
      {"os", "os"},
      {"s", "s"},
      {"ies", "i"},
      {"response2", "response2"},
      {"検索", "検索"},
      {"internationalizationframeworks", "internationalizationframework"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(stem(c.word), c.want);
    EXPECT_EQ(stem(c.word), c.want) << "the second time";
  }
}

TEST(Stem, IsSafeFromManyThreads) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) {
        EXPECT_EQ(stem("connections"), "connect");
        EXPECT_EQ(stem("following"), "follow");
      }
    });
  }
}

TEST(StopWords, AreKnown) {
  EXPECT_TRUE(is_stop_word("a"));
  EXPECT_TRUE(is_stop_word("than"));
  EXPECT_TRUE(is_stop_word("would"));
  EXPECT_FALSE(is_stop_word("they"));
  EXPECT_FALSE(is_stop_word(""));
  EXPECT_FALSE(is_stop_word("get"));
}

TEST(CompoundOf, JoinsUnstemmedWords) {
  EXPECT_EQ(compound_of("rate", "limiter"), terms_of("RateLimiter").back());
}

// The file that checks implementations of the built-in model also lists words and terms.
TEST(Words, AgreeWithTheModelsTestFile) {
  std::ifstream file(CODEXMEM_SOURCE_DIR "/testdata/embed/vectors-test-128d.jsonl");
  std::size_t checked = 0;
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line);
    if (!row.contains("id")) continue;
    const auto text = row["text"].get<std::string>();
    EXPECT_EQ(words_of(text), row["words"].get<std::vector<std::string>>()) << text;
    EXPECT_EQ(terms_of(text), row["terms"].get<std::vector<std::string>>()) << text;
    ++checked;
  }
  EXPECT_EQ(checked, 30U);
}

}  // namespace
}  // namespace codexmem
