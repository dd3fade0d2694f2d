// parse/preprocess/macros.h - adapts C and C++ for their grammars by blanking decorative macros.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"

namespace codexmem::parse {

/// A text of the same length in which some macros are replaced by spaces.
struct BlankedText {
  std::string text;
  std::vector<ByteRange> blanked;  // in order
};

/// C or C++ `text` with macros blanked that decorate declarations or are on their own:
///
///     API_EXPORT int f(void);   class API_EXPORT A {   BEGIN_NAMESPACE   DEPRECATED("x") void g();
///
/// The grammars do not know macros: they take such a name for the type, and the rest for an error
/// or for something else. Only names in capitals are blanked, and only if the remaining words make
/// a declaration. A macro call among a template's parameters becomes a parameter whose default is
/// the argument, and `ASSIGN(const auto x, f());` becomes the declaration `const auto x = f();`.
/// Qt's words are blanked (`emit`, `slots`) or become `public` (`signals`).
/// Directives among arguments are blanked, and so is the second variant of a declaration with #else
/// in its head. Returns nothing if the text has no such place. All offsets stay the same. Time and
/// memory grow with the text only.
std::optional<BlankedText> blank_macros(std::string_view text);

}  // namespace codexmem::parse
