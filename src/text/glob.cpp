// Git's wildcards as a small nondeterministic automaton.
//
// Idea: a pattern is a list of tokens; state i means "tokens before i have matched". All states
// advance together, byte by byte, so `**/*a*a*a*` costs text x tokens, without the backtracking
// over all ways of dividing the text.
//
// `**/` is two tokens: kDirsBegin may be left at once (no directory) or through kDirsLoop, which is
// left only by consuming a slash. A `**` counts as such only at the pattern's start or after a
// slash, and only before a slash or the end; elsewhere it is `*`, as in git.
//
// Source of the rules: gitignore(5), and git's behaviour where that page is silent (malformed
// classes, `**` before an escaped slash, letters in classes when case is folded). Tested by
// text/glob_test.cpp and, against `git check-ignore`, by index/ignore_git_test.cpp.
#include "text/glob.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ascii.h"

namespace codexmem {
namespace {

unsigned char to_byte(char c) { return static_cast<unsigned char>(c); }

// Adds the bytes of [:name:] to `set`; false if there is no such class. ASCII only, independent of
// the locale.
bool add_named_class(std::string_view name, bool fold_case, std::bitset<256>& set) {
  struct Named {
    std::string_view name;
    bool (*holds)(char);
  };
  static constexpr auto kGraph = [](char c) { return c > 0x20 && c < 0x7F; };
  static constexpr Named kNamed[] = {
      {"alnum", is_alnum},
      {"alpha", is_letter},
      {"blank", is_blank},
      {"cntrl", [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }},
      {"digit", is_digit},
      {"graph", kGraph},
      {"lower", is_lower},
      {"print", [](char c) { return kGraph(c) || c == ' '; }},
      {"punct", [](char c) { return kGraph(c) && !is_alnum(c); }},
      {"space", is_space},
      {"upper", is_upper},
      {"xdigit", is_hex_digit},
  };
  for (const Named& named : kNamed) {
    if (named.name != name) continue;
    for (unsigned c = 0; c < 256; ++c) {
      if (named.holds(static_cast<char>(c))) set.set(c);
    }
    // With case folding, the text is in lower case.
    if (fold_case && name == "upper") {
      for (unsigned c = 'a'; c <= 'z'; ++c) set.set(c);
    }
    return true;
  }
  return false;
}

}  // namespace

Glob::Glob(std::string_view pattern, GlobOptions options) : options_(options) {
  parse(pattern);
  std::string run;
  for (const Token& token : tokens_) {
    if (token.kind == Kind::kByte) {
      run += token.byte;
    } else {
      run.clear();
    }
    if (run.size() > required_.size()) required_ = run;
  }
}

void Glob::parse(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '*') {
      std::size_t end = i;
      while (end < pattern.size() && pattern[end] == '*') ++end;
      const std::string_view rest = pattern.substr(end);
      const bool spans = end - i >= 2 && (i == 0 || pattern[i - 1] == '/') &&
                         (rest.empty() || rest.starts_with('/') || rest.starts_with("\\/"));
      if (!options_.pathname) {
        tokens_.push_back({Kind::kStarStar, 0, 0});
      } else if (!spans) {
        tokens_.push_back({Kind::kStar, 0, 0});
      } else if (rest.starts_with('/')) {
        tokens_.push_back({Kind::kDirsBegin, 0, 0});
        tokens_.push_back({Kind::kDirsLoop, 0, 0});
        ++end;
      } else {
        tokens_.push_back({Kind::kStarStar, 0, 0});
      }
      i = end;
    } else if (c == '?') {
      tokens_.push_back({Kind::kAny, 0, 0});
      ++i;
    } else if (c == '[') {
      i = parse_class(pattern, i);
      if (i == 0) {
        tokens_.push_back({Kind::kNever, 0, 0});
        return;
      }
    } else if (c == '\\') {
      if (i + 1 == pattern.size()) {
        tokens_.push_back({Kind::kNever, 0, 0});
        return;
      }
      // An escaped capital is not folded, so with case folding it never matches: git's behaviour.
      tokens_.push_back({Kind::kByte, pattern[i + 1], 0});
      i += 2;
    } else {
      tokens_.push_back({Kind::kByte, options_.fold_case ? to_lower(c) : c, 0});
      ++i;
    }
  }
}

