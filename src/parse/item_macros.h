// parse/item_macros.h - Rust's items among the tokens of a macro, as its grammar takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace codexmem::parse {

/// Rust `text` with spaces in place of `name! {` and its `}` where what stands between is items,
/// which the macro as a rule passes on (cfg_x!, pin_project!, thread_local!); nothing when there is
/// no such place. All offsets stay.
std::optional<std::string> open_item_macros(std::string_view text);

}  // namespace codexmem::parse
