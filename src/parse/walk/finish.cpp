// The end of a walk: facts in their final order, offsets turned into indices.
//
// Symbols are created in source order except attributes, bindings except hoisted names, and
// occurrences except strings that name something, so most sorts find nothing to do. When a sort
// moves entries, the indices that refer to them are updated.
#include "parse/walk/finish.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "parse/walk/intern.h"

namespace codexmem::parse {
namespace {

// Sorts `items` by `less` and returns the new index of each old index.
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

constexpr auto kByOffset = [](const auto& a, const auto& b) { return a.offset < b.offset; };

void follow(std::uint32_t& index, const std::vector<std::uint32_t>& map) {
  if (index != kNoIndex) index = map[index];
}

// Calls `visit` with each reference to a term, except from terms, functions and objects.
template <typename Visit>
void each_root(FileFacts& facts, Visit visit) {
  for (Symbol& symbol : facts.symbols) visit(symbol.term);
  for (Binding& binding : facts.bindings) {
    visit(binding.term);
    visit(binding.fallback);
  }
  for (Occurrence& occurrence : facts.occurrences) {
    if (occurrence.receiver_kind != ReceiverKind::kName) visit(occurrence.receiver);
  }
  for (Heritage& heritage : facts.heritage) visit(heritage.term);
  for (Call& call : facts.calls) visit(call.term);
  for (Extension& extension : facts.extensions) {
    visit(extension.type_term);
    visit(extension.trait_term);
  }
  for (Narrowing& narrowing : facts.narrowings) visit(narrowing.term);
}

// Turns offsets of occurrences, and old numbers of symbols and names, into indices. Removes terms
// without meaning, because a name is not an occurrence, and terms that nothing refers to.
void finish_terms(FileFacts& facts, const std::vector<std::uint32_t>& symbol_map,
                  const std::vector<std::uint32_t>& name_map) {
  std::vector<Term>& terms = facts.terms;
  const std::vector<TermId> parts = std::move(facts.term_parts);
  facts.term_parts = {};
  const auto parts_of = [&](const Term& term) {
    return std::span(parts).subspan(term.first_part, term.part_count);
  };
  // The first or last occurrence at an offset: { a } has two, the variable and then the key.
  auto near = facts.occurrences.cbegin();
  const auto occurrence_at = [&](std::uint32_t offset, bool is_last) {
    const auto& all = facts.occurrences;
    // Usually a few entries after the previous one.
    auto found = near;
    for (int steps = 0; steps < 8 && found != all.end() && found->offset < offset; ++steps) ++found;
    const bool is_first = found == all.begin() || (found - 1)->offset < offset;
    if (!is_first || found == all.end() || found->offset < offset) {
      found = std::ranges::lower_bound(all, offset, {}, &Occurrence::offset);
    }
    near = found;
    if (found == all.end() || found->offset != offset) return kNoIndex;
    while (is_last && found + 1 != all.end() && (found + 1)->offset == offset) ++found;
    return static_cast<std::uint32_t>(found - all.begin());
  };

  std::ranges::stable_sort(facts.calls, {}, &Call::occurrence);
  // f<T>(x) is noted twice: as a call, then as f<T>.
  const auto again =
      std::unique(facts.calls.begin(), facts.calls.end(),
                  [](const Call& a, const Call& b) { return a.occurrence == b.occurrence; });
  facts.calls.erase(again, facts.calls.end());
  for (Call& call : facts.calls) call.occurrence = occurrence_at(call.occurrence, true);
  std::erase_if(facts.calls, [](const Call& call) { return call.occurrence == kNoIndex; });

  for (Extension& extension : facts.extensions) {
    for (std::uint32_t* name : {&extension.type, &extension.trait}) {
      if (*name != kNoIndex) *name = occurrence_at(*name, false);
    }
  }

  std::unordered_map<std::uint32_t, std::uint32_t> imports;  // by the offset of the path
  for (std::uint32_t i = 0; i < facts.imports.size(); ++i) {
    imports.emplace(facts.imports[i].path_offset, i);
  }

  // The meaning of each term: the term itself, kNoIndex without one, or the only part of a union.
  std::vector<TermId> means(terms.size());
  for (TermId id = 0; id < terms.size(); ++id) {
    Term& term = terms[id];
    const auto term_parts = parts_of(term);
    means[id] = id;
    switch (term.kind) {
      case TermKind::kName:
      case TermKind::kType:
        term.at = occurrence_at(term.at, false);
        if (term.at == kNoIndex) means[id] = kNoIndex;
        break;
      case TermKind::kVariant:
        term.at = occurrence_at(term.at, false);
        if (term.at == kNoIndex || means[term_parts.front()] == kNoIndex) means[id] = kNoIndex;
        break;
      case TermKind::kThis:
        term.at = symbol_map[term.at];
        break;
      case TermKind::kMember:
      case TermKind::kOperator:
        term.at = name_map[term.at];
        if (means[term_parts.front()] == kNoIndex) means[id] = kNoIndex;
        break;
      case TermKind::kLanguageType:
        term.at = name_map[term.at];
        break;
      case TermKind::kUnion: {
        TermId only = kNoIndex;
        std::size_t count = 0;
        for (TermId part : term_parts) {
          if (means[part] == kNoIndex || means[part] == only) continue;
          only = means[part];
          ++count;
        }
        if (count < 2) means[id] = only;
        break;
      }
      case TermKind::kDefaulted:
        if (means[term_parts[1]] == kNoIndex) means[id] = means[term_parts[0]];
        if (means[term_parts[0]] == kNoIndex) means[id] = means[term_parts[1]];
        break;
      case TermKind::kConditional: {
        const auto is_nothing = [&](TermId part) {
          return part == kNoIndex || means[part] == kNoIndex;
        };
        if (is_nothing(term_parts[2]) && is_nothing(term_parts[3])) means[id] = kNoIndex;
        break;
      }
      case TermKind::kModule: {
        const auto found = imports.find(term.at);
        term.at = found == imports.end() ? kNoIndex : found->second;
        if (term.at == kNoIndex) means[id] = kNoIndex;
        break;
      }
      case TermKind::kLiteral:
      case TermKind::kArray:
      case TermKind::kTuple:
      case TermKind::kFunction:
      case TermKind::kObject:
      case TermKind::kMap:
      case TermKind::kChannel:
        break;
      default:
        if (means[term_parts.front()] == kNoIndex) means[id] = kNoIndex;
        break;
    }
  }

  // Mark the terms that are reached.
  std::vector<bool> is_used(terms.size());
  std::vector<bool> is_function_used(facts.functions.size());
  std::vector<bool> is_object_used(facts.objects.size());
  std::vector<TermId> pending;
  const auto use = [&](TermId id) {
    if (id == kNoIndex || means[id] == kNoIndex || is_used[means[id]]) return;
    is_used[means[id]] = true;
    pending.push_back(means[id]);
  };
  const auto use_function = [&](std::uint32_t index) {
    if (is_function_used[index]) return;
    is_function_used[index] = true;
    use(facts.functions[index].result);
    for (const Parameter& parameter : facts.functions[index].parameters) use(parameter.term);
  };
  each_root(facts, use);
  while (!pending.empty()) {
    const Term& term = terms[pending.back()];
    pending.pop_back();
    for (TermId part : parts_of(term)) use(part);
    if (term.kind == TermKind::kFunction) use_function(term.at);
    if (term.kind != TermKind::kObject || is_object_used[term.at]) continue;
    is_object_used[term.at] = true;
    const Object& object = facts.objects[term.at];
    for (const ObjectKey& key : object.keys) use(key.term);
    for (TermId spread : object.spreads) use(spread);
    for (std::uint32_t call : object.calls) use_function(call);
    use(object.other);
    use(object.keys_of);
  }

  const auto number = [](const std::vector<bool>& used, auto& items) {
    std::vector<std::uint32_t> map(used.size(), kNoIndex);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      map[i] = count;
      if (count != i) items[count] = std::move(items[i]);
      ++count;
    }
    items.resize(count);
    return map;
  };
  const std::vector<std::uint32_t> function_map = number(is_function_used, facts.functions);
  const std::vector<std::uint32_t> object_map = number(is_object_used, facts.objects);
  const std::vector<std::uint32_t> term_map = number(is_used, terms);
  const auto follow_term = [&](TermId& id) {
    if (id == kNoIndex) return;
    id = means[id] == kNoIndex ? kNoIndex : term_map[means[id]];
  };
  for (Term& term : terms) {
    const auto old_parts = parts_of(term);
    term.first_part = static_cast<std::uint32_t>(facts.term_parts.size());
    const bool keeps_places = term.kind != TermKind::kUnion && term.kind != TermKind::kArray;
    for (TermId part : old_parts) {
      follow_term(part);
      const auto begin = facts.term_parts.begin() + term.first_part;
      if (keeps_places || (part != kNoIndex && std::find(begin, facts.term_parts.end(), part) ==
                                                   facts.term_parts.end())) {
        facts.term_parts.push_back(part);
      }
    }
    term.part_count = static_cast<std::uint32_t>(facts.term_parts.size()) - term.first_part;
    if (term.kind == TermKind::kFunction) term.at = function_map[term.at];
    if (term.kind == TermKind::kObject) term.at = object_map[term.at];
  }
  for (Function& function : facts.functions) {
    follow_term(function.result);
    for (Parameter& parameter : function.parameters) {
      follow(parameter.name, name_map);
      follow_term(parameter.term);
    }
  }
  for (Object& object : facts.objects) {
    for (ObjectKey& key : object.keys) {
      key.name = name_map[key.name];
      if (key.occurrence != kNoIndex) key.occurrence = occurrence_at(key.occurrence, true);
      follow_term(key.term);
    }
    std::erase_if(object.spreads, [&](TermId spread) { return means[spread] == kNoIndex; });
    for (TermId& spread : object.spreads) follow_term(spread);
    for (std::uint32_t& call : object.calls) call = function_map[call];
    follow_term(object.other);
    follow_term(object.keys_of);
  }
  each_root(facts, follow_term);
  for (Occurrence& occurrence : facts.occurrences) {
    if (occurrence.receiver_kind == ReceiverKind::kTerm && occurrence.receiver == kNoIndex) {
      occurrence.receiver_kind = ReceiverKind::kOther;
    }
  }
  for (Narrowing& narrowing : facts.narrowings) narrowing.name = name_map[narrowing.name];
  std::erase_if(facts.narrowings,
                [](const Narrowing& narrowing) { return narrowing.term == kNoIndex; });
  std::ranges::stable_sort(facts.narrowings, [](const Narrowing& a, const Narrowing& b) {
    return a.range.begin < b.range.begin;
  });
}

}  // namespace

