// Imports, exports and packages: what a name of another file means.
#include <algorithm>

#include "base/path.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {
using parse::kNoIndex;

Entities Resolver::resolve_import(const FileModel& file, std::uint32_t import,
                                  std::uint32_t name_index) {
  const RecursionGuard guard(*this);
  if (guard.over_limit() || import >= file.facts.imports.size()) return {kUnknownEntity};
  const auto& names = file.facts.imports[import].names;
  const std::string_view name =
      name_index < names.size() ? file.name(names[name_index].imported) : std::string_view("*");
  return file.semantics.imported(*this, file, import, name);
}

Entities Resolver::resolve_export(const FileModel& file, std::uint32_t index) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const parse::Export& entry = file.facts.exports[index];
  if (entry.import != kNoIndex && entry.import < file.facts.imports.size()) {
    const parse::Import& import = file.facts.imports[entry.import];
    for (std::uint32_t i = 0; i < import.names.size(); ++i) {
      if (import.names[i].imported == entry.local) return resolve_import(file, entry.import, i);
    }
    return resolve_import(file, entry.import, kNoIndex);  // export * as ns from
  }
  if (entry.symbol != kNoIndex) {
    Entities entities = {{EntityKind::kSymbol, &file, entry.symbol}};
    // Overloads and merged declarations share the name.
    if (file.owner_of(entry.symbol) == kNoIndex && entry.local != kNoIndex) {
      for (const std::uint32_t other : file.members_of(kNoIndex, entry.local)) {
        add(entities, {EntityKind::kSymbol, &file, other});
      }
    }
    return entities;
  }
  if (entry.local != kNoIndex) {
    Entities entities = bindings_of(file, 0, entry.local);
    if (!entities.empty()) return entities;
    // (From a module that is imported whole.)
    entities = file.semantics.unbound_name(*this, file, file.name(entry.local));
    if (std::ranges::none_of(entities, &is_known)) return {kUnknownEntity};
    return entities;
  }
  // var app = module.exports = {...}: what the variable holds, with the members that it is given.
  // The name of the module elsewhere is not the variable's.
  const std::uint32_t around = entry.commonjs ? file.symbol_at(entry.offset) : kNoIndex;
  if (around != kNoIndex && file.facts.symbols[around].type == SymbolType::kVariable &&
      file.owner_of(around) == kNoIndex) {
    return {{EntityKind::kInstance, &file, around}};
  }
  return {kUnknownEntity};
}

// (A module that is being looked at gives nothing: modules may re-export each other.)
const Entities& Resolver::exported(const FileModel& file, std::string_view name) {
  static const Entities kNone;
  return memoised(&FileMemo::by_export, file, std::string(name), kNone, [&]() -> Entities {
    const RecursionGuard guard(*this);
    if (guard.over_limit()) return {kUnknownEntity};
    return file.semantics.exported(*this, file, name);
  });
}

Entities Resolver::module_members(const FileModel& file, std::string_view name) {
  Entities found = exported(file, name);
  if (found.empty() && file.semantics.may_export_unseen(file)) return {kUnknownEntity};
  return found;
}

Entity Resolver::folder_entity(std::string_view path, const LanguageSemantics& semantics) {
  auto found = std::ranges::find(folders_, path, &Folder::path);
  if (found == folders_.end()) {
    found = folders_.insert(found, {std::string(path), &semantics});
  }
  return {EntityKind::kFolder, nullptr, static_cast<std::uint32_t>(found - folders_.begin())};
}

const std::vector<Resolver::Named>& Resolver::symbols_in(Family family, std::string_view name,
                                                         std::string_view folder) {
  static const std::vector<Named> kNone;
  std::string key(1, static_cast<char>(family));
  key += name;
  auto known = named_.find(key);
  if (known == named_.end()) {
    known = named_.emplace(std::move(key), ByText<std::vector<Named>>()).first;
    auto rows = reader_.list_symbols_named(name);
    if (!rows.ok()) {
      if (status_.ok()) status_ = rows.error();
      return kNone;
    }
    for (store::SymbolRow& row : *rows) {
      const store::FileRow* file = files_.find(store::file_of(row.id));
      if (file == nullptr || family_of(file->language) != family) continue;
      known->second[std::string(folder_of(file->path))].push_back(
          {row.id, std::move(row.container)});
    }
  }
  const auto found = known->second.find(folder);
  return found == known->second.end() ? kNone : found->second;
}

const std::vector<store::SymbolRow>& Resolver::symbol_rows(Family family, const std::string& name) {
  return named_rows(symbol_rows_, family, name, &store::CodeReader::list_symbols_named);
}

const store::SymbolRow* Resolver::row_of(const FileModel& file, std::uint32_t symbol) {
  if (file.is_library) return nullptr;
  const store::SymbolId id = store::symbol_id(file.id, symbol);
  // (By id, as the store lists them.)
  const auto& rows = symbol_rows(file.family, file.facts.symbols[symbol].name);
  const auto found = std::ranges::lower_bound(rows, id, {}, &store::SymbolRow::id);
  return found != rows.end() && found->id == id ? &*found : nullptr;
}

const std::vector<store::SymbolRow>& Resolver::symbol_rows_ignoring_case(Family family,
                                                                         const std::string& name) {
  return named_rows(folded_rows_, family, name,
                    &store::CodeReader::list_symbols_named_ignoring_case);
}

const std::vector<store::SymbolRow>& Resolver::named_rows(
    RowsByName& known, Family family, const std::string& name,
    Result<std::vector<store::SymbolRow>> (store::CodeReader::*list)(std::string_view)) {
  const auto [at, is_new] = known.try_emplace({family, name});
  if (!is_new) return at->second;
  auto rows = (reader_.*list)(name);
  if (!rows.ok()) {
    if (status_.ok()) status_ = rows.error();
    return at->second;
  }
  std::erase_if(*rows, [&](const store::SymbolRow& row) {
    const store::FileRow* file = files_.find(store::file_of(row.id));
    return file == nullptr || family_of(file->language) != family;
  });
  return at->second = std::move(*rows);
}

std::optional<std::string> Resolver::text_of(store::FileId id) {
  auto text = reader_.find_content(id);
  if (text.ok()) return *std::move(text);
  if (status_.ok()) status_ = text.error();
  return std::nullopt;
}

std::vector<store::FileId> Resolver::files_naming(Family family, const std::string& name) {
  auto files = reader_.list_files_with_identifier(name);
  if (!files.ok()) {
    if (status_.ok()) status_ = files.error();
    return {};
  }
  std::erase_if(*files, [&](store::FileId id) {
    const store::FileRow* row = files_.find(id);
    return row == nullptr || family_of(row->language) != family;
  });
  return std::move(*files);
}

Entities Resolver::list_symbols(Family family, std::string_view name) {
  Entities found;
  for (const store::SymbolRow& row : symbol_rows(family, std::string(name))) {
    if (const auto entity = symbol(row.id)) found.push_back(*entity);
  }
  return found;
}

std::optional<Entity> Resolver::symbol(store::SymbolId id) {
  const FileModel* file = model(store::file_of(id));
  const std::uint32_t ordinal = store::ordinal_of(id);
  if (file == nullptr || ordinal >= file->facts.symbols.size()) return std::nullopt;
  return Entity{EntityKind::kSymbol, file, ordinal};
}

}  // namespace codexmem::graph
