// graph/rename/signature.h - the edits that change what a function takes.
//
// A plan as of graph/rename/rename.h: edits for all declarations that must agree, and for all calls
// that certainly mean one of them; obstacles for what may be a call, for calls whose arguments do
// not say enough, and for places that pass the function on as a value. Stateless except for the
// shared cache. Design: docs/how-it-works.md, "Rename".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/rename/rename.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// One of `add`, `remove` and `order` is given. Numbers count what a call gives, from 1.
struct SignatureQuery {
  RenameQuery named;                        // the function; its new_name is not used
  std::optional<std::uint32_t> takes = {};  // of several overloads, the one with so many parameters
  std::string add;                          // the declaration of a new parameter
  std::optional<std::uint32_t> at = {};     // its number; default: the last that may stand there
  std::string value;                        // what calls give for it; empty: nothing
  std::string remove;                       // a number or a name
  std::vector<std::size_t> order;           // {2, 1}: the second becomes the first
};

/// Returns the plan. Errors: kInvalidArgument for a symbol that is no function, has several
/// definitions or overloads, or has no such parameter; otherwise as plan_rename().
Result<RenamePlan> plan_signature(FactsCache& cache, store::CodeReader& reader,
                                  const SignatureQuery& query, std::stop_token stop = {});

}  // namespace codexmem::graph
