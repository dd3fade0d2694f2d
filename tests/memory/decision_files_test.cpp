#include "memory/decisions/decision_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "memory/decisions_fixture.h"

namespace codexmem::memory::testing {
namespace {

using ::testing::HasSubstr;

TEST(YamlString, IsOneLineOfPrintableText) {
  const struct {
    std::string input;
    const char* want;
  } kCases[] = {
      {"plain: # text", "\"plain: # text\""},
      {"say \"no\" \\ yes", "\"say \\\"no\\\" \\\\ yes\""},
      {"two\nlines\tand\r", "\"two\\nlines\\tand\\x0D\""},
      {"---\n...", "\"---\\n...\""},
      {"\x01\x7f", "\"\\x01\\x7F\""},
      {"\u0085 \u2028 \ufeff \uffff", "\"\\u0085 \\u2028 \\uFEFF \\uFFFF\""},
      {"naïve 数据 🗄", "\"naïve 数据 🗄\""},
  };
  for (const auto& [input, want] : kCases) EXPECT_EQ(yaml_string(input), want);
}

class DecisionFiles : public DecisionsTest {
 protected:
  DecisionFiles() {
    DecisionOptions with_files = options();
    with_files.files = folder_;
    reopen(std::move(with_files));
  }

  std::string file(const std::string& id) {
    auto bytes = read_file(folder_ / id);
    return bytes.ok() ? *bytes : bytes.error().message();
  }

  std::filesystem::path folder_ = directory_.path() / "deep" / "decisions";
};

TEST_F(DecisionFiles, HaveTheContractsKeys) {
  NewDecision decision = about("db: policy", "Use \"SQLite\"", "Embedded:\nno server");
  decision.consequences = {"no network"};
  const std::string id = record(kAgent, decision);
  EXPECT_EQ(file(id), R"(---
kind: decision
source: agent
content: "Use \"SQLite\""
context:
  title: "Use \"SQLite\""
  target: "db: policy"
  status: active
  rationale: "[via MCP] Embedded:\nno server"
  consequences:
    - "no network"
  supersedes: []
  superseded_by: null
  project: "demo"
timestamp: "2026-01-02T03:04:10.678Z"
---

# Use "SQLite"

Embedded:
no server

## Consequences

- no network
)");
}

TEST_F(DecisionFiles, FollowEveryChange) {
  const std::string old = record(kAgent, about("db"));
  const std::string now = supersede(kAgent, about("db", "Postgres"), {old});
  EXPECT_THAT(file(old), HasSubstr("status: superseded\n"));
  EXPECT_THAT(file(old), HasSubstr("superseded_by: \"" + now + "\"\n"));
  EXPECT_THAT(file(now), HasSubstr("supersedes:\n    - \"" + old + "\"\n"));
  ASSERT_TRUE(decisions_->deprecate(kAdmin, now, "too big").ok());
  EXPECT_THAT(file(now), HasSubstr("status: deprecated\n"));
  const std::string draft = propose(kAgent, about("db"));
  EXPECT_THAT(file(draft), HasSubstr("kind: proposal\n"));
  ASSERT_TRUE(decisions_->reject(kAdmin, draft, "").ok());
  EXPECT_THAT(file(draft), HasSubstr("status: rejected\n"));
}

TEST_F(DecisionFiles, ThatCannotBeWrittenFailNothing) {
  directory_.write("deep/decisions", "a file where the folder should be");
  const std::string id = record(kAgent, about("db"));
  EXPECT_EQ(status(id), "active");
}

TEST_F(DecisionFiles, AreAllExported) {
  std::vector<std::string> ids;
  for (int i = 0; i < 45; ++i) ids.push_back(record(kAgent, about("t" + std::to_string(i))));
  const auto elsewhere = directory_.path() / "elsewhere";
  const auto count = decisions_->export_files(elsewhere);
  ASSERT_TRUE(count.ok()) << count.error().message();
  EXPECT_EQ(*count, 45U);
  for (const std::string& id : ids) EXPECT_EQ(*read_file(elsewhere / id), file(id));
  EXPECT_FALSE(decisions_->export_files("").ok());
}

}  // namespace
}  // namespace codexmem::memory::testing
