// text/name_list.h - lists of names and globs as settings have them. Pure and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The items of "a, b,c", trimmed, without empty ones.
std::vector<std::string> read_comma_list(std::string_view text);

/// True when one of `patterns` is `name`, or a glob that matches it.
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);

}  // namespace codexmem
