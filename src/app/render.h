// app/render.h - the answers of the code tools for people.
//
// Each function takes an answer as the tool gives it, the text of a JSON object
// (structuredContent), and returns lines for a terminal: places as path:line, which editors and
// terminals open. Absent members are left out, never an error. Stateless.
#pragma once

#include <string>
#include <string_view>

#include "app/console.h"

namespace codexmem::app {

/// What there is to print, and whether anything was found.
struct Rendered {
  std::string text;
  bool found = false;
};

Rendered render_search(std::string_view answer, const Console& console);
Rendered render_symbols(std::string_view answer, const Console& console);
Rendered render_references(std::string_view answer, const Console& console);
Rendered render_dependencies(std::string_view answer, const Console& console);
Rendered render_context(std::string_view answer, const Console& console);

}  // namespace codexmem::app
