// text/letters.h - classifies and folds characters of any script as parts of words.
//
// Classes, case and decompositions follow Unicode 15 (utf8proc); letters such as ø, which have no
// decomposition, have a table. Pure and thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace codexmem {

/// The role of a character in a word.
enum class LetterKind : unsigned char {
  kSeparator,  // not part of a word
  kLower,
  kUpper,
  kCaseless,    // a letter of a script without case: Arabic, Hebrew, Devanagari
  kUnspaced,    // of a script written without spaces: is_cjk(), Thai, Lao, Burmese, Khmer
  kDigit,       // of any script
  kMark,        // belongs to the letter before it and does not count
  kPictograph,  // an emoji or another sign that is a word by itself
};

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes, at least 1
};

/// The character of `text` at byte `at`, which must exist. Ill-formed UTF-8 is read byte by byte as
/// U+FFFD, a separator.
Character read_character(std::string_view text, std::size_t at);

/// `_` and `$` are separators here, because names have their own rules.
LetterKind letter_kind(std::uint32_t code);

/// The UTF-8 of a character: one letter, two (ae), or empty.
struct FoldedLetter {
  std::array<char, 4> bytes{};
  std::size_t size = 0;
  std::string_view text() const { return {bytes.data(), size}; }
};

/// `code` without case and diacritics: ё is е, ى is ي, ß is ss, a mark is empty. Full-width letters
/// and the digits of other scripts become ASCII. Letters that become ASCII keep their case.
FoldedLetter fold_letter(std::uint32_t code);

/// The ASCII text of which Unicode calls `code` a form: full width, circled, raised, mathematical,
/// a Latin ligature. Empty if it is not one.
FoldedLetter ascii_form(std::uint32_t code);

/// True for invisible characters: joiners, direction marks, variation selectors.
bool is_unseen(std::uint32_t code);

/// True for Han, kana, bopomofo and Hangul (Unicode 15).
bool is_cjk(std::uint32_t code_point);

}  // namespace codexmem
