// Names, modules and types of Python.
#include <algorithm>

#include "base/text.h"
#include "base/path.h"
#include "graph/core/module_finder.h"
#include "graph/core/project_tree.h"
#include "graph/core/resolver_step.h"
#include "graph/core/subtypes.h"
#include "graph/python/python_resolver.h"
#include "graph/python/python_semantics.h"

extern "C" const char codexmem_python_library[], codexmem_python_library_end[];
extern "C" const char codexmem_python_library_units[], codexmem_python_library_units_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

constexpr std::string_view kPythonReflection[] = {"eval",    "exec",   "getattr",      "setattr",
                                                  "globals", "locals", "import_module"};
constexpr std::string_view kPythonConfiguration[] = {
    "pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini", "pyrightconfig.json"};
constexpr std::string_view kPythonFolderModules[] = {"__init__"};
constexpr std::string_view kIteratorMethods[] = {"__iter__", "__aiter__"};
constexpr std::string_view kEnterMethods[] = {"__enter__", "__aenter__"};

constexpr std::string_view kPythonReserved[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
constexpr std::string_view kPythonReachByText[] = {
    "__getattr__",  "attrgetter", "delattr", "getattr", "hasattr",
    "methodcaller", "object",     "patch",   "setattr", "usefixtures"};

constexpr LanguageTraits kPythonTraits = {
    .knowledge = Knowledge::kChecked,
    .names = {.main_module = "__main__",
              .own_module = "__name__",
              .reflection = kPythonReflection,
              .reserved = kPythonReserved},
    .files = {.configuration = kPythonConfiguration, .folder_modules = kPythonFolderModules},
    .texts = {.reach = kPythonReachByText, .name_types = true},
    .protocol = {.self = "self",
                 .constructor = "__init__",
                 .call = "__call__",
                 .item = "__getitem__",
                 .next = "__next__",
                 .iterators = kIteratorMethods,
                 .enter = kEnterMethods},
    .declared = {.typed_members_win = true, .overrides_inherit = true, .async_is_awaited = true},
    .imports_are_exports = true,
    .imports_have_alternatives = true,
    .assignments_make_members = true,
    .first_base_wins = true,
    .maps_hold_items = true,
};

// What methods of a class, and of one above it, call to make one.
constexpr std::string_view kOwnClass = "cls";

constexpr std::string_view kPackageFiles[] = {"__init__.py", "__init__.pyi"};

bool is_package_file(std::string_view path) {
  return std::ranges::find(kPackageFiles, file_name(path)) != std::end(kPackageFiles);
}

std::string join_module(std::string_view path, std::string_view name) {
  std::string joined(path);
  if (!joined.ends_with(".")) joined += '.';
  joined += name;
  return joined;
}

// The module that a star import takes its names from; nullptr when it is not known.
const FileModel* star_module(Resolver& resolver, const FileModel& file, std::uint32_t import) {
  if (file.is_library) return resolver.library(file.semantics, file.facts.imports[import].path);
  for (const store::DependencyRow& row : resolver.dependencies(file.id)) {
    if (row.import_index == import) return row.target ? resolver.model(*row.target) : nullptr;
  }
  return nullptr;
}

// What a star import brings under `name`.
Entities star_import(Resolver& resolver, const FileModel& file, std::uint32_t import,
                     std::string_view name) {
  const FileModel* target = star_module(resolver, file, import);
  if (target == nullptr || target == &file) return {};
  if (target->facts.has_all) {
    const auto id = target->find_name(name);
    if (!id || target->exports_named(*id).empty()) return {};
  } else if (name.starts_with("_")) {
    return {};
  }
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return {};
  Entities entities = resolver.exported(*target, name);
  std::erase(entities, kUnknownEntity);
  if (target->is_library) std::erase(entities, kExternalEntity);
  return entities;
}

// What an import of a module of the library binds. What library.txt knows better is external, as
// is all of a module that has no unit.
Entities library_import(Resolver& resolver, const FileModel& file, const parse::Import& statement,
                        std::string_view name) {
  std::string_view path = statement.path;
  const bool is_name = statement.from_import && name != "*";
  if (!is_name && statement.binds_top_package) path = path.substr(0, path.find('.'));
  const FileModel* module = resolver.library(file.semantics, path);
  if (module == nullptr || module == &file) return {kExternalEntity};
  return is_name ? resolver.exported(*module, name) : Entities{{EntityKind::kModule, module, 0}};
}

// `import a.b.c` binds a: the package as many folders above c as there are dots.
Entities top_package(Resolver& resolver, const LanguageSemantics& semantics,
                     const parse::Import& import, const store::DependencyRow& row) {
  const store::FileRow* target = resolver.files().find(*row.target);
  if (target == nullptr) return {kUnknownEntity};
  std::string_view folder = target->path;
  if (is_package_file(folder)) folder = folder_of(folder);
  const auto dots = std::count(import.path.begin(), import.path.end(), '.');
  if (dots == 0) {
    const FileModel* module = resolver.model(target->id);
    if (module == nullptr) return {kUnknownEntity};
    return {{EntityKind::kModule, module, 0}};
  }
  for (std::ptrdiff_t i = 0; i < dots; ++i) folder = folder_of(folder);
  return semantics.folder_member(resolver, folder_of(folder), file_name(folder));
}

// True for calls that make a type variable.
bool makes_type_variable(std::string_view callee) {
  return callee == "TypeVar" || callee == "ParamSpec" || callee == "TypeVarTuple";
}

// The name of the callee, if it is a name.
std::string_view callee_name(const FileModel& file, const Term& call) {
  const auto parts = file.parts_of(call);
  if (call.kind != TermKind::kCall || parts.empty() || parts[0] == kNoIndex) return {};
  const Term& callee = file.facts.terms[parts[0]];
  if (callee.kind != TermKind::kName) return {};
  return file.name(file.facts.occurrences[callee.at].name);
}

// A value that means a type: X = Union[A, B], X = A | None, X = NewType("X", A).
Entities evaluate_type(Resolver& resolver, const FileModel& file, TermId id) {
  const Resolver::RecursionGuard guard(resolver);
  if (id == kNoIndex || guard.over_limit()) return {kUnknownEntity};
  const Term& term = file.facts.terms[id];
  const auto parts = file.parts_of(term);
  switch (term.kind) {
    case TermKind::kName:
      return resolver.typed(file, term.at, {});
    case TermKind::kItem: {
      if (parts.empty() || parts[0] == kNoIndex) return {kUnknownEntity};
      const Term& base = file.facts.terms[parts[0]];
      if (base.kind != TermKind::kName) return {kUnknownEntity};
      std::vector<Entities> arguments;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const Term* argument = parts[i] == kNoIndex ? nullptr : &file.facts.terms[parts[i]];
        if (argument != nullptr && argument->kind == TermKind::kTuple && parts.size() == 2) {
          for (const TermId item : file.parts_of(*argument)) {
            arguments.push_back(evaluate_type(resolver, file, item));
          }
        } else {
          arguments.push_back(evaluate_type(resolver, file, parts[i]));
        }
      }
      return resolver.typed(file, base.at, arguments);
    }
    case TermKind::kUnion: {
      Entities values;
      for (const TermId part : parts) add_all(values, evaluate_type(resolver, file, part));
      return values;
    }
    case TermKind::kCall:
      if (callee_name(file, term) == "NewType" && parts.size() > 2) {
        return evaluate_type(resolver, file, parts[2]);
      }
      return {kUnknownEntity};
    case TermKind::kType:
    case TermKind::kLiteral:
      return resolver.evaluate(file, id);
    default:
      return {kUnknownEntity};
  }
}

