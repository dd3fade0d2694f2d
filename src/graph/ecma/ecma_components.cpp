// Components of Vue and Svelte (parse/components/component_script.h): names that their markup sees
// in addition to bindings, and the attributes that they are passed.
//
// Tested by graph/components_test.cpp.
#include <array>

#include "graph/core/resolver_step.h"
#include "graph/ecma/ecma_semantics.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

// The type of a component's props, in its script's text.
constexpr std::string_view kGivenType = "$Props";

// Options whose members a component has; of functions, members of what they give.
constexpr std::array<std::string_view, 6> kOptions = {"props",   "data",  "computed",
                                                      "methods", "setup", "inject"};

Entities top_level(const FileModel& file, std::string_view name) {
  Entities found;
  if (const auto id = file.find_name(name)) {
    for (const std::uint32_t symbol : file.members_of(kNoIndex, *id)) {
      add(found, {EntityKind::kSymbol, &file, symbol});
    }
  }
  return found;
}

// Members of what a function of the options returns, which are the function's own.
Entities top_member(const FileModel& file, std::uint32_t function, std::string_view name) {
  Entities found;
  if (const auto id = file.find_name(name)) {
    for (const std::uint32_t symbol : file.members_of(function, *id)) {
      add(found, {EntityKind::kSymbol, &file, symbol});
    }
  }
  return found;
}

void add_known(Entities& found, const Entities& members) {
  for (const Entity& each : members) {
    if (is_known(each)) add(found, each);
  }
}

}  // namespace

namespace {

// The members that the options of a component declare.
Entities of_options(Resolver& resolver, const FileModel& file, std::string_view name) {
  Entities found;
  for (const Entity& component : top_level(file, "default")) {
    for (const std::string_view option : kOptions) {
      const auto id = file.find_name(option);
      if (!id) continue;
      for (const std::uint32_t index : file.members_of(component.index, *id)) {
        const Entity member{EntityKind::kSymbol, &file, index};
        const bool is_function = symbol_of(member).type == SymbolType::kMethod;
        if (is_function) add_known(found, top_member(file, index, name));
        if (!found.empty()) return found;
        add_known(found,
                  resolver.members(is_function ? resolver.call_results({member}) : Entities{member},
                                   name));
      }
    }
  }
  return found;
}

}  // namespace

Entities component_member(Resolver& resolver, const FileModel& file, std::string_view name) {
  if (file.language != "vue") return {};
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return {};
  Entities found;
  if (name != kGivenType) {
    for (const Entity& type : top_level(file, kGivenType)) {
      add_known(found, resolver.members({type}, name));
    }
  }
  if (found.empty()) found = of_options(resolver, file, name);
  for (const std::string_view type : {"GlobalComponents", "ComponentCustomProperties"}) {
    if (found.empty()) found = members_of_interfaces(resolver, type, name);
  }
  return found;
}

Entities member_of_options(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                           std::string_view name) {
  if (file.language != "vue") return {};
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return {};
  std::uint32_t symbol = file.symbol_at(offset);
  for (; symbol != kNoIndex; symbol = file.surrounding(symbol)) {
    if (file.facts.symbols[symbol].type == SymbolType::kClass) return {};
    if (file.facts.symbols[symbol].name == "default" && file.owner_of(symbol) == kNoIndex) {
      return of_options(resolver, file, name);
    }
  }
  return {};
}

Entities exported_by_component(Resolver& resolver, const Entity& type, std::string_view name) {
  const FileModel& file = *type.file;
  if (file.language != "svelte" || symbol_of(type).name != kGivenType) return {};
  Entities found;
  for (const Entity& each : resolver.exported(file, name)) {
    if (each.kind == EntityKind::kSymbol && each.file == &file) add(found, each);
  }
  return found;
}

}  // namespace codexmem::graph
