#include "graph/core/file_model.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

template <typename T>
std::vector<std::uint32_t> indices(const std::vector<T>& of) {
  std::vector<std::uint32_t> list(of.size());
  std::iota(list.begin(), list.end(), 0U);
  return list;
}

template <typename T>
std::size_t bytes_of(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

// The part of `list`, sorted by `key`, with the key `wanted`.
template <typename Key, typename Wanted>
std::span<const std::uint32_t> equal_part(const std::vector<std::uint32_t>& list, Key key,
                                          const Wanted& wanted) {
  const auto begin = std::partition_point(list.begin(), list.end(),
                                          [&](std::uint32_t i) { return key(i) < wanted; });
  const auto end =
      std::partition_point(begin, list.end(), [&](std::uint32_t i) { return !(wanted < key(i)); });
  return {list.data() + (begin - list.begin()), static_cast<std::size_t>(end - begin)};
}

// True for a function or property with a receiver type written before its name.
bool is_extension(const parse::FileFacts& facts, const parse::Symbol& symbol) {
  if (symbol.term == kNoIndex) return false;
  const parse::Term* term = &facts.terms[symbol.term];
  if (term->kind == parse::TermKind::kResult && term->part_count > 0) {
    const parse::TermId inner = facts.term_parts[term->first_part];
    if (inner == kNoIndex) return false;
    term = &facts.terms[inner];
  }
  return term->kind == parse::TermKind::kFunction && facts.functions[term->at].is_extension;
}

}  // namespace

