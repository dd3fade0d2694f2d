// parse/walk/source_tree.h - the syntax tree of a text. Internal to parse.
#pragma once

#include <string_view>

#include "parse/rules/languages.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {

/// The tree of `text` as the extractor reads it first, with offsets of `text`; empty for a
/// component of Vue or Svelte, whose script has others, and when the budget is used up.
Tree source_tree(const Language& language, std::string_view text, const Budget& budget);

}  // namespace codexmem::parse
