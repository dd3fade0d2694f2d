// Types that are evaluated late: what a conditional type or T[K] is depends on type parameters. It
// is evaluated in its environment, when somebody asks for members, elements or a call.
#include <algorithm>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {

using parse::kNoIndex;
using parse::TermId;

// `values` with those types evaluated.
Entities Resolver::settle(const Entities& values) {
  if (!has_kind(values, EntityKind::kLate)) return values;
  Entities settled;
  for (const Entity& value : values) {
    if (value.kind == EntityKind::kLate) {
      add_results(settled, settled_late(value));
    } else {
      add(settled, value);
    }
  }
  return settled;
}

Entities Resolver::settled_late(const Entity& late) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const FileModel& file = *late.file;
  const parse::Term& term = file.facts.terms[late.index];
  if (term.kind == parse::TermKind::kConditional) return conditional(file, term, late.environment);
  const TermId whole = file.parts_of(term)[0];
  return looked_up(environments_.substitute(evaluate(file, whole), late.environment));
}

// A extends B ? C : D. Where A has what B infers, C; where it is certain that it has not, D; else
// either.
Entities Resolver::conditional(const FileModel& file, const parse::Term& term,
                               const Environment* environment) {
  const RecursionGuard guard(*this);
  if (guard.over_limit()) return {kUnknownEntity};
  const auto parts = file.parts_of(term);
  const auto part = [&](std::size_t i) {
    return parts[i] == kNoIndex
               ? Entities{}
               : settle(environments_.substitute(evaluate(file, parts[i]), environment));
  };
  const Entities checked = part(0);
  const Entities wanted = part(1);
  Environment inferred;
  if (is_generic(wanted)) unify(wanted, checked, inferred, true, 0);
  Entities found;
  const bool is_inferred = !inferred.bound.empty();
  const bool is_identified = !checked.empty() && std::ranges::all_of(checked, &is_known);
  if (is_inferred && environment != nullptr) {
    for (const auto& entry : environment->bound) {
      if (inferred.find(entry.first) == nullptr) inferred.bound.push_back(entry);
    }
    inferred.self = environment->self;
  }
  const bool is_instance_of =
      is_identified && wanted.size() == 1 && wanted[0].kind == EntityKind::kInstance &&
      std::ranges::all_of(checked, [&](const Entity& value) {
        return value.kind == EntityKind::kInstance && seen_as(value, wanted[0]);
      });
  if (is_inferred || is_instance_of) {
    const Environment* inside =
        is_inferred ? environments_.intern(std::move(inferred)) : environment;
    if (parts[2] == kNoIndex) return {kExternalEntity};
    return settle(environments_.substitute(evaluate(file, parts[2]), inside));
  }
  add_all(found, part(2));
  add_all(found, part(3));
  // Type parameters that should have been inferred, and were not.
  std::erase_if(found, [&](const Entity& entity) {
    return entity.kind == EntityKind::kTypeParameter && mentions(wanted, entity);
  });
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

// A[K] for types: what any member of `objects` may be.
Entities Resolver::looked_up(const Entities& objects) {
  constexpr std::size_t kMaxMembers = 64;
  Entities found;
  for (const Entity& object : settle(objects)) {
    if (object.kind == EntityKind::kObject) {
      const auto& keys = object.file->facts.objects[object.index].keys;
      if (keys.empty()) add_all(found, items_of({object}, kNoIndex));
      for (std::size_t i = 0; i < keys.size() && i < kMaxMembers; ++i) {
        if (keys[i].term == kNoIndex) continue;
        add_results(found, environments_.substitute(evaluate(*object.file, keys[i].term),
                                                    object.environment));
      }
    } else if (object.kind == EntityKind::kInstance && !is_of_library(object)) {
      const Environment* environment = member_environment(object, object);
      std::size_t count = 0;
      for (const std::uint32_t member : object.file->all_members(object.index)) {
        if (++count > kMaxMembers) break;
        add_results(found, value_of({EntityKind::kSymbol, object.file, member, environment}));
      }
      if (count == 0) add(found, kUnknownEntity);
    } else {
      add_all(found, items_of({object}, kNoIndex));
    }
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

}  // namespace codexmem::graph