class PythonModuleFinder final : public ModuleFinder {
 public:
  explicit PythonModuleFinder(ProjectTree& tree) : resolver_(tree) {}

  ResolvedImport resolve(std::string_view source, const parse::FileFacts& facts,
                         const parse::Import& import) override {
    ResolvedImport resolved;
    resolved.symbols = imported_names(facts, import);
    const PythonModule module = resolver_.resolve(source, import.path);
    if (!module.found()) {
      resolved.is_external = module.is_external;
      if (module.is_external) resolved.package = import.path.substr(0, import.path.find('.'));
      return resolved;
    }
    std::vector<std::string> own;
    std::vector<ImportTarget> submodules;
    for (const std::string& name : resolved.symbols) {
      if (import.from_import && name != "*") {
        const PythonModule submodule = resolver_.find_submodule(module, name);
        if (submodule.file != nullptr) {
          submodules.push_back(
              {submodule.file->id, submodule.file->path, join_module(import.path, name), {name}});
          continue;
        }
      }
      own.push_back(name);
    }
    if (module.file != nullptr) {
      resolved.targets.push_back({module.file->id, module.file->path, import.path, std::move(own)});
    }
    for (ImportTarget& submodule : submodules) resolved.targets.push_back(std::move(submodule));
    if (resolved.targets.empty() && !import.path.starts_with(".") && module.file == nullptr) {
      // A folder that holds none of the names: some other package of the same name is meant.
      resolved.is_external = true;
      resolved.package = import.path.substr(0, import.path.find('.'));
    }
    return resolved;
  }

