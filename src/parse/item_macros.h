// parse/item_macros.h - Rust's items among the tokens of a macro, as its grammar takes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::parse {

/// Rust `text` with `name!{}` and spaces in place of `name! {` and its `}` where what stands
/// between is items, which the macro as a rule passes on (cfg_x!, pin_project!, thread_local!); the
/// same of `name!(item);`. Nothing when there is no such place. All offsets stay.
std::optional<std::string> open_item_macros(std::string_view text);

/// Behind white space at `at`; the end of the text if nothing else follows.
std::size_t skip_space(std::string_view text, std::size_t at);

/// Behind the comment, string or character of Rust at `at`; `at` itself where there is none.
std::size_t behind_opaque(std::string_view text, std::size_t at);

}  // namespace codexmem::parse
