// graph/ruby/ruby_semantics.h - Ruby's answers to the core's questions.
//
// ruby_names.cpp: what names mean; ruby_calls.cpp: which methods a call may mean; ruby_types.cpp:
// constants by their full path, what classes and modules have and stand below; ruby_files.cpp:
// files and gems that imports mean.
//
// Rules: a constant that is found nowhere is external, so a gem's name never means one of the
// repository. A class may be opened in many places: they are one, and the one in a file of its name
// represents all parts. A name that no class above has may be of a class below, or of one that
// includes the module. A reader and a setter are apart. `new` calls initialize, `super` the next
// method of its name. Symbols are uses where a call takes them for a method (send(:a), private :a,
// before_save :a, each(&:a)); any other symbol is a possible use. A function of another file is
// likely where that file is loaded.
//
// Not followed: parameters of blocks, instance_eval and other DSLs, define_method with computed
// names, method_missing, globals, which of several definitions in branches runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class RubySemantics final : public LanguageSemantics {
 public:
  RubySemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  std::optional<Entities> called(Resolver& resolver, const FileModel& file, const Entity& callee,
                                 std::span<const parse::TermId> arguments) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::vector<std::pair<const FileModel*, std::uint32_t>> named_after(
      Resolver& resolver, const FileModel& file, std::uint32_t symbol) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
};

}  // namespace codexmem::graph
