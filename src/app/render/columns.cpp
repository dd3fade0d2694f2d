// Tested by app/columns_test.cpp.
#include "app/render/columns.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text.h"

namespace codexmem::app {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kTab = 8;  // columns from stop to stop

struct Range {
  char32_t first, last;
};

// Source: the East Asian Width property (UAX #11), W and F, as whole blocks.
constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2614, 0x2615},
    {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},   {0x2753, 0x2755},
    {0x2B50, 0x2B50},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB},
    {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};
// Combining marks, joiners and variation selectors.
constexpr Range kZero[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},   {0x0900, 0x0902},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200C, 0x200D}, {0x20D0, 0x20FF},   {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
};
// What no line begins with.
constexpr std::u32string_view kClosing = U",.;:!?)]}、。，．・：；？！）］｝〕〉》」』】’”…ー々";

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t point) {
  const Range* const found =
      std::lower_bound(std::begin(ranges), std::end(ranges), point,
                       [](const Range& range, char32_t wanted) { return range.last < wanted; });
  return found != std::end(ranges) && found->first <= point;
}

// A code point of a text, with the marks that stand on it.
struct Cell {
  std::string_view bytes;
  char32_t point = 0;
  std::size_t columns = 0;
};

std::vector<Cell> cells_of(std::string_view text) {
  std::vector<Cell> cells;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = lead < 0xC0 ? lead : lead & (0xFFU >> (length + 1));
    if (!is_valid_utf8(text.substr(at, length))) {
      length = 1;
      point = 0xFFFD;
    }
    for (std::size_t i = 1; i < length; ++i) {
      point = (point << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3F);
    }
    if (is_in(kZero, point) && !cells.empty()) {
      Cell& before = cells.back();
      before.bytes = {before.bytes.data(), before.bytes.size() + length};
    } else {
      cells.push_back({text.substr(at, length), point, is_in(kWide, point) ? 2U : 1U});
    }
    at += length;
  }
  return cells;
}

std::string text_of(const Cell* begin, const Cell* end) {
  return begin == end
             ? std::string()
             : std::string(begin->bytes.data(), (end - 1)->bytes.data() + (end - 1)->bytes.size());
}

// The parts of a word between which a line may break.
std::vector<std::string_view> pieces_of(std::string_view word) {
  std::vector<std::string_view> pieces;
  const Cell* before = nullptr;
  const std::vector<Cell> cells = cells_of(word);
  for (const Cell& cell : cells) {
    const bool may_break = before != nullptr && (before->columns == 2 || cell.columns == 2) &&
                           kClosing.find(cell.point) == std::u32string_view::npos;
    if (before == nullptr || may_break) {
      pieces.push_back(cell.bytes);
    } else {
      pieces.back() = {pieces.back().data(), pieces.back().size() + cell.bytes.size()};
    }
    before = &cell;
  }
  if (pieces.empty()) pieces.emplace_back();
  return pieces;
}

}  // namespace

std::size_t column_count(std::string_view text) {
  std::size_t columns = 0;
  for (const Cell& cell : cells_of(text)) columns += cell.columns;
  return columns;
}

std::string cut(std::string_view text, std::size_t width) {
  const std::string line = fold_whitespace(text);
  const std::vector<Cell> cells = cells_of(line);
  std::size_t columns = 0;
  for (const Cell& cell : cells) columns += cell.columns;
  if (columns <= width) return line;
  if (width == 0) return "";
  const std::size_t room = width - 1;
  const bool is_path = line.find(" > ") != std::string::npos;
  const std::size_t head_room = is_path ? room / 3 : room;
  const Cell* head = cells.data();
  std::size_t used = 0;
  for (; used + head->columns <= head_room; ++head) used += head->columns;
  const Cell* const end = cells.data() + cells.size();
  const Cell* tail = end;
  if (is_path) {
    for (; used + (tail - 1)->columns <= room; --tail) used += (tail - 1)->columns;
  }
  return text_of(cells.data(), head) + std::string(kEllipsis) + text_of(tail, end);
}

std::string cut_code(std::string_view line, std::size_t start, std::size_t width) {
  std::string spaced;
  std::size_t columns = start;
  for (const Cell& cell : cells_of(line)) {
    const std::size_t more = cell.point == U'\t' ? kTab - columns % kTab : cell.columns;
    spaced += cell.point == U'\t' ? std::string(more, ' ') : std::string(cell.bytes);
    columns += more;
  }
  if (columns <= width) return std::string(line);
  const std::vector<Cell> cells = cells_of(spaced);
  const Cell* end = cells.data();
  for (columns = start; columns + end->columns < width; ++end) columns += end->columns;
  return text_of(cells.data(), end) + std::string(kEllipsis);
}

std::string padded(std::string_view text, std::size_t width) {
  std::string line = cut(text, width);
  const std::size_t columns = column_count(line);
  return line + std::string(width - std::min(width, columns), ' ');
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string before(indent, ' ');
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    std::string row;
    std::size_t columns = 0;
    for (const std::string_view word : split(line, ' ')) {
      bool is_first = true;
      for (const std::string_view piece : pieces_of(word)) {
        const std::size_t space = is_first && !row.empty() ? 1 : 0;
        const std::size_t more = column_count(piece);
        if (!row.empty() && indent + columns + space + more > width) {
          while (row.ends_with(' ')) row.pop_back();
          out += before + row + "\n";
          row.clear();
          columns = 0;
        } else if (space > 0) {
          row += ' ';
          ++columns;
        }
        row += piece;
        columns += more;
        is_first = false;
      }
    }
    while (row.ends_with(' ')) row.pop_back();
    out += row.empty() ? "\n" : before + row + "\n";
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace codexmem::app
