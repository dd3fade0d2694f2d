// text/json_lists.h - lists of texts as the store keeps them: JSON arrays. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The strings of the JSON array `json`; what is no string is left out, what is no array is empty.
std::vector<std::string> read_json_list(std::string_view json);

/// `list` as the text of a JSON array.
std::string write_json_list(const std::vector<std::string>& list);

}  // namespace codexmem
