// Tested by search/leading_lines_test.cpp.
#include "search/leading_lines.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace codexmem::search {
namespace {

constexpr std::array<std::string_view, 8> kMarks = {"//", "#", "--", ";;", "@", "[", "%", "'"};
struct Block {
  std::string_view begin, end;
};
constexpr std::array<Block, 4> kBlocks = {
    {{"/*", "*/"}, {"<!--", "-->"}, {"(*", "*)"}, {"{-", "-}"}}};

constexpr std::size_t kMostLines = 200;  // a comment may be as long as a file

// The byte past the comment or decorator that the line at `begin` starts with; `begin` when it is
// something else.
std::size_t past_comment(std::string_view text, std::size_t begin) {
  const std::string_view rest = text.substr(begin);
  for (const Block& block : kBlocks) {
    if (!rest.starts_with(block.begin)) continue;
    const std::size_t end = rest.find(block.end, block.begin.size());
    return end == std::string_view::npos ? text.size() : begin + end + block.end.size();
  }
  const bool is_marked =
      std::ranges::any_of(kMarks, [&](std::string_view mark) { return rest.starts_with(mark); });
  return is_marked ? std::min(text.find('\n', begin), text.size()) : begin;
}

// The begin of the block comment that `at` lies in, or `at`.
std::size_t begin_of_block(std::string_view text, std::size_t at) {
  for (const Block& block : kBlocks) {
    const std::size_t begin = at == 0 ? std::string_view::npos : text.rfind(block.begin, at - 1);
    if (begin == std::string_view::npos) continue;
    const std::size_t end = text.find(block.end, begin + block.begin.size());
    if (end != std::string_view::npos && end + block.end.size() > at) return begin;
  }
  return at;
}

}  // namespace

std::uint32_t skip_leading_lines(std::string_view text, std::uint32_t at) {
  constexpr std::string_view kBlank = " \t\r\f\v";
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  std::size_t here = text.find_first_not_of(kBlank, line);
  if (here == std::string_view::npos) return at;
  here = begin_of_block(text, here);
  for (std::size_t lines = 0; lines < kMostLines; ++lines) {
    const std::size_t past = past_comment(text, here);
    if (past == here) return lines == 0 ? at : static_cast<std::uint32_t>(here);
    here = text.find_first_not_of(kBlank, past);
    if (here == std::string_view::npos) return at;
    if (text[here] != '\n') continue;  // code behind a block comment
    here = text.find_first_not_of(kBlank, here + 1);
    if (here == std::string_view::npos || text[here] == '\n') return at;
  }
  return at;
}

}  // namespace codexmem::search
