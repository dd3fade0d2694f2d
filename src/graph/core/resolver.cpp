// Occurrences, and the scopes that bare names go through. Flow is not followed: a name's values are
// the union over its bindings in that scope. Tested by graph/references_test.cpp.
#include "graph/core/resolver.h"

#include <algorithm>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

namespace {

// Of what a name in `file` may mean, what a build may have together with the file.
Entities of_one_build(const FileModel& file, Entities meant) {
  if (meant.size() < 2) return meant;
  const auto is_elsewhere = [&](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && entity.file != &file &&
           !file.semantics.may_build_together(file, *entity.file);
  };
  const auto elsewhere = std::count_if(meant.begin(), meant.end(), is_elsewhere);
  if (elsewhere > 0 && static_cast<std::size_t>(elsewhere) < meant.size()) {
    std::erase_if(meant, is_elsewhere);
  }
  return meant;
}

// A name imported at the top of a module may be a variable of the module as well (try: import x,
// except: x = None).
void add_alternatives(const FileModel& file, parse::NameId name, Entities& meant) {
  if (!file.semantics.traits().imports_have_alternatives) return;
  for (const std::uint32_t symbol : file.members_of(kNoIndex, name)) {
    add(meant, {EntityKind::kSymbol, &file, symbol});
  }
}

// x.a = 1 declares an a for those who look for it there; where x is of a type that declares one, it
// is a use of that.
Entities assigned_members(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  Entities before;
  if (occurrence.receiver_kind == ReceiverKind::kName ||
      occurrence.receiver_kind == ReceiverKind::kTerm) {
    before = resolver.receivers(file, index);
  }
  std::erase_if(before, [](const Entity& value) {
    return !is_instance(value) && value.kind != EntityKind::kObject &&
           value.kind != EntityKind::kTypeParameter;
  });
  if (before.empty()) return {};
  Entities found = resolver.members(before, file.name(occurrence.name));
  std::erase_if(found, [](const Entity& member) { return member.kind != EntityKind::kSymbol; });
  return found;
}

// True for a function or accessor whose body, or a scope of it, is around `offset`.
bool runs_around(const FileModel& file, std::uint32_t symbol, std::uint32_t offset) {
  if (is_callable(file.facts.symbols[symbol])) return true;
  std::uint32_t scope = file.scope_at(offset);
  while (scope != kNoIndex && file.facts.scopes[scope].symbol != symbol) {
    scope = file.facts.scopes[scope].parent;
  }
  return scope != kNoIndex && file.facts.scopes[scope].kind == parse::ScopeKind::kFunction;
}

}  // namespace

const FileModel* Resolver::model(store::FileId id) {
  if (const auto known = models_.find(id); known != models_.end()) return known->second.get();
  std::shared_ptr<const FileModel> loaded;
  if (const store::FileRow* row = files_.find(id)) {
    if (family_of(row->language) != Family::kNone) {
      auto result = cache_.model(reader_, *row);
      if (result.ok()) {
        loaded = std::move(result).value();
        if (loaded == nullptr) ++damaged_files_;
      } else if (status_.ok()) {
        status_ = std::move(result).error();
      }
    }
  }
  return (models_[id] = std::move(loaded)).get();
}

const FileModel* Resolver::library(const LanguageSemantics& semantics, std::string_view name) {
  if (!semantics.library_units().has(name)) return nullptr;
  std::shared_ptr<const FileModel>& unit = library_[{&semantics, std::string(name)}];
  if (unit == nullptr) unit = semantics.library_units().find(name);
  return unit.get();
}

const std::vector<store::DependencyRow>& Resolver::dependencies(store::FileId id) {
  return rows_of(dependencies_, id, &store::CodeReader::list_dependencies);
}

const std::vector<store::DependencyRow>& Resolver::dependents(store::FileId id) {
  return rows_of(dependents_, id, &store::CodeReader::list_dependents);
}

// The rows of a file as `list` gives them, read once. A unit of a library has none.
const std::vector<store::DependencyRow>& Resolver::rows_of(
    RowsByFile& known, store::FileId id,
    Result<std::vector<store::DependencyRow>> (store::CodeReader::*list)(store::FileId)) {
  const auto [at, is_new] = known.try_emplace(id);
  if (!is_new || id < store::FileId{}) return at->second;
  auto rows = (reader_.*list)(id);
  if (rows.ok()) {
    at->second = std::move(rows).value();
  } else if (status_.ok()) {
    status_ = std::move(rows).error();
  }
  return at->second;
}

