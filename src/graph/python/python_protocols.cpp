// A class that has all members of a protocol can be given where the protocol is expected, without
// naming it. So a method of one and the method of the other may have to be called alike.
//
// Tested by git/rename_test.py.
#include <fmt/core.h>

#include <algorithm>

#include "graph/core/resolver.h"
#include "graph/core/subtypes.h"
#include "graph/python/python_semantics.h"

namespace codexmem::graph {
namespace {

bool is_protocol(const Entity& type) {
  return std::ranges::any_of(
      type.file->heritage_of(type.index), [&](const parse::Heritage* heritage) {
        return type.file->name(type.file->facts.occurrences[heritage->occurrence].name) ==
               "Protocol";
      });
}

bool has_members_of(Resolver& resolver, const Entity& type, const Entity& protocol) {
  const Entities instance = {{EntityKind::kInstance, type.file, type.index}};
  return std::ranges::all_of(protocol.file->all_members(protocol.index), [&](std::uint32_t member) {
    return has_kind(resolver.members(instance, protocol.file->facts.symbols[member].name),
                    EntityKind::kSymbol);
  });
}

}  // namespace

std::string PythonSemantics::tied_outside(Resolver& resolver, const FileModel& file,
                                          std::uint32_t symbol) const {
  const std::uint32_t owner = file.owner_of(symbol);
  if (owner == parse::kNoIndex) return {};
  const Entity own{EntityKind::kSymbol, &file, owner};
  const bool is_asked = is_protocol(own);
  for (const store::SymbolRow& row :
       resolver.symbol_rows(file.family, file.facts.symbols[symbol].name)) {
    const auto member = row.container.empty() ? std::nullopt : resolver.symbol(row.id);
    const std::uint32_t type =
        member ? member->file->owner_of(member->index) : std::uint32_t{parse::kNoIndex};
    if (type == parse::kNoIndex || (type == owner && member->file == &file)) continue;
    const Entity other{EntityKind::kSymbol, member->file, type};
    if (is_protocol(other) == is_asked) continue;
    const Entity& given = is_asked ? other : own;
    const Entity& asked = is_asked ? own : other;
    const Entities below = types_below(resolver, *asked.file, asked.index);
    const bool names_it =
        std::ranges::any_of(below, [&](const Entity& each) { return each.is_same(given); });
    if (names_it || !has_members_of(resolver, given, asked)) continue;
    return fmt::format("{} may be given where {} is expected", symbol_of(given).name,
                       symbol_of(asked).name);
  }
  return {};
}

}  // namespace codexmem::graph
