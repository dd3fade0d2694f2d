// ask/code/trace_calls.h - trace_calls: how A comes to call B, or the tree of callers or callees.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/uses/call_paths.h"
#include "graph/uses/references.h"

namespace codexmem::ask {

struct TraceCallsParams {
  std::string from, to;    // symbols, as for find_symbol; one of them at least
  std::size_t depth = 0;   // calls; 0: 10 for paths, 3 for trees
  std::size_t limit = 5;   // paths
  std::size_t offset = 0;  // of a tree: functions to skip
  std::size_t max_bytes = 0;
};

/// With `from` and `to` paths; with one of them the tree of what it calls, or of who calls it.
struct TraceCallsAnswer : Answer {
  bool is_tree = false;
  bool is_of_callers = false;  // of a tree
  std::vector<graph::CallPath> paths;
  std::vector<graph::CallStep> tree;  // from `offset` on; parents count from the first of all
  std::size_t first = 0;              // the index of the first function of `tree`
  std::size_t total = 0;              // functions of the tree, or paths
  std::optional<graph::UseAccount> account;  // of `to`
  bool has_all_callers = false;  // of a tree of callers: no place may be another direct call
  std::string note;              // what it may lack; empty: nothing is known to be missing
  Rest rest;

  Written to_json() const override;
};

/// Errors: kInvalidArgument without a symbol; kNotFound for an unknown symbol; those
/// of answer_fresh().
Result<TraceCallsAnswer> run(const Context& context, const TraceCallsParams& params);

extern const Question kTraceCalls;

}  // namespace codexmem::ask