// ---- Occurrences.

const Entities& Resolver::resolve(const FileModel& file, std::uint32_t index) {
  static const Entities kUnknown = {kUnknownEntity};
  return memoised(&FileMemo::by_occurrence, file, index, kUnknown, [&] {
    Entities own = of_one_build(file, resolve_uncached(file, index));
    return file.is_covered() ? resolve_as_compiled(file, index, std::move(own)) : own;
  });
}

namespace {

// The symbols that the targets of compilers' indexes are, by file and number of the target.
struct CompilerTargets : Resolver::Memory {
  std::map<std::pair<const FileModel*, std::uint32_t>, Entity> known;
};

}  // namespace

std::optional<Entities> Resolver::said_by_compiler(const FileModel& file, std::uint32_t offset) {
  const auto uses = file.compiler.at(offset);
  if (uses.empty()) return std::nullopt;
  Entities found;
  for (const CompilerUses::Use& use : uses) {
    if (use.target == kNoIndex) continue;
    const auto [known, is_new] =
        memory<CompilerTargets>().known.try_emplace({&file, use.target}, kUnknownEntity);
    if (is_new) {
      const CompilerUses::Target& target = file.compiler.targets[use.target];
      const FileModel* defining =
          model(static_cast<store::FileId>(static_cast<std::int64_t>(file.id) + target.file_step));
      const std::uint32_t symbol =
          defining == nullptr ? kNoIndex
                              : defining->symbol_called(target.qualified_name, target.number);
      if (symbol != kNoIndex) known->second = {EntityKind::kSymbol, defining, symbol};
    }
    if (known->second == kUnknownEntity) return std::nullopt;
    add(found, known->second);
  }
  if (found.empty()) found.push_back(kExternalEntity);
  return found;
}

// What the compiler said, as far as it did. Its symbols have no type arguments, so `own`, our
// own resolution, gives them.
Entities Resolver::resolve_as_compiled(const FileModel& file, std::uint32_t index, Entities own) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  auto meant = occurrence.by_syntax ? std::nullopt : said_by_compiler(file, occurrence.offset);
  if (!meant) return own;
  if (meant->front() != kExternalEntity) {
    for (Entity& entity : *meant) {
      const auto same =
          std::ranges::find_if(own, [&](const Entity& other) { return other.is_same(entity); });
      if (same != own.end()) entity = *same;
    }
    // new A(): said to be a constructor, and a use of A as well.
    for (const Entity& type : own) {
      const bool is_made = is_class(type) && std::ranges::any_of(*meant, [&](const Entity& maker) {
                             return maker.file == type.file && is_callable(symbol_of(maker)) &&
                                    maker.file->owner_of(maker.index) == type.index;
                           });
      if (is_made) add(*meant, type);
    }
    return *std::move(meant);
  }
  // Something else, so none of the symbols that the compiler knows.
  std::erase_if(own, [](const Entity& entity) {
    return entity.kind == EntityKind::kUnknown ||
           (entity.kind == EntityKind::kSymbol &&
            entity.file->compiler.knows(symbol_of(entity).name_range.begin));
  });
  return own.empty() ? *std::move(meant) : own;
}

