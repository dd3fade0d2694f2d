// Types of C#: partial types, overriding, the values of members; the names that usings and files
// give to others.
#include <algorithm>
#include <utility>

#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/csharp/csharp_scopes.h"
#include "graph/csharp/csharp_semantics.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxBases = 64;
constexpr std::string_view kAttribute = "Attribute";
// What a value of them holds, or gives when it is waited for.
constexpr std::string_view kSequences[] = {"IEnumerable", "IAsyncEnumerable", "Span",
                                           "ReadOnlySpan"};
constexpr std::string_view kTasks[] = {"Task", "ValueTask", "ConfiguredTaskAwaitable",
                                       "ConfiguredValueTaskAwaitable"};

// The first type argument of `value` as a library's type of one of these names.
template <std::size_t N>
std::optional<Entities> held_as(Resolver& resolver, const Entity& value,
                                const std::string_view (&names)[N]) {
  Entities open = {value};
  for (std::size_t i = 0; i < open.size() && i < kMaxBases; ++i) {
    const Entity at = open[i];
    const bool is_one =
        at.file->is_library && std::ranges::find(names, symbol_of(at).name) != std::end(names);
    if (is_one && at.environment != nullptr && !at.environment->bound.empty()) {
      return at.environment->bound.front().second;
    }
    for (const Entity& base : resolver.supertypes(at)) {
      if (is_instance(base)) add(open, base);
    }
  }
  return std::nullopt;
}

bool is_string(const Entity& value) {
  return is_instance(value) && value.file->is_library && symbol_of(value).name == "String";
}

// The types behind keywords of the language.
constexpr std::pair<std::string_view, std::string_view> kWordTypes[] = {{"string", "String"},
                                                                        {"object", "Object"}};

}  // namespace

Entities CSharpSemantics::merged_with(Resolver& resolver, const FileModel& file,
                                      std::uint32_t symbol) const {
  return other_parts(resolver, file, symbol);
}

std::optional<Entities> CSharpSemantics::iterated(Resolver& resolver, const Entity& value) const {
  if (auto held = held_as(resolver, value, kSequences)) return held;
  // What GetEnumerator() gives has a Current.
  for (const std::string_view method : traits().protocol.iterators) {
    const Entities methods = members_for(resolver, {value}, method, NameUse::kCallable);
    if (!has_kind(methods, EntityKind::kSymbol)) continue;
    Entities found;
    for (const Entity& current :
         members_for(resolver, resolver.call_results(methods), "Current", NameUse::kValue)) {
      if (current.kind != EntityKind::kSymbol || symbol_of(current).term == kNoIndex) continue;
      add_all(found, resolver.substitute(resolver.evaluate(*current.file, symbol_of(current).term),
                                         current.environment));
    }
    if (!found.empty()) return found;
  }
  return Entities{value.file->is_library ? kExternalEntity : kUnknownEntity};
}

std::optional<Entities> CSharpSemantics::awaited(Resolver& resolver, const Entity& value) const {
  return held_as(resolver, value, kTasks);
}

// + makes a string of anything with one; else a method of a type's own says so, or numbers become
// as wide as the wider one, an int at least.
std::optional<Entities> CSharpSemantics::operated(Resolver& resolver, const FileModel& file,
                                                  std::string_view sign, const Entities& left,
                                                  const Entities& right) const {
  constexpr std::size_t kInt = 6;
  std::size_t widest = kInt;
  bool is_known = true;
  for (const Entities* operand : {&left, &right}) {
    for (const Entity& value : *operand) {
      if (sign == "+" && is_string(value)) return Entities{value};
      const auto primitive = unboxed(file, value);
      if (primitive) {
        if (*primitive == 0) return Entities{primitive_entity(0)};
        widest = std::max(widest, *primitive);
        continue;
      }
      is_known = false;
      if (!is_instance(value)) continue;
      const Entities methods = members_for(resolver, {value}, sign, NameUse::kCallable);
      if (has_kind(methods, EntityKind::kSymbol)) return resolver.call_results(methods);
    }
  }
  if (!is_known) return Entities{kExternalEntity};
  return Entities{primitive_entity(widest)};
}

