// Classes, case and decompositions come from utf8proc; this file adds rules for search.
//
// Tested by text/letters_test.cpp.
#include "text/letters.h"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.h"

namespace codexmem {
namespace {

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

// Signs that are used like words, and that some languages accept as names.
constexpr Range kPictographs[] = {{0x231A, 0x231B},   {0x23E9, 0x23FA},  {0x2600, 0x27BF},
                                  {0x2B05, 0x2B07},   {0x2B1B, 0x2B1C},  {0x2B50, 0x2B55},
                                  {0x1F000, 0x1F3FA}, {0x1F400, 0x1FAFF}};

// Scripts of South-East Asia written without spaces, in addition to is_cjk().
constexpr Range kUnspacedRanges[] = {{0xE00, 0xEFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}};

constexpr auto kCompatible = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);

// Letters that become others, in addition to decomposition and case.
struct Fold {
  std::uint32_t from;
  const char* to;
};
constexpr Fold kFolds[] = {
    {0xC6, "ae"},      {0xD0, "D"},       {0xD8, "O"},       {0xDE, "th"},      {0xDF, "ss"},
    {0xE6, "ae"},      {0xF0, "d"},       {0xF8, "o"},       {0xFE, "th"},      {0x110, "D"},
    {0x111, "d"},      {0x126, "H"},      {0x127, "h"},      {0x131, "i"},      {0x132, "I"},
    {0x133, "i"},      {0x138, "k"},      {0x13F, "L"},      {0x140, "l"},      {0x141, "L"},
    {0x142, "l"},      {0x149, "n"},      {0x14A, "N"},      {0x14B, "n"},      {0x152, "oe"},
    {0x153, "oe"},     {0x166, "T"},      {0x167, "t"},      {0x17F, "s"},      {0x1C4, "D"},
    {0x1C5, "D"},      {0x1C6, "d"},      {0x1C7, "L"},      {0x1C8, "L"},      {0x1C9, "l"},
    {0x1CA, "N"},      {0x1CB, "N"},      {0x1CC, "n"},      {0x1F1, "D"},      {0x1F2, "D"},
    {0x1F3, "d"},      {0x3C2, "\u03C3"}, {0x649, "\u064A"}, {0x671, "\u0627"}, {0x6A9, "\u0643"},
    {0x6CC, "\u064A"}, {0x1E9A, "a"},     {0x1E9B, "s"},     {0x1E9E, "ss"},
};

const utf8proc_property_t& property_of(std::uint32_t c) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}

const Fold* find_fold(std::uint32_t c) {
  const Fold* const fold = std::ranges::lower_bound(kFolds, c, {}, &Fold::from);
  return fold != std::end(kFolds) && fold->from == c ? fold : nullptr;
}

// A mark without which a letter can be read, or the stretched line between Arabic letters. Vowel
// signs of Indic scripts do not count.
bool is_mark(std::uint32_t c, const utf8proc_property_t& property) {
  if (c == 0x640 || c == 0x6E5 || c == 0x6E6) return true;
  if (property.category == UTF8PROC_CATEGORY_ME) return true;
  // Overlays, the points of Hebrew, Arabic and Syriac, and marks above and below letters.
  const int place = property.combining_class;
  return property.category == UTF8PROC_CATEGORY_MN &&
         (place == 1 || (place >= 10 && place <= 36) || place >= 200);
}

// The ten digits of a script have consecutive codes.
std::uint32_t digit_value(std::uint32_t c) {
  std::uint32_t before = 0;
  while (property_of(c - before - 1).category == UTF8PROC_CATEGORY_ND) ++before;
  return before % 10;
}

// `c` without its marks; `c` itself when more than marks would be removed.
std::uint32_t base_letter(std::uint32_t c) {
  utf8proc_int32_t parts[8];
  int boundary = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(c), parts, std::ssize(parts), UTF8PROC_DECOMPOSE, &boundary);
  if (count < 1 || count > std::ssize(parts)) return c;
  const bool is_marked = std::all_of(parts + 1, parts + count, [](utf8proc_int32_t part) {
    const auto mark = static_cast<std::uint32_t>(part);
    return is_mark(mark, property_of(mark));
  });
  return is_marked ? static_cast<std::uint32_t>(parts[0]) : c;
}

}  // namespace

