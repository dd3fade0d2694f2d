// mcp/tools/index_repository_tool.h - index_repository: brings the index up to the files, with
// progress.
#pragma once

#include <string>

#include "base/result.h"
#include "index/indexer.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct IndexRepositoryParams {
  index::IndexOptions options;  // path as it was given
};

struct IndexRepositoryAnswer {
  std::string root;
  std::string path;  // relative to the root; empty: the whole repository
  index::IndexReport report;
};

IndexRepositoryParams read_index_repository(const JsonValue& arguments);

/// Errors: kInvalidArgument for a path out of the root; kNotFound when there is nothing at path;
/// kCancelled, and then each file is as it was before or as it is now; those of the store.
Result<IndexRepositoryAnswer> run(const CallContext& context, const IndexRepositoryParams& params);

ToolResult to_result(const IndexRepositoryAnswer& answer);

ToolResult call_index_repository(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
