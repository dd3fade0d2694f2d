// graph/core/spellings.h - names derived from another name.
//
// A symbol may be used under a name derived from its own: getSize of size, Mark of MarkAttribute.
// The language lists these names (LanguageSemantics::implied_names); this file computes, from the
// letters alone, how one changes when the symbol is renamed. Stateless.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace codexmem::graph {

/// The new form of `spelled`, a name derived from `name`, when `name` becomes `new_name`: with
/// `name` as a part of it, as a part of `name`, with another first word, or in other signs between
/// its words (font-size of fontSize). Nothing when it is not made so, or cannot be made of
/// `new_name`.
std::optional<std::string> derived_spelling(std::string_view spelled, std::string_view name,
                                            std::string_view new_name);

/// True for a name that is derived from `name`.
inline bool is_made_of(std::string_view spelled, std::string_view name) {
  return spelled != name && derived_spelling(spelled, name, name).has_value();
}

}  // namespace codexmem::graph
