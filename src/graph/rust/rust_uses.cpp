// Which of several members a use means: by whether it is called, by the arguments, and of tuples,
// which have no name to look up, by their parts.
//
// Tested by graph/rust_test.cpp.
#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "graph/core/foreign.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/overloads.h"
#include "graph/rust/rust_pastes.h"
#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::TermId;
using parse::TermKind;

constexpr std::size_t kFewAlternatives = 3;  // that are said to be likely

bool is_tuple(const Entity& entity) {
  return entity.kind == EntityKind::kContainer && container_kind(entity) == ContainerKind::kTuple;
}

// (A is the value of `struct A;` too.)
bool is_of_type(const Entity& value) {
  return is_instance(value) ||
         (value.kind == EntityKind::kSymbol && is_type_like(symbol_of(value)));
}

// The name of the type that a term speaks of, as it is written: of A::new(), A::B and A.
std::string type_named(const FileModel& file, TermId id) {
  for (int depth = 0; depth < 4 && id != kNoIndex; ++depth) {
    const parse::Term& term = file.facts.terms[id];
    if (term.kind == TermKind::kCall && term.part_count > 0) {
      id = file.parts_of(term)[0];
      continue;
    }
    if (term.kind != TermKind::kName && term.kind != TermKind::kType) return {};
    const parse::Occurrence* at = &file.facts.occurrences[term.at];
    if (term.kind == TermKind::kName && at->receiver_kind == ReceiverKind::kName) {
      at = &file.facts.occurrences[at->receiver];
    }
    const std::string& name = file.name(at->name);
    return is_upper(name.front()) ? name : std::string();
  }
  return {};
}

// How well a part of a tuple is what a block says of it; nothing when it is not.
std::optional<int> part_fit(const Entities& given, const std::string& given_name,
                            const Entities& wanted, const std::string& wanted_name) {
  if (has_kind(wanted, EntityKind::kTypeParameter)) return 1;
  if (!given_name.empty() && given_name == wanted_name) return 2;
  if (given.size() == 1 && wanted.size() == 1 && is_of_type(given[0]) && is_of_type(wanted[0])) {
    if (given[0].file == wanted[0].file && given[0].index == wanted[0].index) return 2;
    return std::nullopt;
  }
  if (!given_name.empty() && !wanted_name.empty()) return std::nullopt;
  return 0;
}

// Methods called `name` that blocks give to tuples as `tuple`, which `term` of `file` makes if that
// is one itself.
Entities tuple_members(Resolver& resolver, const FileModel& file, TermId term, const Entity& tuple,
                       std::string_view name) {
  const auto& given = tuple.environment->arguments;
  std::span<const TermId> parts;
  if (term != kNoIndex && file.facts.terms[term].kind == TermKind::kTuple) {
    parts = file.parts_of(file.facts.terms[term]);
  }
  Entities found;
  int best = -1;
  for (const Entity& member : resolver.list_symbols(file.family, name)) {
    const FileModel& other = *member.file;
    const parse::Extension* block =
        rust_extension_around(other, other.facts.symbols[member.index].name_range.begin);
    if (block == nullptr || block->type_term == kNoIndex) continue;
    const parse::Term& type = other.facts.terms[block->type_term];
    if (type.kind != TermKind::kTuple || type.part_count != given.size()) continue;
    const auto wanted = other.parts_of(type);
    int fit = 0;
    bool is_it = true;
    for (std::size_t i = 0; i < wanted.size() && is_it; ++i) {
      const std::string named = i < parts.size() ? type_named(file, parts[i]) : std::string();
      const auto of_part = part_fit(given[i], named, Entities(resolver.evaluate(other, wanted[i])),
                                    type_named(other, wanted[i]));
      is_it = of_part.has_value();
      fit += of_part.value_or(0);
    }
    if (!is_it || fit < best) continue;
    if (fit > best) found.clear();
    best = fit;
    found.push_back(member);
  }
  return found;
}

// What a method gives that a guess does not have: a lock or a builder leads to the same.
Entities again(const Entities& guess) {
  Entities found = guess;
  std::erase_if(found, [](const Entity& entity) {
    return entity != kForeignEntity && (!is_instance(entity) || entity.file->is_library);
  });
  return found;
}

bool is_type_parameter(const FileModel& file, const parse::Occurrence& at) {
  for (std::uint32_t scope = file.scope_at(at.offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    for (const std::uint32_t binding : file.bindings_in(scope, at.name)) {
      if (file.facts.bindings[binding].kind == parse::BindingKind::kTypeParameter) return true;
    }
  }
  return false;
}

// True for what a trait declares, or a block gives for one.
bool is_of_trait(const Entity& member) {
  const FileModel& file = *member.file;
  const std::uint32_t owner = file.owner_of(member.index);
  if (owner != kNoIndex && file.facts.symbols[owner].type == SymbolType::kInterface) return true;
  const parse::Extension* const block =
      rust_extension_around(file, symbol_of(member).name_range.begin);
  return block != nullptr && block->trait != kNoIndex;
}

}  // namespace

