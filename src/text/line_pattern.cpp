// RE2 matches the whole text at once; the pattern itself keeps matches on a line, because no class
// contains a line feed. RE2 also returns the literals that a match must contain, as a tree of AND
// and OR (its prefilter); their trigrams are the ones that a text must have.
//
// RE2's \d, \s and \w are ASCII only, so they are written out with ripgrep's meaning. \b cannot be.
// If it is at an end of the pattern, as in \bname\b, a line with characters beyond ASCII is matched
// again with the character next to the name as part of the match; elsewhere it keeps RE2's meaning.
//
// Tested by text/line_pattern_test.cpp, and against ripgrep by tests/search/exact_against_rg.py.
#include "text/line_pattern.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/trigrams.h"

namespace codexmem {
namespace {

constexpr int kMinLiteral = 3;  // bytes; a shorter one has no trigram

// Written as items of a class. White space is all of \p{Z} and some controls; word characters
// include the marks, digits and joiners in identifiers of other scripts.
constexpr std::string_view kDigits = "\\p{Nd}";
constexpr std::string_view kNoDigits = "\\P{Nd}";
constexpr std::string_view kSpaces = "\\t-\\r \\x{85}\\p{Z}";
constexpr std::string_view kNoSpaces =
    "\\x00-\\x08\\x0E-\\x1F!-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-"
    "\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{10FFFF}";
constexpr std::string_view kWords =
    "\\p{L}\\p{Nl}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}\\x{24B6}-\\x{24E9}\\x{1F130}-\\x{1F149}"
    "\\x{1F150}-\\x{1F169}\\x{1F170}-\\x{1F189}";

// The expansion of \`c` inside a class; "" if it has no Unicode meaning.
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

// `pattern` with Unicode classes and line ends.
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
        out += next == 'A' ? '^' : '$';  // a line is matched as if it were the whole text
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

bool is_escaped(std::string_view pattern, std::size_t at) {
  bool escaped = false;
  while (at > 0 && pattern[--at] == '\\') escaped = !escaped;
  return escaped;
}

// The pattern between two \b, either of which may be missing.
struct Edges {
  bool front = false, back = false;
  std::string_view core;
};

// True for a group of plain words: (one|two), (?:one).
bool is_group_of_words(std::string_view group) {
  if (group.size() < 3 || group.front() != '(' || group.back() != ')') return false;
  group = group.substr(1, group.size() - 2);
  if (group.starts_with("?:")) group.remove_prefix(2);
  return !group.empty() && group.front() != '|' && group.back() != '|' &&
         group.find("||") == std::string_view::npos &&
         std::ranges::all_of(group, [](char c) { return c == '|' || is_word_char(c); });
}

// True if every match of `core` begins with an ASCII letter, digit or underscore.
bool starts_with_word(std::string_view core) {
  std::size_t end = 1;
  if (!is_word_char(core[0])) {
    end = core.find(')');
    if (end == std::string_view::npos || !is_group_of_words(core.substr(0, ++end))) return false;
  }
  return end == core.size() || std::string_view("?*{").find(core[end]) == std::string_view::npos;
}

// The same for the end. An escape also ends with a letter: \x41 is the longest.
bool ends_with_word(std::string_view core) {
  if (!is_word_char(core.back())) {
    const std::size_t begin = core.rfind('(');
    return begin != std::string_view::npos && !is_escaped(core, begin) &&
           is_group_of_words(core.substr(begin));
  }
  return core.substr(core.size() - std::min<std::size_t>(core.size(), 4)).find('\\') ==
         std::string_view::npos;
}

// The place where the class that opens at `at` closes, or the end.
std::size_t class_end(std::string_view pattern, std::size_t at) {
  std::size_t i = at + 1;
  if (pattern.substr(i).starts_with('^')) ++i;
  if (pattern.substr(i).starts_with(']')) ++i;  // a leading ] belongs to the class
  for (; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern.substr(i).starts_with("[:")) {
      const std::size_t end = pattern.find(":]", i + 2);
      if (end != std::string_view::npos) i = end + 1;
    } else if (pattern[i] == ']') {
      return i;
    }
  }
  return pattern.size();
}

bool has_branches(std::string_view core) {
  int depth = 0;
  for (std::size_t i = 0; i < core.size(); ++i) {
    const char c = core[i];
    if (c == '\\') {
      ++i;
    } else if (c == '[') {
      i = class_end(core, i);
    } else if (c == '(' || c == ')') {
      depth += c == '(' ? 1 : -1;
    } else if (c == '|' && depth == 0) {
      return true;
    }
  }
  return false;
}

// The part of `pattern` between \b at its ends, if the character next to each is certainly an ASCII
// letter.
Edges find_edges(std::string_view pattern) {
  Edges edges{
      pattern.starts_with("\\b"),
      pattern.size() > 3 && pattern.ends_with("\\b") && !is_escaped(pattern, pattern.size() - 2),
      pattern};
  if (edges.front) edges.core.remove_prefix(2);
  if (edges.back) edges.core.remove_suffix(2);
  if (edges.core.empty() || edges.core.find("\\Q") != std::string_view::npos ||
      has_branches(edges.core) || (edges.front && !starts_with_word(edges.core)) ||
      (edges.back && !ends_with_word(edges.core))) {
    return {};
  }
  return edges;
}

// The longest text that is in every match of `pattern`, as far as that is obvious; "" if unknown or
// shorter than a trigram.
std::string find_needed_text(std::string_view pattern) {
  if (has_branches(pattern) || pattern.find("\\Q") != std::string_view::npos) return "";
  for (std::size_t at = pattern.find("(?"); at != std::string_view::npos;
       at = pattern.find("(?", at + 1)) {
    // Flags change the meaning of letters.
    if (!pattern.substr(at).starts_with("(?:") && !pattern.substr(at).starts_with("(?P<"))
      return "";
  }
  std::string best, run;
  int depth = 0;
  const auto end_run = [&] {
    if (run.size() > best.size()) best = run;
    run.clear();
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      end_run();
      // A one-letter escape, not one such as \x41 or \pN.
      const char next = ++i < pattern.size() ? pattern[i] : ' ';
      if (is_word_char(next) &&
          std::string_view("dDsSwWbBAzntr").find(next) == std::string_view::npos) {
        return "";
      }
    } else if (c == '[') {
      end_run();
      i = class_end(pattern, i);
    } else if (c == '(' || c == ')') {
      end_run();
      depth += c == '(' ? 1 : -1;
    } else if (c == '?' || c == '*' || c == '{') {
      // The preceding character, of one or more bytes, is optional.
      while (!run.empty() && (static_cast<unsigned char>(run.back()) & 0xC0U) == 0x80U) {
        run.pop_back();
      }
      if (!run.empty()) run.pop_back();
      end_run();
      if (c != '{') continue;
      const std::size_t close = pattern.find_first_not_of("0123456789,", i + 1);
      if (close == std::string_view::npos || pattern[close] != '}') return "";  // a plain brace
      i = close;
    } else if (std::string_view(".^$|+}").find(c) != std::string_view::npos) {
      end_run();
    } else if (depth == 0) {
      run += c;
    }
  }
  end_run();
  return best.size() < kMinLiteral ? "" : best;
}

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct LinePattern::Impl {
  re2::FilteredRE2 regexes{kMinLiteral};           // one
  std::vector<std::vector<std::uint32_t>> literals;  // for each literal, the trigrams that the
                                                     // filter knows
  bool needs_literals = false;                       // a match needs at least one of them

  std::string needed;               // every match contains it; may be empty
  std::unique_ptr<re2::RE2> edges;  // for lines beyond ASCII: group 1 is the match; may be null

  std::optional<ByteRange> find(std::string_view text, std::size_t begin, std::size_t end) const;
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
  how.set_max_mem(options.max_memory);
  const std::string text = options.is_literal ? std::string(pattern) : "(?m)" + for_lines(pattern);
  auto impl = std::make_unique<Impl>();
  int id = 0;
  if (impl->regexes.Add(text, how, &id) != re2::RE2::NoError) {
    // Repeat to get the message for the pattern as given.
    const re2::RE2 given(piece(pattern), how);
    const re2::RE2 meant(text, how);
    return Error{ErrorCode::kInvalidArgument, given.ok() ? meant.error() : given.error()};
  }
  if (const Edges edges = options.is_literal ? Edges() : find_edges(pattern);
      edges.front || edges.back) {
    const std::string neighbour = "[^" + std::string(kWords) + "]";
    impl->edges = std::make_unique<re2::RE2>(
        "(?m)" + (edges.front ? "(?:^|" + neighbour + ")" : "") + "(" + for_lines(edges.core) +
            ")" + (edges.back ? "(?:" + neighbour + "|$)" : ""),
        how);
    if (!impl->edges->ok()) impl->edges.reset();
  }
  if (!options.ignore_case) {
    impl->needed = options.is_literal ? std::string(pattern) : find_needed_text(pattern);
  }
  std::vector<std::string> literals;
  impl->regexes.Compile(&literals);
  for (const std::string& literal : literals) impl->literals.push_back(trigrams_of(literal));
  std::vector<int> matching;
  impl->regexes.AllPotentials({}, &matching);
  impl->needs_literals = matching.empty();
  return LinePattern(std::move(impl));
}

