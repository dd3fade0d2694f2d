// graph/rust/rust_semantics.h - Rust's answers to the core's questions.
//
// rust_names.cpp: modules, paths, bare names; rust_members.cpp: members that blocks and traits give
// to types, calls, iteration and await; rust_modules.h: the files of `mod` and `use`.
//
// Rules: the place of a name says its name space (types, values, macros). A member is the type's
// own, then one of a trait in a block of the type, then a default of such a trait or of a blanket
// implementation, then one that Deref leads to. Each of several `impl From<A> for B`, and each
// alternative of `cfg`, is likely. Uses of a trait's method are likely uses of its implementations.
// Methods of common derives are the trait Derived of the library table. A function of a type with
// an attribute or a foreign derive (Opts::parse()) most likely makes a value of the type, and
// other::Lock<A> most likely has the members of A: such values are guesses, and their members
// likely. A member that no known type declares may be of another crate's trait, so it is never
// likely.
//
// Not followed: what other macros make; in their arguments `A { key: 1 }` is a literal.
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
  std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::vector<UnwrittenUse> unwritten_uses(Resolver& resolver, const FileModel& file,
                                           std::uint32_t symbol) const override;
  bool may_be(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::string tied_outside(Resolver& resolver, const FileModel& file,
                           std::uint32_t symbol) const override;
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

/// The meaning of member `index` of `file`, `a.b`: a member of its receiver, chosen by its use.
Entities rust_used_members(Resolver& resolver, const FileModel& file, std::uint32_t index);

/// True if a trait of the repository declares `name`, which any type may so have.
bool rust_traits_declare(Resolver& resolver, const FileModel& near, std::string_view name);

/// The members among `found` that occurrence `index` of `file` may mean by its use.
Entities rust_by_use(Resolver& resolver, const FileModel& file, std::uint32_t index,
                     Entities found);

/// The block around `offset` that gives members to a type; nullptr without one.
const parse::Extension* rust_extension_around(const FileModel& file, std::uint32_t offset);

/// Whether the occurrence's place asks for a type, a function that is called, or any value.
enum class RustSpace : std::uint8_t { kType, kValue, kMacro, kAny };

/// The `entities` of that name space.
Entities rust_fitting(const Entities& entities, RustSpace space);

}  // namespace codexmem::graph
