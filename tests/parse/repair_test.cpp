#include "parse/preprocess/repair.h"

#include <gtest/gtest.h>

#include <string>

#include "parse/walk/extract.h"

namespace codexmem::parse {
namespace {

TEST(EndMembers, PutsASemicolonWhereALineOpensWithAngle) {
  struct Case {
    const char* name;
    const char* text;
    const char* want;  // nullptr: nothing to repair
  };
  const Case cases[] = {
      {"member", "interface A {\n  <P>(): B<P>\n  <Q>(): C\n}\n",
       "interface A {\n  <P>(): B<P>;  <Q>(): C\n}\n"},
      {"comment between", "{ x: A // why\n <Q>(): C }", "{ x: A;// why\n <Q>(): C }"},
      {"first member", "{\n  <P>(): B }", nullptr},
      {"operator before", "x =\n <A>y", nullptr},
      {"same line", "a: B <C>", nullptr},
      {"inside a comment", "/* a\n <b> */", nullptr},
      {"inside a string", "'a' + \"\\\n<b>\"", nullptr},
  };
  for (const Case& c : cases) {
    const auto repaired = end_members(c.text);
    EXPECT_EQ(repaired.value_or("(none)"), c.want == nullptr ? "(none)" : c.want) << c.name;
    if (repaired) {
      EXPECT_EQ(repaired->size(), std::string(c.text).size()) << c.name;
    }
  }
}

TEST(EndMembers, OverloadedCallSignaturesCostNoDefinitions) {
  const std::string text =
      "export interface Get {\n  <P>(path: P): Made<\n    P\n  >\n\n  // two\n"
      "  <P, Q>(path: P): Made<Q>\n}\nexport interface After {}\n";
  Extractor extractor;
  const auto facts = extractor.extract(*find_language("typescript"), text);
  ASSERT_TRUE(facts.ok());
  EXPECT_TRUE(facts->unparsed.empty());
  bool found = false;
  for (const Symbol& symbol : facts->symbols) {
    if (symbol.name != "After") continue;
    found = true;
    EXPECT_EQ(text.substr(symbol.name_range.begin, symbol.name_range.size()), "After");
  }
  EXPECT_TRUE(found);
}

TEST(DeclareUsed, UsingBecomesConst) {
  struct Case {
    const char* name;
    const char* text;
    const char* want;  // nullptr: nothing to repair
  };
  const Case cases[] = {
      {"plain", "{ using a = b; }", "{ const a = b; }"},
      {"awaited", "await using a = b", "      const a = b"},
      {"typed", "using a: A = b", "const a: A = b"},
      {"loop", "for (using a of b) {}", "for (const a of b) {}"},
      {"awaited loop", "for await (using a of b) {}", "for await (const a of b) {}"},
      {"a name", "using = 1; f(using)", nullptr},
      {"compared", "using a == b", nullptr},
      {"a member", "x.using a = 1", nullptr},
      {"part of a word", "reusing a = 1", nullptr},
      {"prose", "using it often", nullptr},
      {"the end", "using", nullptr},
  };
  for (const Case& c : cases) {
    const auto repaired = declare_used(c.text);
    EXPECT_EQ(repaired.value_or("(none)"), c.want == nullptr ? "(none)" : c.want) << c.name;
  }
}

}  // namespace
}  // namespace codexmem::parse
