#include "text/prose.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codexmem {
namespace {

std::string terms(std::string_view text) {
  std::string all;
  for_each_prose_term(text, [&](const Term& term) {
    EXPECT_LE(term.begin, term.end);
    EXPECT_LE(term.end, text.size());
    EXPECT_FALSE(term.text.empty());
    EXPECT_LE(term.text.size(), kMaxWordBytes);
    if (!all.empty()) all += ' ';
    all += term.text;
  });
  return all;
}

TEST(ProseReader, ReadsEveryLanguage) {
  const struct {
    const char* name;
    const char* text;
    const char* want;
  } cases[] = {
      {"English stems", "Running the migrations twice", "run the migrat twice"},
      {"identifiers", "parseHTTPHeader(user_id)",
       "pars http header =parsehttpheader user id =userid"},
      {"apostrophes", "Ann's don't we’ll rock 'n' roll", "ann don we rock n roll"},
      {"quotes keep their words", "the 's' flag and 'stdio'", "the s flag and stdio"},
      {"accented Latin", "Déjà vu: façade, naïve, Ångström", "deja vu facad naiv angstrom"},
      {"decomposed", "cafe\xCC\x81 re\xCC\x81sume\xCC\x81s", "cafe resum"},
      {"an accent within a name", "getCaféMenu", "get cafe menu =getcafemenu"},
      {"ligatures", "Straße Æther œuvre Þór", "strass aether oeuvr thor"},
      {"Vietnamese", "Tiếng Việt", "tieng viet"},
      {"Turkish", "İstanbul ışık", "istanbul isik"},
      {"Russian", "Ошибка в Ёлке, ошибка", "ошибка в елке ошибка"},
      {"Ukrainian", "Її Їжак ґанок", "іі іжак ґанок"},
      {"Greek", "Άνθρωπος ΑΝΘΡΩΠΟΣ", "ανθρωποσ ανθρωποσ"},
      {"Arabic", "أَحْمَد إلى الكتـــاب", "احمد الي الكتاب"},
      {"Arabic digits", "سنة ٢٠٢٦", "سنة 2026"},
      {"Hebrew", "שָׁלוֹם עולם", "שלום עולם"},
      {"Hindi", "नमस्ते दुनिया।", "नमस्ते दुनिया"},
      {"Armenian", "Բարեւ", "բարեւ"},
      {"Hangul in pairs", "데이터베이스 오류", "데이 이터 터베 베이 이스 오류"},
      {"Chinese in pairs", "修复bug的方法", "修复 bug 的方 方法"},
      {"one character", "漢 字", "漢 字"},
      {"Japanese", "エラーが出た。", "エラ ラー ーが が出 出た"},
      {"Thai in pairs", "ภาษา", "ภา าษ ษา"},
      {"full width", "ＡＰＩ１２", "api12"},
      {"joined by underscores", "тест_случай", "тест случаи"},
      {"marks between words", "a—b…c “quoted” 100€ ✅done", "a b c quot 100 done"},
      {"nothing", " \t—🎉\xEF\xBF\xBD", ""},
  };
  for (const auto& one : cases) EXPECT_EQ(terms(one.text), one.want) << one.name;
}

TEST(ProseReader, AnyBytesAreText) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    all += "\xE4\xB8";
  }
  terms(all);
  terms(std::string("a\0b", 3));
  terms(std::string(5000, '\xCC'));
  std::string cyrillic, marks = "e";
  for (int i = 0; i < 3000; ++i) cyrillic += "ж", marks += "\xCC\x81";
  terms(cyrillic);
  EXPECT_EQ(terms(marks), "e");
  terms("\xF0\x9F\x98");
}

TEST(ProseReader, TermsHaveThePlaceOfTheirRun) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for_each_prose_term("x né 漢字", [&](const Term& t) { places.emplace_back(t.begin, t.end); });
  EXPECT_EQ(places,
            (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {2, 5}, {6, 12}}));
}

}  // namespace
}  // namespace codexmem
