#include "privacy/policy.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/byte_pattern.h"
#include "privacy/secret_rules.h"
#include "privacy/secret_words.h"
#include "privacy/secret_texts.h"

namespace codexmem::privacy {
namespace {

TEST(SecretRules, EveryPatternCompiles) {
  for (const SecretRule& rule : secret_rules()) {
    EXPECT_FALSE(rule.keywords.empty()) << rule.id;
    EXPECT_FALSE(rule.pattern.empty()) << rule.id;
    EXPECT_LE(BytePattern(rule.pattern).group_count(), BytePattern::kMaxGroups - 1) << rule.id;
  }
}

TEST(SecretWords, EveryListHasWords) {
  const SecretWords& words = secret_words();
  for (const auto& [list, word] : {std::pair(&words.references, "getenv"),
                                   {&words.strong_placeholders, "your "},
                                   {&words.whole_placeholders, "var"},
                                   {&words.weak_placeholders, "token"},
                                   {&words.technical, "sha256"},
                                   {&words.examples, "mF_9.B5f-4"},
                                   {&words.example_uuids, "00000000-0000-"},
                                   {&words.public_keys, "pk_live_"},
                                   {&words.hashes, "sha256:"},
                                   {&words.sentence, "the"},
                                   {&words.after_keyword, "hash"},
                                   {&words.before_keyword, "public"},
                                   {&words.keyword_tails, "value"}}) {
    EXPECT_TRUE(list->has(word)) << word;
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

TEST(Redact, NeverPutsAMarkerIntoAnother) {
  SecretMaker make(7);
  const std::string marker = "[REDACTED:credential-url]", https = "https:/" + std::string("/");
  const std::vector<std::string> texts = {
      https + make.alnum(40) + "@git.acme.io/a",
      https + marker + "@git.acme.io/a",
      "u:" + marker + "@tcp(db)",
      "postgres:/" + std::string("/") + marker + ":" + make.alnum(20) + "@db/x",
      "curl -u '" + marker + "' -u " + marker,
      "pass" + std::string("word: ") + marker + make.alnum(8),
      "Authorization: Bear" + std::string("er ") + marker + ", token=" + marker};
  for (const std::string& text : texts) {
    const std::string once = redact(text);
    for (std::size_t at = 0; (at = once.find("[REDACTED:", at)) != std::string::npos; ++at) {
      EXPECT_LT(once.find(']', at), once.find('[', at + 1)) << once;
    }
    EXPECT_EQ(redact(once), once);
  }
}

TEST(Redact, AValueFoundOnceIsTakenOutEverywhere) {
  SecretMaker make(8);
  const std::string pass = "Anchor7" + make.alnum(9);
  EXPECT_EQ(redact("it said " + pass +
                   ", so DB_PASS"
                   "WORD=" +
                   pass + "\nand \\n" + pass),
            "it said [REDACTED:password], so DB_PASS"
            "WORD=[REDACTED:password]\n"
            "and \\n[REDACTED:password]");
  // A word is not looked for: that would tear up the text.
  EXPECT_EQ(redact("in production, DB_PASS"
                   "WORD=production"),
            "in production, DB_PASS"
            "WORD=[REDACTED:password]");
  // Nor a part of a longer one.
  EXPECT_EQ(redact(pass +
                   "x DB_PASS"
                   "WORD=" +
                   pass),
            pass +
                "x DB_PASS"
                "WORD=[REDACTED:password]");
}

TEST(RedactJson, AValueFoundInOneStringIsTakenOutOfAll) {
  SecretMaker make(9);
  const std::string pass = "Anchor7" + make.alnum(9);
  EXPECT_EQ(redact_json(R"({"title": "tried )" + pass +
                        R"(", "facts": [{"pass)"
                        R"(word": ")" +
                        pass + R"("}, "with )" + pass + R"(!"]})"),
            R"({"title": "tried [REDACTED:password]", "facts": [{"pass)"
            R"(word": "[REDACTED:password]"}, "with [REDACTED:password]!"]})");
}

// Requirements for every blocked text.
void expect_blocked(const SecretText& one) {
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
  for (const SecretText& one : token_texts()) expect_blocked(one);
}

TEST(CheckFields, BlocksWhatItsSurroundingsGiveAway) {
  for (const SecretText& one : context_texts()) expect_blocked(one);
}

