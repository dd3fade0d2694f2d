#include "base/base64.h"

#include <gtest/gtest.h>

namespace codexmem {
namespace {

TEST(DecodeBase64, TheStrictFormHasWholeGroups) {
  EXPECT_EQ(decode_base64("", Base64::kStrict), "");
  EXPECT_EQ(decode_base64("Zg==", Base64::kStrict), "f");
  EXPECT_EQ(decode_base64("Zm8=", Base64::kStrict), "fo");
  EXPECT_EQ(decode_base64("Zm9v", Base64::kStrict), "foo");
  EXPECT_EQ(decode_base64("+/+/", Base64::kStrict), "\xFB\xFF\xBF");
  for (const char* bad :
       {"Zg", "Zg=", "Z===", "====", "Zm9\n", "-_-_", "Zm=v", "Zm9vZg=v", "Zm9 "}) {
    EXPECT_EQ(decode_base64(bad, Base64::kStrict), std::nullopt) << bad;
  }
}

TEST(DecodeBase64, AnyFormMayLackPaddingAndHaveWhiteSpace) {
  EXPECT_EQ(decode_base64("Zg", Base64::kAny), "f");
  EXPECT_EQ(decode_base64("Zm9v\r\nZm 8=", Base64::kAny), "foofo");
  EXPECT_EQ(decode_base64("-_-_", Base64::kAny), "\xFB\xFF\xBF");
  EXPECT_EQ(decode_base64("Zg====", Base64::kAny), "f");
  for (const char* bad : {"Z", "Zm9vZ", "Zm=v", "Zm!v"}) {
    EXPECT_EQ(decode_base64(bad, Base64::kAny), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace codexmem
