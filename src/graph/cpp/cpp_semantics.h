// graph/cpp/cpp_semantics.h - C++ answers to the core's questions.
//
// C++ adds namespaces and classes to the names of C (graph/c). cpp_scopes.h finds the declarations
// of a namespace or class, cpp_names.cpp the meaning of a name at its position.
//
// Rules: overloads are chosen by number and types of arguments, without type arguments; where
// several are left, each is a possible use. A specialisation is a symbol of its own and does not
// change the template's members. The standard library is the unit `std` (bench/tables/cpp/std.h);
// what it does not declare is external. A member of a foreign template, of a class with a base
// outside of the tree, or that no class of the tree shows, is unknown and never likely
// (kRemoteEntity).
//
// Not followed: argument-dependent lookup, instantiation, decltype, names that `using` brings into
// a header for others, conversions, overloads for constant objects, friends declared nowhere else,
// modules, objects that nothing names.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

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
  std::vector<UnwrittenUse> unwritten_uses(Resolver& resolver, const FileModel& file,
                                           std::uint32_t symbol) const override;
  Entities merged_with(Resolver& resolver, const FileModel& file,
                       std::uint32_t symbol) const override;
  std::optional<Entity> part_of(Resolver& resolver, const Entity& value,
                                std::uint32_t position) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::vector<Entity> implied_type_parameters(Resolver& resolver,
                                              const Entity& type) const override;
  Entities merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                          const Entity& receiver) const override;
  bool may_be(const FileModel& file, std::uint32_t index, const Entity& member) const override;
};

}  // namespace codexmem::graph
