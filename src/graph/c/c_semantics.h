// graph/c/c_semantics.h - what C answers to the core's questions.
//
// c_names.cpp: what a file sees through its includes, tags, and the declarations of one function or
// variable; c_includes.cpp: the files that includes mean.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class CSemantics final : public LanguageSemantics {
 public:
  CSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  bool names_a_file(std::string_view import_path) const override;
};

/// Finds the files that includes of C and C++ mean.
std::unique_ptr<ModuleFinder> make_include_finder(ProjectTree& tree);

}  // namespace codexmem::graph
