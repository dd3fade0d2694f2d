// graph/go/go_semantics.h - what Go answers to the core's questions.
//
// A package is the files of a folder that have its clause. go_names.cpp: names, packages, members;
// go_interfaces.cpp: which types implement which interfaces; go_builds.h: which builds have a file;
// go_modules.h: the folders that imports
// mean.
//
// Rules: tests are seen only from tests. Names of functions are seen behind their declaration
// (Binding::seen_from), so `x := x` uses the outer one. A type declared by another has its fields
// and methods of its own. A type and a pointer to it are one. A type implements an interface when
// it has all its methods with the same signatures; interfaces without methods, sets of types and
// interfaces of the library are above nothing. Several files may declare a name for different
// builds: in a file whose name says a system or processor the name means the declarations built
// together with it, elsewhere all of them.
//
// Not followed: interfaces written out where they are used; above a type, interfaces that only
// embed others; methods that a third party's type gives; `//go:build` lines against each other; the
// C of `import "C"`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {

class GoSemantics final : public LanguageSemantics {
 public:
  GoSemantics();

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
  Entities merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                          const Entity& receiver) const override;
  std::string build_condition(std::string_view path, std::string_view text) const override;
  bool may_build_together(const FileModel& file, const FileModel& other) const override;
  std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool is_part_of_package(std::string_view path) const override;
  std::vector<const FileModel*> modules_of(Resolver& resolver,
                                           const FileModel& file) const override;
  std::string tied_outside(Resolver& resolver, const FileModel& file,
                           std::uint32_t symbol) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
};

/// True for a file of tests, whose names only tests see.
bool is_go_test_file(std::string_view path);

/// The Go files of a folder, by path.
std::vector<const store::FileRow*> go_files_in(Resolver& resolver, Family family,
                                               std::string_view folder);

}  // namespace codexmem::graph
