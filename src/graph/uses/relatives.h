// graph/uses/relatives.h - symbols related by inheritance, one relation at a time.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Hierarchy".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/references.h"
#include "graph/uses/symbol_search.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// How a result is related to the symbol asked about: it implements that symbol, it is extended by
/// that symbol, and so on.
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

/// The relatives that have `relation` to one of `symbols`, grouped by symbol: types nearest first,
/// then by path and line; members by path and line, overridden ones nearest first. Each comes once,
/// at most `limit` for one symbol.
///
/// For a type, kImplements gives the types below it that are not interfaces and kExtends all types
/// below it; kImplementedBy and kExtendedBy do the same for the types above it. For a member,
/// kImplements and kOverrides both give the subtypes' members that override it, kImplementedBy and
/// kOverriddenBy the supertypes' members that it overrides. After `deadline` no further symbol is
/// looked at. Errors: the store's errors.
Result<Relatives> find_relatives(
    FactsCache& cache, store::CodeReader& reader, const std::vector<SymbolMatch>& symbols,
    Relation relation, std::size_t limit,
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

}  // namespace codexmem::graph