Entities rust_used_members(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  const Entities receivers = resolver.receivers(file, index);
  Entities found = resolver.members(receivers, name);
  if (at.role == Role::kCall && !has_kind(found, EntityKind::kSymbol)) {
    const TermId term = at.receiver_kind == ReceiverKind::kTerm ? at.receiver : kNoIndex;
    for (const Entity& receiver : receivers) {
      if (!is_tuple(receiver)) continue;
      Entities of_tuple = tuple_members(resolver, file, term, receiver, name);
      if (!of_tuple.empty()) return of_tuple;
    }
  }
  if (found == Entities{kExternalEntity} && rust_traits_declare(resolver, file, name)) {
    return {kForeignEntity};
  }
  if (at.role == Role::kCall && may_be_foreign(receivers) &&
      std::ranges::none_of(found, [](const Entity& entity) {
        return entity.kind == EntityKind::kSymbol && is_callable(symbol_of(entity));
      })) {
    return again(receivers);
  }
  return rust_by_use(resolver, file, index, std::move(found));
}

Entities rust_by_use(Resolver& resolver, const FileModel& file, std::uint32_t index,
                     Entities found) {
  if (found.size() < 2) return found;
  const parse::Occurrence& at = file.facts.occurrences[index];
  const bool wants_call = at.role == Role::kCall;
  const bool is_value =
      at.role != Role::kType && at.role != Role::kInherit && at.role != Role::kImport;
  if (!is_value) return found;
  const auto is_wanted = [&](const Entity& entity) {
    return entity.kind == EntityKind::kSymbol && is_callable(symbol_of(entity)) == wants_call;
  };
  if (std::ranges::any_of(found, is_wanted)) {
    std::erase_if(found, [&](const Entity& entity) {
      return !is_wanted(entity) && entity != kForeignEntity;
    });
  }
  if (found.size() == 2 && may_be_foreign(found)) return found;
  // A trait that a type implements for several others: the argument says which.
  if (found.size() > 1 && wants_call) {
    if (file.call_of(index)) found = fitting_call(resolver, file, index, found);
    if (found.size() > kFewAlternatives) return {kUnknownEntity};
  }
  return found;
}

// A field is not called, and a method does not stand without being called; what a method calls
// under its own name is of something else.
bool RustSemantics::may_use(const FileModel& file, std::uint32_t index,
                            const Entity& member) const {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const bool is_path = at.receiver_kind == ReceiverKind::kName &&
                       file.facts.occurrences[at.receiver].role == Role::kType;
  if (!is_path && is_callable(symbol_of(member)) != (at.role == Role::kCall)) return false;
  if (member.file != &file) return true;
  std::uint32_t around = file.symbol_at(at.offset);
  while (around != kNoIndex && around != member.index) around = file.surrounding(around);
  return around == kNoIndex;
}

std::vector<UnwrittenUse> RustSemantics::unwritten_uses(Resolver& resolver, const FileModel& file,
                                                        std::uint32_t symbol) const {
  return rust_uses_by_paste(resolver, file.family, file.facts.symbols[symbol].name);
}

// a.b() is a method and a.b a field. A::b belongs to a type that is called A, unless A means
// another one: a type parameter, Self.
bool RustSemantics::may_be(const FileModel& file, std::uint32_t index, const Entity& member) const {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.receiver_kind == ReceiverKind::kNone || at.receiver_kind == ReceiverKind::kKey) {
    return true;
  }
  const bool is_path = at.receiver_kind == ReceiverKind::kName &&
                       file.facts.occurrences[at.receiver].role == Role::kType;
  if (!is_path) {
    const SymbolType type = symbol_of(member).type;
    if (type != SymbolType::kProperty && type != SymbolType::kMethod) return true;
    return (type == SymbolType::kMethod) == (at.role == Role::kCall);
  }
  const parse::Occurrence& before = file.facts.occurrences[at.receiver];
  const std::string& name = file.name(before.name);
  // A type parameter has what traits have.
  if (is_type_parameter(file, before) && !is_of_trait(member)) return false;
  const bool is_plain = (before.receiver_kind == ReceiverKind::kNone ||
                         before.receiver_kind == ReceiverKind::kName) &&
                        name != "Self" && name.size() > 2 && is_upper(name.front());
  const std::uint32_t owner = member.file->owner_of(member.index);
  if (!is_plain || owner == kNoIndex) return true;
  // (A trait's function is called by the name of any type.)
  const parse::Symbol& type = member.file->facts.symbols[owner];
  return type.type == SymbolType::kInterface || type.name == name;
}

}  // namespace codexmem::graph
