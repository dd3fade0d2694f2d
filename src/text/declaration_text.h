// text/declaration_text.h - how the signature and the documentation of a declaration read.
//
// The index keeps where they stand in a file; these make of such a slice what people are shown.
// Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// A declaration without its body: white space folded, without the `{`, `:`, `=`, `;`, `,` or `=>`
/// that it ends with, at most 400 bytes.
std::string signature_text(std::string_view declaration);

/// What a comment, several right below each other, or a docstring literal, prefix and quotes
/// included, says: without its markers, the stars that line it, or the indentation that its lines
/// share (as PEP 257 has it); at most 2,000 bytes. Empty when `source` is neither.
std::string docstring_text(std::string_view source);

}  // namespace codexmem
