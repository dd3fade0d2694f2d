// ask/code/symbol_history.h - by which commits a definition became what it is.
#pragma once

#include <cstddef>
#include <string>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "index/changes/symbol_history.h"

namespace codexmem::ask {

struct SymbolHistoryParams {
  std::string symbol;
  std::size_t limit = 20;  // events
};

struct SymbolHistoryAnswer : Answer {
  std::string path, name;  // of the definition
  index::SymbolHistory history;
  std::string note;  // what it may lack

  Written to_json() const override;
};

/// Errors: kInvalidArgument when the name means several definitions, with what to type for each;
/// kNotFound when it means none; as index::find_symbol_history().
Result<SymbolHistoryAnswer> run(const Context& context, const SymbolHistoryParams& params);

/// It is not offered over MCP.
extern const Question kSymbolHistory;

}  // namespace codexmem::ask
