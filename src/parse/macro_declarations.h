// parse/macro_declarations.h - macros that are given a declaration: ASSIGN(const auto x, f());
//
// Internal to parse.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace codexmem::parse {

/// The arguments of `ASSIGN(const auto x, f(), more);` by their offsets. They are read as
/// `const auto x = f();`, which is what such a macro makes of them.
struct DeclaringCall {
  std::size_t comma = 0;  // behind the declaration
  std::size_t end = 0;    // of the value
  std::size_t close = 0;  // of )
};

/// The call whose `(` is at `open`, if its first argument is a type and a name, it has a second,
/// and a `;` follows it. Looks at a bounded part of the text.
std::optional<DeclaringCall> read_declaring_call(std::string_view text, std::size_t open);

}  // namespace codexmem::parse
