// text/json_lists.h - lists of texts in the store's format: JSON arrays. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The strings of the JSON array `json`; other elements are skipped. Empty if it is not an array.
std::vector<std::string> read_json_list(std::string_view json);

/// `list` as the text of a JSON array.
std::string write_json_list(const std::vector<std::string>& list);

}  // namespace codexmem
