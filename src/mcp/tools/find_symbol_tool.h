// mcp/tools/find_symbol_tool.h - find_symbol: where a name is defined.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/coverage.h"
#include "graph/symbol_search.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct FindSymbolParams {
  graph::SymbolQuery query;  // file_path as it was given
  std::size_t offset = 0;    // results to pass over
  std::size_t max_bytes = 0;
};

struct FindSymbolAnswer {
  graph::SymbolAnswer found;             // results from `offset` on; total counts all
  std::vector<std::string> definitions;  // of each result: its declaration's first lines
  graph::DefinitionCoverage coverage;
  std::string symbol;     // as it was asked for
  bool is_stale = false;  // the tool table says how
  std::size_t offset = 0;
  std::size_t max_bytes = 0;
};

FindSymbolParams read_find_symbol(const JsonValue& arguments);

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed, with
/// the nearest path; those of answer_fresh().
Result<FindSymbolAnswer> run(const CallContext& context, const FindSymbolParams& params);

/// `total` counts all matches; when results are cut, `omitted` says how many are left after these
/// and `nextOffset` where they go on. `coverage` says where was looked; when nothing has the name
/// exactly, a `note` does so too, which is also a text of its own.
ToolResult to_result(const FindSymbolAnswer& answer);

ToolResult call_find_symbol(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
