// parse/walk/missing_sign.h - signs that a text lacks: a bracket or a name that the grammar wants.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parse/rules/languages.h"

namespace codexmem::parse {

/// The offset of the first sign that the parser had to add to read `text`. Nothing if it added
/// none, or did not understand a part: FileFacts::unparsed lists these.
std::optional<std::uint32_t> find_missing_sign(const Language& language, std::string_view text);

}  // namespace codexmem::parse
