// The readers are pull scanners over a table of byte classes: each ASCII byte is read once or
// twice; a character beyond ASCII is decoded and classified (text/letters.h). A piece is
// lower-cased, and folded when it is not ASCII, into a fixed buffer.
//
// Pieces follow the regular expression
//   [A-Z]+(?=[A-Z][a-z]) | [A-Z]?[a-z]+[0-9]* | [A-Z]+[0-9]* | [0-9]+
// (leftmost, alternatives in this order), which is equivalent to: count the capitals; with two or
// more before a small letter, the last one starts the next piece; with one or none before small
// letters, they belong together; digits end a piece that has letters. A to z stand for the small
// and capital letters of any script; letters without case form pieces of their own, with following
// digits.
//
// Stemming is the main cost: libstemmer takes 115 ns per word. Words in source code repeat, so each
// thread keeps the stems of recent short words in a direct-mapped cache, which answers 19 of 20
// look-ups. Tested by tests/text/words_test.cpp.
#include "text/words.h"

#include <libstemmer.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

#include "text/letters.h"
#include "base/result.h"
#include "base/text.h"

namespace codexmem {
namespace {

// The class of an ASCII byte or a character beyond ASCII. kHigh is a byte of such a character.
enum CharacterClass : unsigned char {
  kOther,
  kLower,
  kUpper,
  kCaseless,
  kDigit,
  kJoin,
  kMark,
  kUnspaced,
  kPictograph,
  kHigh,
};

constexpr std::array<CharacterClass, 256> make_classes() {
  std::array<CharacterClass, 256> classes{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (std::size_t c = 0x80; c <= 0xFF; ++c) classes[c] = kHigh;
  classes['_'] = kJoin;
  return classes;
}
constexpr std::array<CharacterClass, 256> kClasses = make_classes();

CharacterClass class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

CharacterClass class_of(LetterKind kind) {
  switch (kind) {
    case LetterKind::kLower:
      return kLower;
    case LetterKind::kUpper:
      return kUpper;
    case LetterKind::kCaseless:
      return kCaseless;
    case LetterKind::kDigit:
      return kDigit;
    case LetterKind::kMark:
      return kMark;
    case LetterKind::kUnspaced:
      return kUnspaced;
    case LetterKind::kPictograph:
      return kPictograph;
    case LetterKind::kSeparator:
      break;
  }
  return kOther;
}

// The class and length of the character at `at`; kOther at the end of the text.
CharacterClass class_at(std::string_view text, std::size_t at, std::size_t* length) {
  *length = 1;
  if (at >= text.size()) return kOther;
  const CharacterClass c = class_of(text[at]);
  if (c != kHigh) return c;
  const Character wide = read_character(text, at);
  *length = wide.length;
  return class_of(letter_kind(wide.code));
}

bool is_of_word(CharacterClass c) { return c >= kLower && c <= kDigit; }

// The first byte from `at` on that is not of class `c`. Only ASCII has one before it is decoded.
std::size_t end_of_class(std::string_view text, std::size_t at, CharacterClass c) {
  while (at < text.size() && class_of(text[at]) == c) ++at;
  return at;
}

// The end of the piece that begins at `begin`, if that and what follows it are ASCII; else `begin`.
std::size_t end_of_ascii_piece(std::string_view text, std::size_t begin) {
  const std::size_t capitals = end_of_class(text, begin, kUpper);
  const std::size_t letters = end_of_class(text, capitals, kLower);
  if (letters > capitals && capitals >= begin + 2) return capitals - 1;  // the last starts the next
  const std::size_t end = end_of_class(text, letters, kDigit);
  return end < text.size() && class_of(text[end]) == kHigh ? begin : end;
}

// Puts `piece` into `*buffer` in lower case, folded; returns its length. Never cuts a character.
std::size_t fold_piece(std::string_view piece, std::array<char, kMaxWordBytes>* buffer) {
  std::size_t size = 0;
  for (std::size_t at = 0; at < piece.size();) {
    const Character c = read_character(piece, at);
    const FoldedLetter folded = fold_letter(c.code);
    if (size + folded.size > buffer->size()) break;
    for (const char byte : folded.text()) {
      (*buffer)[size++] = class_of(byte) == kUpper ? static_cast<char>(byte | 0x20) : byte;
    }
    at += c.length;
  }
  return size;
}

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

bool is_stemmed(std::string_view word) {
  return word.size() > 2 &&
         std::all_of(word.begin(), word.end(), [](char c) { return class_of(c) == kLower; });
}

// One thread's stemmer and its cache.
class Stemmer {
 public:
  Stemmer() : handle_(sb_stemmer_new("porter", "UTF_8")), slots_(kSlots) {
    CODEXMEM_CHECK(handle_ != nullptr);
  }

  // The stem of `word`; valid until the next call.
  std::string_view stem(std::string_view word) {
    if (!is_stemmed(word)) return word;
    if (word.size() > kSlotBytes) return compute(word);
    Slot& slot = slots_[hash(word) % kSlots];
    if (slot.word_size != word.size() || std::memcmp(slot.word, word.data(), word.size()) != 0) {
      const std::string_view stem = compute(word);
      slot.word_size = static_cast<unsigned char>(word.size());
      slot.stem_size = static_cast<unsigned char>(stem.size());
      std::memcpy(slot.word, word.data(), word.size());
      std::memcpy(slot.stem, stem.data(), stem.size());
    }
    return {slot.stem, slot.stem_size};
  }

 private:
  static constexpr std::size_t kSlots = 8192;  // 256 KiB a thread
  static constexpr std::size_t kSlotBytes = 15;
  struct Slot {
    unsigned char word_size = 0;
    unsigned char stem_size = 0;
    char word[kSlotBytes];
    char stem[kSlotBytes];
  };

  // FNV-1a, its high bits folded down.
  static std::size_t hash(std::string_view word) {
    std::uint64_t h = 0xCBF29CE484222325ULL;
    for (const char c : word) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }

  // Porter's stems are never longer than the word.
  std::string_view compute(std::string_view word) {
    const sb_symbol* result =
        sb_stemmer_stem(handle_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                        static_cast<int>(word.size()));
    if (result == nullptr) return word;  // out of memory
    const auto size = static_cast<std::size_t>(sb_stemmer_length(handle_.get()));
    return size == 0 ? word : std::string_view(reinterpret_cast<const char*>(result), size);
  }

  std::unique_ptr<sb_stemmer, StemmerDeleter> handle_;
  std::vector<Slot> slots_;
};

Stemmer& thread_stemmer() {
  thread_local Stemmer stemmer;
  return stemmer;
}

constexpr std::string_view kStopWords[] = {
    "a",     "an",    "and",  "are",   "as",   "at",    "be",     "between", "by",    "can",
    "could", "did",   "do",   "does",  "for",  "from",  "has",    "have",    "how",   "if",
    "in",    "into",  "is",   "it",    "its",  "not",   "of",     "on",      "or",    "should",
    "than",  "that",  "the",  "their", "then", "there", "these",  "this",    "those", "to",
    "use",   "used",  "uses", "using", "via",  "was",   "were",   "what",    "when",  "where",
    "which", "while", "who",  "why",   "will", "with",  "within", "would"};
static_assert(std::is_sorted(std::begin(kStopWords), std::end(kStopWords)));

}  // namespace

bool WordReader::next(Word* word) {
  if (in_pairs_) return next_pair(word);
  const std::size_t size = text_.size();
  const bool starts_run = !in_run_;
  std::size_t at = position_;
  std::size_t length = 1;
  for (;; at += length) {
    at = end_of_class(text_, at, kOther);
    if (at >= size) {
      position_ = size;
      return false;
    }
    const CharacterClass c = class_at(text_, at, &length);
    if (is_of_word(c)) break;
    if (c == kUnspaced || c == kPictograph) {
      position_ = pair_ = at;
      in_run_ = false;
      return next_pair(word);
    }
  }

  const std::size_t begin = at;
  std::size_t capital = at;  // the last one
  bool is_ascii = true;
  // Skips characters of class `c` and their marks; returns the number of the former.
  const auto skip = [&](CharacterClass c) {
    std::size_t count = 0;
    for (;; at += length) {
      const CharacterClass here = class_at(text_, at, &length);
      if (here == c) {
        ++count;
        capital = c == kUpper ? at : capital;
      } else if (here != kMark) {
        return count;
      }
      is_ascii = is_ascii && class_of(text_[at]) != kHigh;
    }
  };
  if (const std::size_t end = end_of_ascii_piece(text_, begin); end > begin) {
    at = end;
  } else if (skip(kCaseless) > 0) {
    skip(kDigit);
  } else if (skip(kUpper) >= 2 && class_at(text_, at, &length) == kLower) {
    at = capital;  // starts the next piece
  } else {
    skip(kLower);
    skip(kDigit);
  }
  const std::size_t end = at;

  at = end_of_class(text_, at, kJoin);
  in_run_ = is_of_word(class_at(text_, at, &length));
  position_ = at;

  std::size_t kept = std::min(end - begin, kMaxWordBytes);
  if (is_ascii) {
    for (std::size_t i = 0; i < kept; ++i) {
      const char c = text_[begin + i];
      buffer_[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
  } else {
    kept = fold_piece(text_.substr(begin, end - begin), &buffer_);
  }
  *word = {.text = {buffer_.data(), kept},
           .begin = static_cast<std::uint32_t>(begin),
           .end = static_cast<std::uint32_t>(end),
           .starts_run = starts_run,
           .ends_run = !in_run_};
  return true;
}

// Returns the pair of unspaced characters at pair_, or the only one of its run, or the pictograph.
bool WordReader::next_pair(Word* word) {
  std::size_t length = 1;
  const bool is_unspaced = class_at(text_, pair_, &length) == kUnspaced;
  const std::size_t second = pair_ + length;
  std::size_t end = second;
  if (is_unspaced && class_at(text_, second, &length) == kUnspaced) end += length;
  *word = {.text = text_.substr(pair_, end - pair_),
           .begin = static_cast<std::uint32_t>(pair_),
           .end = static_cast<std::uint32_t>(end),
           .starts_run = true,
           .ends_run = true};
  position_ = end;
  pair_ = second;
  in_pairs_ = end > second && class_at(text_, end, &length) == kUnspaced;
  return true;
}

bool TermReader::next(Term* term) {
  if (compound_is_due_) {
    compound_is_due_ = false;
    *term = {.text = {compound_.data(), compound_size_},
             .begin = run_begin_,
             .end = run_end_,
             .is_compound = true};
    return true;
  }
  Word word;
  if (!words_.next(&word)) return false;
  if (word.starts_run) {
    run_begin_ = word.begin;
    compound_[0] = '=';
    compound_size_ = 1;
    compound_is_full_ = false;
  }
  if (!(word.starts_run && word.ends_run)) {
    if (!compound_is_full_) {
      const auto kept = utf8_prefix(word.text, compound_.size() - compound_size_);
      std::memcpy(compound_.data() + compound_size_, kept.data(), kept.size());
      compound_size_ += kept.size();
      compound_is_full_ = kept.size() < word.text.size();
    }
    if (word.ends_run) {
      run_end_ = word.end;
      compound_is_due_ = true;
    }
  }
  // Copied, because f of for_each_term may stem words itself.
  const std::string_view stem = thread_stemmer().stem(word.text);
  std::memcpy(stem_.data(), stem.data(), stem.size());
  *term = {.text = {stem_.data(), stem.size()},
           .begin = word.begin,
           .end = word.end,
           .is_compound = false};
  return true;
}

std::string stem(std::string_view word) { return std::string(thread_stemmer().stem(word)); }

std::string compound_of(std::string_view first, std::string_view second) {
  std::string compound = "=";
  compound += first;
  compound += second;
  return std::string(utf8_prefix(compound, kMaxWordBytes));
}

bool is_stop_word(std::string_view word) {
  return std::binary_search(std::begin(kStopWords), std::end(kStopWords), word);
}

}  // namespace codexmem
