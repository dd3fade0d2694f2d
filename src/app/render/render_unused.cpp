// Tested by git/unused_test.py.
#include <fmt/core.h>

#include <string>
#include <string_view>

#include "app/render/render.h"
#include "ask/code/unused_code.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "text/counted.h"

namespace codexmem::app {

Rendered render_unused(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::UnusedCodeAnswer&>(given);
  Rendered out;
  out.found = answer.total > 0;
  std::string_view last;
  for (const graph::UnusedSymbol& each : answer.symbols) {
    const std::string_view certainty = graph::unused_certainty_name(each.certainty);
    if (certainty != last) {
      out.text += (out.text.empty() ? "" : "\n") + console.painted(Paint::kBold, certainty) + "\n";
      last = certainty;
    }
    std::string words = fmt::format(
        "  {}:{}  {} {}", console.painted(Paint::kPath, terminal_line(each.path)),
        each.symbol.start.line, each.symbol.kind, terminal_line(each.symbol.qualified_name()));
    std::string details = "  " + counted(each.lines, "line");
    if (!each.users.empty()) details += ", used only by " + join(each.users, ", ");
    out.text += words + console.painted(Paint::kDim, terminal_line(details)) + "\n";
    const std::string why =
        each.why.empty() && each.account ? graph::account_text(*each.account) : each.why;
    if (!why.empty()) out.text += console.painted(Paint::kDim, "      " + why) + "\n";
    for (const std::string& reason : each.reasons) {
      out.text += console.painted(Paint::kDim, "      " + terminal_line(reason)) + "\n";
    }
  }
  if (!out.found) out.text = "nothing unused was found\n";
  out.text += end_of_list(answer.rest, answer.note, console);
  return out;
}

}  // namespace codexmem::app
