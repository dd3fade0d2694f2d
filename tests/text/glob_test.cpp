#include "text/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem {
namespace {

TEST(Glob, FollowsGitInPathnameMode) {
  struct Case {
    const char *pattern, *text;
    bool want;
  };
  const Case cases[] = {
      {"", "", true},
      {"", "a", false},
      {"a*c", "abbc", true},
      {"a*c", "ab/c", false},
      {"a?c", "a/c", false},
      {"**", "a/b/c", true},
      {"**/c", "c", true},
      {"**/c", "a/b/c", true},
      {"**/c", "a/bc", false},
      {"a/**/c", "a/c", true},
      {"a/**/c", "a/x/y/c", true},
      {"a/**/c", "ac", false},
      {"a**c", "a/c", false},
      {"a**c", "axc", true},
      {"***/c", "a/b/c", true},
      {"*/c", "a/b/c", false},
      {"[a-c]", "b", true},
      {"[!a-c]", "b", false},
      {"[^a-c]", "d", true},
      {"[]a]", "]", true},
      {"[]-a]", "^", true},
      {"[a-]", "-", true},
      {"[\\]]", "]", true},
      {"[[:digit:]x]", "7", true},
      {"[[:nothing:]x]", "x", false},
      {"[[:x]", ":", true},
      {"[a", "a", false},
      {"[!a]", "/", false},
      {"\\*", "*", true},
      {"\\*", "x", false},
      {"a\\", "a", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Glob(c.pattern, {}).matches(c.text), c.want) << c.pattern << " on " << c.text;
  }
}

TEST(Glob, FoldsLettersOnRequest) {
  const GlobOptions fold{.pathname = true, .fold_case = true};
  EXPECT_TRUE(Glob("READ*", fold).matches("readme"));
  EXPECT_TRUE(Glob("[A-C]x", fold).matches("bX"));
  EXPECT_TRUE(Glob("[[:upper:]]", fold).matches("q"));
  EXPECT_FALSE(Glob("READ*", {}).matches("readme"));
}

TEST(Glob, ManyStarsCostNoMoreThanTheirProduct) {
  // A backtracking matcher takes about 2^40 steps here.
  std::string pattern = "**/", text;
  for (int i = 0; i < 40; ++i) pattern += "*a";
  pattern += "*b";
  for (int i = 0; i < 40; ++i) text += "aaaaaaaaaaaaaaaa/";
  text += std::string(4000, 'a');
  EXPECT_FALSE(Glob(pattern, {}).matches(text));
  EXPECT_TRUE(Glob(pattern, {}).matches(text + "b"));
}

}  // namespace
}  // namespace codexmem
