#include "parse/rules.h"

#include <gtest/gtest.h>

#include <string>

#include "parse/languages.h"
#include "parse/syntax.h"

namespace codexmem::parse {
namespace {

TEST(Rules, EveryGrammarHasQueriesThatTreeSitterAcceptsToo) {
  for (const Language& language : languages()) {
    if (!language.has_grammar) continue;
    Grammar grammar = Grammar::find(language.name);
    ASSERT_TRUE(grammar.valid()) << language.name;
    std::string text = Rules::query_text(language.name);
    ASSERT_FALSE(text.empty()) << language.name;
    std::size_t offset = 0;
    EXPECT_TRUE(grammar.accepts_query(text, &offset))
        << language.name << " at: " << text.substr(offset, 200);
  }
}

TEST(Rules, AreCompiledForEveryGrammar) {
  for (const Language& language : languages()) {
    if (!language.has_grammar) continue;
    const Rules& rules = Rules::of(language);
    Kind identifier = rules.grammar().kind("identifier", true);
    EXPECT_TRUE(rules[identifier].is_identifier) << language.name;
    EXPECT_EQ(&Rules::of(language), &rules);
  }
}

}  // namespace
}  // namespace codexmem::parse
