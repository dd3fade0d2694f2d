// Types of Kotlin: what values give, operators, delegates, what overrides what, what Java calls.
#include <algorithm>
#include <utility>

#include "graph/core/resolver_step.h"
#include "graph/jvm/jvm_packages.h"
#include "graph/kotlin/kotlin_scopes.h"
#include "graph/kotlin/kotlin_semantics.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::TermKind;

// The functions that signs stand for.
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"+", "plus"}, {"-", "minus"}, {"*", "times"}, {"/", "div"}, {"%", "rem"}};
constexpr std::string_view kNumberTypes[] = {"Byte", "Short", "Int", "Long", "Float", "Double"};

bool is_library_class(const Entity& value, std::string_view name) {
  return is_instance(value) && value.file->is_library && symbol_of(value).name == name;
}

std::optional<std::size_t> number_of(const Entity& value) {
  if (!is_instance(value) || !value.file->is_library) return std::nullopt;
  const auto found = std::ranges::find(kNumberTypes, symbol_of(value).name);
  if (found == std::end(kNumberTypes)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(kNumberTypes));
}

// What the operator function `name` gives on `value`: a member, or an extension of the library or
// of the file that declares the type.
Entities operator_results(Resolver& resolver, const FileModel& file, const Entity& value,
                          std::string_view name) {
  const Entities members = plain_members(resolver, {value}, name, NameUse::kCallable);
  if (has_kind(members, EntityKind::kSymbol)) return resolver.call_results(members);
  bool is_foreign = false;
  for (const Entities& level : top_levels(resolver, file, name, &is_foreign)) {
    const Entities fitting = fitting_extensions(resolver, file, level, {value});
    if (!fitting.empty()) return resolver.call_results(fitting);
  }
  return {};
}

}  // namespace

std::optional<Entities> KotlinSemantics::called(Resolver& resolver, const FileModel&,
                                                const Entity& callee,
                                                std::span<const parse::TermId>) const {
  if (callee.kind != EntityKind::kSymbol || !is_type_like(symbol_of(callee))) return std::nullopt;
  const parse::Symbol& symbol = symbol_of(callee);
  if (symbol.type == SymbolType::kInterface) {
    // A companion may make it a function.
    const Entities invoke = plain_members(resolver, {callee}, "invoke", NameUse::kCallable);
    if (has_kind(invoke, EntityKind::kSymbol)) return std::nullopt;
    return resolver.instances({callee});
  }
  if (symbol.type == SymbolType::kType && symbol.term != kNoIndex) {
    return resolver.instances({callee});
  }
  return std::nullopt;
}

// An argument that is passed by name, or behind the others, is what it is. Else a function of the
// type, of numbers the wider type.
std::optional<Entities> KotlinSemantics::operated(Resolver& resolver, const FileModel& file,
                                                  std::string_view sign, const Entities& left,
                                                  const Entities& right) const {
  if (right.empty() && (sign == ":" || sign.find_first_of("+-!") == std::string_view::npos)) {
    return left;
  }
  const auto found = std::ranges::find(kOperators, sign, [](const auto& row) { return row.first; });
  if (found == std::end(kOperators)) return Entities{kExternalEntity};
  Entities results;
  for (const Entity& value : seen_by_kotlin(resolver, file, left)) {
    if (is_library_class(value, "String")) {
      add(results, value);
      continue;
    }
    if (const auto number = number_of(value)) {
      std::size_t widest = std::max<std::size_t>(*number, 2);
      Entity wide = value;
      for (const Entity& other : seen_by_kotlin(resolver, file, right)) {
        const auto second = number_of(other);
        if (second && *second > widest) {
          widest = *second;
          wide = other;
        }
      }
      add(results, wide);
      continue;
    }
    if (is_instance(value))
      add_all(results, operator_results(resolver, file, value, found->second));
  }
  if (results.empty()) {
    return Entities{has_kind(left, EntityKind::kUnknown) ? kUnknownEntity : kExternalEntity};
  }
  return results;
}

std::optional<Entities> KotlinSemantics::iterated(Resolver& resolver, const Entity& value) const {
  const Entities seen = seen_by_kotlin(resolver, *value.file, {value});
  Entities found;
  for (const Entity& each : seen) {
    if (!is_instance(each)) continue;
    for (const Entity& iterator : operator_results(resolver, *value.file, each, "iterator")) {
      const Entities next = plain_members(
          resolver, seen_by_kotlin(resolver, *value.file, {iterator}), "next", NameUse::kCallable);
      if (has_kind(next, EntityKind::kSymbol)) add_all(found, resolver.call_results(next));
    }
  }
  if (found.empty()) return Entities{value.file->is_library ? kExternalEntity : kUnknownEntity};
  return found;
}

