// A range is alternatives of conditions that all must hold. A condition is an operator and a
// version whose last parts may be missing or wild; each becomes a lower and an upper bound.
// Tested by graph/across_test.cpp.
#include "graph/across/version_range.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kParts = 4;
constexpr std::size_t kLongestRange = 1000;  // bytes; a longer one is not read

struct Release {
  std::array<std::uint32_t, kParts> parts{};
  std::size_t given = 0;  // parts that are written and not wild
  std::string before;     // the pre-release label: "rc.1"
  bool is_wild = false;   // ends with ".x" or ".*"
};

std::optional<Release> read_release(std::string_view text) {
  Release release;
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  text = text.substr(0, text.find('+'));
  while (true) {
    if (!text.empty() && (text.front() == '*' || to_lower(text.front()) == 'x')) {
      release.is_wild = true;
      text.remove_prefix(1);
      if (text.starts_with(".")) {  // 1.x.x
        text.remove_prefix(1);
        continue;
      }
      break;
    }
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!release.is_wild && release.given < kParts) release.parts[release.given++] = number;
    if (text.size() < 2 || text.front() != '.') break;
    if (!is_digit(text[1]) && text[1] != '*' && to_lower(text[1]) != 'x') break;
    text.remove_prefix(1);
  }
  if (!text.empty()) {
    const std::string word = to_lower_ascii(text.substr(text.find_first_not_of("-._")));
    const bool is_release = word.starts_with("final") || word.starts_with("release") ||
                            word.starts_with("jre") || word.starts_with("android") ||
                            word.starts_with("post");
    if (!is_release) release.before = word;
  }
  return release;
}

// Parts of "rc.1" one after the other, numbers as numbers.
int compare_words(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view x = a.substr(0, a.find('.'));
    const std::string_view y = b.substr(0, b.find('.'));
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    const bool are_numbers =
        std::from_chars(x.data(), x.data() + x.size(), left).ptr == x.data() + x.size() &&
        std::from_chars(y.data(), y.data() + y.size(), right).ptr == y.data() + y.size();
    if (are_numbers && left != right) return left < right ? -1 : 1;
    if (!are_numbers && x != y) return x < y ? -1 : 1;
    a.remove_prefix(std::min(a.size(), x.size() + 1));
    b.remove_prefix(std::min(b.size(), y.size() + 1));
  }
  return a.empty() ? (b.empty() ? 0 : -1) : 1;
}

int compare_releases(const Release& a, const Release& b) {
  if (a.parts != b.parts) return a.parts < b.parts ? -1 : 1;
  if (a.before.empty() || b.before.empty()) {
    return a.before.empty() ? (b.before.empty() ? 0 : 1) : -1;
  }
  return compare_words(a.before, b.before);
}

// The first release in which part `part` is greater.
Release next_release(const Release& release, std::size_t part) {
  Release next;
  std::copy_n(release.parts.begin(), part + 1, next.parts.begin());
  ++next.parts[part];
  return next;
}

bool is_below_bound(const Release& version, const Release& bound) {
  return version.parts < bound.parts;  // a pre-release of the bound is not below it
}

bool in_caret(const Release& version, const Release& of) {
  if (of.given == 0) return true;
  std::size_t part = 0;
  while (part + 1 < of.given && part < 2 && of.parts[part] == 0) ++part;
  return compare_releases(version, of) >= 0 && is_below_bound(version, next_release(of, part));
}

bool begins_with_parts(const Release& version, const Release& of) {
  return std::equal(of.parts.begin(), of.parts.begin() + static_cast<std::ptrdiff_t>(of.given),
                    version.parts.begin());
}

bool condition_holds(Ecosystem ecosystem, std::string_view op, const Release& version,
                     const Release& of) {
  if (op == "^") return in_caret(version, of);
  if (op == "~" || op == "~>" || op == "~=") {
    if (of.given == 0) return true;
    const bool is_short = op == "~" && ecosystem != Ecosystem::kComposer;
    const std::size_t part =
        is_short ? std::min<std::size_t>(of.given - 1, 1) : (of.given > 1 ? of.given - 2 : 0);
    return compare_releases(version, of) >= 0 && is_below_bound(version, next_release(of, part));
  }
  const bool is_part = of.is_wild || (ecosystem == Ecosystem::kNpm && of.given < 3);
  const int order = compare_releases(version, of);
  if (op == ">=") return order >= 0;
  if (op == "<") return order < 0 && !(of.before.empty() && version.parts == of.parts);
  if (op == ">") return is_part ? order > 0 && !begins_with_parts(version, of) : order > 0;
  if (op == "<=") return order <= 0 || (is_part && begins_with_parts(version, of));
  if (op == "!=") return of.is_wild ? !begins_with_parts(version, of) : order != 0;
  if (op.empty() && !of.is_wild) {
    if (ecosystem == Ecosystem::kCargo || ecosystem == Ecosystem::kGo) return in_caret(version, of);
    if (ecosystem == Ecosystem::kNuget || ecosystem == Ecosystem::kCmake) return order >= 0;
  }
  if (is_part) return begins_with_parts(version, of);
  return order == 0;
}

