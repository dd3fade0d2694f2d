// Tested by git/change_test.py.
#include "graph/rename/outside_callers.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

// The path in an attribute or decorator, #[tokio::test(a)]: tokio::test. Empty for other modifiers.
std::string_view attribute_path(std::string_view modifier) {
  const std::size_t begin = modifier.find_first_not_of("@#[");
  if (begin == 0 || begin == modifier.npos) return {};
  modifier.remove_prefix(begin);
  return trim(modifier.substr(0, modifier.find_first_of("(]")));
}

bool passes_arguments_on(std::string_view decorator) {
  return is_one_of(decorator, {"abstractmethod", "asynccontextmanager", "cache", "classmethod",
                               "contextmanager", "deprecated", "final", "lru_cache", "overload",
                               "override", "staticmethod", "wraps"});
}

}  // namespace

std::string outside_caller(const FileModel& file, const store::SymbolRow& symbol) {
  constexpr std::string_view kRunner = "a test runner calls it";
  const std::string name = to_lower_ascii(symbol.name);
  if (is_test_path(file.path) && name.starts_with("test")) return std::string(kRunner);
  for (const std::string_view modifier : split(symbol.modifiers, '"')) {
    const std::string_view path = attribute_path(modifier);
    const std::string_view last = last_word(path);
    const std::string word = to_lower_ascii(last);
    if (word.find("test") != word.npos || is_one_of(word, {"bench", "fact", "theory"})) {
      return std::string(kRunner);
    }
    const bool is_decorator = is_one_of(file.language, {"python", "typescript", "tsx"});
    if (is_decorator && !last.empty() && !passes_arguments_on(last)) {
      return "@" + std::string(path) + " may call it";
    }
  }
  return {};
}

}  // namespace codexmem::graph
