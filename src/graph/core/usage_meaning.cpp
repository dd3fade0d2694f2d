// Decides whether an occurrence of a searched name is a use of a target, and with which confidence.
//
// Tested by graph/references_test.cpp; bench/likely.py measures how often each level is right.
#include <algorithm>
#include <set>

#include "graph/core/foreign.h"
#include "graph/core/spellings.h"
#include "graph/core/usage_search.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

// Why the meaning of an occurrence is unknown.
Doubt doubt_of(const parse::Occurrence& occurrence) {
  switch (occurrence.receiver_kind) {
    case ReceiverKind::kNone:
    case ReceiverKind::kTag:
      return Doubt::kScope;
    case ReceiverKind::kKey:
      return Doubt::kKey;
    default:
      return Doubt::kReceiver;
  }
}

}  // namespace

bool says_much(std::string_view name) {
  constexpr std::size_t kLong = 8;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (name.size() < kLong) return false;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] == '_' || (is_lower(name[i - 1]) && is_upper(name[i]))) return true;
  }
  return false;
}

// Where names are not resolved, any name spelled like a target may mean it, except one that
// declares something else.
void UsageSearch::match_name(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const auto first = first_named_.find(file.name(occurrence.name));
  if (first == first_named_.end()) return;
  if (occurrence.role == Role::kDefinition) return pass_over(file, index, /*is_own_name=*/true);
  usages_.push_back({&file, index, Confidence::kPossible, first->second, Doubt::kByName});
}

// The confidence that `entities`, which contain `used`, mean it. An alternative declaration of
// another build leaves it likely; an overload that was not asked for leaves it open.
Confidence UsageSearch::confidence_of(const Entities& entities, const UsageTarget& used) const {
  const LanguageTraits& traits = used.file->semantics.traits();
  const parse::Symbol& symbol = used.file->facts.symbols[used.symbol];
  const bool is_function = is_callable(symbol);
  // (The class is meant, no matter which of its constructors is called.)
  const bool has_overloads = traits.overloads_are_distinct && is_function;
  const bool is_guess = may_be_foreign(entities);
  if (!has_overloads && !traits.alternatives_are_likely) {
    return is_guess ? Confidence::kLikely : Confidence::kResolved;
  }
  // Making an object uses the class and a constructor, perhaps an implicit one.
  const auto is_nearby = [&](const Entity& entity) {
    const SymbolType type = symbol_of(entity).type;
    return (is_type_like(symbol) && type == SymbolType::kMethod) ||
           (symbol.type == SymbolType::kMethod && is_type_like(symbol_of(entity)));
  };
  const Entity own{EntityKind::kSymbol, used.file, used.symbol};
  const bool may_be_unwritten =
      has_kind(entities, EntityKind::kUnknown) ||
      (symbol.type == SymbolType::kMethod && has_kind(entities, EntityKind::kExternal));
  Confidence found = is_guess || (traits.alternatives_are_likely && may_be_unwritten)
                         ? Confidence::kLikely
                         : Confidence::kResolved;
  for (const Entity& entity : entities) {
    if (entity.kind != EntityKind::kSymbol || is_nearby(entity) ||
        target_index_.contains(Member(entity.file, entity.index))) {
      continue;
    }
    const bool is_other_function = is_callable(symbol_of(entity));
    const bool is_alternative =
        (traits.alternatives_are_likely || is_other_function) &&
        (symbol_of(entity).name == symbol.name ||
         (traits.aliases_are_alternatives && is_function && is_other_function));
    if (!is_alternative) continue;
    if (has_overloads && is_other_function && differ_as_written(own, entity)) {
      return Confidence::kPossible;
    }
    found = Confidence::kLikely;
  }
  return found;
}

void UsageSearch::classify(const FileModel& file, std::uint32_t index, bool is_own_name) {
  const std::size_t before = usages_.size();
  classify_own(file, index, is_own_name);
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  if (!file.is_covered() || occurrence.by_syntax || usages_.size() == before ||
      !file.compiler.at(occurrence.offset).empty()) {
    return;
  }
  // A compiler read the file and does not mention the place. It may have left the code out (a
  // condition of the build, a macro), so what scopes and imports say is likely; a guess by the name
  // is wrong if the compiler knows the symbol.
  for (std::size_t i = before; i < usages_.size(); ++i) {
    Usage& usage = usages_[i];
    const UsageTarget& target = targets_[usage.target];
    const std::uint32_t name = target.file->facts.symbols[target.symbol].name_range.begin;
    if (!target.file->compiler.knows(name)) continue;
    if (usage.confidence == Confidence::kResolved) {
      usage.confidence = Confidence::kLikely;
    } else if (usage.confidence != Confidence::kName) {
      usages_.resize(before);
      return pass_over(file, index, is_own_name);
    }
  }
}

