#include "app/render/render.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "app/render/render_memory.h"
#include "ask/code/analyze_dependencies.h"
#include "ask/code/find_symbol.h"
#include "ask/code/get_references.h"
#include "ask/code/search_code.h"

namespace codexmem::app {
namespace {

// The test's standard output is no terminal under ctest; NO_COLOR makes it so everywhere.
class Render : public ::testing::Test {
 protected:
  Render() { ::setenv("NO_COLOR", "1", 1); }
};

ask::FindSymbolAnswer with_symbol(store::SymbolRow symbol, const std::string& path,
                                  std::string definition) {
  ask::FindSymbolAnswer answer;
  graph::SymbolMatch match;
  match.symbol = std::move(symbol);
  match.path = path;
  match.score = 1.0;
  answer.found.results.push_back(std::move(match));
  answer.definitions.push_back(std::move(definition));
  return answer;
}

TEST_F(Render, ASymbolIsItsPlaceItsNameAndItsSignature) {
  store::SymbolRow symbol;
  symbol.name = "add";
  symbol.type = SymbolType::kMethod;
  symbol.container = "Sum";
  symbol.name_start.line = 4;
  symbol.signature = "add(a: number): number";
  symbol.docstring = "Adds.\nMore.";
  const Rendered out =
      render_symbols(with_symbol(symbol, "src/sum.ts", "add(a: number): number {\n}"), Console());
  EXPECT_TRUE(out.found);
  EXPECT_EQ(out.text, "src/sum.ts:4  method Sum.add\n    add(a: number): number\n    Adds.\n");
}

TEST_F(Render, WhatTheThresholdHidesIsCounted) {
  ask::SearchCodeAnswer answer;
  answer.found.below_threshold = 3;
  const Rendered out = render_search(answer, Console());
  EXPECT_EQ(out.text, "3 more score below the threshold: --threshold 0 shows them\n");
  answer.found.hits.resize(3);
  EXPECT_EQ(render_search(answer, Console()).text.find("threshold"), std::string::npos);
}

TEST_F(Render, AnExactMatchIsShownFromTheLineBeforeIt) {
  ask::SearchCodeAnswer answer;
  search::SearchHit hit;
  hit.path = "a.py";
  hit.score = 0.9;
  hit.line = 14;
  hit.snippet_line = 11;
  hit.snippet = "one\ntwo\nthree\nfour\nfive";
  hit.match_count = 3;
  hit.match_lines = {14, 20};
  answer.found.hits.push_back(hit);
  answer.found.matched_lines = 5;
  answer.found.matched_files = 2;
  answer.rest.omitted = 1;
  const Rendered out = render_search(answer, Console());
  EXPECT_EQ(out.text,
            "a.py:14  0.90\n    13  three\n    14  four\n    15  five\n    3 matching lines: 14, "
            "20, ...\n"
            "5 matching lines in 2 files, 1 not shown: --limit shows up to 50\n");
}

TEST_F(Render, ASnippetShowsTheLinesThatMatch) {
  ask::SearchCodeAnswer answer;
  search::SearchHit hit;
  hit.path = "a.py";
  hit.score = 0.9;
  hit.line = 1;
  hit.snippet = "def load():\n    b\n    c\n    d\n    e\n    f\n    g\n    \xC3\xA9 = path\n    h";
  hit.matches = {{56, 59, "path"}};
  answer.found.hits.push_back(hit);
  Console console;
  EXPECT_EQ(render_search(answer, console).text,
            "a.py:1  0.90\n     1  def load():\n     2      b\n     3      c\n     4      d\n"
            "     8      \xC3\xA9 = path\n     9      h\n");
  console.use_colours(true);
  ::testing::internal::CaptureStdout();
  console.print(render_search(answer, console).text);
  const std::string shown = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(shown.find("\xC3\xA9 = \x1b[1;31mpath\x1b[0m\n"), std::string::npos) << shown;
}

TEST_F(Render, NothingFoundShowsNearNames) {
  ask::FindSymbolAnswer answer;
  answer.found.suggestions = {"addAll", "added"};
  const Rendered out = render_symbols(answer, Console());
  EXPECT_FALSE(out.found);
  EXPECT_EQ(out.text, "Did you mean: addAll, added\n");
}

TEST_F(Render, WhereTheNameItselfIsThereNoneIsNear) {
  store::SymbolRow symbol;
  symbol.name = "add";
  symbol.signature = "add(): void";
  ask::FindSymbolAnswer answer = with_symbol(symbol, "a.ts", "");
  answer.found.suggestions = {"Add"};
  const Rendered out = render_symbols(answer, Console());
  EXPECT_EQ(out.text.find("Did you mean"), std::string::npos) << out.text;
}

TEST_F(Render, AUseThatIsNotCertainSaysSo) {
  ask::GetReferencesAnswer answer;
  graph::ReferenceItem definition;
  definition.path = "a.ts";
  definition.position = {1, 1};
  definition.context = "function f() {}";
  definition.is_definition = true;
  graph::ReferenceItem use;
  use.path = "b.ts";
  use.position = {7, 3};
  use.context = "x.f();";
  use.kind = graph::UsageKind::kCall;
  use.confidence = graph::Confidence::kLikely;
  answer.found.items = {definition, use};
  answer.found.definitions.emplace_back();
  answer.found.account.places = {1, 0, 1, 0, 4, 2, 0};
  const Rendered out = render_references(answer, Console());
  EXPECT_EQ(out.text,
            "a.ts:1:1  definition  function f() {}\n"
            "b.ts:7:3  call        x.f();  (likely)\n"
            "1 use in 1 file\n"
            "1 definition, 0 certain, 1 likely; 4 of something else; 2 in text = 8 places\n");
}

TEST_F(Render, ADefinitionIsShownAtItsName) {
  ask::GetReferencesAnswer answer;
  graph::ReferenceItem definition;
  definition.path = "a.py";
  definition.position = {3, 1};
  definition.name_position = {4, 5};
  definition.context = "@click.command()";
  definition.name_context = "def cli():";
  definition.is_definition = true;
  answer.found.items = {definition};
  EXPECT_EQ(render_references(answer, Console()).text, "a.py:4:5  definition  def cli():\n");
}

TEST_F(Render, ALongListOfUsesIsCutAndSaysSo) {
  ask::GetReferencesAnswer answer;
  for (std::uint32_t line = 1; line <= 3; ++line) {
    graph::ReferenceItem use;
    use.path = line == 3 ? "b.ts" : "a.ts";
    use.position = {line, 1};
    use.context = "f();";
    answer.found.items.push_back(use);
  }
  EXPECT_EQ(render_references(answer, Console(), 1).text,
            "a.ts:1:1  read        f();\n... 2 more: --limit 0 shows all\n3 uses in 2 files\n");
}

TEST_F(Render, UsesOfSeveralDefinitionsSaySo) {
  ask::GetReferencesAnswer answer;
  for (const char* path : {"a.ts", "a.ts", "b.ts", "c.ts"}) {  // overloads are one
    graph::ReferenceDefinition definition;
    if (path == std::string("c.ts")) definition.kind = "prototype";
    definition.name = "run";
    definition.qualified_name = "Task.run";
    definition.path = path;
    answer.found.definitions.push_back(definition);
  }
  EXPECT_EQ(render_references(answer, Console()).text,
            "2 definitions are called run; to choose one, ask for a.ts::Task.run\n");
}

TEST_F(Render, DependenciesAreBelowTheFileThatTheyComeThrough) {
  ask::AnalyzeDependenciesAnswer answer;
  graph::DependencyItem near, far, other, package;
  near.path = "b.ts";
  near.symbols = {"b"};
  far.path = "c.ts";
  far.depth = 2;
  far.via = "b.ts";
  other = far;
  other.path = "d.ts";
  other.symbols = {"d"};
  package.import_path = "lodash/merge";
  package.package = "lodash";
  package.symbols = {"merge"};
  package.is_external = true;
  answer.dependencies = {near, far, package, other};
  answer.cycles = {{"a.ts", "b.ts"}};
  const Rendered out = render_dependencies(answer, Console());
  EXPECT_EQ(out.text,
            "imports\n  b.ts  {b}\n  lodash  external  {merge}\n"
            "  through b.ts\n    c.ts\n    d.ts  {d}\n"
            "cycles\n  a.ts -> b.ts -> a.ts\n");
}

TEST_F(Render, ControlCharactersOfSourcesDoNotReachTheTerminal) {
  Console console;
  ask::SearchCodeAnswer answer;
  search::SearchHit hit;
  hit.path = "a\nb\x1b[31m.ts";
  hit.snippet = "x\x07\u009b\nnext";
  answer.found.hits.push_back(hit);
  ::testing::internal::CaptureStdout();
  console.print(render_search(answer, console).text);
  const std::string shown = ::testing::internal::GetCapturedStdout();
  for (const char* hostile : {"\x1b", "\x07", "\u009b", "\nb"}) {
    EXPECT_EQ(shown.find(hostile), std::string::npos) << shown;
  }
  EXPECT_NE(shown.find("\n     2  next"), std::string::npos) << shown;
}

TEST_F(Render, MarksSupersededEntries) {
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
  const Rendered rows = render_memories(answer, {}, Console());
  EXPECT_NE(rows.text.find("Old\n" + std::string(31, ' ') + "superseded by #2\n"),
            std::string::npos)
      << rows.text;
  EXPECT_TRUE(rows.text.ends_with("New\n")) << rows.text;
}

TEST_F(Render, AMemoryIsShownWithThePieceThatAnswers) {
  ask::SearchAnswer answer;
  answer.params.request.query = "which discounts do we give";
  ask::IndexRow row;
  row.key = memory::document_key(memory::EntryId{1});
  row.title = "Prices";
  row.type = "bugfix";
  row.project = "p";
  answer.rows.push_back(row);
  memory::Entry entry;
  entry.id = memory::EntryId{1};
  entry.type = "bugfix";
  entry.metadata = R"({"outcome":"error"})";
  entry.body = std::string(40, 'x') + " one. ";
  for (int i = 0; i < 30; ++i) entry.body += "Nothing to see here. ";
  entry.body += "The discount is ten percent.\nIt is given in spring.";
  const RowRecords records = {{row.key, ask::Record{.what = entry}}};
  Console console;
  Rendered out = render_memories(answer, records, console);
  EXPECT_NE(out.text.find("\n         … The discount is ten percent. It is given in spring.\n"),
            std::string::npos)
      << out.text;
  EXPECT_NE(out.text.find("failed      Prices"), std::string::npos) << out.text;
  answer.params.request.query = "zebra";
  out = render_memories(answer, records, console);
  EXPECT_TRUE(out.text.ends_with("Prices\n")) << out.text;
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
