// parse/leading_lines.h - the lines before a definition that belong to it: its comment,
// decorators, attributes. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace codexmem::parse {

/// Where the code begins that the comment or decorator around byte `at` of `text` stands before:
/// the first byte, white space aside, of the first line from there on that is neither; `at` when
/// its own line is neither, or a blank line or the end comes first. Lines are told by how they
/// begin, in any language: `//`, `#`, `--`, `;;`, `@`, `[`, or within a block comment.
std::uint32_t skip_leading_lines(std::string_view text, std::uint32_t at);

}  // namespace codexmem::parse
