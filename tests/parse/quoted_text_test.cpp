#include "parse/text/quoted_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace codexmem::parse {
namespace {

// `text` with each x that is in a comment or string as a dot.
std::string shown(std::string_view language, std::string text) {
  const std::string read = text;
  QuotedText quoted(*find_language(language), read);
  for (std::size_t at = read.find('x'); at != std::string::npos; at = read.find('x', at + 1)) {
    if (quoted.holds(at)) text[at] = '.';
  }
  return text;
}

TEST(QuotedText, HoldsCommentsAndStrings) {
  EXPECT_EQ(shown("c", "x; // x\nx /* x\nx */ x \"x\\\"x\" x 'x' x"),
            "x; // .\nx /* .\n. */ x \".\\\".\" x '.' x");
  EXPECT_EQ(shown("python", "x # x\n'x' \"\"\"x\nx\"\"\" x"), "x # .\n'.' \"\"\".\n.\"\"\" x");
  EXPECT_EQ(shown("rust", "fn f<'a>(x: &'a str) { x(\"x\nx\") } // x"),
            "fn f<'a>(x: &'a str) { x(\".\n.\") } // .");
  EXPECT_EQ(shown("typescript", "x`x\nx` + x"), "x`.\n.` + x");
  EXPECT_EQ(shown("lua", "x -- x\nx"), "x -- .\nx");
}

TEST(QuotedText, HoldsRawStrings) {
  EXPECT_EQ(shown("cpp", "x(R\"(x \" x\n)x\" x)\" x);"), "x(R\"(. \" .\n).\" .)\" x);");
  EXPECT_EQ(shown("cpp", "R\"a(x)\" x)a\" + x"), "R\"a(.)\" .)a\" + x");
  EXPECT_EQ(shown("cpp", "R\"(x\nx"), "R\"(x\nx");
}

TEST(QuotedText, HoldsRegularExpressionsAndWordLists) {
  EXPECT_EQ(shown("javascript", "x = /x[/x]\\/x/g; x / x / x"), "x = /.[/.]\\/./g; x / x / x");
  EXPECT_EQ(shown("javascript", "return /x/; f(x) / x / x; x => /x/"),
            "return /./; f(x) / x / x; x => /./");
  EXPECT_EQ(shown("tsx", "<b a={x} /> {x} </b>{x}<i />"), "<b a={x} /> {x} </b>{x}<i />");
  EXPECT_EQ(shown("ruby", "%w(x (x)\nx) + x % x + x; a = %i[x] if x =~ /x/"),
            "%w(. (.)\n.) + x % x + x; a = %i[.] if x =~ /./");
  EXPECT_EQ(shown("c", "x = /x/ x"), "x = /x/ x");
}

TEST(QuotedText, AQuoteThatIsNotClosedOnItsLineOpensNothing) {
  EXPECT_EQ(shown("java", "x ' x\nx \" x\nx"), "x ' x\nx \" x\nx");
}

}  // namespace
}  // namespace codexmem::parse