// val (a, b) = value: component1(), component2(), or what the primary constructor takes.
std::optional<Entity> KotlinSemantics::part_of(Resolver& resolver, const Entity& value,
                                               std::uint32_t position) const {
  const parse::Symbol& symbol = symbol_of(value);
  if (symbol.type == SymbolType::kClass && symbol.term != kNoIndex &&
      value.file->facts.terms[symbol.term].kind == TermKind::kFunction) {
    const auto& parameters =
        value.file->facts.functions[value.file->facts.terms[symbol.term].at].parameters;
    if (position < parameters.size() && parameters[position].name != kNoIndex) {
      const std::string& name = value.file->name(parameters[position].name);
      for (const Entity& member : plain_members(resolver, {value}, name, NameUse::kValue)) {
        if (member.kind == EntityKind::kSymbol) return member;
      }
    }
  }
  const std::string name = "component" + std::to_string(position + 1);
  const Entities members = plain_members(resolver, {value}, name, NameUse::kCallable);
  for (const Entity& member : members) {
    if (member.kind == EntityKind::kSymbol) return member;
  }
  bool is_foreign = false;
  for (const Entity& seen : seen_by_kotlin(resolver, *value.file, {value})) {
    for (const Entities& level : top_levels(resolver, *value.file, name, &is_foreign)) {
      for (const Entity& member : fitting_extensions(resolver, *value.file, level, {seen})) {
        return member;
      }
    }
  }
  return std::nullopt;
}

// val a by value: what value.getValue() gives.
std::optional<Entities> KotlinSemantics::awaited(Resolver& resolver, const Entity& value) const {
  if (is_library_class(value, "Lazy") && value.environment != nullptr &&
      !value.environment->bound.empty()) {
    return value.environment->bound.front().second;
  }
  Entities delegates = {value};
  const Entities made = plain_members(resolver, {value}, "provideDelegate", NameUse::kCallable);
  if (has_kind(made, EntityKind::kSymbol)) delegates = resolver.call_results(made);
  Entities found;
  for (const Entity& delegate : delegates) {
    if (!is_instance(delegate)) continue;
    for (const Entity& result : operator_results(resolver, *value.file, delegate, "getValue")) {
      add(found, result);
    }
  }
  return found.empty() ? Entities{kUnknownEntity} : found;
}

// Java calls the accessors of a property, and a constant of an object as it is.
std::vector<std::string> KotlinSemantics::implied_names(const FileModel& file,
                                                        std::uint32_t symbol) const {
  const parse::Symbol& at = file.facts.symbols[symbol];
  if (at.type != SymbolType::kProperty && at.type != SymbolType::kVariable) return {};
  return {"@java:" + accessor_of("get", at.name), "@java:" + accessor_of("set", at.name)};
}

Entities KotlinSemantics::implied_members(Resolver&, const Entity& type,
                                          std::string_view name) const {
  const std::string property = property_of(name);
  if (property.empty()) return {};
  Entities found;
  for (const std::string_view wanted : {std::string_view(property), std::string_view(name)}) {
    const auto id = type.file->find_name(wanted);
    if (!id) continue;
    for (const std::uint32_t member : type.file->members_of(type.index, *id)) {
      if (fits_use(type.file->facts.symbols[member], NameUse::kValue)) {
        add(found, {EntityKind::kSymbol, type.file, member});
      }
    }
  }
  return found;
}

// `invoke`, or the one function of an interface that has no body.
Entities KotlinSemantics::called_members(Resolver& resolver, const Entity& instance) const {
  const Entities invoke = plain_members(resolver, {instance}, "invoke", NameUse::kCallable);
  if (has_kind(invoke, EntityKind::kSymbol)) return invoke;
  return open_methods(resolver, instance);
}

bool KotlinSemantics::overrides(const FileModel& file, std::uint32_t symbol,
                                const Entity& base) const {
  const Entity own{EntityKind::kSymbol, &file, symbol};
  const parse::Symbol& here = symbol_of(own);
  const parse::Symbol& there = symbol_of(base);
  if (is_type_like(here) || is_type_like(there) || here.name == "constructor" ||
      is_extension(own) != is_extension(base)) {
    return false;
  }
  if (is_callable(here) != is_callable(there)) return false;
  if (!is_callable(here)) return true;
  if (file.language == base.file->language) return !differ_as_written(own, base);
  return may_take_the_same(own, base);
}

bool KotlinSemantics::may_use(const FileModel& file, std::uint32_t index,
                              const Entity& member) const {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (occurrence.role == parse::Role::kCall && is_callable(symbol_of(member))) {
    const auto arguments = arguments_at(file, index);
    if (!arguments) return true;
    return takes_so_many(member, *arguments + (is_extension(member) ? 1 : 0));
  }
  if (occurrence.role == parse::Role::kWrite) return !is_callable(symbol_of(member));
  return occurrence.role == parse::Role::kCall || !is_callable(symbol_of(member));
}

}  // namespace codexmem::graph
