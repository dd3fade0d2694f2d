// Tested by git/impact_test.py.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "app/render/render.h"
#include "ask/code/analyze_change.h"
#include "ask/code/get_context.h"
#include "ask/code/symbol_history.h"
#include "ask/code/trace_calls.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "memory/times.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kMaxPaths = 5;  // of less likely tests in a line

std::string code_place(const Console& console, const std::string& path, std::size_t line) {
  return fmt::format("{}:{}", console.painted(Paint::kPath, terminal_line(path)), line);
}

// "removed greet", "renamed hello -> greet".
std::string describe(const index::ChangedSymbol& symbol) {
  std::string was;
  if (!symbol.old_name.empty() && symbol.old_name != symbol.name) was = symbol.old_name;
  if (!symbol.old_path.empty()) was = symbol.old_path + (was.empty() ? "" : "::" + was);
  return fmt::format("{} {}{}", index::symbol_change_name(symbol.change),
                     terminal_line(symbol.name), was.empty() ? "" : ", was " + terminal_line(was));
}

}  // namespace

Rendered render_change(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::AnalyzeChangeAnswer&>(given);
  Rendered out;
  out.found = !answer.changed.files.empty();
  if (!out.found) {
    out.text =
        "nothing has changed: name a symbol that you mean to change, or another revision with " +
        console.option("since") + "\n";
    return out;
  }
  const auto heading = [&](std::string_view words) {
    out.text += (out.text.empty() ? "" : "\n") + console.painted(Paint::kBold, words) + "\n";
  };
  const auto line = [&](const std::string& text) {
    out.text += "  " + console.in_lines(text) + "\n";
  };
  const auto dim = [&](const std::string& text) { return console.painted(Paint::kDim, text); };
  const auto left_out = [&](std::string_view part) {
    for (const auto& [name, count] : answer.omitted) {
      if (name == part) line(dim(fmt::format("and {} more", count)));
    }
  };
  if (answer.is_of_git) {
    heading("changed");
    for (const index::ChangedSymbol& symbol : answer.changed.symbols) {
      line(code_place(console, symbol.path, symbol.line) + "  " + describe(symbol));
    }
    left_out("changed");
    for (const std::string& path : answer.changed.top_level) {
      line(console.painted(Paint::kPath, terminal_line(path)) + "  code outside of definitions");
    }
    for (const std::string& path : answer.changed.text_only) {
      line(console.painted(Paint::kPath, terminal_line(path)) + "  only comments or formatting");
    }
    left_out("topLevel");
    left_out("commentsOrFormattingOnly");
    if (answer.changed.symbols.empty() && answer.changed.top_level.empty() &&
        answer.changed.text_only.empty()) {
      line("no definition");
    }
  }
  if (!answer.check.findings.empty()) {
    heading("broken");
    for (const index::ChangeFinding& finding : answer.check.findings) {
      line(code_place(console, finding.path, finding.line) + "  " + terminal_line(finding.message));
    }
    left_out("broken");
  }
  if (!answer.tests.empty()) {
    heading("tests, the likeliest first");
    for (const ask::TestToRun& test : answer.tests) {
      line(fmt::format("{:>3}%  {}  {}", static_cast<int>(test.likelihood * 100 + 0.5),
                       console.painted(Paint::kPath, terminal_line(test.path)),
                       dim(terminal_line(test.why))));
    }
    left_out("tests");
    if (const auto& paths = answer.less_likely_tests; !paths.empty()) {
      const std::vector<std::string> first(
          paths.begin(),
          paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), kMaxPaths)));
      std::size_t more = paths.size() - first.size();
      for (const auto& [name, count] : answer.omitted)
        more += name == "lessLikelyTests" ? count : 0;
      line(dim(fmt::format("less likely: {}{}", terminal_line(join(first, ", ")),
                           more > 0 ? fmt::format(" and {} more", more) : "")));
    }
    if (!answer.run.empty()) heading("run, from the repository's root");
    for (const std::string& command : answer.run) out.text += "  " + terminal_line(command) + "\n";
  }
  if (!answer.affected.empty()) {
    heading("affected");
    for (const graph::AffectedCode& code : answer.affected) {
      std::string words = code_place(console, code.path, code.first.line);
      if (!code.symbol.empty()) words += "  " + terminal_line(code.symbol);
      words += dim(
          fmt::format("  {}{}", code.depth == 1 ? "uses " : "through ", terminal_line(code.via)));
      if (code.confidence != graph::Confidence::kResolved) {
        words += dim(fmt::format(" ({})", graph::confidence_name(code.confidence)));
      }
      line(words);
    }
    left_out("affected");
  }
  if (!answer.is_of_git && answer.affected.empty() && answer.tests.empty()) {
    out.text += "nothing uses it\n";
  }
  if (!answer.companions.empty()) {
    heading("likely to change too");
    for (const ask::UsualCompanion& one : answer.companions) {
      line(fmt::format("{:>3}%  {}  {}", static_cast<int>(one.likelihood * 100 + 0.5),
                       console.painted(Paint::kPath, terminal_line(one.path)),
                       dim(terminal_line(one.why))));
    }
    left_out("changedTogether");
  }
  if (!answer.notes.empty()) {
    heading("memories");
    for (const memory::CodeNote& note : answer.notes) {
      line(fmt::format("{}  {}", terminal_line(note.id), terminal_line(ask::note_title(note))));
    }
    left_out("memories");
  }
  if (!answer.meetings.empty()) {
    heading("other worktrees");
    for (const std::string& meeting : answer.meetings) line(terminal_line(meeting));
    left_out("otherWorktrees");
  }
  if (!answer.not_seen.empty()) {
    heading("not seen");
    for (const std::string& what : answer.not_seen)
      out.text += "  " + console.in_words(what) + "\n";
  }
  return out;
}

