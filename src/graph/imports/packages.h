// graph/imports/packages.h - imports that name a folder: its files form one package.
//
// Such an import has one row in table dependencies: its target is the file that represents the
// package, its `package` the folder with a trailing '/' ("./" for the root), a form that no other
// row has. Stateless.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parse/rules/languages.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// What DependencyRow::package is for the package of `folder` ("" is the root).
std::string package_key(std::string_view folder);

/// The folder of the package that a row leads to; nothing for a row that leads to a file or out.
std::optional<std::string_view> package_folder(const store::DependencyRow& row);

/// A folder as answers name it: "." for the root.
std::string package_path(std::string_view folder);

/// The files of a family in `folder` that importers of its package see, by path.
Result<std::vector<store::FileRow>> list_package_files(store::CodeReader& reader,
                                                       std::string_view folder,
                                                       parse::Family family);

/// The imports of the package of `folder`, by the files that stand for it and then as
/// CodeReader::list_dependents() has them.
Result<std::vector<store::DependencyRow>> list_package_importers(store::CodeReader& reader,
                                                                 std::string_view folder,
                                                                 parse::Family family);

/// The imports that reach `file`: of the file itself, of the package that it is part of, and, as
/// kPackageImport, the files of its package that name its types where no import is needed (Java,
/// Kotlin).
Result<std::vector<store::DependencyRow>> list_importers(store::CodeReader& reader,
                                                         const store::FileRow& file);

}  // namespace codexmem::graph
