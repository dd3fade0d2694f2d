// Tested by search/verbatim_test.cpp.
#include "search/locate/verbatim.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxLiteralBytes = 200;
constexpr std::size_t kLeastFixedBytes = 12;  // of a message
constexpr double kFullFixedBytes = 30;

// Lower case, with one space for white space and none at the ends.
std::string flatten(std::string_view text) {
  std::string flat;
  for (const char c : text) {
    if (!is_space(c)) {
      flat += to_lower(c);
    } else if (!flat.empty() && flat.back() != ' ') {
      flat += ' ';
    }
  }
  if (flat.ends_with(' ')) flat.pop_back();
  return flat;
}

// Where the literal that begins at `begin` with a quote ends, in its line; npos: it does not.
std::size_t end_of_literal(std::string_view code, std::size_t begin) {
  const std::size_t last = std::min(code.size(), begin + kMaxLiteralBytes);
  for (std::size_t at = begin + 1; at < last && code[at] != '\n'; ++at) {
    if (code[at] == '\\') {
      ++at;
    } else if (code[at] == code[begin]) {
      return at;
    }
  }
  return std::string_view::npos;
}

// The bytes of the variable part that `text` begins with: `%s`, `%(name)d`, `{name}`, `#{name}`,
// or of an escape; 0: none.
std::size_t variable_bytes(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[0] == '\\') return 2;
  if (text[0] == '%') {
    std::size_t at = text[1] == '(' ? std::min(text.find(')'), text.size() - 1) + 1 : 1;
    while (at < text.size() && !is_letter(text[at]) && !is_space(text[at])) ++at;
    return at < text.size() && is_letter(text[at]) ? at + 1 : 0;
  }
  const std::size_t open = text[0] == '$' || text[0] == '#' ? 1 : 0;
  if (text[open] != '{') return 0;
  const std::size_t close = text.find('}');
  return close == std::string_view::npos ? 0 : close + 1;
}

std::vector<std::string> fixed_parts(std::string_view literal) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view part) {
    std::string flat = flatten(part);
    if (flat.size() >= kLeastVerbatim) parts.push_back(std::move(flat));
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < literal.size();) {
    const std::size_t bytes = variable_bytes(literal.substr(at));
    if (bytes > 0) add(literal.substr(begin, at - begin));
    at += std::max<std::size_t>(1, bytes);
    if (bytes > 0) begin = at;
  }
  if (begin < literal.size()) add(literal.substr(begin));
  return parts;
}

}  // namespace

std::uint16_t Beginnings::number_of(std::string_view text) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, text.data(), kLeastVerbatim);
  return static_cast<std::uint16_t>(bytes * 2'654'435'761U >> 16);
}

VerbatimFinder::VerbatimFinder(const std::vector<std::string>& wanted) : wanted_(wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].size() < kLeastVerbatim) continue;
    beginnings_.add(wanted[i]);
    by_beginning_[Beginnings::number_of(wanted[i])].push_back(i);
  }
}

void VerbatimFinder::read(std::string_view text,
                          const std::function<void(std::size_t, std::size_t)>& found) const {
  if (by_beginning_.empty()) return;
  for (std::size_t at = 0; at + kLeastVerbatim <= text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (!beginnings_.has(rest)) continue;
    for (const std::size_t i : by_beginning_.at(Beginnings::number_of(rest))) {
      if (rest.starts_with(wanted_[i])) found(i, at);
    }
  }
}

MessageFinder::MessageFinder(std::string_view issue) : issue_(flatten(issue)) {
  for (std::size_t at = 0; at + kLeastVerbatim <= issue_.size(); ++at) {
    beginnings_.add(std::string_view(issue_).substr(at));
  }
}

void MessageFinder::read(
    std::string_view code,
    const std::function<void(std::string_view, std::size_t, double)>& found) const {
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!is_quote(code[at])) continue;
    const std::size_t end = end_of_literal(code, at);
    if (end == std::string_view::npos) continue;
    const std::string_view literal = code.substr(at + 1, end - at - 1);
    if (const double share = share_of(literal); share > 0) found(literal, at, share);
    at = end;
  }
}

double MessageFinder::share_of(std::string_view literal) const {
  if (literal.size() < kLeastFixedBytes || std::ranges::count(literal, ' ') < 2) return 0;
  std::size_t from = 0, fixed = 0;
  for (const std::string& part : fixed_parts(literal)) {
    if (!beginnings_.has(part)) return 0;
    from = issue_.find(part, from);
    if (from == std::string::npos) return 0;
    from += part.size();
    fixed += part.size();
  }
  if (fixed < kLeastFixedBytes) return 0;
  return std::min(1.0, static_cast<double>(fixed) / kFullFixedBytes);
}

}  // namespace codexmem::search