FileModel::FileModel(const store::FileRow& row, parse::FileFacts decoded, bool of_library,
                     CompilerUses compiler_uses)
    : id(row.id),
      path(row.path),
      language(row.language),
      family(family_of(row.language)),
      semantics(semantics_of(family)),
      is_library(of_library),
      facts(std::move(decoded)),
      compiler(std::move(compiler_uses)) {
  const auto& occurrences = facts.occurrences;
  occurrence_begins_.assign(facts.names.size() + 1, 0);
  for (const parse::Occurrence& occurrence : occurrences) ++occurrence_begins_[occurrence.name + 1];
  std::partial_sum(occurrence_begins_.begin(), occurrence_begins_.end(),
                   occurrence_begins_.begin());
  occurrences_by_name_.resize(occurrences.size());
  std::vector<std::uint32_t> next(occurrence_begins_.begin(), occurrence_begins_.end() - 1);
  for (std::uint32_t i = 0; i < occurrences.size(); ++i) {
    occurrences_by_name_[next[occurrences[i].name]++] = i;
  }

  bindings_by_scope_ = indices(facts.bindings);
  std::sort(bindings_by_scope_.begin(), bindings_by_scope_.end(),
            [&](std::uint32_t a, std::uint32_t b) {
              const parse::Binding& x = facts.bindings[a];
              const parse::Binding& y = facts.bindings[b];
              return std::tie(x.scope, x.name, x.offset) < std::tie(y.scope, y.name, y.offset);
            });
  bindings_by_offset_ = indices(facts.bindings);
  std::stable_sort(bindings_by_offset_.begin(), bindings_by_offset_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return facts.bindings[a].offset < facts.bindings[b].offset;
                   });

  symbol_names_.reserve(facts.symbols.size());
  for (const parse::Symbol& symbol : facts.symbols) {
    symbol_names_.push_back(find_name(symbol.name).value_or(kNoIndex));
  }
  surrounding_.reserve(facts.symbols.size());
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    std::uint32_t outer = i == 0 ? kNoIndex : i - 1;
    while (outer != kNoIndex && !facts.symbols[outer].range.contains(facts.symbols[i].range)) {
      outer = surrounding_[outer];
    }
    surrounding_.push_back(outer);
  }
  find_owners();
  symbols_by_owner_ = indices(facts.symbols);
  std::sort(symbols_by_owner_.begin(), symbols_by_owner_.end(),
            [&](std::uint32_t a, std::uint32_t b) {
              return std::tie(owners_[a], symbol_names_[a], a) <
                     std::tie(owners_[b], symbol_names_[b], b);
            });
  symbols_by_name_offset_ = indices(facts.symbols);
  std::stable_sort(symbols_by_name_offset_.begin(), symbols_by_name_offset_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return facts.symbols[a].name_range.begin < facts.symbols[b].name_range.begin;
                   });

  exports_by_name_ = indices(facts.exports);
  std::stable_sort(exports_by_name_.begin(), exports_by_name_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return facts.exports[a].exported < facts.exports[b].exported;
                   });
  exports_by_offset_ = indices(facts.exports);
  std::stable_sort(exports_by_offset_.begin(), exports_by_offset_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return facts.exports[a].offset < facts.exports[b].offset;
                   });
  for (std::uint32_t i = 0; i < facts.exports.size(); ++i) {
    if (name(facts.exports[i].exported) == "*") star_exports_.push_back(i);
  }
  for (std::uint32_t i = 0; i < facts.imports.size(); ++i) {
    const parse::Import& import = facts.imports[i];
    for (std::uint32_t n = 0; n < import.names.size(); ++n) {
      imported_by_offset_.push_back({import.names[n].offset, i, n});
      if (import.from_import && import.names[n].local == kNoIndex &&
          name(import.names[n].imported) == "*") {
        star_imports_.push_back(i);
      }
    }
  }
  std::stable_sort(imported_by_offset_.begin(), imported_by_offset_.end(),
                   [](const ImportedAt& a, const ImportedAt& b) { return a.offset < b.offset; });

  for (const std::uint32_t index : bindings_by_offset_) {
    if (facts.bindings[index].kind == parse::BindingKind::kTypeParameter) {
      type_parameters_.push_back(index);
    }
  }
  std::stable_sort(type_parameters_.begin(), type_parameters_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return facts.scopes[facts.bindings[a].scope].symbol <
                            facts.scopes[facts.bindings[b].scope].symbol;
                   });
  heritage_by_symbol_ = indices(facts.heritage);
  std::stable_sort(heritage_by_symbol_.begin(), heritage_by_symbol_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return facts.heritage[a].symbol < facts.heritage[b].symbol;
                   });

  std::size_t functions_bytes = bytes_of(facts.functions) + bytes_of(facts.objects);
  for (const parse::Function& function : facts.functions) {
    functions_bytes += bytes_of(function.parameters);
  }
  for (const parse::Object& object : facts.objects) functions_bytes += bytes_of(object.keys);
  memory_bytes_ = sizeof(*this) + bytes_of(compiler.uses) + bytes_of(compiler.defined) +
                  100 * compiler.targets.size() + bytes_of(facts.narrowings) +
                  bytes_of(facts.heritage) + bytes_of(facts.calls) + bytes_of(surrounding_) +
                  bytes_of(facts.terms) + bytes_of(facts.term_parts) + functions_bytes +
                  bytes_of(facts.scopes) + bytes_of(facts.bindings) * 2 +
                  bytes_of(facts.occurrences) + bytes_of(facts.exports) * 2 +
                  bytes_of(occurrences_by_name_) + bytes_of(occurrence_begins_) +
                  bytes_of(bindings_by_scope_) * 2 + bytes_of(symbols_by_owner_) * 4 +
                  facts.symbols.capacity() * sizeof(parse::Symbol) +
                  facts.imports.size() * (sizeof(parse::Import) + 64) + bytes_of(facts.names);
}

std::uint32_t FileModel::named_receiver(std::uint32_t occurrence) const {
  const parse::Occurrence& at = facts.occurrences[occurrence];
  if (at.receiver_kind == parse::ReceiverKind::kName) return at.receiver;
  if (at.receiver_kind != parse::ReceiverKind::kTerm) return kNoIndex;
  const parse::Term& term = facts.terms[at.receiver];
  if (term.kind != parse::TermKind::kApply || term.part_count == 0) return kNoIndex;
  const parse::TermId applied = parts_of(term)[0];
  const bool is_named = applied != kNoIndex && facts.terms[applied].kind == parse::TermKind::kName;
  return is_named ? facts.terms[applied].at : kNoIndex;
}

