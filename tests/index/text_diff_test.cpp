#include "index/changes/text_diff.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::index {
namespace {

TEST(UnifiedDiff, EqualTextsHaveNone) { EXPECT_EQ(unified_diff("f", "a\n", "a\n", false), ""); }

TEST(UnifiedDiff, ANewFileComesFromNothing) {
  EXPECT_EQ(unified_diff("f", "", "a\nb\n", true),
            "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
}

TEST(UnifiedDiff, ARemovedFileGoesToNothing) {
  EXPECT_EQ(unified_diff("f", "a\n", "", false), "--- a/f\n+++ b/f\n@@ -1,1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, DistantChangesAreHunksOfTheirOwn) {
  std::string before, after;
  for (int line = 1; line <= 20; ++line) {
    before += std::to_string(line) + "\n";
    after += (line == 2 || line == 19 ? "x" : std::to_string(line)) + "\n";
  }
  EXPECT_EQ(unified_diff("f", before, after, false),
            "--- a/f\n+++ b/f\n"
            "@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n"
            "@@ -16,5 +16,5 @@\n 16\n 17\n 18\n-19\n+x\n 20\n");
}

TEST(UnifiedDiff, AMissingLineBreakAtTheEndIsSaid) {
  EXPECT_EQ(unified_diff("f", "a", "a\n", false),
            "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(TextDiff, AFileOfManyLinesTakesNoMoreThanWhatDiffers) {
  std::string before;
  for (int i = 0; i < 100'000; ++i) before += "line\n";
  const std::string after = before.substr(0, 250'000) + "new\n" + before.substr(250'000);
  const std::string diff = unified_diff("a", before, after, false);
  EXPECT_NE(diff.find("\n+new\n"), std::string::npos);
  EXPECT_LT(diff.size(), 200U);
}

TEST(UnifiedDiff, BinaryTextIsTextToo) {
  EXPECT_EQ(unified_diff("f", std::string("a\0\n", 3), "b\n", false),
            std::string("--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\0\n+b\n", 39));
}

}  // namespace
}  // namespace codexmem::index
