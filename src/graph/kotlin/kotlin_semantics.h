// graph/kotlin/kotlin_semantics.h - what Kotlin answers to the core's questions.
//
// kotlin_names.cpp: bare names and members; kotlin_scopes.cpp: receivers, extensions, imports;
// kotlin_types.cpp: what values give, what overrides what; kotlin_modules.cpp: files that imports
// mean.
#pragma once

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class KotlinSemantics final : public LanguageSemantics {
 public:
  KotlinSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
  Entities folder_member(Resolver& resolver, std::string_view folder,
                         std::string_view name) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  std::optional<Entities> called(Resolver& resolver, const FileModel& file, const Entity& callee,
                                 std::span<const parse::TermId> arguments) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const override;
  std::optional<Entity> part_of(Resolver& resolver, const Entity& value,
                                std::uint32_t position) const override;
  std::optional<Entities> awaited(Resolver& resolver, const Entity& value) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  Entities implied_members(Resolver& resolver, const Entity& type,
                           std::string_view name) const override;
  Entities called_members(Resolver& resolver, const Entity& instance) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::set<std::string> names_given(const parse::FileFacts& facts) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
  std::string path_for(const FileModel& file, std::uint32_t symbol,
                       std::string_view new_name) const override;
};

}  // namespace codexmem::graph
