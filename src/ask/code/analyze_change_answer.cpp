// Tested by git/impact_test.py.
#include "ask/code/analyze_change_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/code/get_context.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

std::string changed_symbol_json(const index::ChangedSymbol& symbol, bool is_of_git = true) {
  const std::string old_name = symbol.old_name == symbol.name ? "" : symbol.old_name;
  return json_object("symbol", symbol.name, "kind", symbol.kind, "change",
                     some(is_of_git ? index::symbol_change_name(symbol.change) : ""), "file",
                     json_object("path", symbol.path), "line", symbol.line, "was",
                     some(json_object("path", some(symbol.old_path), "symbol", some(old_name))),
                     "exported", some(symbol.is_exported));
}

std::string test_to_run_json(const TestToRun& test) {
  return json_object("path", test.path, "likelihood", std::round(test.likelihood * 100) / 100,
                     "why", test.why);
}

std::string affected_json(const graph::AffectedCode& code) {
  return json_object("file", json_object("path", code.path), "symbol", some(code.symbol), "line",
                     code.first.line, "uses", code.via, "kind", graph::usage_kind_name(code.kind),
                     "count", code.uses > 1 ? std::optional(code.uses) : std::nullopt, "depth",
                     code.depth, "confidence", graph::confidence_name(code.confidence));
}

std::string finding_json(const index::ChangeFinding& finding) {
  return json_object("file", json_object("path", finding.path), "line", finding.line, "message",
                     finding.message);
}

std::string companion_json(const UsualCompanion& one) {
  const auto counted = [&](std::size_t count) {
    return one.commits > 0 ? std::optional(count) : std::nullopt;
  };
  return json_object("path", one.path, "likelihood", std::round(one.likelihood * 100) / 100, "why",
                     one.why, "with", some(one.of), "commits", counted(one.commits), "of",
                     counted(one.of_commits));
}

}  // namespace

void cut_change(AnalyzeChangeAnswer& answer, std::size_t max_bytes) {
  ListCutter lists(max_bytes > 1500 ? max_bytes - 1500 : max_bytes / 2, answer.omitted);
  const auto add = [&](std::string_view name, auto& items, auto write, std::size_t percent) {
    lists.add(name, items, write, max_bytes * percent / 100);
  };
  const auto quoted = [](const std::string& text) { return json_quote(text); };
  add("notSeen", answer.not_seen, quoted, 10);
  add("otherWorktrees", answer.meetings, quoted, 10);
  add("topLevel", answer.changed.top_level, quoted, 5);
  add("commentsOrFormattingOnly", answer.changed.text_only, quoted, 5);
  add("broken", answer.check.findings, finding_json, 15);
  add("tests", answer.tests, test_to_run_json, 20);
  add("lessLikelyTests", answer.less_likely_tests, quoted, 10);
  add(
      "changed", answer.changed.symbols,
      [](const index::ChangedSymbol& symbol) { return changed_symbol_json(symbol); }, 25);
  add("memories", answer.notes, note_json, 15);
  add("changedTogether", answer.companions, companion_json, 15);
  add("affected", answer.affected, affected_json, 100);
  lists.cut();
}

Written AnalyzeChangeAnswer::to_json() const {
  const auto write_changed = [&](const index::ChangedSymbol& symbol) {
    return changed_symbol_json(symbol, is_of_git);
  };
  const JsonText used = account.total() > 0 ? account_json(account) : JsonText();
  return object_json(json_object(
      "changed", json_list(changed.symbols, write_changed), "broken",
      json_list(check.findings, finding_json), "tests", json_list(tests, test_to_run_json),
      "affected", json_list(affected, affected_json), "changedTogether",
      json_list(companions, companion_json), "memories", json_list(notes, note_json), "run", run,
      "changedFiles", changed.files.size(), "topLevel", some(changed.top_level), "lessLikelyTests",
      some(less_likely_tests), "commentsOrFormattingOnly", some(changed.text_only), "account",
      some(used), "otherWorktrees", some(meetings), "notSeen", some(not_seen), "omitted",
      some(omitted)));
}

}  // namespace codexmem::ask
