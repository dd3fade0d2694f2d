// index/discovery/decode.h - decodes the bytes of a file to text, and classifies the text.
//
// Pure functions, safe from many threads. Design: docs/how-it-works.md, "Index".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::index {

enum class TextEncoding : std::uint8_t { kUtf8, kUtf16LittleEndian, kUtf16BigEndian };

struct DecodedText {
  std::string text;  // valid UTF-8 without byte order mark and NUL; line endings unchanged
  TextEncoding encoding = TextEncoding::kUtf8;
  bool repaired = false;  // some bytes were replaced by U+FFFD
};

/// The text in `bytes`; nothing if they are not text.
///
/// A byte order mark decides between UTF-8 and UTF-16; without one, bytes that alternate with NULs
/// are UTF-16. Otherwise a NUL in the first 8,000 bytes means binary, as in git. Invalid sequences
/// become U+FFFD. UTF-32 counts as binary.
std::optional<DecodedText> decode_text(std::string bytes);

/// Why a text gets symbols but no vectors; the words are shown to users.
///
/// "minified" (by name, or because most of its bytes are in very long lines of code), "lock file",
/// "generated" (by name, or by a marker in its first lines such as @generated or "DO NOT EDIT");
/// empty for handwritten text. `is_prose` disables the test for long lines.
std::string_view generated_kind(std::string_view path, std::string_view text, bool is_prose);

/// True for names with the extension of pictures, archives, fonts, object files and similar files,
/// which contain no text and need not be read.
bool has_binary_extension(std::string_view path);

}  // namespace codexmem::index