Entities Resolver::resolve_uncached(const FileModel& file, std::uint32_t index) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (occurrence.receiver_kind == ReceiverKind::kKey && occurrence.role == Role::kRead) {
    Entities meant = resolve_key(file, index);
    if (!file.semantics.traits().keys_may_be_names || has_kind(meant, EntityKind::kSymbol)) {
      return meant;
    }
    auto named = file.semantics.meaning_by_form(*this, file, index);
    return named ? std::move(*named) : meant;
  }
  if (const std::uint32_t symbol = file.symbol_named_at(occurrence.offset); symbol != kNoIndex) {
    const Entity named{EntityKind::kSymbol, &file, symbol};
    // this.x = ... where a class above declares x is a use of that x.
    if (file.is_assigned_member(symbol)) {
      const Entity owner{EntityKind::kInstance, &file, file.owner_of(symbol)};
      Entities declared = declared_above(owner, symbol, owner);
      if (!declared.empty()) return declared;
    }
    Entities meant = {named};
    if (file.semantics.traits().assignments_use_members) {
      add_all(meant, assigned_members(*this, file, index));
    }
    // const a: Options = { name: 1 }: the key is a symbol, and a use of what Options says.
    if (occurrence.receiver_kind == ReceiverKind::kKey && occurrence.receiver != kNoIndex) {
      for (const Entity& entity : resolve_key(file, index)) {
        if (entity.kind == EntityKind::kSymbol) add(meant, entity);
      }
    } else if (occurrence.receiver_kind == ReceiverKind::kKey &&
               file.semantics.traits().keys_may_be_names) {
      // delegate :name, to: :it: a method that is named by what it calls.
      add_all(meant, file.semantics.meaning_by_form(*this, file, index).value_or(Entities{}));
    }
    return meant;
  }
  const std::string& name = file.name(occurrence.name);
  if (occurrence.receiver_kind == ReceiverKind::kNone) return resolve_bare(file, index);
  if (occurrence.receiver_kind == ReceiverKind::kKey) return resolve_key(file, index);
  if (auto meant = file.semantics.meaning_by_form(*this, file, index)) return std::move(*meant);
  if (occurrence.receiver_kind == ReceiverKind::kOther) return {kUnknownEntity};
  const Entities before = receivers(file, index);
  if (before.empty()) return {kUnknownEntity};
  Entities meant = members(before, name);
  for (const Entity& named : members_by_key(before, name)) {
    if (named.kind == EntityKind::kSymbol) add(meant, named);
    // Its keys are not known.
    if (named.kind == EntityKind::kUnknown) add(meant, kElsewhereEntity);
  }
  if (!meant.empty()) return meant;
  // this.x in a mixin: what the types have that use it.
  const bool is_own =
      occurrence.receiver_kind == ReceiverKind::kThis && is_instance(before.front());
  if (!is_own) return {};
  return members_below(before.front(), name);
}

Entities Resolver::receivers(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  switch (occurrence.receiver_kind) {
    case ReceiverKind::kThis:
      return enclosing_owner(file, occurrence.offset);
    case ReceiverKind::kSuper: {
      Entities bases;
      for (const Entity& owner : enclosing_owner(file, occurrence.offset)) {
        if (owner.kind == EntityKind::kInstance) add_all(bases, supertypes(owner));
      }
      return bases;
    }
    case ReceiverKind::kName:
      return values_at(file, occurrence.receiver);
    case ReceiverKind::kTerm:
    case ReceiverKind::kKey:
      return evaluate(file, occurrence.receiver);
    default:
      return {};
  }
}

// A key of an object pattern or of an object literal: a member of what the pattern takes apart, or
// of what the literal's place expects.
Entities Resolver::resolve_key(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  if (occurrence.role == Role::kRead) {
    // const { a: b } = require(...): the key, or the name that it binds, is an import's.
    std::uint32_t binding = file.binding_at(occurrence.offset);
    if (binding == kNoIndex && index + 1 < file.facts.occurrences.size()) {
      binding = file.binding_at(file.facts.occurrences[index + 1].offset);
    }
    const auto is_taken_apart = [&](const parse::Binding& bound) {
      return bound.kind == BindingKind::kImport &&
             file.facts.imports[bound.target].kind != parse::ImportKind::kImport;
    };
    if (binding != kNoIndex && is_taken_apart(file.facts.bindings[binding])) {
      const parse::Binding& bound = file.facts.bindings[binding];
      const auto& names = file.facts.imports[bound.target].names;
      const bool is_imported = bound.imported_name < names.size() &&
                               names[bound.imported_name].imported == occurrence.name;
      return is_imported ? resolve_binding(file, binding) : Entities{kUnknownEntity};
    }
  }
  if (occurrence.receiver == kNoIndex) return {kUnknownEntity};
  const parse::Term& of = file.facts.terms[occurrence.receiver];
  if (of.kind == parse::TermKind::kArgument && of.at == kNoIndex) {
    return keyword_argument(file, file.parts_of(of)[0], name);
  }
  const Entities whole = evaluate(file, occurrence.receiver);
  if (file.semantics.traits().map_keys_are_names) {
    if (is_of_elements(whole)) {
      return lookup(file, file.scope_at(occurrence.offset), occurrence.name, occurrence.role,
                    occurrence.offset);
    }
    // The literal of a type of a library may be a map's: there the key may be any name.
    if (std::ranges::none_of(whole, [](const Entity& entity) {
          return entity.kind != EntityKind::kUnknown && entity.kind != EntityKind::kExternal;
        })) {
      const Entities meant = lookup(file, file.scope_at(occurrence.offset), occurrence.name,
                                    occurrence.role, occurrence.offset);
      if (meant.empty() || !is_known(meant.front())) return whole;
      return meant.front().kind == EntityKind::kLocal ? meant : Entities{kUnknownEntity};
    }
  }
  Entities found = members(whole, name);
  for (const Entity& named : members_by_key(whole, name)) {
    if (named.kind == EntityKind::kSymbol) add(found, named);
  }
  // A key is no method where there is a field of its name.
  const auto is_method = [](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && is_callable(symbol_of(entity));
  };
  const auto is_field = [](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && symbol_of(entity).type == SymbolType::kProperty;
  };
  if (occurrence.role == Role::kCall) {
    // [$this, "run"]
    std::erase_if(found, [&](const Entity& entity) {
      return entity.kind == EntityKind::kSymbol && !file.semantics.may_use(file, index, entity);
    });
  } else if (found.size() > 1 && std::ranges::any_of(found, is_field)) {
    std::erase_if(found, is_method);
  }
  return found;
}

