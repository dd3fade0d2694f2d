// graph/cpp/cpp_scopes.h - the declarations of C++ namespaces and classes, by path: "a.b.Class", ""
// for the global namespace.
//
// A namespace is open: its names may be declared in any file. The index of symbols gives the
// declarations of a name, the includes decide which of them a file sees. Inline and unnamed
// namespaces are left out of paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// Rows of the symbols called `name` in files of C++ and C, by id. Valid as long as the Resolver.
const std::vector<const store::SymbolRow*>& cpp_rows(Resolver& resolver, std::string_view name);

/// The path of a symbol, and the path of the symbol that contains it.
std::string path_of(Resolver& resolver, const Entity& symbol);
std::string container_of(Resolver& resolver, const Entity& symbol);

/// True if names of `row` are seen in `file` through includes.
bool is_seen_from(Resolver& resolver, const FileModel& file, const store::SymbolRow& row);

bool is_macro(Resolver& resolver, const Entity& entity);

/// The paths of the namespaces that `entity` is, or is an alias of.
std::vector<std::string> namespaces_of(Resolver& resolver, const Entity& entity);

/// The class, enum or other type at that path, as seen from `file`; empty if it does not exist.
Entities types_at(Resolver& resolver, const FileModel& file, std::string_view path);

/// The declarations of that name in the namespace at `path`, as seen from `file`; also macros,
/// which are visible everywhere.
Entities in_namespace(Resolver& resolver, const FileModel& file, std::string_view path,
                      std::string_view name);

/// The types that the namespace at `path` declares under that name in files that include `file`:
/// what a header declares in advance.
Entities types_of_includers(Resolver& resolver, const FileModel& file, std::string_view path,
                            std::string_view name);

/// Declarations of `name` in any namespace, without enumerators: those in files that `file`
/// includes or, for `is_unseen`, in others.
Entities in_any_namespace(Resolver& resolver, const FileModel& file, std::string_view name,
                          bool is_unseen);

/// A name that a using declaration (a::b) or directive (a) has.
struct UsedName {
  std::uint32_t occurrence = 0;
  ByteRange range;  // where it holds
};

/// The using declarations and directives of `file`, in the order of the text.
const std::vector<UsedName>& used_names(Resolver& resolver, const FileModel& file);

/// The enumerators called `name` that the class or enum `owner` has from its unscoped enums.
Entities unscoped_enumerators(Resolver& resolver, const Entity& owner, std::string_view name);

/// The text of `file` before `offset`; empty for a unit of the library. Valid as long as the
/// Resolver.
std::string_view text_before(Resolver& resolver, const FileModel& file, std::uint32_t offset);

/// Of `symbol`, a symbol of the repository, its row; nullptr if it has none.
const store::SymbolRow* row_of(Resolver& resolver, const Entity& symbol);

/// Members of classes, of objects and of the objects that pointers point to; for functions, all
/// overloads that may be called. kUnknown when no member was found and a base is unknown.
Entities class_members(Resolver& resolver, const Entities& receivers, std::string_view name);

}  // namespace codexmem::graph
