#include "parse/text/quoted_text.h"

#include <algorithm>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

// The end sign of a block comment, by its begin sign.
std::string_view block_end(std::string_view begin) {
  if (begin == "/*") return "*/";
  if (begin == "{-") return "-}";
  if (begin == "#=") return "=#";
  if (begin == "(*") return "*)";
  return {};
}

constexpr std::string_view kRuby = "ruby";

// Languages that write regular expressions between slashes.
bool has_regex(const Language& language) {
  return language.family == "ecmascript" || language.family == kRuby;
}

char closing(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    default:
      return open;
  }
}

}  // namespace

QuotedText::QuotedText(const Language& language, std::string_view text)
    : language_(language), text_(text), block_end_(block_end(language.block_comment)) {
  marks_ = std::string(language.quotes) + std::string(language.long_quotes) + "\"'";
  if (!block_end_.empty()) marks_ += language.block_comment.front();
  for (const std::string_view mark : language.line_comments) marks_ += mark.front();
  if (has_regex(language)) marks_ += '/';
  if (language.family == kRuby) marks_ += '%';
}

bool QuotedText::holds(std::size_t offset) {
  while (at_ <= offset) {
    const std::size_t mark = text_.find_first_of(marks_, at_);
    if (mark > offset) {  // (also npos)
      at_ = std::min(mark, text_.size());
      break;
    }
    const std::size_t end = end_of_quoted(mark);
    if (end > mark) {
      begin_ = mark;
      end_ = end;
    }
    at_ = std::max(end, mark + 1);
  }
  return begin_ <= offset && offset < end_;
}

// The place after the next `mark` from `at` on; the end of the text if not found.
std::size_t QuotedText::behind(std::string_view mark, std::size_t at) const {
  const std::size_t found = text_.find(mark, at);
  return found == std::string_view::npos ? text_.size() : found + mark.size();
}

std::size_t QuotedText::end_of_comment(std::size_t at) const {
  const std::string_view rest = text_.substr(at);
  if (!block_end_.empty() && rest.starts_with(language_.block_comment)) {
    return behind(block_end_, at + language_.block_comment.size());
  }
  for (const std::string_view mark : language_.line_comments) {
    if (rest.starts_with(mark)) return behind("\n", at);
  }
  return at;
}

std::size_t QuotedText::end_of_quoted(std::size_t at) const {
  if (const std::size_t end = end_of_comment(at); end > at) return end;
  for (const std::string_view mark : {"\"\"\"", "'''"}) {
    if (text_.substr(at).starts_with(mark)) return behind(mark, at + mark.size());
  }
  if (text_[at] == '/' && has_regex(language_)) return end_of_regex(at);
  if (text_[at] == '%' && language_.family == kRuby) return end_of_percent(at);
  return end_of_string(at);
}

// The end of /.../, which ends with its line. A slash behind a value divides.
std::size_t QuotedText::end_of_regex(std::size_t at) const {
  const std::size_t before = text_.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
  constexpr std::string_view kSigns = "(,=:[!&|?{;~+-*%^\n";
  const bool is_first = at == 0 || before == std::string_view::npos;
  if (!is_first && kSigns.find(text_[before]) == std::string_view::npos) {
    const std::string_view head = text_.substr(0, before + 1);
    const bool is_expected = head.ends_with("return") || head.ends_with("case") ||
                             head.ends_with("when") || head.ends_with("=>");
    if (!is_expected) return at;
  }
  bool is_in_class = false;
  for (std::size_t end = at + 1; end < text_.size() && text_[end] != '\n'; ++end) {
    if (text_[end] == '\\') {
      ++end;
    } else if (text_[end] == '[') {
      is_in_class = true;
    } else if (text_[end] == ']') {
      is_in_class = false;
    } else if (text_[end] == '/' && !is_in_class) {
      return end + 1;
    }
  }
  return at;
}

// The end of Ruby's %w(a b), %i[a b], %q{...}, %r{...}.
std::size_t QuotedText::end_of_percent(std::size_t at) const {
  if (at + 2 >= text_.size() || (at > 0 && is_word_char(text_[at - 1]))) return at;
  const char open = text_[at + 2];
  if (std::string_view("wWiIqQr").find(text_[at + 1]) == std::string_view::npos ||
      std::string_view("([{<|!/").find(open) == std::string_view::npos) {
    return at;
  }
  const char close = closing(open);
  std::size_t depth = 1;
  for (std::size_t end = at + 3; end < text_.size(); ++end) {
    if (text_[end] == '\\') {
      ++end;
    } else if (text_[end] == close) {
      if (--depth == 0) return end + 1;
    } else if (text_[end] == open) {
      ++depth;
    }
  }
  return at;
}

// The end of R"x(...)x", of C++ and R; `at` if it is not a raw string.
std::size_t QuotedText::end_of_raw(std::size_t at) const {
  constexpr std::size_t kMaxMark = 16;
  if (text_[at] != '"' || at == 0 || text_[at - 1] != 'R') return at;
  const std::size_t open = text_.find_first_of("( \"\\)\n", at + 1);
  if (open == std::string_view::npos || text_[open] != '(' || open - at > kMaxMark + 1) return at;
  const std::string close = ")" + std::string(text_.substr(at + 1, open - at - 1)) + '"';
  const std::size_t end = text_.find(close, open);
  return end == std::string_view::npos ? at : end + close.size();
}

std::size_t QuotedText::end_of_string(std::size_t at) const {
  if (const std::size_t end = end_of_raw(at); end > at) return end;
  const char quote = text_[at];
  const bool is_long = language_.long_quotes.find(quote) != std::string_view::npos;
  if (!is_long && language_.quotes.find(quote) == std::string_view::npos) return at;
  for (std::size_t end = at + 1; end < text_.size(); ++end) {
    if (text_[end] == quote) return end + 1;
    if (text_[end] == '\n' && !is_long) return at;
    if (text_[end] == '\\') ++end;
  }
  return at;
}

}  // namespace codexmem::parse
