// app/render_memory.h - the answers of the memory and decision tools for people. Lines as wide
// as the console; pure but for its colours and width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/render.h"
#include "memory/records.h"

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

/// A record that is to be removed.
struct Removal {
  std::string id;  // "#12", "#S3"
  std::int64_t created_at_ms = 0;
  std::string title;
};

/// A line each of `rows`, the first of `total` that are to be removed: id, age, title.
std::string render_removals(std::span<const Removal> rows, std::size_t total, std::int64_t now_ms,
                            const Console& console);

/// Of `decision list`: a line each.
Rendered render_decision_list(std::string_view answer, const Console& console);

}  // namespace codexmem::app
