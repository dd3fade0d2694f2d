// graph/kotlin/kotlin_semantics.h - what Kotlin answers to the core's questions.
//
// kotlin_search.cpp: bare names and members; kotlin_scopes.cpp: receivers, extensions, imports;
// kotlin_types.cpp: what values give, what overrides what; kotlin_names.cpp: the rest. What it
// shares with Java: jvm/jvm_semantics.h.
//
// Rules: members come before extensions; of extensions, members of any `this` come before imported
// ones. A companion without a name is its class. Parameters of a primary constructor are seen in
// initialisers; named arguments and `copy` use the property. `is`, `&&` and `when` narrow a name.
// Kotlin sees a getter of Java as a property, Java sees accessors of a property, and `UtilKt` is
// the file util.kt. Operators, indexing, `in`, `for`, destructuring and `by` call the functions
// behind them.
//
// Not followed: contracts, types that an early return implies, `invoke` of another object's
// property, `hasNext` and `next` of a loop, @JvmName, the delegate named in a class header before a
// body, `expect` and `actual` as one.
#pragma once

#include "graph/jvm/jvm_semantics.h"

namespace codexmem::graph {

class KotlinSemantics final : public JvmSemantics {
 public:
  KotlinSemantics();

  Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                    std::string_view name) const override;
  Entities folder_member(Resolver& resolver, std::string_view folder,
                         std::string_view name) const override;
  Entities unbound_name(Resolver& resolver, const FileModel& file,
                        std::string_view name) const override;
  std::optional<Entities> called(Resolver& resolver, const FileModel& file, const Entity& callee,
                                 std::span<const parse::TermId> arguments) const override;
  std::optional<Entities> operated(Resolver& resolver, const FileModel& file, std::string_view sign,
                                   const Entities& left, const Entities& right) const override;
  std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const override;
  std::optional<Entity> part_of(Resolver& resolver, const Entity& value,
                                std::uint32_t position) const override;
  std::optional<Entities> awaited(Resolver& resolver, const Entity& value) const override;
  std::vector<std::string> implied_names(const FileModel& file,
                                         std::uint32_t symbol) const override;
  Entities implied_members(Resolver& resolver, const Entity& type,
                           std::string_view name) const override;
  Entities called_members(Resolver& resolver, const Entity& instance) const override;
  bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const override;
  bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;

 protected:
  Entities bare_name(Resolver& resolver, const FileModel& file, std::uint32_t index) const override;
  Entities dotted_name(Resolver& resolver, const FileModel& file,
                       std::uint32_t index) const override;
};

}  // namespace codexmem::graph