// [Name] is NameAttribute.
std::vector<std::string> CSharpSemantics::implied_names(const FileModel& file,
                                                        std::uint32_t symbol) const {
  const std::string& name = file.facts.symbols[symbol].name;
  std::vector<std::string> names = constructor_names(file, symbol);
  if (name.ends_with(kAttribute) && name.size() > kAttribute.size()) {
    names.push_back(name.substr(0, name.size() - kAttribute.size()));
  }
  return names;
}

bool CSharpSemantics::overrides(const FileModel& file, std::uint32_t symbol,
                                const Entity& base) const {
  const Entity own{EntityKind::kSymbol, &file, symbol};
  const parse::Symbol& here = symbol_of(own);
  const parse::Symbol& there = symbol_of(base);
  if (is_callable(here) != is_callable(there) || is_type_like(here) || is_type_like(there) ||
      is_constructor(file, symbol)) {
    return false;
  }
  // Parts of one type.
  const std::uint32_t above = base.file->owner_of(base.index);
  const std::uint32_t owner = file.owner_of(symbol);
  if (above == kNoIndex || owner == kNoIndex ||
      base.file->qualified_name(above) == file.qualified_name(owner)) {
    return false;
  }
  return !is_callable(here) || !differ_as_written(own, base);
}

// A call means no property, unless that may hold a delegate.
bool CSharpSemantics::may_use(const FileModel& file, std::uint32_t index,
                              const Entity& member) const {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const parse::Symbol& symbol = symbol_of(member);
  if (occurrence.role == parse::Role::kCall && is_callable(symbol)) {
    const auto arguments = arguments_at(file, index);
    if (!arguments) return true;
    // (An extension method takes its receiver as the first argument.)
    const parse::TermId term = symbol.term;
    const bool is_extension =
        term != kNoIndex && member.file->facts.terms[term].kind == parse::TermKind::kFunction &&
        member.file->facts.functions[member.file->facts.terms[term].at].is_extension;
    return takes_so_many(member, *arguments + (is_extension ? 1 : 0));
  }
  if (occurrence.role == parse::Role::kWrite) return !is_callable(symbol);
  return true;
}

Entities CSharpSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                       std::string_view name) const {
  for (const auto& [word, type] : kWordTypes) {
    if (name == word) name = type;
  }
  return namespace_types(resolver, "System", name, &file);
}

Entities CSharpSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                   std::string_view) const {
  std::string_view path = file.facts.imports[import].path;
  path = path.substr(0, path.find('<'));
  Entities types = qualified_types(resolver, path, &file);
  if (!types.empty()) {
    // using X = A<int>;
    const bool is_generic = file.facts.imports[import].path.size() > path.size();
    std::erase_if(types, [&](const Entity& type) {
      return types.size() > 1 && type.file->type_parameters_of(type.index).empty() == is_generic;
    });
    return types;
  }
  if (is_namespace(resolver, path)) return {resolver.folder_entity(path, *this)};
  return {kExternalEntity};
}

Entities CSharpSemantics::folder_member(Resolver& resolver, std::string_view folder,
                                        std::string_view name) const {
  Entities found = namespace_types(resolver, folder, name, nullptr);
  if (!found.empty()) return found;
  const std::string inner = (folder.empty() ? "" : std::string(folder) + ".") + std::string(name);
  if (is_namespace(resolver, inner)) return {resolver.folder_entity(inner, *this)};
  return {kExternalEntity};
}

std::string CSharpSemantics::objection_to(const FileModel& file, const store::SymbolRow& at,
                                          std::string_view new_name) const {
  if (at.kind == "indexer" || at.kind == "operator") return "it has no name of its own";
  if (at.kind == "namespace") return "a namespace is in the names of folders and projects, too";
  return NominalSemantics::objection_to(file, at, new_name);
}

}  // namespace codexmem::graph
