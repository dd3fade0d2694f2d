// ask/code/find_symbol.h - find_symbol: where a name is defined.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/imports/coverage.h"
#include "graph/uses/references.h"
#include "graph/uses/relatives.h"
#include "graph/uses/symbol_search.h"

namespace codexmem::ask {

struct FindSymbolParams {
  graph::SymbolQuery query;  // file_path as it was given
  // When set, the answer lists the symbols with this relation to the symbol instead.
  std::optional<graph::Relation> relation = {};
  std::size_t offset = 0;  // results to skip
  std::size_t max_bytes = 0;
};

struct FindSymbolAnswer : Answer {
  graph::SymbolAnswer found;               // results from `offset` on; total counts all
  std::vector<std::string> definitions;    // of each result: its declaration's first lines
  std::vector<graph::Relative> relatives;  // of each result, with a relation; `match` is moved out
  std::vector<std::string> written;        // each result as JSON
  graph::DefinitionCoverage coverage;
  std::optional<graph::UseAccount> account;  // with a relation: of the symbol
  bool is_stale = false;
  std::string note;  // when nothing has the name exactly: what was searched
  Rest rest;

  bool is_exact() const;

  /// `total` counts all matches; when results are cut, `omitted` says how many follow these and
  /// `nextOffset` where they go on.
  Written to_json() const override;
  bool is_in_vain() const override;
};

/// Errors: kInvalidArgument for a file_path out of the root; kNotFound when it is not indexed, with
/// the nearest path; as answer_fresh().
Result<FindSymbolAnswer> run(const Context& context, const FindSymbolParams& params);

extern const Question kFindSymbol;

}  // namespace codexmem::ask
