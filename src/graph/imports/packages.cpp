// Tested by graph/dependencies_test.cpp.
#include "graph/imports/packages.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>

#include "base/ascii.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

std::string package_key(std::string_view folder) { return package_path(folder) + "/"; }

std::optional<std::string_view> package_folder(const store::DependencyRow& row) {
  std::string_view folder = row.package;
  if (!row.target || !folder.ends_with('/')) return std::nullopt;
  folder.remove_suffix(1);
  return folder == "." ? std::string_view() : folder;
}

std::string package_path(std::string_view folder) {
  return folder.empty() ? std::string(".") : std::string(folder);
}

Result<std::vector<store::FileRow>> list_package_files(store::CodeReader& reader,
                                                       std::string_view folder,
                                                       parse::Family family) {
  CODEXMEM_ASSIGN(std::vector<store::FileRow> files, reader.list_files_in(folder));
  std::erase_if(files, [&](const store::FileRow& file) {
    return family_of(file.language) != family ||
           !semantics_of(family).is_part_of_package(file.path);
  });
  return files;
}

Result<std::vector<store::DependencyRow>> list_package_importers(store::CodeReader& reader,
                                                                 std::string_view folder,
                                                                 parse::Family family) {
  std::vector<store::DependencyRow> found;
  CODEXMEM_ASSIGN(const std::vector<store::FileRow> files, reader.list_files_in(folder));
  for (const store::FileRow& file : files) {
    if (family_of(file.language) != family) continue;
    CODEXMEM_ASSIGN(std::vector<store::DependencyRow> rows, reader.list_dependents(file.id));
    for (store::DependencyRow& row : rows) {
      if (package_folder(row) == folder) found.push_back(std::move(row));
    }
  }
  return found;
}

namespace {

// The folders of the package of a file below its source root: src/test/java/a/b and
// src/main/java/a/b hold one package.
std::string_view folders_of_package(std::string_view path) {
  const std::string_view folder = folder_of(path);
  for (const std::string_view root : {"java", "kotlin"}) {
    const std::string inside = "/" + std::string(root) + "/";
    if (const auto at = folder.rfind(inside); at != std::string_view::npos) {
      return folder.substr(at + inside.size());
    }
  }
  return folder;
}

// The first line, except for comments, that has `name` as a word; 0 without one.
std::uint32_t line_of(std::string_view text, std::string_view name) {
  std::uint32_t number = 0;
  for (const std::string_view whole : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole);
    if (line.starts_with('*') || line.starts_with("/*") || line.starts_with("//")) continue;
    const auto is_word = [&](std::size_t i) {
      return i < line.size() && is_identifier_char(line[i]);
    };
    for (std::size_t at = line.find(name); at != std::string_view::npos;
         at = line.find(name, at + 1)) {
      if (!is_word(at - 1) && !is_word(at + name.size())) return number;
    }
  }
  return 0;
}

// Files of the package of `file` that name its declarations. Those with an import of it are known.
Result<void> add_package_users(store::CodeReader& reader, const store::FileRow& file,
                               std::vector<store::DependencyRow>& rows) {
  constexpr std::size_t kRefused = SIZE_MAX;
  std::unordered_map<store::FileId, std::size_t> known = {{file.id, kRefused}};  // rows by file
  for (const store::DependencyRow& row : rows) known.emplace(row.source, kRefused);
  CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(file.id));
  std::set<std::string_view> names;
  for (const store::SymbolRow& symbol : symbols) {
    if (!symbol.container.empty() || !names.insert(symbol.name).second) continue;
    CODEXMEM_ASSIGN(const auto users, reader.list_files_with_identifier(symbol.name));
    for (const store::FileId user : users) {
      CODEXMEM_TRY(go_on());
      const auto [at, is_new] = known.try_emplace(user, kRefused);
      if (is_new) {
        CODEXMEM_ASSIGN(const auto row, reader.find_file(user));
        if (!row || folders_of_package(row->path) != folders_of_package(file.path) ||
            !semantics_of(family_of(row->language)).traits().packages_need_no_imports) {
          continue;
        }
        at->second = rows.size();
        store::DependencyRow& made = rows.emplace_back();
        made.source = user;
        made.target = file.id;
        made.import_type = store::kPackageImport;
      }
      if (at->second == kRefused) continue;
      CODEXMEM_ASSIGN(const auto text, reader.find_content(user));
      const std::uint32_t line = text ? line_of(*text, symbol.name) : 0;
      if (line == 0) continue;
      store::DependencyRow& row = rows[at->second];
      if (row.symbols.empty()) {
        row.line = line;
        row.import_path = symbol.name;
      }
      row.symbols.push_back(symbol.name);
    }
  }
  std::erase_if(rows, [](const store::DependencyRow& row) {
    return row.import_type == store::kPackageImport && row.symbols.empty();
  });
  return {};
}

}  // namespace

Result<std::vector<store::DependencyRow>> list_importers(store::CodeReader& reader,
                                                         const store::FileRow& file) {
  CODEXMEM_ASSIGN(std::vector<store::DependencyRow> rows, reader.list_dependents(file.id));
  const LanguageSemantics& semantics = semantics_of(family_of(file.language));
  if (semantics.traits().packages_need_no_imports) {
    CODEXMEM_TRY(add_package_users(reader, file, rows));
  }
  if (!semantics.traits().imports_name_folders) return rows;
  std::erase_if(rows, [](const store::DependencyRow& row) { return package_folder(row); });
  if (!semantics.is_part_of_package(file.path)) return rows;
  CODEXMEM_ASSIGN(std::vector<store::DependencyRow> more,
                  list_package_importers(reader, folder_of(file.path), family_of(file.language)));
  for (store::DependencyRow& row : more) rows.push_back(std::move(row));
  return rows;
}

}  // namespace codexmem::graph
