// Bare names and members of C#.
//
// A bare name is looked for from the inside out: locals, then members of the type around with
// inherited ones, members of the next type, then for each namespace its types, its namespaces and
// the names that usings bring in. The use decides which kind it may be: a call means methods or a
// value of a delegate's type, `new` and a type position mean types, anything else a value, a method
// or a type. Tested by graph/csharp_test.cpp.
#include <algorithm>
#include <span>

#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/csharp/csharp_library.h"
#include "graph/csharp/csharp_scopes.h"
#include "graph/csharp/csharp_semantics.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

extern "C" const char codexmem_csharp_library[], codexmem_csharp_library_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;
using parse::Term;
using parse::TermId;
using parse::TermKind;

constexpr std::string_view kCSharpReflection[] = {"GetEvent",  "GetField",    "GetMember",
                                                  "GetMethod", "GetProperty", "InvokeMember"};
constexpr std::string_view kCSharpConfiguration[] = {"*.csproj", "Directory.Build.props",
                                                     "Directory.Packages.props"};
constexpr std::string_view kCSharpIterators[] = {"GetEnumerator", "GetAsyncEnumerator"};

// Ordered by width; each with the types that a value converts to implicitly.
constexpr std::uint32_t to(std::initializer_list<int> numbers) {
  std::uint32_t bits = 0;
  for (const int number : numbers) bits |= 1U << static_cast<unsigned>(number);
  return bits;
}
constexpr Primitive kCSharpPrimitives[] = {
    {"bool", "Boolean"},
    {"sbyte", "SByte", to({4, 6, 8, 10, 11, 12, 13})},
    {"byte", "Byte", to({4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})},
    {"char", "Char", to({5, 6, 7, 8, 9, 10, 11, 12, 13, 14})},
    {"short", "Int16", to({6, 8, 10, 11, 12, 13})},
    {"ushort", "UInt16", to({6, 7, 8, 9, 10, 11, 12, 13, 14})},
    {"int", "Int32", to({8, 10, 11, 12, 13})},
    {"uint", "UInt32", to({8, 9, 10, 11, 12, 14})},
    {"long", "Int64", to({10, 11, 12})},
    {"ulong", "UInt64", to({10, 11, 12})},
    {"float", "Single", to({11})},
    {"double", "Double"},
    {"decimal", "Decimal"},
    {"nint", "IntPtr", to({8, 10, 11, 12})},
    {"nuint", "UIntPtr", to({9, 10, 11, 12})},
    {"null"},
};

constexpr std::string_view kCSharpReserved[] = {
    "abstract", "as",         "base",    "bool",     "break",     "byte",     "case",
    "catch",    "char",       "checked", "class",    "const",     "continue", "decimal",
    "default",  "delegate",   "do",      "double",   "else",      "enum",     "event",
    "explicit", "extern",     "false",   "finally",  "fixed",     "float",    "for",
    "foreach",  "goto",       "if",      "implicit", "in",        "int",      "interface",
    "internal", "is",         "lock",    "long",     "namespace", "new",      "null",
    "object",   "operator",   "out",     "override", "params",    "private",  "protected",
    "public",   "readonly",   "ref",     "return",   "sbyte",     "sealed",   "short",
    "sizeof",   "stackalloc", "static",  "string",   "struct",    "switch",   "this",
    "throw",    "true",       "try",     "typeof",   "uint",      "ulong",    "unchecked",
    "unsafe",   "ushort",     "using",   "virtual",  "void",      "volatile", "while"};

constexpr LanguageTraits csharp_traits() {
  LanguageTraits traits = overloading_traits();
  traits.names.reflection = kCSharpReflection;
  traits.files.configuration = kCSharpConfiguration;
  traits.names.main_function = "Main";
  traits.imports_name_folders = true;
  traits.protocol.item = "this";
  traits.protocol.iterators = kCSharpIterators;
  traits.primitives = kCSharpPrimitives;
  traits.protocol.root_type = "Object";
  traits.parts_are_one = true;
  traits.keys_may_be_names = true;
  traits.names.reserved = kCSharpReserved;
  traits.texts.reach = kCSharpReflection;
  return traits;
}