std::size_t Glob::parse_class(std::string_view pattern, std::size_t at) {
  const auto byte_at = [&](std::size_t i) { return i < pattern.size() ? pattern[i] : '\0'; };
  std::bitset<256> set;
  std::size_t i = at + 1;
  const bool negated = byte_at(i) == '!' || byte_at(i) == '^';
  if (negated) ++i;
  char previous = 0;  // the low end of a range; 0 without one
  for (bool first = true; first || byte_at(i) != ']'; first = false, ++i) {
    char c = byte_at(i);
    if (c == '\0') return 0;
    if (c == '\\') {
      c = byte_at(++i);
      if (c == '\0') return 0;
      set.set(to_byte(c));
    } else if (c == '-' && previous != 0 && byte_at(i + 1) != '\0' && byte_at(i + 1) != ']') {
      c = byte_at(++i);
      if (c == '\\') {
        c = byte_at(++i);
        if (c == '\0') return 0;
      }
      for (unsigned b = to_byte(previous); b <= to_byte(c); ++b) {
        set.set(b);
        if (options_.fold_case && b >= 'A' && b <= 'Z') set.set(b - 'A' + 'a');
      }
      c = 0;
    } else if (c == '[' && byte_at(i + 1) == ':') {
      const std::size_t begin = i + 2;
      const std::size_t close = pattern.find(']', begin);
      if (close == std::string_view::npos) return 0;
      if (close == begin || pattern[close - 1] != ':') {
        set.set('[');  // no ":]": an ordinary bracket
      } else {
        const std::string_view name = pattern.substr(begin, close - 1 - begin);
        if (!add_named_class(name, options_.fold_case, set)) return 0;
        i = close;
        c = 0;
      }
    } else {
      set.set(to_byte(c));
    }
    previous = c;
  }
  if (negated) set.flip();
  if (options_.pathname) set.reset('/');
  tokens_.push_back({Kind::kClass, 0, static_cast<std::uint32_t>(classes_.size())});
  classes_.push_back(set);
  return i + 1;
}

bool Glob::run(std::string_view text, std::uint8_t* now, std::uint8_t* next) const {
  const std::size_t count = tokens_.size();
  // Adds the states that can be reached without consuming a byte.
  const auto close = [&](std::uint8_t* states) {
    for (std::size_t i = 0; i < count; ++i) {
      if (states[i] == 0) continue;
      const Kind kind = tokens_[i].kind;
      if (kind == Kind::kStar || kind == Kind::kStarStar) states[i + 1] = 1;
      if (kind == Kind::kDirsBegin) states[i + 1] = states[i + 2] = 1;
    }
  };
  std::memset(now, 0, count + 1);
  now[0] = 1;
  close(now);
  for (char c : text) {
    if (options_.fold_case) c = to_lower(c);
    std::memset(next, 0, count + 1);
    bool alive = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (now[i] == 0) continue;
      const Token& token = tokens_[i];
      std::size_t to = i;  // the state after `c`
      switch (token.kind) {
        case Kind::kByte:
          if (token.byte != c) continue;
          to = i + 1;
          break;
        case Kind::kAny:
          if (options_.pathname && c == '/') continue;
          to = i + 1;
          break;
        case Kind::kClass:
          if (!classes_[token.index].test(to_byte(c))) continue;
          to = i + 1;
          break;
        case Kind::kStar:
          if (c == '/') continue;
          break;
        case Kind::kStarStar:
          break;
        case Kind::kDirsLoop:
          if (c == '/') next[i + 1] = 1;
          break;
        case Kind::kDirsBegin:
        case Kind::kNever:
          continue;
      }
      next[to] = 1;
      alive = true;
    }
    if (!alive) return false;
    close(next);
    std::swap(now, next);
  }
  return now[count] != 0;
}

bool Glob::matches(std::string_view text) const {
  // Most texts end here: searching for a few bytes costs a tenth of the automaton.
  if (!options_.fold_case && text.find(required_) == std::string_view::npos) return false;
  constexpr std::size_t kInline = 128;
  const std::size_t states = tokens_.size() + 1;
  if (states <= kInline) {
    std::array<std::uint8_t, 2 * kInline> buffer;
    return run(text, buffer.data(), buffer.data() + kInline);
  }
  std::vector<std::uint8_t> buffer(2 * states);
  return run(text, buffer.data(), buffer.data() + states);
}

}  // namespace codexmem
