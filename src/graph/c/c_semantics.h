// graph/c/c_semantics.h - C's answers to the core's questions.
//
// c_names.cpp: names visible through includes, tags, and the declarations of one function or
// variable; c_includes.cpp: the files of includes.
//
// Rules: a name that the included files do not have is the one that a single file of the repository
// defines: headers rely on their includers. Prototypes and definition are one where the repository
// has one definition with external linkage, else where they see each other, so two programs may
// each have a usage(). Tags have a name space of their own. All branches of #if are read, and
// alternatives. A pointer and an array are what they point to and hold. Fields are found by the
// type before them, keys of initialisers by the initialised type. A definition in tests is not what
// other code calls.
//
// In C and C++ a call of a field or variable, ops->open(), calls the functions that code gives it
// (core/held_functions.h): likely, from at most 64 files, the nearest first.
//
// Not followed: values in initialisers without keys, other results of macros, members of values
// without a type.
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
