// Names of C++. A bare name is looked for from the inside out: in the scopes of the function, in
// the class around and what it extends, in the namespaces around; a member that is defined outside
// of its class is in the namespaces of the class; then come `using`, and behind the call of a macro
// members of classes among its arguments. A name found nowhere may be in a namespace that a macro
// opens, or come through argument-dependent lookup, which is not followed: if the namespaces have
// only one symbol of the name, in included files or else in others, that one is a likely guess.
//
// Tested by graph/cpp_test.cpp.
#include <algorithm>
#include <string>
#include <vector>

#include "graph/c/c_files.h"
#include "graph/c/c_macros.h"
#include "graph/core/resolver_step.h"
#include "graph/cpp/cpp_makers.h"
#include "graph/cpp/cpp_members.h"
#include "graph/cpp/cpp_scopes.h"
#include "graph/cpp/cpp_semantics.h"
#include "graph/cpp/macro_bodies.h"
#include "graph/cpp/macro_namespaces.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

extern "C" const char codexmem_cpp_library_units[], codexmem_cpp_library_units_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;
using store::SymbolRow;

constexpr std::size_t kMaxDirectives = 64;  // of a file that are followed
constexpr std::string_view kBegin[] = {"begin"};

// Numbers convert to each other.
constexpr std::uint32_t kAnyNumber = 0xFFFF'FFFEU;
constexpr Primitive kCppPrimitives[] = {
    {"void"},
    {"bool", {}, kAnyNumber},
    {"char", {}, kAnyNumber},
    {"short", {}, kAnyNumber},
    {"int", {}, kAnyNumber},
    {"unsigned", {}, kAnyNumber},
    {"long", {}, kAnyNumber},
    {"unsigned int", {}, kAnyNumber},
    {"unsigned long", {}, kAnyNumber},
    {"long long", {}, kAnyNumber},
    {"unsigned long long", {}, kAnyNumber},
    {"unsigned char", {}, kAnyNumber},
    {"float", {}, kAnyNumber},
    {"double", {}, kAnyNumber},
};

constexpr std::string_view kCppReserved[] = {"auto",
                                             "break",
                                             "case",
                                             "char",
                                             "const",
                                             "continue",
                                             "default",
                                             "do",
                                             "double",
                                             "else",
                                             "enum",
                                             "extern",
                                             "float",
                                             "for",
                                             "goto",
                                             "if",
                                             "inline",
                                             "int",
                                             "long",
                                             "register",
                                             "restrict",
                                             "return",
                                             "short",
                                             "signed",
                                             "sizeof",
                                             "static",
                                             "struct",
                                             "switch",
                                             "typedef",
                                             "union",
                                             "unsigned",
                                             "void",
                                             "volatile",
                                             "while",
                                             "alignas",
                                             "alignof",
                                             "and",
                                             "asm",
                                             "bool",
                                             "catch",
                                             "char16_t",
                                             "char32_t",
                                             "char8_t",
                                             "class",
                                             "co_await",
                                             "co_return",
                                             "co_yield",
                                             "concept",
                                             "const_cast",
                                             "consteval",
                                             "constexpr",
                                             "constinit",
                                             "decltype",
                                             "delete",
                                             "dynamic_cast",
                                             "explicit",
                                             "export",
                                             "false",
                                             "friend",
                                             "mutable",
                                             "namespace",
                                             "new",
                                             "noexcept",
                                             "not",
                                             "nullptr",
                                             "operator",
                                             "or",
                                             "private",
                                             "protected",
                                             "public",
                                             "reinterpret_cast",
                                             "requires",
                                             "static_assert",
                                             "static_cast",
                                             "template",
                                             "this",
                                             "thread_local",
                                             "throw",
                                             "true",
                                             "try",
                                             "typeid",
                                             "typename",
                                             "using",
                                             "virtual",
                                             "wchar_t",
                                             "xor"};

