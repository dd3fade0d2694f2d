// mcp/tools/get_references_tool.h - get_references: who uses a symbol.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/neighbours.h"
#include "graph/references.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct GetReferencesParams {
  graph::ReferenceQuery query;  // file_path as it was given
  std::size_t offset = 0;       // results to pass over
  std::size_t max_bytes = 0;
  bool include_hierarchy = false;
};

/// What is around a definition and its overloads.
struct DefinitionNeighbours {
  std::size_t definition = 0;  // the first of them, in ReferenceAnswer::definitions
  std::vector<graph::Neighbour> callers, callees;
  graph::Hierarchy hierarchy;
};

struct GetReferencesAnswer {
  graph::ReferenceAnswer found;
  std::optional<graph::DefinitionCoverage> no_definition;  // when the symbol has none
  std::string symbol;                                      // as it was asked for
  bool names_one_file = false;                             // file_path was given
  bool is_stale = false;                                   // the tool table says how
  std::size_t offset = 0;
  std::size_t max_bytes = 0;
  std::vector<DefinitionNeighbours> neighbours;  // on request: of the first definitions
};

GetReferencesParams read_get_references(const JsonValue& arguments);

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed;
/// kCancelled; those of answer_fresh().
Result<GetReferencesAnswer> run(const CallContext& context, const GetReferencesParams& params);

/// Definitions first, then by path and place. Beside `results` stand `definitions` (those that the
/// results refer to; `definitionsOmitted` counts the others), `coverage`, `total`, when results
/// are cut `omitted` and `nextOffset`, and when there is no usage a `note` of what was searched,
/// which is also a text of its own. On request `hierarchy` has an object for each of the first
/// definitions: `of`, its name and place, `callers`, `callees`, `supertypes`, `subtypes`,
/// `overrides` and `overriddenBy`, those that are not empty.
ToolResult to_result(const GetReferencesAnswer& answer);

ToolResult call_get_references(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
