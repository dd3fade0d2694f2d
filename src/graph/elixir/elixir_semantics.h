// graph/elixir/elixir_semantics.h - what Elixir answers to the core's questions.
//
// elixir_names.cpp: what names mean; elixir_modules.cpp: modules by their full name, what is
// aliased, imported and injected where; elixir_files.cpp: files that imports mean.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class ElixirSemantics final : public LanguageSemantics {
 public:
  ElixirSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
};

}  // namespace codexmem::graph
