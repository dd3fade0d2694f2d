// privacy/json_strings.h - the strings of a JSON text, changed where they stand.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::privacy {

/// Where the strings of a JSON text stand, quotes included, in order. Empty when `json` is not one
/// JSON value; linear and without recursion, whatever its depth.
struct JsonString {
  std::size_t begin, end;  // bytes
};
std::optional<std::vector<JsonString>> find_json_strings(std::string_view json);

/// The text of the string literal `literal`; ill-formed escapes become U+FFFD.
std::string json_string_value(std::string_view literal);

/// `value` as a string literal.
std::string json_string_literal(std::string_view value);

/// `json` with `change` made to each of its strings, keys too; all else stays byte for byte.
/// Nothing when `json` is not one JSON value.
std::optional<std::string> map_json_strings(
    std::string_view json, const std::function<std::string(std::string_view)>& change);

}  // namespace codexmem::privacy