// Searching for a text is several times faster than RE2, so only lines that contain it are matched.
std::optional<ByteRange> LinePattern::find(std::string_view text, std::size_t begin,
                                           std::size_t end) const {
  const std::string& needed = impl_->needed;
  if (needed.empty()) return impl_->find(text, begin, end);
  while (begin < end) {
    const void* found = ::memmem(text.data() + begin, end - begin, needed.data(), needed.size());
    if (found == nullptr) return std::nullopt;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t line = before == std::string_view::npos ? begin : std::max(begin, before + 1);
    const std::size_t line_end = std::min(text.find('\n', at), end);
    if (auto match = impl_->find(text, line, line_end)) return match;
    begin = line_end + 1;
  }
  return std::nullopt;
}

std::optional<ByteRange> LinePattern::Impl::find(std::string_view text, std::size_t begin,
                                                 std::size_t end) const {
  const auto range_of = [&](const re2::StringPiece& found) {
    const auto at = static_cast<std::uint32_t>(found.data() - text.data());
    return ByteRange{at, at + static_cast<std::uint32_t>(found.size())};
  };
  re2::StringPiece found;
  while (begin <= end && regex().Match(piece(text), begin, end, re2::RE2::UNANCHORED, &found, 1)) {
    const ByteRange match = range_of(found);
    // There is no line after the last line feed.
    if (match.begin == text.size() && (text.empty() || text.back() == '\n')) return std::nullopt;
    if (edges == nullptr) return match;
    const std::size_t before =
        match.begin == 0 ? std::string_view::npos : text.rfind('\n', match.begin - 1);
    std::size_t line = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t line_end = std::min(text.find('\n', match.end), text.size());
    if (is_ascii(text.substr(line, line_end - line))) return match;
    // Start at the character before `begin`, which may be the one next to the match.
    if (line < begin) {
      line = begin - 1;
      while ((static_cast<unsigned char>(text[line]) & 0xC0U) == 0x80U) --line;
    }
    std::array<re2::StringPiece, 2> groups;
    if (edges->Match(piece(text), line, line_end, re2::RE2::UNANCHORED, groups.data(), 2)) {
      return range_of(groups[1]);
    }
    begin = line_end + 1;
  }
  return std::nullopt;
}

bool LinePattern::may_match(std::string_view trigram_filter) const {
  if (!impl_->needs_literals) return true;
  std::vector<int> there;
  for (std::size_t i = 0; i < impl_->literals.size(); ++i) {
    if (std::ranges::all_of(impl_->literals[i], [&](std::uint32_t trigram) {
          return may_hold(trigram_filter, trigram);
        })) {
      there.push_back(static_cast<int>(i));
    }
  }
  // Usually all or none are present; the tree is then not needed.
  if (there.empty() || there.size() == impl_->literals.size()) return !there.empty();
  std::vector<int> matching;
  impl_->regexes.AllPotentials(there, &matching);
  return !matching.empty();
}

bool has_upper_case(std::string_view text) {
  static const re2::RE2 kUpperCase("\\p{Lu}");
  return re2::RE2::PartialMatch(piece(text), kUpperCase);
}

}  // namespace codexmem
