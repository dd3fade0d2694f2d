// What Kotlin is, what its imports, packages and files give. Names are looked for in
// kotlin_search.cpp. Tested by graph/kotlin_test.cpp.
#include "graph/core/resolver.h"
#include "graph/jvm/jvm_packages.h"
#include "graph/kotlin/kotlin_library.h"
#include "graph/kotlin/kotlin_scopes.h"
#include "graph/kotlin/kotlin_semantics.h"

extern "C" const char codexmem_kotlin_library[], codexmem_kotlin_library_end[];

namespace codexmem::graph {
namespace {

constexpr std::string_view kKotlinReflection[] = {"declaredMemberProperties",
                                                  "forName",
                                                  "getDeclaredField",
                                                  "getDeclaredMethod",
                                                  "getField",
                                                  "getMethod",
                                                  "loadClass",
                                                  "memberProperties"};
// (The same in number and order as Java's, since values pass between the two.)
constexpr Primitive kKotlinPrimitives[] = {
    {"boolean", "Boolean"}, {"byte", "Byte"},     {"char", "Char"},
    {"short", "Short"},     {"int", "Int"},       {"long", "Long"},
    {"float", "Float"},     {"double", "Double"}, {"null"}};
constexpr std::string_view kKotlinCalledUnseen[] = {
    "compareTo",       "component1",  "component2",  "component3",  "component4", "component5",
    "contains",        "dec",         "div",         "divAssign",   "equals",     "get",
    "getValue",        "hasNext",     "hashCode",    "inc",         "invoke",     "iterator",
    "minus",           "minusAssign", "next",        "not",         "plus",       "plusAssign",
    "provideDelegate", "rangeTo",     "rangeUntil",  "readResolve", "rem",        "set",
    "setValue",        "times",       "timesAssign", "toString",    "unaryMinus", "unaryPlus"};
constexpr std::string_view kKotlinReserved[] = {
    "as",     "break",     "class",  "continue", "do",        "else",  "false",
    "for",    "fun",       "if",     "in",       "interface", "is",    "null",
    "object", "package",   "return", "super",    "this",      "throw", "true",
    "try",    "typealias", "typeof", "val",      "var",       "when",  "while"};

constexpr LanguageTraits kotlin_traits() {
  LanguageTraits traits = jvm_traits();
  traits.names.reflection = kKotlinReflection;
  traits.names.called_unseen = kKotlinCalledUnseen;
  traits.shares_names_with = "java";
  traits.imports_name_folders = true;
  traits.protocol.constructor = "constructor";
  traits.protocol.call = "invoke";
  traits.protocol.item = "get";
  traits.primitives = kKotlinPrimitives;
  traits.protocol.root_type = "Any";
  traits.declared.overrides_inherit = true;
  traits.names.reserved = kKotlinReserved;
  return traits;
}

}  // namespace

KotlinSemantics::KotlinSemantics()
    : JvmSemantics(kotlin_traits(), {codexmem_kotlin_library, codexmem_kotlin_library_end},
                   kotlin_library()) {}

Entities KotlinSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                       std::string_view name) const {
  for (const std::string& package : packages_seen(resolver, file)) {
    Entities found = package_type(resolver, package, name, &file);
    if (!found.empty()) return found;
  }
  return {};
}

Entities KotlinSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                   std::string_view name) const {
  std::string_view path = file.facts.imports[import].path;
  if (name == "*") {
    path.remove_suffix(std::min<std::size_t>(path.size(), 2));
    const Entities types = qualified_type(resolver, path, &file);
    return types.empty() ? Entities{resolver.folder_entity(path, *this)} : types;
  }
  Entities found = imported_path(resolver, path, &file);
  return found.empty() ? Entities{kExternalEntity} : found;
}

Entities KotlinSemantics::folder_member(Resolver& resolver, std::string_view folder,
                                        std::string_view name) const {
  Entities found = package_type(resolver, folder, name, nullptr);
  add_all(found, package_members(resolver, folder, name, nullptr));
  if (!found.empty()) return found;
  if (begins_lower(name)) {
    return {resolver.folder_entity(std::string(folder) + "." + std::string(name), *this)};
  }
  return {kExternalEntity};
}

std::string KotlinSemantics::objection_to(const FileModel& file, const store::SymbolRow& at,
                                          std::string_view new_name) const {
  if (at.kind == "constructor") return "a constructor is called by the name of its class";
  if (at.is(store::Modifier::kOperator)) return "an operator calls it by this name";
  return JvmSemantics::objection_to(file, at, new_name);
}

}  // namespace codexmem::graph
