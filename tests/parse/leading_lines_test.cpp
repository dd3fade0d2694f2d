#include "parse/text/leading_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::parse {
namespace {

// The rest of the line to which `text` leads from the `^` in it.
std::string line_from(std::string text) {
  const std::size_t at = text.find('^');
  text.erase(at, 1);
  const std::size_t to = skip_leading_lines(text, static_cast<std::uint32_t>(at));
  return to == at ? "" : text.substr(to, text.find('\n', to) - to);
}

TEST(LeadingLines, LeadToTheCodeBelow) {
  const struct {
    const char* name;
    const char* text;
    const char* want;
  } cases[] = {
      {"a comment", "x = 1\n# of ^a month\ndef count():\n", "def count():"},
      {"a comment and a decorator", "# ^a\n@cache\ndef count():\n", "def count():"},
      {"indented", "class A:\n    // ^a\n    // b\n    int f();\n", "int f();"},
      {"within a block", "/**\n * Counts ^them.\n *\n * @return x\n */\nint f();\n", "int f();"},
      {"a block before code", "/* ^a */ int f();\n", "int f();"},
      {"an attribute", "#[^test]\nfn f() {}\n", "fn f() {}"},
      {"a blank line ends it", "# ^a\n\ndef f():\n", ""},
      {"code is no comment", "x ^= 1\ndef f():\n", ""},
      {"the end of the file", "def f():\n  pass\n# ^a", ""},
      {"an open block", "/* ^a\nint f();", ""},
      {"a glob is no open block", "g = \"src/*.ts\";\n// ^a\nint f(); /* b */\n",
       "int f(); /* b */"},
      {"a closed block is not open", "/* b */\n\nx ^= 1;\n/* c */\nint f();\n", ""},
      {"a call through a pointer", "(*fn)(^a);\nint f(); // *)\n", ""},
      {"nothing", "^", ""},
  };
  for (const auto& one : cases) EXPECT_EQ(line_from(one.text), one.want) << one.name;
}

TEST(LeadingLines, BeyondTheTextIsWhereItIs) {
  EXPECT_EQ(skip_leading_lines("# a\nb\n", 4000), 4000U);
  EXPECT_EQ(skip_leading_lines("", 1), 1U);
}

}  // namespace
}  // namespace codexmem::parse
