// text/json_text.h - JSON texts of others, looked at and put right before they are parsed.
//
// One scan each, without recursion and without memory but for what is returned. Pure and
// thread-safe.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace codexmem {

/// How deep a value may be nested that comes from outside. No tool comes near, and what writes and
/// copies values calls itself.
inline constexpr int kMaxJsonDepth = 100;

/// True if arrays and objects of `json`, which need not be JSON, stand more than `max_depth` inside
/// one another.
bool is_too_deep(std::string_view json, int max_depth = kMaxJsonDepth);

/// `json` with each value that lies deeper than `max_depth` written as a string: the text of it.
/// Nothing is lost, and what comes is never too deep if it is JSON.
std::string flatten_json(std::string_view json, int max_depth = kMaxJsonDepth);

/// The values of those members of `json` that are among `names`, by name, as they stand there
/// (views into `json`); of members of the same name the last. Nothing when it is not one JSON
/// object.
std::optional<std::map<std::string_view, std::string_view>> find_json_members(
    std::string_view json, std::span<const std::string_view> names);

/// `json` with well-formed UTF-8, and with U+FFFD for each half of a surrogate pair (\ud83d) whose
/// other half is missing: JavaScript cuts texts between the two and writes them all the same.
std::string repair_json(std::string_view json);

}  // namespace codexmem
