// graph/python/python_semantics.h - what Python answers to the core's questions.
//
// python_names.cpp: names, modules, types; python_changes.cpp: what a change leaves without a
// meaning; python_fixtures.cpp: what pytest gives to tests; python_effects.h: what a module does to
// names when it runs.
//
// Rules: a parameter without annotation of an overriding method, and an attribute that is only
// assigned, take the type that the class above declares. A keyword argument uses the field of a
// class that has no __init__ of its own. A loop over an enum's class gives its constants.
// A name by itself means no member, and what no scope and no star import gives is the language's;
// super() also reaches what subtypes combine with the class.
// getattr(x, "a"), __slots__ and x["a"] are keys of the value, resolved where its type is known.
// Arithmetic and comparisons are not recorded as uses of operators: with six of them the facts of
// sympy grew by 9 %, without by 2 %.
#pragma once

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class PythonSemantics final : public LanguageSemantics {
 public:
  PythonSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  bool is_hidden(const FileModel& file, const parse::Scope& scope, std::uint32_t binding,
                 parse::Role role, bool is_own) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
  Entities folder_member(Resolver& resolver, std::string_view folder,
                         std::string_view name) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  Entities values_of_type_name(Resolver& resolver, const Entity& named) const override;
  std::vector<Entity> implied_type_parameters(Resolver& resolver,
                                              const Entity& type) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  bool may_override(std::string_view name) const override;
  std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const override;
  Entities given_by_name(Resolver& resolver, const Entity& parameter) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
  std::string tied_outside(Resolver& resolver, const FileModel& file,
                           std::uint32_t symbol) const override;
  bool may_be(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::set<std::string> names_given(const parse::FileFacts& facts) const override;
  bool names_a_file(std::string_view import_path) const override;
  Verdict judge_missing_export(HiddenNames& hidden, const FileModel& file, std::uint32_t import,
                               const FileModel& target, const std::string& name,
                               const Entities& found, bool was_defined) const override;
  std::vector<const FileModel*> modules_of(Resolver& resolver,
                                           const FileModel& file) const override;
  std::string hidden_in_module(HiddenNames& hidden, const FileModel& module,
                               bool was_defined) const override;
  std::string hidden_in_scope(HiddenNames& hidden, const FileModel& module,
                              const std::string& name) const override;
  std::string hidden_in_type(HiddenNames& hidden, const FileModel& file,
                             const parse::Symbol& type) const override;
  Result<std::string> hidden_module(HiddenNames& hidden, store::CodeReader& reader,
                                    const FileModel& file, std::string_view path) const override;
};

}  // namespace codexmem::graph
