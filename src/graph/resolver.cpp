// A small interpreter over facts. An occurrence is resolved to entities: a bare name through the
// scopes to a binding, and from a binding to a symbol, a local, or through an import to another
// file; a member through the value of its receiver, which is found from the type hint of what the
// receiver means. Everything is computed on demand and memoised by occurrence; an occurrence that
// is met while it is being resolved (a = a.b) means kUnknown, which also bounds recursion, together
// with kMaxDepth. The invariant that callers rely on: an empty answer, a local, an external or
// another symbol are knowledge; where the facts do not suffice, the answer holds kUnknown.
//
// Flow is not followed: a name's values are the union over its bindings in that scope. Tested by
// graph/references_test.cpp.
#include "graph/resolver.h"

#include <algorithm>

#include "graph/project_tree.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::HintKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;

constexpr int kMaxDepth = 48;

const Entity kUnknownEntity{};
const Entity kExternalEntity{EntityKind::kExternal, nullptr, 0};

void add(Entities& to, const Entity& entity) {
  if (std::find(to.begin(), to.end(), entity) == to.end()) to.push_back(entity);
}

void add_all(Entities& to, const Entities& from) {
  for (const Entity& entity : from) add(to, entity);
}

bool is_type_like(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kClass || symbol.type == SymbolType::kInterface ||
         symbol.type == SymbolType::kType;
}

bool is_callable(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kFunction || symbol.type == SymbolType::kMethod;
}

bool is_part(HintKind kind) {
  return kind == HintKind::kPart || kind == HintKind::kPartOfCall || kind == HintKind::kPartOfType;
}

// The key of the object pattern that binds the name at `offset`.
std::string_view key_of(const FileModel& file, std::uint32_t offset) {
  const std::uint32_t at = file.occurrence_at(offset);
  if (at == kNoIndex) return {};
  const auto& occurrences = file.facts.occurrences;
  const auto is_key = [&](std::uint32_t i) {
    return occurrences[i].receiver_kind == ReceiverKind::kKey && occurrences[i].role == Role::kRead;
  };
  const bool is_shorthand = (at + 1 < occurrences.size() && occurrences[at + 1].offset == offset) ||
                            at == 0 || !is_key(at - 1) || is_key(at);
  return file.name(occurrences[is_shorthand ? at : at - 1].name);
}

// True for D in `x as a.b.D`, which the grammar reads as (x as a.b).D: a name right behind a type
// and one sign, with some other receiver.
bool follows_type(const FileModel& file, std::uint32_t index) {
  if (index == 0 || file.family != Family::kEcmaScript) return false;
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const parse::Occurrence& before = file.facts.occurrences[index - 1];
  return (occurrence.receiver_kind == ReceiverKind::kNew ||
          occurrence.receiver_kind == ReceiverKind::kCall ||
          occurrence.receiver_kind == ReceiverKind::kOther) &&
         before.role == Role::kType &&
         before.offset + file.name(before.name).size() + 1 == occurrence.offset;
}

std::string join_module(std::string_view path, std::string_view name) {
  std::string joined(path);
  if (!joined.ends_with(".")) joined += '.';
  joined += name;
  return joined;
}

}  // namespace

bool has_kind(const Entities& entities, EntityKind kind) {
  return std::any_of(entities.begin(), entities.end(),
                     [&](const Entity& entity) { return entity.kind == kind; });
}

struct Resolver::Frame {
  explicit Frame(Resolver& resolver) : resolver_(resolver) { ++resolver_.depth_; }
  ~Frame() { --resolver_.depth_; }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  bool too_deep() const { return resolver_.depth_ > kMaxDepth; }

 private:
  Resolver& resolver_;
};

