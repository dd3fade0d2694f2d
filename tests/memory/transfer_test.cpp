#include "memory/transfer/transfer.h"

#include <gtest/gtest.h>

#include <deque>

#include "memory/entries/citations.h"
#include "memory/decisions/decisions.h"
#include "memory/documents/ingest.h"
#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

class TransferTest : public MemoryStoreTest {
 protected:
  std::vector<std::string> take_out(store::UserStore& store, const std::string& project = {}) {
    std::vector<std::string> lines;
    const auto report = export_memory(
        store,
        [&](std::string_view line) -> Result<void> {
          lines.emplace_back(line);
          return {};
        },
        clock_, project);
    EXPECT_TRUE(report.ok()) << report.error().message();
    return lines;
  }

  Result<ImportReport> put_in(store::UserStore& store, std::vector<std::string> lines,
                              bool may_decide = true) {
    std::deque<std::string> rest(lines.begin(), lines.end());
    const Entries entries(store, vectors_, clock_);
    return import_memory(
        store, entries, vectors_,
        [&]() -> Result<std::optional<std::string>> {
          if (rest.empty()) return std::optional<std::string>();
          std::optional<std::string> line = std::move(rest.front());
          rest.pop_front();
          return line;
        },
        clock_, may_decide);
  }

  DecisionOptions decision_options() const {
    DecisionOptions options;
    options.clock = clock_;
    options.cooldown_ms = 0;
    return options;
  }

  /// One of everything.
  void fill() {
    ASSERT_TRUE(sessions_.start("s1", "demo", "codex").ok());
    ASSERT_TRUE(sessions_.add_prompt("s1", "make tea").ok());
    ASSERT_TRUE(sessions_.add_prompt("s1", " ").ok());
    Summary summary;
    summary.session = "s1";
    summary.request = "tea";
    summary.files_read = {"a.cpp"};
    ASSERT_TRUE(sessions_.add_summary(summary).ok());
    ASSERT_TRUE(sessions_.complete("s1").ok());
    save({.project = "demo",
          .session = "s1",
          .type = "bugfix",
          .title = "A title",
          .text = "A text\nof two lines",
          .subtitle = "sub",
          .facts = {"f"},
          .concepts = {"gotcha"},
          .files_read = {"a.cpp"},
          .files_modified = {"b.cpp"},
          .source_ref = "somewhere",
          .metadata = R"({"pinned":true,"n":[1,2.5,"x"]})",
          .prompt_number = 1,
          .discovery_tokens = 12});
    now_ms_ += 1000;
    const EntryId plain = save_text("a text without a title", "other").id;
    {
      auto writer = store_->writer();
      auto transaction = store::Transaction::begin(**writer);
      Citation citation;
      citation.workspace = "/somewhere";
      citation.path = "a.cpp";
      citation.symbol = "A.run";
      citation.kind = "method";
      citation.body_hash = std::string("\x01\xFE", 2);
      citation.is_explicit = true;
      Citation nowhere;  // a symbol that was given and that nothing defines
      nowhere.workspace = "/somewhere";
      nowhere.symbol = "B.stop";
      nowhere.is_explicit = true;
      const Citation citations[] = {citation, nowhere};
      ASSERT_TRUE(put_citations(**writer, document_key(plain), citations, now_ms_).ok());
      ASSERT_TRUE(transaction->commit().ok());
    }
    const codexmem::testing::TemporaryDirectory root;
    for (const char* text : {"# A\none\n", "# A\ntwo\n"}) {
      root.write("a.md", text);
      ASSERT_TRUE(ingest_docs(entries_, *store_, {root.path(), "demo", {"a.md"}}, clock_).ok());
    }
    Decisions decisions(*store_, vectors_, decision_options());
    const Caller caller{Role::kAdmin};
    NewDecision decision;
    decision.project = "demo";
    decision.title = "Use tea";
    decision.target = "drinks";
    decision.rationale = "Because it is warm and good for us";
    decision.consequences = {"more kettles"};
    const auto first = decisions.record(caller, decision);
    ASSERT_TRUE(first.ok()) << first.error().message();
    decision.title = "Use coffee";
    ASSERT_TRUE(decisions.supersede(caller, decision, {*first}).ok());
    NewProposal proposal;
    proposal.decision = decision;
    proposal.decision.target = "food";
    proposal.evidence = {plain};
    ASSERT_TRUE(decisions.propose(caller, proposal).ok());
  }
};

