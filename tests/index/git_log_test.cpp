#include "index/git/git_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace codexmem::index {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kNone(40, '0'), kOne(40, '1'), kTwo(40, '2');

std::string line(const std::string& before, const std::string& after, const std::string& message,
                 int time_s = 1'700'000'000) {
  return before + " " + after + " Ann <a@b> " + std::to_string(time_s) + " +0100" +
         (message.empty() ? "" : "\t" + message) + "\n";
}

TEST(GitLogText, IsReadLineByLine) {
  const GitLog log =
      parse_git_log(line(kNone, kOne, "branch: Created from main") + line(kOne, kTwo, "") +
                    "garbage\n" + kOne + "\n" + line(kTwo, kOne, "commit: a\tb > c"));
  ASSERT_THAT(log, SizeIs(3));
  EXPECT_EQ(log[0].time_s, 1'700'000'000);
  EXPECT_EQ(log[1].after, kTwo);
  EXPECT_THAT(log[1].message, IsEmpty());
  EXPECT_EQ(log[2].message, "commit: a\tb > c");
  EXPECT_EQ(birth_of(log), "1700000000 " + kOne);
  EXPECT_THAT(birth_of(parse_git_log(line(kOne, kTwo, "commit: x"))), IsEmpty());
  EXPECT_THAT(parse_git_log(std::string("\0\xFF\n\t> \n", 7)), IsEmpty());
}

TEST(GitLogText, SaysWhichCommitsWereMadeThere) {
  for (const char* made : {"commit: x", "commit (initial): x", "commit (amend): x", "revert: x",
                           "am: x", "", "tool's own words"}) {
    EXPECT_TRUE(is_new_commit({kOne, kTwo, 0, made})) << made;
  }
  for (const char* moved : {"merge main: Fast-forward", "commit (merge): x", "cherry-pick: x",
                            "pull: Fast-forward", "reset: moving to x", "rebase (finish): x",
                            "branch: Created from main", "checkout: moving from a to b"}) {
    EXPECT_FALSE(is_new_commit({kOne, kTwo, 0, moved})) << moved;
  }
  EXPECT_FALSE(is_new_commit({kOne, kOne, 0, "commit: x"}));
}

TEST(GitLogText, OfHeadSaysWhichBranchWasCheckedOut) {
  const GitLog log = parse_git_log(line(kNone, kOne, "commit (initial): x") +
                                   line(kOne, kOne, "checkout: moving from main to a to b") +
                                   line(kOne, kTwo, "commit: y"));
  EXPECT_THAT(branches_of(log), ElementsAre("main to a", "b", "b"));
  const GitLog plain = parse_git_log(line(kNone, kOne, "commit (initial): x") +
                                     line(kOne, kOne, "checkout: moving from main to b") +
                                     line(kOne, kTwo, "commit: y"));
  EXPECT_THAT(branches_of(plain), ElementsAre("main", "b", "b"));
}

}  // namespace
}  // namespace codexmem::index
