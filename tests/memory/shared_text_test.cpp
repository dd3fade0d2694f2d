#include "memory/entries/shared_text.h"

#include <gtest/gtest.h>

#include <string>

namespace codexmem::memory {
namespace {

Entry some_entry() {
  Entry entry;
  entry.type = "gotcha";
  entry.title = "Uploads: \"slow\" ones\ttime out";
  entry.body = "\n# Not a title\nThe proxy closes after 60 s.\r\n---\n  - done \n";
  entry.concepts = {"proxy", "a: b # c", "- d"};
  entry.created_at_ms = 1'764'329'400'123;
  return entry;
}

TEST(SharedText, AMemoryIsReadAsItWasWritten) {
  SharedText shared = shared_text_of(some_entry());
  shared.files = {"src/up load.ts"};
  shared.symbols = {"src/a.ts::Queue.push"};
  shared.supersedes = {"0123456789abcdef"};
  const std::string bytes = shared_markdown(shared);
  const auto read = read_shared_text(bytes);
  ASSERT_TRUE(read.ok()) << read.error().message() << bytes;
  EXPECT_FALSE(read->is_decision);
  EXPECT_EQ(read->id, shared.id);
  EXPECT_EQ(read->type, "gotcha");
  EXPECT_EQ(read->title, "Uploads: \"slow\" ones time out");
  EXPECT_EQ(read->text, "# Not a title\nThe proxy closes after 60 s.\n---\n  - done");
  EXPECT_EQ(read->concepts, some_entry().concepts);
  EXPECT_EQ(read->files, shared.files);
  EXPECT_EQ(read->symbols, shared.symbols);
  EXPECT_EQ(read->supersedes, shared.supersedes);
  EXPECT_EQ(read->created_at_ms, some_entry().created_at_ms);
  EXPECT_EQ(shared_markdown(*read), bytes);
}

TEST(SharedText, ADecisionIsReadAsItWasWritten) {
  Decision decision;
  decision.id = "decision_20260102_030405_678901_0123abcd.md";
  decision.title = "Use SQLite";
  decision.target = "database: main";
  decision.rationale = "[via MCP] One file,\n\nno server.";
  decision.consequences = {"No replicas", "line\nbreak"};
  decision.source = DecisionSource::kAgent;
  decision.created_at_ms = 1'764'329'400'000;
  SharedText shared = shared_text_of(decision);
  shared.supersedes = {"decision_20250102_030405_678901_0123abcd.md"};
  EXPECT_EQ(shared_file_name(shared), decision.id);
  const auto read = read_shared_text(shared_markdown(shared));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_TRUE(read->is_decision);
  EXPECT_EQ(read->text, "One file,\n\nno server.");
  EXPECT_EQ(read->target, decision.target);
  EXPECT_EQ(read->consequences, decision.consequences);
  EXPECT_EQ(read->source, DecisionSource::kAgent);
  EXPECT_EQ(read->status, DecisionStatus::kActive);
  EXPECT_EQ(read->supersedes, shared.supersedes);
}

TEST(SharedText, TheSameContentIsTheSameFile) {
  const SharedText one = shared_text_of(some_entry()), other = shared_text_of(some_entry());
  EXPECT_EQ(shared_file_name(one), shared_file_name(other));
  EXPECT_EQ(shared_markdown(one), shared_markdown(other));
  EXPECT_TRUE(shared_file_name(one).starts_with("uploads-slow-ones-time-out-"));
  Entry later = some_entry();
  ++later.created_at_ms;
  EXPECT_NE(shared_text_of(later).id, one.id);
}

TEST(SharedText, ProblemsAreReported) {
  const std::string good = shared_markdown(shared_text_of(some_entry()));
  const auto refusal = [](const std::string& bytes) {
    const auto read = read_shared_text(bytes);
    return read.ok() ? std::string() : read.error().message();
  };
  const auto with = [&](std::string_view old, std::string_view now) {
    std::string bytes = good;
    bytes.replace(bytes.find(old), old.size(), now);
    return refusal(bytes);
  };
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal("# Notes\n"), "it does not begin with the front matter of a shared memory");
  EXPECT_EQ(refusal("---\ntitle: x\n---\ntext"),
            "it does not begin with the front matter of a shared memory");
  EXPECT_EQ(with("codexmem: 1", "codexmem: 2"),
            "it is of format 2, this program reads 1: update codexmem");
  EXPECT_EQ(with("kind: memory", "kind: idea"),
            "the kind must be memory or decision, got \"idea\"");
  EXPECT_EQ(with("created: \"2025", "created: \"x"), "created must be a time");
  EXPECT_EQ(with("The proxy", "<<<<<<< HEAD\nThe proxy"), "it holds the marks of a merge conflict");
  EXPECT_EQ(refusal(good + '\0'), "it is not UTF-8 text");
  EXPECT_EQ(refusal(good + std::string(kMaxSharedFileBytes, 'x')), "it has more than 256 kB");
}

TEST(SharedText, AnAdrOfAdrToolsIsRead) {
  const auto read = read_adr(
      "# 9. Use PostgreSQL\n\nDate: 2024-05-06\n\n## Status\n\nAccepted\n\n"
      "Supercedes [3. Use MySQL](0003-use-mysql.md)\n\n## Context\n\nWe need JSON.\n\n"
      "## Decision\n\nPostgreSQL.\n",
      "doc/adr/0009-use-postgresql.md");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_TRUE(read->is_decision);
  EXPECT_EQ(read->title, "Use PostgreSQL");
  EXPECT_EQ(read->target, "Use PostgreSQL");
  EXPECT_EQ(read->status, DecisionStatus::kActive);
  EXPECT_EQ(read->text, "## Context\n\nWe need JSON.\n\n## Decision\n\nPostgreSQL.");
  EXPECT_EQ(read->created_at_ms, 1'714'953'600'000);
  ASSERT_EQ(read->supersedes.size(), 1U);
  const auto older = read_adr(
      "# 3. Use MySQL\n\n## Status\n\nAccepted\n\nSuperceded by "
      "[9. Use PostgreSQL](0009-use-postgresql.md)\n\n## Context\nOld.\n",
      "doc/adr/0003-use-mysql.md");
  ASSERT_TRUE(older.ok());
  EXPECT_EQ(older->id, read->supersedes.front());
  EXPECT_EQ(older->status, DecisionStatus::kSuperseded);
}

TEST(SharedText, AnAdrOfMadrIsRead) {
  const auto read = read_adr(
      "---\nstatus: \"proposed\" # for now\ndate: 2024-05-06\ndecision-makers:\n  - Ann\n---\n"
      "# Use Markdown\n\n## Context and Problem Statement\n\nWhich format?\n",
      "docs/decisions/0001-use-markdown.md");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->status, DecisionStatus::kDraft);
  const auto older = read_adr(
      "# Use Markdown\n\n* Status: accepted\n* Date: 2020-01-02\n\n"
      "## Context\nWhich?\n",
      "docs/adr/0001-x.md");
  ASSERT_TRUE(older.ok()) << older.error().message();
  EXPECT_EQ(older->status, DecisionStatus::kActive);
  EXPECT_EQ(older->text, "## Context\nWhich?");
  EXPECT_GT(older->created_at_ms, 0);
  EXPECT_FALSE(read_adr("# X\n\n## Status\n\nwhatever\n\n## Context\nx\n", "a/0001-x.md").ok());
  EXPECT_FALSE(read_adr("no heading\n", "a/0001-x.md").ok());
}

TEST(SharedText, NamesOfAdrsBeginWithANumber) {
  EXPECT_TRUE(is_adr_name("docs/adr/0001-record-architecture-decisions.md"));
  EXPECT_FALSE(is_adr_name("docs/adr/README.md"));
  EXPECT_FALSE(is_adr_name("docs/adr/0001.md"));
  EXPECT_FALSE(is_adr_name("docs/adr/0001-x.txt"));
}

}  // namespace
}  // namespace codexmem::memory