TEST(CheckFields, LetsLookAlikesPass) {
  for (const SecretText& one : harmless_texts()) {
    for (const std::string& text : {one.text, "see " + one.text + "\nand more\n"}) {
      const Field field{"text", text};
      const std::vector<Finding> found = find_secrets({&field, 1});
      EXPECT_TRUE(found.empty()) << one.name << " is blocked by " << found[0].rule << ": " << text;
      EXPECT_EQ(redact(text), text);
    }
  }
}

TEST(RedactJson, StaysJsonAndTheRestStaysAsItWas) {
  SecretMaker make(5);
  const std::string pass = make.password(), token = std::string("g") + "hp_" + make.alnum(36);
  const std::string json = R"({"n": 1.50, "pass)"
                           R"(word": ")" +
                           pass + R"(", "log": "a\n)" + token +
                           R"(\n\"b\"", "list": [{"name": "DB_TO)"
                           R"(KEN", "value": ")" +
                           make.alnum(32) + R"("}], "e": "\u00e4"})";
  EXPECT_EQ(redact_json(json), R"({"n": 1.50, "pass)"
                               R"(word": "[REDACTED:password]", "log": "a\n[REDACTED:github-token])"
                               R"(\n\"b\"", "list": [{"name": "DB_TO)"
                               R"(KEN", "value": "[REDACTED:secret]"}], )"
                               R"("e": "\u00e4"})");
}

TEST(RedactJson, InvalidJsonIsRedactedAsText) {
  EXPECT_EQ(redact_json("{" + kSecret), "{password = \"[REDACTED:password]\"");
}

TEST(Redact, HoldsOnRandomTexts) {
  const std::vector<std::string> parts = {"password",
                                          "token",
                                          "secret",
                                          "=",
                                          ": ",
                                          "\"",
                                          "'",
                                          "\\",
                                          "\\n",
                                          "\\u0061",
                                          "%41",
                                          "&quot;",
                                          "<private>",
                                          "hunter"
                                          "2x",
                                          "$",
                                          "{",
                                          "}",
                                          "[",
                                          "](",
                                          ")",
                                          "g"
                                          "hp_",
                                          "sk"
                                          "-",
                                          "ey"
                                          "JhbGciOiJIUzI1NiJ9",
                                          ".",
                                          "-----BEGIN RSA PRIV"
                                          "ATE KEY-----",
                                          "[REDACTED:",
                                          "[REDACTED:password]",
                                          ":/"
                                          "/",
                                          "@",
                                          "a",
                                          " ",
                                          "\n",
                                          "Bear"
                                          "er ",
                                          "Cookie: ",
                                          "--password",
                                          "mysql -p",
                                          "\xEF\xBC\x9D",
                                          "\xE2\x80\x8B",
                                          "\xFF",
                                          "\xE5\xAF\x86\xE7\xA0\x81",
                                          "0123456789abcdefABCDEFGHIJKLMNOP7q",
                                          "value",
                                          "is",
                                          ",",
                                          ";",
                                          "&"};
  std::mt19937 random(9);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const std::size_t count = random() % 14;
    for (std::size_t i = 0; i < count; ++i) {
      text += random() % 12 == 0 ? std::string(1, static_cast<char>(random() % 256))
                                 : parts[random() % parts.size()];
    }
    const std::string once = redact(text);
    ASSERT_EQ(redact(once), once) << text;
    const Field clean{"text", once};
    ASSERT_TRUE(check_fields({&clean, 1}).ok()) << text;
  }
}

TEST(FindSecrets, BoundedOnHostileTexts) {
  // Seconds, not hours: each was quadratic once, or could have been.
  for (const std::string unit :
       {"password=", "password=$", "q~", "-us", ".", "curl a ", "\"", "=", "a",
        "-----BEGIN PRIV"
        "ATE KEY-----",
        "aGVsbG8g", "[REDACTED:password="}) {
    std::string text;
    while (text.size() < 200'000) text += unit;
    const Field field{"text", text};
    find_secrets({&field, 1});
  }
}

TEST(ExplainSecrets, SaysWhatAndWhereAndWhyNot) {
  const std::vector<Verdict> verdicts =
      explain_secrets("a\n" + kSecret + "\n  token = process.env.TOKEN");
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].rule, "password");
  EXPECT_EQ(verdicts[0].place, (Position{2, 13}));
  EXPECT_TRUE(verdicts[0].is_blocked);
  EXPECT_EQ(verdicts[1].rule, "secret");
  EXPECT_FALSE(verdicts[1].is_blocked);
  EXPECT_EQ(verdicts[1].let_pass_by, "a reference to where the value comes from");
}

}  // namespace
}  // namespace codexmem::privacy
