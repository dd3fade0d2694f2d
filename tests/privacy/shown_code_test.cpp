#include "privacy/shown_code.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::privacy {
namespace {

// So that no file holds a token.
std::string token() { return std::string("ghp_") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"; }

ByteRange range_of(const std::string& text, const std::string& part) {
  const auto at = static_cast<std::uint32_t>(text.find(part));
  return {at, at + static_cast<std::uint32_t>(part.size())};
}

std::string key_block(int lines) {
  std::string text = "-----BEGIN RSA PRIVATE " + std::string("KEY-----\n");
  for (int line = 0; line < lines; ++line) {
    for (int i = 0; i < 64; ++i) text += "QxZ7pLm3"[(i * 5 + line) % 8];
    text += '\n';
  }
  return text + "-----END RSA PRIVATE " + "KEY-----\n";
}

TEST(ShownCode, ASecretIsAsManyBytesThatSayMasked) {
  const std::string text = "const key = \"" + token() + "\"; // of the shop\n";
  const std::string shown = shown_code(text);
  EXPECT_EQ(shown.size(), text.size());
  EXPECT_EQ(shown.find(token()), std::string::npos);
  EXPECT_NE(shown.find("\"[masked*"), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with("]\"; // of the shop\n")) << shown;
}

TEST(ShownCode, OtherCodeIsLeftAlone) {
  const std::string text =
      "const id = \"3f2504e0-4f89-11d3-9a0c-0305e82c3301\";\n"
      "const hash = 'sha512-z7hlZyDp5mNlAm1ePSvDPvmDzJDhmZPNKZ0XyDCkBXyq0mBJzUBiDBQw6yq3Nc8G';\n"
      "const password = process.env.PASSWORD;\nconst x = \"plain\";\n";
  EXPECT_EQ(shown_code(text), text);
}

TEST(ShownCode, ALineOfAKeyIsMaskedWhereverTheAnswerBegins) {
  const std::string block = key_block(40);
  const std::string text = "KEY = \"\"\"" + block + "\"\"\"\nprint(1)\n";
  const std::size_t line = text.find('\n', text.size() / 2) + 1;
  const auto begin = static_cast<std::uint32_t>(line);
  const std::string shown = shown_code(text, {begin, begin + 130});
  EXPECT_EQ(shown.find("QxZ7"), std::string::npos) << shown;
  EXPECT_EQ(shown[64], '\n');
  EXPECT_TRUE(shown.starts_with("[masked*"));
  std::string whole = text;
  mask_code(whole, {0, static_cast<std::uint32_t>(text.size())});
  EXPECT_EQ(whole.find("QxZ7"), std::string::npos);
  EXPECT_TRUE(whole.ends_with("\nprint(1)\n"));
}

TEST(ShownCode, TheShortLastLineOfAKeyIsMasked) {
  std::string text = key_block(20);
  text.insert(text.find("-----END"), "QxZ7pLm3Qw==\n");
  EXPECT_EQ(shown_code(text, range_of(text, "QxZ7pLm3Qw==")), "[masked****]");
  const std::string putty = "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\n" +
                            text.substr(text.find('\n') + 1, 65 * 14);
  const auto at = static_cast<std::uint32_t>(putty.size() - 65);
  EXPECT_TRUE(shown_code(putty, {at, at + 64}).starts_with("[masked*"));
}

// Issue 47: references, rename and check quote single lines.
TEST(ShownCode, ALineIsMaskedAsItsFileIs) {
  std::string key = key_block(30);
  key.insert(key.find("-----END"), "QxZ7pLm3Qw==\n");
  const std::string texts[] = {
      "def f():\n    return 1\n\nKEY = \"\"\"" + key + "\"\"\"\n\ndef g():\n    f()\n" + key,
      "log_in(\n    password=\n    \"gR7x!qLp2Zt\", first=send(1))\nsend(2)\n",
      "db:\n  password:\n    \"gR7x!qLp2Zt\"\n  token: |\n    " + token() + "\nother: 1\n",
      "const password =\n  \"gR7x!qLp2Zt\";\nconst other = [\n  \"plain\",\n  send(\"" + token() +
          "\"),\n];\n",
  };
  for (const std::string& text : texts) {
    const std::string whole = shown_code(text);
    EXPECT_NE(whole, text);
    ShownCode shown(text);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const ByteRange line{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      EXPECT_EQ(shown.part(line), whole.substr(begin, end - begin));
      // The head of a key is no secret, shown alone.
      if (text.substr(begin, end - begin).find("BEGIN") == std::string::npos) {
        EXPECT_EQ(shown_code(text, line), whole.substr(begin, end - begin));
      }
      begin = end + 1;
    }
  }
}

TEST(ShownCode, AReplacementIsMaskedAsInItsPlace) {
  const std::string text = "log_in(\n    password=\n    now);\n";
  const ByteRange now = range_of(text, "now");
  EXPECT_EQ(shown_replacement(text, now, "\"gR7x!qLp2Zt\""), "\"[masked***]\"");
  EXPECT_EQ(shown_replacement(text, now, "later()"), "later()");
  EXPECT_EQ(shown_replacement("", {}, ""), "");
}

TEST(ShownCode, WhatSaysSoMayBeOnTheLineBefore) {
  const std::string text = "password:\n  \"gR7x!qLp2Zt\"\nother: 1\n";
  const std::string line = "  \"gR7x!qLp2Zt\"";
  EXPECT_EQ(shown_code(text, range_of(text, line)), "  \"[masked***]\"");
}

TEST(ShownCode, ATokenThatTheAnswerCutsIsMasked) {
  const std::string text = "token = \"" + token() + "\"\n";
  EXPECT_EQ(shown_code(text, 20), "token = \"[masked***]");
  EXPECT_EQ(shown_code("é", 1), "");
}

TEST(ShownCode, MaskingCanBeSwitchedOff) {
  const std::string text = "key = \"" + token() + "\"";
  set_code_masking(false);
  EXPECT_EQ(shown_code(text), text);
  set_code_masking(true);
  EXPECT_NE(shown_code(text), text);
}

}  // namespace
}  // namespace codexmem::privacy
