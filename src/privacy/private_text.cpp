// A pass over the tags, and another while there was something to take out. For each name the open
// elements are counted, and text is kept while none is open. Nothing is looked for twice: a tag
// that does not end makes the rest private, so each search for an end either moves on or finishes.
//
// A text is kept as ranges of what it was, so that several texts can be read as one, the strings of
// a JSON value among them, and each gets back its rest.
//
// Tested by privacy/private_text_test.cpp, the canaries of tests/worker/privacy.py.
#include "privacy/private_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "base/ascii.h"
#include "privacy/json_strings.h"

namespace codexmem::privacy {
namespace {

constexpr std::array<std::string_view, 10> kNames = {"private",
                                                     "claude-mem-context",
                                                     "codexmem-context",
                                                     "system-reminder",
                                                     "system_instruction",
                                                     "system-instruction",
                                                     "persisted-output",
                                                     "task-notification",
                                                     "local-command-stdout",
                                                     "local-command-caveat"};
constexpr std::size_t kLongestName = 24;  // a little more than any

bool is_tag_char(char c) { return is_word_char(c) || c == '-' || c == '.' || c == ':'; }

// Bytes [begin, end).
struct Piece {
  std::size_t begin = 0, end = 0;
};

// The rest of a text, in order, without empty pieces.
struct Public {
  std::vector<Piece> pieces;
  std::size_t size = 0;    // of all pieces
  bool ends_open = false;  // an element is not closed: what would follow is private

  void add(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    size += end - begin;
    if (!pieces.empty() && pieces.back().end == begin) {
      pieces.back().end = end;
    } else {
      pieces.push_back({begin, end});
    }
  }
};

// The length of the reference to `bracket` that text[at], an ampersand, begins in HTML: by name or
// by number, its ampersand escaped again any number of times (&amp;lt;). 0 without one.
std::size_t reference_length(std::string_view text, std::size_t at, char bracket) {
  constexpr std::string_view kAgain = "amp;";
  std::size_t i = at + 1;
  while (text.substr(i, kAgain.size()) == kAgain) i += kAgain.size();
  if (i < text.size() && text[i] == '#') {
    const bool is_hex = i + 1 < text.size() && to_lower(text[i + 1]) == 'x';
    i = std::min(text.find_first_not_of('0', i + (is_hex ? 2 : 1)), text.size());
    const std::string_view digits =
        is_hex ? (bracket == '<' ? "3c;" : "3e;") : (bracket == '<' ? "60;" : "62;");
    const bool is_it = std::ranges::equal(text.substr(i, digits.size()), digits, {}, to_lower);
    return is_it ? i + digits.size() - at : 0;
  }
  const std::string_view name = bracket == '<' ? "lt;" : "gt;";
  return std::ranges::equal(text.substr(i, name.size()), name, {}, to_lower) ? i + name.size() - at
                                                                             : 0;
}

// A bracket may be written as in JSON (\u003c, also with more backslashes, for JSON within JSON),
// as in JavaScript (\x3c) or as in HTML. The length of the bracket at text[at], 0 if
// there is no bracket.
std::size_t bracket_length(std::string_view text, std::size_t at, char bracket) {
  if (at >= text.size()) return 0;
  if (text[at] == bracket) return 1;
  if (text[at] == '&') return reference_length(text, at, bracket);
  if (text[at] != '\\') return 0;
  const char digit = bracket == '<' ? 'c' : 'e';
  std::size_t i = at;
  while (i < text.size() && text[i] == '\\') ++i;
  for (const std::string_view escape : {"u003", "x3"}) {
    const std::size_t last = i + escape.size();
    if (text.substr(i, escape.size()) == escape && last < text.size() &&
        to_lower(text[last]) == digit) {
      return last + 1 - at;
    }
  }
  return 0;
}

// Where brackets that open may stand, in order. Each way to write one is searched for by itself,
// which is fast.
class OpeningBrackets {
 public:
  explicit OpeningBrackets(std::string_view text) : text_(text) {}

  // The first at or behind `from`, which never decreases; the text's size without one.
  std::size_t find(std::size_t from) {
    std::size_t first = text_.size();
    for (std::size_t i = 0; i < kWays.size(); ++i) {
      Next& next = next_[i];
      if (!next.is_known || next.hit < from) {
        next.is_known = true;
        next.hit = next.begin = std::min(text_.find(kWays[i], from), text_.size());
        // Backslashes before it belong to it.
        while (next.hit < text_.size() && kWays[i][0] == '\\' && next.begin > from &&
               text_[next.begin - 1] == '\\') {
          --next.begin;
        }
      }
      first = std::min(first, std::max(next.begin, from));
    }
    return first;
  }

 private:
  static constexpr std::array<std::string_view, 9> kWays = {
      "<", "\\u003c", "\\u003C", "\\x3c", "\\x3C", "&lt;", "&LT;", "&#", "&amp;"};

  struct Next {
    std::size_t hit = 0, begin = 0;
    bool is_known = false;
  };

