// Bits of modifiers. Tested by store/modifier_set_test.cpp.
#include "store/code/modifier_set.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace codexmem::store {
namespace {

constexpr std::pair<std::string_view, Modifier> kWords[] = {
    {"const", Modifier::kConst},     {"data", Modifier::kData},
    {"declare", Modifier::kDeclare}, {"operator", Modifier::kOperator},
    {"partial", Modifier::kPartial}, {"private", Modifier::kPrivate},
    {"static", Modifier::kStatic},   {"redefines", Modifier::kRedefines},
    {"scoped", Modifier::kScoped},
};
constexpr std::pair<std::string_view, Modifier> kBeginnings[] = {
    {"@", Modifier::kDecorated},
    {"#[", Modifier::kAttributed},
    {"#[derive", Modifier::kDerived},
};

}  // namespace

ModifierSet::ModifierSet(std::string_view words) {
  while (true) {
    const std::size_t begin = words.find('"');
    if (begin == std::string_view::npos) return;
    std::size_t end = begin + 1;
    while (end < words.size() && words[end] != '"') end += words[end] == '\\' ? 2 : 1;
    if (end >= words.size()) return;
    add_word(words.substr(begin + 1, end - begin - 1));
    words.remove_prefix(end + 1);
  }
}

void ModifierSet::add_word(std::string_view word) {
  const auto add = [&](Modifier modifier) { bits_ |= static_cast<std::uint32_t>(modifier); };
  const auto known = std::ranges::find(kWords, word, [](const auto& each) { return each.first; });
  if (known != std::end(kWords)) add(known->second);
  for (const auto& [beginning, modifier] : kBeginnings) {
    if (word.starts_with(beginning)) add(modifier);
  }
  if (word.ends_with("fixture")) add(Modifier::kFixture);
}

}  // namespace codexmem::store
