// graph/java/java_packages.h - types by package.
//
// A package is what the files say that they belong to, wherever they lie. Results are kept as long
// as the Resolver.
#pragma once

#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The top-level type `name` of a package, as a file at `importer` sees it: of several that which
/// lies nearest; else that of the library. Empty when there is none.
Entities package_type(Resolver& resolver, std::string_view package, std::string_view name,
                      const FileModel* importer);

/// What the dotted name `path` means: a type, or a type in a type. Empty when there is none.
Entities qualified_type(Resolver& resolver, std::string_view path, const FileModel* importer);

}  // namespace codexmem::graph
