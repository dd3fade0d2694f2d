// mcp/tools/answer_json.h - members that answers share: coverage, and how a list goes on.
//
// Stateless. JSON goes in and out as text. Design: docs/mcp.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "graph/coverage.h"

namespace codexmem::mcp {

/// Where the items before `end` are told of `total`: how many are omitted, and where they go on.
/// (A template for the sake of headers without the JSON library.)
template <typename Object>
void put_rest(Object& answer, std::size_t end, std::size_t total) {
  if (end >= total) return;
  answer["omitted"] = total - end;
  answer["nextOffset"] = end;
}

/// The text of the object `coverage` of an answer. What is zero says so: it is the good news.
std::string coverage_json(const graph::DefinitionCoverage& coverage, bool is_stale);
std::string coverage_json(const graph::FactsCoverage& coverage, bool is_stale);

/// "1 file", "2 files".
std::string counted(std::size_t number, std::string_view what);

/// What of the files that were read could hide something: "2 evals, 1 computed member"; empty when
/// there is nothing.
std::string list_doubts(const graph::FactsCoverage& coverage);

/// What was searched in vain for a definition of `symbol`, as one or two sentences.
std::string note_no_definition(std::string_view symbol, const graph::DefinitionCoverage& coverage);

/// Says that uses in `language` are matches of the name.
std::string note_by_name(std::string_view language);

/// What note_no_definition() says, for files that import the one at `path`.
std::string note_no_dependents(std::string_view path, const graph::FactsCoverage& coverage);

}  // namespace codexmem::mcp
