// graph/elixir/elixir_semantics.h - Elixir's answers to the core's questions.
//
// elixir_names.cpp: the meaning of names; elixir_modules.cpp: modules by their full name, and the
// aliases, imports and injected names of a place; elixir_files.cpp: the files of imports.
//
// Rules: a name with a capital is a module's; its first part is resolved by the last visible
// `alias` or a module around. A function is the one whose arities hold the call's: of the module
// before the dot, else of the module around, then imports, then definitions in the `quote` of
// `__using__`; the rest is Kernel's (library.txt) or unknown. @behaviour and defimpl are above; a
// defimpl has its protocol's name and is another symbol. `defdelegate` uses the function that it
// leads to.
//
// Not followed: calls on values (`module.run()`), fields of values without a struct pattern, names
// made by macros, templates (.heex).
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
