// Tested by git/impact_test.py.
#include "ask/code/analyze_change_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "ask/code/code_answer.h"
#include "ask/code/get_context.h"
#include "text/json.h"

namespace codexmem::ask {
namespace {

std::string changed_symbol_json(const index::ChangedSymbol& symbol, bool is_of_git = true) {
  Json json;
  json["symbol"] = symbol.name;
  json["kind"] = symbol.kind;
  if (is_of_git) json["change"] = index::symbol_change_name(symbol.change);
  json["file"]["path"] = symbol.path;
  json["line"] = symbol.line;
  if (!symbol.old_path.empty()) json["was"]["path"] = symbol.old_path;
  if (!symbol.old_name.empty() && symbol.old_name != symbol.name) {
    json["was"]["symbol"] = symbol.old_name;
  }
  if (symbol.is_exported) json["exported"] = true;
  return dump_json(json);
}

std::string test_to_run_json(const TestToRun& test) {
  return dump_json({{"path", test.path},
                    {"likelihood", std::round(test.likelihood * 100) / 100},
                    {"why", test.why}});
}

std::string affected_json(const graph::AffectedCode& code) {
  Json json;
  json["file"]["path"] = code.path;
  if (!code.symbol.empty()) json["symbol"] = code.symbol;
  json["line"] = code.first.line;
  json["uses"] = code.via;
  json["kind"] = graph::usage_kind_name(code.kind);
  if (code.uses > 1) json["count"] = code.uses;
  json["depth"] = code.depth;
  json["confidence"] = graph::confidence_name(code.confidence);
  return dump_json(json);
}

std::string finding_json(const index::ChangeFinding& finding) {
  return dump_json(
      {{"file", {{"path", finding.path}}}, {"line", finding.line}, {"message", finding.message}});
}

std::string companion_json(const UsualCompanion& one) {
  return dump_json(
      {{"path", one.path}, {"with", one.of}, {"commits", one.commits}, {"of", one.of_commits}});
}

}  // namespace

void cut_change(AnalyzeChangeAnswer& answer, std::size_t max_bytes) {
  std::size_t left = max_bytes > 1500 ? max_bytes - 1500 : max_bytes / 2;
  const auto keep = [&](const char* part, auto& items, auto write, std::size_t share) {
    const std::size_t room = std::min(left, max_bytes * share / 100);
    std::size_t used = 0, kept = 0;
    for (; kept < items.size(); ++kept) {
      const std::size_t size = write(items[kept]).size() + 1;
      if (used + size > room) break;
      used += size;
    }
    left -= used;
    if (kept == items.size()) return;
    const std::size_t cut = items.size() - kept;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
    for (auto& [name, count] : answer.omitted) {
      if (name == part) {
        count += cut;
        return;
      }
    }
    answer.omitted.emplace_back(part, cut);
  };
  const auto quoted = [](const std::string& text) { return json_quote(text); };
  keep("notSeen", answer.not_seen, quoted, 10);
  keep("topLevel", answer.changed.top_level, quoted, 5);
  keep("commentsOrFormattingOnly", answer.changed.text_only, quoted, 5);
  keep("broken", answer.check.findings, finding_json, 15);
  keep("tests", answer.tests, test_to_run_json, 25);
  keep(
      "changed", answer.changed.symbols,
      [](const index::ChangedSymbol& symbol) { return changed_symbol_json(symbol); }, 25);
  keep("memories", answer.notes, note_json, 15);
  keep("changedTogether", answer.companions, companion_json, 10);
  keep("affected", answer.affected, affected_json, 100);
}

Written AnalyzeChangeAnswer::to_json() const {
  Json rest = Json::object();
  rest["run"] = run;
  rest["changedFiles"] = changed.files.size();
  if (!changed.top_level.empty()) rest["topLevel"] = changed.top_level;
  if (!changed.text_only.empty()) rest["commentsOrFormattingOnly"] = changed.text_only;
  if (!not_seen.empty()) rest["notSeen"] = not_seen;
  for (const auto& [part, count] : omitted) rest["omitted"][part] = count;
  return object_json(fmt::format(
      R"({{"changed":[{}],"broken":[{}],"tests":[{}],"affected":[{}],"changedTogether":[{}],"memories":[{}],{})",
      list_of(changed.symbols,
              [&](const index::ChangedSymbol& symbol) {
                return changed_symbol_json(symbol, is_of_git);
              }),
      list_of(check.findings, finding_json), list_of(tests, test_to_run_json),
      list_of(affected, affected_json), list_of(companions, companion_json),
      list_of(notes, note_json), dump_json(rest).substr(1)));
}

}  // namespace codexmem::ask
