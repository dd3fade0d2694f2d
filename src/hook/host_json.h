// hook/host_json.h - the JSON of hosts, with what is odd about it put right. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::hook {

/// How deep a value may be nested; no host comes near, and what is written out again is written by
/// a function that calls itself.
inline constexpr int kMaxJsonDepth = 200;

/// True if `json` is nested more deeply than kMaxJsonDepth.
bool is_too_deep(std::string_view json);

/// `json` with well-formed UTF-8, and with U+FFFD for each half of a surrogate pair (\ud83d) whose
/// other half is missing: JavaScript cuts texts between the two and writes them all the same.
std::string repair_json(std::string_view json);

}  // namespace codexmem::hook
