#include "text/name_list.h"

#include <algorithm>

#include "text/glob.h"
#include "base/text.h"

namespace codexmem {

std::vector<std::string> read_comma_list(std::string_view text) {
  std::vector<std::string> items;
  for (const std::string_view part : split(text, ',')) {
    if (const std::string_view item = trim(part); !item.empty()) items.emplace_back(item);
  }
  return items;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return pattern == name || Glob(pattern, {.pathname = false}).matches(name);
  });
}

}  // namespace codexmem