  std::string_view text_;
  std::array<Next, kWays.size()> next_{};
};

// The last of the backslashes that text[at] begins, else `at`.
std::size_t last_backslash(std::string_view text, std::size_t at) {
  while (at + 1 < text.size() && text[at] == '\\' && text[at + 1] == '\\') ++at;
  return at;
}

struct Tag {
  std::size_t name = 0;  // in kNames
  bool closes = false;
  bool is_empty = false;  // <private/>
  std::size_t end = 0;    // just past its '>'; of the text without one
};

// The name that `text` begins with, in kNames; their number for another name.
std::size_t read_name(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && size < kLongestName && is_tag_char(text[size])) ++size;
  const auto is_it = [&](std::string_view name) {
    return std::ranges::equal(text.substr(0, size), name, {}, to_lower);
  };
  return static_cast<std::size_t>(std::ranges::find_if(kNames, is_it) - kNames.begin());
}

// True when one of our tags opens at text[at], which is a bracket.
bool read_tag(std::string_view text, std::size_t at, Tag* tag) {
  std::size_t i = at + bracket_length(text, at, '<');
  // JSON may write the slash as \/.
  while (i + 1 < text.size() && text[i] == '\\' && (text[i + 1] == '\\' || text[i + 1] == '/')) ++i;
  tag->closes = i < text.size() && text[i] == '/';
  if (tag->closes) ++i;
  tag->name = read_name(text.substr(i));
  if (tag->name == kNames.size()) return false;

  i += kNames[tag->name].size();
  tag->is_empty = false;
  if (tag->closes) {
    // A closing tag that is cut short ends where the next one begins.
    while (i < text.size() && bracket_length(text, i, '>') == 0 &&
           bracket_length(text, i, '<') == 0) {
      i = last_backslash(text, i) + 1;
    }
    tag->end = i + bracket_length(text, i, '>');
    return true;
  }
  bool after_equals = false;
  for (; i < text.size() && bracket_length(text, i, '>') == 0; ++i) {
    const char c = text[i];
    if (after_equals && (c == '"' || c == '\'')) {
      i = text.find(c, i + 1);
      if (i == std::string_view::npos) {
        i = text.size();
        break;
      }
    }
    if (!is_space(c)) after_equals = c == '=';
    i = last_backslash(text, i);
  }
  tag->is_empty = i < text.size() && text[i - 1] == '/';
  tag->end = i + bracket_length(text, i, '>');
  return true;
}

// Tags may stand within the halves of another one, which taking them out puts together. More than
// that is no accident.
constexpr int kMaxRounds = 8;

Public strip_once(std::string_view text) {
  Public left;
  std::array<std::size_t, kNames.size()> open{};
  std::size_t open_count = 0;
  std::size_t at = 0;
  OpeningBrackets brackets(text);
  while (at < text.size()) {
    const std::size_t bracket = brackets.find(at);
    if (open_count == 0) left.add(at, bracket);
    if (bracket == text.size()) break;
    Tag tag;
    if (!read_tag(text, bracket, &tag)) {
      const std::size_t behind =
          bracket + std::max(bracket_length(text, bracket, '<'), std::size_t{1});
      if (open_count == 0) left.add(bracket, behind);
      at = behind;
      continue;
    }
    at = tag.end;
    if (tag.is_empty) continue;
    if (!tag.closes) {
      ++open[tag.name];
      ++open_count;
    } else if (open[tag.name] > 0) {
      --open[tag.name];
      --open_count;
    }
  }
  left.ends_open = open_count > 0;
  return left;
}

std::string text_of(std::string_view text, const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) out += text.substr(piece.begin, piece.end - piece.begin);
  return out;
}

// `inner`, which is of the text that the pieces of `outer` make, as pieces of what `outer` is of.
Public within(const Public& outer, const Public& inner) {
  Public both;
  both.ends_open = outer.ends_open || inner.ends_open;
  std::size_t before = 0;  // bytes of the pieces before `piece`
  auto piece = outer.pieces.begin();
  for (const Piece& part : inner.pieces) {
    for (std::size_t at = part.begin; at < part.end;) {
      for (; before + (piece->end - piece->begin) <= at; ++piece) {
        before += piece->end - piece->begin;
      }
      const std::size_t end = std::min(part.end, before + (piece->end - piece->begin));
      both.add(piece->begin + (at - before), piece->begin + (end - before));
      at = end;
    }
  }
  return both;
}

// The place of the first tag; the text's size without one.
std::size_t find_tag(std::string_view text) {
  OpeningBrackets brackets(text);
  Tag tag;
  std::size_t at = brackets.find(0);
  while (at < text.size() && !read_tag(text, at, &tag)) at = brackets.find(at + 1);
  return at;
}

Public find_public(std::string_view text) {
  Public left = strip_once(text);
  std::size_t before = text.size();
  for (int round = 1; left.size != before; ++round) {
    const std::string rest = text_of(text, left.pieces);
    before = rest.size();
    if (round < kMaxRounds) {
      left = within(left, strip_once(rest));
      continue;
    }
    Public first;
    first.add(0, find_tag(rest));
    first.ends_open = true;
    return within(left, first);
  }
  return left;
}

