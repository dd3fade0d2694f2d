// ask/code/unused_code.h - unused_code: definitions that nothing reaches from entry points, exports
// and tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/unused/unused_code.h"

namespace codexmem::ask {

struct UnusedCodeParams {
  std::vector<std::string> paths;  // files and folders; none: all
  graph::UnusedCertainty least = graph::UnusedCertainty::kPossible;
  std::size_t limit = 0;
  std::size_t offset = 0;
};

struct UnusedCodeAnswer : Answer {
  std::vector<graph::UnusedSymbol> symbols;  // as graph::UnusedCode has them, from `offset` on
  std::size_t total = 0, certain = 0, likely = 0;  // of all that were found
  std::size_t definitions = 0;                     // that were looked at
  std::string note;                                // what it may lack; empty: nothing
  Rest rest;

  Written to_json() const override;
};

/// Errors: kInvalidArgument for a path out of the repository; kNotFound for one that is not
/// indexed; as answer_fresh().
Result<UnusedCodeAnswer> run(const Context& context, const UnusedCodeParams& params);

extern const Question kUnusedCode;

}  // namespace codexmem::ask
