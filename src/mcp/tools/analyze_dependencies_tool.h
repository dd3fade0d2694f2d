// mcp/tools/analyze_dependencies_tool.h - analyze_dependencies: what a file imports and who imports
// it.
#pragma once

#include "base/result.h"
#include "graph/coverage.h"
#include "graph/dependencies.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct AnalyzeDependenciesParams {
  graph::DependencyQuery query;  // file_path as it was given
  std::size_t offset = 0;        // edges to skip, as nextOffset counts them
  std::size_t max_bytes = 0;
};

struct AnalyzeDependenciesAnswer {
  graph::DependencyAnswer found;
  graph::FactsCoverage coverage;
  bool is_stale = false;  // the tool table says how
  std::size_t offset = 0;
  std::size_t max_bytes = 0;
};

AnalyzeDependenciesParams read_analyze_dependencies(const JsonValue& arguments);

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed, with
/// the nearest path; those of answer_fresh().
Result<AnalyzeDependenciesAnswer> run(const CallContext& context,
                                      const AnalyzeDependenciesParams& params);

/// Both lists by depth, imported files that are no modules apart from `dependencies` in
/// `resources`. Pages take from both lists in turn, the nearest first; `omitted` counts what
/// follows and `nextOffset` asks for it. Cycles and unresolved imports come with the first page.
/// `coverage` is of the imports of and to the file; when nothing imports it, a `note` says what was
/// searched.
ToolResult to_result(const AnalyzeDependenciesAnswer& answer);

ToolResult call_analyze_dependencies(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