Rendered render_calls(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::TraceCallsAnswer&>(given);
  Rendered out;
  const auto step_line = [&](const graph::CallStep& step, std::size_t indent) {
    std::string words = std::string(indent, ' ') +
                        code_place(console, step.path, step.symbol.start.line) + "  " +
                        terminal_line(step.symbol.qualified_name());
    if (step.call_line != 0) {
      words += console.painted(
          Paint::kDim,
          fmt::format("  call on line {}{}{}", step.call_line,
                      step.confidence == graph::Confidence::kResolved ? "" : ", likely",
                      step.is_repeated ? ", see above" : ""));
    }
    if (answer.is_of_callers && is_test_path(step.path)) words += "  test";
    out.text += words + "\n";
  };
  for (const graph::CallPath& path : answer.paths) {
    if (!out.text.empty()) out.text += "\n";
    for (std::size_t i = 0; i < path.size(); ++i) step_line(path[i], 2 * i);
  }
  // As a tree: the callees of a function are listed below it.
  std::vector<std::vector<std::size_t>> below(answer.tree.size());
  std::vector<std::size_t> open;
  for (std::size_t i = answer.tree.size(); i-- > 0;) {
    const graph::CallStep& step = answer.tree[i];
    if (step.depth == 0 || step.parent < answer.first) {
      open.push_back(i);
    } else {
      below[step.parent - answer.first].push_back(i);
    }
  }
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    step_line(answer.tree[at], 2 * answer.tree[at].depth);
    open.insert(open.end(), below[at].begin(), below[at].end());
  }
  out.found = !answer.paths.empty() || answer.tree.size() > 1;
  out.text += more_to_come(answer.rest, console);
  if (!answer.note.empty()) out.text += console.in_words(answer.note) + "\n";
  if (out.found && answer.has_all_callers && answer.rest.omitted == 0) {
    std::set<store::SymbolId> callers;
    for (const graph::CallStep& step : answer.tree) {
      if (step.depth > 0) callers.insert(step.symbol.id);
    }
    out.text += console.in_lines(
                    fmt::format("{}, and no others: each place with these names was understood.",
                                counted(callers.size(), "caller"))) +
                "\n";
  }
  if (!out.found && answer.tree.size() == 1 && answer.note.empty()) {
    out.text += answer.is_of_callers ? "no calls of it are known\n" : "it calls nothing known\n";
  }
  return out;
}

Rendered render_history(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::SymbolHistoryAnswer&>(given);
  Rendered out;
  out.found = !answer.history.events.empty();
  for (const index::SymbolEvent& event : answer.history.events) {
    out.text +=
        fmt::format("{}  {}  {}\n", console.painted(Paint::kPath, event.commit.substr(0, 10)),
                    memory::day_text(event.at_ms), describe(event.changed));
    out.text +=
        console.painted(Paint::kDim,
                        console.in_lines(fmt::format("    {} ({})", terminal_line(event.summary),
                                                     terminal_line(event.author)))) +
        "\n";
  }
  if (!answer.note.empty()) out.text += console.in_words(answer.note) + "\n";
  return out;
}

}  // namespace codexmem::app
