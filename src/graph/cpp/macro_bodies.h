// graph/cpp/macro_bodies.h - the code behind the call of a macro: TEST_CASE_METHOD(Fixture, "x") {
// }.
//
// Such a macro makes a method of a class that extends one of its arguments, or of one that it
// declares itself. What it expands to is not parsed; its body is read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/core/resolver.h"

namespace codexmem::graph {

/// The occurrences of a macro's name and of the names in its arguments.
struct MacroHeader {
  std::uint32_t macro = 0;
  std::uint32_t first = 0, end = 0;  // of the arguments
};

/// The call of a macro whose body holds `offset`; nothing for other code.
std::optional<MacroHeader> macro_header(Resolver& resolver, const FileModel& file,
                                        std::uint32_t offset);

/// The classes that the arguments name.
Entities classes_of_header(Resolver& resolver, const FileModel& file, const MacroHeader& header);

/// The value of the variable `name` that the macro, or one that it calls, declares: `T name;`.
/// Empty without one.
Entities declared_by_macro(Resolver& resolver, const FileModel& file, const MacroHeader& header,
                           std::string_view name);

/// True for a function named by the argument of a macro: TEST(name) { }.
bool is_named_by_argument(Resolver& resolver, const Entity& entity);

}  // namespace codexmem::graph