TEST_F(TransferTest, WhatComesInIsWhatWentOut) {
  fill();
  const std::vector<std::string> lines = take_out(*store_);
  EXPECT_EQ(lines.size(), 1U + 1 + 2 + 1 + 4 + 1 + 2 + 3);
  const auto other = open(directory_.path() / "other");
  const auto report = put_in(*other, lines);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->refused, 0U) << report->examples.front().reason;
  EXPECT_EQ(report->sessions, 1U);
  EXPECT_EQ(report->prompts, 2U);
  EXPECT_EQ(report->summaries, 1U);
  EXPECT_EQ(report->entries, 4U);
  EXPECT_EQ(report->decisions, 3U);
  EXPECT_EQ(report->duplicates, 0U);
  // The ids are the same, since nothing was there.
  EXPECT_EQ(take_out(*other), lines);

  const auto again = put_in(*other, lines);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->duplicates, lines.size() - 1);
  EXPECT_EQ(again->refused, 0U);
  EXPECT_EQ(take_out(*other), lines);
}

TEST_F(TransferTest, IdsAreReassignedWhereTheyAreTaken) {
  fill();
  const auto other = open(directory_.path() / "other");
  const Entries entries(*other, vectors_, clock_);
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(entries.save({.text = std::to_string(i)}).ok());
  ASSERT_TRUE(put_in(*other, take_out(*store_)).ok());
  auto reader = other->reader();
  // The later section still supersedes the former one.
  EXPECT_EQ(*(*reader)->find_integer("SELECT count(*) FROM entry_links AS l JOIN entries AS a ON "
                                     "a.id = l.from_id JOIN entries AS b ON b.id = l.to_id WHERE "
                                     "a.body = 'two' AND b.body = 'one'"),
            1);
  EXPECT_EQ(*(*reader)->find_integer("SELECT e.id FROM decisions AS d, json_each(d.evidence) AS v "
                                     "JOIN entries AS e ON e.id = v.value WHERE e.body LIKE "
                                     "'a text%'"),
            9);
}

TEST_F(TransferTest, ADocumentThatIsKnownIsKnownWhereItComesIn) {
  const codexmem::testing::TemporaryDirectory root;
  std::string text;
  for (int i = 0; i < 900; ++i) text += "Paragraph " + std::to_string(i) + " of many.\n\n";
  root.write("long.txt", text);  // without a heading, in several parts
  const IngestRequest request{root.path(), "demo", {"long.txt"}};
  ASSERT_TRUE(ingest_docs(entries_, *store_, request, clock_).ok());
  const auto other = open(directory_.path() / "other");
  ASSERT_TRUE(put_in(*other, take_out(*store_)).ok());
  EXPECT_EQ(take_out(*other), take_out(*store_));
  root.write("long.txt", text.insert(text.size() - 3, "!"));  // the last part has changed
  const Entries entries(*other, vectors_, clock_);
  const auto report = ingest_docs(entries, *other, request, clock_);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->imported_entries, 1U);
  EXPECT_EQ(report->superseded_entries, 1U);
}

TEST_F(TransferTest, OneProjectAlone) {
  fill();
  const std::vector<std::string> lines = take_out(*store_, "other");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[1].find("without a title"), std::string::npos);
}

