// Functional interfaces, and what overrides what.
#include <algorithm>

#include <fmt/format.h>

#include "graph/core/resolver_step.h"
#include "graph/java/java_lombok.h"
#include "graph/java/java_semantics.h"
#include "graph/jvm/jvm_packages.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

}  // namespace

// + makes a String of anything with one, else numbers become as wide as the wider one, an int at
// least. What compares has a type of its own already.
std::optional<Entities> JavaSemantics::operated(Resolver&, const FileModel& file,
                                                std::string_view sign, const Entities& left,
                                                const Entities& right) const {
  constexpr std::size_t kBoolean = 0;
  constexpr std::size_t kInt = 4;
  std::size_t widest = kInt;
  bool is_known = true;
  bool is_boolean = false;
  for (const Entities* operand : {&left, &right}) {
    for (const Entity& value : *operand) {
      if (sign == "+" && is_instance(value) && value.file->is_library &&
          symbol_of(value).name == "String") {
        return Entities{value};
      }
      const auto primitive = unboxed(file, value);
      if (!primitive) {
        is_known = false;
      } else if (*primitive == kBoolean) {
        is_boolean = true;
      } else {
        widest = std::max(widest, *primitive);
      }
    }
  }
  if (!is_known) return Entities{kExternalEntity};
  return Entities{primitive_entity(is_boolean ? kBoolean : widest)};
}

// The accessor of a record's component (declared before the body), or one that Lombok generates.
Entities JavaSemantics::implied_members(Resolver&, const Entity& type,
                                        std::string_view name) const {
  const parse::Symbol& symbol = symbol_of(type);
  if (const std::uint32_t field = lombok_field(type, name); field != kNoIndex) {
    return {{EntityKind::kSymbol, type.file, field}};
  }
  const auto id = type.file->find_name(name);
  if (!id || symbol.type != SymbolType::kClass || symbol.body.empty()) return {};
  for (const std::uint32_t member : type.file->members_of(type.index, *id)) {
    const parse::Symbol& field = type.file->facts.symbols[member];
    if (fits_use(field, NameUse::kValue) && field.range.begin < symbol.body.begin) {
      return {{EntityKind::kSymbol, type.file, member}};
    }
  }
  return {};
}

std::vector<std::string> JavaSemantics::implied_names(const FileModel& file,
                                                      std::uint32_t symbol) const {
  std::vector<std::string> names = lombok_accessors(file, symbol);
  for (std::string& name : constructor_names(file, symbol)) names.push_back(std::move(name));
  // Kotlin sees accessors as properties.
  const parse::Symbol& at = file.facts.symbols[symbol];
  const std::string property = is_callable(at) ? property_of(at.name) : std::string();
  if (!property.empty()) names.push_back("@kotlin:" + property);
  return names;
}

// @Builder and the like make members, too.
std::string JavaSemantics::hidden_in_type(HiddenNames&, const FileModel& file,
                                          const parse::Symbol& type) const {
  return uses_lombok(file) ? fmt::format("Lombok may give {} more members", type.name)
                           : std::string();
}

Entities JavaSemantics::called_members(Resolver& resolver, const Entity& instance) const {
  return open_methods(resolver, instance);
}

bool JavaSemantics::overrides(const FileModel& file, std::uint32_t symbol,
                              const Entity& base) const {
  const Entity own{EntityKind::kSymbol, &file, symbol};
  return is_callable(symbol_of(own)) && is_callable(symbol_of(base)) &&
         !is_constructor(file, symbol) && !differ_as_written(own, base);
}

}  // namespace codexmem::graph