void UsageSearch::classify_own(const FileModel& file, std::uint32_t index, bool is_own_name) {
  if (!resolves_names(file.family)) return match_name(file, index);
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::uint32_t declared = file.symbol_named_at(occurrence.offset);
  if (declared != kNoIndex && target_index_.contains(Member(&file, declared))) return;
  Entities entities = resolver_.resolve(file, index);
  // (The symbol that this place declares is not asked for.)
  if (declared != kNoIndex && entities.size() > 1) {
    const Entity own{EntityKind::kSymbol, &file, declared};
    std::erase_if(entities, [&](const Entity& entity) { return entity.is_same(own); });
  }
  if (occurrence.role == Role::kCall) {
    for (const Entity& entity : entities) {
      const auto made = makes_.find(Member(entity.file, entity.index));
      if (entity.kind != EntityKind::kSymbol || made == makes_.end()) continue;
      usages_.push_back({&file, index, Confidence::kResolved, made->second});
    }
  }
  if (const auto target = find_target(entities, file, index)) {
    // setattr(module, "a", b): a test gives the module something else.
    const bool is_replaced = occurrence.receiver_kind == ReceiverKind::kKey &&
                             occurrence.role == Role::kRead &&
                             file.semantics.traits().texts.name_types &&
                             !targets_[*target].file->is_member(targets_[*target].symbol);
    // A member that a mixin expects from the types that use it.
    const bool is_guess = occurrence.receiver_kind != ReceiverKind::kNone &&
                          std::ranges::find(entities, kUnknownEntity) != entities.end();
    // Documentation uses only symbols that documentation defines.
    const UsageTarget& used = targets_[*target];
    const bool is_mention =
        file.is_documentation(occurrence.offset) &&
        !used.file->is_documentation(used.file->facts.symbols[used.symbol].name_range.begin);
    Confidence confidence = confidence_of(entities, used);
    if (is_guess) confidence = std::min(confidence, Confidence::kLikely);
    if (is_replaced) confidence = Confidence::kPossible;
    if (resolver_.said_by_compiler(file, occurrence.offset)) confidence = Confidence::kResolved;
    if (is_mention) confidence = Confidence::kName;
    usages_.push_back({&file, index, confidence, *target,
                       confidence != Confidence::kPossible ? Doubt::kNone
                       : is_replaced                       ? Doubt::kReceiver
                                                           : Doubt::kOverload});
    return;
  }
  if (file.is_documentation(occurrence.offset)) {
    return pass_over(file, index, is_own_name, /*is_mention=*/true);
  }
  // (A reserved word such as super means only symbols above.)
  const bool is_word =
      std::ranges::find(file.semantics.traits().names.reserved, file.name(occurrence.name)) !=
      file.semantics.traits().names.reserved.end();
  if (!overridden_.empty() && !is_word) {
    for (const Entity& entity : entities) {
      if (entity.kind != EntityKind::kSymbol || declared == entity.index) continue;
      const auto base = overridden_.find(Member(entity.file, entity.index));
      if (base == overridden_.end()) continue;
      usages_.push_back({&file, index, Confidence::kLikely, base->second});
      return;
    }
  }
  if (occurrence.receiver_kind == ReceiverKind::kKey && occurrence.role == Role::kWrite) {
    loose_keys_[file.name(occurrence.name)].insert(&file);
  }
  const bool is_nowhere = entities.empty() && is_lost_member(file, index);
  const bool is_foreign = occurrence.receiver_kind != ReceiverKind::kNone &&
                          file.semantics.traits().foreign.untold_is_unknown &&
                          has_kind(entities, EntityKind::kExternal);
  const bool is_unknown = is_nowhere || has_kind(entities, EntityKind::kUnknown);
  const auto first = first_named_.find(file.name(occurrence.name));
  if (!is_own_name || first == first_named_.end() || (!is_unknown && !is_foreign)) {
    return pass_over(file, index, is_own_name);
  }
  const UsageTarget& wanted = targets_[first->second];
  if (!is_unknown &&
      wanted.file->semantics.tied_outside(resolver_, *wanted.file, wanted.symbol).empty()) {
    return pass_over(file, index, is_own_name);
  }
  const bool may_be_one = std::ranges::any_of(targets_, [&](const UsageTarget& each) {
    return file.semantics.may_be(file, index, {EntityKind::kSymbol, each.file, each.symbol});
  });
  if (!may_be_one) return pass_over(file, index, is_own_name);
  const bool is_elsewhere = is_nowhere || !has_kind(entities, EntityKind::kUnknown) ||
                            std::ranges::find(entities, kElsewhereEntity) != entities.end();
  if (!is_elsewhere && is_likely(file, index, first->second)) {
    usages_.push_back({&file, index, Confidence::kLikely, first->second});
  } else {
    usages_.push_back({&file, index, Confidence::kPossible, first->second, doubt_of(occurrence)});
  }
}

