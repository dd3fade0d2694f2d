// graph/java/java_semantics.h - what Java answers to the core's questions.
//
// java_names.cpp: bare names, packages, imports; java_types.cpp: functional interfaces, overriding;
// what it shares with Kotlin: jvm/jvm_semantics.h.
//
// Rules: of several methods those that others override are left out, then private ones of other
// files, then those whose parameters do not fit (nominal/overloads.h). Where types are not known
// and several are left, each is a possible use and all together are certain. Static methods
// override nothing. `new A()` uses the class and the constructor. A label of a `switch` is a
// constant of the switched type. A record's accessor uses its component, one that Lombok makes its
// field. Names in Javadoc have the confidence `name`.
//
// Not followed: @Builder of Lombok.
#pragma once

#include "graph/jvm/jvm_semantics.h"

namespace codexmem::graph {

class JavaSemantics final : public JvmSemantics {
 public:
  JavaSemantics();

  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities folder_member(Resolver& resolver, std::string_view folder,
                         std::string_view name) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  std::string hidden_in_type(HiddenNames& hidden, const FileModel& file,
                             const parse::Symbol& type) const override;
  Entities implied_members(Resolver& resolver, const Entity& type,
                           std::string_view name) const override;
  Entities called_members(Resolver& resolver, const Entity& instance) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;

 protected:
  Entities bare_name(Resolver& resolver, const FileModel& file, std::uint32_t index) const override;
  Entities dotted_name(Resolver& resolver, const FileModel& file,
                       std::uint32_t index) const override;
};

}  // namespace codexmem::graph
