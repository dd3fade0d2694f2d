// privacy/captured_text.h - the stored part of the texts that a hook sees: bounded, without private
// parts.
//
// Done by the hook before it posts or spools anything and by the worker before it writes; what the
// one has done the other leaves alone. Pure and thread-safe; linear, at the speed of copying.
// Design: docs/how-it-works.md, "Queue".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::privacy {

/// Limits of the stored part of one event, in bytes.
inline constexpr std::size_t kMaxCapturedText = std::size_t{64} << 10;  // each string, a prompt
inline constexpr std::size_t kMaxCapturedJson = std::size_t{128}
                                                << 10;  // tool_input, tool_response

/// `text` without its private parts, redacted; one that is longer than kMaxCapturedText keeps its
/// beginning and its end, with a mark between that says how much is missing.
std::string captured_text(std::string_view text);

/// The JSON text `json` with that done to its strings, read as one text, but not yet redacted: that
/// is for who knows the rest of the message. It has at most kMaxCapturedJson bytes; where there are
/// many long strings all are cut shorter, and a value with too many parts becomes a text. What is
/// not JSON is taken for a text.
std::string captured_json(std::string_view json);

/// The JSON object `object` with that done to the values of its members that are longer than
/// kMaxCapturedText or may hold something private, each by itself; the others stay byte for byte. A
/// string that is JSON stays JSON. One of which nothing is left is "<private></private>", so that
/// it is not taken for one that was empty.
std::string captured_members(std::string_view object);

/// A name on one line.
std::string captured_name(std::string_view name);

}  // namespace codexmem::privacy
