// Bare names, members and imports of Java.
//
// A bare name is looked for from the inside out: locals, then members of the class around with
// inherited ones, then members of the next class; then single-name imports, the package, imports on
// demand. A package is a folder: the package's name is the folder's path with dots. Tested by
// graph/java_references_test.cpp.
#include <algorithm>
#include <span>

#include "graph/core/resolver_step.h"
#include "graph/java/java_library.h"
#include "graph/jvm/jvm_packages.h"
#include "graph/java/java_semantics.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

extern "C" const char codexmem_java_library[], codexmem_java_library_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

constexpr std::string_view kJavaReflection[] = {"forName",  "getDeclaredField", "getDeclaredMethod",
                                                "getField", "getMethod",        "loadClass"};

// Ordered by width, so that an operation on two of them has the type that comes later.
constexpr std::uint32_t above(std::uint32_t number) { return 0xFFU & ~((2U << number) - 1); }
constexpr Primitive kJavaPrimitives[] = {
    {"boolean", "Boolean"},
    {"byte", "Byte", above(1) & ~(1U << 2U)},
    {"char", "Character", above(3)},
    {"short", "Short", above(3)},
    {"int", "Integer", above(4)},
    {"long", "Long", above(5)},
    {"float", "Float", above(6)},
    {"double", "Double"},
    {"null"},
};

constexpr std::string_view kJavaCalledUnseen[] = {"readObject", "readObjectNoData", "readResolve",
                                                  "writeObject", "writeReplace"};
constexpr std::string_view kJavaReserved[] = {
    "_",       "abstract",  "assert",       "boolean",  "break",      "byte",    "case",
    "catch",   "char",      "class",        "const",    "continue",   "default", "do",
    "double",  "else",      "enum",         "extends",  "false",      "final",   "finally",
    "float",   "for",       "goto",         "if",       "implements", "import",  "instanceof",
    "int",     "interface", "long",         "native",   "new",        "null",    "package",
    "private", "protected", "public",       "return",   "short",      "static",  "strictfp",
    "super",   "switch",    "synchronized", "this",     "throw",      "throws",  "transient",
    "true",    "try",       "void",         "volatile", "while"};

constexpr LanguageTraits java_traits() {
  LanguageTraits traits = jvm_traits();
  traits.names.reflection = kJavaReflection;
  traits.names.called_unseen = kJavaCalledUnseen;
  traits.shares_names_with = "kotlin";
  traits.primitives = kJavaPrimitives;
  traits.protocol.root_type = "Object";
  traits.keys_may_be_names = true;
  traits.names.reserved = kJavaReserved;
  return traits;
}

constexpr NameUse kOfCall[] = {NameUse::kCallable, NameUse::kType};
constexpr NameUse kOfType[] = {NameUse::kType};
constexpr NameUse kOfValue[] = {NameUse::kValue, NameUse::kType};
constexpr NameUse kOfMention[] = {NameUse::kValue, NameUse::kCallable, NameUse::kType};
constexpr NameUse kOfImport[] = {NameUse::kType, NameUse::kValue, NameUse::kCallable};

constexpr NameOrders kJavaOrders = {
    .call = kOfCall, .type = kOfType, .read = kOfValue, .write = kOfValue, .import = kOfImport};

// What the name at an occurrence may be wanted as, in that order. Documentation writes methods
// without their arguments.
std::span<const NameUse> java_uses(const FileModel& file, const parse::Occurrence& occurrence) {
  if (occurrence.role == Role::kRead && file.is_documentation(occurrence.offset)) return kOfMention;
  return uses_of(kJavaOrders, occurrence.role);
}

// Several things of a name: those that the call at `index` may mean, and of classes that are made
// their constructors.
Entities chosen(Resolver& resolver, const FileModel& file, std::uint32_t index, NameUse use,
                Entities found) {
  if (file.facts.occurrences[index].role != Role::kCall) return found;
  if (use == NameUse::kCallable) return fitting_call(resolver, file, index, found);
  Entities all;
  for (const Entity& entity : found) {
    add(all, entity);
    if (is_class(entity)) add_all(all, constructors_for(resolver, file, index, entity));
  }
  return all;
}

// A search for a bare name.
class JavaNameSearch {
 public:
  JavaNameSearch(Resolver& resolver, const FileModel& file, parse::NameId name,
                 std::uint32_t offset)
      : resolver_(resolver), file_(file), name_(name), offset_(offset) {}