// The standard's templates, coroutines and range-for look these up; the rest are where programs
// begin on Windows and under libFuzzer.
constexpr std::string_view kCppCalledUnseen[] = {"await_ready",
                                                 "await_resume",
                                                 "await_suspend",
                                                 "begin",
                                                 "difference_type",
                                                 "end",
                                                 "final_suspend",
                                                 "get_return_object",
                                                 "initial_suspend",
                                                 "is_transparent",
                                                 "iterator_category",
                                                 "iterator_concept",
                                                 "pointer",
                                                 "rebind",
                                                 "reference",
                                                 "return_value",
                                                 "return_void",
                                                 "swap",
                                                 "unhandled_exception",
                                                 "value_type",
                                                 "yield_value",
                                                 "DllMain",
                                                 "LLVMFuzzerInitialize",
                                                 "LLVMFuzzerTestOneInput",
                                                 "WinMain",
                                                 "wWinMain",
                                                 "wmain"};

constexpr LanguageTraits kCppTraits = {
    .knowledge = Knowledge::kChecked,
    .names = {.main_function = "main", .called_unseen = kCppCalledUnseen, .reserved = kCppReserved},
    .protocol = {.item = "operator[]", .next = "operator*", .iterators = kBegin},
    .foreign = {.results_are_unknown = true, .things_hold_ours = true},
    .overriding = Overriding::kAll,
    .absent_names_are_external = true,
    .shares_names_with = "c",
    .containers_are_apart = true,
    .names_are_seen_behind = true,
    .is_compiled = true,
    .primitives = kCppPrimitives,
    .locals_are_distinct = true,
    .arrays_are_elements = true,
    .overloads_are_distinct = true,
    .alternatives_are_likely = true,
    .values_hold_functions = true,
    .types_are_called = true,
};

bool is_symbol(const Entity& entity) { return entity.kind == EntityKind::kSymbol; }

bool is_found(const Entities& entities) { return std::ranges::any_of(entities, is_symbol); }

bool is_type_entity(const Entity& entity) {
  return is_symbol(entity) && is_type_like(symbol_of(entity));
}

// Of several symbols of a name, the ones that the place may mean.
Entities chosen(Resolver& resolver, const FileModel& file, std::uint32_t index, Entities found) {
  if (found.size() < 2) return with_makers(resolver, file, index, std::move(found));
  const Role role = file.facts.occurrences[index].role;
  const auto types = std::ranges::count_if(found, is_type_entity);
  if ((role == Role::kType || role == Role::kInherit) && types > 0) {
    std::erase_if(
        found, [](const Entity& entity) { return is_symbol(entity) && !is_type_entity(entity); });
  }
  if (role != Role::kCall) return with_makers(resolver, file, index, std::move(found));
  // That a thing is a guess does not depend on how it is called, nor does what a macro is that is
  // there instead of functions.
  Entities nearby;
  std::erase_if(found, [&](const Entity& entity) {
    const bool is_nearby =
        entity.kind == EntityKind::kUnknown || is_foreign(entity) || is_macro(resolver, entity);
    if (is_nearby) add(nearby, entity);
    return is_nearby;
  });
  found = fitting_call(resolver, file, index, found);
  add_all(found, nearby);
  return with_makers(resolver, file, index, std::move(found));
}

// A namespace or class around a name; `type` is the class, where it is known which of several.
struct EnclosingScope {
  std::string path;
  Entity type;
};

// The scopes that have names around an offset, the innermost first.
std::vector<EnclosingScope> scopes_around(Resolver& resolver, const FileModel& file,
                                          std::uint32_t offset) {
  std::vector<EnclosingScope> scopes;
  const auto add_path = [&](std::string path, const Entity& type) {
    Entity of_path = type;
    while (true) {
      const auto known = std::ranges::find(scopes, path, &EnclosingScope::path);
      if (known != scopes.end()) {  // and so are those around it
        if (!is_symbol(known->type)) known->type = of_path;
        return;
      }
      scopes.push_back({path, of_path});
      if (path.empty()) return;
      of_path = kUnknownEntity;
      const std::size_t dot = path.rfind('.');
      path.resize(dot == std::string::npos ? 0 : dot);
    }
  };
  for (std::uint32_t symbol = file.symbol_at(offset); symbol != kNoIndex;
       symbol = file.surrounding(symbol)) {
    const Entity entity{EntityKind::kSymbol, &file, symbol};
    const std::string container = container_of(resolver, entity);
    // (An alias has the members of its target type, and is not a scope.)
    if (is_type_like(file.facts.symbols[symbol]) && !file.facts.symbols[symbol].body.empty()) {
      add_path(path_of(resolver, entity), entity);
      continue;
    }
    // Behind A::f its class is around.
    const std::uint32_t begin = file.facts.symbols[symbol].name_range.begin;
    const std::uint32_t name = offset > begin ? file.occurrence_at(begin) : kNoIndex;
    if (name != kNoIndex && file.named_receiver(name) != kNoIndex) {
      for (const Entity& owner : resolver.receivers(file, name)) {
        if (is_type_entity(owner)) add_path(path_of(resolver, owner), owner);
      }
    }
    add_path(container, kUnknownEntity);
  }
  if (scopes.empty() || !scopes.back().path.empty()) scopes.emplace_back();
  return scopes;
}

