// One pass over words. A run is a sequence of words with only white space, comments, * and &
// between them. When it ends, the character after it decides: in `EXPORT const char* name (` EXPORT
// can be blanked, because a type and a name remain; `DWORD name (` needs both words. A word that
// was once found before a type is not a type itself: CONSTEXPR from `CONSTEXPR void f()` is also
// blanked in `CONSTEXPR Name(`.
//
// Tested by parse/macros_test.cpp and golden_test.cpp (testdata/languages/c, cpp).
#include "parse/preprocess/macros.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "parse/preprocess/macro_declarations.h"
#include "parse/preprocess/macro_words.h"
#include "parse/preprocess/qt_words.h"

namespace codexmem::parse {
namespace {

constexpr std::size_t kMaxTagWords = 16;        // of class MACRO MACRO(...)
constexpr std::size_t kMaxDelimiterBytes = 16;  // of a raw string, by the standard
// Replaces a macro call that is a template's parameter; its argument becomes the default.
constexpr std::string_view kParameter = "int=";
constexpr std::string_view kSection = "public";  // no longer than `signals`

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text) {}

  std::optional<BlankedText> run() {
    while (at_ < text_.size()) step();
    end_run('#');
    for (const Doubtful& doubtful : doubtful_) {
      const bool is_macro = macros_.contains(text_of(doubtful.word)) ||
                            classes_.contains(doubtful.name);  // it precedes a constructor
      if (is_macro) blank(doubtful.word.begin, doubtful.word.end);
    }
    blanked_.insert(blanked_.end(), parameters_.begin(), parameters_.end());
    if (blanked_.empty()) return std::nullopt;
    BlankedText result{std::string(text_), merged(std::move(blanked_))};
    for (const ByteRange& range : result.blanked) {
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        if (!is_space(result.text[i])) result.text[i] = ' ';
      }
    }
    for (const ByteRange& range : parameters_) {
      result.text.replace(range.begin, kParameter.size(), kParameter);
    }
    for (const std::size_t comma : commas_) result.text[comma] = '=';
    for (const std::size_t section : sections_) {
      result.text.replace(section, kSection.size(), kSection);
    }
    return result;
  }

 private:
  // In order, without nesting; conditions may be nested.
  static std::vector<ByteRange> merged(std::vector<ByteRange> ranges) {
    std::ranges::sort(ranges, {}, &ByteRange::begin);
    std::vector<ByteRange> apart;
    for (const ByteRange& range : ranges) {
      if (apart.empty() || range.begin >= apart.back().end) {
        apart.push_back(range);
      } else {
        apart.back().end = std::max(apart.back().end, range.end);
      }
    }
    return apart;
  }

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
      // The grammars do not know directives among arguments, in an expression or in a constructor's
      // initialisers.
      const std::size_t begin = at_;
      const bool is_inside = parentheses_ > 0 || angles_ > 0 || is_behind_template_ ||
                             in_initialisers_ || is_in_expression(begin);
      const bool is_within = !run_.empty() || previous_ == ')';  // in a declaration
      if (!is_inside) end_run('#');
      skip_line();
      if (is_inside) {
        blank(begin, at_);
      } else {
        note_directive(begin, is_within);
        blank_comments(begin);
      }
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
      if (text_.substr(at_, end - at_) == "typename" && makes_value(text_, end)) {
        blank(at_, end);
        at_ = end;
        return;
      }
      if (!joins_ && blank_qt_word(end)) {
        at_ = end;
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
      count_open(c);
      end_run(c);
      ++at_;
    }
  }

  // Handles the word that ends at `end` if Qt has defined it.
  bool blank_qt_word(std::size_t end) {
    const std::string_view before = run_.empty() ? std::string_view() : text_of(run_.back());
    const QtWord word = run_.size() > 1 ? QtWord::kNone : qt_word(text_, at_, end, before);
    if (word == QtWord::kNone) return false;
    const bool may_be = word == QtWord::kEmit      ? is_statement_start() || previous_ == ')'
                        : word == QtWord::kSignals ? is_statement_start() && braces_ > 0
                                                   : true;
    if (!may_be) return false;
    blank(at_, end);
    if (word == QtWord::kSignals) sections_.push_back(at_);
    return true;
  }

  // If #else is within a declaration, or all branches open a block that ends after #endif, only the
  // first branch is kept.
  void note_directive(std::size_t begin, bool is_within) {
    std::size_t word = begin + 1;
    while (word < at_ && is_space(text_[word])) ++word;
    const std::string_view directive = text_.substr(word, at_ - word);
    if (directive.starts_with("if")) {
      conditions_.push_back(
          {.directive = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)},
           .is_within = is_within,
           .braces = braces_});
      return;
    }
    if (conditions_.empty()) return;
    Condition& condition = conditions_.back();
    const int opened = braces_ - condition.braces;  // by the branch that ends here
    if (directive.starts_with("el")) {
      if (condition.first_else == 0) {
        condition.first_else = begin;
        condition.opened = opened;
      }
      condition.is_alike &= opened == condition.opened;
      if (is_within && !condition.is_within && condition.other == 0) condition.other = begin;
      braces_ = condition.braces;
    } else if (directive.starts_with("endif")) {
      if (condition.first_else != 0) {
        const bool is_alike = condition.is_alike && opened == condition.opened;
        if (is_alike && opened != 0) condition.other = condition.first_else;
        braces_ = condition.braces + condition.opened;
      } else if (opened > 0 ? condition.braces > 0 : opened < 0 && unclosed_ > 0) {
        // A block begins or ends here and its other brace is elsewhere: keep its braces.
        unclosed_ += opened;
        blank(condition.directive.begin, condition.directive.end);
        blank(begin, at_);
      }
      if (condition.other != 0) {
        blank(condition.directive.begin, condition.directive.end);
        blank(condition.other, at_);
      }
      conditions_.pop_back();
    }
  }

  // Blanks comments in the directive that ends at at_: the grammars take them for the end of a
  // macro's body.
  void blank_comments(std::size_t begin) {
    const std::string_view directive = text_.substr(0, at_);
    if (directive.find("\\\n", begin) == std::string_view::npos) return;
    for (std::size_t open = directive.find("/*", begin); open != std::string_view::npos;) {
      const std::size_t close = directive.find("*/", open + 2);
      if (close == std::string_view::npos) return;
      const bool is_on_a_line = directive.substr(open, close - open).find('\n') == directive.npos;
      if (is_on_a_line) blank(open, close + 2);
      open = directive.find("/*", close + 2);
    }
  }

  // Counts open parentheses and template angle brackets; the end of a statement resets them.
  void count_open(char c) {
    if (c == '<' && (angles_ > 0 || (run_.size() == 1 && text_of(run_[0]) == "template"))) {
      ++angles_;
    } else if (c == '>' && angles_ > 0) {
      if (--angles_ == 0) is_behind_template_ = true;
    } else if (c == '(') {
      ++parentheses_;
    } else if (c == ')' && parentheses_ > 0) {
      --parentheses_;
    } else if (c == ';' || c == '{' || c == '}') {
      braces_ += c == '{' ? 1 : c == '}' ? -1 : 0;
      parentheses_ = angles_ = 0;
      is_behind_template_ = in_initialisers_ = false;
    } else if (c == ':' && previous_ == ')') {
      in_initialisers_ = true;
    }
  }

  // After `return`, `=` and some operators.
  bool is_in_expression(std::size_t at) const {
    while (at > 0 && is_space(text_[at - 1])) --at;
    const std::string_view before = text_.substr(0, at);
    for (const std::string_view end : {"&&", "||", "=", "?"}) {
      if (before.ends_with(end)) return true;
    }
    return !run_.empty() && text_of(run_.back()) == "return";
  }

  // To the end of the line, or of the last line joined to it by a backslash.
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
    const std::string_view head = text_.substr(quote + 1, kMaxDelimiterBytes + 1);
    const std::size_t open = head.find('(');
    if (open == std::string_view::npos) {
      at_ = quote + 1;
      return;
    }
    const std::string close = ")" + std::string(head.substr(0, open)) + "\"";
    const std::size_t end = text_.find(close, quote + 1 + open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  bool is_statement_start() const {
    return previous_ == '\0' || previous_ == ';' || previous_ == '{' || previous_ == '}' ||
           previous_ == ':';
  }

  // Handles a call after the run, which may be a macro's; true if it was blanked and skipped.
  bool blank_call() {
    const bool is_behind_tag = run_.size() > 1 && run_.size() <= kMaxTagWords &&
                               is_one_of(text_of(run_.front()), kTags) &&
                               std::all_of(run_.begin() + 1, run_.end(),
                                           [](const Word& word) { return word.is_capitals; });
    if (is_behind_tag) return blank_call_behind_tag();
    if (are_lines()) return is_statement_start() && blank_statement_call();
    if (blank_call_behind_declarator()) return true;
    if (run_.size() != 1 || !run_.front().is_capitals) return false;
    if (angles_ == 1 && (previous_ == ',' || previous_ == '<')) {
      note_parameter(run_.front());
      return false;
    }
    return is_statement_start() && (open_declaring_call() || blank_statement_call());
  }

  // In a class: MACRO, then MACRO( on the next line.
  bool are_lines() const {
    if (run_.size() < 2 || braces_ == 0) return false;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      const bool is_apart = i == 0 || is_line_between(run_[i - 1].end, run_[i].begin);
      if (!run_[i].is_capitals || !is_apart) return false;
    }
    return true;
  }

  bool is_line_between(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin).find('\n') != std::string_view::npos;
  }

  // ASSIGN(Type name, value, more); becomes Type name = value;
  bool open_declaring_call() {
    const auto call = read_declaring_call(text_, at_);
    if (!call) return false;
    blank(run_.front().begin, at_ + 1);
    blank(call->comma, call->comma + 1);
    blank(call->end, call->close + 1);
    commas_.push_back(call->comma);
    end_call(at_);
    ++parentheses_;
    previous_ = '(';
    return true;
  }

  // class MACRO(...) Name
  bool blank_call_behind_tag() {
    const std::size_t close = text_.find_first_of("(){;", at_ + 1);
    if (close == std::string_view::npos || text_[close] != ')') return false;
    const std::size_t next = behind_blanks(text_, close + 1);
    if (next >= text_.size() || !is_word_char(text_[next])) return false;
    blank(run_.back().begin, close + 1);
    run_.pop_back();
    at_ = close + 1;
    return true;
  }

  // Type name MACRO(...);  void f() const MACRO(...) {
  bool blank_call_behind_declarator() {
    if (run_.empty() || !run_.back().is_capitals || parentheses_ > 0 || is_expression_) {
      return false;
    }
    const std::span before(run_.begin(), run_.end() - 1);
    const auto is_between = [&](const Word& word) {
      return is_one_of(text_of(word), kBehindParameters);
    };
    const bool is_behind = previous_ == ')'
                               ? is_declaration_ && std::ranges::all_of(before, is_between)
                           : previous_ == ']' ? before.empty()
                                              : ends_with_name();
    if (!is_behind || has_statement_word()) return false;
    const auto close = end_of_attribute(text_, at_);
    if (!close) return false;
    blank(run_.back().begin, *close + 1);
    run_.pop_back();
    at_ = *close + 1;
    return true;
  }

  // template <typename T, MACRO(...)>
  void note_parameter(const Word& word) {
    if (word.end - word.begin < kParameter.size()) return;
    parameters_.push_back(
        {static_cast<std::uint32_t>(word.begin), static_cast<std::uint32_t>(word.end)});
  }

  // MACRO(...) before a declaration. MACRO(type) name( keeps the type.
  bool blank_statement_call() {
    const auto read = read_macro_arguments(text_, at_);
    if (!read) return false;
    const std::size_t begin = run_.front().begin;
    const std::size_t close = read->close;
    const std::size_t next = behind_blanks(text_, close + 1);
    // } CATCH(const Error&) {
    const bool has_block = next < text_.size() && text_[next] == '{' && previous_ == '}';
    const std::string_view arguments = text_.substr(at_, close - at_);
    const bool is_handler = has_block && (arguments.ends_with('&') || arguments.ends_with("..."));
    // MACRO(...) } at the end of a class
    const bool is_last = next < text_.size() && text_[next] == '}' && previous_ != '{';
    if (!is_handler && !is_last) {
      if (next >= text_.size() || !is_word_char(text_[next])) return false;
      std::size_t end = next;
      while (end < text_.size() && is_word_char(text_[end])) ++end;
      const std::string_view word = text_.substr(next, end - next);
      end = behind_blanks(text_, end);
      const char behind = end < text_.size() ? text_[end] : '\0';
      // In MACRO(...) name; the macro is the only type.
      if (behind == ';' || behind == ',' || behind == '=') return false;
      // MACRO(Name) Name(); and, in a class, a macro on the next line.
      const bool is_other = arguments.substr(1) == word ||
                            (braces_ > 0 && is_capitals(word) && is_line_between(close, next));
      if (read->may_be_type && close > at_ + 1 && behind == '(' && !is_other) {
        blank(begin, at_ + 1);
        blank(close, close + 1);
        end_call(close);
        return true;
      }
    }
    blank(begin, close + 1);
    end_call(close);
    return true;
  }

  void end_call(std::size_t close) {
    at_ = close + 1;
    run_.clear();
    joins_ = false;
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
    if (!run_.empty() && previous_ == ')') blank_behind_parameters(next);
    note_statement(next);
    begins_class_ = next == '{' && std::ranges::any_of(run_, [&](const Word& word) {
                      return is_one_of(text_of(word), kTags) && text_of(word) != "enum";
                    });
    run_.clear();
    joins_ = false;
    if (next != '#') previous_ = next;
  }

  // Records the kind of the statement, from the part read so far.
  void note_statement(char next) {
    if (next == ';' || next == '{' || next == '}') {
      is_expression_ = is_declaration_ = false;
    } else if (next == '=' || next == '?') {
      is_expression_ = true;
    } else if (next == '(' && parentheses_ <= 1 && !is_expression_ && run_.size() > 1) {
      is_declaration_ = !has_statement_word();
    }
  }

  bool has_statement_word() const {
    return std::ranges::any_of(
        run_, [&](const Word& word) { return is_one_of(text_of(word), kStatementWords); });
  }

  // f() const MACRO;  A() MACRO : a(1) {
  void blank_behind_parameters(char next) {
    const bool is_behind = next == '{' || (next == ':' && !is_expression_) ||
                           ((next == ';' || next == '=') && is_declaration_ && !is_expression_);
    const bool is_whole = std::ranges::all_of(run_, [&](const Word& word) {
      return word.is_capitals || is_one_of(text_of(word), kBehindParameters);
    });
    if (!is_behind || !is_whole || parentheses_ > 0) return;
    for (Word& word : run_) {
      if (word.is_capitals) blank(word);
    }
  }

  // Which of the words [first, end) after `class` is the name: the last word that is not a macro
  // after the name: class Name MACRO, class NAME MY_FINAL.
  std::size_t find_name(std::size_t first, std::size_t end) const {
    const auto is_plain = [&](const Word& word) {
      return !word.is_capitals && !is_one_of(text_of(word), kTags);
    };
    const auto begin = run_.begin();
    const auto plain = std::find_if(begin + static_cast<std::ptrdiff_t>(first),
                                    begin + static_cast<std::ptrdiff_t>(end), is_plain);
    const auto first_plain = static_cast<std::size_t>(plain - begin);
    std::size_t name = end - 1;
    for (; name > first && run_[name].is_capitals; --name) {
      const std::string_view text = text_of(run_[name]);
      const bool is_final = (text.ends_with("FINAL") || text.ends_with("SEALED")) &&
                            !is_one_of(text_of(run_[name - 1]), kTags);
      if (!is_final && first_plain >= name) break;
    }
    return name;
  }

  // True for a declaration: Type name MACRO
  bool ends_with_name() const {
    if (run_.size() < 2 || has_statement_word()) return false;
    const auto is_name = [&](const Word& word) {
      return !is_one_of(text_of(word), kQualifiers) && !is_one_of(text_of(word), kTypeWords);
    };
    const auto names = std::ranges::count_if(run_, is_name);
    const bool has_type = previous_ == '>' || std::ranges::any_of(run_, [&](const Word& word) {
                            return is_one_of(text_of(word), kTypeWords);
                          });
    const Word& name = run_[run_.size() - 2];
    const bool has_tag = std::ranges::any_of(
        run_, [&](const Word& word) { return is_one_of(text_of(word), kTags); });
    return names >= (has_type ? 2 : 3) && run_.back().is_capitals && !has_tag &&
           !name.is_capitals && is_name(name);
  }

  void blank_words(char next) {
    const auto opener = std::ranges::find_if(
        run_, [&](const Word& word) { return is_one_of(text_of(word), kOpeners); });
    if (opener != run_.end()) {
      // MACRO class Name
      for (auto word = run_.begin(); word != opener; ++word) {
        if (word->is_capitals) blank(*word);
      }
      // class MACRO Name {
      auto last = run_.end() - 1;
      if (text_of(*last) == "final" && last != opener) --last;
      if (is_one_of(text_of(*opener), kTags) && (next == '{' || next == ':')) {
        const std::size_t first = static_cast<std::size_t>(opener - run_.begin()) + 1;
        const std::size_t end = static_cast<std::size_t>(last - run_.begin()) + 1;
        const std::size_t name = find_name(first, end);
        for (std::size_t i = first; i < end; ++i) {
          if (i != name && run_[i].is_capitals) blank(run_[i]);
        }
        classes_.insert(text_of(run_[name]));
        return;
      }
      if (is_one_of(text_of(*opener), kTags)) return;
      // extern template: the grammar does not accept it for functions.
      if (run_.size() > 1 && text_of(run_[0]) == "extern" && text_of(run_[1]) == "template") {
        blank(run_[0]);
      }
    }
    const bool is_alone = run_.size() == 1 && run_.front().is_capitals;
    if (is_alone && next == '#' && (previous_ == '\0' || previous_ == ';' || previous_ == '}')) {
      blank(run_.front());
      return;
    }
    // MACRO { ... }, a block; MACRO:, which replaces private:
    const bool is_behind = previous_ == ';' || previous_ == '{' || previous_ == '}';
    if (is_alone && is_behind && (next == '{' || next == ':')) {
      blank(run_.front().begin, next == ':' ? at_ + 1 : run_.front().end);
      return;
    }
    // MACRO public: and public slots:
    const auto access = std::ranges::find_if(
        run_, [&](const Word& word) { return is_one_of(text_of(word), kAccess); });
    if (next == ':' && access != run_.end()) {
      for (auto word = run_.begin(); word != run_.end(); ++word) {
        if (word > access || (word < access && word->is_capitals)) blank(*word);
      }
      return;
    }
    // MACRO, then return on the next line.
    if (run_.size() > 1 && braces_ > 0 && run_.front().is_capitals &&
        text_of(run_[1]) == "return" && is_line_between(run_.front().end, run_[1].begin)) {
      blank(run_.front());
      return;
    }
    // The rest of a struct's members: { FIELDS }, MORE_FIELDS }
    const bool are_macros = next == '}' && std::ranges::all_of(run_, &Word::is_capitals);
    if (are_macros && (run_.size() > 1 || begins_class_ || previous_ == ';' || previous_ == '}')) {
      for (Word& word : run_) blank(word);
      return;
    }
    if ((next == ';' || next == '=' || next == ',' || next == ')') && ends_with_name()) {
      blank(run_.back());
      run_.pop_back();
    }
    // A type and a name must remain; before < the name follows.
    auto count = std::ranges::count_if(run_, [&](const Word& word) {
      return !word.is_blanked && !is_one_of(text_of(word), kQualifiers);
    });
    if (next == '<') ++count;
    const std::size_t names = run_.size() - (next == '<' ? 0 : 1);
    for (std::size_t i = 0; i < names && count > 2; ++i) {
      if (!run_[i].is_capitals || run_[i].is_blanked) continue;
      blank(run_[i]);
      --count;
      const bool is_sure = i + 1 < run_.size() && !run_[i + 1].is_capitals &&
                           !is_one_of(text_of(run_[i + 1]), kQualifiers);
      if (is_sure) macros_.insert(text_of(run_[i]));
    }
    // A constructor or destructor, if it is not a type.
    for (std::size_t i = 0; i < run_.size(); ++i) {
      const bool is_before_name = next == '(' && i + 1 < run_.size();
      if (run_[i].is_capitals && !run_[i].is_blanked && (is_before_name || next == '~')) {
        const std::string_view name = is_before_name ? text_of(run_[i + 1]) : std::string_view();
        if (is_constructor(name) || (next == '~' && is_statement_start())) {
          blank(run_[i]);
        } else {
          doubtful_.push_back({run_[i], name});
        }
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Word> run_;
  bool joins_ = false;  // the next word continues the last one: a::b
  bool is_line_start_ = true;
  int parentheses_ = 0, angles_ = 0;  // open ones
  int braces_ = 0;                    // open ones
  int unclosed_ = 0;                  // those that branches close elsewhere
  struct Condition {
    ByteRange directive;         // #if
    bool is_within = false;      // in a declaration
    int braces = 0;              // open before it
    int opened = 0;              // by its first branch
    bool is_alike = true;        // other branches open as many
    std::size_t first_else = 0;  // the begin of its first #else
    std::size_t other = 0;       // the begin of the blanked part, if any
  };
  std::vector<Condition> conditions_;  // open ones
  bool is_behind_template_ = false;    // until its declaration begins
  bool in_initialisers_ = false;       // of a constructor: A() : a(1)
  bool begins_class_ = false;          // the run is the first of its body
  bool is_expression_ = false;         // the statement contains = or ?
  bool is_declaration_ = false;        // the statement began as Type name(
  char previous_ = '\0';               // the character before the run
  std::vector<ByteRange> blanked_;
  std::unordered_set<std::string_view> macros_;   // found before a type
  std::unordered_set<std::string_view> classes_;  // defined in the text
  struct Doubtful {
    Word word;
    std::string_view name;  // the name after it, if any
  };
  std::vector<Doubtful> doubtful_;     // to be blanked if they are in the sets above
  std::vector<ByteRange> parameters_;  // macros that are a template's parameter
  std::vector<std::size_t> commas_;    // to be replaced by =
  std::vector<std::size_t> sections_;  // `signals`, to be replaced by public
};

}  // namespace

std::optional<BlankedText> blank_macros(std::string_view text) { return Blanker(text).run(); }

}  // namespace codexmem::parse
