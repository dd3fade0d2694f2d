// graph/rust/rust_paths.h - modules of Rust and the meaning of paths.
//
// One thread, as the resolver that they are given.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {

/// The module of an entity, nothing when it is not a module; and the entity of a module.
std::optional<RustModule> rust_module_of(const Entity& entity);
Entity rust_entity_of(const RustModule& module);

/// The file that `mod` import `import` leads to, or another one whose row names a file; nullptr
/// without.
const FileModel* rust_target_of(Resolver& resolver, const FileModel& file, std::uint32_t import);

/// The module around `module`, nothing for a crate's; the crate's.
std::optional<RustModule> rust_parent_of(Resolver& resolver, const RustModule& module);
RustModule rust_root_of(Resolver& resolver, RustModule module);

/// All that `module` has under a name.
Entities rust_names_of(Resolver& resolver, const RustModule& module, std::string_view name);

/// The same, computed: `is_open` leaves out private imports.
Entities rust_module_names(Resolver& resolver, const RustModule& module, std::string_view name,
                           bool is_open);

/// The same as seen from file `from`: of several, without private imports; if the module is in
/// another crate, never private imports.
Entities rust_names_seen(Resolver& resolver, const FileModel& from, const RustModule& module,
                         std::string_view name, bool is_crate = false);

/// What leads on in a path: modules and types that `module` itself declares, else all it has.
Entities rust_heads_of(Resolver& resolver, const FileModel& from, const RustModule& module,
                       std::string_view name);

/// True for std and its parts; what `name` means as a crate: one of the repository, or one of the
/// library.
bool rust_is_library_crate(std::string_view name);
Entities rust_crate_entity(Resolver& resolver, const FileModel& file, std::string_view name);

/// The meaning of a bare name in scope `scope`, as seen at `offset`.
Entities rust_bare_name(Resolver& resolver, const FileModel& file, std::uint32_t scope,
                        std::string_view name, RustSpace space, std::uint32_t offset);

/// The meaning of path `parts` of a use in `module`; in all name spaces.
Entities rust_path_meaning(Resolver& resolver, const RustModule& module, std::uint32_t import,
                           const std::vector<std::string_view>& parts);

}  // namespace codexmem::graph
