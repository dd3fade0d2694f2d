// base/text.h - small pure functions on UTF-8 text. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The number of UTF-16 code units of UTF-8 `text`; each invalid byte counts one.
std::size_t utf16_length(std::string_view text);

/// The number of code points of UTF-8 `text`; each invalid byte counts one.
std::size_t code_point_count(std::string_view text);

/// True if `text` is well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
bool is_valid_utf8(std::string_view text);

/// `text` with each maximal ill-formed sequence replaced by U+FFFD.
std::string repair_utf8(std::string_view text);

/// Appends `code_point`, which is at most U+10FFFF, to `*out` in UTF-8.
void append_utf8(std::uint32_t code_point, std::string* out);

/// UTF-16 bytes without byte order mark as UTF-8; lone surrogates become U+FFFD.
std::string utf16_to_utf8(std::string_view bytes, bool big_endian);

/// The longest prefix of `text` of at most `max_bytes` bytes that does not cut a code point.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

/// `text` without blanks around it, cut to `max_bytes` with "..." at its end when it is longer.
std::string shorten(std::string_view text, std::size_t max_bytes);

/// shorten() of `text` on one line.
std::string shortened_line(std::string_view text, std::size_t max_bytes);

/// `text` with ASCII letters in lower case.
std::string to_lower_ascii(std::string_view text);

/// `text` without leading and trailing ASCII white space.
std::string_view trim(std::string_view text);

/// `text` with each run of white space as one space, trimmed.
std::string fold_whitespace(std::string_view text);

/// Whether `word` is one of `words`.
bool is_one_of(std::string_view word, std::span<const std::string_view> words);
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

/// The parts of `text` between `separator`s; always at least one part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `parts` with `separator` between.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Number of edits (insert, delete, substitute, transpose neighbours) that turn `a` into `b`; for
/// "did you mean". Source: optimal string alignment, Damerau 1964.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `wanted`, if any is within a third of its length in edits.
std::optional<std::string> nearest(std::string_view wanted,
                                   const std::vector<std::string>& candidates);

}  // namespace codexmem
