// graph/cross_imports.h - imports of one repository that mean files of another.
//
// Stateless; reads through the caller's reader. Design: docs/design/workspace.md.
#pragma once

#include <filesystem>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "store/code/united_reader.h"

namespace codexmem::graph {

/// The imports that have no target in their own repository and mean a file of another one: rows as
/// `dependencies` has them, with united ids and a target each (store/code/cross_links.h says which
/// rows they replace). `reader` has no links yet; `roots` are the folders of its members, in their
/// order. Errors: kCancelled; those of the stores.
Result<std::vector<store::DependencyRow>> find_cross_imports(
    store::UnitedReader& reader, std::span<const std::filesystem::path> roots,
    const std::stop_token& stop);

}  // namespace codexmem::graph
