// The text is read in parts: stretches of ASCII unchanged, and runs that contain other letters,
// which are first folded (text/letters.h).
//
// Tested by tests/text/prose_test.cpp.
#include "text/prose.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/letters.h"

namespace codexmem {
namespace {

constexpr std::size_t kMaxRunBytes = 1024;  // of a folded run; longer ones are data

bool is_word_byte(char c) { return is_word_char(c) || c == '$'; }
bool is_high_byte(char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }

bool is_unspaced(std::uint32_t c) { return letter_kind(c) == LetterKind::kUnspaced; }

bool is_word_character(std::uint32_t c) {
  if (c < 0x80U) return is_word_byte(static_cast<char>(c));
  const LetterKind kind = letter_kind(c);
  return kind != LetterKind::kSeparator && kind != LetterKind::kPictograph;
}

bool is_english_ending(std::string_view word) {
  return word == "s" || word == "t" || word == "d" || word == "m" || word == "re" || word == "ll" ||
         word == "ve";
}

}  // namespace

bool ProseReader::next(Term* term) {
  for (;;) {
    if (ascii_.has_value()) {
      if (next_of_ascii(term)) return true;
      ascii_.reset();
    } else if (in_pairs_) {
      if (next_pair(term)) return true;
      in_pairs_ = false;
    } else if (piece_ < folded_.size()) {
      if (next_piece(term)) return true;
    } else if (!find_work()) {
      return false;
    }
  }
}

bool ProseReader::next_of_ascii(Term* term) {
  while (ascii_->next(term)) {
    if (ascii_is_folded_) {
      term->begin = static_cast<std::uint32_t>(begin_);
      term->end = static_cast<std::uint32_t>(end_);
    } else {
      term->begin += static_cast<std::uint32_t>(begin_);
      term->end += static_cast<std::uint32_t>(begin_);
    }
    if (term->is_compound || !is_english_ending(term->text) || !follows_apostrophe(term->begin)) {
      return true;
    }
  }
  return false;
}

bool ProseReader::follows_apostrophe(std::size_t begin) const {
  constexpr std::string_view kApostrophe = "\xE2\x80\x99";
  std::size_t before = begin;
  if (before >= 2 && text_[before - 1] == '\'') {
    before -= 1;
  } else if (before >= 4 && text_.substr(before - 3, 3) == kApostrophe) {
    before -= 3;
  } else {
    return false;
  }
  return is_word_byte(text_[before - 1]) || is_high_byte(text_[before - 1]);
}

// Returns overlapping pairs of the characters in [begin_, end_); a single character by itself.
bool ProseReader::next_pair(Term* term) {
  if (pair_ >= end_) return false;
  const std::size_t second = pair_ + read_character(text_, pair_).length;
  const std::size_t end = second < end_ ? second + read_character(text_, second).length : second;
  *term = {.text = text_.substr(pair_, end - pair_),
           .begin = static_cast<std::uint32_t>(pair_),
           .end = static_cast<std::uint32_t>(end),
           .is_compound = false};
  pair_ = end >= end_ ? end_ : second;
  return true;
}

// The parts of a folded run between `_` and `$`.
bool ProseReader::next_piece(Term* term) {
  while (piece_ < folded_.size() && (folded_[piece_] == '_' || folded_[piece_] == '$')) ++piece_;
  const std::size_t begin = piece_;
  while (piece_ < folded_.size() && folded_[piece_] != '_' && folded_[piece_] != '$') ++piece_;
  if (begin == piece_) return false;
  std::string_view text = std::string_view(folded_).substr(begin, piece_ - begin);
  if (text.size() > kMaxWordBytes) {
    std::size_t cut = kMaxWordBytes;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
    text = text.substr(0, cut);
  }
  *term = {.text = text,
           .begin = static_cast<std::uint32_t>(begin_),
           .end = static_cast<std::uint32_t>(end_),
           .is_compound = false};
  return true;
}

// Prepares the next part of the text; false at its end.
bool ProseReader::find_work() {
  if (position_ >= text_.size()) return false;
  const auto high = std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(position_),
                                 text_.end(), is_high_byte);
  std::size_t run = static_cast<std::size_t>(high - text_.begin());
  while (run > position_ && run < text_.size() && is_word_byte(text_[run - 1])) --run;
  if (run > position_) {
    begin_ = position_;
    end_ = position_ = run;
    ascii_is_folded_ = false;
    ascii_.emplace(text_.substr(begin_, end_ - begin_));
    return true;
  }
  read_run();
  return true;
}

void ProseReader::read_run() {
  folded_.clear();
  piece_ = 0;
  begin_ = position_;
  const Character first = read_character(text_, position_);
  const bool pairs = is_unspaced(first.code);
  bool is_ascii = true;
  while (position_ < text_.size()) {
    const Character c = read_character(text_, position_);
    if (!is_word_character(c.code) || is_unspaced(c.code) != pairs) break;
    position_ += c.length;
    if (pairs || folded_.size() >= kMaxRunBytes) continue;
    const std::size_t size = folded_.size();
    folded_ += fold_letter(c.code).text();
    is_ascii = is_ascii && (folded_.size() == size || !is_high_byte(folded_.back()));
  }
  end_ = position_;
  if (end_ == begin_) {
    position_ += first.length;  // a separator
  } else if (pairs) {
    in_pairs_ = true;
    pair_ = begin_;
  } else if (is_ascii) {
    piece_ = folded_.size();
    ascii_is_folded_ = true;
    ascii_.emplace(folded_);
  } else {
    for (char& c : folded_) c = to_lower(c);
  }
}

}  // namespace codexmem
