#include "index/git/commit_changes.h"

#include <gtest/gtest.h>

namespace codexmem::index {
namespace {

const std::string kId(40, 'a');

TEST(CommitMessages, NameTheirSource) {
  EXPECT_TRUE(names_commit("x\n\n(cherry picked from commit " + kId + ")\n", kId));
  EXPECT_TRUE(
      names_commit("Squashed commit of the following:\n\ncommit " + kId + "\nAuthor: a", kId));
  EXPECT_FALSE(names_commit("Revert x\n\nThis reverts commit " + kId + ".", kId));
  EXPECT_FALSE(names_commit("do not merge " + kId, kId));
}

TEST(CommitMessages, ListSubjectsAsHostsDo) {
  EXPECT_TRUE(lists_subject("Feature (#7)\n\n* first\n\n* second\r\n", "second"));
  EXPECT_FALSE(lists_subject("Feature (#7)\n\n* first one\n", "first"));
  EXPECT_FALSE(lists_subject("Feature (#7)\n\nfirst\n", "first"));
  EXPECT_TRUE(is_request_of("Feature (#7)", "Feature"));
  for (const char* other : {"Feature", "Feature (#)", "Feature (#x)", "Feature 2 (#7)"}) {
    EXPECT_FALSE(is_request_of(other, "Feature")) << other;
  }
}

TEST(CommitMessages, HaveTrailers) {
  EXPECT_EQ(change_id_of("x\n\nChange-Id: I1\nSigned-off-by: a\n"), "I1");
  EXPECT_EQ(change_id_of("x: no Change-Id: here"), "");
  EXPECT_TRUE(names_author("x\n\nCo-authored-by: A <a@b>\n", "a@b"));
  EXPECT_FALSE(names_author("x, thanks to A <a@b>", "a@b"));
  EXPECT_EQ(subject_of(" first \nrest"), "first");
}

}  // namespace
}  // namespace codexmem::index
