// Tested by git/check_test.py.
#include "parse/walk/missing_sign.h"

#include "parse/walk/budget.h"
#include "parse/walk/source_tree.h"

namespace codexmem::parse {

std::optional<std::uint32_t> find_missing_sign(const Language& language, std::string_view text) {
  const Tree tree = source_tree(language, text, Budget::of_text(text.size(), {}));
  if (!tree || !has_error(tree.root())) return std::nullopt;
  std::optional<std::uint32_t> found;
  Cursor cursor(tree.root());
  for (;;) {
    const Node node = cursor.node();
    if (kind_of(node) == kErrorKind) return std::nullopt;
    if (is_missing(node) && !found) found = range_of(node).begin;
    if (has_error(node) && cursor.goto_first_child()) continue;
    while (!cursor.goto_next_sibling()) {
      if (!cursor.goto_parent()) return found;
    }
  }
}

}  // namespace codexmem::parse
