// ask/page/symbol_page.h - a definition, its users and its known facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"
#include "store/code/code_rows.h"

namespace codexmem::ask {

/// One of three ways to name a definition; the first that is given counts.
struct SymbolPageParams {
  std::optional<store::SymbolId> id = {};
  std::string path = {};   // with `line`: the innermost definition there
  std::uint32_t line = 0;  // 1-based
  std::string name = {};   // as find_symbol takes it: name, Class.member, path::name
};

/// {symbol, others, code, callers, callees, references, referencesTotal, tests, memories,
/// decisions, cut}. `others` are definitions of the same name. Each list is bounded, and `cut`
/// counts what was left out, by list; of callers and callees it is true where it only says that
/// there are more. Errors: kInvalidArgument when nothing is named; kNotFound; the store's.
Result<std::string> make_symbol_page(const PageCall& call, const SymbolPageParams& params);

}  // namespace codexmem::ask
