// Tested by git/routes_test.py.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "app/render/render.h"
#include "ask/code/list_routes.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "text/counted.h"

namespace codexmem::app {

Rendered render_routes(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::ListRoutesAnswer&>(given);
  Rendered out;
  out.found = answer.total > 0;
  std::size_t width = 0;
  for (const graph::Route& each : answer.routes) {
    width = std::max(width, std::min<std::size_t>(each.path.size(), 48));
  }
  for (const graph::Route& each : answer.routes) {
    const std::string handler = each.handler.empty() ? "(function)" : each.handler;
    std::string place = fmt::format("  {}:{}  {}", each.file, each.line, each.framework);
    if (!each.doubt.empty()) place += "  " + each.doubt;
    out.text += fmt::format(
        "{:<7} {}  {}{}\n", terminal_line(each.method),
        console.painted(Paint::kPath, fmt::format("{:<{}}", terminal_line(each.path), width)),
        terminal_line(handler), console.painted(Paint::kDim, terminal_line(place)));
  }
  if (!out.found) out.text = "no routes were found\n";
  out.text += end_of_list(answer.rest, answer.note, console);
  return out;
}

}  // namespace codexmem::app
