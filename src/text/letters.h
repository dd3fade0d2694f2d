// text/letters.h - the characters of any script as parts of words: what they are, and folded.
//
// Classes, case and decompositions are those of Unicode 15 (utf8proc); letters such as ø, which
// have no decomposition, have a table. Pure and thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace codexmem {

/// What a character is to a word.
enum class LetterKind : unsigned char {
  kSeparator,  // no part of a word
  kLower,
  kUpper,
  kCaseless,    // a letter of a script without case: Arabic, Hebrew, Devanagari
  kUnspaced,    // of a script that is written without spaces: is_cjk(), Thai, Lao, Burmese, Khmer
  kDigit,       // of any script
  kMark,        // stands on the letter before it and counts nothing
  kPictograph,  // an emoji or another sign that is a word by itself
};

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes, at least 1
};

/// The character of `text` at byte `at`, which is there. Ill-formed UTF-8 is read byte by byte as
/// U+FFFD, a separator.
Character read_character(std::string_view text, std::size_t at);

/// `_` and `$` are separators here: names have rules of their own.
LetterKind letter_kind(std::uint32_t code);

/// A character in UTF-8: one letter, two (ae), or none.
struct FoldedLetter {
  std::array<char, 4> bytes{};
  std::size_t size = 0;
  std::string_view text() const { return {bytes.data(), size}; }
};

/// `code` without case and diacritics: ё is е, ى is ي, ß is ss, a mark is nothing. Full-width
/// letters and the digits of other scripts become ASCII. Letters that become ASCII keep their case.
FoldedLetter fold_letter(std::uint32_t code);

/// The ASCII that Unicode says `code` is a form of: full width, circled, raised, mathematical, a
/// ligature of Latin. Empty when it is none.
FoldedLetter ascii_form(std::uint32_t code);

/// True for characters that are not seen: joiners, marks of direction, variation selectors.
bool is_unseen(std::uint32_t code);

/// True for Han, kana, bopomofo and Hangul (Unicode 15).
bool is_cjk(std::uint32_t code_point);

}  // namespace codexmem
