// Tested by privacy/plain_text_test.cpp.
#include "privacy/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "text/letters.h"
#include "base/ascii.h"

namespace codexmem::privacy {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

std::uint32_t hex_value(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    value = value * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

// The hexadecimal number of `count` digits at `at`, or kNone.
std::uint32_t read_hex(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return kNone;
  const std::string_view digits = text.substr(at, count);
  return std::ranges::all_of(digits, is_hex_digit) ? hex_value(digits) : kNone;
}

// Runs of forms of ASCII that Unicode does not call so: the `count` characters from `first` stand
// for those from `ascii`.
struct Forms {
  std::uint32_t first, count;
  char ascii;
};
constexpr Forms kForms[] = {
    {0x249C, 26, 'a'}, {0x1F130, 26, 'A'}, {0x1F150, 26, 'A'}, {0x1F170, 26, 'A'}};

// Single characters.
struct Form {
  std::uint32_t point;
  std::string_view ascii;
};
constexpr Form kSingle[] = {
    {0x1680, " "}, {0x2028, "\n"}, {0x2029, "\n"}, {0x85, "\n"},   {0x2010, "-"},  {0x2011, "-"},
    {0x2012, "-"}, {0x2013, "-"},  {0x2212, "-"},  {0xFE58, "-"},  {0x2018, "'"},  {0x2019, "'"},
    {0x201A, "'"}, {0x201B, "'"},  {0x201C, "\""}, {0x201D, "\""}, {0x201E, "\""}, {0x201F, "\""},
    {0xAB, "\""},  {0xBB, "\""},   {0x300C, "\""}, {0x300D, "\""}, {0x300E, "\""}, {0x300F, "\""},
    {0x2236, ":"}, {0x2044, "/"},  {0x2215, "/"}};

// True when `point` is a form of ASCII or is not seen; `*ascii` is its character.
bool fold(std::uint32_t point, std::string* ascii) {
  ascii->clear();
  if (point < 0x80 || point == kNone) return false;
  if (is_unseen(point)) return true;
  for (const Forms& forms : kForms) {
    if (point < forms.first || point >= forms.first + forms.count) continue;
    *ascii = static_cast<char>(static_cast<std::uint32_t>(forms.ascii) + point - forms.first);
    return true;
  }
  for (const Form& form : kSingle) {
    if (form.point != point) continue;
    *ascii = form.ascii;
    return true;
  }
  *ascii = ascii_form(point).text();
  return !ascii->empty();
}

// The length of the escape at `at`, which begins with a backslash, and what it stands for; 0 when
// it is none. Of several backslashes the last counts: JSON within JSON doubles them.
std::size_t read_backslash(std::string_view text, std::size_t at, std::uint32_t* point) {
  std::size_t i = at;
  while (i < text.size() && text[i] == '\\') ++i;
  if (i == text.size()) return 0;
  switch (text[i]) {
    case 'n':
    case 'r':
      *point = '\n';
      return i + 1 - at;
    case 't':
      *point = '\t';
      return i + 1 - at;
    case '/':
    case '"':
    case '\'':
    case '`':
    case '=':
    case ':':
    case '&':
      *point = static_cast<std::uint32_t>(text[i]);
      return i + 1 - at;
    case 'x':
      *point = read_hex(text, i + 1, 2);
      return *point == kNone || *point > 0x7E || *point < 0x20 ? 0 : i + 3 - at;
    case 'u': {
      if (i + 1 < text.size() && text[i + 1] == '{') {
        const std::size_t close = text.substr(0, std::min(text.size(), i + 9)).find('}', i + 2);
        if (close == std::string_view::npos || close == i + 2) return 0;
        *point = read_hex(text, i + 2, close - i - 2);
        return *point == kNone || *point > 0x10FFFF ? 0 : close + 1 - at;
      }
      *point = read_hex(text, i + 1, 4);
      if (*point == kNone) return 0;
      if (*point < 0xD800 || *point > 0xDFFF) return i + 5 - at;
      std::size_t low_at = i + 5;
      while (low_at < text.size() && text[low_at] == '\\') ++low_at;
      if (low_at == i + 5 || low_at == text.size() || text[low_at] != 'u') return 0;
      const std::uint32_t low = read_hex(text, low_at + 1, 4);
      if (*point > 0xDBFF || low == kNone || low < 0xDC00 || low > 0xDFFF) return 0;
      *point = 0x10000 + ((*point - 0xD800) << 10) + (low - 0xDC00);
      return low_at + 5 - at;
    }
    default:
      return 0;
  }
}

std::size_t read_entity(std::string_view text, std::size_t at, std::uint32_t* point) {
  const std::string_view rest = text.substr(at, 12);
  const std::size_t end = rest.find(';');
  if (end == std::string_view::npos || end < 2) return 0;
  const std::string_view name = rest.substr(1, end - 1);
  if (name[0] == '#') {
    const bool is_hexadecimal = name.size() > 1 && (name[1] | 0x20) == 'x';
    const std::string_view digits = name.substr(is_hexadecimal ? 2 : 1);
    if (digits.empty() || digits.size() > 6) return 0;
    if (is_hexadecimal) {
      *point = read_hex(digits, 0, digits.size());
    } else {
      *point = 0;
      for (const char c : digits) {
        if (!is_digit(c)) return 0;
        *point = *point * 10 + static_cast<std::uint32_t>(c - '0');
      }
    }
    return *point == kNone || *point == 0 || *point > 0x10FFFF ? 0 : end + 1;
  }
  struct Entity {
    std::string_view name;
    char stands_for;
  };
  static constexpr Entity kEntities[] = {{"amp", '&'},    {"lt", '<'},     {"gt", '>'},
                                         {"quot", '"'},   {"apos", '\''},  {"nbsp", ' '},
                                         {"colon", ':'},  {"equals", '='}, {"sol", '/'},
                                         {"commat", '@'}, {"lowbar", '_'}, {"plus", '+'}};
  for (const Entity& entity : kEntities) {
    if (entity.name != name) continue;
    *point = static_cast<std::uint32_t>(entity.stands_for);
    return end + 1;
  }
  return 0;
}

}  // namespace

void PlainText::copy(std::size_t begin, std::size_t end) {
  if (begin == end) return;
  segments_.push_back({plain_.size(), begin, true});
  plain_ += original_.substr(begin, end - begin);
}

void PlainText::add(std::size_t at, std::string_view made) {
  is_same_ = false;
  // Dropped bytes belong to no character: the next segment begins after them.
  if (!made.empty()) segments_.push_back({plain_.size(), at, false});
  plain_ += made;
}

PlainText::PlainText(std::string_view original, Undo undo) : original_(original) {
  const bool escapes = undo == Undo::kFormsAndEscapes;
  std::array<bool, 256> stops{};
  for (std::size_t byte = 0x80; byte < 256; ++byte) stops[byte] = true;
  for (const char c : std::string_view("\\%&")) stops[static_cast<unsigned char>(c)] = escapes;

  std::string made;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < original.size();) {
    if (!stops[static_cast<unsigned char>(original[i])]) {
      ++i;
      continue;
    }
    std::uint32_t point = kNone;
    std::size_t length = 0;
    std::size_t skip = 1;
    bool is_escape = true;
    switch (original[i]) {
      case '\\':
        length = read_backslash(original, i, &point);
        // A run of backslashes that is no escape is read once.
        while (length == 0 && i + skip < original.size() && original[i + skip] == '\\') ++skip;
        break;
      case '%':
        point = read_hex(original, i + 1, 2);
        length = point == '\n' || (point >= 0x20 && point <= 0x7E) ? 3 : 0;
        break;
      case '&':
        length = read_entity(original, i, &point);
        break;
      default: {
        is_escape = false;
        const Character c = read_character(original, i);
        point = c.code;
        length = c.length;
      }
    }
    const bool folded = length > 0 && fold(point, &made);
    if (!folded && is_escape && length > 0) append_utf8(point, &made);
    if (!folded && (!is_escape || length == 0)) {
      i += is_escape ? skip : length;
      continue;
    }
    if (is_same_) plain_.reserve(original.size());
    copy(copied, i);
    add(i, made);
    i += length;
    copied = i;
  }
  if (!is_same_) copy(copied, original.size());
}

const PlainText::Segment& PlainText::segment_at(std::size_t plain) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), plain,
                       [](std::size_t at, const Segment& segment) { return at < segment.plain; });
  return *(after - 1);
}

std::size_t PlainText::original_end(const Segment& segment) const {
  const Segment* next = &segment + 1;
  return next == segments_.data() + segments_.size() ? original_.size() : next->original;
}

TextSpan PlainText::original(TextSpan span) const {
  if (is_same_ || span.begin >= span.end) return is_same_ ? span : TextSpan{};
  const Segment& first = segment_at(span.begin);
  const Segment& last = segment_at(span.end - 1);
  return {first.is_copy ? first.original + (span.begin - first.plain) : first.original,
          last.is_copy ? last.original + (span.end - last.plain) : original_end(last)};
}

}  // namespace codexmem::privacy
