// Lines are found by binary search over their begins. A column counts UTF-16 code units from the
// line's begin, which for ASCII text is a subtraction. Other text has a stored count every
// kCheckpointBytes, so that positions in a line of a megabyte (minified code) cost no more than
// others.
#include "text/line_index.h"

#include <algorithm>

#include "base/text.h"

namespace codexmem {
namespace {

constexpr std::size_t kCheckpointBytes = 256;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
  begins_.push_back(0);
  unsigned char seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    seen |= static_cast<unsigned char>(text[i]);
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      begins_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
  if (seen < 0x80) return;
  std::size_t units = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    checkpoints_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(units)});
    std::size_t end = std::min(begin + kCheckpointBytes, text.size());
    // Do not cut a code point, which has at most three continuation bytes.
    for (int i = 0; i < 3 && end < text.size() && is_continuation(text[end]); ++i) ++end;
    units += utf16_length(text.substr(begin, end - begin));
    begin = end;
  }
}

std::size_t LineIndex::units_before(std::uint32_t offset) const {
  if (checkpoints_.empty()) return offset;
  const auto after = std::upper_bound(
      checkpoints_.begin(), checkpoints_.end(), offset,
      [](std::uint32_t at, const Checkpoint& checkpoint) { return at < checkpoint.offset; });
  const Checkpoint& from = *(after - 1);
  return from.units + utf16_length(text_.substr(from.offset, offset - from.offset));
}

std::uint32_t LineIndex::line_count() const {
  const bool ends_with_break = begins_.size() > 1 && begins_.back() == text_.size();
  return static_cast<std::uint32_t>(begins_.size() - (ends_with_break ? 1 : 0));
}

std::uint32_t LineIndex::line_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
  return static_cast<std::uint32_t>(after - begins_.begin());
}

Position LineIndex::position_of(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const std::uint32_t line = line_of(offset);
  const std::uint32_t begin = begins_[line - 1];
  const std::size_t units = units_before(offset) - units_before(begin);
  return {line, static_cast<std::uint32_t>(units + 1)};
}

std::uint32_t LineIndex::line_begin(std::uint32_t line) const {
  if (line == 0) return 0;
  return line <= begins_.size() ? begins_[line - 1] : static_cast<std::uint32_t>(text_.size());
}

std::string_view LineIndex::line_text(std::uint32_t line) const {
  const std::uint32_t begin = line_begin(line);
  std::string_view text = text_.substr(begin, line_begin(line + 1) - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace codexmem
