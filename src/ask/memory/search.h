// ask/memory/search.h - search: what was remembered, as compact rows or whole. Stateless;
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
#include "memory/recall/recall.h"

namespace codexmem::ask {

struct SearchParams {
  memory::RecallRequest request;
  std::vector<std::string> type, obs_type;  // as given
  /// Matches of this are matches too: `type` may name sessions and a type of observations at once.
  std::optional<memory::RecallRequest> also;
  bool matches_nothing = false;  // the filters exclude one another
  bool is_json = false;          // whole records, in both carriers
  bool has_json_text = false;    // the text is the compact rows, too
  std::size_t max_bytes = 0;

  /// Errors: kInvalidArgument, also when there is neither a query nor a filter.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

/// Markdown and compact items, or with format "json" whole records in both. Rows that do not fit
/// are cut from the end.
struct SearchAnswer : Answer {
  SearchParams params;
  memory::RecallAnswer found;
  std::vector<IndexRow> rows;              // of this page
  RecordTexts records;                     // of the rows, with format "json"
  std::size_t omitted = 0;                 // rows of this page
  std::optional<std::size_t> next_offset;  // where to go on
  std::string beyond;                      // what there is without filters that nothing passes
  std::string first;                       // the beginning of the best entry's text, for models

  /// Why not all vectors were searched, or what there is beyond the filters; empty otherwise.
  std::string note() const;
  Written to_json() const override;
};

/// Leaves a trace of the search. Errors: as Recall::search() and the store's.
Result<SearchAnswer> run(const MemoryCall& call, SearchParams params);

extern const Question kSearch;

}  // namespace codexmem::ask
