// graph/cpp/cpp_semantics.h - what C++ answers to the core's questions.
//
// Names of C++ are those of C (graph/c) in namespaces and classes. cpp_scopes.h finds what a
// namespace or class declares, cpp_names.cpp what a name means where it stands.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "graph/c/c_files.h"
#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

/// The standard library's interfaces: the unit "std".
LibraryArchive cpp_library();

class CppSemantics final : public IncludingSemantics {
 public:
  CppSemantics();

  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  std::optional<Entity> part_of(Resolver& resolver, const Entity& value,
                                std::uint32_t position) const override;
  Entities merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                          const Entity& receiver) const override;
};

}  // namespace codexmem::graph
