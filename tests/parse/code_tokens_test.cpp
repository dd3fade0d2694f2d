#include "parse/text/code_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::parse {
namespace {

using ::testing::ElementsAre;

// The tokens, each after a dot for each block marked only by indentation.
std::vector<std::string> tokens(const char* language, std::string_view text) {
  const auto found = code_tokens(*find_language(language), text);
  EXPECT_TRUE(found.ok() && found->has_value());
  std::vector<std::string> list;
  for (const CodeToken& token : **found) {
    list.push_back(std::string(token.depth, '.') +
                   std::string(text.substr(token.range.begin, token.range.size())));
  }
  return list;
}

TEST(CodeTokens, AreWithoutCommentsAndWhiteSpace) {
  EXPECT_THAT(tokens("typescript", "f( a ) // b\n/* c */;"), ElementsAre("f", "(", "a", ")", ";"));
  EXPECT_EQ(tokens("go", "package p // x\n\nvar a = `b  c`\n"),
            tokens("go", "package p\nvar   a = `b  c`"));
  EXPECT_NE(tokens("go", "package p\nvar a = `b  c`\n"),
            tokens("go", "package p\nvar a = `b c`\n"));
}

TEST(CodeTokens, HaveCommentsThatToolsRead) {
  EXPECT_NE(tokens("go", "//go:build linux\npackage p\n"),
            tokens("go", "//go:build windows\npackage p\n"));
  EXPECT_EQ(tokens("python", "a = b  # why\n"), tokens("python", "a = b\n"));
  EXPECT_NE(tokens("python", "a = b  # type: int\n"), tokens("python", "a = b\n"));
}

TEST(CodeTokens, GiveTheDepthOfAStatement) {
  EXPECT_NE(tokens("python", "if a:\n    b\n    c\n"), tokens("python", "if a:\n    b\nc\n"));
  EXPECT_THAT(tokens("python", "if a:\n    b\n"), ElementsAre("if", "a", ":", ".b"));
  EXPECT_EQ(tokens("python", "if a:\n    b\n    c\n"), tokens("python", "if a:\n  b\n  c\n"));
}

TEST(CodeTokens, TakeBrokenCodeAndNoneWithoutGrammar) {
  EXPECT_FALSE(tokens("python", "def (:\n  ]] 'x").empty());
  const auto found = code_tokens(*find_language("markdown"), "# a");
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->has_value());
}

}  // namespace
}  // namespace codexmem::parse
