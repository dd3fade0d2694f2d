// index/decode.h - from the bytes of a file to text, and what kind of text it is.
//
// Pure functions, safe from many threads. Design: docs/design/index.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::index {

enum class TextEncoding : std::uint8_t { kUtf8, kUtf16LittleEndian, kUtf16BigEndian };

struct DecodedText {
  std::string
      text;  // valid UTF-8 without byte order mark and without NUL; line endings as they were
  TextEncoding encoding = TextEncoding::kUtf8;
  bool repaired = false;  // something was replaced by U+FFFD
};

/// The text that `bytes` hold; nothing when they are no text.
///
/// A byte order mark decides between UTF-8 and UTF-16; without one, bytes that alternate with NULs
/// are UTF-16. Otherwise a NUL in the first 8,000 bytes means binary, as git has it. What is not
/// valid becomes U+FFFD. UTF-32 counts as binary.
std::optional<DecodedText> decode_text(std::string bytes);

/// Why a text is worth symbols but no vectors; the words are shown to people.
///
/// "minified" (by name, or most of its bytes stand in very long lines of code), "lock file",
/// "generated" (by name, or by a marker in its first lines such as @generated or "DO NOT EDIT");
/// empty for text that people write. `is_prose` switches the test for long lines off.
std::string_view generated_kind(std::string_view path, std::string_view text, bool is_prose);

/// True for names whose extension belongs to pictures, archives, fonts, object files and the like,
/// which need not be read to know that they hold no text.
bool has_binary_extension(std::string_view path);

}  // namespace codexmem::index
