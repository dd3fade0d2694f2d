// The end of a walk: facts in their final order, offsets turned into indices.
//
// Symbols are created in the order of the text but for attributes, bindings but for hoisted names
// and occurrences but for strings that name something, so most sorts find nothing to do. Where one
// moves entries, the indices that refer to them follow.
#include <algorithm>
#include <numeric>

#include "parse/walker.h"

namespace codexmem::parse {
namespace {

// Sorts `items` by `less` and returns where each one went.
template <typename T, typename Less>
std::vector<std::uint32_t> sort_and_map(std::vector<T>& items, Less less) {
  std::vector<std::uint32_t> map(items.size());
  std::iota(map.begin(), map.end(), 0U);
  if (std::is_sorted(items.begin(), items.end(), less)) return map;
  std::vector<std::uint32_t> order = map;
  std::ranges::stable_sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return less(items[a], items[b]); });
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    map[order[i]] = i;
    sorted.push_back(std::move(items[order[i]]));
  }
  items = std::move(sorted);
  return map;
}

void follow(std::uint32_t& index, const std::vector<std::uint32_t>& map) {
  if (index != kNoIndex) index = map[index];
}

}  // namespace

FileFacts Walker::finish() {
  std::vector<std::uint32_t> occurrence_map =
      sort_and_map(facts_.occurrences,
                   [](const Occurrence& a, const Occurrence& b) { return a.offset < b.offset; });
  for (Occurrence& occurrence : facts_.occurrences) follow(occurrence.receiver, occurrence_map);
  for (Heritage& heritage : facts_.heritage) follow(heritage.occurrence, occurrence_map);

  add_attributes();

  auto resolve = [&](const Hint& hint) {
    auto found = std::ranges::lower_bound(facts_.occurrences, hint.offset, {}, &Occurrence::offset);
    if (hint.kind == HintKind::kNone || found == facts_.occurrences.end() ||
        found->offset != hint.offset) {
      return TypeHint{};
    }
    return TypeHint{hint.kind, static_cast<std::uint32_t>(found - facts_.occurrences.begin())};
  };
  for (std::size_t i = 0; i < facts_.symbols.size(); ++i) {
    facts_.symbols[i].hint = resolve(symbol_hints_[i]);
  }
  for (std::size_t i = 0; i < facts_.bindings.size(); ++i) {
    facts_.bindings[i].hint = resolve(binding_hints_[i]);
  }

  // An enclosing symbol begins earlier or ends later, or else was created earlier.
  std::vector<std::uint32_t> symbol_map =
      sort_and_map(facts_.symbols, [](const Symbol& a, const Symbol& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin
                                              : a.range.end > b.range.end;
      });
  for (Symbol& symbol : facts_.symbols) follow(symbol.parent, symbol_map);
  for (Scope& scope : facts_.scopes) follow(scope.symbol, symbol_map);
  for (Heritage& heritage : facts_.heritage) follow(heritage.symbol, symbol_map);
  for (Export& exported : facts_.exports) follow(exported.symbol, symbol_map);
  for (Binding& binding : facts_.bindings) {
    if (binding.kind == BindingKind::kSymbol) follow(binding.target, symbol_map);
  }
  sort_and_map(facts_.bindings,
               [](const Binding& a, const Binding& b) { return a.offset < b.offset; });
  std::ranges::stable_sort(facts_.dynamics, {}, &DynamicConstruct::offset);

  // `export { f }` and __all__ export what the module binds.
  PairMap module_symbols;
  for (const Binding& binding : facts_.bindings) {
    if (binding.scope == 0 && binding.kind == BindingKind::kSymbol) {
      module_symbols.insert(0, binding.name, binding.target);
    }
  }
  if (facts_.has_all) {
    for (Symbol& symbol : facts_.symbols) {
      if (symbol.parent == kNoIndex) symbol.exported = false;
    }
  }
  for (Export& exported : facts_.exports) {
    if (exported.import != kNoIndex || exported.local == kNoIndex) continue;
    std::uint32_t symbol =
        exported.symbol != kNoIndex ? exported.symbol : module_symbols.find(0, exported.local);
    if (symbol == PairMap::kAbsent) continue;
    exported.symbol = symbol;
    facts_.symbols[symbol].exported = true;
  }
  // What is exported takes its public members along; __all__ may have hidden a class.
  for (Symbol& symbol : facts_.symbols) {
    if (symbol.parent == kNoIndex) continue;
    const Symbol& parent = facts_.symbols[symbol.parent];
    bool is_member = symbol.type == SymbolType::kMethod || symbol.type == SymbolType::kProperty;
    bool is_hidden = symbol.name.starts_with('#') ||
                     std::ranges::find(symbol.modifiers, "private") != symbol.modifiers.end() ||
                     (symbol.name.starts_with('_') && !symbol.name.ends_with("__"));
    bool has_members = parent.type != SymbolType::kFunction && parent.type != SymbolType::kMethod;
    if (is_member && has_members) {
      symbol.exported = parent.exported && !is_hidden;
    } else if (facts_.has_all) {
      symbol.exported = symbol.exported && parent.exported;
    }
  }

  // Names: distinct and sorted, so that a look-up in the packed facts is a binary search.
  for (const Symbol& symbol : facts_.symbols) names_.id_of(symbol.name);
  std::vector<std::string_view> texts = names_.texts();
  std::vector<std::uint32_t> name_map =
      sort_and_map(texts, [](std::string_view a, std::string_view b) { return a < b; });
  facts_.names.assign(texts.begin(), texts.end());
  for (Occurrence& occurrence : facts_.occurrences) follow(occurrence.name, name_map);
  for (Binding& binding : facts_.bindings) follow(binding.name, name_map);
  for (Import& import : facts_.imports) {
    for (ImportedName& name : import.names) {
      follow(name.imported, name_map);
      follow(name.local, name_map);
    }
  }
  for (Export& exported : facts_.exports) {
    follow(exported.exported, name_map);
    follow(exported.local, name_map);
  }
  return std::move(facts_);
}

}  // namespace codexmem::parse
