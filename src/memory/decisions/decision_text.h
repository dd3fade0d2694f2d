// memory/decisions/decision_text.h - names and texts of decisions: ids, targets, the marker.
// Internal to memory's decisions. Pure except for new_decision_id(); thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem::memory {

/// A new name for a decision or a proposal that is made at `now_ms`:
/// decision_YYYYMMDD_HHMMSS_ffffff_8hex.md in UTC, proposal_... for a proposal. The microseconds
/// below a millisecond and the last part are random.
std::string new_decision_id(bool is_proposal, std::int64_t now_ms);

/// `id` as it is stored: trimmed, with its .md. Errors: kInvalidArgument when it is no file name (a
/// slash, "..", a control character, empty, more than 128 bytes).
Result<std::string> parse_decision_id(std::string_view id);

/// `text` in the form in which targets are compared: trimmed, case-folded. Folds Latin, Greek,
/// Cyrillic, Armenian and full-width letters one by one as Unicode 14 does, and the sharp s to ss;
/// others stay. No normalisation: a letter with a combining accent is not the composed one.
std::string target_key(std::string_view text);

/// `text` without white space of Unicode at its ends.
std::string_view trim_unicode(std::string_view text);

/// What the rationale of an agent's decision begins with in the store.
inline constexpr std::string_view kViaMcp = "[via MCP] ";

/// `text` with what would look like the marker escaped: a backslash before "[via MCP".
std::string escape_marker(std::string_view text);

/// `stored` without the marker.
std::string_view without_marker(std::string_view stored);

}  // namespace codexmem::memory
