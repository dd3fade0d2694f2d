#include "parse/rules/rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <string>

#include "parse/rules/languages.h"
#include "parse/walk/syntax.h"

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
    bool has_names = false;
    for (std::size_t kind = 0; kind < rules.grammar().kind_count(); ++kind) {
      const KindRules& each = rules[static_cast<Kind>(kind)];
      has_names = has_names || each.is_identifier ||
                  std::ranges::any_of(each.patterns, [](const Pattern& pattern) {
                    return pattern.action == Action::kForms || pattern.action == Action::kWords;
                  });
    }
    EXPECT_TRUE(has_names || language.is_configuration) << language.name;
    EXPECT_EQ(&Rules::of(language), &rules);
  }
}

}  // namespace
}  // namespace codexmem::parse
