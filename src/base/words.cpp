// The readers are pull scanners over a table of byte classes: each byte is looked at once or twice,
// and a piece is lower-cased into a fixed buffer on the way.
//
// Pieces follow the regular expression
//   [A-Z]+(?=[A-Z][a-z]) | [A-Z]?[a-z]+[0-9]* | [A-Z]+[0-9]* | [0-9]+
// (leftmost, alternatives in this order), which comes down to: count the capitals; with two or more
// of them before a small letter the last one starts the next piece; with one, or none, before small
// letters these belong to it; digits end a piece that has letters.
//
// Stemming is what costs: libstemmer takes 115 ns a word. Words of source repeat, so each thread
// keeps the stems of recent short words in a direct-mapped cache, which answers 19 of 20 look-ups.
// Tested by tests/base/words_test.cpp.
#include "base/words.h"

#include <libstemmer.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

#include "base/result.h"

namespace codexmem {
namespace {

enum ByteClass : unsigned char { kOther, kLower, kUpper, kDigit, kJoin, kHigh };

constexpr std::array<ByteClass, 256> make_classes() {
  std::array<ByteClass, 256> classes{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (std::size_t c = 0x80; c <= 0xFF; ++c) classes[c] = kHigh;
  classes['_'] = classes['$'] = kJoin;
  return classes;
}
constexpr std::array<ByteClass, 256> kClasses = make_classes();

ByteClass class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// The length in bytes of the CJK character at `at`, or 0 when there is none. All of them take three
// or four bytes in UTF-8; overlong and cut sequences are none.
std::size_t cjk_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const std::uint32_t lead = byte(0);
  if ((lead & 0xF0U) == 0xE0U && tail(1) && tail(2)) {
    const std::uint32_t c = (lead & 0xFU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    return is_cjk(c) ? 3 : 0;
  }
  if (lead == 0xF0U && tail(1) && tail(2) && tail(3)) {
    const std::uint32_t c = (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU);
    return c >= 0x10000 && is_cjk(c) ? 4 : 0;
  }
  return 0;
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

  // Porter's stems are never longer than their words.
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

bool is_cjk(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3005 && c <= 0x3007) ||
         (c >= 0x3041 && c <= 0x3096) || (c >= 0x309D && c <= 0x309F) ||
         (c >= 0x30A1 && c <= 0x30FA) || (c >= 0x30FC && c <= 0x30FF) ||
         (c >= 0x3105 && c <= 0x318E) || (c >= 0x31A0 && c <= 0x31BF) ||
         (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xA960 && c <= 0xA97F) ||
         (c >= 0xAC00 && c <= 0xD7FB) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF66 && c <= 0xFFDC) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool WordReader::next(Word* word) {
  if (in_cjk_) return next_cjk(word);
  const std::size_t size = text_.size();
  bool starts_run = !in_run_;
  std::size_t at = position_;
  for (;; ++at) {
    if (at == size) {
      position_ = size;
      return false;
    }
    const ByteClass c = class_of(text_[at]);
    if (c == kLower || c == kUpper || c == kDigit) break;
    if (c == kHigh && cjk_length(text_, at) != 0) {
      position_ = cjk_begin_ = at;
      in_run_ = false;
      return next_cjk(word);
    }
  }

  const std::size_t begin = at;
  const auto skip = [&](ByteClass c) {
    while (at < size && class_of(text_[at]) == c) ++at;
  };
  const auto is_lower = [&](std::size_t i) { return i < size && class_of(text_[i]) == kLower; };
  skip(kUpper);
  if (at - begin >= 2 && is_lower(at)) {
    --at;  // the last capital starts the next piece
  } else {
    skip(kLower);
    skip(kDigit);
  }
  const std::size_t end = at;

  while (at < size && class_of(text_[at]) == kJoin) ++at;
  const ByteClass after = at < size ? class_of(text_[at]) : kOther;
  in_run_ = after == kLower || after == kUpper || after == kDigit;
  position_ = at;

  const std::size_t kept = std::min(end - begin, kMaxWordBytes);
  for (std::size_t i = 0; i < kept; ++i) {
    const char c = text_[begin + i];
    buffer_[i] = class_of(c) == kUpper ? static_cast<char>(c | 0x20) : c;
  }
  *word = {.text = {buffer_.data(), kept},
           .begin = static_cast<std::uint32_t>(begin),
           .end = static_cast<std::uint32_t>(end),
           .starts_run = starts_run,
           .ends_run = !in_run_};
  return true;
}

// Gives the pair of characters at cjk_begin_, or the only character of its run.
bool WordReader::next_cjk(Word* word) {
  const std::size_t first = cjk_begin_;
  const std::size_t second = first + cjk_length(text_, first);
  const std::size_t end = second + cjk_length(text_, second);
  *word = {.text = text_.substr(first, end - first),
           .begin = static_cast<std::uint32_t>(first),
           .end = static_cast<std::uint32_t>(end),
           .starts_run = true,
           .ends_run = true};
  position_ = end;
  cjk_begin_ = second;
  in_cjk_ = cjk_length(text_, end) != 0;
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
  }
  if (!(word.starts_run && word.ends_run)) {
    const std::size_t kept = std::min(word.text.size(), compound_.size() - compound_size_);
    std::memcpy(compound_.data() + compound_size_, word.text.data(), kept);
    compound_size_ += kept;
    if (word.ends_run) {
      run_end_ = word.end;
      compound_is_due_ = true;
    }
  }
  // Copied, so that f of for_each_term may stem words itself.
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
  if (compound.size() > kMaxWordBytes) compound.resize(kMaxWordBytes);
  return compound;
}

bool is_stop_word(std::string_view word) {
  return std::binary_search(std::begin(kStopWords), std::end(kStopWords), word);
}

}  // namespace codexmem