  Entities find(NameUse use) {
    for (std::uint32_t scope = file_.scope_at(offset_); scope != kNoIndex;
         scope = file_.facts.scopes[scope].parent) {
      Entities found = scope == 0 ? in_file(use) : in_scope(scope, use);
      if (!found.empty()) return found;
    }
    return {};
  }

  /// True if the name may come from outside: from a supertype, or from an import on demand.
  bool may_be_foreign = false;

 private:
  Entities in_scope(std::uint32_t scope, NameUse use) {
    const parse::Scope& at = file_.facts.scopes[scope];
    Entities found;
    for (const std::uint32_t index : file_.bindings_in(scope, name_)) {
      const parse::Binding& binding = file_.facts.bindings[index];
      switch (binding.kind) {
        case BindingKind::kParameter:
        case BindingKind::kLocal:
          // Of several the last before: a pattern's variable is seen behind it.
          if (use != NameUse::kValue || binding.offset > offset_) break;
          found = {{EntityKind::kLocal, &file_, index}};
          break;
        case BindingKind::kTypeParameter:
          if (use == NameUse::kType) found = {{EntityKind::kLocal, &file_, index}};
          break;
        case BindingKind::kSymbol:
          if (fits_use(file_.facts.symbols[binding.target], use)) {
            found = {{EntityKind::kSymbol, &file_, binding.target}};
          }
          break;
        default:
          break;
      }
    }
    if (!found.empty() || at.kind != parse::ScopeKind::kClass || at.symbol == kNoIndex)
      return found;
    return known(type_members_for(resolver_, {EntityKind::kInstance, &file_, at.symbol},
                                  file_.name(name_), use));
  }

  // The members that are of the repository.
  Entities known(Entities found) {
    if (any_leads(found)) return found;
    may_be_foreign = may_be_foreign || !found.empty();
    return {};
  }

  Entities in_file(NameUse use) {
    const std::string& name = file_.name(name_);
    Entities found;
    bool is_imported = false;
    for (const std::uint32_t index : file_.bindings_in(0, name_)) {
      const parse::Binding& binding = file_.facts.bindings[index];
      if (binding.kind == BindingKind::kSymbol) {
        if (fits_use(file_.facts.symbols[binding.target], use)) {
          add(found, {EntityKind::kSymbol, &file_, binding.target});
        }
      } else if (binding.kind == BindingKind::kImport) {
        const bool is_static = file_.facts.imports[binding.target].from_import;
        if (!is_static && use != NameUse::kType) continue;
        for (const Entity& entity : resolver_.resolve_binding(file_, index)) {
          if (entity.kind == EntityKind::kSymbol && fits_use(symbol_of(entity), use)) {
            add(found, entity);
          } else if (entity.kind != EntityKind::kSymbol) {
            is_imported = true;
          }
        }
      }
    }
    if (!found.empty()) return found;
    if (is_imported) {
      may_be_foreign = true;
      if (use == NameUse::kType) return {kExternalEntity};
    }
    if (use == NameUse::kType) {
      found = package_type(resolver_, file_.facts.package, name, &file_);
      if (!found.empty()) return found;
    }
    for (const std::uint32_t star : file_.star_imports()) {
      std::string_view path = file_.facts.imports[star].path;
      path.remove_suffix(std::min<std::size_t>(path.size(), 2));
      if (use == NameUse::kType) {
        add_all(found, package_type(resolver_, path, name, &file_));
        if (!found.empty()) return found;
      }
      const Entities types = qualified_type(resolver_, path, &file_);
      if (types.empty()) may_be_foreign = true;
      add_all(found, known(members_for(resolver_, types, name, use)));
    }
    if (use == NameUse::kType && found.empty()) {
      return package_type(resolver_, "java.lang", name, &file_);
    }
    return found;
  }

  Resolver& resolver_;
  const FileModel& file_;
  const parse::NameId name_;
  const std::uint32_t offset_;
};

}  // namespace