// ---- Scopes.

Entities Resolver::resolve_bare(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (const auto imported = file.imported_name_at(occurrence.offset)) {
    const parse::ImportedName& name = file.facts.imports[imported->first].names[imported->second];
    if (name.imported == occurrence.name || name.local == occurrence.name) {
      const bool is_bound =
          name.local != kNoIndex && file.facts.imports[imported->first].scope == 0;
      Entities entities = resolve_import(file, imported->first, imported->second);
      if (is_bound) add_alternatives(file, name.local, entities);
      return entities;
    }
  }
  if (occurrence.role == Role::kExport) {
    const std::uint32_t at = file.export_at(occurrence.offset);
    if (at != kNoIndex) return resolve_export(file, at);
  }
  if (const std::uint32_t binding = file.binding_at(occurrence.offset); binding != kNoIndex) {
    Entities entities = resolve_binding(file, binding);
    const parse::Binding& bound = file.facts.bindings[binding];
    const bool is_alias = occurrence.role == Role::kDefinition;
    if (is_alias && bound.kind == BindingKind::kImport && bound.scope == 0) {
      add_alternatives(file, bound.name, entities);
    }
    return entities;
  }
  // A name that binds nothing, of a parameter that is only announced: nobody else means it.
  if (occurrence.role == Role::kDefinition) return {kExternalEntity};
  if (auto meant = file.semantics.meaning_by_form(*this, file, index)) return std::move(*meant);
  const bool is_late = file.semantics.traits().names_are_seen_behind;
  return lookup(file, file.scope_at(occurrence.offset), occurrence.name, occurrence.role,
                is_late ? occurrence.offset : kNoIndex);
}

Entities Resolver::bindings_of(const FileModel& file, std::uint32_t scope, parse::NameId name) {
  Entities entities;
  const auto bindings = file.bindings_in(scope, name);
  if (bindings.size() > kMaxAlternatives && file.semantics.traits().alternatives_are_likely) {
    return {kUnknownEntity};
  }
  for (const std::uint32_t binding : bindings) {
    add_all(entities, resolve_binding(file, binding));
  }
  if (scope == 0 && !entities.empty()) add_alternatives(file, name, entities);
  return entities;
}

