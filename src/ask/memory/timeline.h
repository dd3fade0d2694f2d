// ask/memory/timeline.h - timeline: what happened around a record or a time. Stateless;
// thread-safe. Design: docs/how-it-works.md, "Memory", docs/how-it-works.md, "MCP".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/memory/call.h"
#include "ask/memory/index_rows.h"
#include "ask/question.h"
#include "base/result.h"

namespace codexmem::ask {

struct TimelineParams {
  std::optional<ToolArguments::Anchor> anchor;  // else what `query` finds first
  std::string query;
  std::string project;          // empty: all
  std::string current_project;  // the caller's
  std::size_t before = 0, after = 0;
  enum class Form { kMarkdown, kItems, kRecords };
  Form form = Form::kMarkdown;  // the text; kRecords: both carriers hold whole records too
  std::size_t max_bytes = 0;

  /// Errors: kInvalidArgument, also when there is neither an anchor nor a query.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

/// When not all rows fit, those around the anchor are kept.
struct TimelineAnswer : Answer {
  TimelineParams params;
  std::string anchor;          // an id, or a time; empty: the query found nothing
  std::vector<IndexRow> rows;  // ascending
  RecordTexts records;         // of the rows, with format "json"
  std::size_t omitted = 0;     // rows

  Written to_json() const override;
};

/// Errors: kNotFound "Observation #N not found"; the store's.
Result<TimelineAnswer> run(const MemoryCall& call, TimelineParams params);

extern const Question kTimeline;

}  // namespace codexmem::ask
