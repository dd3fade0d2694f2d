// graph/relatives.h - what a symbol is related to by inheritance, one relation at a time.
//
// Stateless but for the shared cache. Design: docs/design/graph.md, "Hierarchy".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/references.h"
#include "graph/symbol_search.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// How what is found is related to the symbol asked about: it implements that symbol, it is
/// extended by that symbol.
enum class Relation : std::uint8_t {
  kImplements,
  kExtends,
  kOverrides,
  kImplementedBy,
  kExtendedBy,
  kOverriddenBy,
};

/// "implements", "extends", "overrides", "implemented_by", "extended_by", "overridden_by".
std::string_view relation_name(Relation relation);
std::optional<Relation> parse_relation(std::string_view name);

struct Relative {
  SymbolMatch match;
  std::string to;         // qualified name of the symbol that it is related to
  std::size_t depth = 1;  // steps of extending between two types
  Confidence confidence = Confidence::kResolved;
};

struct Relatives {
  std::vector<Relative> found;
  std::size_t not_looked_at = 0;  // symbols for which there was no time
};

/// What has `relation` to one of `symbols`, those of one symbol together: types nearest first, then
/// by path and line; members by path and line, overridden ones nearest first. Each once, at most
/// `limit` of one symbol.
///
/// Of a type, kImplements gives the types below it that are no interfaces and kExtends all types
/// below it; kImplementedBy and kExtendedBy in the same way those above it. Of a member,
/// kImplements and kOverrides both give the members of types below that take its place,
/// kImplementedBy and kOverriddenBy those above whose place it takes. After `deadline` no further
/// symbol is looked at. Errors: those of the store.
Result<Relatives> find_relatives(
    FactsCache& cache, store::CodeReader& reader, const std::vector<SymbolMatch>& symbols,
    Relation relation, std::size_t limit,
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

}  // namespace codexmem::graph