constexpr std::string_view kOperatorSigns = "^~<>=!";

// "[1.0,2.0)", "(,1.5]", "[1.0]".
std::optional<bool> in_interval(const Release& version, std::string_view text) {
  const std::string_view inner = text.substr(1, text.size() - 2);
  const std::size_t comma = inner.find(',');
  const std::string_view low = trim(inner.substr(0, comma));
  const std::string_view high =
      comma == std::string_view::npos ? low : trim(inner.substr(comma + 1));
  if (!low.empty()) {
    const auto bound = read_release(low);
    if (!bound) return std::nullopt;
    const int order = compare_releases(version, *bound);
    if (order < 0 || (order == 0 && text.front() == '(')) return false;
  }
  if (!high.empty()) {
    const auto bound = read_release(high);
    if (!bound) return std::nullopt;
    const int order = compare_releases(version, *bound);
    if (order > 0 || (order == 0 && text.back() == ')')) return false;
  }
  return true;
}

std::optional<bool> all_hold(Ecosystem ecosystem, const Release& version, std::string_view text) {
  text = trim(text);
  if (text.empty() || text == "*" || text == "latest" || text == "any") return true;
  if (const std::size_t dash = text.find(" - "); dash != std::string_view::npos) {
    const auto low = read_release(trim(text.substr(0, dash)));
    const auto high = read_release(trim(text.substr(dash + 3)));
    if (!low || !high) return std::nullopt;
    return condition_holds(ecosystem, ">=", version, *low) &&
           condition_holds(ecosystem, "<=", version, *high);
  }
  bool hold = true;
  while (!text.empty()) {
    const std::size_t sign = text.find_first_not_of(kOperatorSigns);
    if (sign == std::string_view::npos) return std::nullopt;
    std::string_view op = text.substr(0, sign);
    if (op == "=" || op == "==" || op == "===") op = "=";
    text = trim(text.substr(sign));
    const std::size_t end = std::min(text.find_first_of(" ,\t"), text.size());
    const auto of = read_release(text.substr(0, end));
    if (!of) return std::nullopt;
    hold = hold && condition_holds(ecosystem, op, version, *of);
    text.remove_prefix(end);
    const std::size_t next = text.find_first_not_of(" ,\t&");
    text = next == std::string_view::npos ? std::string_view() : text.substr(next);
    if (text.starts_with("and ")) text = trim(text.substr(4));
  }
  return hold;
}

}  // namespace

std::optional<bool> allows_version(Ecosystem ecosystem, std::string_view range,
                                   std::string_view version) {
  range = trim(range);
  if (range.empty() || version.empty() || range.size() > kLongestRange) return std::nullopt;
  const auto release = read_release(trim(version));
  if (!release || release->given == 0) return std::nullopt;
  if (range.starts_with("workspace:")) {
    range.remove_prefix(10);
    if (range == "*" || range == "^" || range == "~") return true;
  }
  if (range.starts_with("npm:")) {  // another package under this name
    const std::size_t at = range.rfind('@');
    range = at == std::string_view::npos || at < 5 ? std::string_view() : range.substr(at + 1);
  }
  if (range.starts_with('[') || range.starts_with('(')) {
    if (!range.ends_with(']') && !range.ends_with(')')) return std::nullopt;
    // A set of intervals, "(,1],[2,)": one is enough.
    std::optional<bool> is_in;
    for (std::size_t at = 0; at < range.size();) {
      const std::size_t begin = range.find_first_of("[(", at);
      const std::size_t end = range.find_first_of(")]", begin);
      if (begin == std::string_view::npos || end == std::string_view::npos) break;
      is_in = in_interval(*release, range.substr(begin, end + 1 - begin));
      if (!is_in || *is_in) return is_in;
      at = end + 1;
    }
    return is_in;
  }
  std::optional<bool> any = false;
  for (std::size_t at = 0; at <= range.size();) {
    std::size_t end = std::min(range.find('|', at), range.size());
    std::size_t next = end + (range.substr(end).starts_with("||") ? 2 : 1);
    if (const std::size_t word = range.find(" or ", at); word < end) {  // hex
      end = word;
      next = word + 4;
    }
    const auto one = all_hold(ecosystem, *release, range.substr(at, end - at));
    if (one && *one) return true;
    if (!one) any = std::nullopt;
    at = next;
  }
  return any;
}

}  // namespace codexmem::graph
