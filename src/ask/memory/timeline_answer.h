// ask/memory/timeline_answer.h - the tool timeline: its arguments, and its answer as JSON and
// as markdown. Stateless; thread-safe. Design: docs/memory.md, docs/mcp.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ask/memory/answer.h"
#include "ask/memory/arguments.h"
#include "ask/memory/call.h"
#include "ask/memory/index_rows.h"

namespace codexmem::ask {

struct TimelineParams {
  std::optional<ToolArguments::Anchor> anchor;  // else what `query` finds first
  std::string query;
  std::string project;          // empty: all
  std::string current_project;  // that of the caller
  std::size_t before = 3, after = 3;
  enum class Form { kMarkdown, kItems, kRecords };
  Form form = Form::kMarkdown;  // the text; kRecords: both carriers hold whole records too
  std::size_t max_bytes = kShortBytes;
};

struct TimelineAnswer {
  TimelineParams params;
  std::string anchor;          // an id, or a time; empty: the query found nothing
  std::vector<IndexRow> rows;  // ascending
};

/// Errors: kInvalidArgument, also where there is neither an anchor nor a query.
Result<TimelineParams> read_timeline(const memory::Memory& memory, std::string_view arguments);

/// Errors: kNotFound "Observation #N not found"; those of the store.
Result<TimelineAnswer> run_timeline(const Call& call, TimelineParams params);

Result<Answer> to_answer(const Call& call, const TimelineAnswer& answer);

/// The tool: all of it, failures included.
Answer answer_timeline(const Call& call, std::string_view arguments);

}  // namespace codexmem::ask
