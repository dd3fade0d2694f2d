// parse/preprocess/item_macros.h - exposes Rust items inside a macro to the grammar.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::parse {

/// In Rust `text`, replaces `name! {` with `name!{}` and blanks its `}` if it contains items, which
/// such macros usually pass through (cfg_x!, pin_project!, thread_local!); likewise for
/// `name!(item);`. Returns nothing if the text has no such place. All offsets stay the same.
std::optional<std::string> open_item_macros(std::string_view text);

/// The place after white space at `at`; the end of the text if nothing else follows.
std::size_t skip_space(std::string_view text, std::size_t at);

/// The place after the Rust comment, string or character at `at`; `at` itself if none begins there.
std::size_t behind_opaque(std::string_view text, std::size_t at);

}  // namespace codexmem::parse
