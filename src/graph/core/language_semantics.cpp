// Defaults: a language of which only the spelling of names is known.
#include "graph/core/language_semantics.h"

#include "graph/core/entity.h"
#include "graph/core/module_finder.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

std::unique_ptr<ModuleFinder> LanguageSemantics::make_module_finder(ProjectTree&) const {
  return nullptr;
}

std::optional<Entities> LanguageSemantics::meaning_by_form(Resolver&, const FileModel&,
                                                           std::uint32_t) const {
  return std::nullopt;
}

bool LanguageSemantics::is_hidden(const FileModel&, const parse::Scope&, std::uint32_t, parse::Role,
                                  bool) const {
  return false;
}

bool LanguageSemantics::fits(const FileModel&, std::uint32_t, parse::Role) const { return true; }

Entities LanguageSemantics::unbound_name(Resolver&, const FileModel&, std::string_view) const {
  return {kUnknownEntity};
}

Entities LanguageSemantics::imported(Resolver&, const FileModel&, std::uint32_t,
                                     std::string_view) const {
  return {kUnknownEntity};
}

Entities LanguageSemantics::exported(Resolver&, const FileModel&, std::string_view) const {
  return {};
}

bool PackageRules::may_export_unseen(const FileModel&) const { return false; }

bool PackageRules::is_part_of_package(std::string_view) const { return true; }

Entities LanguageSemantics::folder_member(Resolver&, std::string_view, std::string_view) const {
  return {};
}

Entities LanguageSemantics::merged_with(Resolver&, const FileModel&, std::uint32_t) const {
  return {};
}

Entities LanguageSemantics::merged_members(Resolver&, const Entity&, std::string_view,
                                           const Entity&) const {
  return {};
}

Entities LanguageSemantics::merged_types(Resolver&, const Entity&) const { return {}; }

std::optional<Entities> LanguageSemantics::members_of(Resolver&, const Entity&, std::string_view,
                                                      const Entity&) const {
  return std::nullopt;
}

std::optional<Entities> LanguageSemantics::called(Resolver&, const FileModel&, const Entity&,
                                                  std::span<const parse::TermId>) const {
  return std::nullopt;
}

std::optional<Entities> LanguageSemantics::iterated(Resolver&, const Entity&) const {
  return std::nullopt;
}

std::optional<Entity> LanguageSemantics::part_of(Resolver&, const Entity&, std::uint32_t) const {
  return std::nullopt;
}

std::optional<Entities> LanguageSemantics::awaited(Resolver&, const Entity&) const {
  return std::nullopt;
}

Entities LanguageSemantics::values_of_type_name(Resolver&, const Entity&) const {
  return {kUnknownEntity};
}

std::vector<Entity> LanguageSemantics::implied_type_parameters(Resolver&, const Entity&) const {
  return {};
}

std::optional<Entities> LanguageSemantics::operated(Resolver&, const FileModel&, std::string_view,
                                                    const Entities&, const Entities&) const {
  return std::nullopt;
}

Entities LanguageSemantics::called_members(Resolver& resolver, const Entity& instance) const {
  const std::string_view method = traits().protocol.call;
  return method.empty() ? Entities{} : resolver.members({instance}, method);
}

std::vector<std::string> LanguageSemantics::implied_names(const FileModel&, std::uint32_t) const {
  return {};
}

std::vector<UnwrittenUse> LanguageSemantics::unwritten_uses(Resolver&, const FileModel&,
                                                            std::uint32_t) const {
  return {};
}

Entities LanguageSemantics::implied_members(Resolver&, const Entity&, std::string_view) const {
  return {};
}

std::string PackageRules::build_condition(std::string_view, std::string_view) const { return {}; }

bool PackageRules::may_build_together(const FileModel&, const FileModel&) const { return true; }

std::vector<Implied> LanguageSemantics::implied_above(Resolver&, const FileModel&,
                                                      std::uint32_t) const {
  return {};
}

std::vector<Implied> LanguageSemantics::implied_below(Resolver&, const FileModel&,
                                                      std::uint32_t) const {
  return {};
}

bool LanguageSemantics::overrides(const FileModel&, std::uint32_t, const Entity&) const {
  return true;
}

bool LanguageSemantics::may_override(std::string_view) const { return true; }

bool LanguageSemantics::may_use(const FileModel&, std::uint32_t, const Entity&) const {
  return true;
}

std::string RenameRules::objection_to(const FileModel&, const store::SymbolRow&,
                                      std::string_view) const {
  return {};
}
Entities LanguageSemantics::given_by_name(Resolver&, const Entity&) const { return {}; }

std::string RenameRules::tied_outside(Resolver&, const FileModel&, std::uint32_t) const {
  return {};
}

bool RenameRules::may_be(const FileModel&, std::uint32_t, const Entity&) const { return true; }

std::vector<std::pair<const FileModel*, std::uint32_t>> RenameRules::named_after(
    Resolver&, const FileModel&, std::uint32_t) const {
  return {};
}

std::string RenameRules::path_for(const FileModel&, std::uint32_t, std::string_view) const {
  return {};
}

std::set<std::string> ChangeRules::names_given(const parse::FileFacts&) const { return {}; }

bool ChangeRules::names_a_file(std::string_view) const { return false; }

Verdict ChangeRules::judge_missing_export(HiddenNames&, const FileModel&, std::uint32_t,
                                          const FileModel&, const std::string&, const Entities&,
                                          bool) const {
  return {};
}

std::vector<const FileModel*> ChangeRules::modules_of(Resolver&, const FileModel& file) const {
  return {&file};
}

std::string ChangeRules::hidden_in_module(HiddenNames&, const FileModel&, bool) const { return {}; }

std::string ChangeRules::hidden_in_scope(HiddenNames&, const FileModel&, const std::string&) const {
  return {};
}

std::string ChangeRules::hidden_in_type(HiddenNames&, const FileModel&,
                                        const parse::Symbol&) const {
  return {};
}

Result<std::string> ChangeRules::hidden_module(HiddenNames&, store::CodeReader&, const FileModel&,
                                               std::string_view) const {
  return std::string();
}

}  // namespace codexmem::graph
