// ask/memory/call.h - what one call of a memory tool stands on.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/citations.h"
#include "memory/decision_roles.h"
#include "memory/memory.h"
#include "memory/records.h"

namespace codexmem::ask {

/// What documents cite, and its state now.
using CitedStates = std::map<memory::DocumentKey, std::vector<memory::CitationState>>;

/// The code around a call, asked of those who have a repository's index. Functions may be empty:
/// then nothing is cited, and no state is told.
struct CodeAround {
  std::function<Result<std::vector<memory::Citation>>(const memory::Mentions&)> cite = {};
  std::function<Result<CitedStates>(std::span<const memory::DocumentKey>)> look_up = {};
};

struct Call {
  memory::Memory& memory;
  std::stop_token stop = {};
  CodeAround code = {};
  memory::Caller caller = memory.caller();  // of the decision tools
};

/// A token is taken for four bytes.
inline constexpr std::size_t kBytesPerToken = 4;
/// What search and timeline answer with at most unless max_tokens says otherwise.
inline constexpr std::size_t kShortBytes = 8'192;
/// What whole records may grow to.
inline constexpr std::size_t kLongBytes = 25'000 * kBytesPerToken;

/// The project to write to: the one that is given, else the current one. Errors: kInvalidArgument
/// for another one where projects are isolated.
Result<std::string> project_to_write(const memory::Memory& memory, std::string_view given);

/// What `documents` cite. Trouble with it is no reason to keep an answer back: then nothing.
CitedStates look_up_code(const Call& call, std::span<const memory::DocumentKey> documents);

}  // namespace codexmem::ask
