// graph/rust/rust_semantics.h - what Rust answers to the core's questions.
//
// rust_names.cpp: modules, paths, what a bare name means; rust_members.cpp: members that blocks and
// traits give to types, what is called, iterated and awaited; rust_modules.h: the files that `mod`
// and `use` mean.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class RustSemantics final : public LanguageSemantics {
 public:
  RustSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
  std::optional<Entities> members_of(Resolver& resolver, const Entity& owner, std::string_view name,
                                     const Entity& receiver) const override;
  std::optional<Entities> called(Resolver& resolver, const FileModel& file, const Entity& callee,
                                 std::span<const parse::TermId> arguments) const override;
  std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const override;
  std::optional<Entities> awaited(Resolver& resolver, const Entity& value) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
};

/// A module: a file, or a block in one.
struct RustModule {
  const FileModel* file = nullptr;
  std::uint32_t scope = 0;
};

/// What a symbol is. Facts do not keep its kind: its form says it.
/// A module in a block, a macro, a variant of an enum; the scope that is its own, kNoIndex without.
bool rust_is_module(const FileModel& file, std::uint32_t symbol);
bool rust_is_macro(const FileModel& file, std::uint32_t symbol);
bool rust_is_variant(const FileModel& file, std::uint32_t symbol);
std::uint32_t rust_own_scope(const FileModel& file, std::uint32_t symbol);

/// The module that scope `scope` is in.
RustModule rust_module_around(const FileModel& file, std::uint32_t scope);

/// What the library has under that name, wherever it is; empty when its table has none.
Entities rust_library_name(Resolver& resolver, const LanguageSemantics& semantics,
                           std::string_view name);

/// The crate of the repository that code calls `name`, as a Cargo.toml says.
const FileModel* rust_crate_named(Resolver& resolver, Family family, std::string_view name);

/// The macro called `name` that is seen in `file`: of its file, else of the nearest ones.
Entities rust_macro_named(Resolver& resolver, const FileModel& file, std::string_view name);

/// The macros called `name` of the crate whose root is `crate`.
Entities rust_macro_of(Resolver& resolver, const FileModel& crate, std::string_view name);

/// What member `index` of `file` means, `a.b`: of what its receiver is, by what is done with it.
Entities rust_used_members(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// Those of members that occurrence `index` of `file` may mean by what is done with it.
Entities rust_by_use(Resolver& resolver, const FileModel& file, std::uint32_t index,
                     Entities found);

/// The block around `offset` that gives members to a type; nullptr when there is none.
const parse::Extension* rust_extension_around(const FileModel& file, std::uint32_t offset);

/// Whether the occurrence's place asks for a type, a function that is called, or any value.
enum class RustSpace : std::uint8_t { kType, kValue, kMacro, kAny };

/// Those of `entities` that are of that name space.
Entities rust_fitting(const Entities& entities, RustSpace space);

}  // namespace codexmem::graph
