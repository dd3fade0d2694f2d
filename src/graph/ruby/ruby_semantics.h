// graph/ruby/ruby_semantics.h - what Ruby answers to the core's questions.
//
// ruby_names.cpp: what names mean; ruby_calls.cpp: which methods a call may mean; ruby_types.cpp:
// constants by their full path, what classes and modules have and stand below; ruby_files.cpp:
// files and gems that imports mean.
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
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
};

}  // namespace codexmem::graph
