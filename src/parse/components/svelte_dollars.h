// parse/components/svelte_dollars.h - `$store` and runes in the code of a Svelte component.
//
// Owns nothing; the text outlives it. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::parse {

/// Finds the next of some characters. Its time is linear in the text while the places asked for
/// rise.
class NextOf {
 public:
  NextOf(std::string_view text, std::string_view characters)
      : text_(text), characters_(characters) {}

  /// The first of the characters at `at` or behind it; npos without one.
  std::size_t from(std::size_t at) {
    if (at < from_ || at > next_) {
      from_ = at;
      next_ = text_.find_first_of(characters_, at);
    }
    return next_;
  }

 private:
  std::string_view text_, characters_;
  std::size_t from_ = std::string_view::npos, next_ = 0;  // of the last search
};

class SvelteDollars {
 public:
  explicit SvelteDollars(std::string_view text);

  /// In `out`, a copy of the text's range from `begin` to `end` in its place: blanks the dollar of
  /// a store, and a rune that only passes its argument on: $state<T>(value) becomes <T>(value).
  void blank(std::string& out, std::size_t begin, std::size_t end);

 private:
  void open_rune(std::string& out, std::size_t at, std::size_t behind);
  char at_or_blank(std::size_t at) const { return at < text_.size() ? text_[at] : ' '; }

  std::string_view text_;
  NextOf type_end_, bracket_;
};

}  // namespace codexmem::parse
