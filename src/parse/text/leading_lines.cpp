// Tested by parse/leading_lines_test.cpp.
#include "parse/text/leading_lines.h"

#include <string.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace codexmem::parse {
namespace {

constexpr std::array<std::string_view, 8> kMarks = {"//", "#", "--", ";;", "@", "[", "%", "'"};
// All known languages with block comments use these.
constexpr std::string_view kBegin = "/*", kEnd = "*/";
constexpr std::string_view kBlank = " \t\r\f\v";

constexpr std::size_t kMaxLines = 200;                        // a comment may be as long as a file
constexpr std::size_t kMaxBytesBack = std::size_t{16} << 10;  // to the begin of its block

// The place after the comment or decorator at the start of the line at `begin`; `begin` if the line
// starts with anything else.
std::size_t past_comment(std::string_view text, std::size_t begin) {
  const std::string_view rest = text.substr(begin);
  if (rest.starts_with(kBegin)) {
    const std::size_t end = rest.find(kEnd, kBegin.size());
    return end == std::string_view::npos ? text.size() : begin + end + kEnd.size();
  }
  const bool is_marked =
      std::ranges::any_of(kMarks, [&](std::string_view mark) { return rest.starts_with(mark); });
  return is_marked ? std::min(text.find('\n', begin), text.size()) : begin;
}

std::size_t last_star(std::string_view text) {
  const void* const found = text.empty() ? nullptr : ::memrchr(text.data(), '*', text.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// The begin of the block comment that contains `at`; otherwise `at`. A comment sign that does not
// begin its line, such as a glob in a string, does not count.
std::size_t begin_of_block(std::string_view text, std::size_t at) {
  const std::size_t from = at - std::min(at, kMaxBytesBack);
  const std::string_view before = text.substr(from, at - from);
  // Search by the star: the last of the two signs shows whether the block is open. This runs for
  // every chunk of a file, and memrchr() checks many bytes at once (rfind() took 2% of a full
  // index).
  for (std::size_t star = last_star(before); star != std::string_view::npos && star > 0;
       star = last_star(before.substr(0, star))) {
    if (star + 1 < before.size() && before[star + 1] == '/') return at;
    if (before[star - 1] != '/') continue;
    const std::size_t line = before.find_last_not_of(kBlank, star - 2);
    const bool begins_line =
        star == 1 || (line == std::string_view::npos ? from == 0 : before[line] == '\n');
    return begins_line ? from + star - 1 : at;
  }
  return at;
}

}  // namespace

bool has_block_comments(std::string_view text) { return text.find(kBegin) != text.npos; }

std::uint32_t skip_leading_lines(std::string_view text, std::uint32_t at, bool has_blocks) {
  if (at > text.size()) return at;  // possible with a damaged store
  const std::size_t from = at - std::min<std::size_t>(at, kMaxBytesBack);
  const std::size_t newline = text.substr(from, at - from).rfind('\n');
  if (newline == std::string_view::npos && from > 0) return at;  // in the middle of a line
  const std::size_t line = newline == std::string_view::npos ? 0 : from + newline + 1;
  std::size_t here = text.find_first_not_of(kBlank, line);
  if (here == std::string_view::npos) return at;
  if (has_blocks) here = begin_of_block(text, here);
  for (std::size_t lines = 0; lines < kMaxLines; ++lines) {
    const std::size_t past = past_comment(text, here);
    if (past == here) return lines == 0 ? at : static_cast<std::uint32_t>(here);
    here = text.find_first_not_of(kBlank, past);
    if (here == std::string_view::npos) return at;
    if (text[here] != '\n') continue;  // code after a block comment
    here = text.find_first_not_of(kBlank, here + 1);
    if (here == std::string_view::npos || text[here] == '\n') return at;
  }
  return at;
}

}  // namespace codexmem::parse
