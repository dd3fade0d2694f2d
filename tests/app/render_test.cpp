#include "app/render.h"

#include <gtest/gtest.h>

#include <string>

#include "app/render_memory.h"

namespace codexmem::app {
namespace {

// The test's standard output is no terminal under ctest; NO_COLOR makes it so everywhere.
class Render : public ::testing::Test {
 protected:
  Render() { ::setenv("NO_COLOR", "1", 1); }
};

TEST_F(Render, ASymbolIsItsPlaceItsNameAndItsSignature) {
  const Rendered out = render_symbols(
      R"({"results":[{"symbol":{"name":"add","type":"method","startLine":3,"endLine":5,
          "nameLine":4,"container":"Sum","signature":"add(a: number): number",
          "definition":"add(a: number): number {\n}","docstring":"Adds.\nMore."},
          "file":{"path":"src/sum.ts"},"score":1.0,"match":"exact"}]})",
      Console());
  EXPECT_TRUE(out.found);
  EXPECT_EQ(out.text, "src/sum.ts:4  method Sum.add\n    add(a: number): number\n    Adds.\n");
}

TEST_F(Render, WhatTheThresholdHidesIsCounted) {
  const Rendered out = render_search(R"({"results":[],"belowThreshold":3})", Console());
  EXPECT_EQ(out.text, "3 more score below the threshold: --threshold 0 shows them\n");
}

TEST_F(Render, AnExactMatchIsShownFromTheLineBeforeIt) {
  const Rendered out = render_search(
      R"({"results":[{"file":{"path":"a.py"},"symbol":null,"score":0.9,"line":14,"snippetLine":11,
          "snippet":"one\ntwo\nthree\nfour\nfive","matchCount":3,"matchLines":[14,20]}],
          "matchedLines":5,"matchedFiles":2,"omitted":1})",
      Console());
  EXPECT_EQ(out.text,
            "a.py:14  0.90\n    three\n    four\n    five\n    3 matching lines: 14, 20, ...\n"
            "5 matching lines in 2 files, 1 not shown: --limit shows up to 50\n");
}

TEST_F(Render, NothingFoundShowsWhatIsNear) {
  const Rendered out =
      render_symbols(R"({"results":[],"suggestions":["addAll","added"]})", Console());
  EXPECT_FALSE(out.found);
  EXPECT_EQ(out.text, "Did you mean: addAll, added\n");
}

TEST_F(Render, WhereTheNameItselfIsThereNoneIsNear) {
  const Rendered out = render_symbols(
      R"({"results":[{"symbol":{"name":"add","type":"function","startLine":3,"endLine":5,
          "signature":"add(): void"},"file":{"path":"a.ts"},"score":1.0,"match":"exact"}],
          "suggestions":["Add"]})",
      Console());
  EXPECT_EQ(out.text.find("Did you mean"), std::string::npos) << out.text;
}

TEST_F(Render, AUseThatIsNotCertainSaysSo) {
  const Rendered out = render_references(
      R"({"results":[{"file":{"path":"a.ts"},"line":1,"column":1,"context":"function f() {}",
                      "type":"definition"},
                     {"file":{"path":"b.ts"},"line":7,"column":3,"context":"x.f();","type":"usage",
                      "kind":"call","confidence":"likely"}],
          "coverage":{"nameMatchesOmitted":4}})",
      Console());
  EXPECT_EQ(out.text,
            "a.ts:1:1  definition  function f() {}\n"
            "b.ts:7:3  call        x.f();  (likely)\n"
            "1 use in 1 file; 4 more have the name alone (--min-confidence name shows them)\n");
}

TEST_F(Render, DependenciesAreIndentedByDepth) {
  const Rendered out = render_dependencies(
      R"({"file":{"path":"a.ts"},
          "dependencies":[{"file":{"path":"b.ts"},"importPath":"./b","symbols":["b"],
                           "isExternal":false,"depth":1},
                          {"file":{"path":"c.ts"},"importPath":"./c","symbols":[],
                           "isExternal":false,"depth":2,"via":"b.ts"},
                          {"importPath":"lodash/merge","package":"lodash","symbols":["merge"],
                           "isExternal":true,"depth":1}],
          "dependents":[],"cycles":[["a.ts","b.ts"]]})",
      Console());
  EXPECT_EQ(out.text,
            "imports\n  b.ts  {b}\n    c.ts  via b.ts\n  lodash  external  {merge}\n"
            "cycles\n  a.ts -> b.ts -> a.ts\n");
}

TEST_F(Render, ControlCharactersOfSourcesDoNotReachTheTerminal) {
  Console console;
  ::testing::internal::CaptureStdout();
  console.print(
      render_search("{\"results\":[{\"file\":{\"path\":\"a\\nb\\u001b[31m.ts\"},\"line\":1,"
                    "\"score\":0.5,\"snippet\":\"x\\u0007\\u009b\\nnext\"}]}",
                    console)
          .text);
  const std::string shown = ::testing::internal::GetCapturedStdout();
  for (const char* hostile : {"\x1b", "\x07", "\u009b", "\nb"}) {
    EXPECT_EQ(shown.find(hostile), std::string::npos) << shown;
  }
  EXPECT_NE(shown.find("\n    next"), std::string::npos) << shown;
}

TEST_F(Render, AnAnswerOfAnotherShapeIsNoCrash) {
  for (const char* answer : {"", "[]", "3", "{\"results\":{\"a\":1}}", "{\"results\":[1,null]}"}) {
    for (const auto render :
         {render_search, render_symbols, render_references, render_dependencies, render_context}) {
      render(answer, Console());
    }
  }
}

TEST_F(Render, MarksWhatIsSuperseded) {
  ask::SearchAnswer answer;
  for (const auto& [id, title] : {std::pair(1, "Old"), std::pair(2, "New")}) {
    ask::IndexRow row;
    row.key = memory::document_key(memory::EntryId{id});
    row.title = title;
    row.type = "change";
    row.project = "p";
    row.created_at_ms = 1'767'323'045'000;
    answer.rows.push_back(row);
  }
  answer.rows[0].succession.superseded_by = memory::EntryId{2};
  const Rendered rows = render_memories(answer, Console());
  EXPECT_NE(rows.text.find("Old\n" + std::string(31, ' ') + "superseded by #2\n"),
            std::string::npos)
      << rows.text;
  EXPECT_TRUE(rows.text.ends_with("New\n")) << rows.text;
}

TEST_F(Render, ShowsEightPlacesOfCodeTheWorstFirst) {
  memory::CitationState cited;
  cited.citation.path = "a.ts";
  cited.citation.symbol = "f";
  cited.state = memory::CodeState::kUnchanged;
  ask::Record record{.cited = std::vector(12, cited)};
  cited.citation.path = "b.ts";
  cited.citation.symbol.clear();
  cited.state = memory::CodeState::kGone;
  record.cited.push_back(cited);
  ask::EntriesAnswer answer;
  answer.records.push_back(record);
  const Rendered entry = render_entries(answer, Console());
  EXPECT_NE(entry.text.find("  code: b.ts gone\n  code: a.ts f unchanged\n"), std::string::npos)
      << entry.text;
  EXPECT_NE(entry.text.find("  code: 5 more\n"), std::string::npos) << entry.text;
}

}  // namespace
}  // namespace codexmem::app
