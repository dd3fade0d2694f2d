// parse/component_text.h - a text that is written over the text of a component, place by place.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace codexmem::parse {

/// The first place from `at` on that is not a space, at most the end.
std::size_t skip_spaces(std::string_view text, std::size_t at);

/// True for HTML's elements that have no end tag.
bool is_void_element(std::string_view name);

/// True for the characters of a component's name in a tag.
bool is_component_char(char c);

/// Where the bracket that is open before `at` is closed: } or ) or ]. Strings, templates and
/// comments are passed by. Nothing where it is not, or another closes first. Linear in what is
/// read.
std::optional<std::size_t> closing_bracket(std::string_view code, std::size_t at);

/// True if each bracket in `code` is closed in order. Strings are passed by.
bool is_balanced(std::string_view code);

/// What a component's reader writes: at first spaces, of the text's length, with its line breaks.
class ComponentText {
 public:
  explicit ComponentText(std::string_view text);

 protected:
  /// The characters of the text in [begin, end).
  void copy(std::size_t begin, std::size_t end);

  /// Writes `c` where nothing is written and markup stood.
  void put_if_free(std::size_t at, char c);

  /// Writes `words` where all that is free; else false.
  bool put_if_all_free(std::size_t at, std::string_view words);

  /// Moves `at` behind the comment of HTML that begins there, if one does.
  bool skip_comment(std::size_t& at) const;

  /// Starts again: all is spaces.
  void clear();

  /// What lies between two parts that something is copied from has ended.
  void end_gap(std::size_t end) { gaps_.emplace_back(gap_begin_, end); }

  /// Exports something anonymous, in a gap that has room for it.
  void add_default();

  std::string_view text_;
  std::string out_;
  std::size_t gap_begin_ = 0;

 private:
  bool put_in_gap(std::initializer_list<std::string_view> words);
  std::size_t find_free(std::size_t at, std::size_t end, std::size_t size) const;

  std::vector<std::pair<std::size_t, std::size_t>> gaps_;
};

/// script_of_component() of the two kinds.
std::string script_of_vue(std::string_view text, bool with_markup);
std::string script_of_svelte(std::string_view text, bool with_markup);

}  // namespace codexmem::parse