// X.y = ... and X.prototype.y = ...: the name's receiver is the owner.
void FileModel::find_owners() {
  owners_.reserve(facts.symbols.size());
  for (const parse::Symbol& symbol : facts.symbols) {
    std::uint32_t owner = symbol.parent;
    const std::uint32_t at =
        symbol.name_range.empty() ? kNoIndex : occurrence_at(symbol.name_range.begin);
    // (A Kotlin extension is named after its receiver's type, but belongs to the code around it.)
    const std::uint32_t named = at == kNoIndex ? kNoIndex : named_receiver(at);
    if (named != kNoIndex && !is_extension(facts, symbol)) {
      const parse::Occurrence* receiver = &facts.occurrences[named];
      if (name(receiver->name) == "prototype" &&
          receiver->receiver_kind == parse::ReceiverKind::kName) {
        receiver = &facts.occurrences[receiver->receiver];
      }
      if (receiver->receiver_kind == parse::ReceiverKind::kNone) {
        for (std::uint32_t scope = scope_at(receiver->offset); scope != kNoIndex;
             scope = facts.scopes[scope].parent) {
          // (A method owns nothing: the class of C++'s A::A may be in another file.)
          const auto bindings = bindings_in(scope, receiver->name);
          const auto found = std::ranges::find_if(bindings, [&](std::uint32_t each) {
            const parse::Binding& binding = facts.bindings[each];
            return binding.kind != parse::BindingKind::kSymbol ||
                   facts.symbols[binding.target].type != SymbolType::kMethod;
          });
          if (found == bindings.end()) continue;
          const parse::Binding& binding = facts.bindings[*found];
          if (binding.kind == parse::BindingKind::kSymbol) owner = binding.target;
          break;
        }
      }
    }
    owners_.push_back(owner);
  }
  // A method that is written apart from its type, before it: func (t *T) f() {}, type T struct {}.
  for (const parse::Heritage& heritage : facts.heritage) {
    if (facts.symbols[heritage.symbol].type != SymbolType::kMethod) continue;
    const parse::NameId type = facts.occurrences[heritage.occurrence].name;
    apart_.emplace(heritage.symbol, type);
    if (owners_[heritage.symbol] != kNoIndex) continue;
    for (const std::uint32_t index : bindings_in(0, type)) {
      const parse::Binding& binding = facts.bindings[index];
      if (binding.kind == parse::BindingKind::kSymbol) owners_[heritage.symbol] = binding.target;
    }
  }
}

std::optional<parse::NameId> FileModel::find_name(std::string_view text) const {
  const auto found = std::lower_bound(facts.names.begin(), facts.names.end(), text);
  if (found == facts.names.end() || *found != text) return std::nullopt;
  return static_cast<parse::NameId>(found - facts.names.begin());
}

std::span<const std::uint32_t> FileModel::occurrences_of(parse::NameId wanted) const {
  return {occurrences_by_name_.data() + occurrence_begins_[wanted],
          occurrence_begins_[wanted + 1] - occurrence_begins_[wanted]};
}

std::uint32_t FileModel::occurrence_at(std::uint32_t offset) const {
  const auto found =
      std::partition_point(facts.occurrences.begin(), facts.occurrences.end(),
                           [&](const parse::Occurrence& o) { return o.offset < offset; });
  if (found == facts.occurrences.end() || found->offset != offset) return kNoIndex;
  return static_cast<std::uint32_t>(found - facts.occurrences.begin());
}

std::uint32_t FileModel::scope_at(std::uint32_t offset) const {
  // Scopes begin in ascending order, children after parents: the last that begins before `offset`
  // is the innermost or a finished sibling below it.
  const auto after =
      std::partition_point(facts.scopes.begin(), facts.scopes.end(),
                           [&](const parse::Scope& scope) { return scope.range.begin <= offset; });
  if (after == facts.scopes.begin()) return 0;
  std::uint32_t scope = static_cast<std::uint32_t>(after - facts.scopes.begin()) - 1;
  while (scope != 0 && !facts.scopes[scope].range.contains(offset)) {
    scope = facts.scopes[scope].parent == kNoIndex ? 0 : facts.scopes[scope].parent;
  }
  return scope;
}

