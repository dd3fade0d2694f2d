// graph/ecma/ecma_semantics.h - what TypeScript and JavaScript answer to the core's questions.
//
// ecma_names.cpp: names, imports, exports; ecma_ambient.cpp: declarations for other files;
// ecma_components.cpp: components of Vue and Svelte; ecma_changes.cpp: what a change leaves without
// a meaning.
//
// Rules: `this.x = 1` in TypeScript uses the x that a class above declares. A type is never meant
// where a value is expected, nor the other way round. Of mapped types any key has the template's
// type; `{ [K in keyof T]: T[K] }` is T. Markup of Vue leaves `.value` out, so what holds a value
// has its members too (units in bench/tables/typescript/packages). A component is a symbol called
// by its file. An import with a query (x.svg?raw) is external.
//
// Not followed: `keyof`, template literal types, mixins by copying, names that a tool imports by
// itself, values of slots.
#pragma once

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

/// What JavaScript's library, the DOM and Node declare. A unit is global/NAME or a module of Node.
/// Made by bench/tables.
LibraryArchive ecma_library();

/// True for a file of TypeScript that only declares: x.d.ts.
bool is_declaration_file(std::string_view path);

class EcmaSemantics final : public LanguageSemantics {
 public:
  EcmaSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  bool fits(const FileModel& file, std::uint32_t binding, parse::Role role) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
  bool may_export_unseen(const FileModel& file) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  Entities merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                          const Entity& receiver) const override;
  Entities merged_types(Resolver& resolver, const Entity& owner) const override;
  Entities values_of_type_name(Resolver& resolver, const Entity& named) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  bool may_override(std::string_view name) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::string tied_outside(Resolver& resolver, const FileModel& file,
                           std::uint32_t symbol) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
  std::set<std::string> names_given(const parse::FileFacts& facts) const override;
  bool names_a_file(std::string_view import_path) const override;
  Verdict judge_missing_export(HiddenNames& hidden, const FileModel& file, std::uint32_t import,
                               const FileModel& target, const std::string& name,
                               const Entities& found, bool was_defined) const override;
  std::string hidden_in_type(HiddenNames& hidden, const FileModel& file,
                             const parse::Symbol& type) const override;
};

/// What other files get when they import `name` from a module that is declared by name; empty when
/// there is no such declaration.
Entities ambient_import(Resolver& resolver, std::string_view path, std::string_view name);

/// What a name that no scope of a module binds means: a declaration for all files.
Entities global_name(Resolver& resolver, std::string_view name);

/// The member of a Vue component that its markup may use as a bare name: its props, data, computed
/// values and methods; else a member declared for all components. Empty when `file` is not a
/// component or has no such name.
Entities component_member(Resolver& resolver, const FileModel& file, std::string_view name);

/// The same of `this` in the options of a component; empty where none is at `offset`.
Entities member_of_options(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                           std::string_view name);

/// Members called `name` of interfaces of files that are called `type`, wherever they are declared.
Entities members_of_interfaces(Resolver& resolver, std::string_view type, std::string_view name);

/// What a component of Svelte exports under a name, if `type` is the type of what it is given.
Entities exported_by_component(Resolver& resolver, const Entity& type, std::string_view name);

}  // namespace codexmem::graph
