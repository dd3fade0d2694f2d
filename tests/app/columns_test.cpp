#include "app/render/columns.h"

#include <gtest/gtest.h>

namespace codexmem::app {
namespace {

TEST(Columns, WideCharactersTakeTwoAndMarksNone) {
  const struct {
    const char* text;
    std::size_t want;
  } kCases[] = {
      {"", 0},   {"plain", 5}, {"é", 1},    {"e\u0301", 1}, {"中文", 4}, {"한글", 4},     {"ｱ", 1},
      {"Ａ", 2}, {"🔴", 2},     {"a中b", 4}, {"…", 1},       {"\xFF", 1}, {"\xE4\xB8", 2},
  };
  for (const auto& [text, want] : kCases) EXPECT_EQ(column_count(text), want) << text;
}

TEST(Columns, LongTextsAreCutAtTheirEnd) {
  EXPECT_EQ(cut("short", 5), "short");
  EXPECT_EQ(cut("longer", 5), "long…");
  EXPECT_EQ(cut("中文字符", 5), "中文…");
  EXPECT_EQ(cut("中文字符", 4), "中…");
  EXPECT_EQ(cut(" of  two\nlines ", 20), "of two lines");
  EXPECT_EQ(padded("中文", 6), "中文  ");
  EXPECT_EQ(padded("中文字", 4), "中… ");
}

TEST(Columns, PathsOfHeadingsKeepTheirEnd) {
  const std::string one = cut("Guide > Installing on a server > Permissions > Of files", 30);
  const std::string other = cut("Guide > Installing on a server > Permissions > Of folders", 30);
  EXPECT_EQ(one, "Guide > I…rmissions > Of files");
  EXPECT_NE(one, other);
}

TEST(Columns, CodeKeepsItsBlanks) {
  EXPECT_EQ(cut_code("  a  =  b;", 0, 10), "  a  =  b;");
  EXPECT_EQ(cut_code("  a  =  b;", 4, 10), "  a  …");
  EXPECT_EQ(cut_code("if (a > b > c) d();", 0, 12), "if (a > b >…") << "no path of headings";
  EXPECT_EQ(cut_code("\tone", 4, 11), "\tone") << "to the next stop of the screen";
  EXPECT_EQ(cut_code("\tone two", 4, 12), "    one…");
  EXPECT_EQ(cut_code("中文字符", 1, 6), "中文…");
  EXPECT_EQ(cut_code("anything", 9, 8), "…");
}

TEST(Columns, TextsAreWrappedByColumns) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("a\n\nb", 1, 9), " a\n\n b\n");
  EXPECT_EQ(wrapped("一二三四五六七", 0, 8), "一二三四\n五六七\n");
  EXPECT_EQ(wrapped("一二三四。五", 0, 8), "一二三\n四。五\n") << "no line begins with a full stop";
  EXPECT_EQ(wrapped("用 SQLite 存储", 0, 10), "用 SQLite\n存储\n");
  EXPECT_EQ(wrapped("https://example.org/long", 2, 10), "  https://example.org/long\n");
}

}  // namespace
}  // namespace codexmem::app
