// graph/nominal/overloads.h - which of several functions of a name a call means.
//
// Decided by the number of its arguments, then by their types as far as those are known: functions
// that take each argument as it is come before those that take some boxed, these before those of
// any number of arguments, and of what is left the one whose parameters are narrower (as chapter
// 15.12.2 of the Java Language Specification has it). What stays open stays in the answer. Shared
// by languages whose types are declared by name. Stateless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/core/entity.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// Those of several functions that the call at occurrence `index` may mean.
Entities fitting_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                      const Entities& found);

/// The constructors of class `type` that the call at occurrence `index` may mean.
Entities constructors_for(Resolver& resolver, const FileModel& file, std::uint32_t index,
                          const Entity& type);

/// True if functions `a` and `b` take the same, so that one overrides the other where it may.
bool take_the_same(Resolver& resolver, const Entity& a, const Entity& b);

/// The same by what is written alone.
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