void sort_occurrences(FileFacts* facts) {
  const std::vector<std::uint32_t> map = sort_and_map(facts->occurrences, kByOffset);
  for (Occurrence& occurrence : facts->occurrences) {
    if (occurrence.receiver_kind == ReceiverKind::kName) follow(occurrence.receiver, map);
  }
  for (Heritage& heritage : facts->heritage) follow(heritage.occurrence, map);
}

void finish_facts(FileFacts* all, std::vector<std::string_view> texts, Visibility visibility) {
  FileFacts& facts = *all;
  // An enclosing symbol begins earlier, ends later, or was created earlier.
  std::vector<std::uint32_t> symbol_map =
      sort_and_map(facts.symbols, [](const Symbol& a, const Symbol& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin
                                              : a.range.end > b.range.end;
      });
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    std::uint32_t& parent = facts.symbols[i].parent;
    follow(parent, symbol_map);
    // A member that is written outside its type may begin before it in damaged text.
    if (parent != kNoIndex && parent >= i) parent = kNoIndex;
  }
  for (Scope& scope : facts.scopes) follow(scope.symbol, symbol_map);
  for (Heritage& heritage : facts.heritage) follow(heritage.symbol, symbol_map);
  for (Export& exported : facts.exports) follow(exported.symbol, symbol_map);
  for (Binding& binding : facts.bindings) {
    if (binding.kind == BindingKind::kSymbol || binding.kind == BindingKind::kAlias) {
      follow(binding.target, symbol_map);
    }
  }
  sort_and_map(facts.bindings, kByOffset);
  std::ranges::stable_sort(facts.dynamics, {}, &DynamicConstruct::offset);
  std::ranges::sort(facts.documents, {}, &ByteRange::begin);
  const auto twice =
      std::unique(facts.documents.begin(), facts.documents.end(),
                  [](const ByteRange& a, const ByteRange& b) { return a.begin == b.begin; });
  facts.documents.erase(twice, facts.documents.end());

  // `export { f }` and __all__ export names that the module binds.
  PairMap module_symbols;
  for (const Binding& binding : facts.bindings) {
    if (binding.scope == 0 && binding.kind == BindingKind::kSymbol) {
      module_symbols.insert(0, binding.name, binding.target);
    }
  }
  if (facts.has_all) {
    for (Symbol& symbol : facts.symbols) {
      if (symbol.parent == kNoIndex) symbol.exported = false;
    }
  }
  for (Export& exported : facts.exports) {
    if (exported.import != kNoIndex || exported.local == kNoIndex) continue;
    std::uint32_t symbol =
        exported.symbol != kNoIndex ? exported.symbol : module_symbols.find(0, exported.local);
    if (symbol == PairMap::kAbsent) continue;
    exported.symbol = symbol;
    facts.symbols[symbol].exported = true;
  }
  // Public members of an exported type are exported; __all__ may leave out a class.
  const bool by_module = visibility == Visibility::kStatement || visibility == Visibility::kName;
  for (Symbol& symbol : facts.symbols) {
    if (symbol.parent == kNoIndex || !by_module) continue;
    const Symbol& parent = facts.symbols[symbol.parent];
    bool is_member = symbol.type == SymbolType::kMethod || symbol.type == SymbolType::kProperty;
    bool is_hidden = symbol.name.starts_with('#') ||
                     std::ranges::find(symbol.modifiers, "private") != symbol.modifiers.end() ||
                     (symbol.name.starts_with('_') && !symbol.name.ends_with("__"));
    bool has_members = parent.type != SymbolType::kFunction && parent.type != SymbolType::kMethod;
    if (is_member && has_members) {
      symbol.exported = parent.exported && !is_hidden;
    } else if (facts.has_all) {
      symbol.exported = symbol.exported && parent.exported;
    }
  }

  // Names: distinct and sorted, so that look-ups in packed facts use binary search.
  std::vector<std::uint32_t> name_map =
      sort_and_map(texts, [](std::string_view a, std::string_view b) { return a < b; });
  facts.names.assign(texts.begin(), texts.end());
  finish_terms(facts, symbol_map, name_map);
  for (Occurrence& occurrence : facts.occurrences) follow(occurrence.name, name_map);
  for (Binding& binding : facts.bindings) follow(binding.name, name_map);
  for (Import& import : facts.imports) {
    for (ImportedName& name : import.names) {
      follow(name.imported, name_map);
      follow(name.local, name_map);
    }
  }
  for (Export& exported : facts.exports) {
    follow(exported.exported, name_map);
    follow(exported.local, name_map);
  }
}

}  // namespace codexmem::parse
