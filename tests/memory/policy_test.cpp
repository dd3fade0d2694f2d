#include "memory/policy.h"

#include <gtest/gtest.h>

#include "base/byte_pattern.h"
#include "memory/secret_rules.h"

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

}  // namespace
}  // namespace codexmem::memory
