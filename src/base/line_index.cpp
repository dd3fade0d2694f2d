#include "base/line_index.h"

#include <algorithm>

#include "base/text.h"

namespace codexmem {

LineIndex::LineIndex(std::string_view text) : text_(text) {
  begins_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      begins_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
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
  const std::size_t units = utf16_length(text_.substr(begin, offset - begin));
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
