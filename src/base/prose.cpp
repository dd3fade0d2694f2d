// The text is read in parts: stretches of ASCII as they are, and runs of letters with others among
// them, folded first. Folding follows the decompositions and case of Unicode 15 for the scripts
// that have case, by ranges where they are regular; it is not complete for historic letters, which
// are then words as they stand.
//
// Tested by tests/base/prose_test.cpp.
#include "base/prose.h"

#include <algorithm>
#include <array>

namespace codexmem {
namespace {

constexpr std::size_t kMaxRunBytes = 1024;  // of a folded run; longer ones are data

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}
bool is_high(char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

// The character at `at`, which is there; ill-formed bytes are read one by one as U+FFFD.
Character read_character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80U) return {lead, 1};
  if (lead >= 0xC2U && lead <= 0xDFU && tail(1)) {
    return {(lead & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
  }
  if ((lead & 0xF0U) == 0xE0U && tail(1) && tail(2)) {
    const std::uint32_t c = (lead & 0xFU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    if (c >= 0x800U && (c < 0xD800U || c > 0xDFFFU)) return {c, 3};
  }
  if (lead >= 0xF0U && lead <= 0xF4U && tail(1) && tail(2) && tail(3)) {
    const std::uint32_t c = (lead & 0x7U) << 18U | (byte(1) & 0x3FU) << 12U |
                            (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU);
    if (c >= 0x10000U && c <= 0x10FFFFU) return {c, 4};
  }
  return {0xFFFDU, 1};
}

void append(std::string* out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (c < 0x80U) {
    put(c);
  } else if (c < 0x800U) {
    put(0xC0U | c >> 6U);
    put(0x80U | (c & 0x3FU));
  } else if (c < 0x10000U) {
    put(0xE0U | c >> 12U);
    put(0x80U | (c >> 6U & 0x3FU));
    put(0x80U | (c & 0x3FU));
  } else {
    put(0xF0U | c >> 18U);
    put(0x80U | (c >> 12U & 0x3FU));
    put(0x80U | (c >> 6U & 0x3FU));
    put(0x80U | (c & 0x3FU));
  }
}

struct Range {
  std::uint32_t first, last;
};

template <std::size_t n>
bool is_in(const Range (&ranges)[n], std::uint32_t c) {
  const Range* const after =
      std::upper_bound(std::begin(ranges), std::end(ranges), c,
                       [](std::uint32_t value, const Range& range) { return value < range.first; });
  return after != std::begin(ranges) && c <= (after - 1)->last;
}

// Beyond ASCII: what is no part of a word. Everything else is.
constexpr Range kSeparators[] = {
    {0x80, 0xA9},       {0xAB, 0xB1},     {0xB4, 0xB4},       {0xB6, 0xB8},
    {0xBB, 0xBF},       {0xD7, 0xD7},     {0xF7, 0xF7},       {0x2C2, 0x2DF},
    {0x37E, 0x37E},     {0x384, 0x385},   {0x387, 0x387},     {0x55A, 0x55F},
    {0x589, 0x58F},     {0x5BE, 0x5BE},   {0x5C0, 0x5C0},     {0x5C3, 0x5C3},
    {0x5C6, 0x5C6},     {0x5F3, 0x5F4},   {0x600, 0x60F},     {0x61B, 0x61F},
    {0x66A, 0x66D},     {0x6D4, 0x6D4},   {0x6DD, 0x6DE},     {0x6E9, 0x6E9},
    {0x964, 0x965},     {0x970, 0x970},   {0xDF4, 0xDF4},     {0xE3F, 0xE3F},
    {0xE4F, 0xE4F},     {0xE5A, 0xE5B},   {0xF01, 0xF17},     {0xF3A, 0xF3D},
    {0x104A, 0x104F},   {0x10FB, 0x10FB}, {0x1360, 0x1368},   {0x166D, 0x166E},
    {0x1680, 0x1680},   {0x17D4, 0x17DB}, {0x1800, 0x180A},   {0x2000, 0x206F},
    {0x207A, 0x207E},   {0x208A, 0x208E}, {0x20A0, 0x20CF},   {0x2190, 0x2BFF},
    {0x2E00, 0x2E7F},   {0x2FF0, 0x3004}, {0x3008, 0x3020},   {0x3030, 0x3030},
    {0x303D, 0x3040},   {0x3099, 0x309C}, {0x30A0, 0x30A0},   {0x30FB, 0x30FB},
    {0x3200, 0x33FF},   {0xD800, 0xF8FF}, {0xFD3E, 0xFD3F},   {0xFE00, 0xFE1F},
    {0xFE30, 0xFE6F},   {0xFEFF, 0xFF0F}, {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40},
    {0xFF5B, 0xFF65},   {0xFFE0, 0xFFFF}, {0x1D000, 0x1D1FF}, {0x1F000, 0x1FAFF},
    {0xE0000, 0x10FFFF}};

// Marks that stand on letters, and the stretched line between Arabic ones: left out.
constexpr Range kMarks[] = {{0x300, 0x36F},   {0x483, 0x487},  {0x591, 0x5BD},   {0x5BF, 0x5BF},
                            {0x5C1, 0x5C2},   {0x5C4, 0x5C5},  {0x5C7, 0x5C7},   {0x610, 0x61A},
                            {0x640, 0x640},   {0x64B, 0x65F},  {0x670, 0x670},   {0x6D6, 0x6DC},
                            {0x6DF, 0x6E8},   {0x6EA, 0x6ED},  {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                            {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};

// Written without spaces: what base/words.h pairs, and the scripts of South-East Asia.
constexpr Range kUnspaced[] = {{0xE00, 0xEFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}};
bool is_unspaced(std::uint32_t c) { return c >= 0xE00 && (is_cjk(c) || is_in(kUnspaced, c)); }

bool is_word_character(std::uint32_t c) {
  return c < 0x80U ? is_word_byte(static_cast<char>(c)) : !is_in(kSeparators, c);
}

// The Latin letters from U+00C0, U+0180 and U+1E00 on, without what is on them; ? stays.
constexpr std::string_view kLatin1 =
    "AAAAAAACEEEEIIIIDNOOOOO?OUUUUYTsaaaaaaaceeeeiiiidnooooo?ouuuuyty"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
    "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
constexpr std::string_view kLatin2 =
    "????????????????????????????????Oo?????????????Uu???????????????"
    "????DDdLLlNNnAaIiOoUuUuUuUuUu?AaAa????GgKkOoOo??jDDdGg??NnAa????"
    "AaAaEeEeIiIiOoOoRrRrUuUuSsTt??Hh??????AaEeOoOoOoOoYy????????????"
    "????????????????";
constexpr std::string_view kLatin3 =
    "AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMm"
    "MmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVv"
    "WwWwWwWwWwXxXxYyZzZzZzhtwyas??S?AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe"
    "EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy??????";

struct Fold {
  std::uint32_t from, to;
};
// Letters of other scripts that lose what is on them, or are written in two ways.
constexpr Fold kFolds[] = {
    {0x386, 0x3B1}, {0x388, 0x3B5}, {0x389, 0x3B7}, {0x38A, 0x3B9}, {0x38C, 0x3BF}, {0x38E, 0x3C5},
    {0x38F, 0x3C9}, {0x390, 0x3B9}, {0x3AA, 0x3B9}, {0x3AB, 0x3C5}, {0x3AC, 0x3B1}, {0x3AD, 0x3B5},
    {0x3AE, 0x3B7}, {0x3AF, 0x3B9}, {0x3B0, 0x3C5}, {0x3C2, 0x3C3}, {0x3CA, 0x3B9}, {0x3CB, 0x3C5},
    {0x3CC, 0x3BF}, {0x3CD, 0x3C5}, {0x3CE, 0x3C9}, {0x439, 0x438}, {0x450, 0x435}, {0x451, 0x435},
    {0x453, 0x433}, {0x457, 0x456}, {0x45C, 0x43A}, {0x45D, 0x438}, {0x45E, 0x443}, {0x4C0, 0x4CF},
    {0x622, 0x627}, {0x623, 0x627}, {0x624, 0x648}, {0x625, 0x627}, {0x626, 0x64A}, {0x649, 0x64A},
    {0x671, 0x627}, {0x6A9, 0x643}, {0x6CC, 0x64A}};

std::uint32_t lower_case(std::uint32_t c) {
  const auto pairs = [&](std::uint32_t first, std::uint32_t last) {
    return c >= first && c <= last && (c & 1U) == (first & 1U);
  };
  if ((c >= 0x391 && c <= 0x3AB) || (c >= 0x410 && c <= 0x42F)) return c + 0x20;
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  if (c >= 0x531 && c <= 0x556) return c + 0x30;
  if (c >= 0x1C90 && c <= 0x1CBF) return c - 0xBC0;  // Georgian
  if (pairs(0x3D8, 0x3EE) || pairs(0x460, 0x480) || pairs(0x48A, 0x4BE) || pairs(0x4C1, 0x4CD) ||
      pairs(0x4D0, 0x52E)) {
    return c + 1;
  }
  return c;
}

// The first digits of the scripts whose ten digits follow each other.
constexpr std::uint32_t kZeros[] = {0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6,
                                    0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xFF10};

void append_folded(std::string* out, std::uint32_t c) {
  const auto latin = [&](std::string_view table, std::uint32_t first) {
    if (c < first || c >= first + table.size() || table[c - first] == '?') return false;
    out->push_back(table[c - first]);
    return true;
  };
  if (c < 0x80U) return append(out, c);
  if (is_in(kMarks, c)) return;
  switch (c) {
    case 0xDF:
    case 0x1E9E:
      *out += "ss";
      return;
    case 0xC6:
    case 0xE6:
      *out += "ae";
      return;
    case 0xDE:
    case 0xFE:
      *out += "th";
      return;
    case 0x152:
    case 0x153:
      *out += "oe";
      return;
    default:
      break;
  }
  if (latin(kLatin1, 0xC0) || latin(kLatin2, 0x180) || latin(kLatin3, 0x1E00)) return;
  if (c >= 0xFF21 && c <= 0xFF3A) return append(out, c - 0xFF21 + 'A');
  if (c >= 0xFF41 && c <= 0xFF5A) return append(out, c - 0xFF41 + 'a');
  for (const std::uint32_t zero : kZeros) {
    if (c >= zero && c <= zero + 9) return append(out, c - zero + '0');
  }
  c = lower_case(c);
  const Fold* const fold =
      std::lower_bound(std::begin(kFolds), std::end(kFolds), c,
                       [](const Fold& one, std::uint32_t value) { return one.from < value; });
  append(out, fold != std::end(kFolds) && fold->from == c ? fold->to : c);
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
  return is_word_byte(text_[before - 1]) || is_high(text_[before - 1]);
}

// Overlapping pairs of the characters in [begin_, end_); the only one of a run by itself.
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
  const auto high =
      std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(position_), text_.end(), is_high);
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
    append_folded(&folded_, c.code);
    is_ascii = is_ascii && (folded_.size() == size || !is_high(folded_.back()));
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
    for (char& c : folded_) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
  }
}

}  // namespace codexmem
