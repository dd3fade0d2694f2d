// parse/preprocess/macro_declarations.h - classifies macro arguments: ASSIGN(const auto x, f()); or
// others.
//
// Internal to parse.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace codexmem::parse {

/// The offsets of the arguments of `ASSIGN(const auto x, f(), more);`. They are read as `const auto
/// x = f();`, which is how such a macro expands.
struct DeclaringCall {
  std::size_t comma = 0;  // after the declaration
  std::size_t end = 0;    // of the value
  std::size_t close = 0;  // of )
};

/// The call whose `(` is at `open`, if its first argument is a type and a name, it has a second
/// argument, and a `;` follows it. Reads a bounded part of the text.
std::optional<DeclaringCall> read_declaring_call(std::string_view text, std::size_t open);

inline constexpr std::size_t kMaxArgumentBytes = 400;

/// The arguments of a macro's call.
struct MacroArguments {
  std::size_t close = 0;    // the offset of )
  bool may_be_type = true;  // they may be a type
};

/// The arguments whose `(` is at `open`; nothing if they are too long or cannot be a declaration's.
std::optional<MacroArguments> read_macro_arguments(std::string_view text, std::size_t open);

/// True for `a<b>::c{}` at `at`, after `typename`: the grammar knows it only without that word.
bool makes_value(std::string_view text, std::size_t at);

/// The offset of the `)` of a macro after a declarator, `int x GUARDED_BY(mutex);`, whose `(` is at
/// `open`; nothing if that parenthesis begins a function's parameters.
std::optional<std::size_t> end_of_attribute(std::string_view text, std::size_t open);

}  // namespace codexmem::parse
