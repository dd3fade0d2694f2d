// text/name_list.h - lists of names and globs in settings. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The items of "a, b,c", trimmed, without empty ones.
std::vector<std::string> read_comma_list(std::string_view text);

/// True if one of `patterns` equals `name` or is a glob that matches it.
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);

}  // namespace codexmem
