// RE2 matches a whole text at once, and what makes a match stay on its line is in the pattern: no
// class holds a line feed. RE2 also tells which literals a match must hold, as a tree of AND and OR
// (its prefilter), from which the trigrams come that a text must have.
//
// RE2's \d, \s and \w are of ASCII; they are written out as ripgrep has them. \b cannot be: it
// stays RE2's.
//
// Tested by base/line_pattern_test.cpp, and against ripgrep by tests/search/exact_against_rg.py.
#include "base/line_pattern.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/trigrams.h"

namespace codexmem {
namespace {

constexpr std::int64_t kMaxPatternMemory = 16 << 20;
constexpr int kLeastLiteral = 3;  // bytes; a shorter one has no trigram

// As items of a class. White space is all of \p{Z} and a few controls; of words, what is no letter
// is for the marks, digits and joiners that identifiers of other scripts have.
constexpr std::string_view kDigits = "\\p{Nd}";
constexpr std::string_view kNoDigits = "\\P{Nd}";
constexpr std::string_view kSpaces = "\\t-\\r \\x{85}\\p{Z}";
constexpr std::string_view kNoSpaces =
    "\\x00-\\x08\\x0E-\\x1F!-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-"
    "\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{10FFFF}";
constexpr std::string_view kWords =
    "\\p{L}\\p{Nl}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}\\x{24B6}-\\x{24E9}\\x{1F130}-\\x{1F149}"
    "\\x{1F150}-\\x{1F169}\\x{1F170}-\\x{1F189}";

// What \`c` stands for inside of a class; "" when it is nothing of Unicode's.
std::string_view items_of(char c) {
  switch (c) {
    case 'd':
      return kDigits;
    case 'D':
      return kNoDigits;
    case 's':
      return kSpaces;
    case 'S':
      return kNoSpaces;
    case 'w':
      return kWords;
    default:
      return {};
  }
}

// `pattern` with the classes of Unicode and the ends of lines.
std::string for_lines(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char next = pattern[++i];
      if (next == 'Q' && !in_class) {
        const std::size_t end = std::min(pattern.find("\\E", i), pattern.size());
        out += pattern.substr(i - 1, end - i + 1);
        i = end - 1;
      } else if (const std::string_view items = items_of(next); !items.empty()) {
        out += in_class ? std::string(items) : "[" + std::string(items) + "]";
      } else if ((next == 'A' || next == 'z') && !in_class) {
        out += next == 'A' ? '^' : '$';  // a line is all that there is
      } else if (next == 'W' && !in_class) {
        out += "[^" + std::string(kWords) + "]";
      } else {
        out += {c, next};
      }
      continue;
    }
    out += c;
    if (in_class) {
      if (c == '[' && i + 1 < pattern.size() && pattern[i + 1] == ':') {
        const std::size_t end = pattern.find(":]", i + 2);
        if (end == std::string_view::npos) continue;
        out += pattern.substr(i + 1, end + 1 - i);
        i = end + 1;
      }
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') out += pattern[++i];
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') out += pattern[++i];
    }
  }
  return out;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct LinePattern::Impl {
  re2::FilteredRE2 regexes{kLeastLiteral};           // one
  std::vector<std::vector<std::uint32_t>> literals;  // the trigrams of each that the filter knows

  const re2::RE2& regex() const { return regexes.GetRE2(0); }
};

LinePattern::LinePattern(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LinePattern::~LinePattern() = default;
LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern& LinePattern::operator=(LinePattern&&) noexcept = default;

Result<LinePattern> LinePattern::make(std::string_view pattern, const Options& options) {
  re2::RE2::Options how;
  how.set_log_errors(false);
  how.set_literal(options.is_literal);
  how.set_case_sensitive(!options.ignore_case);
  how.set_never_nl(true);
  how.set_max_mem(kMaxPatternMemory);
  const std::string text = options.is_literal ? std::string(pattern) : "(?m)" + for_lines(pattern);
  auto impl = std::make_unique<Impl>();
  int id = 0;
  if (impl->regexes.Add(text, how, &id) != re2::RE2::NoError) {
    // The message again, for the pattern as it was given.
    const re2::RE2 given(piece(pattern), how);
    const re2::RE2 meant(text, how);
    return Error{ErrorCode::kInvalidArgument, given.ok() ? meant.error() : given.error()};
  }
  std::vector<std::string> literals;
  impl->regexes.Compile(&literals);
  for (const std::string& literal : literals) impl->literals.push_back(trigrams_of(literal));
  return LinePattern(std::move(impl));
}

std::optional<ByteRange> LinePattern::find(std::string_view text, std::size_t begin,
                                           std::size_t end) const {
  re2::StringPiece found;
  if (!impl_->regex().Match(piece(text), begin, end, re2::RE2::UNANCHORED, &found, 1)) {
    return std::nullopt;
  }
  const auto at = static_cast<std::size_t>(found.data() - text.data());
  // Behind the last line feed is no line.
  if (at == text.size() && (at == 0 || text[at - 1] == '\n')) return std::nullopt;
  return ByteRange{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + found.size())};
}

bool LinePattern::may_match(std::string_view trigram_filter) const {
  std::vector<int> there;
  for (std::size_t i = 0; i < impl_->literals.size(); ++i) {
    if (std::ranges::all_of(impl_->literals[i], [&](std::uint32_t trigram) {
          return may_hold(trigram_filter, trigram);
        })) {
      there.push_back(static_cast<int>(i));
    }
  }
  std::vector<int> matching;
  impl_->regexes.AllPotentials(there, &matching);
  return !matching.empty();
}

bool has_upper_case(std::string_view text) {
  static const re2::RE2 kUpperCase("\\p{Lu}");
  return re2::RE2::PartialMatch(piece(text), kUpperCase);
}

}  // namespace codexmem
