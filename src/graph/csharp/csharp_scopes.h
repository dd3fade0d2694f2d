// graph/csharp/csharp_scopes.h - the declarations of C# namespaces, by path "A.B" ("" is the global
// namespace), and the namespaces visible at a place.
//
// A namespace is open: its types are in all files, found by the index of symbols. The parts of a
// partial type count as one type, represented by the first part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// True if files of the repository or the library declare something in the namespace at `path`.
bool is_namespace(Resolver& resolver, std::string_view path);

/// The types called `name` in the namespace at `path`, of the repository, else of the library, with
/// any number of type parameters. When several places declare the type, the declarations nearest to
/// `importer`.
Entities namespace_types(Resolver& resolver, std::string_view path, std::string_view name,
                         const FileModel* importer);

/// The types that the dotted name `path` means, which may be nested ones.
Entities qualified_types(Resolver& resolver, std::string_view path, const FileModel* importer);

/// The path of the namespace that scope `scope` of `file` is of.
std::string namespace_at(const FileModel& file, std::uint32_t scope);

/// The paths that `using` names in a scope of `file`; in the file's own, also those that other
/// files of its project give all of them.
std::vector<std::string> usings_in(Resolver& resolver, const FileModel& file, std::uint32_t scope);

/// The namespaces with extension methods visible at `offset`: the ones around it and the ones from
/// usings.
const std::vector<std::string>& namespaces_seen(Resolver& resolver, const FileModel& file,
                                                std::uint32_t offset);

/// The other parts of a partial type or method.
const Entities& other_parts(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

/// The extension methods called `name` that are seen at `offset`, of the repository and the
/// library.
Entities extension_methods(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                           std::string_view name);

}  // namespace codexmem::graph
