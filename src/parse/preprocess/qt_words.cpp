// Tested by parse/macros_test.cpp.
#include "parse/preprocess/qt_words.h"

#include "base/text.h"
#include "parse/preprocess/macro_words.h"

namespace codexmem::parse {
namespace {

// True for "a(", "a->b(" and "this->a::b(" at `at`.
bool is_call(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t begin = at;
    while (at < text.size() && is_word_char(text[at])) ++at;
    if (at == begin) return false;
    at = behind_blanks(text, at);
    const std::string_view rest = text.substr(at);
    if (rest.starts_with('(')) return true;
    const std::size_t sign = rest.starts_with("->") || rest.starts_with("::") ? 2
                             : rest.starts_with('.')                          ? 1
                                                                              : 0;
    if (sign == 0) return false;
    at = behind_blanks(text, at + sign);
  }
}

}  // namespace

QtWord qt_word(std::string_view text, std::size_t begin, std::size_t end, std::string_view before) {
  const std::string_view word = text.substr(begin, end - begin);
  const auto is_before_colon = [&] {
    const std::string_view rest = text.substr(behind_blanks(text, end));
    return rest.starts_with(':') && !rest.starts_with("::");
  };
  if (word == "emit" || word == "Q_EMIT") {
    const std::size_t next = behind_blanks(text, end);
    const bool is_first = before.empty() || before == "else" || before == "do";
    return is_first && next > end && is_call(text, next) ? QtWord::kEmit : QtWord::kNone;
  }
  if (word == "slots" || word == "Q_SLOTS") {
    const bool is_behind = is_one_of(before, {"public", "protected", "private"});
    return is_behind && is_before_colon() ? QtWord::kSlots : QtWord::kNone;
  }
  if (word == "signals" || word == "Q_SIGNALS") {
    return before.empty() && is_before_colon() ? QtWord::kSignals : QtWord::kNone;
  }
  return QtWord::kNone;
}

}  // namespace codexmem::parse
