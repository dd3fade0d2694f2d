// text/declaration_text.h - formats the signature and the documentation of a declaration.
//
// The index stores their places in a file; these functions turn such a slice into text for display.
// Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// A declaration without its body: white space folded, without a final `{`, `:`, `=`, `;`, `,` or
/// `=>`, at most 400 bytes.
std::string signature_text(std::string_view declaration);

/// The text of a comment, of consecutive comments, or of a docstring literal with its prefix and
/// quotes: without markers, leading stars and common indentation (as in PEP 257); at most 2,000
/// bytes. Empty when `source` is neither.
std::string docstring_text(std::string_view source);

}  // namespace codexmem
