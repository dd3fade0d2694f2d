// Tested by exchange/scip_export_test.cpp.
#include "graph/core/certain_meaning.h"

#include <algorithm>
#include <tuple>

namespace codexmem::graph {

using parse::kNoIndex;
using Kind = CertainMeaning::Kind;

namespace {

// True for bindings of one name in one scope of `file`: a variable that is assigned several times.
bool is_one_local(const FileModel& file, const Entities& meant) {
  const auto is_of = [&](const Entity& entity) {
    if (entity.kind != EntityKind::kLocal || entity.file != &file) return false;
    const parse::Binding& one = file.facts.bindings[entity.index];
    const parse::Binding& first = file.facts.bindings[meant[0].index];
    return one.scope == first.scope && one.name == first.name;
  };
  return !meant.empty() && std::ranges::all_of(meant, is_of);
}

}  // namespace

bool CertainMeanings::is_certain(const FileModel& file, std::uint32_t occurrence,
                                 const Entity& symbol) {
  const Member key(symbol.file, symbol.index);
  auto known = searches_.find(key);
  if (known == searches_.end()) {
    const UsageTarget target{symbol.file, symbol.index};
    known = searches_.try_emplace(key, resolver_, reader_, std::vector{target}).first;
  }
  return known->second.certainly_means(file, occurrence);
}

Entity CertainMeanings::representative(const Entity& symbol) {
  const auto [known, is_new] = representatives_.try_emplace({symbol.file, symbol.index}, symbol);
  if (!is_new) return known->second;
  const auto rank = [](const Entity& entity) {
    return std::tuple(symbol_of(entity).body.empty(), std::string_view(entity.file->path),
                      entity.index);
  };
  Entity best{EntityKind::kSymbol, symbol.file, symbol.index};
  for (const Entity& other : resolver_.merged_with(*symbol.file, symbol.index)) {
    if (other.kind != EntityKind::kSymbol || is_of_library(other) || rank(best) <= rank(other)) {
      continue;
    }
    best = {EntityKind::kSymbol, other.file, other.index};
  }
  return known->second = best;
}

// The package and the name of what an import binds, if the file says them.
void CertainMeanings::name_outside(const FileModel& file, std::uint32_t occurrence,
                                   CertainMeaning& meaning) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  std::uint32_t import = kNoIndex, name = kNoIndex;
  if (const auto imported = file.imported_name_at(at.offset)) {
    std::tie(import, name) = *imported;
  } else if (at.receiver_kind == parse::ReceiverKind::kNone) {
    std::uint32_t scope = file.scope_at(at.offset);
    for (; scope != kNoIndex; scope = file.facts.scopes[scope].parent) {
      const auto bindings = file.bindings_in(scope, at.name);
      if (bindings.empty()) continue;
      const parse::Binding& binding = file.facts.bindings[bindings.front()];
      if (binding.kind == parse::BindingKind::kImport) {
        import = binding.target;
        name = binding.imported_name;
      }
      break;
    }
  }
  if (import == kNoIndex) return;
  for (const store::DependencyRow& row : resolver_.dependencies(file.id)) {
    if (row.import_index != import || !row.is_external) continue;
    const parse::Import& statement = file.facts.imports[import];
    meaning.package = row.package.empty() ? statement.path : row.package;
    if (name < statement.names.size()) meaning.name = file.name(statement.names[name].imported);
    return;
  }
}

CertainMeaning CertainMeanings::at(const FileModel& file, std::uint32_t occurrence) {
  CertainMeaning meaning;
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  if (file.is_documentation(at.offset)) return meaning;
  if (const std::uint32_t declared = file.symbol_named_at(at.offset); declared != kNoIndex) {
    meaning.kind = Kind::kSymbols;
    meaning.entities.push_back({EntityKind::kSymbol, &file, declared});
  }
  if (!resolves_names(file.family)) {
    if (meaning.entities.empty()) meaning.kind = Kind::kUncertain;
    return meaning;
  }
  const Entities meant = resolver_.resolve(file, occurrence);
  bool is_unknown = false;
  for (const Entity& entity : meant) {
    if (entity.kind == EntityKind::kSymbol) {
      const bool is_alone = is_of_library(entity) && meant.size() == 1;
      if (is_alone || is_certain(file, occurrence, entity)) {
        const bool is_new = std::ranges::none_of(
            meaning.entities, [&](const Entity& e) { return e.is_same(entity); });
        if (is_new) meaning.entities.push_back(entity);
      } else {
        is_unknown = is_unknown || !is_of_library(entity);
      }
    } else if (entity.kind == EntityKind::kUnknown) {
      is_unknown = true;
    }
  }
  if (!meaning.entities.empty()) {
    meaning.kind = Kind::kSymbols;
  } else if (is_unknown) {
    meaning.kind = Kind::kUncertain;
  } else if (meant.size() == 1 && meant[0].kind == EntityKind::kModule) {
    meaning = {Kind::kModule, meant, {}, {}};
  } else if (is_one_local(file, meant)) {
    meaning = {Kind::kLocal, {meant[0]}, {}, {}};
  } else if (!meant.empty()) {
    meaning.kind = Kind::kOutside;
    name_outside(file, occurrence, meaning);
  }
  return meaning;
}

}  // namespace codexmem::graph