Entities Resolver::lookup(const FileModel& file, std::uint32_t scope, parse::NameId name, Role role,
                          std::uint32_t offset) {
  const std::uint32_t start = scope;
  Entities unfitting;
  while (scope != kNoIndex) {
    const parse::Scope& at = file.facts.scopes[scope];
    auto bindings = file.bindings_in(scope, name);
    // A declaration further down is not visible yet; of several declarations the last visible one
    // counts.
    if (offset != kNoIndex && scope != 0 && !bindings.empty()) {
      std::size_t seen = 0;
      for (std::size_t i = 0; i < bindings.size(); ++i) {
        if (file.is_seen(bindings[i], offset)) seen = i + 1;
      }
      bindings = seen == 0 ? bindings.first(0) : bindings.subspan(seen - 1, 1);
      if (!bindings.empty()) return resolve_binding(file, bindings.front());
    }
    if (!bindings.empty() &&
        !file.semantics.is_hidden(file, at, bindings.front(), role, scope == start)) {
      const BindingKind kind = file.facts.bindings[bindings.front()].kind;
      if (kind == BindingKind::kGlobal) {
        scope = 0;
        if (file.bindings_in(0, name).empty()) return {kUnknownEntity};
        continue;
      }
      const auto fits = [&](std::uint32_t b) { return file.semantics.fits(file, b, role); };
      const bool all_fit = std::all_of(bindings.begin(), bindings.end(), fits);
      if (all_fit && kind != BindingKind::kNonlocal) return bindings_of(file, scope, name);
      Entities fitting;
      for (const std::uint32_t binding : bindings) {
        if (!fits(binding)) {
          if (unfitting.empty()) unfitting = resolve_binding(file, binding);
        } else if (kind != BindingKind::kNonlocal) {
          add_all(fitting, resolve_binding(file, binding));
        }
      }
      if (!fitting.empty()) return fitting;
    }
    scope = at.parent;
  }
  // A value in type position without `typeof` is an error in the source, or not understood by us; a
  // type is never a value: that name is the language's.
  if (role == Role::kType && !unfitting.empty()) return unfitting;
  return file.semantics.unbound_name(*this, file, file.name(name));
}

Entities Resolver::resolve_binding(const FileModel& file, std::uint32_t index) {
  const parse::Binding& binding = file.facts.bindings[index];
  switch (binding.kind) {
    case BindingKind::kSymbol:
      return {{EntityKind::kSymbol, &file, binding.target}};
    case BindingKind::kAlias: {
      // import a = b.c: the alias and its target.
      Entities meant = {{EntityKind::kSymbol, &file, binding.target}};
      const parse::TermId term = file.facts.symbols[binding.target].term;
      if (term != kNoIndex && file.facts.terms[term].kind == parse::TermKind::kName) {
        add_all(meant, resolve(file, file.facts.terms[term].at));
      }
      return meant;
    }
    case BindingKind::kImport:
      return resolve_import(file, binding.target, binding.imported_name);
    case BindingKind::kGlobal:
      return bindings_of(file, 0, binding.name);
    case BindingKind::kNonlocal: {
      const std::uint32_t parent = file.facts.scopes[binding.scope].parent;
      if (parent == kNoIndex) return {kUnknownEntity};
      return lookup(file, parent, binding.name);
    }
    case BindingKind::kParameter: {
      // constructor(public x: T): a parameter, and a member.
      Entities meant = {{EntityKind::kLocal, &file, index}};
      const std::uint32_t member = file.symbol_named_at(binding.offset);
      if (member != kNoIndex) add(meant, {EntityKind::kSymbol, &file, member});
      return meant;
    }
    case BindingKind::kLocal:
    case BindingKind::kTypeParameter:
      return {{EntityKind::kLocal, &file, index}};
  }
  return {kUnknownEntity};
}

// What `this` or `self` is at `offset`: an instance of the class around it, or the object literal,
// or the function whose members are assigned.
Entities Resolver::enclosing_owner(const FileModel& file, std::uint32_t offset) {
  std::uint32_t symbol = file.symbol_at(offset);
  for (; symbol != kNoIndex; symbol = file.surrounding(symbol)) {
    const parse::Symbol& at = file.facts.symbols[symbol];
    const bool is_enum = at.type == SymbolType::kType && file.semantics.traits().types_have_members;
    if (at.type == SymbolType::kClass || at.type == SymbolType::kInterface || is_enum) {
      return {{EntityKind::kInstance, &file, symbol}};
    }
    const std::uint32_t owner = file.owner_of(symbol);
    if (owner == kNoIndex || !is_callable(at)) continue;
    const parse::Symbol& parent = file.facts.symbols[owner];
    if (parent.type == SymbolType::kClass) return {{EntityKind::kInstance, &file, owner}};
    // A function inside a function has the `this` of the code around it, or no known `this`.
    if (!runs_around(file, owner, at.range.begin) || parent.range.end <= at.range.begin) {
      return {{EntityKind::kSymbol, &file, owner}};
    }
  }
  return {};
}

}  // namespace codexmem::graph
