// observe/work/context.h - the text about earlier sessions that a new session begins with.
//
// Compact lines, the most useful first: active decisions, what people saved, the last session's
// summary, recent observations. Within a budget of tokens and bytes, marked as data and not as
// instructions, in a tag that capture strips (privacy/private_text.h), so that it is never taken
// for something new. The same store gives the same text. Stateless; safe to call from many threads.
// Design: docs/how-it-works.md, "Context".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"

namespace codexmem::observe {

/// Hosts cut texts longer than 10,000 bytes, and each token costs in every session.
inline constexpr std::size_t kContextBytes = 9'500;
inline constexpr std::size_t kContextTokens = 2'000;

/// How many tokens a model takes `text` for, guessed high: 3.5 ASCII characters a token, one for
/// each other code point.
std::size_t estimated_tokens(std::string_view text);

/// The context of `projects` (at least one; names as they are kept). Projects that are not named
/// here count as unknown. Where nothing is known it says so in a line. `branches`: of the session's
/// work tree; null: as `memory` has it. Errors: the store's.
Result<std::string> build_context(memory::Memory& memory, const std::vector<std::string>& projects,
                                  const memory::BranchAccess* branches = nullptr);

}  // namespace codexmem::observe