std::span<const std::uint32_t> FileModel::bindings_in(std::uint32_t scope,
                                                      parse::NameId wanted) const {
  return equal_part(
      bindings_by_scope_,
      [&](std::uint32_t i) { return std::pair(facts.bindings[i].scope, facts.bindings[i].name); },
      std::pair(scope, wanted));
}

std::uint32_t FileModel::binding_at(std::uint32_t offset) const {
  const auto found = equal_part(
      bindings_by_offset_, [&](std::uint32_t i) { return facts.bindings[i].offset; }, offset);
  return found.empty() ? kNoIndex : found.front();
}

bool FileModel::is_seen(std::uint32_t binding, std::uint32_t offset) const {
  const parse::Binding& bound = facts.bindings[binding];
  return bound.kind == parse::BindingKind::kTypeParameter ||
         (bound.offset <= offset && bound.seen_from <= offset);
}

std::span<const std::uint32_t> FileModel::members_of(std::uint32_t owner,
                                                     parse::NameId wanted) const {
  return equal_part(
      symbols_by_owner_, [&](std::uint32_t i) { return std::pair(owners_[i], symbol_names_[i]); },
      std::pair(owner, wanted));
}

std::span<const std::uint32_t> FileModel::all_members(std::uint32_t owner) const {
  return equal_part(
      symbols_by_owner_, [&](std::uint32_t i) { return owners_[i]; }, owner);
}

bool FileModel::has_members(std::uint32_t owner) const { return !all_members(owner).empty(); }

std::uint32_t FileModel::symbol_named_at(std::uint32_t offset) const {
  for (const std::uint32_t symbol : equal_part(
           symbols_by_name_offset_,
           [&](std::uint32_t i) { return facts.symbols[i].name_range.begin; }, offset)) {
    if (!facts.symbols[symbol].name_range.empty()) return symbol;
  }
  return kNoIndex;
}

std::uint32_t FileModel::symbol_at(std::uint32_t offset) const {
  const auto after = std::partition_point(
      facts.symbols.begin(), facts.symbols.end(),
      [&](const parse::Symbol& symbol) { return symbol.range.begin <= offset; });
  if (after == facts.symbols.begin()) return kNoIndex;
  std::uint32_t symbol = static_cast<std::uint32_t>(after - facts.symbols.begin()) - 1;
  while (symbol != kNoIndex && !facts.symbols[symbol].range.contains(offset)) {
    symbol = surrounding_[symbol];
  }
  return symbol;
}

std::string FileModel::qualified_name(std::uint32_t symbol) const {
  std::string text;
  for (int depth = 0; symbol != kNoIndex && depth < 64; ++depth) {
    const parse::Symbol& at = facts.symbols[symbol];
    text = text.empty() ? at.name : at.name + "." + text;
    const auto apart = owners_[symbol] == kNoIndex ? apart_.find(symbol) : apart_.end();
    if (apart != apart_.end()) text = name(apart->second) + "." + text;
    symbol = owners_[symbol];
  }
  return text;
}