// The type that a scope is; empty for a namespace.
Entities types_of(Resolver& resolver, const FileModel& file, const EnclosingScope& around) {
  if (around.path.empty()) return {};
  if (is_class(around.type)) return {around.type};
  return types_at(resolver, file, around.path);
}

// True if macros open the namespace that a name needs to mean `found`, as seen from occurrence
// `index`: for `x`, the namespace of `found` where the name is; for `a::x`, a where `found` is.
bool is_opened_by_macro(Resolver& resolver, const FileModel& file, std::uint32_t index,
                        const Entity& found) {
  const std::uint32_t offset = file.facts.occurrences[index].offset;
  const std::uint32_t named = file.named_receiver(index);
  const std::string container = container_of(resolver, found);
  if (named == kNoIndex) {
    return std::ranges::any_of(macro_namespaces(resolver, file), [&](const MacroNamespace& one) {
      return one.offset < offset && one.path == container;
    });
  }
  const std::string& owner = file.name(file.facts.occurrences[named].name);
  if (!container.empty() || found.file->is_library) return false;
  const std::uint32_t begin = symbol_of(found).range.begin;
  return std::ranges::any_of(
      macro_namespaces(resolver, *found.file), [&](const MacroNamespace& one) {
        return one.offset < begin && (one.path == owner || one.path.ends_with("." + owner));
      });
}

// What the namespaces declare where normal lookup fails: names of a namespace that a macro opens,
// else a guess, with kUnknown. If it has several paths, kUnknown alone; empty if there is nothing.
Entities guessed(Resolver& resolver, const FileModel& file, std::uint32_t index, bool is_unseen) {
  const std::string& name = file.name(file.facts.occurrences[index].name);
  Entities found = in_any_namespace(resolver, file, name, is_unseen);
  Entities opened;
  for (const Entity& one : found) {
    if (is_unseen || !is_symbol(one)) break;
    if (is_opened_by_macro(resolver, file, index, one)) opened.push_back(one);
  }
  const bool is_sure = !opened.empty();
  if (is_sure) found = std::move(opened);
  if (found.empty() || !is_symbol(found.front())) return found;
  const std::string path = path_of(resolver, found.front());
  const bool is_one = std::ranges::all_of(
      found, [&](const Entity& entity) { return path_of(resolver, entity) == path; });
  if (!is_one) return {kUnknownEntity};
  if (!is_sure && !std::ranges::all_of(
                      found, [&](const Entity& entity) { return is_macro(resolver, entity); })) {
    found.push_back(kUnknownEntity);
  }
  return found;
}

class CppNameSearch {
 public:
  CppNameSearch(Resolver& resolver, const FileModel& file, std::uint32_t index)
      : resolver_(resolver),
        file_(file),
        index_(index),
        name_(file.name(file.facts.occurrences[index].name)) {}

