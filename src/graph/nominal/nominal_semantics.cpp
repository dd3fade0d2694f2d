#include "graph/nominal/nominal_semantics.h"

#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/overloads.h"
#include "graph/core/subtypes.h"

namespace codexmem::graph {

using parse::ReceiverKind;
using parse::Role;

std::span<const NameUse> uses_of(const NameOrders& orders, Role role) {
  switch (role) {
    case Role::kCall:
      return orders.call;
    case Role::kType:
    case Role::kInherit:
      return orders.type;
    case Role::kImport:
      return orders.import;
    case Role::kWrite:
      return orders.write;
    default:
      return orders.read;
  }
}

namespace {

// What super(...) and this(...) call, as the grammars name it.
constexpr std::string_view kBaseConstructor = "constructor.super";
constexpr std::string_view kOwnConstructor = "constructor.this";

Entities called_constructors(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  std::uint32_t type = file.symbol_at(at.offset);
  while (type != parse::kNoIndex && !is_type_like(file.facts.symbols[type])) {
    type = file.surrounding(type);
  }
  if (type == parse::kNoIndex) return {kExternalEntity};
  Entities types = {{EntityKind::kSymbol, &file, type}};
  if (file.name(at.name) == kBaseConstructor) types = resolver.supertypes(file, type);
  Entities found;
  for (const Entity& each : types) {
    if (each.kind == EntityKind::kUnknown) add(found, each);
    if (each.kind != EntityKind::kSymbol && !is_instance(each)) continue;
    add_all(found, constructors_for(resolver, file, index, each));
  }
  return found.empty() ? Entities{kExternalEntity} : found;
}

}  // namespace

std::vector<std::string> NominalSemantics::constructor_names(const FileModel& file,
                                                             std::uint32_t symbol) {
  if (!is_constructor(file, symbol)) return {};
  return {std::string(kBaseConstructor), std::string(kOwnConstructor)};
}

std::optional<Entities> NominalSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                          std::uint32_t index) const {
  const ReceiverKind kind = file.facts.occurrences[index].receiver_kind;
  if (kind == ReceiverKind::kOther) return std::nullopt;
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return Entities{kUnknownEntity};
  const bool is_by_syntax = file.facts.occurrences[index].by_syntax;
  if (is_by_syntax && kind == ReceiverKind::kNone) {
    return called_constructors(resolver, file, index);
  }
  const bool is_bare =
      kind == ReceiverKind::kNone || kind == ReceiverKind::kKey || kind == ReceiverKind::kTag;
  return is_bare ? bare_name(resolver, file, index) : dotted_name(resolver, file, index);
}

bool NominalSemantics::is_provided(const parse::Symbol& symbol) const {
  return symbol.parent == parse::kNoIndex;
}

Entities NominalSemantics::exported(Resolver&, const FileModel& file, std::string_view name) const {
  Entities found;
  for (std::uint32_t i = 0; i < file.facts.symbols.size(); ++i) {
    const parse::Symbol& symbol = file.facts.symbols[i];
    if (symbol.name == name && is_provided(symbol)) add(found, {EntityKind::kSymbol, &file, i});
  }
  return found;
}

std::vector<Implied> NominalSemantics::implied_above(Resolver& resolver, const FileModel& file,
                                                     std::uint32_t symbol) const {
  return joined_above(resolver, file, symbol);
}

std::vector<Implied> NominalSemantics::implied_below(Resolver& resolver, const FileModel& file,
                                                     std::uint32_t symbol) const {
  return joined_below(resolver, file, symbol);
}

std::set<std::string> NominalSemantics::names_given(const parse::FileFacts& facts) const {
  std::set<std::string> names;
  for (const parse::Symbol& symbol : facts.symbols) {
    if (is_provided(symbol)) names.insert(symbol.name);
  }
  return names;
}

std::string NominalSemantics::objection_to(const FileModel&, const store::SymbolRow& at,
                                           std::string_view) const {
  if (at.type != SymbolType::kMethod || !library().has("base_members", at.name)) return {};
  return "every object has a method " + at.name;
}

std::string NominalSemantics::path_for(const FileModel& file, std::uint32_t symbol,
                                       std::string_view new_name) const {
  const parse::Symbol& at = file.facts.symbols[symbol];
  const std::uint32_t owner = file.owner_of(symbol);
  const bool is_outermost =
      owner == parse::kNoIndex || file.facts.symbols[owner].type == parse::SymbolType::kType;
  if (!is_type_like(at) || !is_outermost || file_stem(file.path) != at.name) return {};
  const std::string_view folder = folder_of(file.path);
  const std::string_view path = file.path;
  return std::string(folder) + (folder.empty() ? "" : "/") + std::string(new_name) +
         std::string(path.substr(path.rfind('.')));
}

}  // namespace codexmem::graph
