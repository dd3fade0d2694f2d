// Types of PHP: what overrides what; what imports and files give others.
#include <algorithm>

#include "graph/core/resolver_step.h"
#include "graph/nominal/members.h"
#include "graph/php/php_scopes.h"
#include "graph/php/php_semantics.h"

namespace codexmem::graph {

using parse::kNoIndex;

Entities PhpSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                std::string_view) const {
  const parse::Import& statement = file.facts.imports[import];
  if (statement.kind == parse::ImportKind::kInclude) return {kExternalEntity};
  Entities found;
  if (statement.from_import) {
    for (const PhpSort sort : {PhpSort::kFunction, PhpSort::kConstant}) {
      add_all(found, qualified_names(resolver, statement.path, sort, &file));
    }
  } else {
    found = qualified_names(resolver, statement.path, PhpSort::kType, &file);
  }
  return found.empty() ? Entities{kExternalEntity} : found;
}

bool PhpSemantics::is_provided(const parse::Symbol& symbol) const {
  return is_of_sort(symbol, PhpSort::kType) || is_of_sort(symbol, PhpSort::kFunction) ||
         is_of_sort(symbol, PhpSort::kConstant);
}

Entities PhpSemantics::folder_member(Resolver& resolver, std::string_view folder,
                                     std::string_view name) const {
  Entities found = namespace_names(resolver, folder, name, PhpSort::kType, nullptr);
  return found.empty() ? Entities{kExternalEntity} : found;
}

Entities PhpSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                    std::string_view name) const {
  return namespace_names(resolver, "", name, PhpSort::kType, &file);
}

// new A, new self and new static call __construct.
std::vector<std::string> PhpSemantics::implied_names(const FileModel& file,
                                                     std::uint32_t symbol) const {
  const std::uint32_t owner = file.owner_of(symbol);
  const std::string& name = file.facts.symbols[symbol].name;
  if (owner == kNoIndex || !same_name(name, traits().protocol.constructor)) return {};
  return {file.facts.symbols[owner].name, "self", "static"};
}

// Private members override nothing.
bool PhpSemantics::overrides(const FileModel& file, std::uint32_t symbol,
                             const Entity& base) const {
  const parse::Symbol& here = file.facts.symbols[symbol];
  const parse::Symbol& there = symbol_of(base);
  if (is_callable(here) != is_callable(there) || is_type_like(there)) return false;
  const auto& terms = base.file->facts.terms;
  const bool is_function =
      there.term != parse::kNoIndex && terms[there.term].kind == parse::TermKind::kFunction;
  return !is_function || !base.file->facts.functions[terms[there.term].at].is_private;
}

bool PhpSemantics::may_use(const FileModel& file, std::uint32_t index, const Entity& member) const {
  const bool is_call = file.facts.occurrences[index].role == parse::Role::kCall;
  return is_call == is_callable(symbol_of(member));
}

std::set<std::string> PhpSemantics::names_given(const parse::FileFacts& facts) const {
  std::set<std::string> names;
  for (const parse::Symbol& symbol : facts.symbols) {
    if (is_of_sort(symbol, PhpSort::kType) || is_of_sort(symbol, PhpSort::kFunction)) {
      names.insert(symbol.name);
    }
  }
  return names;
}

std::string PhpSemantics::objection_to(const FileModel&, const store::SymbolRow& at,
                                       std::string_view) const {
  if (at.kind == "namespace") return "a namespace is in the names of folders and packages, too";
  if (at.name.starts_with("__")) return "the language knows " + at.name + " by its name";
  return {};
}

}  // namespace codexmem::graph