constexpr NameUse kCallUses[] = {NameUse::kCallable, NameUse::kValue};
constexpr NameUse kMentionUses[] = {NameUse::kType, NameUse::kValue, NameUse::kCallable};
constexpr NameUse kTypeUses[] = {NameUse::kType};
constexpr NameUse kValueUses[] = {NameUse::kValue, NameUse::kCallable, NameUse::kType};

constexpr NameOrders kCSharpOrders = {.call = kCallUses,
                                      .type = kTypeUses,
                                      .read = kValueUses,
                                      .write = kValueUses,
                                      .import = kTypeUses};

bool is_capital(std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

// The term that is noted of occurrence `index`: new A(x), f(x) or f<T>.
const Term* noted_term(const FileModel& file, std::uint32_t index) {
  const auto call = file.call_of(index);
  return !call || *call == kNoIndex ? nullptr : &file.facts.terms[*call];
}

bool is_made(const FileModel& file, std::uint32_t index) {
  const Term* term = noted_term(file, index);
  return term != nullptr && term->kind == TermKind::kNew;
}

// How many type arguments stand behind the name at `index`; nothing for A<,>.
std::optional<std::size_t> type_arguments_at(const FileModel& file, std::uint32_t index) {
  const Term* term = noted_term(file, index);
  if (term != nullptr && (term->kind == TermKind::kCall || term->kind == TermKind::kNew)) {
    const auto parts = file.parts_of(*term);
    term = parts.empty() || parts[0] == kNoIndex ? nullptr : &file.facts.terms[parts[0]];
  }
  if (term == nullptr || term->kind != TermKind::kApply) return 0;
  if (term->part_count < 2) return std::nullopt;
  return term->part_count - 1;
}

std::span<const NameUse> wanted_uses(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (file.is_documentation(occurrence.offset)) return kMentionUses;
  if (occurrence.role == Role::kCall && is_made(file, index)) return kTypeUses;
  return uses_of(kCSharpOrders, occurrence.role);
}

// Of types of one name those with as many type parameters as `index` has arguments; of a call with
// type arguments likewise.
Entities of_arity(const FileModel& file, std::uint32_t index, Entities found) {
  if (found.size() < 2) return found;
  const auto wanted = type_arguments_at(file, index);
  const bool are_types = std::ranges::all_of(found, [](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && is_type_like(symbol_of(entity));
  });
  if (!are_types && wanted == 0U) return found;  // decided by the arguments
  const auto fits = [&](const Entity& entity) {
    if (entity.kind != EntityKind::kSymbol) return true;
    const std::size_t count = entity.file->type_parameters_of(entity.index).size();
    return wanted ? count == *wanted : count > 0;
  };
  if (std::ranges::any_of(found, fits)) {
    std::erase_if(found, [&](const Entity& entity) { return !fits(entity); });
  }
  return found;
}

Entities chosen_of(Resolver& resolver, const FileModel& file, std::uint32_t index, NameUse use,
                   Entities found) {
  found = of_arity(file, index, std::move(found));
  if (file.facts.occurrences[index].role != Role::kCall) return found;
  if (use == NameUse::kCallable) return fitting_call(resolver, file, index, found);
  if (use != NameUse::kType) return found;
  Entities all;
  for (const Entity& entity : found) {
    add(all, entity);
    if (is_class(entity)) add_all(all, constructors_for(resolver, file, index, entity));
  }
  return all;
}

// A search for a bare name.
class CSharpSearch {
 public:
  CSharpSearch(Resolver& resolver, const FileModel& file, std::uint32_t index,
               std::span<const NameUse> uses)
      : resolver_(resolver),
        file_(file),
        index_(index),
        occurrence_(file.facts.occurrences[index]),
        name_(file.name(occurrence_.name)),
        uses_(uses) {}

  Entities find(std::string_view name) {
    name_ = name;
    const auto id = file_.find_name(name);
    for (std::uint32_t scope = file_.scope_at(occurrence_.offset); scope != kNoIndex;
         scope = file_.facts.scopes[scope].parent) {
      const ScopeKind kind = file_.facts.scopes[scope].kind;
      Entities found;
      if (kind == ScopeKind::kNamespace || scope == 0) {
        found = in_namespaces(scope);
      } else {
        if (id) found = in_scope(scope, *id);
        if (found.empty() && kind == ScopeKind::kClass) found = in_class(scope);
      }
      if (!found.empty()) return found;
    }
    return {};
  }

  NameUse met = NameUse::kType;  // what was found
  /// True if the name may come from something outside: a supertype, a using.
  bool may_be_foreign = false;

 private:
  bool wants(NameUse use) const { return std::ranges::find(uses_, use) != uses_.end(); }

  Entities in_scope(std::uint32_t scope, parse::NameId id) {
    Entities found;
    for (const std::uint32_t index : file_.bindings_in(scope, id)) {
      const parse::Binding& binding = file_.facts.bindings[index];
      switch (binding.kind) {
        case BindingKind::kParameter:
        case BindingKind::kLocal:
          if (!wants(NameUse::kValue) || binding.offset > occurrence_.offset) break;
          met = NameUse::kValue;
          found = {{EntityKind::kLocal, &file_, index}};
          break;
        case BindingKind::kTypeParameter:
          if (!wants(NameUse::kType)) break;
          met = NameUse::kType;
          found = {{EntityKind::kLocal, &file_, index}};
          break;
        case BindingKind::kSymbol:
          // (A local function; types are members.)
          if (!wants(NameUse::kCallable) || !is_callable(file_.facts.symbols[binding.target])) {
            break;
          }
          met = NameUse::kCallable;
          add(found, {EntityKind::kSymbol, &file_, binding.target});
          break;
        default:
          break;
      }
    }
    return found;
  }

  Entities in_class(std::uint32_t scope) {
    const std::uint32_t symbol = file_.facts.scopes[scope].symbol;
    if (symbol == kNoIndex) return {};
    // The name of a supertype is not looked up in that supertype.
    for (const NameUse use : uses_) {
      Entities found =
          known(type_members_for(resolver_, {EntityKind::kInstance, &file_, symbol}, name_, use));
      if (found.empty()) continue;
      met = use;
      return found;
    }
    return {};
  }

  Entities known(Entities found) {
    if (any_leads(found)) return found;
    may_be_foreign = may_be_foreign || !found.empty();
    return {};
  }

  Entities types_in(std::string_view path) {
    Entities found = namespace_types(resolver_, path, name_, &file_);
    if (found.empty()) return found;
    // One with other type parameters may be meant in a namespace further out.
    const auto wanted = type_arguments_at(file_, index_);
    const bool fits = std::ranges::any_of(found, [&](const Entity& type) {
      const std::size_t count = type.file->type_parameters_of(type.index).size();
      return wanted ? count == *wanted : count > 0;
    });
    if (!fits) {
      if (other_.empty()) other_ = found;
      return {};
    }
    return found;
  }

  Entities in_namespaces(std::uint32_t scope) {
    const bool is_global = file_.facts.scopes[scope].kind != ScopeKind::kNamespace;
    const std::string own = is_global ? std::string() : namespace_at(file_, scope);
    // A part of its name may have been opened further out.
    const std::uint32_t outer = is_global ? kNoIndex : file_.facts.scopes[scope].parent;
    std::string end;
    if (outer != kNoIndex && file_.facts.scopes[outer].kind == ScopeKind::kNamespace) {
      end = namespace_at(file_, outer);
    }
    bool is_innermost = true;
    for (std::string_view path = own;;) {
      Entities found = in_namespace(path);
      if (found.empty() && is_innermost) found = by_usings(scope);
      is_innermost = false;
      if (!found.empty()) return found;
      const std::size_t dot = path.rfind('.');
      if (path.empty() || dot == std::string_view::npos) break;
      path = path.substr(0, dot);
      if (path == end) break;
    }
    if (is_global && wants(NameUse::kType)) return std::move(other_);
    return {};
  }

  Entities in_namespace(std::string_view path) {
    if (!wants(NameUse::kType)) return {};
    met = NameUse::kType;
    Entities found = types_in(path);
    if (!found.empty()) return found;
    std::string inner(path);
    if (!inner.empty()) inner += '.';
    inner += name_;
    const bool may_lead = occurrence_.role == Role::kRead || occurrence_.role == Role::kType ||
                          occurrence_.role == Role::kImport;
    if (may_lead && is_namespace(resolver_, inner)) {
      return {resolver_.folder_entity(inner, file_.semantics)};
    }
    return {};
  }

  Entities by_usings(std::uint32_t scope) {
    if (const auto id = file_.find_name(name_); id && wants(NameUse::kType)) {
      for (const std::uint32_t index : file_.bindings_in(scope, *id)) {
        if (file_.facts.bindings[index].kind != BindingKind::kImport) continue;
        met = NameUse::kType;
        return resolver_.resolve_binding(file_, index);
      }
    }
    if (occurrence_.role == Role::kImport) return {};  // usings do not see each other
    Entities found;
    for (const std::string& path : usings_in(resolver_, file_, scope)) {
      if (is_namespace(resolver_, path)) {
        if (!wants(NameUse::kType)) continue;
        add_all(found, types_in(path));
        if (!found.empty()) met = NameUse::kType;
        continue;
      }
      const Entities types = qualified_types(resolver_, path, &file_);
      if (types.empty()) may_be_foreign = true;
      for (const NameUse use : uses_) {
        Entities members = known(members_for(resolver_, types, name_, use));
        if (members.empty()) continue;
        met = use;
        add_all(found, members);
        break;
      }
    }
    return found;
  }

  Resolver& resolver_;
  const FileModel& file_;
  const std::uint32_t index_;
  const parse::Occurrence& occurrence_;
  std::string_view name_;
  std::span<const NameUse> uses_;
  Entities other_;  // types of the name with other type parameters
};

// True for a member that is reached through its type.
bool is_of_type(Resolver& resolver, const Entity& member) {
  if (const store::SymbolRow* row = resolver.row_of(*member.file, member.index)) {
    return row->kind == "enum_member" || row->is(store::Modifier::kStatic) ||
           row->is(store::Modifier::kConst);
  }
  const parse::Symbol& symbol = symbol_of(member);
  return symbol.kind == "enum_member" ||
         std::ranges::find(symbol.modifiers, "static") != symbol.modifiers.end();
}

bool is_value_type(Resolver& resolver, const Entity& type) {
  const store::SymbolRow* row = resolver.row_of(*type.file, type.index);
  return row == nullptr ? symbol_of(type).kind == "struct" || symbol_of(type).kind == "enum"
                        : row->kind == "struct" || row->kind == "enum";
}

// `Color.Red` where a member `Color` is of a type of its own name: the type, if what follows is
// reached through types.
std::optional<Entities> type_of_own_name(Resolver& resolver, const FileModel& file,
                                         std::uint32_t index, const Entities& found) {
  const auto& occurrences = file.facts.occurrences;
  if (index + 1 >= occurrences.size()) return std::nullopt;
  const parse::Occurrence& next = occurrences[index + 1];
  if (next.receiver_kind != ReceiverKind::kName || next.receiver != index) return std::nullopt;
  const parse::Occurrence& occurrence = occurrences[index];
  const std::string& name = file.name(occurrence.name);
  if (found.size() != 1 || found[0].kind != EntityKind::kSymbol ||
      symbol_of(found[0]).term == kNoIndex) {
    return std::nullopt;
  }
  CSharpSearch search(resolver, file, index, kTypeUses);
  const Entities types = of_arity(file, index, search.find(name));
  if (types.empty() || types[0].kind != EntityKind::kSymbol) return std::nullopt;
  const Entities values = resolver.evaluate(*found[0].file, symbol_of(found[0]).term);
  const bool is_own = std::ranges::any_of(values, [&](const Entity& value) {
    return is_instance(value) && symbol_of(value).name == name;
  });
  if (!is_own) return std::nullopt;
  const std::string& member = file.name(next.name);
  for (const NameUse use : kValueUses) {
    for (const Entity& meant : members_for(resolver, types, member, use)) {
      if (meant.kind != EntityKind::kSymbol) continue;
      if (is_type_like(symbol_of(meant)) || is_of_type(resolver, meant)) return types;
    }
  }
  return std::nullopt;
}

Entities plain_name(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  const bool is_attribute = occurrence.receiver_kind == ReceiverKind::kTag;
  CSharpSearch search(resolver, file, index, is_attribute ? kTypeUses : wanted_uses(file, index));
  Entities found;
  if (is_attribute) found = search.find(name + "Attribute");
  if (found.empty()) found = search.find(name);
  if (!found.empty()) {
    if (search.met == NameUse::kValue && occurrence.role == Role::kRead) {
      if (auto types = type_of_own_name(resolver, file, index, found)) return *types;
    }
    return chosen_of(resolver, file, index, search.met, std::move(found));
  }
  if (name == "dynamic" && occurrence.role == Role::kType) return {kUnknownEntity};
  if (occurrence.role == Role::kType || occurrence.role == Role::kInherit || is_attribute ||
      occurrence.role == Role::kImport || search.may_be_foreign || is_capital(name) ||
      name == "nameof" || name == "global") {
    return {kExternalEntity};
  }
  return {kUnknownEntity};
}

// What `name` is of a namespace.
Entities of_folder(Resolver& resolver, const FileModel& file, std::uint32_t index,
                   std::string_view path, std::string_view name) {
  Entities found = namespace_types(resolver, path, name, &file);
  if (!found.empty()) return chosen_of(resolver, file, index, NameUse::kType, std::move(found));
  const std::string inner = (path.empty() ? "" : std::string(path) + ".") + std::string(name);
  if (is_namespace(resolver, inner)) return {resolver.folder_entity(inner, file.semantics)};
  return {kExternalEntity};
}

// The supertypes of the type around `offset`, without its other parts: base.f().
Entities bases_of(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                  const Entities& bases) {
  std::uint32_t own = file.symbol_at(offset);
  while (own != kNoIndex && file.facts.symbols[own].type != SymbolType::kClass) {
    own = file.surrounding(own);
  }
  if (own == kNoIndex) return bases;
  const std::string name = file.qualified_name(own);
  const auto is_part = [&](const Entity& base) {
    return is_instance(base) && base.file->qualified_name(base.index) == name;
  };
  Entities found;
  for (const Entity& base : bases) {
    if (!is_part(base)) {
      add(found, base);
      continue;
    }
    for (const Entity& above : resolver.supertypes(base)) {
      if (!is_part(above)) add(found, above);
    }
  }
  return found;
}

// Extension methods that the call at `index` may mean on `receivers`.
Entities extensions_for(Resolver& resolver, const FileModel& file, std::uint32_t index,
                        const Entities& receivers) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const Entities methods =
      extension_methods(resolver, file, occurrence.offset, file.name(occurrence.name));
  if (methods.empty()) return {};
  Entities found;
  for (const Entity& receiver : receivers) {
    if (receiver.kind == EntityKind::kUnknown || receiver.kind == EntityKind::kFolder) continue;
    if (receiver.kind == EntityKind::kSymbol && is_type_like(symbol_of(receiver))) continue;
    for (const Entity& method : methods) {
      const TermId term = symbol_of(method).term;
      if (term == kNoIndex || method.file->facts.terms[term].kind != TermKind::kFunction) continue;
      const auto& parameters =
          method.file->facts.functions[method.file->facts.terms[term].at].parameters;
      if (parameters.empty()) continue;
      const Entity made{EntityKind::kSymbol, method.file, method.index,
                        resolver.extension_environment(method, receiver)};
      const Entities wanted = resolver.substitute(
          resolver.evaluate(*method.file, parameters[0].term), made.environment);
      if (!may_be_given(resolver, file, {receiver}, wanted)) continue;
      add(found, made);
    }
  }
  return found;
}