 private:
  PythonResolver resolver_;
};

// The method that x[k], `with x` and similar syntax call: a method of x's class, or of a subclass.
// On a class, C[int], it is not a method of the class itself.
Entities called_by_syntax(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const std::string& name = file.name(file.facts.occurrences[index].name);
  Entities values = resolver.receivers(file, index);
  std::erase_if(values, [](const Entity& value) { return value.kind == EntityKind::kSymbol; });
  if (values.empty()) return {kExternalEntity};
  Entities found = resolver.members(values, name);
  for (std::size_t i = 0; found.empty() && i < values.size(); ++i) {
    if (!is_instance(values[i])) continue;
    found = resolver.members_below(values[i], name);
  }
  return found.empty() ? Entities{kExternalEntity} : found;
}

}  // namespace

PythonSemantics::PythonSemantics()
    : LanguageSemantics(
          kPythonTraits, {codexmem_python_library, codexmem_python_library_end},
          {{codexmem_python_library_units, codexmem_python_library_units_end}, "python"}) {}

std::unique_ptr<ModuleFinder> PythonSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<PythonModuleFinder>(tree);
}

// super().x where no type above has x: of another type that a subtype combines this one with, or of
// `object`.
static std::optional<Entities> beyond_bases(Resolver& resolver, const FileModel& file,
                                            std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  const Entities bases = resolver.receivers(file, index);
  if (has_kind(bases, EntityKind::kUnknown)) return std::nullopt;
  if (!bases.empty() && !resolver.members(bases, name).empty()) return std::nullopt;
  const std::uint32_t method = file.symbol_at(occurrence.offset);
  const std::uint32_t owner = method == kNoIndex ? kNoIndex : file.owner_of(method);
  if (owner == kNoIndex || !is_type_like(file.facts.symbols[owner])) return std::nullopt;
  Entities found = members_beside(resolver, {EntityKind::kSymbol, &file, owner}, name);
  const bool may_be_outside = name.starts_with("__") || !std::ranges::all_of(bases, &is_instance);
  if (!found.empty() || may_be_outside) add(found, kExternalEntity);
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

// A part of a module's name, which no scope binds: from json import a. Or cls() in a method.
std::optional<Entities> PythonSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                         std::uint32_t index) const {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (occurrence.by_syntax) return called_by_syntax(resolver, file, index);
  if (occurrence.receiver_kind == parse::ReceiverKind::kSuper) {
    return beyond_bases(resolver, file, index);
  }
  const bool is_called = occurrence.receiver_kind == parse::ReceiverKind::kNone &&
                         occurrence.role == parse::Role::kCall;
  if (is_called && file.name(occurrence.name) == kOwnClass) {
    for (std::uint32_t scope = file.scope_at(occurrence.offset); scope != kNoIndex;
         scope = file.facts.scopes[scope].parent) {
      const auto bound = file.bindings_in(scope, occurrence.name);
      if (bound.empty()) continue;
      const std::uint32_t method = file.facts.scopes[scope].symbol;
      const std::uint32_t owner = method == kNoIndex ? kNoIndex : file.owner_of(method);
      const bool is_parameter = file.facts.bindings[bound.front()].kind == BindingKind::kParameter;
      if (!is_parameter || owner == kNoIndex || !is_type_like(file.facts.symbols[owner])) break;
      return Entities{{EntityKind::kSymbol, &file, owner}};
    }
  }
  if (occurrence.receiver_kind == parse::ReceiverKind::kNone &&
      occurrence.role == parse::Role::kImport) {
    return Entities{kExternalEntity};
  }
  return std::nullopt;
}

