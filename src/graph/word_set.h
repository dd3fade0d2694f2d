// graph/word_set.h - tables of names, written as one text.
#pragma once

#include <string_view>
#include <unordered_set>

#include "base/text.h"

namespace codexmem::graph {

/// The words of `text`, which single spaces divide and which has to outlive the set.
inline std::unordered_set<std::string_view> word_set(std::string_view text) {
  std::unordered_set<std::string_view> set;
  for (const std::string_view word : split(text, ' ')) set.insert(word);
  return set;
}

}  // namespace codexmem::graph
