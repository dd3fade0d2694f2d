// Tested by graph/rust_test.cpp.
#include <algorithm>

#include "graph/core/resolver_step.h"
#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {

using parse::kNoIndex;

std::uint32_t rust_own_scope(const FileModel& file, std::uint32_t symbol) {
  const parse::Symbol& at = file.facts.symbols[symbol];
  const auto& scopes = file.facts.scopes;
  const auto first = std::partition_point(
      scopes.begin(), scopes.end(),
      [&](const parse::Scope& scope) { return scope.range.begin < at.name_range.end; });
  for (auto scope = first; scope != scopes.end() && scope->range.begin < at.range.end; ++scope) {
    if (scope->symbol == symbol) return static_cast<std::uint32_t>(scope - scopes.begin());
    if (scope->symbol != kNoIndex) break;
  }
  return kNoIndex;
}

bool rust_is_module(const FileModel& file, std::uint32_t symbol) {
  if (file.facts.symbols[symbol].type != SymbolType::kType) return false;
  const std::uint32_t scope = rust_own_scope(file, symbol);
  return scope != kNoIndex && file.facts.scopes[scope].kind == parse::ScopeKind::kNamespace;
}

bool rust_is_macro(const FileModel& file, std::uint32_t symbol) {
  const parse::Symbol& at = file.facts.symbols[symbol];
  // (A function that a macro makes has no body.)
  return at.type == SymbolType::kFunction && at.body != ByteRange{} &&
         rust_own_scope(file, symbol) == kNoIndex;
}

bool rust_is_variant(const FileModel& file, std::uint32_t symbol) {
  if (file.facts.symbols[symbol].type != SymbolType::kProperty) return false;
  const std::uint32_t owner = file.owner_of(symbol);
  return owner != kNoIndex && file.facts.symbols[owner].type == SymbolType::kType;
}

}  // namespace codexmem::graph
