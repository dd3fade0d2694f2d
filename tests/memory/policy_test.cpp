#include "memory/policy.h"

#include <gtest/gtest.h>

#include "base/byte_pattern.h"
#include "memory/secret_rules.h"
#include "memory/secret_texts.h"

namespace codexmem::memory {
namespace {

TEST(SecretRules, EveryPatternCompiles) {
  for (const SecretRule& rule : secret_rules()) {
    EXPECT_LE(BytePattern(rule.pattern).group_count(), BytePattern::kMaxGroups - 1) << rule.id;
  }
}

// Put together here, so that no file holds a secret-looking text as a whole.
const std::string kSecret = std::string("password = \"hun") + "ter2x\"";

TEST(CheckFields, NamesRulesAndFieldsAndNothingElse) {
  const std::vector<Field> fields = {{"title", "a title"}, {"text", kSecret}};
  const Result<void> checked = check_fields(fields);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code(), ErrorCode::kBlocked);
  EXPECT_EQ(checked.error().details(), R"({"rules":["password"],"fields":["text"]})");
  EXPECT_EQ(checked.error().message().find("ter2"), std::string::npos);
}

TEST(CheckFields, LetsPlainTextPass) {
  const std::vector<Field> fields = {{"text", "password: string, and the token is optional"}};
  EXPECT_TRUE(check_fields(fields).ok());
}

TEST(Redact, PutsTheRuleInPlace) {
  const std::string redacted = redact("a " + kSecret + " b");
  EXPECT_EQ(redacted, "a password = \"[REDACTED:password]\" b");
  EXPECT_EQ(redact(redacted), redacted);
}

// What has to hold for whatever is blocked.
void expect_blocked(const SecretCase& one) {
  for (const std::string& text :
       {one.text, "see " + one.text + "\nand more\n", "{\"a\": 1}\n\n" + one.text + "\n"}) {
    const Field field{"text", text};
    const Result<void> checked = check_fields({&field, 1});
    if (checked.ok()) {
      ADD_FAILURE() << one.name << " passes: " << text;
      continue;
    }
    const std::string once = redact(text);
    EXPECT_EQ(redact(once), once) << one.name;
    const Field clean{"text", once};
    EXPECT_TRUE(check_fields({&clean, 1}).ok()) << one.name << ": " << once;
    if (!one.secret.empty()) {
      EXPECT_EQ(once.find(one.secret), std::string::npos) << one.name << ": " << once;
      EXPECT_EQ(checked.error().message().find(one.secret), std::string::npos);
    }
    for (const Finding& finding : find_secrets({&field, 1})) {
      EXPECT_LT(finding.begin, finding.end);
      EXPECT_LE(finding.end, text.size());
    }
  }
}

TEST(CheckFields, BlocksTokens) {
  for (const SecretCase& one : token_cases()) expect_blocked(one);
}

TEST(CheckFields, BlocksWhatItsSurroundingsGiveAway) {
  for (const SecretCase& one : context_cases()) expect_blocked(one);
}

TEST(CheckFields, LetsLookAlikesPass) {
  for (const SecretCase& one : harmless_cases()) {
    for (const std::string& text : {one.text, "see " + one.text + "\nand more\n"}) {
      const Field field{"text", text};
      const std::vector<Finding> found = find_secrets({&field, 1});
      EXPECT_TRUE(found.empty()) << one.name << " is blocked by " << found[0].rule << ": " << text;
      EXPECT_EQ(redact(text), text);
    }
  }
}

}  // namespace
}  // namespace codexmem::memory