  Entities find() {
    const parse::Occurrence& at = file_.facts.occurrences[index_];
    std::vector<EnclosingScope> scopes;
    wants_type_ = at.role == Role::kType || at.role == Role::kInherit;
    // What the grammar took for a type may be a value: A a(b).
    for (const bool wants_type : {true, false}) {
      if (wants_type && !wants_type_) continue;
      wants_type_ = wants_type;
      Entities found = in_function();
      if (!found.empty()) return found;
      if (scopes.empty()) scopes = scopes_around(resolver_, file_, at.offset);
      Entities macros;  // visible everywhere, so they may hide names further out
      Entities cases;   // named by a macro's argument: TEST(a) makes another name of it
      for (const EnclosingScope& around : scopes) {
        found = fitting(in_scope(around));
        std::erase_if(found, [&](const Entity& entity) {
          const bool is_case = is_named_by_argument(resolver_, entity);
          if (is_case) add(cases, entity);
          return is_case;
        });
        const bool are_macros = std::ranges::all_of(
            found, [&](const Entity& entity) { return is_macro(resolver_, entity); });
        if (!are_macros) return found;
        add_all(macros, found);
      }
      if (!macros.empty()) return macros;
      found = fitting(through_using());
      if (!found.empty()) return found;
      found = behind_macro(at.offset);
      if (found.empty()) found = cases;
      if (!found.empty()) return found;
      for (const EnclosingScope& around : scopes) {
        found = types_of_includers(resolver_, file_, around.path, name_);
        if (!found.empty()) return found;
      }
    }
    // A bare name that is read may be a local of what a macro makes.
    const bool is_plain = at.role == Role::kRead || at.role == Role::kWrite;
    for (const bool is_unseen : {false, true}) {
      Entities found = guessed(resolver_, file_, index_, is_unseen);
      if (is_unseen && is_plain) {
        std::erase_if(found, [&](const Entity& entity) { return !is_macro(resolver_, entity); });
      }
      if (!found.empty()) return found;
    }
    const bool is_foreign = !is_plain && cpp_rows(resolver_, name_).empty();
    return {is_foreign ? kExternalEntity : kUnknownEntity};
  }

 private:
  // A macro may expand to a type.
  Entities fitting(Entities found) {
    if (wants_type_) {
      std::erase_if(found, [&](const Entity& entity) {
        return !is_type_entity(entity) && !is_macro(resolver_, entity);
      });
    }
    return found;
  }

  // Locals, parameters and other declarations in a function.
  Entities in_function() {
    const parse::Occurrence& at = file_.facts.occurrences[index_];
    for (std::uint32_t scope = file_.scope_at(at.offset); scope != 0 && scope != kNoIndex;
         scope = file_.facts.scopes[scope].parent) {
      const bool is_class = file_.facts.scopes[scope].kind == ScopeKind::kClass;
      std::uint32_t last = kNoIndex;
      for (const std::uint32_t binding : file_.bindings_in(scope, at.name)) {
        const BindingKind kind = file_.facts.bindings[binding].kind;
        if (kind == BindingKind::kSymbol && is_class) continue;
        const bool is_value = kind == BindingKind::kParameter || kind == BindingKind::kLocal;
        if (is_value && wants_type_) continue;
        if (file_.is_seen(binding, at.offset)) last = binding;
      }
      if (last == kNoIndex) continue;
      const parse::Binding& binding = file_.facts.bindings[last];
      if (binding.kind == BindingKind::kSymbol) {
        return {{EntityKind::kSymbol, &file_, binding.target}};
      }
      return {{EntityKind::kLocal, &file_, last}};
    }
    return {};
  }

  Entities in_scope(const EnclosingScope& around) {
    const std::string& path = around.path;
    const Entities types = types_of(resolver_, file_, around);
    if (types.empty()) return in_namespace(resolver_, file_, path, name_);
    // Inside a class, its own name means the class.
    if (path == name_ || path.ends_with("." + name_)) return types;
    Entities members = class_members(resolver_, types, name_);
    return is_found(members) ? members : in_namespace(resolver_, file_, path, name_);
  }

  // TEST_CASE_METHOD(Fixture, "x") { member; }
  Entities behind_macro(std::uint32_t offset) {
    const auto header = macro_header(resolver_, file_, offset);
    if (!header || wants_type_) return {};
    const Entities classes = classes_of_header(resolver_, file_, *header);
    Entities members = class_members(resolver_, classes, name_);
    if (!is_found(members)) members = declared_by_macro(resolver_, file_, *header, name_);
    return members;
  }

