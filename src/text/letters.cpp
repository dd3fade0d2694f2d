// Tested by tests/base/letters_test.cpp.
#include "text/letters.h"

#include <algorithm>
#include <iterator>

namespace codexmem {
namespace {

void append(FoldedLetter* out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out->bytes[out->size++] = static_cast<char>(byte); };
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

// Signs that people write as words, and that some languages take as names.
constexpr Range kPictographs[] = {{0x231A, 0x231B},   {0x23E9, 0x23FA},  {0x2600, 0x27BF},
                                  {0x2B05, 0x2B07},   {0x2B1B, 0x2B1C},  {0x2B50, 0x2B55},
                                  {0x1F000, 0x1F3FA}, {0x1F400, 0x1FAFF}};

// The scripts of South-East Asia that are written without spaces, besides what is_cjk() knows.
constexpr Range kUnspacedRanges[] = {{0xE00, 0xEFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}};

// The blocks of Latin, Greek, Cyrillic, Armenian, Georgian and the like, beyond ASCII.
constexpr Range kCased[] = {
    {0x80, 0x58F},    {0x10A0, 0x10FF},   {0x13A0, 0x13FF},  {0x1C80, 0x1CBF}, {0x1D00, 0x1FFF},
    {0x2071, 0x2189}, {0x2C00, 0x2DFF},   {0xA640, 0xA7FF},  {0xAB30, 0xABBF}, {0xFB00, 0xFB17},
    {0xFF10, 0xFF5A}, {0x10400, 0x104FF}, {0x1D400, 0x1D7FF}};

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

// The letter without what is on it in the tables above, or '\0'.
char latin_letter(std::uint32_t c) {
  const auto at = [&](std::string_view table, std::uint32_t first) {
    const bool is_there = c >= first && c < first + table.size() && table[c - first] != '?';
    return is_there ? table[c - first] : '\0';
  };
  if (c < 0x180U) return at(kLatin1, 0xC0);
  return c < 0x1E00U ? at(kLatin2, 0x180) : at(kLatin3, 0x1E00);
}

// Letters that become two.
std::string_view latin_pair(std::uint32_t c) {
  switch (c) {
    case 0xDF:
    case 0x1E9E:
      return "ss";
    case 0xC6:
    case 0xE6:
      return "ae";
    case 0xDE:
    case 0xFE:
      return "th";
    case 0x152:
    case 0x153:
      return "oe";
    default:
      return "";
  }
}

// 10 for what is no digit.
std::uint32_t digit_value(std::uint32_t c) {
  for (const std::uint32_t zero : kZeros) {
    if (c >= zero && c <= zero + 9) return c - zero;
  }
  return 10;
}

bool is_upper_case(std::uint32_t c) {
  if (c == 0xC6 || c == 0xDE || c == 0x152 || c == 0x1E9E) return true;
  if (!latin_pair(c).empty()) return false;
  if (const char letter = latin_letter(c); letter != '\0') return letter <= 'Z';
  // Greek capitals with an accent become small letters at once.
  return (c >= 0xFF21 && c <= 0xFF3A) || (c >= 0x386 && c <= 0x38F && c != 0x387) ||
         lower_case(c) != c;
}

}  // namespace

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

LetterKind letter_kind(std::uint32_t c) {
  if (c < 0x80U) {
    if (c >= 'a' && c <= 'z') return LetterKind::kLower;
    if (c >= 'A' && c <= 'Z') return LetterKind::kUpper;
    return c >= '0' && c <= '9' ? LetterKind::kDigit : LetterKind::kSeparator;
  }
  if (is_in(kPictographs, c)) return LetterKind::kPictograph;
  if (is_in(kSeparators, c)) return LetterKind::kSeparator;
  if (is_in(kMarks, c)) return LetterKind::kMark;
  if (digit_value(c) < 10) return LetterKind::kDigit;
  if (is_in(kCased, c)) return is_upper_case(c) ? LetterKind::kUpper : LetterKind::kLower;
  return is_cjk(c) || is_in(kUnspacedRanges, c) ? LetterKind::kUnspaced : LetterKind::kCaseless;
}

FoldedLetter fold_letter(std::uint32_t c) {
  FoldedLetter folded;
  if (c < 0x80U) {
    append(&folded, c);
    return folded;
  }
  if (is_in(kMarks, c)) return folded;
  if (const std::string_view pair = latin_pair(c); !pair.empty()) {
    for (const char letter : pair) append(&folded, static_cast<unsigned char>(letter));
  } else if (const char letter = latin_letter(c); letter != '\0') {
    append(&folded, static_cast<unsigned char>(letter));
  } else if (c >= 0xFF21 && c <= 0xFF3A) {
    append(&folded, c - 0xFF21 + 'A');
  } else if (c >= 0xFF41 && c <= 0xFF5A) {
    append(&folded, c - 0xFF41 + 'a');
  } else if (const std::uint32_t digit = digit_value(c); digit < 10) {
    append(&folded, digit + '0');
  } else {
    c = lower_case(c);
    const Fold* const fold =
        std::lower_bound(std::begin(kFolds), std::end(kFolds), c,
                         [](const Fold& one, std::uint32_t value) { return one.from < value; });
    append(&folded, fold != std::end(kFolds) && fold->from == c ? fold->to : c);
  }
  return folded;
}

}  // namespace codexmem
