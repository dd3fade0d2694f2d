// app/render/render_memory.h - answers about memory and decisions for people. Lines are as wide as
// the console; pure except for the console's colours and width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "app/render/render.h"
#include "ask/memory/get_records.h"
#include "ask/memory/ingest_docs.h"
#include "ask/memory/record.h"
#include "ask/memory/record_decision.h"
#include "ask/memory/retention_dry_run.h"
#include "ask/memory/save_memory.h"
#include "ask/memory/search.h"
#include "ask/memory/search_decisions.h"
#include "ask/memory/timeline.h"
#include "memory/decisions/decisions.h"

namespace codexmem::app {

Rendered render_saved(const ask::SaveMemoryAnswer& answer, const Console& console);
/// The whole records of rows, as far as they are known.
using RowRecords = std::map<memory::DocumentKey, ask::Record>;

/// A line for each row; of a query below it the piece of its record that answers it.
Rendered render_memories(const ask::SearchAnswer& answer, const RowRecords& records,
                         const Console& console);
Rendered render_timeline(const ask::TimelineAnswer& answer, const RowRecords& records,
                         const Console& console);
Rendered render_entries(const ask::EntriesAnswer& answer, const Console& console);
Rendered render_ingested(const ask::IngestDocsAnswer& answer, const Console& console);
Rendered render_decided(const ask::DecidedAnswer& answer, const Console& console);
Rendered render_decisions(const ask::SearchDecisionsAnswer& answer, const Console& console);

/// How much a plan would remove, and why.
std::string render_retention(const ask::RetentionAnswer& answer);

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
std::string render_decision_list(std::span<const memory::Decision> decisions,
                                 const Console& console);

}  // namespace codexmem::app
