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
  out.found = answer.total > 0 || !answer.entry_points.empty();
  std::size_t width = 0;
  const auto widen = [&](const std::string& name) {
    width = std::max(width, std::min<std::size_t>(name.size(), 48));
  };
  for (const graph::Route& each : answer.routes) widen(each.path);
  for (const graph::EntryPoint& each : answer.entry_points) widen(each.name);
  // A route, command or task: `name` is how it is called.
  const auto add = [&](const auto& each, const std::string& kind, const std::string& name,
                       const std::string& doubt) {
    const std::string handler = each.handler.empty() ? "(function)" : each.handler;
    std::string place = fmt::format("  {}:{}  {}", each.file, each.line, each.framework);
    if (!doubt.empty()) place += "  " + doubt;
    out.text += fmt::format(
        "{:<7} {}  {}{}\n", terminal_line(kind),
        console.painted(Paint::kPath, fmt::format("{:<{}}", terminal_line(name), width)),
        terminal_line(handler), console.painted(Paint::kDim, terminal_line(place)));
  };
  for (const graph::Route& each : answer.routes) add(each, each.method, each.path, each.doubt);
  for (const graph::EntryPoint& each : answer.entry_points) add(each, each.kind, each.name, "");
  if (!out.found) out.text = "no routes, commands or tasks were found\n";
  out.text += end_of_list(answer.rest, answer.note, console);
  return out;
}

}  // namespace codexmem::app
