// Tested by text/path_globs_test.cpp.
#include "text/path_globs.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace codexmem {

Result<PathGlobs> PathGlobs::make(const std::vector<std::string>& globs) {
  PathGlobs made;
  for (const std::string& given : globs) {
    std::string_view pattern = trim(given);
    const bool excludes = pattern.starts_with('!');
    if (excludes) pattern.remove_prefix(1);
    while (pattern.starts_with("./")) pattern.remove_prefix(2);
    const bool folder_only = pattern.ends_with('/');
    while (pattern.ends_with('/')) pattern.remove_suffix(1);
    const bool is_name = pattern.find('/') == std::string_view::npos;
    while (pattern.starts_with('/')) pattern.remove_prefix(1);
    if (pattern.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("path must hold globs such as src/** or !*.md, got \"{}\"",
                               utf8_prefix(given, 60))};
    }
    (excludes ? made.unwanted_ : made.wanted_).push_back({Glob(pattern, {}), is_name, folder_only});
  }
  return made;
}

bool PathGlobs::holds(const One& one, std::string_view path) {
  // The path itself and its enclosing folders.
  for (std::size_t end = path.size(); end != std::string_view::npos && end != 0;
       end = path.rfind('/', end - 1)) {
    if (one.is_folder_only && end == path.size()) continue;
    std::string_view part = path.substr(0, end);
    if (one.is_name) part.remove_prefix(part.rfind('/') + 1);
    if (one.glob.matches(part)) return true;
  }
  return false;
}

bool PathGlobs::keeps(std::string_view path) const {
  const auto holds_it = [&](const One& one) { return holds(one, path); };
  if (std::ranges::any_of(unwanted_, holds_it)) return false;
  return wanted_.empty() || std::ranges::any_of(wanted_, holds_it);
}

}  // namespace codexmem