Character read_character(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80U) return {lead, 1};
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                       static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  if (length <= 0) return {0xFFFDU, 1};
  return {static_cast<std::uint32_t>(code), static_cast<std::size_t>(length)};
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
    const char ascii = static_cast<char>(c);
    if (is_letter(ascii)) return is_lower(ascii) ? LetterKind::kLower : LetterKind::kUpper;
    return is_digit(ascii) ? LetterKind::kDigit : LetterKind::kSeparator;
  }
  if (is_in(kPictographs, c)) return LetterKind::kPictograph;
  const utf8proc_property_t& property = property_of(c);
  if (property.ignorable) return LetterKind::kSeparator;
  const bool is_unspaced = is_cjk(c) || is_in(kUnspacedRanges, c);
  if (!is_unspaced && is_mark(c, property)) return LetterKind::kMark;
  const LetterKind caseless = is_unspaced ? LetterKind::kUnspaced : LetterKind::kCaseless;
  // A raised or lowered sign, such as the 2 in square metres, counts as a small letter.
  const bool is_raised = property.decomp_type == UTF8PROC_DECOMP_TYPE_SUPER ||
                         property.decomp_type == UTF8PROC_DECOMP_TYPE_SUB;
  switch (property.category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      // The palochka has this form within words as well.
      return c == 0x4C0 ? LetterKind::kLower : LetterKind::kUpper;
    case UTF8PROC_CATEGORY_LL:
      return LetterKind::kLower;
    case UTF8PROC_CATEGORY_LM:
      return is_raised || c < 0x600 ? LetterKind::kLower : caseless;
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return is_raised ? LetterKind::kLower : caseless;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
      return c == 0x3099 || c == 0x309A ? LetterKind::kSeparator : caseless;
    case UTF8PROC_CATEGORY_ND:
      return is_unspaced ? caseless : LetterKind::kDigit;
    case UTF8PROC_CATEGORY_NO:
      if (is_raised) return LetterKind::kLower;
      return property.decomp_type == 0 ? caseless : LetterKind::kSeparator;
    default:
      return LetterKind::kSeparator;
  }
}

FoldedLetter fold_letter(std::uint32_t c) {
  FoldedLetter folded;
  const auto put = [&](std::uint32_t letter) {
    folded.size = static_cast<std::size_t>(
        utf8proc_encode_char(static_cast<utf8proc_int32_t>(letter),
                             reinterpret_cast<utf8proc_uint8_t*>(folded.bytes.data())));
    return folded;
  };
  if (c < 0x80U) return put(c);
  if (const Fold* const fold = find_fold(c)) {
    const std::string_view to = fold->to;
    std::ranges::copy(to, folded.bytes.begin());
    folded.size = to.size();
    return folded;
  }
  switch (letter_kind(c)) {
    case LetterKind::kMark:
      return folded;
    case LetterKind::kDigit:
      return put(digit_value(c) + '0');
    case LetterKind::kUnspaced:
      return put(c);
    default:
      break;
  }
  if (c >= 0xFF21 && c <= 0xFF5A) c -= 0xFF21 - 'A';  // full width
  c = base_letter(c);
  if (c < 0x80U) return put(c);
  const auto lower = static_cast<std::uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
  return put(lower);
}

FoldedLetter ascii_form(std::uint32_t c) {
  FoldedLetter form;
  utf8proc_int32_t parts[8];
  int boundary = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts,
                                                         std::ssize(parts), kCompatible, &boundary);
  const bool is_ligature = c >= 0xFB00 && c <= 0xFB06;
  if (c < 0x80U || count < 1 || count > (is_ligature ? 3 : 1)) return form;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    if (parts[i] >= 0x80) return {};
    form.bytes[form.size++] = static_cast<char>(parts[i]);
  }
  return form;
}

bool is_unseen(std::uint32_t c) {
  return property_of(c).ignorable || (c >= 0xE0000 && c <= 0xE0FFF);  // some of these are not yet
                                                                      // assigned
}

}  // namespace codexmem
