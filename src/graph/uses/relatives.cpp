// Tested by graph/relatives_test.cpp.
#include "graph/uses/relatives.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "graph/uses/neighbours.h"

namespace codexmem::graph {
namespace {

constexpr std::array<std::string_view, 6> kRelationNames = {
    "implements", "extends", "overrides", "implemented_by", "extended_by", "overridden_by"};

// The symbols of `hierarchy`, found around `symbol`, that have the relation to it.
std::vector<Neighbour> related(Hierarchy hierarchy, const store::SymbolRow& symbol,
                               Relation relation) {
  const bool is_below = relation == Relation::kImplements || relation == Relation::kExtends ||
                        relation == Relation::kOverrides;
  if (!is_type(symbol.type)) {
    if (relation == Relation::kExtends || relation == Relation::kExtendedBy) return {};
    return std::move(is_below ? hierarchy.overridden_by : hierarchy.overrides);
  }
  if (relation == Relation::kOverrides || relation == Relation::kOverriddenBy) return {};
  std::vector<Neighbour> found = std::move(is_below ? hierarchy.subtypes : hierarchy.supertypes);
  if (relation == Relation::kImplements || relation == Relation::kImplementedBy) {
    std::erase_if(found, [&](const Neighbour& each) {
      return (each.symbol.type == SymbolType::kInterface) == is_below;
    });
  }
  return found;
}

}  // namespace

std::string_view relation_name(Relation relation) {
  return kRelationNames.at(static_cast<std::size_t>(relation));
}

std::optional<Relation> parse_relation(std::string_view name) {
  const auto* const found = std::ranges::find(kRelationNames, name);
  if (found == kRelationNames.end()) return std::nullopt;
  return static_cast<Relation>(found - kRelationNames.begin());
}

Result<Relatives> find_relatives(FactsCache& cache, store::CodeReader& reader,
                                 const std::vector<SymbolMatch>& symbols, Relation relation,
                                 std::size_t limit,
                                 std::chrono::steady_clock::time_point deadline) {
  Relatives relatives;
  const Surroundings around(cache, reader);
  std::set<store::SymbolId> seen;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (i > 0 && std::chrono::steady_clock::now() >= deadline) {
      relatives.not_looked_at = symbols.size() - i;
      break;
    }
    const store::SymbolRow& symbol = symbols[i].symbol;
    CODEXMEM_ASSIGN(Hierarchy hierarchy, find_hierarchy(around, symbol.id, limit));
    for (Neighbour& neighbour : related(std::move(hierarchy), symbol, relation)) {
      if (!seen.insert(neighbour.symbol.id).second) continue;
      CODEXMEM_ASSIGN(const auto file, reader.find_file(store::file_of(neighbour.symbol.id)));
      relatives.found.push_back({.match = {.symbol = std::move(neighbour.symbol),
                                           .path = std::move(neighbour.path),
                                           .language = file ? file->language : "",
                                           .score = 1.0},
                                 .to = symbol.qualified_name(),
                                 .depth = neighbour.depth,
                                 .confidence = neighbour.confidence});
    }
  }
  return relatives;
}

}  // namespace codexmem::graph
