// parse/macros.h - C and C++ as their grammars take them: without macros that say nothing to a
// reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"

namespace codexmem::parse {

/// A text of the same length, in which some macros are spaces.
struct BlankedText {
  std::string text;
  std::vector<ByteRange> blanked;  // in order
};

/// C or C++ `text` with spaces in place of macros that decorate declarations or stand alone:
///
///     API_EXPORT int f(void);   class API_EXPORT A {   BEGIN_NAMESPACE   DEPRECATED("x") void g();
///
/// The grammars know no macros: they take such a name for the type, and the rest for an error or,
/// without one, for something else. Names in capitals alone are blanked, where the words around
/// them are enough for a declaration; nothing when there is no such place. A macro that is called
/// as one of a template's parameters is made a parameter whose default is the argument, and
/// `ASSIGN(const auto x, f());` the declaration `const auto x = f();`; directives
/// among arguments are blanked, and of a declaration with #else in its head the second variant. All
/// offsets stay. Time and memory grow with the text alone.
std::optional<BlankedText> blank_macros(std::string_view text);

}  // namespace codexmem::parse
