#include "base/shell_word.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(ShellWord, QuotesWhatAShellReads) {
  EXPECT_EQ(shell_word("src/a-b_c.py"), "src/a-b_c.py");
  EXPECT_EQ(shell_word("~/a"), "~/a");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$(date)"), "'$(date)'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a\nb"), "'a\nb'");
}

}  // namespace
}  // namespace codexmem
