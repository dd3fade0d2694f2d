#include "app/init/git_hook.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::app {
namespace {

TEST(GitHook, NoHookBecomesAShellScriptThatNeverFailsTheCommit) {
  const auto after = with_hook_lines("");
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after->find("#!/bin/sh\n"), 0U);
  EXPECT_NE(after->find("codexmem index --staged --quiet"), std::string::npos);
  EXPECT_NE(after->find(" </dev/null >/dev/null 2>&1 &) ;;\n"), std::string::npos);
}

TEST(GitHook, LinesGoBehindTheFirstLineOfAShellHookAndOutAgain) {
  for (const std::string before : {"#!/bin/sh\nexit 0\n", "#!/usr/bin/env bash\nnpm test\n",
                                   "#!/bin/bash -e\nexec lint", "npx lint-staged\n"}) {
    const auto after = with_hook_lines(before);
    ASSERT_TRUE(after.ok()) << before;
    EXPECT_LT(after->find("codexmem index"),
              after->find(before.substr(before.rfind('\n', before.size() - 2) + 1)));
    EXPECT_EQ(*with_hook_lines(*after), *after) << "a second time changes nothing";
    EXPECT_EQ(without_hook_lines(*after), before);
  }
}

TEST(GitHook, AHookOfOursAloneLeavesNothingBehind) {
  EXPECT_EQ(without_hook_lines(*with_hook_lines("")), "");
}

TEST(GitHook, LinesWithoutAnEndAreNotGuessedAt) {
  for (const std::string before :
       {"#!/bin/sh\n# >>> codexmem >>>\necho hi\n", "# >>> codexmem >>>\n",
        "#!/bin/sh\n# <<< codexmem <<<\n# >>> codexmem >>>\nnpm test\n"}) {
    EXPECT_EQ(with_hook_lines(before).error().code(), ErrorCode::kCorrupt) << before;
    EXPECT_EQ(without_hook_lines(before), before);
  }
}

TEST(GitHook, LinesWithoutAnEndBehindWholeOnes) {
  for (const std::string& whole :
       {*with_hook_lines(""), *with_hook_lines("#!/bin/sh\nnpm test\n")}) {
    const std::string before = whole + "# >>> codexmem >>>\n";
    EXPECT_EQ(with_hook_lines(before).error().code(), ErrorCode::kCorrupt) << before;
  }
}

TEST(GitHook, DuplicateLinesAndLinesAtTheEndOfTheFileAreRemoved) {
  const std::string once = *with_hook_lines("#!/bin/sh\nnpm test\n");
  const std::string lines = with_hook_lines("")->substr(std::string("#!/bin/sh\n").size());
  EXPECT_EQ(*with_hook_lines(once + lines), once);
  EXPECT_EQ(*with_hook_lines(once + lines.substr(0, lines.size() - 1)), once);
}

TEST(GitHook, AHookInAnotherLanguageIsNotTouched) {
  EXPECT_EQ(with_hook_lines("#!/usr/bin/env python3\nprint()\n").error().code(),
            ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace codexmem::app