Entities JavaSemantics::bare_name(Resolver& resolver, const FileModel& file,
                                  std::uint32_t index) const {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  if (occurrence.role == Role::kImport) {
    Entities type = package_type(resolver, "", name, &file);
    if (!type.empty()) return type;
    return {resolver.folder_entity(name, file.semantics)};
  }
  JavaNameSearch search(resolver, file, occurrence.name, occurrence.offset);
  for (const NameUse use : java_uses(file, occurrence)) {
    Entities found = search.find(use);
    if (!found.empty()) return chosen(resolver, file, index, use, std::move(found));
  }
  // The first part of a package's name.
  const bool may_lead = occurrence.role == Role::kRead || occurrence.role == Role::kType;
  if (may_lead && begins_lower(name) && !search.may_be_foreign) {
    return {resolver.folder_entity(name, file.semantics)};
  }
  if (occurrence.role == Role::kType || occurrence.role == Role::kInherit ||
      search.may_be_foreign) {
    if (may_lead && begins_lower(name)) return {resolver.folder_entity(name, file.semantics)};
    return {kExternalEntity};
  }
  return {kUnknownEntity};
}

Entities JavaSemantics::dotted_name(Resolver& resolver, const FileModel& file,
                                    std::uint32_t index) const {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  Entities before = resolver.receivers(file, index);
  if (before.empty()) return {kUnknownEntity};
  Entities found;
  for (const Entity& receiver : before) {
    if (receiver.kind != EntityKind::kFolder) continue;
    const std::string package = resolver.folder(receiver.index);
    add_all(found, package_type(resolver, package, name, &file));
    if (!found.empty()) {
      return chosen(resolver, file, index, NameUse::kType, std::move(found));
    }
    if (begins_lower(name) && occurrence.role != Role::kCall) {
      return {resolver.folder_entity(package + "." + name, file.semantics)};
    }
    return {kExternalEntity};
  }
  // Kotlin's companion is its class, and its object's instance too.
  if ((name == "Companion" || name == "INSTANCE") && occurrence.role != Role::kCall) {
    for (const Entity& receiver : before) {
      if (receiver.kind == EntityKind::kSymbol && receiver.file->language == "kotlin")
        return before;
    }
  }
  Entities unfound;
  for (const NameUse use : java_uses(file, occurrence)) {
    Entities members = members_for(resolver, before, name, use);
    if (any_leads(members)) {
      if (occurrence.role != Role::kImport) {
        return chosen(resolver, file, index, use, std::move(members));
      }
      add_all(found, members);
    } else if (unfound.empty() || has_kind(members, EntityKind::kUnknown)) {
      unfound = std::move(members);
    }
  }
  return found.empty() ? unfound : found;
}

JavaSemantics::JavaSemantics()
    : JvmSemantics(java_traits(), {codexmem_java_library, codexmem_java_library_end},
                   java_library()) {}

Entities JavaSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                     std::string_view name) const {
  return package_type(resolver, "java.lang", name, &file);
}

Entities JavaSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                 std::string_view name) const {
  const parse::Import& statement = file.facts.imports[import];
  std::string_view path = statement.path;
  if (!statement.from_import) {
    Entities type = qualified_type(resolver, path, &file);
    return type.empty() ? Entities{kExternalEntity} : type;
  }
  path = path.substr(0, std::min(path.rfind('.'), path.size()));
  const Entities types = qualified_type(resolver, path, &file);
  if (name == "*") {
    return types.empty() ? Entities{resolver.folder_entity(path, *this)} : types;
  }
  if (types.empty()) return {kExternalEntity};
  Entities found;
  for (const NameUse use : kOfImport) {
    for (const Entity& member : members_for(resolver, types, name, use)) {
      if (is_resolved(member)) add(found, member);
    }
  }
  return found.empty() ? Entities{kUnknownEntity} : found;
}

Entities JavaSemantics::folder_member(Resolver& resolver, std::string_view folder,
                                      std::string_view name) const {
  const std::string package(folder);
  Entities found = package_type(resolver, package, name, nullptr);
  if (!found.empty()) return found;
  if (begins_lower(name)) {
    return {resolver.folder_entity(package + "." + std::string(name), *this)};
  }
  return {kExternalEntity};
}

std::string JavaSemantics::objection_to(const FileModel& file, const store::SymbolRow& at,
                                        std::string_view new_name) const {
  const std::uint32_t owner = file.owner_of(store::ordinal_of(at.id));
  if (at.name == "value" && owner != kNoIndex &&
      file.facts.symbols[owner].type == SymbolType::kInterface) {
    return "an annotation is given its value without a name";
  }
  return JvmSemantics::objection_to(file, at, new_name);
}

}  // namespace codexmem::graph
