// One pass over words. A run is words with nothing but white space, comments, * and & between them;
// when it ends, by the character after it, enough is known: of `EXPORT const char* name (` the type
// and the name are left when EXPORT goes, `DWORD name (` needs both words. What was found before a
// type somewhere is no type itself: CONSTEXPR of `CONSTEXPR void f()` goes from `CONSTEXPR Name(`
// too.
//
// Tested by parse/macros_test.cpp and golden_test.cpp (testdata/languages/c, cpp).
#include "parse/macros.h"

#include "base/ascii.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <unordered_set>

namespace codexmem::parse {
namespace {

constexpr std::size_t kMaxArgumentBytes = 400;

// Such a name is a macro's, or a type's that a macro could be.
bool is_capitals(std::string_view word) {
  return word.size() > 1 && std::isupper(static_cast<unsigned char>(word.front())) != 0 &&
         std::ranges::all_of(word, [](char c) {
           return c == '_' || std::isupper(static_cast<unsigned char>(c)) != 0 ||
                  std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

bool is_one_of(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// Words that are neither a type nor a name.
constexpr std::string_view kQualifiers[] = {
    "static",   "extern",  "const",  "volatile", "inline", "virtual", "constexpr", "explicit",
    "friend",   "typedef", "return", "else",     "case",   "goto",    "new",       "delete",
    "register", "mutable", "throw",  "do",       "using",  "typename"};
// Only a declaration begins with these.
constexpr std::string_view kOpeners[] = {"template", "namespace", "using", "typedef", "extern",
                                         "class",    "struct",    "union", "enum"};
constexpr std::string_view kTags[] = {"class", "struct", "union", "enum"};

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text) {}

  std::optional<BlankedText> run() {
    while (at_ < text_.size()) step();
    end_run('#');
    for (const Word& word : doubtful_) {
      if (macros_.contains(text_of(word))) blank(word.begin, word.end);
    }
    if (blanked_.empty()) return std::nullopt;
    std::ranges::sort(blanked_, {}, &ByteRange::begin);
    BlankedText result{std::string(text_), std::move(blanked_)};
    for (const ByteRange& range : result.blanked) {
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        if (!is_space(result.text[i])) result.text[i] = ' ';
      }
    }
    return result;
  }

 private:
  struct Word {
    std::size_t begin = 0, end = 0;
    bool is_capitals = false;
    bool is_blanked = false;
  };

  std::string_view text_of(const Word& word) const {
    return text_.substr(word.begin, word.end - word.begin);
  }

  void step() {
    const char c = text_[at_];
    const std::string_view rest = text_.substr(at_, 2);
    if (c == '\n') {
      is_line_start_ = true;
      ++at_;
    } else if (is_space(c)) {
      ++at_;
    } else if (c == '#' && is_line_start_) {
      end_run('#');
      skip_line();
    } else if (rest == "//") {
      skip_line();
    } else if (rest == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (is_word_char(c)) {
      is_line_start_ = false;
      std::size_t end = at_;
      while (end < text_.size() && is_word_char(text_[end])) ++end;
      if (end < text_.size() && text_[end] == '"' && text_[end - 1] == 'R') {
        skip_raw_string(end);
        return;
      }
      if (joins_) {
        run_.back().end = end;
        run_.back().is_capitals = false;
        joins_ = false;
      } else {
        run_.push_back({at_, end, is_capitals(text_.substr(at_, end - at_)), false});
      }
      at_ = end;
    } else if (rest == "::" && !run_.empty()) {
      joins_ = true;
      at_ += 2;
    } else if ((c == '*' || c == '&') && !run_.empty()) {
      ++at_;
    } else if (c == '"' || c == '\'') {
      end_run(c);
      for (++at_; at_ < text_.size() && text_[at_] != c && text_[at_] != '\n'; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
    } else {
      is_line_start_ = false;
      if (c == '(' && blank_call()) return;
      end_run(c);
      ++at_;
    }
  }

  // To the end of the line, or of the last that a backslash joins to it.
  void skip_line() {
    std::size_t end = text_.find('\n', at_);
    while (
        end != std::string_view::npos && end > 0 &&
        (text_[end - 1] == '\\' || (text_[end - 1] == '\r' && end > 1 && text_[end - 2] == '\\'))) {
      end = text_.find('\n', end + 1);
    }
    at_ = std::min(end, text_.size());
  }

  void skip_raw_string(std::size_t quote) {
    end_run('"');
    const std::size_t open = text_.find('(', quote);
    if (open == std::string_view::npos || open - quote > 18) {
      at_ = quote + 1;
      return;
    }
    const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  bool is_statement_start() const {
    return previous_ == '\0' || previous_ == ';' || previous_ == '{' || previous_ == '}' ||
           previous_ == ':';
  }

  // MACRO(...) before a declaration. MACRO(type) name( leaves the type.
  bool blank_call() {
    if (run_.size() != 1 || !run_.front().is_capitals || !is_statement_start()) return false;
    std::size_t close = at_;
    int depth = 0;
    bool is_type = true;
    for (; close < text_.size() && close - at_ < kMaxArgumentBytes; ++close) {
      const char c = text_[close];
      if (c == '"' || c == '\'' || c == '{' || c == ';') is_type = false;
      if (c == '{' || c == ';') return false;
      if (c == ',' || std::isdigit(static_cast<unsigned char>(c)) != 0) is_type = false;
      if (c == '"') {
        for (++close; close < text_.size() && text_[close] != '"'; ++close) {
          if (text_[close] == '\\') ++close;
        }
        continue;
      }
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) break;
    }
    if (depth != 0 || close >= text_.size()) return false;
    std::size_t next = close + 1;
    while (next < text_.size() && is_space(text_[next])) ++next;
    if (next >= text_.size() || !is_word_char(text_[next])) return false;
    std::size_t end = next;
    while (end < text_.size() && is_word_char(text_[end])) ++end;
    while (end < text_.size() && is_space(text_[end])) ++end;
    // MACRO(...) name; has no other type.
    if (end < text_.size() && (text_[end] == ';' || text_[end] == ',' || text_[end] == '=')) {
      return false;
    }
    is_type = is_type && close > at_ + 1 && end < text_.size() && text_[end] == '(';
    const std::size_t begin = run_.front().begin;
    if (is_type) {
      blank(begin, at_ + 1);
      blank(close, close + 1);
      at_ = at_ + 1;
    } else {
      blank(begin, close + 1);
      at_ = close + 1;
    }
    run_.clear();
    joins_ = false;
    if (is_type) at_ = close + 1;
    return true;
  }

  void blank(std::size_t begin, std::size_t end) {
    blanked_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }

  void blank(Word& word) {
    word.is_blanked = true;
    blank(word.begin, word.end);
  }

  void end_run(char next) {
    const bool may_begin =
        is_statement_start() || previous_ == '(' || previous_ == ',' || previous_ == '>';
    if (!run_.empty() && may_begin) blank_words(next);
    run_.clear();
    joins_ = false;
    if (next != '#') previous_ = next;
  }

  // Which of the words [first, end) behind `class` is the name: the last one, but not a macro that
  // stands behind it: class Name MACRO, class NAME MY_FINAL.
  std::size_t find_name(std::size_t first, std::size_t end) const {
    std::size_t name = end - 1;
    while (name > first && run_[name].is_capitals) {
      const std::string_view text = text_of(run_[name]);
      bool is_behind = (text.ends_with("FINAL") || text.ends_with("SEALED")) &&
                       !is_one_of(kTags, text_of(run_[name - 1]));
      for (std::size_t i = first; i < name; ++i) {
        is_behind |= !run_[i].is_capitals && !is_one_of(kTags, text_of(run_[i]));
      }
      if (!is_behind) break;
      --name;
    }
    return name;
  }

  void blank_words(char next) {
    const auto opener = std::ranges::find_if(
        run_, [&](const Word& word) { return is_one_of(kOpeners, text_of(word)); });
    if (opener != run_.end()) {
      // MACRO class Name
      for (auto word = run_.begin(); word != opener; ++word) {
        if (word->is_capitals) blank(*word);
      }
      // class MACRO Name {
      auto last = run_.end() - 1;
      if (text_of(*last) == "final" && last != opener) --last;
      if (is_one_of(kTags, text_of(*opener)) && (next == '{' || next == ':')) {
        const std::size_t first = static_cast<std::size_t>(opener - run_.begin()) + 1;
        const std::size_t end = static_cast<std::size_t>(last - run_.begin()) + 1;
        const std::size_t name = find_name(first, end);
        for (std::size_t i = first; i < end; ++i) {
          if (i != name && run_[i].is_capitals) blank(run_[i]);
        }
        return;
      }
      if (is_one_of(kTags, text_of(*opener))) return;
    }
    if (run_.size() == 1 && next == '#' && run_.front().is_capitals &&
        (previous_ == '\0' || previous_ == ';' || previous_ == '}')) {
      blank(run_.front());  // stands alone
      return;
    }
    // What is left at the end of a struct's members: MORE_FIELDS }
    const bool are_macros = next == '}' && std::ranges::all_of(run_, &Word::is_capitals);
    if (are_macros && (run_.size() > 1 || previous_ == ';' || previous_ == '}')) {
      for (Word& word : run_) blank(word);
      return;
    }
    // A type and a name must be left; behind < there is a name to come.
    auto count = std::ranges::count_if(run_, [&](const Word& word) {
      return !word.is_blanked && !is_one_of(kQualifiers, text_of(word));
    });
    if (next == '<') ++count;
    const std::size_t names = run_.size() - (next == '<' ? 0 : 1);
    for (std::size_t i = 0; i < names && count > 2; ++i) {
      if (!run_[i].is_capitals || run_[i].is_blanked) continue;
      blank(run_[i]);
      --count;
      const bool is_sure = i + 1 < run_.size() && !run_[i + 1].is_capitals &&
                           !is_one_of(kQualifiers, text_of(run_[i + 1]));
      if (is_sure) macros_.insert(text_of(run_[i]));
    }
    // A constructor's or destructor's, if it is no type.
    for (std::size_t i = 0; i < run_.size(); ++i) {
      const bool is_before_name = next == '(' && i + 1 < run_.size();
      if (run_[i].is_capitals && !run_[i].is_blanked && (is_before_name || next == '~')) {
        doubtful_.push_back(run_[i]);
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Word> run_;
  bool joins_ = false;  // the next word goes on with the last: a::b
  bool is_line_start_ = true;
  char previous_ = '\0';  // what the run stands behind
  std::vector<ByteRange> blanked_;
  std::unordered_set<std::string_view> macros_;  // that stood before a type
  std::vector<Word> doubtful_;                   // to be blanked if they are among these
};

}  // namespace

std::optional<BlankedText> blank_macros(std::string_view text) { return Blanker(text).run(); }

}  // namespace codexmem::parse
