// Names of modules are global, so a module is found in the index of symbols by the last part of its
// full name. The parts before it follow from the directives in force: earlier ones in the scopes
// around, and for each module used there the ones in its `__using__`, or in the function that the
// use names (use A, :controller).
//
// Tested by graph/elixir_test.cpp.
#include "graph/elixir/elixir_modules.h"

#include <algorithm>

#include "base/ascii.h"

namespace codexmem::graph {

using parse::BindingKind;
using parse::ImportKind;
using parse::kNoIndex;
using parse::ReceiverKind;

namespace {

constexpr int kMaxExpansions = 8;  // aliases of aliases, uses of uses
constexpr std::size_t kMaxSeenDirectives = 256;
constexpr std::string_view kUsing = "__using__";
constexpr std::string_view kOwnModule = "__MODULE__";

bool is_elixir_module(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kClass || symbol.type == SymbolType::kInterface;
}

bool is_in_scope(const FileModel& file, std::uint32_t scope, std::uint32_t around) {
  while (scope != kNoIndex && scope != around) scope = file.facts.scopes[scope].parent;
  return scope == around;
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> elixir_arities(const FileModel& file,
                                                       std::uint32_t symbol) {
  const parse::TermId term = file.facts.symbols[symbol].term;
  if (term == kNoIndex || file.facts.terms[term].kind != parse::TermKind::kFunction) {
    return {1, 0};  // a test, whose name is a text
  }
  const parse::Function& function = file.facts.functions[file.facts.terms[term].at];
  const auto most = static_cast<std::uint32_t>(function.parameters.size());
  const auto optional = std::ranges::count_if(function.parameters, &parse::Parameter::is_optional);
  return {most - static_cast<std::uint32_t>(optional), most};
}

std::uint32_t ElixirModules::module_at(const FileModel& file, std::uint32_t offset) const {
  std::uint32_t symbol = file.symbol_at(offset);
  while (symbol != kNoIndex && !is_elixir_module(file.facts.symbols[symbol])) {
    symbol = file.surrounding(symbol);
  }
  return symbol;
}

const std::string& ElixirModules::full_name(Resolver& resolver, const FileModel& file,
                                            std::uint32_t symbol) {
  const auto [at, is_new] = full_names_.try_emplace({&file, symbol});
  if (!is_new || symbol == kNoIndex) return at->second;
  if (const auto* row = resolver.row_of(file, symbol)) at->second = row->qualified_name();
  return at->second;
}

// The last directive of a scope before `offset` that binds the name.
const parse::Import* ElixirModules::alias_at(const FileModel& file, std::uint32_t scope,
                                             parse::NameId name, std::uint32_t offset) const {
  const parse::Import* found = nullptr;
  for (const std::uint32_t index : file.bindings_in(scope, name)) {
    const parse::Binding& binding = file.facts.bindings[index];
    if (binding.kind != BindingKind::kImport) continue;
    const parse::Import& import = file.facts.imports[binding.target];
    if (import.range.end <= offset) found = &import;
  }
  return found;
}

bool ElixirModules::is_alias(const FileModel& file, std::string_view name,
                             std::uint32_t offset) const {
  const auto id = file.find_name(name);
  if (!id) return false;
  std::uint32_t scope = file.scope_at(offset);
  while (scope != kNoIndex && alias_at(file, scope, *id, offset) == nullptr) {
    scope = file.facts.scopes[scope].parent;
  }
  return scope != kNoIndex;
}

std::string ElixirModules::expanded(Resolver& resolver, const FileModel& file,
                                    std::string_view written, std::uint32_t offset, int depth) {
  const std::size_t dot = std::min(written.find('.'), written.size());
  const std::string_view first = written.substr(0, dot);
  const std::string_view rest = written.substr(dot);
  const std::uint32_t module = module_at(file, offset);
  if (first == kOwnModule) return full_name(resolver, file, module) + std::string(rest);
  if (first == "Elixir") return std::string(rest.substr(rest.empty() ? 0 : 1));
  if (depth > kMaxExpansions) return std::string(written);
  // An alias, from the inside out; the last that is seen.
  if (const auto name = file.find_name(first)) {
    for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
         scope = file.facts.scopes[scope].parent) {
      const parse::Import* found = alias_at(file, scope, *name, offset);
      if (found == nullptr) continue;
      return expanded(resolver, file, found->path, found->range.begin, depth + 1) +
             std::string(rest);
    }
    // A module in one of those around.
    for (std::uint32_t around = file.symbol_at(offset); around != kNoIndex;
         around = file.surrounding(around)) {
      for (const std::uint32_t inner : file.members_of(around, *name)) {
        const parse::Symbol& symbol = file.facts.symbols[inner];
        // (An implementation is called as its protocol, which it does not hide.)
        if (is_elixir_module(symbol) && !symbol.name_range.empty() && symbol.range.begin < offset) {
          return full_name(resolver, file, inner) + std::string(rest);
        }
      }
    }
  }
  for (const ElixirDirective& directive : seen_at(resolver, file, offset)) {
    if (directive.file == &file) continue;
    const parse::Import& import = directive.file->facts.imports[directive.import];
    for (const parse::ImportedName& name : import.names) {
      if (name.local == kNoIndex || directive.file->name(name.local) != first) continue;
      return expanded(resolver, *directive.file, import.path, import.range.begin, depth + 1) +
             std::string(rest);
    }
  }
  return std::string(written);
}

std::string ElixirModules::named_by(Resolver& resolver, const FileModel& file,
                                    std::uint32_t index) {
  std::string written;
  for (int parts = 0; parts < 64; ++parts) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    const std::string& name = file.name(at.name);
    if (at.receiver_kind == ReceiverKind::kTag) {
      // An attribute that holds a module.
      const std::string& full = full_name(resolver, file, module_at(file, at.offset));
      std::string held;
      for (const Entity& value : values(resolver, full, name, SymbolType::kVariable)) {
        const parse::TermId term = value.file->facts.symbols[value.index].term;
        if (value.file != &file || term == kNoIndex) continue;
        if (file.facts.terms[term].kind != parse::TermKind::kName) continue;
        held = named_by(resolver, file, file.facts.terms[term].at);
      }
      return held.empty() ? held : held + written;
    }
    if (name.empty() || !is_upper(name.front())) return {};
    written.insert(0, (at.receiver_kind == ReceiverKind::kNone ? "" : ".") + name);
    switch (at.receiver_kind) {
      case ReceiverKind::kNone:
        return expanded(resolver, file, written, at.offset);
      case ReceiverKind::kThis:
        return full_name(resolver, file, module_at(file, at.offset)) + written;
      case ReceiverKind::kName:
        index = at.receiver;
        break;
      default:
        return {};
    }
  }
  return {};
}

const std::vector<const store::SymbolRow*>& ElixirModules::rows_in(Resolver& resolver,
                                                                   const std::string& name,
                                                                   const std::string& container) {
  static const std::vector<const store::SymbolRow*> kNone;
  const auto [at, is_new] = rows_.try_emplace(name);
  if (is_new) {
    for (const store::SymbolRow& row : resolver.symbol_rows(family_of("elixir"), name)) {
      at->second[row.container].push_back(&row);
    }
  }
  const auto found = at->second.find(container);
  return found == at->second.end() ? kNone : found->second;
}

Entities ElixirModules::modules(Resolver& resolver, const std::string& full) {
  if (full.empty()) return {};
  const auto [at, is_new] = modules_.try_emplace(full);
  if (!is_new) return at->second;
  const std::size_t dot = full.rfind('.');
  const bool is_inner = dot != std::string::npos;
  Entities found;
  for (const store::SymbolRow* row : rows_in(resolver, full.substr(is_inner ? dot + 1 : 0),
                                             is_inner ? full.substr(0, dot) : std::string())) {
    if (row->kind != "module" && row->kind != "protocol") continue;
    if (const auto entity = resolver.symbol(row->id)) add(found, *entity);
  }
  return modules_[full] = std::move(found);
}

Entities ElixirModules::members(Resolver& resolver, const std::string& full, const ElixirName& name,
                                const FileModel* only) {
  Entities found;
  Entities callbacks;
  Entities implementing;  // from defimpl, which has the name of its protocol
  for (const store::SymbolRow* each : rows_in(resolver, name.name, full)) {
    const store::SymbolRow& row = *each;
    if ((row.type == SymbolType::kType) != name.is_type) continue;
    const bool is_function = row.type == SymbolType::kMethod || row.type == SymbolType::kFunction;
    if (!name.is_type && !is_function) continue;
    if (only != nullptr && store::file_of(row.id) != only->id) continue;
    const auto entity = resolver.symbol(row.id);
    if (!entity) continue;
    const auto [least, most] = elixir_arities(*entity->file, entity->index);
    if (name.has_arity && (name.arity < least || name.arity > most)) continue;
    const std::uint32_t owner = entity->file->owner_of(entity->index);
    const bool implements =
        owner != kNoIndex && entity->file->facts.symbols[owner].name_range.empty();
    add(row.kind == "callback" ? callbacks : implements ? implementing : found, *entity);
  }
  if (found.empty() && callbacks.empty()) return implementing;
  return found.empty() ? callbacks : found;
}

Entities ElixirModules::values(Resolver& resolver, const std::string& full, const std::string& name,
                               SymbolType type) {
  Entities found;
  for (const store::SymbolRow* row : rows_in(resolver, name, full)) {
    if (row->type != type) continue;
    if (const auto entity = resolver.symbol(row->id)) add(found, *entity);
  }
  return found;
}

std::string ElixirModules::path_of(Resolver& resolver, const ElixirDirective& directive) {
  const parse::Import& import = directive.file->facts.imports[directive.import];
  return expanded(resolver, *directive.file, import.path, import.range.begin);
}

const std::vector<ElixirDirective>& ElixirModules::seen_at(Resolver& resolver,
                                                           const FileModel& file,
                                                           std::uint32_t offset) {
  // What a place sees is kept by the directive before it, and its scope.
  const std::uint32_t scope = file.scope_at(offset);
  const auto& imports = file.facts.imports;
  const auto behind = std::ranges::partition_point(
      imports, [&](const parse::Import& import) { return import.range.end <= offset; });
  const auto count = static_cast<std::uint32_t>(behind - imports.begin());
  const std::uint32_t key = std::min(scope, 0xFFFFU) << 16U | std::min(count, 0xFFFFU);
  const auto [at, is_new] = seen_.try_emplace({&file, key});
  if (!is_new) return at->second;
  std::vector<ElixirDirective> seen;
  for (std::uint32_t i = count; i-- > 0 && seen.size() < kMaxSeenDirectives;) {
    const parse::Import& import = imports[i];
    if (!is_in_scope(file, scope, import.scope)) continue;
    seen.push_back({&file, i});
    if (import.kind != ImportKind::kInclude) continue;
    const std::string part =
        import.names.empty() ? std::string(kUsing) : file.name(import.names.front().imported);
    const std::string used = expanded(resolver, file, import.path, import.range.begin, 1);
    inject(resolver, used, std::string(kUsing), 0, seen);
    if (part != kUsing) inject(resolver, used, part, 0, seen);
  }
  return seen_[{&file, key}] = std::move(seen);
}

// The directives in function `part` of module `full`, and what those inject that are uses.
void ElixirModules::inject(Resolver& resolver, const std::string& full, const std::string& part,
                           int depth, std::vector<ElixirDirective>& to) {
  if (depth > kMaxExpansions || to.size() > kMaxSeenDirectives) return;
  for (const store::SymbolRow* row : rows_in(resolver, part, full)) {
    const auto function = resolver.symbol(row->id);
    if (!function) continue;
    const FileModel& file = *function->file;
    const ByteRange range = file.facts.symbols[function->index].range;
    for (std::uint32_t i = 0; i < file.facts.imports.size(); ++i) {
      const parse::Import& import = file.facts.imports[i];
      if (import.range.begin < range.begin || import.range.end > range.end) continue;
      to.push_back({&file, i});
      if (import.kind != ImportKind::kInclude) continue;
      const std::string used = expanded(resolver, file, import.path, import.range.begin, depth + 2);
      inject(resolver, used, std::string(kUsing), depth + 1, to);
      if (!import.names.empty()) {
        inject(resolver, used, file.name(import.names.front().imported), depth + 1, to);
      }
    }
  }
}

Entities ElixirModules::injected_members(Resolver& resolver, const FileModel& file,
                                         std::uint32_t offset, const ElixirName& name) {
  for (const ElixirDirective& directive : seen_at(resolver, file, offset)) {
    const parse::Import& import = directive.file->facts.imports[directive.import];
    if (import.kind != ImportKind::kInclude) continue;
    const std::string used = path_of(resolver, directive);
    Entities found = members(resolver, used + "." + std::string(kUsing), name);
    if (!found.empty()) return found;
  }
  return {};
}

Entities ElixirModules::bare(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                             const ElixirName& name) {
  // Of the module around; what a quote in a function defines it sees first.
  const std::uint32_t module = module_at(file, offset);
  const auto id = file.find_name(name.name);
  for (std::uint32_t around = id ? file.symbol_at(offset) : kNoIndex; around != kNoIndex;
       around = around == module ? kNoIndex : file.surrounding(around)) {
    Entities own;
    for (const std::uint32_t member : file.members_of(around, *id)) {
      const parse::Symbol& symbol = file.facts.symbols[member];
      const bool is_function =
          symbol.type == SymbolType::kMethod || symbol.type == SymbolType::kFunction;
      if (name.is_type ? symbol.type != SymbolType::kType : !is_function) continue;
      const auto [least, most] = elixir_arities(file, member);
      if (name.has_arity && (name.arity < least || name.arity > most)) continue;
      add(own, {EntityKind::kSymbol, &file, member});
    }
    // Several declarations: a callback and the function; the function counts.
    if (own.size() > 1) {
      Entities functions = members(resolver, full_name(resolver, file, around), name, &file);
      if (!functions.empty()) own = std::move(functions);
    }
    if (!own.empty()) return own;
  }
  if (name.is_type) return injected_members(resolver, file, offset, name);
  for (const ElixirDirective& directive : seen_at(resolver, file, offset)) {
    const parse::Import& import = directive.file->facts.imports[directive.import];
    if (!import.from_import) continue;
    const bool gives = std::ranges::any_of(import.names, [&](const parse::ImportedName& each) {
      const std::string& imported = directive.file->name(each.imported);
      return imported == "*" || imported == name.name;
    });
    if (!gives) continue;
    Entities found = members(resolver, path_of(resolver, directive), name);
    if (!found.empty()) return found;
  }
  if (Entities found = injected_members(resolver, file, offset, name); !found.empty()) {
    return found;
  }
  // What `use` runs may import its own module by ways that are not read: a macro in it.
  for (const ElixirDirective& directive : seen_at(resolver, file, offset)) {
    if (directive.file->facts.imports[directive.import].kind != ImportKind::kInclude) continue;
    Entities found = members(resolver, path_of(resolver, directive), name);
    std::erase_if(found, [&](const Entity& entity) {
      const parse::TermId term = symbol_of(entity).term;
      if (term == kNoIndex || entity.file->facts.terms[term].kind != parse::TermKind::kFunction) {
        return true;
      }
      return entity.file->facts.functions[entity.file->facts.terms[term].at].is_private;
    });
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace codexmem::graph
