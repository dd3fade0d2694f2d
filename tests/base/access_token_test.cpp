#include "base/access_token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

TEST(AccessToken, IsMadeOnceForItsUserOnly) {
  const testing::TemporaryDirectory directory;
  const auto made = make_access_token(directory.path());
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->size(), 64U);
  EXPECT_EQ(*make_access_token(directory.path()), *made);
  EXPECT_EQ(*read_access_token(directory.path()), *made);
  struct stat info {};
  ASSERT_EQ(::stat((directory.path() / "token").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  const testing::TemporaryDirectory other;
  EXPECT_NE(*make_access_token(other.path()), *made);
}

TEST(AccessToken, AnythingElseInItsFileIsRefused) {
  const testing::TemporaryDirectory directory;
  EXPECT_EQ(read_access_token(directory.path()).error().code(), ErrorCode::kNotFound);
  for (const char* text : {"", "\n", "0123", "secret", "0123456789abcdef0123456789abcdef\n"}) {
    directory.write("token", text);
    EXPECT_EQ(read_access_token(directory.path()).error().code(), ErrorCode::kCorrupt) << text;
    EXPECT_EQ(make_access_token(directory.path()).error().code(), ErrorCode::kCorrupt) << text;
  }
}

TEST(AccessToken, SecretsAreComparedWhole) {
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  EXPECT_FALSE(is_same_secret("abc", "abd"));
  EXPECT_FALSE(is_same_secret("abc", "ab"));
  EXPECT_FALSE(is_same_secret("", "abc"));
}

}  // namespace
}  // namespace codexmem