std::span<const std::uint32_t> FileModel::exports_named(parse::NameId wanted) const {
  return equal_part(
      exports_by_name_, [&](std::uint32_t i) { return facts.exports[i].exported; }, wanted);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> FileModel::imported_name_at(
    std::uint32_t offset) const {
  const auto found = std::partition_point(imported_by_offset_.begin(), imported_by_offset_.end(),
                                          [&](const ImportedAt& at) { return at.offset < offset; });
  if (found == imported_by_offset_.end() || found->offset != offset) return std::nullopt;
  return std::pair(found->import, found->name);
}

std::uint32_t FileModel::export_at(std::uint32_t offset) const {
  const auto found = equal_part(
      exports_by_offset_, [&](std::uint32_t i) { return facts.exports[i].offset; }, offset);
  return found.empty() ? kNoIndex : found.front();
}

std::vector<const parse::Heritage*> FileModel::heritage_of(std::uint32_t symbol) const {
  std::vector<const parse::Heritage*> found;
  for (const std::uint32_t i : equal_part(
           heritage_by_symbol_, [&](std::uint32_t h) { return facts.heritage[h].symbol; },
           symbol)) {
    found.push_back(&facts.heritage[i]);
  }
  return found;
}

std::vector<std::uint32_t> FileModel::type_parameters_of(std::uint32_t symbol) const {
  const auto found = equal_part(
      type_parameters_,
      [&](std::uint32_t i) { return facts.scopes[facts.bindings[i].scope].symbol; }, symbol);
  return {found.begin(), found.end()};
}

parse::TermId FileModel::narrowed_at(parse::NameId wanted, std::uint32_t offset) const {
  // The last that begins before is the innermost.
  parse::TermId term = kNoIndex;
  for (const parse::Narrowing& narrowing : facts.narrowings) {
    if (narrowing.range.begin > offset) break;
    if (narrowing.name == wanted && narrowing.range.contains(offset)) term = narrowing.term;
  }
  return term;
}

std::optional<parse::TermId> FileModel::call_of(std::uint32_t occurrence) const {
  const auto found =
      std::ranges::lower_bound(facts.calls, occurrence, {}, &parse::Call::occurrence);
  if (found == facts.calls.end() || found->occurrence != occurrence) return std::nullopt;
  return found->term;
}

bool FileModel::is_assigned_member(std::uint32_t symbol) const {
  const std::uint32_t owner = owners_[symbol];
  return owner != kNoIndex && facts.symbols[symbol].type == SymbolType::kProperty &&
         surrounding_[symbol] != owner && surrounding_[symbol] != kNoIndex &&
         facts.symbols[owner].range.contains(facts.symbols[symbol].range);
}

bool FileModel::is_only_type(std::uint32_t symbol) const {
  const SymbolType type = facts.symbols[symbol].type;
  if (type == SymbolType::kInterface) return true;
  // Enums and namespaces are values too; they alone have scopes of that kind.
  return type == SymbolType::kType &&
         std::none_of(facts.scopes.begin(), facts.scopes.end(), [&](const parse::Scope& scope) {
           return scope.symbol == symbol && scope.kind == parse::ScopeKind::kNamespace;
         });
}

bool FileModel::is_only_value(std::uint32_t symbol) const {
  switch (facts.symbols[symbol].type) {
    case SymbolType::kVariable:
    case SymbolType::kFunction:
    case SymbolType::kMethod:
    case SymbolType::kProperty:
      return true;
    default:
      return false;
  }
}

bool FileModel::is_documentation(std::uint32_t offset) const {
  auto after = std::ranges::upper_bound(facts.documents, offset, {}, &ByteRange::begin);
  return after != facts.documents.begin() && offset < (--after)->end;
}

bool FileModel::is_script() const {
  if (!semantics.traits().has_scripts) return false;
  // Imports in documentation do not make a file a module; neither do imports and exports inside a
  // declared module.
  const auto is_of_file = [&](std::uint32_t offset) {
    return facts.scopes[scope_at(offset)].kind != parse::ScopeKind::kNamespace;
  };
  return std::ranges::none_of(facts.imports,
                              [&](const parse::Import& import) {
                                return import.kind != parse::ImportKind::kDocumented &&
                                       is_of_file(import.range.begin);
                              }) &&
         std::ranges::none_of(facts.exports,
                              [&](const parse::Export& entry) { return is_of_file(entry.offset); });
}

std::uint32_t FileModel::symbol_called(std::string_view wanted, std::uint32_t number) const {
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    if (wanted.ends_with(facts.symbols[i].name) && qualified_name(i) == wanted && number-- == 0) {
      return i;
    }
  }
  return kNoIndex;
}

std::uint32_t FileModel::number_of(std::uint32_t symbol) const {
  const std::string wanted = qualified_name(symbol);
  std::uint32_t number = 0;
  for (std::uint32_t i = 0; i < symbol; ++i) {
    if (symbol_names_[i] == symbol_names_[symbol] && qualified_name(i) == wanted) {
      ++number;
    }
  }
  return number;
}

}  // namespace codexmem::graph
