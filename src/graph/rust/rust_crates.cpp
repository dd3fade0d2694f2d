// Names that are looked up in all of the repository: crates and macros.
#include <optional>
#include <string>
#include <unordered_map>

#include "base/path.h"
#include "graph/core/project_tree.h"
#include "graph/core/resolver.h"
#include "graph/rust/rust_modules.h"
#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {
namespace {

// Crates of the repository by what code calls them.
struct RustMemory : Resolver::Memory {
  bool is_read = false;
  std::unordered_map<std::string, const FileModel*> crates;
};

}  // namespace

// The crate of the repository that code calls `name`: its folder is called so, or others import it
// so.
const FileModel* rust_crate_named(Resolver& resolver, Family family, std::string_view name) {
  RustMemory& memory = resolver.memory<RustMemory>();
  if (!memory.is_read) {
    memory.is_read = true;
    for (const store::FileRow& row : resolver.files().rows()) {
      if (file_name(row.path) != "Cargo.toml") continue;
      const auto library =
          rust_library_of(folder_of(row.path), resolver.text_of(row.id).value_or(""));
      if (!library) continue;
      const store::FileRow* file = resolver.files().find(library->file);
      if (file == nullptr || family_of(file->language) != family) continue;
      memory.crates.emplace(library->crate, resolver.model(file->id));
    }
  }
  const auto found = memory.crates.find(std::string(name));
  return found == memory.crates.end() ? nullptr : found->second;
}

// The macro called `name` that is seen in `file`: of its file, of its crate, of another one.
Entities rust_macro_named(Resolver& resolver, const FileModel& file, std::string_view name) {
  Entities own;
  Entities near;
  std::size_t nearest = 0;
  for (const store::SymbolRow& row : resolver.symbol_rows(file.family, std::string(name))) {
    const auto macro = row.kind == "macro" ? resolver.symbol(row.id) : std::nullopt;
    if (!macro) continue;
    const std::size_t shared = shared_folders(file.path, macro->file->path);
    if (macro->file == &file) own.push_back(*macro);
    if (shared > nearest) near.clear();
    nearest = std::max(nearest, shared);
    if (shared == nearest) near.push_back(*macro);
  }
  if (!own.empty()) return own;
  if (!near.empty()) return near;
  return {kExternalEntity};
}

Entities rust_macro_of(Resolver& resolver, const FileModel& crate, std::string_view name) {
  const std::string folder(folder_of(crate.path));
  Entities found;
  for (const store::SymbolRow& row : resolver.symbol_rows(crate.family, std::string(name))) {
    const auto macro = row.kind == "macro" ? resolver.symbol(row.id) : std::nullopt;
    if (!macro) continue;
    const bool is_below = folder.empty() || macro->file->path.starts_with(folder + "/");
    if (is_below) found.push_back(*macro);
  }
  return found;
}

}  // namespace codexmem::graph
