// Bare names and members of PHP.
//
// A variable belongs to its function; closures see the variables around them. Any other bare name
// means a type, a function or a constant, depending on its use: a `use` in the namespace around
// comes first, then the namespace's own declarations, then, for functions and constants, the global
// namespace. A name found nowhere belongs to the library or a package. Tested by
// graph/php_test.cpp.
#include <algorithm>
#include <span>

#include "base/path.h"
#include "base/text.h"
#include "graph/core/resolver_step.h"
#include "graph/core/subtypes.h"
#include "graph/nominal/members.h"
#include "graph/php/php_library.h"
#include "graph/php/php_scopes.h"
#include "graph/php/php_semantics.h"

extern "C" const char codexmem_php_library[], codexmem_php_library_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;

constexpr std::string_view kPhpReflection[] = {"ReflectionClass", "ReflectionMethod",
                                               "ReflectionProperty", "call_user_func",
                                               "call_user_func_array"};
constexpr std::string_view kPhpConfiguration[] = {"composer.json"};
constexpr std::string_view kPhpIterators[] = {"getIterator"};
constexpr std::string_view kPhpCalledUnseen[] = {
    "__call",     "__callStatic",  "__clone",     "__debugInfo", "__destruct",  "__get",
    "__invoke",   "__isset",       "__serialize", "__set",       "__set_state", "__sleep",
    "__toString", "__unserialize", "__unset",     "__wakeup"};
constexpr std::string_view kPhpReserved[] = {
    "abstract",   "and",       "array",     "as",      "break",     "callable",   "case",
    "catch",      "class",     "clone",     "const",   "continue",  "declare",    "default",
    "do",         "echo",      "else",      "elseif",  "empty",     "endfor",     "enum",
    "eval",       "exit",      "extends",   "final",   "finally",   "fn",         "for",
    "foreach",    "function",  "global",    "goto",    "if",        "implements", "include",
    "instanceof", "insteadof", "interface", "isset",   "list",      "match",      "namespace",
    "new",        "or",        "print",     "private", "protected", "public",     "readonly",
    "require",    "return",    "self",      "static",  "switch",    "parent",     "throw",
    "trait",      "try",       "unset",     "use",     "var",       "while",      "xor",
    "yield"};

constexpr LanguageTraits php_traits() {
  LanguageTraits traits = nominal_traits();
  traits.names.reflection = kPhpReflection;
  traits.files.configuration = kPhpConfiguration;
  traits.names.called_unseen = kPhpCalledUnseen;
  traits.protocol.constructor = "__construct";
  traits.protocol.call = "__invoke";
  traits.protocol.item = "offsetGet";
  traits.protocol.next = "current";
  traits.protocol.iterators = kPhpIterators;
  traits.first_base_wins = true;
  traits.names_ignore_case = true;
  traits.foreign.instances_are_external = true;
  traits.declared.overrides_inherit = true;
  traits.names.reserved = kPhpReserved;
  traits.texts.reach = kPhpReflection;
  return traits;
}

constexpr NameUse kOfMethod[] = {NameUse::kCallable};
constexpr NameUse kOfProperty[] = {NameUse::kValue, NameUse::kCallable};

bool is_php_made(const FileModel& file, std::uint32_t index) {
  const auto call = file.call_of(index);
  return call && *call != kNoIndex && file.facts.terms[*call].kind == parse::TermKind::kNew;
}

bool is_prefix(const FileModel& file, std::uint32_t index) {
  const auto& occurrences = file.facts.occurrences;
  if (index + 1 >= occurrences.size()) return false;
  const parse::Occurrence& next = occurrences[index + 1];
  return next.receiver_kind == ReceiverKind::kName && next.receiver == index &&
         next.offset == occurrences[index].offset + file.name(occurrences[index].name).size() + 1;
}

// The sorts of thing that the name at `index` may mean, in that order.
std::span<const PhpSort> sorts_of(const FileModel& file, std::uint32_t index) {
  static constexpr PhpSort kTypes[] = {PhpSort::kType};
  static constexpr PhpSort kFunctions[] = {PhpSort::kFunction};
  static constexpr PhpSort kValues[] = {PhpSort::kConstant, PhpSort::kType};
  switch (file.facts.occurrences[index].role) {
    case Role::kCall:
      if (is_php_made(file, index)) return kTypes;
      return kFunctions;
    case Role::kType:
    case Role::kInherit:
      return kTypes;
    default:
      return kValues;
  }
}

// The class, interface, trait or enum around `offset`.
Entities class_around(const FileModel& file, std::uint32_t offset) {
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    const parse::Scope& at = file.facts.scopes[scope];
    if (at.kind == ScopeKind::kClass && at.symbol != kNoIndex) {
      return {{EntityKind::kSymbol, &file, at.symbol}};
    }
  }
  return {};
}

