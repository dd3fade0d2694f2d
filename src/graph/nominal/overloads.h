// graph/nominal/overloads.h - overload resolution: which of several functions a call means.
//
// Decided by the number of arguments, then by their types as far as they are known: functions that
// take each argument as it is come before functions that take some boxed, these before functions
// with any number of arguments; of the rest, the one with the narrower parameters is taken (Java
// Language Specification, chapter 15.12.2). Candidates that cannot be excluded stay in the answer.
// Shared by languages with named types. Stateless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The functions of `found` that the call at occurrence `index` may mean.
Entities fitting_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                      const Entities& found);

/// The constructors of class `type` that the call at occurrence `index` may mean.
Entities constructors_for(Resolver& resolver, const FileModel& file, std::uint32_t index,
                          const Entity& type);

/// True if functions `a` and `b` take the same, so that one overrides the other where it may.
bool take_the_same(Resolver& resolver, const Entity& a, const Entity& b);

/// The same, judged by the spelling only.
bool may_take_the_same(const Entity& a, const Entity& b);

/// True if what functions `a` and `b` take is written differently, where no type parameters are.
bool differ_as_written(const Entity& a, const Entity& b);

/// False if values `given` in `file` are known not to be taken where `wanted` are.
bool may_be_given(Resolver& resolver, const FileModel& file, const Entities& given,
                  const Entities& wanted);

/// False if `value`, a function that something holds, is known not to take what the call at
/// occurrence `index` passes.
bool may_take_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                   const Entity& value);

/// False if `function` is known not to take that number of arguments.
bool takes_so_many(const Entity& function, std::size_t arguments);

/// How many arguments the call at occurrence `index` passes; nothing where that is not known.
std::optional<std::size_t> arguments_at(const FileModel& file, std::uint32_t index);

/// The primitive type, by number, that `value` is of or holds.
std::optional<std::size_t> unboxed(const FileModel& file, const Entity& value);

}  // namespace codexmem::graph