Entities member_of_name(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  Entities before = resolver.receivers(file, index);
  if (occurrence.receiver_kind == ReceiverKind::kSuper) {
    before = bases_of(resolver, file, occurrence.offset, before);
  }
  // The members of a primitive type are declared by its struct.
  for (Entity& receiver : before) {
    const auto primitive = primitive_of(receiver);
    if (!primitive || kCSharpPrimitives[*primitive].boxed.empty()) continue;
    const Entities types =
        file.semantics.unbound_name(resolver, file, kCSharpPrimitives[*primitive].boxed);
    if (types.size() == 1 && types[0].kind == EntityKind::kSymbol) {
      receiver = {EntityKind::kInstance, types[0].file, types[0].index};
    }
  }
  if (before.empty()) return {kUnknownEntity};
  // global::A
  if (occurrence.receiver_kind == ReceiverKind::kName) {
    const parse::Occurrence& first = file.facts.occurrences[occurrence.receiver];
    if (first.receiver_kind == ReceiverKind::kNone && file.name(first.name) == "global") {
      return of_folder(resolver, file, index, "", name);
    }
  }
  for (const Entity& receiver : before) {
    if (receiver.kind != EntityKind::kFolder) continue;
    const std::string path = resolver.folder(receiver.index);
    return of_folder(resolver, file, index, path, name);
  }
  const auto uses = wanted_uses(file, index);
  const bool is_call = occurrence.role == Role::kCall && uses.front() == NameUse::kCallable;
  Entities unfound;
  for (const NameUse use : uses) {
    Entities members = members_for(resolver, before, name, use);
    if (any_leads(members)) {
      if (is_call && use == NameUse::kCallable) {
        const auto arguments = arguments_at(file, index);
        const bool takes = !arguments || std::ranges::any_of(members, [&](const Entity& member) {
          return member.kind == EntityKind::kSymbol && takes_so_many(member, *arguments);
        });
        if (!takes) {
          Entities more = extensions_for(resolver, file, index, before);
          if (!more.empty()) members = std::move(more);
        }
      }
      return chosen_of(resolver, file, index, use, std::move(members));
    }
    if (unfound.empty() || has_kind(members, EntityKind::kUnknown)) unfound = std::move(members);
  }
  if (is_call || occurrence.role == Role::kRead) {
    Entities extensions = extensions_for(resolver, file, index, before);
    if (!extensions.empty()) {
      return chosen_of(resolver, file, index, NameUse::kCallable, std::move(extensions));
    }
  }
  // a.Value, where a is of a struct or nothing.
  if (name == "Value" && unfound.empty()) {
    Entities values;
    for (const Entity& value : before) {
      if (is_instance(value) && is_value_type(resolver, value)) add(values, value);
    }
    if (!values.empty()) return values;
  }
  return unfound;
}

}  // namespace

CSharpSemantics::CSharpSemantics()
    : NominalSemantics(csharp_traits(), {codexmem_csharp_library, codexmem_csharp_library_end},
                       csharp_library()) {}

Entities CSharpSemantics::bare_name(Resolver& resolver, const FileModel& file,
                                    std::uint32_t index) const {
  return plain_name(resolver, file, index);
}

Entities CSharpSemantics::dotted_name(Resolver& resolver, const FileModel& file,
                                      std::uint32_t index) const {
  return member_of_name(resolver, file, index);
}

}  // namespace codexmem::graph
