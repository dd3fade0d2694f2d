// graph/jvm/jvm_packages.h - what packages hold, for Java and Kotlin, whose files see each other.
//
// A package is what the files say that they belong to, wherever they lie. Results are kept as long
// as the Resolver.
#pragma once

#include <string>
#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The top-level type `name` of a package, as a file at `importer` sees it: of several the nearest
/// ones; else the library's type. `UtilKt` is the file util.kt, a kModule, if it exists. Empty when
/// nothing is found.
Entities package_type(Resolver& resolver, std::string_view package, std::string_view name,
                      const FileModel* importer);

/// The type with the dotted name `path`, perhaps a nested one. Empty when it does not exist.
Entities qualified_type(Resolver& resolver, std::string_view path, const FileModel* importer);

/// The functions and properties `name` of a package that no type has: Kotlin's. Of several files
/// that declare one alike (source sets of several platforms), all.
Entities package_members(Resolver& resolver, std::string_view package, std::string_view name,
                         const FileModel* importer);

/// getName, isOpen, setName: the name of a property's Java accessor; and back: the property of an
/// accessor, empty when `accessor` is not one.
std::string accessor_of(std::string_view prefix, std::string_view property);
std::string property_of(std::string_view accessor);

}  // namespace codexmem::graph
