// ask/code/get_references.h - get_references: who uses a symbol.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/imports/coverage.h"
#include "graph/uses/neighbours.h"
#include "graph/uses/references.h"

namespace codexmem::ask {

struct GetReferencesParams {
  graph::ReferenceQuery query;  // file_path as it was given
  std::optional<graph::Confidence> min_confidence = {};
  std::size_t offset = 0;  // results to skip
  std::size_t max_bytes = 0;
  bool include_hierarchy = false;
};

/// The surroundings of a definition and its overloads.
struct DefinitionNeighbours {
  std::string name, path;  // of the definition
  std::uint32_t line = 1;
  std::vector<graph::Neighbour> callers, callees;
  graph::Hierarchy hierarchy;
  std::vector<std::string> cut;  // lists of which there are more
};

using NamedNeighbours = std::pair<const char*, const std::vector<graph::Neighbour>*>;

/// The lists of `around` by their names in JSON, in its order.
std::array<NamedNeighbours, 6> lists_of(const DefinitionNeighbours& around);

/// Definitions first, then by path and place. `found.definitions` are those that the items refer
/// to, or, when there are no items, those that fit.
struct GetReferencesAnswer : Answer {
  graph::ReferenceAnswer found;
  std::size_t definitions_omitted = 0;
  bool names_definition = false;                           // of each item
  std::optional<graph::DefinitionCoverage> no_definition;  // when the symbol has none
  bool is_stale = false;
  std::string note;  // when there is no usage: what was searched
  bool has_hierarchy = false;
  std::vector<DefinitionNeighbours> neighbours;  // on request: of the first definitions
  std::size_t neighbours_omitted = 0;
  Rest rest;

  /// Beside `results` stand `definitions`, `coverage`, `total` and what there is of `note`,
  /// `hierarchy`, `omitted` and `nextOffset`. `hierarchy` has an object for each of the first
  /// definitions: `of`, its name and place, and those lists that are not empty.
  Written to_json() const override;
  bool is_in_vain() const override { return found.definitions.empty(); }
};

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed;
/// kCancelled; as answer_fresh().
Result<GetReferencesAnswer> run(const Context& context, const GetReferencesParams& params);

extern const Question kGetReferences;

}  // namespace codexmem::ask
