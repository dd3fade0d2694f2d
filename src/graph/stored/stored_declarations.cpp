#include "graph/stored/stored_declarations.h"

#include <utility>

#include "parse/facts/facts_codec.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kNamespace = "namespace";

}  // namespace

template <typename T>
std::optional<T> StoredDeclarations::taken(Result<T> result) {
  if (result.ok()) return *std::move(result);
  if (!failure_) failure_ = std::move(result).error();
  return std::nullopt;
}

std::vector<Declaration> StoredDeclarations::find(std::string_view name) {
  std::vector<Declaration> found;
  const auto rows = taken(reader_.list_symbols_named(name));
  if (!rows) return found;
  for (const store::SymbolRow& row : *rows) {
    if (row.kind == kNamespace) {
      // The a of `namespace a.b`: b is the next symbol and has the same range.
      const auto next = taken(reader_.find_symbol(
          store::symbol_id(store::file_of(row.id), store::ordinal_of(row.id) + 1)));
      if (next && *next && (*next)->kind == kNamespace && (*next)->range == row.range) continue;
    }
    found.push_back({.file = store::file_of(row.id),
                     .container = row.container,
                     .kind = row.kind,
                     .is_inner = row.parent.has_value(),
                     .is_private = row.is(store::Modifier::kPrivate)});
  }
  return found;
}

std::string StoredDeclarations::package_of(store::FileId file) {
  const auto packed = taken(reader_.find_facts(file));
  if (!packed || !*packed) return {};
  auto facts = parse::decode_facts(**packed);
  return facts.ok() ? std::move(facts->package) : std::string();
}

Result<void> StoredDeclarations::status() const {
  if (failure_) return Error(*failure_);
  return {};
}

}  // namespace codexmem::graph
