// Tested by privacy/shown_code_test.cpp; mcp/masked_code_test.py asks every tool.
#include "privacy/shown_code.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "base/ascii.h"
#include "base/text.h"
#include "privacy/policy.h"

namespace codexmem::privacy {
namespace {

std::atomic<bool> masks_code = true;

// A name and its value are nearer to each other than this.
constexpr std::size_t kAround = 512;
constexpr std::size_t kMaxKeyBytes = std::size_t{64} << 10;  // of a key over many lines
constexpr std::size_t kKeyLine = 40;  // characters in a row that a line of a key has

// Whether `text` has a line as a key's block has.
bool has_key_line(std::string_view text) {
  std::size_t run = 0;
  for (const char c : text) {
    run = is_alnum(c) || c == '+' || c == '/' || c == '=' ? run + 1 : 0;
    if (run == kKeyLine) return true;
  }
  return false;
}

// Whether only the lines around may show that `line`, behind `before`, is secret: it is a value,
// the line before assigns, or it may be of a key. Others, nearly all of code, are read alone: an
// answer with 200 lines took 10 ms longer.
bool depends_on_others(std::string_view before, std::string_view line) {
  const std::string_view shown = trim(line), earlier = trim(before);
  const bool is_value = shown.find_first_of("\"'`") <= 2 || shown.find_first_of(" (") == shown.npos;
  const bool is_assigned =
      !earlier.empty() && std::string_view("=:>|-").find(earlier.back()) != earlier.npos;
  return is_value || is_assigned || has_key_line(line);
}

ByteRange range_of(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

// The lines of `text` that are read for the secrets in `range`.
ByteRange lines_around(std::string_view text, ByteRange range) {
  std::size_t begin = range.begin - std::min<std::size_t>(range.begin, kAround);
  const std::size_t end = std::min(text.size(), std::size_t{range.end} + kAround);
  const std::string_view shown = text.substr(range.begin, range.size());
  const std::string_view before = text.substr(begin, range.begin - begin);
  if (shown.find('\n') == std::string_view::npos && !depends_on_others(before, shown)) {
    return range_of(begin + before.rfind('\n') + 1, std::min(end, text.find('\n', range.end)));
  }
  if (const std::size_t line = text.find('\n', begin); begin > 0 && line < range.begin) {
    begin = line + 1;
  }
  return range_of(begin, end);
}

// `lines`, from the head of the key that they may belong to. The last line of a key may be short.
// As much is read as a key may have, so that its other lines are known afterwards.
ByteRange with_key(std::string_view text, ByteRange lines) {
  if (!has_key_line(text.substr(lines.begin, lines.size()))) return lines;
  const std::size_t from = lines.begin - std::min<std::size_t>(lines.begin, kMaxKeyBytes);
  const std::string_view before = text.substr(from, lines.begin - from);
  std::size_t head = before.size();
  for (const std::string_view word : {"---- BEGIN ", "-----BEGIN ", "Private-Lines:"}) {
    head = std::min(head, before.rfind(word));
  }
  if (head == before.size()) return lines;
  return range_of(from + head, std::max<std::size_t>(
                                   lines.end, std::min(text.size(), from + head + kMaxKeyBytes)));
}

// Overwrites `secret`, line by line.
void overwrite(std::string& shown, std::size_t begin, std::size_t end) {
  constexpr std::string_view kOpen = "[masked";
  while (begin < end) {
    const std::string_view left = std::string_view(shown).substr(begin, end - begin);
    const std::size_t stop = begin + std::min(left.size(), left.find_first_of("\r\n"));
    const std::size_t size = stop - begin;
    std::fill_n(shown.begin() + static_cast<std::ptrdiff_t>(begin), size, '*');
    if (size > kOpen.size()) {
      shown.replace(begin, kOpen.size(), kOpen);
      shown[stop - 1] = ']';
    } else if (size + 1 >= kOpen.size()) {
      shown.replace(begin, kOpen.size() - 1, kOpen.substr(1));
    }
    begin = stop;
    while (begin < end && (shown[begin] == '\r' || shown[begin] == '\n')) ++begin;
  }
}

ByteRange within(std::string_view text, ByteRange range) {
  const auto size = static_cast<std::uint32_t>(text.size());
  return {std::min(range.begin, size), std::min(range.end, size)};
}

}  // namespace

std::string ShownCode::part(ByteRange range) {
  range = within(text_, range);
  std::string shown(text_.substr(range.begin, range.size()));
  if (!masks_code || range.empty()) return shown;
  if (const ByteRange lines = lines_around(text_, range); !looked_at_.contains(lines)) {
    looked_at_ = with_key(text_, lines);
    secrets_.clear();
    const std::array<Field, 1> field = {{{"", text_.substr(looked_at_.begin, looked_at_.size())}}};
    for (const Finding& found : find_secrets(field)) {
      secrets_.push_back(range_of(looked_at_.begin + found.begin, looked_at_.begin + found.end));
    }
  }
  for (const ByteRange& secret : secrets_) {
    const std::uint32_t begin = std::max(secret.begin, range.begin);
    const std::uint32_t end = std::min(secret.end, range.end);
    if (begin < end) overwrite(shown, begin - range.begin, end - range.begin);
  }
  return shown;
}

std::string shown_code(std::string_view text, std::size_t max_bytes) {
  return shown_code(text, {0, static_cast<std::uint32_t>(utf8_prefix(text, max_bytes).size())});
}

std::string shown_replacement(std::string_view text, ByteRange range,
                              std::string_view replacement) {
  range = within(text, range);
  const std::size_t begin = range.begin - std::min<std::size_t>(range.begin, kAround);
  std::string around(text.substr(begin, range.begin - begin));
  const auto from = static_cast<std::uint32_t>(around.size());
  around += replacement;
  const auto to = static_cast<std::uint32_t>(around.size());
  around += text.substr(range.end, kAround);
  return shown_code(around, {from, to});
}

void mask_code(std::string& text, ByteRange range) {
  range = within(text, range);
  text.replace(range.begin, range.size(), shown_code(text, range));
}

void set_code_masking(bool is_masking) { masks_code = is_masking; }

}  // namespace codexmem::privacy
