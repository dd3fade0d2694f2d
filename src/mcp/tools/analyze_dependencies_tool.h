// mcp/tools/analyze_dependencies_tool.h - analyze_dependencies: what a file imports and who imports
// it.
#pragma once

#include "base/result.h"
#include "graph/dependencies.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct AnalyzeDependenciesParams {
  graph::DependencyQuery query;  // file_path as it was given
  std::size_t max_bytes = 0;
};

struct AnalyzeDependenciesAnswer {
  graph::DependencyAnswer found;
  std::size_t max_bytes = 0;
};

AnalyzeDependenciesParams read_analyze_dependencies(const JsonValue& arguments);

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed, with
/// the nearest path; those of answer_fresh().
Result<AnalyzeDependenciesAnswer> run(const CallContext& context,
                                      const AnalyzeDependenciesParams& params);

/// Both lists by depth. When they do not fit, the farthest are cut and counted in `omitted`.
ToolResult to_result(const AnalyzeDependenciesAnswer& answer);

ToolResult call_analyze_dependencies(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
