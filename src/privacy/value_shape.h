// privacy/value_shape.h - what the characters of a value look like: a word, a number, something
// random. Of ASCII; pure and thread-safe.
#pragma once

#include <cstddef>
#include <string_view>

namespace codexmem::privacy {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_letter(std::string_view value);
bool has_digit(std::string_view value);
std::size_t distinct_bytes(std::string_view text);

/// Shannon entropy of the bytes of `text`, in bits a byte.
double byte_entropy(std::string_view text);

/// Changes between letters and digits and from small to capital letters, a character.
double mixing(std::string_view value);

// ---- Names and notations

bool is_identifier(std::string_view text);

/// Letters, with '-', '_', '.' or spaces between and digits only at the end of a part.
bool is_words(std::string_view text);

/// npm:^1.2.3, >=2.0, v1.2.3-rc.1
bool is_version(std::string_view value);
bool is_number(std::string_view value);
/// 10px, 30s, 2.5rem, 16GB, v1.2.3, 2024-01-01T00:00:00Z
bool is_quantity(std::string_view value);

// ---- What names do not have

/// Digits between letters, as in s3cret.
bool is_leet(std::string_view text);

/// Marks that a password has and a name has not.
bool has_password_mark(std::string_view value);

/// Signs between single letters and digits, in quotes: only a password looks so.
bool is_signs_and_letters(std::string_view value);

/// Capital and small letters, a digit and a mark, and no query: Autumn2024*, in quotes.
bool is_of_every_kind(std::string_view value);

// ---- What words do not have

/// Sixteen letters or more in a row that are not words.
bool has_long_gibberish(std::string_view value);

/// The same of a value's letters, whatever is between them.
bool has_drawn_letters(std::string_view value);

/// Letters that no language puts in a row: six without a vowel, or pairs that words do not have.
bool is_unspeakable(std::string_view value);

bool is_random(std::string_view value);

/// Any word of a sentence that is random.
bool has_random_word(std::string_view value);

/// Words one after another that make no sentence, perhaps with a number: correct horse battery
/// staple, correct-horse-battery-staple-42.
bool is_passphrase(std::string_view value);

}  // namespace codexmem::privacy
