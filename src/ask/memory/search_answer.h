// ask/memory/search_answer.h - the tool search: its arguments, and its answer as JSON and as
// markdown. Stateless; thread-safe. Design: docs/memory.md, docs/mcp.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ask/memory/answer.h"
#include "ask/memory/call.h"
#include "ask/memory/index_rows.h"
#include "memory/recall.h"

namespace codexmem::ask {

struct SearchParams {
  memory::RecallRequest request;
  /// Matches of this are matches too: `type` may name sessions and a type of observations at once.
  std::optional<memory::RecallRequest> also;
  bool matches_nothing = false;  // the filters exclude one another
  bool is_json = false;          // whole records, in both carriers
  bool has_json_text = false;    // the text is the compact rows as well
  std::size_t max_bytes = kShortBytes;
};

struct SearchAnswer {
  SearchParams params;
  memory::RecallAnswer found;
  std::vector<IndexRow> rows;  // of found.hits
};

/// Errors: kInvalidArgument, also where there is neither a query nor a filter.
Result<SearchParams> read_search(const memory::Memory& memory, std::string_view arguments);

/// Leaves a trace of the search. Errors: those of Recall::search().
Result<SearchAnswer> run_search(const Call& call, SearchParams params);

/// Markdown beside compact items, or with format "json" whole records in both. Errors: those of the
/// store.
Result<Answer> to_answer(const Call& call, const SearchAnswer& answer);

/// The tool: all of it, failures included.
Answer answer_search(const Call& call, std::string_view arguments);

}  // namespace codexmem::ask
