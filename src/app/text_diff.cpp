// The longest common subsequence of the lines between what both texts begin and end with, by the
// table of Wagner and Fischer (1974), then hunks: runs of changes whose contexts touch are one
// hunk.
#include "app/text_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace codexmem::app {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMaxCells = std::size_t{1} << 24;

struct DiffLine {
  char sign;  // ' ', '-' or '+'
  std::string_view text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// The lines of `a` and `b` between what both begin and end with, in the order of a diff.
void diff_middle(std::span<const std::string_view> a, std::span<const std::string_view> b,
                 std::vector<DiffLine>& script) {
  if (a.size() * b.size() > kMaxCells) {
    for (const std::string_view line : a) script.push_back({'-', line});
    for (const std::string_view line : b) script.push_back({'+', line});
    return;
  }
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> common((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i * width + j] =
          a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                       : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      script.push_back({' ', a[i]});
      ++i, ++j;
    } else if (j == b.size() ||
               (i < a.size() && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      script.push_back({'-', a[i++]});
    } else {
      script.push_back({'+', b[j++]});
    }
  }
}

std::vector<DiffLine> edit_script(std::string_view before, std::string_view after) {
  const auto a = lines_of(before), b = lines_of(after);
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<DiffLine> script;
  for (std::size_t i = 0; i < head; ++i) script.push_back({' ', a[i]});
  diff_middle(std::span(a).subspan(head, a.size() - head - tail),
              std::span(b).subspan(head, b.size() - head - tail), script);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) script.push_back({' ', a[i]});
  return script;
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         bool created) {
  if (before == after && !created) return {};
  const std::vector<DiffLine> script = edit_script(before, after);
  std::string out = created ? "--- /dev/null\n" : fmt::format("--- a/{}\n", name);
  out += fmt::format("+++ b/{}\n", name);
  std::size_t old_line = 1, new_line = 1;  // of script[at]
  for (std::size_t at = 0; at < script.size();) {
    if (script[at].sign == ' ') {
      ++at, ++old_line, ++new_line;
      continue;
    }
    // A hunk goes on while the next change is at most two contexts away.
    std::size_t end = at, quiet = 0;
    for (std::size_t next = at; next < script.size() && quiet <= 2 * kContext; ++next) {
      quiet = script[next].sign == ' ' ? quiet + 1 : 0;
      if (quiet == 0) end = next + 1;
    }
    const std::size_t lead = std::min(kContext, at);
    std::size_t begin = at;
    while (begin > at - lead && script[begin - 1].sign == ' ') --begin;
    const std::size_t shown_end = std::min(end + kContext, script.size());
    std::size_t old_count = 0, new_count = 0;
    std::string body;
    for (std::size_t k = begin; k < shown_end; ++k) {
      old_count += script[k].sign != '+' ? 1 : 0;
      new_count += script[k].sign != '-' ? 1 : 0;
      body += script[k].sign;
      body += script[k].text;
      if (!script[k].text.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    const std::size_t old_begin = old_line - (at - begin), new_begin = new_line - (at - begin);
    out += fmt::format("@@ -{},{} +{},{} @@\n{}", old_count == 0 ? old_begin - 1 : old_begin,
                       old_count, new_count == 0 ? new_begin - 1 : new_begin, new_count, body);
    for (; at < end; ++at) {
      old_line += script[at].sign != '+' ? 1 : 0;
      new_line += script[at].sign != '-' ? 1 : 0;
    }
  }
  return out;
}

}  // namespace codexmem::app