// What the class around extends.
Entities parent_around(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  for (const Entity& own : class_around(file, offset)) {
    for (const parse::Heritage* heritage : file.heritage_of(own.index)) {
      // What it uses is in its body.
      const std::uint32_t at = file.facts.occurrences[heritage->occurrence].offset;
      if (at >= symbol_of(own).body.begin) continue;
      for (const Entity& base : resolver.resolve(file, heritage->occurrence)) {
        if (base.kind == EntityKind::kSymbol && symbol_of(base).type != SymbolType::kClass) break;
        return {base.kind == EntityKind::kSymbol ? base : kExternalEntity};
      }
    }
  }
  return {};
}

// What a class that is made means: itself, and its constructor.
Entities with_constructor(Resolver& resolver, const FileModel& file, std::uint32_t index,
                          Entities found) {
  if (!is_php_made(file, index)) return found;
  Entities all = found;
  for (const Entity& type : found) {
    if (!is_class(type)) continue;
    const Entity made{EntityKind::kInstance, type.file, type.index};
    for (const Entity& method : type_members_for(
             resolver, made, file.semantics.traits().protocol.constructor, NameUse::kCallable)) {
      if (method.kind == EntityKind::kSymbol) add(all, method);
    }
  }
  return all;
}

Entities plain_variable(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  for (std::uint32_t scope = file.scope_at(occurrence.offset); scope != kNoIndex;) {
    const parse::Scope& at = file.facts.scopes[scope];
    Entities found;
    bool is_global = false;
    for (const std::uint32_t binding : file.bindings_in(scope, occurrence.name)) {
      const BindingKind kind = file.facts.bindings[binding].kind;
      if (kind == BindingKind::kParameter || kind == BindingKind::kLocal ||
          kind == BindingKind::kSymbol) {
        add_all(found, resolver.resolve_binding(file, binding));
      }
      is_global = is_global || kind == BindingKind::kGlobal;
    }
    if (!found.empty()) return found;
    const bool is_function = at.kind == ScopeKind::kFunction && at.symbol != kNoIndex &&
                             is_callable(file.facts.symbols[at.symbol]);
    if (at.kind == ScopeKind::kClass) break;
    if (!is_function) {
      scope = at.parent;
      continue;
    }
    if (!is_global) break;
    while (scope != kNoIndex && file.facts.scopes[scope].kind != ScopeKind::kNamespace &&
           scope != 0) {
      scope = file.facts.scopes[scope].parent;
    }
  }
  return {kExternalEntity};
}

// The type parameter that documentation around `offset`, or the documentation of the class around
// it, declares.
std::optional<Entity> type_parameter_at(const FileModel& file, std::uint32_t offset,
                                        parse::NameId name) {
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    const parse::Scope& at = file.facts.scopes[scope];
    for (const std::uint32_t binding : file.bindings_in(scope, name)) {
      if (file.facts.bindings[binding].kind == BindingKind::kTypeParameter) {
        return Entity{EntityKind::kLocal, &file, binding};
      }
    }
    if (at.kind != ScopeKind::kClass || at.symbol == kNoIndex) continue;
    for (const std::uint32_t binding : file.type_parameters_of(at.symbol)) {
      if (file.facts.bindings[binding].name == name) {
        return Entity{EntityKind::kLocal, &file, binding};
      }
    }
  }
  return std::nullopt;
}