bool UsageSearch::certainly_means(const FileModel& file, std::uint32_t occurrence) {
  usages_.clear();
  if (resolves_names(file.family)) classify(file, occurrence, /*is_own_name=*/false);
  return std::ranges::any_of(
      usages_, [](const Usage& usage) { return usage.confidence == Confidence::kResolved; });
}

// True for a member that its receiver, a type of the repository, does not have: the receiver was
// misread, and the member may be any.
bool UsageSearch::is_lost_member(const FileModel& file, std::uint32_t index) {
  const ReceiverKind kind = file.facts.occurrences[index].receiver_kind;
  if (kind == ReceiverKind::kNone || kind == ReceiverKind::kKey || kind == ReceiverKind::kTag) {
    return false;
  }
  const Entities before = resolver_.receivers(file, index);
  return before.empty() || std::ranges::any_of(before, &is_known);
}

void UsageSearch::pass_over(const FileModel& file, std::uint32_t occurrence, bool is_own_name,
                            bool is_mention) {
  if (is_own_name) passed_over_.push_back({&file, occurrence, is_mention});
}

bool UsageSearch::is_likely(const FileModel& file, std::uint32_t index, std::size_t target) {
  const parse::Occurrence& occurrence = file.facts.occurrences[index];
  const std::string& name = file.name(occurrence.name);
  if (occurrence.receiver_kind == ReceiverKind::kKey || occurrence.role == Role::kImport) {
    return false;
  }
  // Every a + b has a sign, and derived names may come from other symbols.
  if (occurrence.by_syntax ||
      name != targets_[target].file->facts.symbols[targets_[target].symbol].name) {
    return false;
  }
  if (occurrence.receiver_kind == ReceiverKind::kNone) {
    // A global of another script.
    return occurrence.role != Role::kExport && targets_[target].file->is_script() &&
           !targets_[target].file->is_member(targets_[target].symbol) && file.is_script() &&
           (occurrence.role == Role::kType ||
            !targets_[target].file->is_only_type(targets_[target].symbol));
  }
  const parse::Symbol& wanted = targets_[target].file->facts.symbols[targets_[target].symbol];
  if (occurrence.role == Role::kType && !is_type_like(wanted)) return false;
  if (may_be_foreign(resolver_.resolve(file, index))) return false;
  const Entity member{EntityKind::kSymbol, targets_[target].file, targets_[target].symbol};
  if (!file.semantics.may_use(file, index, member)) return false;
  const bool is_member = targets_[target].file->is_member(targets_[target].symbol);
  if (!is_member || file.semantics.library().has("members", name)) return false;
  auto known = owners_.find(name);
  if (known == owners_.end()) known = owners_.emplace(name, find_owners(name, file.family)).first;
  const Owners& owners = known->second;
  if (!owners.are_one) return false;
  return says_much(name) || owners.files.contains(&file) ||
         std::ranges::any_of(owners.names, [&](const std::string& owner) {
           return file.find_name(owner).has_value();
         });
}

// The owners of a member of the name, for this question. They count as one when a single class has
// the member, when the classes inherit it from each other, or when all of them were asked for.
UsageSearch::Owners UsageSearch::find_owners(const std::string& name, Family family) {
  Owners owners;
  std::set<std::pair<store::FileId, std::string>> containers;
  std::vector<Entity> members;
  bool all_asked_for = true;
  const auto rows = reader_.list_symbols_named(name);
  if (!rows.ok()) return owners;
  for (const store::SymbolRow& row : *rows) {
    const store::FileRow* owner = resolver_.files().find(store::file_of(row.id));
    if (row.container.empty() || owner == nullptr || family_of(owner->language) != family) continue;
    containers.emplace(owner->id, row.container);
    owners.names.insert(row.container.substr(row.container.rfind('.') + 1));
    const auto member = resolver_.symbol(row.id);
    if (!member) continue;
    members.push_back(*member);
    owners.files.insert(member->file);
    all_asked_for = all_asked_for && target_index_.contains(Member(member->file, member->index));
  }
  owners.are_one = all_asked_for || containers.size() <= 1 ||
                   (containers.size() <= kFewCandidates && override_each_other(members));
  return owners;
}

// True if `members`, of one name, all override one of them or something above it.
bool UsageSearch::override_each_other(const std::vector<Entity>& members) {
  std::optional<Entities> shared;
  for (const Entity& member : members) {
    Entities above = resolver_.overridden(*member.file, member.index);
    add(above, member);
    if (!shared) {
      shared = std::move(above);
      continue;
    }
    std::erase_if(*shared, [&](const Entity& one) {
      return std::ranges::none_of(above, [&](const Entity& other) { return one.is_same(other); });
    });
  }
  return shared && !shared->empty();
}

}  // namespace codexmem::graph
