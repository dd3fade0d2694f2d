// graph/nominal/nominal_semantics.h - answers shared by languages with named types.
//
// Java, Kotlin, C# and PHP each look a name up in their own order. They share the kinds that a name
// may have by its use, the names that a file offers to others, and the rules for renaming.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {

/// The kinds that a name may have for each use, in order of preference.
struct NameOrders {
  std::span<const NameUse> call, type, read, write, import;
};

std::span<const NameUse> uses_of(const NameOrders& orders, parse::Role role);

/// The traits that all of these languages have.
constexpr LanguageTraits nominal_traits() {
  LanguageTraits traits;
  traits.knowledge = Knowledge::kChecked;
  traits.foreign.results_are_unknown = true;
  traits.types_have_members = true;
  traits.overriding = Overriding::kAll;
  return traits;
}

/// The traits of languages with overloaded functions.
constexpr LanguageTraits overloading_traits() {
  LanguageTraits traits = nominal_traits();
  traits.imports_name_declarations = true;
  traits.is_compiled = true;
  traits.locals_are_distinct = true;
  traits.overloads_are_distinct = true;
  traits.calls_reach_values = true;
  traits.declared.documentation_mentions = true;
  return traits;
}

class NominalSemantics : public LanguageSemantics {
 public:
  using LanguageSemantics::LanguageSemantics;

  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
  std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                     std::uint32_t symbol) const override;
  std::set<std::string> names_given(const parse::FileFacts& facts) const override;
  std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                           std::string_view new_name) const override;
  /// A file is called like the type that it shows to others.
  std::string path_for(const FileModel& file, std::uint32_t symbol,
                       std::string_view new_name) const override;

 protected:
  /// What the name at occurrence `index` means, a bare one or one behind a dot.
  virtual Entities bare_name(Resolver& resolver, const FileModel& file,
                             std::uint32_t index) const = 0;
  virtual Entities dotted_name(Resolver& resolver, const FileModel& file,
                               std::uint32_t index) const = 0;

  /// The names by which constructors call symbol `symbol`, if it is one: this(), super().
  static std::vector<std::string> constructor_names(const FileModel& file, std::uint32_t symbol);

  /// True for a symbol that other files can name without its container: a top-level one.
  virtual bool is_provided(const parse::Symbol& symbol) const;
};

}  // namespace codexmem::graph