TEST_F(TransferTest, ABadLineIsReportedAndTheOthersAreImported) {
  const std::string secret = "ghp" + std::string("_") + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA";
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  const std::vector<std::string> lines = {
      R"({"codexmem_memory":1})",
      R"({"kind":"entry","text":"one","created_at_ms":5})",
      "no JSON",
      "",
      R"({"kind":"entry","text":"key: )" + secret + R"(","created_at_ms":5})",
      R"({"kind":"entry","text":" ","created_at_ms":5})",
      R"({"kind":"entry","text":"no time"})",
      R"({"kind":"what"})",
      R"({"kind":"link","from":1,"to":2,"link":"supersedes","created_at_ms":5})",
      R"({"kind":"prompt","session":"none","number":1,"text":"x","created_at_ms":5})",
      R"({"kind":"session","session":"s","status":"odd","started_at_ms":5})",
      R"({"kind":"entry","text":"deep","metadata":{"a":)" + deep + R"(},"created_at_ms":5})",
      R"({"kind":"entry","text":"<private>all</private>two","created_at_ms":6,"more":true})",
  };
  const auto report = put_in(*store_, lines);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->entries, 2U);
  std::vector<std::size_t> refused;
  for (const RefusedLine& line : report->examples) {
    refused.push_back(line.line);
    EXPECT_EQ(line.reason.find(secret), std::string::npos);
  }
  std::sort(refused.begin(), refused.end());
  EXPECT_EQ(refused, (std::vector<std::size_t>{3, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(get(EntryId{1}).created_at_ms, 5);
  EXPECT_EQ(get(EntryId{2}).body, "two");
  EXPECT_EQ(count("SELECT count(*) FROM sessions"), 0);
  expect_whole();
}

TEST_F(TransferTest, InvalidExportsAreRefusedWhole) {
  const auto refusal = [&](std::vector<std::string> lines) {
    const auto report = put_in(*store_, std::move(lines));
    EXPECT_FALSE(report.ok());
    return report.ok() ? ErrorCode::kIo : report.error().code();
  };
  EXPECT_EQ(refusal({}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal({R"({"kind":"entry","text":"one","created_at_ms":5})"}),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal({R"({"codexmem_memory":2})"}), ErrorCode::kUnsupported);
}

// Issue 47: it would win over everything that is made until then.
TEST_F(TransferTest, DatesInTheFutureAreRefused) {
  const std::int64_t hour_ms = 3'600'000;
  const auto entry = [&](const char* text, std::int64_t at_ms) {
    return "{\"kind\":\"entry\",\"text\":\"" + std::string(text) +
           "\",\"created_at_ms\":" + std::to_string(at_ms) + "}";
  };
  const auto report = put_in(*store_, {R"({"codexmem_memory":1})",
                                       entry("of a clock that is a little fast", clock_() + 60'000),
                                       entry("of a clock an hour ahead", clock_() + hour_ms),
                                       entry("of the year 9999", 253'370'764'800'000)});
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->entries, 1U);
  ASSERT_EQ(report->refused, 2U);
  EXPECT_NE(report->examples[1].reason.find("in the future (9999-01-01"), std::string::npos)
      << report->examples[1].reason;
}

TEST_F(TransferTest, DecisionsAreAnAdminsToImport) {
  fill();
  const auto other = open(directory_.path() / "other");
  const auto report = put_in(*other, take_out(*store_), /*may_decide=*/false);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->decisions, 0U);
  EXPECT_EQ(report->refused, 3U);
  EXPECT_GT(report->entries, 0U);
}

TEST_F(TransferTest, AnActiveDecisionStays) {
  fill();
  const std::vector<std::string> lines = take_out(*store_);
  const auto other = open(directory_.path() / "other");
  Decisions decisions(*other, vectors_, decision_options());
  NewDecision decision;
  decision.project = "demo";
  decision.title = "Use water";
  decision.target = " DRINKS ";
  decision.rationale = "It is there already";
  const auto own = decisions.record(Caller{Role::kAdmin}, decision);
  ASSERT_TRUE(own.ok()) << own.error().message();
  const auto report = put_in(*other, lines);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->decisions, 2U);
  ASSERT_EQ(report->refused, 1U);
  EXPECT_EQ(report->examples[0].reason, "its target has an active decision here: " + *own);
}

TEST_F(TransferTest, ManyLinesInBatches) {
  std::vector<std::string> lines = {R"({"codexmem_memory":1})"};
  for (int i = 0; i < 2500; ++i) {
    lines.push_back(R"({"kind":"entry","text":"text )" + std::to_string(i) +
                    R"(","created_at_ms":)" + std::to_string(i) + "}");
  }
  const auto report = put_in(*store_, lines);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->entries, 2500U);
  EXPECT_EQ(put_in(*store_, lines)->duplicates, 2500U);
}

}  // namespace
}  // namespace codexmem::memory
