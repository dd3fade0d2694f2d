#include "ask/scope.h"

#include <algorithm>

#include "text/glob.h"

namespace codexmem::ask {

bool Scope::admits(std::string_view name) const {
  return std::ranges::any_of(repositories, [name](const std::string& pattern) {
    return pattern == name || Glob(pattern, {.pathname = false}).matches(name);
  });
}

}  // namespace codexmem::ask
