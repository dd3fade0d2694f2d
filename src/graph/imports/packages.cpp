// Tested by graph/dependencies_test.cpp.
#include "graph/imports/packages.h"

#include "base/path.h"
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

Result<std::vector<store::DependencyRow>> list_importers(store::CodeReader& reader,
                                                         const store::FileRow& file) {
  CODEXMEM_ASSIGN(std::vector<store::DependencyRow> rows, reader.list_dependents(file.id));
  const LanguageSemantics& semantics = semantics_of(family_of(file.language));
  if (!semantics.traits().imports_name_folders) return rows;
  std::erase_if(rows, [](const store::DependencyRow& row) { return package_folder(row); });
  if (!semantics.is_part_of_package(file.path)) return rows;
  CODEXMEM_ASSIGN(std::vector<store::DependencyRow> more,
                  list_package_importers(reader, folder_of(file.path), family_of(file.language)));
  for (store::DependencyRow& row : more) rows.push_back(std::move(row));
  return rows;
}

}  // namespace codexmem::graph
