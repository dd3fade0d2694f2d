// graph/c/c_semantics.h - what C answers to the core's questions.
//
// c_names.cpp: what a file sees through its includes, tags, and the declarations of one function or
// variable; c_includes.cpp: the files that includes mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/c/c_files.h"
#include "graph/core/entity.h"

namespace codexmem::graph {

class CSemantics final : public IncludingSemantics {
 public:
  CSemantics();

  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
};

}  // namespace codexmem::graph
