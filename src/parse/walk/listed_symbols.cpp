// Symbols declared in lists, and keys of configuration. Tested by golden_test.cpp.
#include <algorithm>

#include "base/text.h"
#include "parse/walk/symbols.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kMaxListed = 64;  // names that one list declares

// The name for look-ups: a variable without its sigil.
std::string_view without_sigil(std::string_view name) {
  const std::size_t begin = name.find_first_not_of("$@%&*");
  return begin == std::string_view::npos ? std::string_view{} : name.substr(begin);
}

}  // namespace

// attr_reader :a, :b: declares each name in the list, or all but the first.
void SymbolBuilder::declare_list(const Pattern& pattern, std::uint32_t index, const Node& list) {
  constexpr std::string_view kBehind = "behind_";
  std::string_view kind = pattern.kind;
  const bool is_behind = kind.starts_with(kBehind);
  if (is_behind) kind.remove_prefix(kBehind.size());
  for (std::uint32_t i = is_behind ? 1 : 0, count = std::min(named_child_count(list), kMaxListed);
       i < count; ++i) {
    const Node name = named_child(list, i);
    const std::string_view text = source_.member_name(name);
    // (a: b is an option.)
    if (named_child_count(name) > 1 || text.empty() || text.size() > kMaxNameBytes) continue;
    const std::uint32_t begin = source_.offset_of(text);
    add_symbol(index, {.type = static_cast<SymbolType>(pattern.sort),
                       .kind = kind,
                       .name = text,
                       .name_range = {begin, begin + static_cast<std::uint32_t>(text.size())},
                       .is_pushed = false});
    sink_.announce(begin);
  }
}

// our ($a, @b); has [qw(a b)]: declares each word in the children of @list, or of the node, that
// have the kind of @element if given.
void SymbolBuilder::declare_each(const NewSymbol& like, std::uint32_t index,
                                 const Captures& captures) {
  const Node list = captures[Slot::kList] ? captures[Slot::kList] : frames_[index].node;
  const Node element = captures[Slot::kElement];
  for (std::uint32_t i = 0, count = std::min(named_child_count(list), kMaxListed); i < count; ++i) {
    const Node child = named_child(list, i);
    if (element && kind_of(child) != kind_of(element)) continue;
    std::uint32_t words = 0;
    for (std::string_view word : split(source_.member_name(child), ' ')) {
      word = without_sigil(trim(word));
      if (word.empty() || word.size() > kMaxNameBytes || ++words > kMaxListed) continue;
      const std::uint32_t begin = source_.offset_of(word);
      NewSymbol added = like;
      added.name = word;
      added.name_range = {begin, begin + static_cast<std::uint32_t>(word.size())};
      added.is_pushed = false;
      add_symbol(index, added);
      sink_.announce(begin);
    }
  }
}

// A.B is B, a member of A in the enclosing scope; A::B is B of A. The last part may be quoted.
void SymbolBuilder::split_name(NewSymbol* added) {
  std::string_view& name = added->name;
  const bool is_quoted = name.ends_with('"') || name.ends_with('\'');
  std::size_t begin = is_quoted ? name.rfind(name.back(), name.size() - 2) : std::string_view::npos;
  if (!is_quoted || name.size() < 2) begin = name.find_last_of(".:") + 1;
  if (begin == std::string_view::npos || begin == 0) return;
  if (name[begin - 1] == ':') added->parent = kNoIndex;  // wherever it is
  added->container = name.substr(0, name.find_last_not_of(".: ", begin - 1) + 1);
  name.remove_prefix(begin);
  if (is_quoted && name.size() > 2) name = name.substr(1, name.size() - 2);
}

// A second package, or a namespace without a block, ends the first.
void SymbolBuilder::end_package(std::uint32_t index) {
  if (index == 0 || frames_[index - 1].symbol == kNoIndex) return;
  const std::uint32_t begin = range_of(frames_[index].node).begin;
  for (const std::uint32_t symbol : frames_.symbols()) sink_.symbol(symbol).range.end = begin;
  sink_.scope(frames_.scope()).range.end = begin;
  frames_.close(index - 1);
}

void SymbolBuilder::declare_package(std::uint32_t index, const Node& name) {
  end_package(index);
  NewSymbol added = {.type = SymbolType::kClass, .kind = "package", .name = text_of(name)};
  if (added.name.empty() || added.name.size() > kMaxNameBytes) return;
  split_name(&added);
  const std::uint32_t begin = source_.offset_of(added.name);
  added.name_range = {begin, begin + static_cast<std::uint32_t>(added.name.size())};
  added.is_pushed = false;
  const std::uint32_t symbol = add_symbol(index, added);
  sink_.announce(begin);
  if (index == 0) return;
  frames_[index - 1].symbol = symbol;
  frames_.open_symbol(index - 1, symbol);
  const std::uint32_t end = range_of(frames_[index - 1].node).end;
  sink_.symbol(symbol).range.end = end;
  if (frames_[index - 1].pops_scope) return;
  const ByteRange rest = {range_of(frames_[index].node).end, end};
  frames_.open_scope(index - 1,
                     sink_.add_scope({ScopeKind::kNamespace, frames_.scope(), rest, symbol}));
}

// True for a key that becomes a symbol, at `level`: not keys of list items, and not keys that are
// nested too deeply. A dotted key counts one level per part.
bool SymbolBuilder::takes_key(std::uint32_t index, std::string_view container,
                              std::uint32_t* level) const {
  if (frames_[index].is_in_items || has_too_many_keys()) return false;
  const std::uint32_t parent = frames_.symbol();
  const auto known = parent == kNoIndex ? key_levels_.end() : key_levels_.find(parent);
  *level = known == key_levels_.end() ? 1 : known->second + 1;
  if (!container.empty()) {
    *level += 1 + static_cast<std::uint32_t>(std::ranges::count(container, '.'));
  }
  return *level <= most_key_levels_;
}

}  // namespace codexmem::parse