bool PythonSemantics::is_hidden(const FileModel& file, const parse::Scope& scope,
                                std::uint32_t binding, parse::Role role, bool is_own) const {
  if (scope.kind != parse::ScopeKind::kClass) return false;
  // Names of a class body are not seen by the functions inside it.
  if (!is_own) return true;
  // A field that is annotated is not meant where a type is: type: int, and then cls: type[A].
  const parse::Binding& bound = file.facts.bindings[binding];
  if (role != parse::Role::kType || bound.kind != BindingKind::kSymbol) return false;
  const parse::Symbol& symbol = file.facts.symbols[bound.target];
  return symbol.type == SymbolType::kProperty && symbol.term != kNoIndex &&
         file.facts.terms[symbol.term].kind == TermKind::kType;
}

// One of a star import's, or a built-in.
Entities PythonSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                       std::string_view name) const {
  Entities found;
  for (const std::uint32_t import : file.star_imports()) {
    add_all(found, star_import(resolver, file, import, name));
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

// True for a class with a constructor of its own that takes no **kwargs: its keywords are
// parameters.
static bool lists_keywords(const FileModel& file, std::uint32_t type) {
  const auto constructor = file.find_name("__init__");
  if (!constructor) return false;
  const auto declared = file.members_of(type, *constructor);
  return !declared.empty() && std::ranges::all_of(declared, [&](std::uint32_t symbol) {
    const parse::TermId term = file.facts.symbols[symbol].term;
    if (term == kNoIndex || file.facts.terms[term].kind != TermKind::kFunction) return false;
    const auto& parameters = file.facts.functions[file.facts.terms[term].at].parameters;
    return std::ranges::none_of(parameters, [](const parse::Parameter& parameter) {
      return parameter.is_rest && parameter.is_keyword;
    });
  });
}

// A name by itself reaches no members, and what no scope and no star import gives is the
// language's. The path of an import names modules.
bool PythonSemantics::may_be(const FileModel& file, std::uint32_t index,
                             const Entity& member) const {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const bool has_receiver = at.receiver_kind != parse::ReceiverKind::kNone;
  if (at.receiver_kind == parse::ReceiverKind::kKey && at.receiver != kNoIndex) {
    const parse::Term& of = file.facts.terms[at.receiver];
    const bool is_keyword = of.kind == TermKind::kArgument && of.at == kNoIndex;
    const std::uint32_t owner = member.file->owner_of(member.index);
    if (is_keyword && owner != kNoIndex && lists_keywords(*member.file, owner)) return false;
  }
  if (at.role == parse::Role::kImport) {
    return !has_receiver && !member.file->is_member(member.index);
  }
  if (has_receiver || (at.role != parse::Role::kCall && at.role != parse::Role::kRead)) return true;
  if (member.file->is_member(member.index)) return false;
  return !file.star_imports().empty() || !library().has("globals", file.name(at.name));
}

Entities PythonSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                   std::string_view name) const {
  const parse::Import& statement = file.facts.imports[import];
  const store::DependencyRow* base = nullptr;
  const store::DependencyRow* submodule = nullptr;
  if (file.is_library) return library_import(resolver, file, statement, name);
  for (const store::DependencyRow& row : resolver.dependencies(file.id)) {
    if (row.import_index != import) continue;
    if (row.is_external) return library_import(resolver, file, statement, name);
    if (!row.target) continue;
    if (statement.from_import && row.package != statement.path) {
      if (row.package == join_module(statement.path, name)) submodule = &row;
    } else if (base == nullptr) {
      base = &row;
    }
  }
  if (statement.from_import && name != "*") {
    const FileModel* package = base == nullptr ? nullptr : resolver.model(*base->target);
    if (package == &file) {  // of a module that imports itself, often in its `__main__` part
      Entities own;
      const auto id = file.find_name(name);
      for (const std::uint32_t symbol :
           id ? file.members_of(kNoIndex, *id) : std::span<const std::uint32_t>()) {
        add(own, {EntityKind::kSymbol, &file, symbol});
      }
      if (!own.empty()) return own;
    } else if (package != nullptr) {
      Entities entities = resolver.exported(*package, name);
      if (!has_kind(entities, EntityKind::kUnknown) && !entities.empty()) return entities;
    }
    const FileModel* module = submodule == nullptr ? nullptr : resolver.model(*submodule->target);
    if (module != nullptr) return {{EntityKind::kModule, module, 0}};
    return {kUnknownEntity};
  }
  if (base == nullptr) return {kUnknownEntity};
  if (statement.binds_top_package) return top_package(resolver, *this, statement, *base);
  const FileModel* module = resolver.model(*base->target);
  if (module == nullptr) return {kUnknownEntity};
  return {{EntityKind::kModule, module, 0}};
}

Entities PythonSemantics::exported(Resolver& resolver, const FileModel& file,
                                   std::string_view name) const {
  Entities entities;
  if (file.is_library) {
    const std::string full = library_units().name_of(file) + "." + std::string(name);
    const bool has_rule = library().find_type(name) || library().function(name) != Flow::kNothing ||
                          library().function(full) != Flow::kNothing;
    if (has_rule) return {kExternalEntity};
    if (const FileModel* module = resolver.library(*this, full)) {
      entities = {{EntityKind::kModule, module, 0}};
    }
  }
  if (const auto id = file.find_name(name); id && entities.empty()) {
    entities = resolver.bindings_of(file, 0, *id);
  }
  if (entities.empty()) {
    for (const std::uint32_t import : file.star_imports()) {
      add_all(entities, star_import(resolver, file, import, name));
    }
  }
  if (file.is_library) {
    return entities.empty() ? Entities{kExternalEntity}
                            : declared_by_library(file, std::move(entities));
  }
  if (entities.empty() && is_package_file(file.path)) {
    entities = folder_member(resolver, folder_of(file.path), name);
  }
  return entities;
}

Entities PythonSemantics::folder_member(Resolver& resolver, std::string_view folder,
                                        std::string_view name) const {
  std::string path =
      folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
  for (const char* ending : {"/__init__.py", "/__init__.pyi", ".py", ".pyi"}) {
    const store::FileRow* row = resolver.files().find(path + ending);
    if (row == nullptr) continue;
    if (const FileModel* module = resolver.model(row->id)) {
      return {{EntityKind::kModule, module, 0}};
    }
  }
  if (resolver.files().has_folder(path)) return {resolver.folder_entity(path, *this)};
  return {};
}

Entities PythonSemantics::values_of_type_name(Resolver& resolver, const Entity& named) const {
  const parse::Symbol& symbol = symbol_of(named);
  if (symbol.type != SymbolType::kVariable) return resolver.instances({named});
  const Term* term = symbol.term == kNoIndex ? nullptr : &named.file->facts.terms[symbol.term];
  if (term != nullptr && makes_type_variable(callee_name(*named.file, *term))) {
    return {{EntityKind::kTypeVariable, named.file, named.index}};
  }
  return evaluate_type(resolver, *named.file, symbol.term);
}

// The type variables of the bases, in order; only those in Generic[...] or Protocol[...] if
// present.
std::vector<Entity> PythonSemantics::implied_type_parameters(Resolver& resolver,
                                                             const Entity& type) const {
  std::vector<Entity> parameters;
  for (const parse::Heritage* heritage : type.file->heritage_of(type.index)) {
    if (heritage->term == kNoIndex) continue;
    const Term& term = type.file->facts.terms[heritage->term];
    std::vector<Entity> own;
    for (const TermId part : type.file->parts_of(term)) {
      if (part == kNoIndex) continue;
      for (const Entity& entity : resolver.evaluate(*type.file, part)) {
        if (entity.kind == EntityKind::kTypeVariable) add(own, entity);
      }
    }
    const std::string& base =
        type.file->name(type.file->facts.occurrences[heritage->occurrence].name);
    if (base == "Generic" || base == "Protocol") return own;
    add_all(parameters, own);
  }
  return parameters;
}

// A class of constants: for color in Color.
std::optional<Entities> PythonSemantics::iterated(Resolver& resolver, const Entity& value) const {
  if (value.kind != EntityKind::kSymbol) return std::nullopt;
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return std::nullopt;
  for (const parse::Heritage* heritage : value.file->heritage_of(value.index)) {
    const std::string& base =
        value.file->name(value.file->facts.occurrences[heritage->occurrence].name);
    if (base.ends_with("Enum") || base.ends_with("Flag")) {
      return Entities{{EntityKind::kInstance, value.file, value.index}};
    }
  }
  return std::nullopt;
}

// A() calls A.__init__ and A.__new__.
std::vector<std::string> PythonSemantics::implied_names(const FileModel& file,
                                                        std::uint32_t symbol) const {
  const std::string& name = file.facts.symbols[symbol].name;
  const std::uint32_t owner = file.owner_of(symbol);
  if (owner == kNoIndex || (name != "__init__" && name != "__new__")) return {};
  return {file.facts.symbols[owner].name, std::string(kOwnClass)};
}

// A stub and what it describes are one: m.pyi, m.py.
Entities PythonSemantics::merged_with(Resolver& resolver, const FileModel& file,
                                      std::uint32_t symbol) const {
  if (file.is_library) return {};
  const bool is_stub = file.path.ends_with("i");
  const store::FileRow* row =
      resolver.files().find(is_stub ? file.path.substr(0, file.path.size() - 1) : file.path + "i");
  const FileModel* other = row == nullptr ? nullptr : resolver.model(row->id);
  if (other == nullptr || other->family != file.family) return {};
  Entities outer = {{EntityKind::kSymbol, other, kNoIndex}};
  if (const std::uint32_t owner = file.owner_of(symbol); owner != kNoIndex) {
    outer = merged_with(resolver, file, owner);
  }
  Entities found;
  const auto name = other->find_name(file.facts.symbols[symbol].name);
  if (!name) return found;
  for (const Entity& each : outer) {
    for (const std::uint32_t member : other->members_of(each.index, *name)) {
      add(found, {EntityKind::kSymbol, other, member});
    }
  }
  return found;
}

std::vector<Implied> PythonSemantics::implied_above(Resolver& resolver, const FileModel& file,
                                                    std::uint32_t symbol) const {
  return joined_above(resolver, file, symbol);
}

std::vector<Implied> PythonSemantics::implied_below(Resolver& resolver, const FileModel& file,
                                                    std::uint32_t symbol) const {
  return joined_below(resolver, file, symbol);
}

bool PythonSemantics::may_override(std::string_view name) const {
  return !name.starts_with("__") || name.ends_with("__");
}

std::string PythonSemantics::objection_to(const FileModel&, const store::SymbolRow& at,
                                          std::string_view new_name) const {
  if (at.name.starts_with("__") && at.name.ends_with("__")) {
    return "Python gives the name " + at.name + " its meaning";
  }
  if (!may_override(at.name) && may_override(new_name)) {
    return "the name is private to its class by its two underscores: keep them";
  }
  if (at.is(store::Modifier::kFixture)) return "tests name a fixture by their parameters";
  return {};
}

}  // namespace codexmem::graph
