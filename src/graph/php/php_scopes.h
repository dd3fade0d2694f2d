// graph/php/php_scopes.h - the declarations of PHP namespaces, by path "A.B" ("" is the global
// namespace).
//
// A namespace is open: its declarations are found in all files by the index of symbols. Names of
// types, functions and namespaces ignore case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// What a name that is no variable's and no member's may be of.
enum class PhpSort : std::uint8_t { kType, kFunction, kConstant };

/// True if `symbol` is something of that sort.
bool is_of_sort(const parse::Symbol& symbol, PhpSort sort);

/// What the namespace at `path` declares as `name`, of the repository, else of the library. Where
/// several places declare one, those nearest to `importer`.
Entities namespace_names(Resolver& resolver, std::string_view path, std::string_view name,
                         PhpSort sort, const FileModel* importer);

/// The same of A\B\c.
Entities qualified_names(Resolver& resolver, std::string_view path, PhpSort sort,
                         const FileModel* importer);

/// The namespace at `offset` of `file`, and the scope that its imports are bound in.
struct PhpNamespace {
  std::string path;
  std::uint32_t scope = 0;
};
PhpNamespace namespace_around(const FileModel& file, std::uint32_t offset);

/// The bindings of what `use` brings in as `name`, in any letters, in the order of the text.
const std::vector<std::uint32_t>& imports_named(Resolver& resolver, const FileModel& file,
                                                std::string_view name);

/// A\B as A.B, without a sign before it.
std::string dotted_path(std::string_view path);

}  // namespace codexmem::graph