  // using a::b; using namespace a;
  Entities through_using() {
    Entities found;
    std::size_t directives = 0;
    const parse::Occurrence& own = file_.facts.occurrences[index_];
    for (const UsedName& used : used_names(resolver_, file_)) {
      const std::uint32_t i = used.occurrence;
      // One depends on those before it alone.
      if (own.role == Role::kImport && i >= index_) break;
      if (!used.range.contains(own.offset)) continue;
      const parse::Occurrence& at = file_.facts.occurrences[i];
      if (at.name == own.name) {
        if (at.receiver_kind != ReceiverKind::kName) continue;
        add_all(found, resolver_.resolve(file_, i));
        continue;
      }
      if (++directives > kMaxDirectives) break;
      for (const Entity& opened : Entities(resolver_.resolve(file_, i))) {
        for (const std::string& path : namespaces_of(resolver_, opened)) {
          add_all(found, in_namespace(resolver_, file_, path, name_));
        }
      }
    }
    return found;
  }

  Resolver& resolver_;
  const FileModel& file_;
  const std::uint32_t index_;
  const std::string& name_;
  bool wants_type_ = false;
};

// What `this` points to.
Entities own_object(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  for (const EnclosingScope& around : scopes_around(resolver, file, offset)) {
    const Entities types = types_of(resolver, file, around);
    if (!types.empty()) return resolver.instances(types);
  }
  return {};
}

// True for the library's namespace: what it declares that is not known is the library's.
bool is_named_std(Resolver& resolver, const Entities& namespaces) {
  return std::ranges::any_of(namespaces, [&](const Entity& entity) {
    return is_symbol(entity) && path_of(resolver, entity) == "std";
  });
}

Entities cpp_member_name(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  const Entities before = at.receiver_kind == ReceiverKind::kThis
                              ? own_object(resolver, file, at.offset)
                              : resolver.receivers(file, index);
  if (before.empty()) return {kUnknownEntity};
  Entities found;
  Entities objects;
  bool is_of_namespace = false;
  for (const Entity& receiver : before) {
    is_of_namespace |= is_macro(resolver, receiver);  // which may stand for one
    const auto namespaces = namespaces_of(resolver, receiver);
    is_of_namespace |= !namespaces.empty();
    if (!namespaces.empty()) {
      for (const std::string& path : namespaces) {
        const Entities declared = in_namespace(resolver, file, path, name);
        add_all(found,
                declared.empty() ? types_of_includers(resolver, file, path, name) : declared);
      }
    } else if ((is_symbol(receiver) || (is_instance(receiver) && at.role == Role::kType)) &&
               symbol_of(receiver).name == name && is_type_like(symbol_of(receiver))) {
      add(found, {EntityKind::kSymbol, receiver.file, receiver.index});  // A::A, a->~A()
    } else {
      objects.push_back(receiver);
    }
  }
  if (!found.empty()) {
    // An overload for a type of the repository, in addition to the library's.
    const bool is_own = !std::ranges::all_of(found, is_of_library);
    if (is_own && is_named_std(resolver, before)) add(found, kUnknownEntity);
    return found;
  }
  const std::uint32_t named = file.named_receiver(index);
  const bool is_scope = named != kNoIndex && file.facts.occurrences[named].role == Role::kType;
  const bool is_identified = std::ranges::any_of(
      before, [](const Entity& entity) { return is_of_library(entity) || is_type_entity(entity); });
  if (!is_of_namespace && has_kind(before, EntityKind::kTypeParameter)) return {kUnknownEntity};
  const bool is_held = std::ranges::any_of(before, &is_foreign);
  if (is_of_namespace || (is_scope && !is_identified && !is_held)) {
    if (std::ranges::any_of(before, is_of_library) || is_named_std(resolver, before)) {
      return {kExternalEntity};
    }
    found = guessed(resolver, file, index, false);
    return found.empty() ? Entities{kExternalEntity} : found;
  }
  found = members_through(resolver, objects, file, index);
  const bool is_of_object = std::ranges::any_of(before, is_instance);
  if (is_found(found) || at.role != Role::kType || !is_of_object) return found;
  // a.Base::b
  Entities types = CppNameSearch(resolver, file, index).find();
  std::erase_if(types, [](const Entity& entity) { return !is_type_entity(entity); });
  return types.empty() ? found : types;
}

