// app/render_memory.h - the answers of the memory and decision tools for people. Lines of 80
// columns; pure but for the colours of the console.
#pragma once

#include <string>
#include <string_view>

#include "app/render.h"

namespace codexmem::app {

/// Each takes the structuredContent of the tool.
Rendered render_saved(std::string_view answer, const Console& console);
Rendered render_memories(std::string_view answer, const Console& console);
Rendered render_timeline(std::string_view answer, const Console& console);
Rendered render_entries(std::string_view answer, const Console& console);
Rendered render_ingested(std::string_view answer, const Console& console);
Rendered render_retention(std::string_view answer, const Console& console);
Rendered render_decided(std::string_view answer, const Console& console);
Rendered render_decisions(std::string_view answer, const Console& console);

/// `text` in lines of at most `width` columns, each after `indent` spaces; line breaks are kept.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

}  // namespace codexmem::app
