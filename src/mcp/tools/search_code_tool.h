// mcp/tools/search_code_tool.h - search_code: code by what it does, or by half-remembered names.
#pragma once

#include "base/result.h"
#include "mcp/tool.h"
#include "search/search.h"

namespace codexmem::mcp {

struct SearchCodeParams {
  search::SearchRequest request;
  std::size_t max_bytes = 0;  // of the answer's JSON
};

struct SearchCodeAnswer {
  search::SearchAnswer found;
  std::size_t offset = 0;
  std::size_t max_bytes = 0;
};

/// `arguments` are valid by the schema.
SearchCodeParams read_search_code(const JsonValue& arguments);

/// Errors: kInvalidArgument for an empty one of file_extensions; those of the search and of
/// answer_fresh().
Result<SearchCodeAnswer> run(const CallContext& context, const SearchCodeParams& params);

/// Hits best first. Those that do not fit are cut from the end and counted in `omitted`, with those
/// that the limit has left out; nextOffset goes on to them.
ToolResult to_result(const SearchCodeAnswer& answer);

ToolResult call_search_code(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
