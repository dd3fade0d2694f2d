// graph/php/php_semantics.h - what PHP answers to the core's questions.
//
// php_names.cpp: bare names and members; php_scopes.cpp: what namespaces declare; php_types.cpp:
// what values give, what overrides what; php_modules.cpp: files that imports mean,
// php_composer.cpp: what composer.json says.
//
// Rules: a name that is found nowhere is external, so it never means a name of another namespace.
// Types, functions and methods have no regard to case (LanguageTraits::names_ignore_case). Of
// members the first counts: the class's own, of traits, of the parent, of interfaces. `static` as a
// result is the type that the method was called on. Types come from declarations, PHPDoc, `new`,
// calls, `clone`, `instanceof`, `foreach` and assignments.
//
// Not followed: functions in texts ('strlen'), aliases of `use T { a as b; }`, __call and __get,
// facades, untyped results of containers.
#pragma once

#include "graph/nominal/nominal_semantics.h"

namespace codexmem::graph {

class PhpSemantics final : public NominalSemantics {
 public:
  PhpSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities folder_member(Resolver& resolver, std::string_view folder,
                         std::string_view name) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::set<std::string> names_given(const parse::FileFacts& facts) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;

 protected:
  Entities bare_name(Resolver& resolver, const FileModel& file, std::uint32_t index) const override;
  Entities dotted_name(Resolver& resolver, const FileModel& file,
                       std::uint32_t index) const override;
  bool is_provided(const parse::Symbol& symbol) const override;
};

}  // namespace codexmem::graph