// The same for texts that follow one another, read as one.
class PublicParts {
 public:
  void add(std::string_view text) {
    text_ += text;
    ends_.push_back(text_.size());
  }
  void find() { left_ = find_public(text_); }
  bool is_all() const { return left_.size == text_.size(); }

  // The next one, in order.
  struct Part {
    std::string_view text;
    std::string left;
    bool follows_private = false;  // an element is open where it begins
  };
  Part next() {
    const std::size_t begin = at_ == 0 ? 0 : ends_[at_ - 1], end = ends_[at_];
    ++at_;
    Part part{std::string_view(text_).substr(begin, end - begin), {}, is_private_at(begin)};
    while (piece_ < left_.pieces.size()) {
      const Piece& piece = left_.pieces[piece_];
      if (piece.begin >= end) break;
      const std::size_t from = std::max(piece.begin, begin);
      part.left += text_.substr(from, std::min(piece.end, end) - from);
      if (piece.end > end) break;
      ++piece_;
    }
    return part;
  }
  // True behind the last one, when an element is open there.
  bool ends_private() const { return is_private_at(text_.size()); }

 private:
  // The pieces before `at` have been given out.
  bool is_private_at(std::size_t at) const {
    const std::size_t gap = piece_ == 0 ? 0 : left_.pieces[piece_ - 1].end;
    if (piece_ == left_.pieces.size()) {
      return left_.ends_open ? gap < at : gap < at && at < text_.size();
    }
    return gap < at && at < left_.pieces[piece_].begin;
  }

  std::string text_;
  std::vector<std::size_t> ends_;
  Public left_;
  std::size_t at_ = 0, piece_ = 0;
};

// JSON between two strings, without its numbers.
std::string without_numbers(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '-' && !is_digit(json[i])) {
      out += json[i];
      continue;
    }
    while (i + 1 < json.size() &&
           (is_digit(json[i + 1]) || json[i + 1] == '.' || json[i + 1] == 'e' ||
            json[i + 1] == 'E' || json[i + 1] == '+' || json[i + 1] == '-')) {
      ++i;
    }
    out += "null";
  }
  return out;
}

bool is_key(std::string_view json, const JsonString& string) {
  std::size_t i = string.end;
  while (i < json.size() && is_space(json[i])) ++i;
  return i < json.size() && json[i] == ':';
}

}  // namespace

bool may_have_private(std::string_view json) {
  OpeningBrackets brackets(json);
  for (std::size_t at = brackets.find(0); at < json.size(); at = brackets.find(at + 1)) {
    std::size_t i = at + bracket_length(json, at, '<');
    while (i < json.size() && (json[i] == '/' || json[i] == '\\')) ++i;
    // Its name may be cut in two by the end of a string.
    std::string_view name = json.substr(i, kLongestName);
    name = name.substr(0, name.find('"'));
    for (const std::string_view ours : kNames) {
      const std::size_t size = std::min(name.size(), ours.size());
      if (std::ranges::equal(name.substr(0, size), ours.substr(0, size), {}, to_lower)) return true;
    }
  }
  return false;
}

std::string strip_private(std::string_view text) { return text_of(text, find_public(text).pieces); }

std::vector<std::string> strip_private(const std::vector<std::string>& texts) {
  PublicParts parts;
  for (const std::string& text : texts) parts.add(text);
  parts.find();
  std::vector<std::string> left;
  for (std::size_t i = 0; i < texts.size(); ++i) left.push_back(parts.next().left);
  return left;
}

std::string strip_private_json(std::string_view json) {
  if (!may_have_private(json)) return std::string(json);
  const auto strings = find_json_strings(json);
  if (!strings) return strip_private(json);
  PublicParts parts;
  for (const JsonString& string : *strings) {
    parts.add(json_string_value(json.substr(string.begin, string.end - string.begin)));
  }
  parts.find();
  if (parts.is_all()) return std::string(json);

  std::string out;
  std::set<std::string_view> public_keys;
  std::size_t at = 0;
  const auto copy = [&](std::size_t end, bool is_private) {
    const std::string_view between = json.substr(at, end - at);
    out += is_private ? without_numbers(between) : std::string(between);
    at = end;
  };
  for (const JsonString& string : *strings) {
    const PublicParts::Part part = parts.next();
    copy(string.begin, part.follows_private);
    bool is_kept = part.left.size() == part.text.size();
    if (is_key(json, string)) {
      if (is_kept) public_keys.insert(part.text);
      is_kept = is_kept || (part.follows_private && public_keys.contains(part.text));
    }
    if (is_kept) {
      copy(string.end, false);
    } else {
      out += json_string_literal(part.left);
      at = string.end;
    }
  }
  copy(json.size(), parts.ends_private());
  return out;
}

}  // namespace codexmem::privacy