const FileModel* Resolver::model(store::FileId id) {
  if (const auto known = models_.find(id); known != models_.end()) return known->second.get();
  std::shared_ptr<const FileModel> loaded;
  if (const store::FileRow* row = files_->find(id)) {
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

const std::vector<store::DependencyRow>& Resolver::dependencies(store::FileId id) {
  if (const auto known = dependencies_.find(id); known != dependencies_.end()) return known->second;
  auto rows = reader_.list_dependencies(id);
  if (!rows.ok()) {
    if (status_.ok()) status_ = std::move(rows).error();
    return dependencies_[id];
  }
  return dependencies_[id] = std::move(rows).value();
}

std::uint32_t Resolver::intern_folder(std::string_view folder) {
  const auto found = std::find(folders_.begin(), folders_.end(), folder);
  if (found != folders_.end()) return static_cast<std::uint32_t>(found - folders_.begin());
  folders_.emplace_back(folder);
  return static_cast<std::uint32_t>(folders_.size() - 1);
}

// ---- Occurrences.

const Entities& Resolver::resolve(const FileModel& file, std::uint32_t index) {
  auto& memo = memo_[&file].by_occurrence;
  if (const auto known = memo.find(index); known != memo.end()) return known->second;
  memo[index] = {kUnknownEntity};  // what it means while it is being resolved
  Entities entities = resolve_uncached(file, index);
  return memo_[&file].by_occurrence[index] = std::move(entities);
}

Entities Resolver::resolve_uncached(const FileModel& file, std::uint32_t index) {
  const Frame frame(*this);
  if (frame.too_deep()) return {kUnknownEntity};
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (occurrence.receiver_kind == ReceiverKind::kKey && occurrence.role == Role::kRead) {
    return resolve_key(file, index);
  }
  if (const std::uint32_t symbol = file.symbol_named_at(occurrence.offset); symbol != kNoIndex) {
    // this.x = ... where a class above declares x is a use of that x.
    if (file.family == Family::kEcmaScript && file.is_assigned_member(symbol)) {
      Entities inherited =
          type_members(file, file.owner_of(symbol), file.name(occurrence.name), false);
      if (has_kind(inherited, EntityKind::kSymbol)) return inherited;
    }
    return {{EntityKind::kSymbol, &file, symbol}};
  }
  const std::string& name = file.name(occurrence.name);
  if (follows_type(file, index)) return members(resolve(file, index - 1), name);
  switch (occurrence.receiver_kind) {
    case ReceiverKind::kNone:
      return resolve_bare(file, index);
    case ReceiverKind::kThis: {
      Entities owners = enclosing_owner(file, occurrence.offset);
      if (owners.empty()) return {kUnknownEntity};
      return members(owners, name);
    }
    case ReceiverKind::kSuper: {
      Entities bases;
      for (const Entity& owner : enclosing_owner(file, occurrence.offset)) {
        if (owner.kind == EntityKind::kInstance)
          add_all(bases, supertypes(*owner.file, owner.index));
      }
      if (bases.empty()) return {kUnknownEntity};
      return members(instances(bases), name);
    }
    case ReceiverKind::kName:
    case ReceiverKind::kCall:
    case ReceiverKind::kNew: {
      const Entities receiver = resolve(file, occurrence.receiver);
      if (name == "exports" && file.family == Family::kEcmaScript &&
          file.name(file.facts.occurrences[occurrence.receiver].name) == "module" &&
          has_kind(receiver, EntityKind::kUnknown)) {
        return commonjs_module(file);
      }
      if (occurrence.receiver_kind == ReceiverKind::kCall) {
        return members(call_results(file, occurrence.receiver), name);
      }
      if (occurrence.receiver_kind == ReceiverKind::kNew) return members(instances(receiver), name);
      return members(receiver, name);
    }
    case ReceiverKind::kKey:
    case ReceiverKind::kOther:
      return {kUnknownEntity};
  }
  return {kUnknownEntity};
}

Entities Resolver::receivers(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  switch (occurrence.receiver_kind) {
    case ReceiverKind::kThis:
    case ReceiverKind::kSuper:
      return enclosing_owner(file, occurrence.offset);
    case ReceiverKind::kName:
      return values_of(resolve(file, occurrence.receiver));
    case ReceiverKind::kCall:
      return call_results(file, occurrence.receiver);
    case ReceiverKind::kNew:
      return instances(resolve(file, occurrence.receiver));
    default:
      return {};
  }
}

// A key of an object pattern: a member of what the pattern takes apart. The hint stands with the
// name that the key binds: at the same place, or next.
Entities Resolver::resolve_key(const FileModel& file, std::uint32_t index) {
  const auto& occurrences = file.facts.occurrences;
  std::uint32_t binding = file.binding_at(occurrences[index].offset);
  if (binding == kNoIndex && index + 1 < occurrences.size()) {
    binding = file.binding_at(occurrences[index + 1].offset);
  }
  if (binding == kNoIndex) return {kUnknownEntity};
  const parse::Binding& bound = file.facts.bindings[binding];
  if (bound.kind == BindingKind::kImport) {  // const { a: b } = require(...)
    const auto& names = file.facts.imports[bound.target].names;
    const bool is_imported = bound.imported_name < names.size() &&
                             names[bound.imported_name].imported == occurrences[index].name;
    return is_imported ? resolve_binding(file, binding) : Entities{kUnknownEntity};
  }
  const parse::TypeHint& hint =
      bound.kind == BindingKind::kSymbol ? file.facts.symbols[bound.target].hint : bound.hint;
  if (!is_part(hint.kind)) return {kUnknownEntity};
  return members(taken_apart(file, hint), file.name(occurrences[index].name));
}

Entities Resolver::resolve_bare(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (const auto imported = file.imported_name_at(occurrence.offset)) {
    const parse::ImportedName& name = file.facts.imports[imported->first].names[imported->second];
    if (name.imported == occurrence.name || name.local == occurrence.name) {
      return resolve_import(file, imported->first, imported->second);
    }
  }
  if (occurrence.role == Role::kExport) {
    const std::uint32_t at = file.export_at(occurrence.offset);
    if (at != kNoIndex) return resolve_export(file, at);
  }
  if (const std::uint32_t binding = file.binding_at(occurrence.offset); binding != kNoIndex) {
    return resolve_binding(file, binding);
  }
  Entities found = lookup(file, file.scope_at(occurrence.offset), occurrence.name, occurrence.role);
  // CommonJS: `exports` is the module's own.
  if (file.family == Family::kEcmaScript && file.name(occurrence.name) == "exports" &&
      has_kind(found, EntityKind::kUnknown)) {
    return {{EntityKind::kModule, &file, 0}};
  }
  return found;
}

// False for a type where a value is meant, and the other way round.
bool Resolver::fits(const FileModel& file, std::uint32_t index, Role role) const {
  if (file.family != Family::kEcmaScript) return true;
  const parse::Binding& binding = file.facts.bindings[index];
  const bool wants_type = role == Role::kType;
  const bool wants_value = role == Role::kRead || role == Role::kCall || role == Role::kWrite;
  switch (binding.kind) {
    case BindingKind::kTypeParameter:
      return !wants_value;
    case BindingKind::kParameter:
      return !wants_type;
    case BindingKind::kSymbol:
      if (wants_type) return !file.is_only_value(binding.target);
      if (wants_value) return !file.is_only_type(binding.target);
      return true;
    default:
      return true;
  }
}

Entities Resolver::bindings_of(const FileModel& file, std::uint32_t scope, parse::NameId name) {
  Entities entities;
  for (const std::uint32_t binding : file.bindings_in(scope, name)) {
    add_all(entities, resolve_binding(file, binding));
  }
  // try: import x, except: x = None.
  if (scope == 0 && file.family == Family::kPython && !entities.empty()) {
    for (const std::uint32_t symbol : file.members_of(kNoIndex, name)) {
      add(entities, {EntityKind::kSymbol, &file, symbol});
    }
  }
  return entities;
}

Entities Resolver::lookup(const FileModel& file, std::uint32_t scope, parse::NameId name,
                          Role role) {
  const std::uint32_t start = scope;
  Entities unfitting;
  while (scope != kNoIndex) {
    const parse::Scope& at = file.facts.scopes[scope];
    // Names of a Python class body are not seen by the functions inside it.
    const bool is_hidden =
        file.family == Family::kPython && at.kind == ScopeKind::kClass && scope != start;
    if (!is_hidden) {
      const auto bindings = file.bindings_in(scope, name);
      if (!bindings.empty()) {
        const BindingKind kind = file.facts.bindings[bindings.front()].kind;
        if (kind == BindingKind::kGlobal) {
          scope = 0;
          if (file.bindings_in(0, name).empty()) return {kUnknownEntity};
          continue;
        }
        Entities fitting;
        bool all_fit = true;
        for (const std::uint32_t binding : bindings) {
          if (!fits(file, binding, role)) {
            all_fit = false;
            if (unfitting.empty()) unfitting = resolve_binding(file, binding);
          } else if (kind != BindingKind::kNonlocal) {
            add_all(fitting, resolve_binding(file, binding));
          }
        }
        if (all_fit && kind != BindingKind::kNonlocal) return bindings_of(file, scope, name);
        if (!fitting.empty()) return fitting;
      }
    }
    scope = at.parent;
  }
  // A value in type position without `typeof` is an error in the source, or not understood by us; a
  // type is never a value: that name is the language's.
  if (role == Role::kType && !unfitting.empty()) return unfitting;
  if (file.family == Family::kPython) return module_name(file, file.name(name));
  return {kUnknownEntity};
}

// A name that no scope of a Python file binds: one of a star import's, or a built-in.
Entities Resolver::module_name(const FileModel& file, std::string_view name) {
  Entities found;
  for (const std::uint32_t import : file.star_imports())
    add_all(found, star_import(file, import, name));
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

Entities Resolver::star_import(const FileModel& file, std::uint32_t import, std::string_view name) {
  for (const store::DependencyRow& row : dependencies(file.id)) {
    if (row.import_index != import) continue;
    const FileModel* target = row.target ? model(*row.target) : nullptr;
    if (target == nullptr || target == &file) return {};
    if (target->facts.has_all) {
      const auto id = target->find_name(name);
      if (!id || target->exports_named(*id).empty()) return {};
    } else if (name.starts_with("_")) {
      return {};
    }
    const Frame frame(*this);
    if (frame.too_deep()) return {};
    Entities entities = exported(*target, name);
    entities.erase(std::remove(entities.begin(), entities.end(), kUnknownEntity), entities.end());
    return entities;
  }
  return {};
}

Entities Resolver::resolve_binding(const FileModel& file, std::uint32_t index) {
  const parse::Binding& binding = file.facts.bindings[index];
  switch (binding.kind) {
    case BindingKind::kSymbol:
      return {{EntityKind::kSymbol, &file, binding.target}};
    case BindingKind::kImport:
      return resolve_import(file, binding.target, binding.imported_name);
    case BindingKind::kGlobal:
      return bindings_of(file, 0, binding.name);
    case BindingKind::kNonlocal: {
      const std::uint32_t parent = file.facts.scopes[binding.scope].parent;
      if (parent == kNoIndex) return {kUnknownEntity};
      return lookup(file, parent, binding.name);
    }
    case BindingKind::kParameter:
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
    if (at.type == SymbolType::kClass || at.type == SymbolType::kInterface) {
      return {{EntityKind::kInstance, &file, symbol}};
    }
    const std::uint32_t owner = file.owner_of(symbol);
    if (owner == kNoIndex || !is_callable(at)) continue;
    const parse::Symbol& parent = file.facts.symbols[owner];
    if (parent.type == SymbolType::kClass) return {{EntityKind::kInstance, &file, owner}};
    // A function inside a function has the `this` of what is around, or none of its own.
    if (!is_callable(parent) || parent.range.end <= at.range.begin) {
      return {{EntityKind::kSymbol, &file, owner}};
    }
  }
  return {};
}

// ---- Modules.

Entities Resolver::resolve_import(const FileModel& file, std::uint32_t import,
                                  std::uint32_t name_index) {
  const Frame frame(*this);
  if (frame.too_deep() || import >= file.facts.imports.size()) return {kUnknownEntity};
  const parse::Import& statement = file.facts.imports[import];
  const bool has_name = name_index < statement.names.size();
  const std::string_view name =
      has_name ? std::string_view(file.name(statement.names[name_index].imported)) : "*";

  const store::DependencyRow* base = nullptr;
  const store::DependencyRow* submodule = nullptr;
  for (const store::DependencyRow& row : dependencies(file.id)) {
    if (row.import_index != import) continue;
    if (row.is_external) return {kExternalEntity};
    if (!row.target) continue;
    if (file.family == Family::kPython && statement.from_import && row.package != statement.path) {
      if (row.package == join_module(statement.path, name)) submodule = &row;
    } else if (base == nullptr) {
      base = &row;
    }
  }
  if (file.family == Family::kPython) {
    if (statement.from_import && name != "*") {
      const FileModel* package = base == nullptr ? nullptr : model(*base->target);
      if (package != nullptr && package != &file) {
        Entities entities = exported(*package, name);
        if (!has_kind(entities, EntityKind::kUnknown) && !entities.empty()) return entities;
      }
      const FileModel* module = submodule == nullptr ? nullptr : model(*submodule->target);
      if (module != nullptr) return {{EntityKind::kModule, module, 0}};
      return {kUnknownEntity};
    }
    if (base == nullptr) return {kUnknownEntity};
    if (statement.binds_top_package) return top_package(statement, *base);
    const FileModel* module = model(*base->target);
    if (module == nullptr) return {kUnknownEntity};
    return {{EntityKind::kModule, module, 0}};
  }

  const FileModel* target = base == nullptr ? nullptr : model(*base->target);
  // Data or a stylesheet: whatever it gives, it is no symbol of ours.
  if (base != nullptr && target == nullptr) return {kExternalEntity};
  if (target == nullptr) return {kUnknownEntity};
  if (name == "*") return commonjs_module(*target);
  Entities entities = exported(*target, name);
  if (name == "default" && entities.empty()) return commonjs_module(*target);
  // const { a } = require(...) of a module whose exports are an object: a member of that object.
  if (entities.empty()) entities = members(commonjs_module(*target), name);
  if (entities.empty()) entities.push_back(kUnknownEntity);
  return entities;
}

// What require() of a file gives: module.exports where it is assigned, and the module itself, whose
// named exports are members.
Entities Resolver::commonjs_module(const FileModel& file) {
  Entities entities;
  if (const auto name = file.find_name("default")) {
    for (const std::uint32_t index : file.exports_named(*name)) {
      if (file.facts.exports[index].commonjs) add_all(entities, resolve_export(file, index));
    }
  }
  add(entities, {EntityKind::kModule, &file, 0});
  return entities;
}

// `import a.b.c` binds a: the package that lies as many folders above c as there are dots.
Entities Resolver::top_package(const parse::Import& import, const store::DependencyRow& row) {
  const store::FileRow* target = files_->find(*row.target);
  if (target == nullptr) return {kUnknownEntity};
  std::string_view folder = target->path;
  const std::string_view base = base_name(folder);
  if (base == "__init__.py" || base == "__init__.pyi") folder = folder_of(folder);
  const auto dots = std::count(import.path.begin(), import.path.end(), '.');
  if (dots == 0) {
    const FileModel* module = model(target->id);
    if (module == nullptr) return {kUnknownEntity};
    return {{EntityKind::kModule, module, 0}};
  }
  for (std::ptrdiff_t i = 0; i < dots; ++i) folder = folder_of(folder);
  const std::string_view name = base_name(folder);
  return folder_member(folder_of(folder), name);
}

// Module or package `name` in a folder.
Entities Resolver::folder_member(std::string_view folder, std::string_view name) {
  std::string path =
      folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
  for (const char* ending : {"/__init__.py", "/__init__.pyi", ".py", ".pyi"}) {
    const store::FileRow* row = files_->find(path + ending);
    if (row == nullptr) continue;
    if (const FileModel* module = model(row->id)) return {{EntityKind::kModule, module, 0}};
  }
  if (files_->has_folder(path)) return {{EntityKind::kFolder, nullptr, intern_folder(path)}};
  return {};
}

Entities Resolver::resolve_export(const FileModel& file, std::uint32_t index) {
  const Frame frame(*this);
  if (frame.too_deep()) return {kUnknownEntity};
  const parse::Export& entry = file.facts.exports[index];
  if (entry.import != kNoIndex && entry.import < file.facts.imports.size()) {
    const parse::Import& import = file.facts.imports[entry.import];
    for (std::uint32_t i = 0; i < import.names.size(); ++i) {
      if (import.names[i].imported == entry.local) return resolve_import(file, entry.import, i);
    }
    return resolve_import(file, entry.import, kNoIndex);  // export * as ns from
  }
  if (entry.symbol != kNoIndex) {
    Entities entities = {{EntityKind::kSymbol, &file, entry.symbol}};
    // Overloads and merged declarations share the name.
    if (file.owner_of(entry.symbol) == kNoIndex && entry.local != kNoIndex) {
      for (const std::uint32_t other : file.members_of(kNoIndex, entry.local)) {
        add(entities, {EntityKind::kSymbol, &file, other});
      }
    }
    return entities;
  }
  if (entry.local != kNoIndex) {
    Entities entities = bindings_of(file, 0, entry.local);
    if (entities.empty()) entities.push_back(kUnknownEntity);
    return entities;
  }
  // var app = module.exports = {...}: what the variable holds, with the members that it is given.
  // The name of the module elsewhere is not the variable's.
  const std::uint32_t around = entry.commonjs ? file.symbol_at(entry.offset) : kNoIndex;
  if (around != kNoIndex && file.facts.symbols[around].type == SymbolType::kVariable &&
      file.owner_of(around) == kNoIndex) {
    return {{EntityKind::kInstance, &file, around}};
  }
  return {kUnknownEntity};
}

Entities Resolver::exported(const FileModel& file, std::string_view name) {
  const Frame frame(*this);
  if (frame.too_deep()) return {kUnknownEntity};
  Entities entities;
  const auto id = file.find_name(name);
  if (file.family == Family::kPython) {
    if (id) entities = bindings_of(file, 0, *id);
    if (entities.empty()) {
      for (const std::uint32_t import : file.star_imports()) {
        add_all(entities, star_import(file, import, name));
      }
    }
    const std::string_view base = base_name(file.path);
    if (entities.empty() && (base == "__init__.py" || base == "__init__.pyi")) {
      entities = folder_member(folder_of(file.path), name);
    }
    return entities;
  }
  if (id) {
    for (const std::uint32_t index : file.exports_named(*id)) {
      add_all(entities, resolve_export(file, index));
    }
  }
  if (!entities.empty() || name == "default") return entities;
  bool incomplete = false;
  for (const std::uint32_t star : file.star_exports()) {
    const std::uint32_t import = file.facts.exports[star].import;
    for (const store::DependencyRow& row : dependencies(file.id)) {
      if (row.import_index != import) continue;
      const FileModel* target = row.target ? model(*row.target) : nullptr;
      if (target == nullptr) {
        incomplete = true;  // the name may come from what is not seen
        continue;
      }
      if (target != &file) add_all(entities, exported(*target, name));
    }
  }
  if (entities.empty() && incomplete) entities.push_back(kUnknownEntity);
  return entities;
}

Entities Resolver::module_members(const FileModel& file, std::string_view name) {
  Entities found = exported(file, name);
  // A file that exports nothing by syntax may still do so in ways that are not seen.
  if (found.empty() && file.family == Family::kEcmaScript && file.facts.exports.empty()) {
    return {kUnknownEntity};
  }
  return found;
}

// ---- Members.

Entities Resolver::supertypes(const FileModel& file, std::uint32_t symbol) {
  Entities types;
  for (const std::uint32_t occurrence : file.supertypes_of(symbol)) {
    for (const Entity& entity : Entities(resolve(file, occurrence))) {
      if (entity.kind == EntityKind::kSymbol &&
          is_type_like(entity.file->facts.symbols[entity.index])) {
        add(types, entity);
      } else if (entity.kind == EntityKind::kSymbol) {
        // class A extends mixin: what the variable holds.
        for (const Entity& value : value_of(entity)) add(types, value);
      } else {
        add(types, entity.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
      }
    }
  }
  return types;
}

Entities Resolver::overridden(const FileModel& file, std::uint32_t symbol) {
  Entities found;
  Entities open = {{EntityKind::kSymbol, &file, symbol}};
  const std::string name = file.facts.symbols[symbol].name;
  while (!open.empty()) {
    const Entity member = open.back();
    open.pop_back();
    const std::uint32_t owner = member.file->owner_of(member.index);
    if (owner == kNoIndex) continue;
    for (const Entity& base : type_members(*member.file, owner, name, false)) {
      if (base.kind != EntityKind::kSymbol ||
          std::find(found.begin(), found.end(), base) != found.end()) {
        continue;
      }
      found.push_back(base);
      open.push_back(base);
    }
  }
  return found;
}

// Members of a class, interface, enum or object, then of what it extends. Holds kUnknown or
// kExternal when a supertype is not of ours.
Entities Resolver::type_members(const FileModel& file, std::uint32_t symbol, std::string_view name,
                                bool include_own) {
  const Frame frame(*this);
  if (frame.too_deep()) return {kUnknownEntity};
  Entities found;
  if (include_own) {
    if (const auto id = file.find_name(name)) {
      bool is_assigned = file.family == Family::kEcmaScript;
      for (const std::uint32_t member : file.members_of(symbol, *id)) {
        add(found, {EntityKind::kSymbol, &file, member});
        is_assigned = is_assigned && file.is_assigned_member(member);
      }
      if (!found.empty() && is_assigned) {
        Entities inherited = type_members(file, symbol, name, false);
        if (has_kind(inherited, EntityKind::kSymbol)) return inherited;
      }
    }
    if (!found.empty()) return found;
  }
  for (const Entity& base : supertypes(file, symbol)) {
    if (base.kind == EntityKind::kSymbol || base.kind == EntityKind::kInstance) {
      Entities inherited = type_members(*base.file, base.index, name, true);
      const bool is_found = has_kind(inherited, EntityKind::kSymbol);
      add_all(found, inherited);
      if (is_found && file.family == Family::kPython) break;  // the first in order wins
    } else {
      add(found, base);
    }
  }
  if (has_kind(found, EntityKind::kSymbol)) {
    found.erase(std::remove_if(found.begin(), found.end(),
                               [](const Entity& e) { return e.kind != EntityKind::kSymbol; }),
                found.end());
  }
  // A type alias has the members of what it stands for.
  const parse::Symbol& at = file.facts.symbols[symbol];
  if (found.empty() && at.type == SymbolType::kType && at.hint.kind != HintKind::kNone) {
    return members(value_of_hint(file, at.hint), name);
  }
  return found;
}

Entities Resolver::members(const Entities& receivers, std::string_view name) {
  const Frame frame(*this);
  if (frame.too_deep()) return {kUnknownEntity};
  Entities found;
  bool is_unknown = receivers.empty();
  bool is_external = false;
  for (const Entity& receiver : receivers) {
    switch (receiver.kind) {
      case EntityKind::kUnknown:
        is_unknown = true;
        break;
      case EntityKind::kExternal:
      case EntityKind::kContainer:  // its members are the library's
        is_external = true;
        break;
      case EntityKind::kModule:
        for (const Entity& member : module_members(*receiver.file, name)) {
          if (member.kind == EntityKind::kUnknown) {
            is_unknown = true;
          } else {
            add(found, member);
          }
        }
        break;
      case EntityKind::kFolder:
        add_all(found, folder_member(std::string(folders_[receiver.index]), name));
        break;
      case EntityKind::kInstance:
      case EntityKind::kSymbol:
      case EntityKind::kLocal: {
        Entities direct;
        if (receiver.kind != EntityKind::kLocal) {
          direct = type_members(*receiver.file, receiver.index, name, true);
        }
        if (!has_kind(direct, EntityKind::kSymbol) && receiver.kind != EntityKind::kInstance) {
          const bool is_type = receiver.kind == EntityKind::kSymbol &&
                               is_type_like(receiver.file->facts.symbols[receiver.index]);
          if (!is_type) {
            Entities values = value_of(receiver);
            values.erase(std::remove(values.begin(), values.end(), receiver), values.end());
            if (values.empty()) values.push_back(kUnknownEntity);
            direct = members(values, name);
          }
        }
        for (const Entity& member : direct) {
          if (member.kind == EntityKind::kUnknown) {
            is_unknown = true;
          } else if (member.kind == EntityKind::kExternal) {
            is_external = true;
          } else {
            add(found, member);
          }
        }
        break;
      }
    }
  }
  if (!found.empty()) return found;
  if (is_unknown) return {kUnknownEntity};
  if (is_external) return {kExternalEntity};
  return {};
}

// ---- Values and types.

// What a variable, parameter or property holds.
Entities Resolver::value_of(const Entity& entity) {
  const Frame frame(*this);
  if (frame.too_deep()) return {kUnknownEntity};
  switch (entity.kind) {
    case EntityKind::kLocal: {
      // All bindings of the name in that scope: x = A() ... x = B().
      const parse::Binding& binding = entity.file->facts.bindings[entity.index];
      Entities values;
      for (const std::uint32_t other : entity.file->bindings_in(binding.scope, binding.name)) {
        const parse::TypeHint& hint = entity.file->facts.bindings[other].hint;
        if (hint.kind == HintKind::kNone) continue;
        add_all(values,
                value_of_hint(*entity.file, hint, entity.file->facts.bindings[other].offset));
      }
      if (values.empty()) values.push_back(kUnknownEntity);
      return values;
    }
    case EntityKind::kSymbol: {
      const parse::Symbol& symbol = entity.file->facts.symbols[entity.index];
      if (is_type_like(symbol)) return {entity};
      if (symbol.hint.kind == HintKind::kNone) return {kUnknownEntity};
      return value_of_hint(*entity.file, symbol.hint, symbol.name_range.begin);
    }
    default:
      return {entity};
  }
}

Entities Resolver::instances(const Entities& types) {
  Entities found;
  for (const Entity& type : types) {
    switch (type.kind) {
      case EntityKind::kSymbol: {
        const parse::Symbol& symbol = type.file->facts.symbols[type.index];
        if (is_type_like(symbol)) {
          add(found, {EntityKind::kInstance, type.file, type.index});
        } else if (is_callable(symbol)) {
          // A constructor function, whose members are assigned to it or to its prototype.
          add(found, {EntityKind::kInstance, type.file, type.index});
        } else {
          for (const Entity& value : value_of(type)) {
            if (value.kind == EntityKind::kSymbol && value != type) {
              add(found, {EntityKind::kInstance, value.file, value.index});
            } else {
              add(found, value.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
            }
          }
        }
        break;
      }
      case EntityKind::kInstance:
        add(found, type);
        break;
      case EntityKind::kExternal:
      case EntityKind::kContainer:
        add(found, type);
        break;
      case EntityKind::kLocal: {
        // A type parameter stands for its bound; a local may hold a class.
        for (const Entity& value : value_of(type)) {
          if (value.kind == EntityKind::kSymbol || value.kind == EntityKind::kInstance) {
            add(found, {EntityKind::kInstance, value.file, value.index});
          } else {
            add(found, value.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
          }
        }
        break;
      }
      default:
        add(found, kUnknownEntity);
    }
  }
  // A name that is a type and a value (interface X, const X) is meant as the type.
  const auto is_type = [](const Entity& e) {
    return e.kind == EntityKind::kInstance && is_type_like(e.file->facts.symbols[e.index]);
  };
  if (std::any_of(found.begin(), found.end(), is_type)) {
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](const Entity& e) { return e.kind == EntityKind::kUnknown; }),
                found.end());
  }
  return found;
}

// True for a method whose result is annotated as the class that declares it: `this`, `Self`, or the
// class's own name.
bool Resolver::returns_own_type(const Entity& callee) {
  if (callee.kind != EntityKind::kSymbol) return false;
  const parse::Symbol& symbol = callee.file->facts.symbols[callee.index];
  const std::uint32_t owner = callee.file->owner_of(callee.index);
  if (!is_callable(symbol) || owner == kNoIndex || symbol.hint.kind != HintKind::kAnnotation) {
    return false;
  }
  if (symbol.hint.occurrence >= callee.file->facts.occurrences.size()) return false;
  const parse::Occurrence& type = callee.file->facts.occurrences[symbol.hint.occurrence];
  if (callee.file->family == Family::kPython && callee.file->name(type.name) == "Self") return true;
  const Entities& meant = resolve(*callee.file, symbol.hint.occurrence);
  return std::find(meant.begin(), meant.end(), Entity{EntityKind::kSymbol, callee.file, owner}) !=
         meant.end();
}

// The result of calling what occurrence `index` means. A method that returns its own type gives
// what it was called on, which may be of a subclass.
Entities Resolver::call_results(const FileModel& file, std::uint32_t index) {
  const Entities called = resolve(file, index);
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (called.empty() || !std::all_of(called.begin(), called.end(), [&](const Entity& callee) {
        return returns_own_type(callee);
      })) {
    return call_results(called);
  }
  switch (occurrence.receiver_kind) {
    case ReceiverKind::kThis:
      return enclosing_owner(file, occurrence.offset);
    case ReceiverKind::kName:
      return values_of(resolve(file, occurrence.receiver));
    case ReceiverKind::kNew:
      return instances(resolve(file, occurrence.receiver));
    case ReceiverKind::kCall:
      return call_results(file, occurrence.receiver);
    default:
      return call_results(called);
  }
}

Entities Resolver::call_results(const Entities& called) {
  Entities results;
  for (const Entity& callee : called) {
    if (callee.kind == EntityKind::kSymbol) {
      const parse::Symbol& symbol = callee.file->facts.symbols[callee.index];
      if (symbol.type == SymbolType::kClass) {
        add(results, {EntityKind::kInstance, callee.file, callee.index});
      } else if (symbol.hint.kind != HintKind::kNone) {
        add_all(results, value_of_hint(*callee.file, symbol.hint));
      } else {
        add(results, kUnknownEntity);
      }
    } else if (callee.kind == EntityKind::kLocal) {
      for (const Entity& value : value_of(callee)) {
        if (value.kind == EntityKind::kSymbol) {
          add_all(results, call_results({value}));
        } else {
          add(results, value.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
        }
      }
    } else {
      add(results, callee.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
    }
  }
  return results;
}

Entities Resolver::value_of_hint(const FileModel& file, const parse::TypeHint& hint,
                                 std::uint32_t name_offset) {
  const Frame frame(*this);
  if (frame.too_deep() || hint.occurrence >= file.facts.occurrences.size()) return {kUnknownEntity};
  if (is_part(hint.kind)) {
    const std::string_view key = name_offset == kNoIndex ? "" : key_of(file, name_offset);
    if (key.empty()) return {kUnknownEntity};
    return values_of(members(taken_apart(file, hint), key));
  }
  const Entities meant = resolve(file, hint.occurrence);
  switch (hint.kind) {
    case HintKind::kAnnotation:
    case HintKind::kCast:
    case HintKind::kNew:
      return instances(meant);
    case HintKind::kContainer:
      return contained(instances(meant), EntityKind::kInstance, EntityKind::kContainer);
    case HintKind::kCall:
      return call_results(file, hint.occurrence);
    case HintKind::kAwaitCall:
    case HintKind::kContext:
      return contained(call_results(file, hint.occurrence), EntityKind::kContainer,
                       EntityKind::kInstance);
    case HintKind::kAlias:
      return values_of(meant);
    case HintKind::kElement: {
      Entities values = values_of(meant);
      for (Entity& value : values) {
        if (value.kind == EntityKind::kContainer) {
          value.kind = EntityKind::kInstance;
        } else if (value.kind != EntityKind::kExternal) {
          value = kUnknownEntity;  // what iterating it gives is not said
        }
      }
      return values;
    }
    default:
      return {kUnknownEntity};
  }
}

// What an object pattern takes apart.
Entities Resolver::taken_apart(const FileModel& file, const parse::TypeHint& hint) {
  const Frame frame(*this);
  if (frame.too_deep() || hint.occurrence >= file.facts.occurrences.size()) return {kUnknownEntity};
  const Entities meant = resolve(file, hint.occurrence);
  if (hint.kind == HintKind::kPartOfType) return instances(meant);
  if (hint.kind == HintKind::kPartOfCall) {
    return contained(call_results(file, hint.occurrence), EntityKind::kContainer,
                     EntityKind::kInstance);
  }
  return meant;
}

// What the things that a name means hold: an object, class or function is itself.
Entities Resolver::values_of(const Entities& meant) {
  Entities values;
  for (const Entity& entity : meant) {
    if (entity.kind == EntityKind::kSymbol) {
      const parse::Symbol& symbol = entity.file->facts.symbols[entity.index];
      if (is_type_like(symbol) || is_callable(symbol) || entity.file->has_members(entity.index)) {
        add(values, entity);
        continue;
      }
    }
    add_all(values, value_of(entity));
  }
  if (values.empty()) values.push_back(kUnknownEntity);
  return values;
}

// `values` with those of kind `from` as `to`: what a container of them is, or what it holds.
Entities Resolver::contained(const Entities& values, EntityKind from, EntityKind to) {
  Entities changed;
  for (Entity value : values) {
    if (value.kind == from) value.kind = to;
    add(changed, value);
  }
  return changed;
}

}  // namespace codexmem::graph
