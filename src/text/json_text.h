// text/json_text.h - checks and repairs untrusted JSON before it is parsed.
//
// One scan each, without recursion, and without memory except for the result. Pure and thread-safe.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace codexmem {

/// Maximum nesting of values from outside. No tool comes near it; code that writes and copies
/// values is recursive.
inline constexpr int kMaxJsonDepth = 100;

/// True if arrays and objects of `json`, which need not be valid, are nested more than `max_depth`
/// deep.
bool is_too_deep(std::string_view json, int max_depth = kMaxJsonDepth);

/// `json` with each value nested deeper than `max_depth` replaced by a string that contains its
/// text. Nothing is lost, and the result is never too deep if it is JSON.
std::string flatten_json(std::string_view json, int max_depth = kMaxJsonDepth);

/// The values of the members of `json` listed in `names`, by name, as written (views into `json`);
/// the last one for duplicate members. Nothing if it is not a JSON object.
std::optional<std::map<std::string_view, std::string_view>> find_json_members(
    std::string_view json, std::span<const std::string_view> names);

/// `json` with well-formed UTF-8, and with U+FFFD for each half of a surrogate pair (\ud83d)
/// without its other half: JavaScript may cut a text between the two and still write it.
std::string repair_json(std::string_view json);

}  // namespace codexmem
