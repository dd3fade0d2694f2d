// parse/text/doc_text.h - reads the text of a documentation comment word by word.
//
// Internal to parse; used by parse/text/jsdoc.cpp for tags and by parse/text/jsdoc_types.cpp for
// types.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ascii.h"

namespace codexmem::parse {

class DocText {
 protected:
  DocText(std::string_view text, std::uint32_t begin, std::uint32_t end)
      : text_(text), at_(begin), end_(end) {}

  char peek() {
    skip_space();
    return at_ < end_ ? text_[at_] : '\0';
  }

  // Lines may begin with stars.
  void skip_space() {
    while (at_ < end_ && is_space(text_[at_])) {
      if (text_[at_++] != '\n') continue;
      while (at_ < end_ && is_space(text_[at_])) ++at_;
      while (at_ < end_ && text_[at_] == '*') ++at_;
    }
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::string_view word() {
    const std::uint32_t begin = at_;
    while (at_ < end_ && is_identifier_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool take_word(std::string_view wanted) {
    skip_space();
    const std::uint32_t begin = at_;
    if (word() == wanted) return true;
    at_ = begin;
    return false;
  }

  // Moves after the next sign that begins a tag: first in its line, or after another tag.
  bool next_tag() {
    bool is_first = true;
    for (; at_ < end_; ++at_) {
      const char c = text_[at_];
      if (c == '@' && is_first) {
        ++at_;
        return true;
      }
      if (c == '\n') {
        is_first = true;
      } else if (!is_space(c) && c != '*') {
        is_first = false;
      }
    }
    return false;
  }

  // The place after the closing bracket for the one at `at_`; end_ if it is not closed.
  std::uint32_t closing() const {
    int depth = 0;
    for (std::uint32_t at = at_; at < end_; ++at) {
      switch (text_[at]) {
        case '{':
        case '(':
        case '[':
          ++depth;
          break;
        case '}':
        case ')':
        case ']':
          if (--depth == 0) return at + 1;
          break;
        case '"':
        case '\'':
          if (const std::size_t end =
                  text_.substr(0, end_).find_first_of(text_[at] == '"' ? "\"\n" : "'\n", at + 1);
              end != std::string_view::npos && text_[end] != '\n') {
            at = static_cast<std::uint32_t>(end);
          }
          break;
        default:
          break;
      }
    }
    return end_;
  }

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t end_;
};

}  // namespace codexmem::parse