// A bare name that does not belong to a variable.
Entities php_plain_name(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  const bool is_global = occurrence.receiver_kind == ReceiverKind::kSuper;
  const PhpNamespace around = namespace_around(file, occurrence.offset);
  // What `use` binds under that name: its path.
  const auto imported = [&](PhpSort sort) -> std::optional<Entities> {
    for (const std::uint32_t scope : {around.scope, 0U}) {
      std::optional<std::uint32_t> found;
      for (const std::uint32_t binding : imports_named(resolver, file, name)) {
        const parse::Binding& at = file.facts.bindings[binding];
        const bool is_value = file.facts.imports[at.target].from_import;
        const bool has_name = sort != PhpSort::kConstant || at.name == occurrence.name;
        if (at.scope == scope && has_name && is_value == (sort != PhpSort::kType)) {
          found = at.target;
        }
      }
      if (found) {
        Entities meant = qualified_names(resolver, file.facts.imports[*found].path, sort, &file);
        return meant.empty() ? Entities{kExternalEntity} : meant;
      }
      if (scope == 0) break;
    }
    return std::nullopt;
  };
  if (is_prefix(file, index)) {
    if (is_global) return {resolver.folder_entity(name, file.semantics)};
    for (const std::uint32_t scope : {around.scope, 0U}) {
      for (const std::uint32_t binding : file.bindings_in(scope, occurrence.name)) {
        const parse::Binding& at = file.facts.bindings[binding];
        if (at.kind != BindingKind::kImport || file.facts.imports[at.target].from_import) continue;
        return {resolver.folder_entity(dotted_path(file.facts.imports[at.target].path),
                                       file.semantics)};
      }
    }
    const std::string path = around.path.empty() ? name : around.path + "." + name;
    return {resolver.folder_entity(path, file.semantics)};
  }
  if (!is_global) {
    if (same_name(name, "self") || same_name(name, "static")) {
      Entities own = class_around(file, occurrence.offset);
      return own.empty() ? Entities{kExternalEntity}
                         : with_constructor(resolver, file, index, std::move(own));
    }
    if (same_name(name, "parent")) {
      Entities above = parent_around(resolver, file, occurrence.offset);
      return above.empty() ? Entities{kExternalEntity} : above;
    }
  }
  if (!is_global && occurrence.role == Role::kType && file.is_documentation(occurrence.offset)) {
    const auto parameter = type_parameter_at(file, occurrence.offset, occurrence.name);
    if (parameter) return {*parameter};
  }
  for (const PhpSort sort : sorts_of(file, index)) {
    Entities found;
    if (is_global) {
      found = namespace_names(resolver, "", name, sort, &file);
    } else {
      if (auto meant = imported(sort)) return with_constructor(resolver, file, index, *meant);
      found = namespace_names(resolver, around.path, name, sort, &file);
      if (found.empty() && sort != PhpSort::kType) {
        found = namespace_names(resolver, "", name, sort, &file);
      }
    }
    if (!found.empty()) return with_constructor(resolver, file, index, std::move(found));
  }
  return {kExternalEntity};
}

Entities php_member_name(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  const Entities before = resolver.receivers(file, index);
  if (before.empty()) return {kUnknownEntity};
  for (const Entity& receiver : before) {
    if (receiver.kind != EntityKind::kFolder) continue;
    const std::string path = resolver.folder(receiver.index);
    if (is_prefix(file, index)) return {resolver.folder_entity(path + "." + name, file.semantics)};
    for (const PhpSort sort : sorts_of(file, index)) {
      Entities found = namespace_names(resolver, path, name, sort, &file);
      if (!found.empty()) return with_constructor(resolver, file, index, std::move(found));
    }
    return {kExternalEntity};
  }
  const bool is_call = occurrence.role == Role::kCall;
  Entities unfound;
  for (const NameUse use :
       is_call ? std::span<const NameUse>(kOfMethod) : std::span<const NameUse>(kOfProperty)) {
    Entities members = members_for(resolver, before, name, use);
    if (has_kind(members, EntityKind::kSymbol)) return members;
    if (unfound.empty() || has_kind(members, EntityKind::kUnknown)) unfound = std::move(members);
  }
  if (!unfound.empty()) return unfound;
  // In a trait, or a class that leaves it to those that extend it.
  const Entities own = class_around(file, occurrence.offset);
  if (own.empty() || !std::ranges::all_of(before, [&](const Entity& receiver) {
        return receiver.file == own.front().file && receiver.index == own.front().index;
      })) {
    return {};
  }
  return members_below(resolver, own.front(), [&](const Entity& user) {
    Entities found;
    for (const NameUse use :
         is_call ? std::span<const NameUse>(kOfMethod) : std::span<const NameUse>(kOfProperty)) {
      add_all(found, members_for(resolver, {user}, name, use));
    }
    return found;
  });
}

}  // namespace

PhpSemantics::PhpSemantics()
    : NominalSemantics(php_traits(), {codexmem_php_library, codexmem_php_library_end},
                       php_library()) {}

// A key is a text, or a name that is asked about of itself.
std::optional<Entities> PhpSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                      std::uint32_t index) const {
  const bool is_key = file.facts.occurrences[index].receiver_kind == ReceiverKind::kKey;
  return is_key ? std::nullopt : NominalSemantics::meaning_by_form(resolver, file, index);
}

Entities PhpSemantics::bare_name(Resolver& resolver, const FileModel& file,
                                 std::uint32_t index) const {
  const bool is_variable = file.facts.occurrences[index].receiver_kind == ReceiverKind::kNone;
  return is_variable ? plain_variable(resolver, file, index)
                     : php_plain_name(resolver, file, index);
}

Entities PhpSemantics::dotted_name(Resolver& resolver, const FileModel& file,
                                   std::uint32_t index) const {
  const bool is_global = file.facts.occurrences[index].receiver_kind == ReceiverKind::kSuper;
  return is_global ? php_plain_name(resolver, file, index) : php_member_name(resolver, file, index);
}

}  // namespace codexmem::graph
