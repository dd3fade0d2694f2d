#include "parse/preprocess/conditions.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::parse {
namespace {

TEST(BlankConditions, LeavesWhatTheGrammarTakes) {
  const struct {
    const char* text;
    const char* want;  // "" for the text itself; blanked bytes are dots
  } cases[] = {
      {"#if A\nint a;\n#else\nint b;\n#endif\n", ""},
      {"{\n#if A\n[X]\n#endif\nint b;\n", ""},
      {"f();\n#if A\nif (a) { }\n#endif\ng();\n", ""},
      {"class A : B\n#if C\n, C\n#endif\n{ }", "class A : B\n.....\n, C\n......\n{ }"},
      {"if (a) { }\n#if C\nelse if (b) { }\n#endif\nelse { }",
       "if (a) { }\n.....\nelse if (b) { }\n......\nelse { }"},
      {"int F()\n#if C\n=> 1;\n#else\n=> 2;\n#endif\n",
       "int F()\n.....\n=> 1;\n.....\n.....\n......\n"},
      {"{\n#if C\n{ 1 },\n#else\n{ 2 },\n#endif\n}", "{\n.....\n{ 1 },\n.....\n{ 2 },\n......\n}"},
      {"{\n#if C\ncase 1: return;\n#endif\n}", "{\n.....\ncase 1: return;\n......\n}"},
      {"s = @\"\n#if A\n\";", ""},
      {"/*\n#if A\n*/ x,", ""},
      {"ref partial struct A { }", "... partial struct A { }"},
  };
  for (const auto& c : cases) {
    const std::string text = c.text;
    std::string want = *c.want == '\0' ? text : c.want;
    const auto blanked = blank_conditions(text);
    std::string got = blanked ? blanked->text : text;
    ASSERT_EQ(got.size(), text.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] != text[i]) got[i] = '.';
      if (got[i] == ' ') got[i] = '.';
      if (want[i] == ' ') want[i] = '.';
    }
    EXPECT_EQ(got, want) << text;
  }
}

TEST(BlankConditions, DroppedBranchesAreNamed) {
  const auto blanked = blank_conditions("int F()\n#if C\n=> a;\n#else\n=> b;\n#endif\n");
  ASSERT_TRUE(blanked);
  ASSERT_EQ(blanked->blanked.size(), 1U);
  EXPECT_EQ(blanked->blanked[0].size(), 7U);
}

}  // namespace
}  // namespace codexmem::parse
