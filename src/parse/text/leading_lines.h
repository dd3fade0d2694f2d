// parse/text/leading_lines.h - the lines before a definition that belong to it: its comment,
// decorators, attributes. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace codexmem::parse {

/// If byte `at` of `text` is in a comment or decorator, the begin of the code after it: the first
/// byte, white space aside, of the next line that is neither. Returns `at` when its own line is
/// neither, or when a blank line or the end of the text comes first. Lines are recognised by their
/// beginning, in any language: `//`, `#`, `--`, `;;`, `@`, `[`, or within a block comment.
/// `has_blocks`: what has_block_comments() says of the text, where many places of it are asked for.
std::uint32_t skip_leading_lines(std::string_view text, std::uint32_t at, bool has_blocks = true);
bool has_block_comments(std::string_view text);

}  // namespace codexmem::parse
