// ask/page/find_page.h - code and memory found at once, while somebody types.
#pragma once

#include <cstddef>
#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

inline constexpr std::size_t kMaxFindResults = 50;

struct FindPageParams {
  std::string query;
  std::size_t limit = 8;  // of each list, 1 to kMaxFindResults
};

/// {files, symbols, code, memories}: files and symbols by what their names begin with, hold or
/// abbreviate; code and memories by the words of a query of two letters or more. No model that is
/// another program is asked, and no trace is left of half-typed words. Trouble with code or memory
/// leaves that list empty and is said in `missing`. Errors: the store's; kCancelled.
Result<std::string> make_find_page(const PageCall& call, const FindPageParams& params);

}  // namespace codexmem::ask