// True for declarations of one function, variable or namespace.
bool is_redeclaration(Resolver& resolver, const SymbolRow& a, const SymbolRow& b) {
  const auto is_value = [](const SymbolRow& row) {
    return row.type == SymbolType::kVariable || row.type == SymbolType::kProperty;
  };
  if (is_value(a) && is_value(b)) return a.type != b.type || is_prototype(a) || is_prototype(b);
  if (a.kind == "namespace" && b.kind == "namespace") return true;
  const auto is_function = [](const SymbolRow& row) {
    return row.type == SymbolType::kFunction || row.type == SymbolType::kMethod;
  };
  if (!is_function(a) || !is_function(b) || (!is_prototype(a) && !is_prototype(b))) return false;
  const auto one = resolver.symbol(a.id);
  const auto other = resolver.symbol(b.id);
  if (!one || !other) return false;
  // C has no overloads.
  return one->file->family != other->file->family || take_the_same(resolver, *one, *other);
}

}  // namespace

LibraryArchive cpp_library() {
  return {{codexmem_cpp_library_units, codexmem_cpp_library_units_end}, "cpp"};
}

CppSemantics::CppSemantics() : IncludingSemantics(kCppTraits, {}, cpp_library()) {}

std::optional<Entities> CppSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                      std::uint32_t index) const {
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return Entities{kUnknownEntity};
  switch (file.facts.occurrences[index].receiver_kind) {
    case ReceiverKind::kNone:
      if (auto macros = own_macros(resolver, file, index); macros && !macros->empty()) {
        return macros;
      }
      return chosen(resolver, file, index, CppNameSearch(resolver, file, index).find());
    case ReceiverKind::kSuper: {
      const std::string& name = file.name(file.facts.occurrences[index].name);
      Entities found = in_namespace(resolver, file, "", name);
      if (found.empty()) found.push_back(kExternalEntity);
      return chosen(resolver, file, index, std::move(found));
    }
    case ReceiverKind::kName:
    case ReceiverKind::kTerm:
    case ReceiverKind::kThis:
      return chosen(resolver, file, index, cpp_member_name(resolver, file, index));
    default:
      return std::nullopt;
  }
}

// auto [a, b] = value: its data members, in order.
std::optional<Entity> CppSemantics::part_of(Resolver& resolver, const Entity& value,
                                            std::uint32_t position) const {
  const FileModel& file = *value.file;
  std::vector<std::uint32_t> fields;
  for (const std::uint32_t member : file.all_members(value.index)) {
    if (file.facts.symbols[member].type == SymbolType::kProperty) fields.push_back(member);
  }
  if (position >= fields.size()) return kUnknownEntity;
  std::ranges::sort(fields);  // as in the text
  return Entity{EntityKind::kSymbol, &file, fields[position],
                resolver.member_environment(value, value)};
}

// Unscoped enumerators are also members of the class around.
Entities CppSemantics::merged_members(Resolver& resolver, const Entity& owner,
                                      std::string_view name, const Entity&) const {
  return unscoped_enumerators(resolver, owner, name);
}

// A function, or a constructor, does not stand where a type does.
bool CppSemantics::may_be(const FileModel& file, std::uint32_t index, const Entity& member) const {
  const Role role = file.facts.occurrences[index].role;
  return (role != Role::kType && role != Role::kInherit) || !is_callable(symbol_of(member));
}

Entities CppSemantics::merged_with(Resolver& resolver, const FileModel& file,
                                   std::uint32_t symbol) const {
  const SymbolRow* own = row_of(resolver, {EntityKind::kSymbol, &file, symbol});
  if (own == nullptr) return {};
  std::vector<const SymbolRow*> rows;
  for (const SymbolRow* row : cpp_rows(resolver, own->name)) {
    if (row->container != own->container) continue;
    const bool is_here = store::file_of(row->id) == file.id;
    const bool is_shared = row->exported && own->exported;
    // (A static member is no less shared than others.)
    const bool is_member =
        row->type == SymbolType::kMethod || (row->type != own->type && !own->container.empty());
    if (!is_here && !is_shared && !is_member) continue;
    if (row == own || is_redeclaration(resolver, *own, *row)) rows.push_back(row);
  }
  // A namespace is open: files that see different parts of it mean the same namespace.
  if (own->kind != "namespace") {
    rows = declarations_of_one(resolver, *own, rows);
  } else {
    std::erase(rows, own);
  }
  Entities found;
  for (const SymbolRow* row : rows) {
    if (const auto entity = resolver.symbol(row->id)) found.push_back(*entity);
  }
  return found;
}

}  // namespace codexmem::graph
