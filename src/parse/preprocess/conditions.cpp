// One pass makes a copy in which comments and directives are spaces and each string is a letter,
// and notes the conditional directives. Then each #endif judges its group, inner groups first.
// Tested by conditions_test.cpp.
#include "parse/preprocess/conditions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

struct Directive {
  std::size_t begin = 0;  // of its line's "#"
  std::size_t end = 0;    // of its line
  std::string_view word;
};

// The place after the string at `at`, including the signs before its quote; `at` if no string
// begins there.
std::size_t behind_text(std::string_view text, std::size_t at) {
  std::size_t quote = at;
  bool is_verbatim = false;
  for (; quote < text.size() && (text[quote] == '$' || text[quote] == '@'); ++quote) {
    is_verbatim = is_verbatim || text[quote] == '@';
  }
  if (quote >= text.size() || text[quote] != '"') return at;
  const std::size_t inside = std::min(text.find_first_not_of('"', quote), text.size());
  const std::size_t quotes = inside - quote;
  if (quotes >= 3 && !is_verbatim) {
    const std::size_t end = text.find(text.substr(quote, quotes), inside);
    return end == std::string_view::npos ? text.size() : end + quotes;
  }
  for (std::size_t i = quote + 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (!is_verbatim || i + 1 >= text.size() || text[i + 1] != '"') return i + 1;
      ++i;
    } else if (!is_verbatim && text[i] == '\\') {
      ++i;
    } else if (!is_verbatim && text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

std::string_view leading_word(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier_char(text[end])) ++end;
  return text.substr(at, end - at);
}

class Conditions {
 public:
  explicit Conditions(std::string_view text) : text_(text), code_(text) {}

  std::optional<BlankedText> blank() {
    read();
    std::vector<std::vector<std::size_t>> open;  // groups of directives
    for (std::size_t i = 0; i < directives_.size(); ++i) {
      const std::string_view word = directives_[i].word;
      if (word == "if") {
        open.push_back({i});
      } else if (!open.empty()) {
        open.back().push_back(i);
        if (word != "endif") continue;
        judge(open.back());
        open.pop_back();
      }
    }
    drop_ref();
    if (result_.text.empty()) return std::nullopt;
    std::ranges::sort(result_.blanked, {}, &ByteRange::begin);
    // Ranges dropped by outer directives contain the ranges dropped by inner ones.
    std::vector<ByteRange> outer;
    for (const ByteRange& range : result_.blanked) {
      if (outer.empty() || range.begin >= outer.back().end) outer.push_back(range);
    }
    result_.blanked = std::move(outer);
    return std::move(result_);
  }

 private:
  struct Branch {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_empty = true;
    bool is_balanced = true;
    char first = '\0';
    char last = '\0';
    std::string_view word = {};  // at its beginning
  };

  void read() {
    bool begins_line = true;
    for (std::size_t at = 0; at < text_.size();) {
      const char c = text_[at];
      std::size_t end = at + 1;
      if (c == '\n') {
        begins_line = true;
      } else if (text_.substr(at).starts_with("//")) {
        end = std::min(text_.find('\n', at), text_.size());
        hide(at, end, ' ');
      } else if (text_.substr(at).starts_with("/*")) {
        end = std::min(text_.find("*/", at + 2), text_.size() - 2) + 2;
        hide(at, end, ' ');
      } else if (c == '#' && begins_line) {
        end = std::min(text_.find('\n', at), text_.size());
        const std::size_t name = std::min(text_.find_first_not_of(" \t", at + 1), text_.size());
        const std::string_view word = leading_word(text_, name);
        if (word == "if" || word == "elif" || word == "else" || word == "endif") {
          directives_.push_back({at, end, word});
        }
        hide(at, end, ' ');
      } else if (c == '\'') {
        end = std::min(text_.find('\'', at + (text_.substr(at + 1).starts_with('\\') ? 3 : 2)),
                       text_.size() - 1) +
              1;
        if (end - at > 12) end = at + 1;
        hide(at, end, 'x');
      } else if (const std::size_t behind = behind_text(text_, at); behind > at) {
        end = behind;
        hide(at, end, 'x');
      } else if (!is_space(c)) {
        begins_line = false;
      }
      at = end;
    }
  }

  void hide(std::size_t begin, std::size_t end, char as) {
    for (std::size_t i = begin; i < end && i < code_.size(); ++i) {
      if (code_[i] != '\n') code_[i] = as;
    }
  }

  Branch branch(std::size_t begin, std::size_t end) const {
    Branch made{.begin = begin, .end = end};
    const std::string_view code = std::string_view(code_).substr(begin, end - begin);
    const std::size_t first = code.find_first_not_of(kWhite);
    if (first == std::string_view::npos) return made;
    made.is_empty = false;
    made.first = code[first];
    made.word = leading_word(code, first);
    made.last = code[code.find_last_not_of(kWhite)];
    int depth = 0;
    for (const char c : code) {
      if (c == '{' || c == '(' || c == '[') ++depth;
      if (c == '}' || c == ')' || c == ']') --depth;
      if (depth < 0) break;
    }
    made.is_balanced = depth == 0;
    return made;
  }

  static bool goes_on(std::string_view word) {
    return word == "else" || word == "catch" || word == "finally";
  }

  // True for a branch that is complete on its own after `before`.
  static bool is_whole(const Branch& branch, char before) {
    if (branch.is_empty) return true;
    if (!branch.is_balanced || goes_on(branch.word) || branch.word == "case") return false;
    if (std::string_view(".,)?:&|+=<>").find(branch.first) != std::string_view::npos) return false;
    if (branch.first == '[') return branch.last == ']' || (branch.last == ';' && before != ']');
    return before != ']' && (branch.last == '}' || branch.last == ';');
  }

  void judge(const std::vector<std::size_t>& group) {
    const std::string_view code = code_;
    const std::size_t begin = directives_[group.front()].begin;
    const std::size_t end = directives_[group.back()].end;
    const std::size_t last = begin == 0 ? begin : code.find_last_not_of(kWhite, begin - 1);
    const char before = begin == 0 || last == std::string_view::npos ? ';' : code[last];
    const std::size_t next = std::min(code.find_first_not_of(kWhite, end), code.size());
    std::vector<Branch> branches;
    for (std::size_t i = 0; i + 1 < group.size(); ++i) {
      branches.push_back(branch(directives_[group[i]].end, directives_[group[i + 1]].begin));
    }
    const bool is_whole_group =
        std::string_view("{};:]").find(before) != std::string_view::npos &&
        !goes_on(leading_word(code, next)) &&
        std::ranges::all_of(branches, [&](const Branch& b) { return is_whole(b, before); });
    if (is_whole_group) return;
    for (const std::size_t at : group) erase(directives_[at].begin, directives_[at].end);
    const bool is_list = std::ranges::all_of(
        branches, [](const Branch& b) { return b.is_empty || (b.is_balanced && b.last == ','); });
    if (is_list) return;
    bool has_kept = false;
    for (const Branch& b : branches) {
      if (b.is_empty) continue;
      if (has_kept) {
        erase(b.begin, b.end);
        hide(b.begin, b.end, ' ');
        result_.blanked.push_back(
            {static_cast<std::uint32_t>(b.begin), static_cast<std::uint32_t>(b.end)});
      }
      has_kept = true;
    }
  }

  void drop_ref() {
    constexpr std::string_view kWords = "ref partial ";
    const std::string_view code = code_;
    for (std::size_t at = code.find(kWords); at != std::string_view::npos;
         at = code.find(kWords, at + 1)) {
      if (at == 0 || !is_identifier_char(code[at - 1])) erase(at, at + 3);
    }
  }

  void erase(std::size_t begin, std::size_t end) {
    if (result_.text.empty()) result_.text = text_;
    for (std::size_t i = begin; i < end; ++i) {
      if (result_.text[i] != '\n') result_.text[i] = ' ';
    }
  }

  std::string_view text_;
  std::string code_;
  std::vector<Directive> directives_;
  BlankedText result_;
};

}  // namespace

std::optional<BlankedText> blank_conditions(std::string_view text) {
  if (text.find('#') == std::string_view::npos &&
      text.find("ref partial ") == std::string_view::npos) {
    return std::nullopt;
  }
  return Conditions(text).blank();
}

}  // namespace codexmem::parse
