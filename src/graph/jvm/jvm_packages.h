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

/// The top-level type `name` of a package, as a file at `importer` sees it: of several those that
/// lie nearest; else that of the library. `UtilKt` is the file util.kt, a kModule, where there is
/// one. Empty when there is none.
Entities package_type(Resolver& resolver, std::string_view package, std::string_view name,
                      const FileModel* importer);

/// What the dotted name `path` means: a type, or a type in a type. Empty when there is none.
Entities qualified_type(Resolver& resolver, std::string_view path, const FileModel* importer);

/// The functions and properties `name` of a package that no type has: Kotlin's. Of several files
/// that declare one alike (source sets of several platforms), all.
Entities package_members(Resolver& resolver, std::string_view package, std::string_view name,
                         const FileModel* importer);

/// getName, isOpen, setName: what Java's accessors of a property are called; and back: the property
/// of an accessor, empty when `name` is none.
std::string accessor_of(std::string_view prefix, std::string_view property);
std::string property_of(std::string_view accessor);

}  // namespace codexmem::graph
