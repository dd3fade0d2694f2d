// graph/nominal/nominal_semantics.h - what languages answer alike whose types are declared by name.
//
// Java, Kotlin, C# and PHP look a name up in orders of their own. They share what a name may be
// wanted as by what is done with it, what a file gives to others, and what renaming has to heed.
#pragma once

#include <span>
#include <string_view>

#include "graph/core/entity.h"
#include "graph/core/language_semantics.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {

/// What a name may be wanted as, first things first, by what is done with it.
struct NameOrders {
  std::span<const NameUse> call, type, read, write, import;
};

std::span<const NameUse> uses_of(const NameOrders& orders, parse::Role role);

/// The traits that all of these languages have.
constexpr LanguageTraits nominal_traits() {
  LanguageTraits traits;
  traits.resolves_names = true;
  traits.foreign_results_are_unknown = true;
  traits.types_have_members = true;
  traits.uses_reach_overridden = true;
  return traits;
}

/// Those of languages whose functions may share a name.
constexpr LanguageTraits overloading_traits() {
  LanguageTraits traits = nominal_traits();
  traits.imports_name_declarations = true;
  traits.locals_are_distinct = true;
  traits.overloads_are_distinct = true;
  traits.calls_reach_values = true;
  traits.documentation_mentions = true;
  return traits;
}

class NominalSemantics : public LanguageSemantics {
 public:
  using LanguageSemantics::LanguageSemantics;

  std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) const override;
  Entities exported(Resolver& resolver, const FileModel& file,
                    std::string_view name) const override;
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

  /// True for what other files can name without what it is in: what is in nothing.
  virtual bool is_given(const parse::Symbol& symbol) const;
};

}  // namespace codexmem::graph
