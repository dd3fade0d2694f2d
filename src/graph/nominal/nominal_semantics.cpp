#include "graph/nominal/nominal_semantics.h"

#include "base/path.h"
#include "graph/core/resolver_step.h"

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

std::optional<Entities> NominalSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                          std::uint32_t index) const {
  const ReceiverKind kind = file.facts.occurrences[index].receiver_kind;
  if (kind == ReceiverKind::kOther) return std::nullopt;
  const Resolver::Step step(resolver);
  if (step.is_too_far()) return Entities{kUnknownEntity};
  const bool is_bare =
      kind == ReceiverKind::kNone || kind == ReceiverKind::kKey || kind == ReceiverKind::kTag;
  return is_bare ? bare_name(resolver, file, index) : dotted_name(resolver, file, index);
}

bool NominalSemantics::is_given(const parse::Symbol& symbol) const {
  return symbol.parent == parse::kNoIndex;
}

Entities NominalSemantics::exported(Resolver&, const FileModel& file, std::string_view name) const {
  Entities found;
  for (std::uint32_t i = 0; i < file.facts.symbols.size(); ++i) {
    const parse::Symbol& symbol = file.facts.symbols[i];
    if (symbol.name == name && is_given(symbol)) add(found, {EntityKind::kSymbol, &file, i});
  }
  return found;
}

std::set<std::string> NominalSemantics::names_given(const parse::FileFacts& facts) const {
  std::set<std::string> names;
  for (const parse::Symbol& symbol : facts.symbols) {
    if (is_given(symbol)) names.insert(symbol.name);
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
