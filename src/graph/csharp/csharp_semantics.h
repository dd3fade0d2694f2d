// graph/csharp/csharp_semantics.h - C#'s answers to the core's questions.
//
// csharp_names.cpp: bare names and members; csharp_types.cpp: partial types, extension methods,
// what values give; csharp_scopes.cpp: namespaces and usings; csharp_modules.cpp: files that usings
// mean, csharp_projects.cpp: project files.
//
// Rules: of types with one name the one with as many type parameters as arguments is meant. For
// `Color Color` the member that is asked for decides. `[Name]` means NameAttribute before Name.
// Extension methods are looked for when the receiver has no such method; the receiver gives their
// type parameters and is their first argument. An operator is looked for in the types of both
// operands; `a[i]` calls `this`, `foreach` GetEnumerator, `using` Dispose, a cast `explicit`. Among
// projects of the repository the nearest declaration counts.
//
// Not followed: `dynamic`, members of tuples by name, values of `switch` expressions and queries,
// source generators, `extension` blocks, implicit conversions, calls made by `await` and collection
// initialisers.
#pragma once

#include "graph/nominal/nominal_semantics.h"

namespace codexmem::graph {

class CSharpSemantics final : public NominalSemantics {
 public:
  CSharpSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities folder_member(Resolver& resolver, std::string_view folder,
                         std::string_view name) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const override;
  std::optional<Entities> awaited(Resolver& resolver, const Entity& value) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;

 protected:
  Entities bare_name(Resolver& resolver, const FileModel& file, std::uint32_t index) const override;
  Entities dotted_name(Resolver& resolver, const FileModel& file,
                       std::uint32_t index) const override;
  bool is_provided(const parse::Symbol& symbol) const override { return is_type_like(symbol); }
};

}  // namespace codexmem::graph
