// parse/component_text.h - a text that is written over the text of a component, place by place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/component_script.h"

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

/// A part of a text: [begin, end).
struct TextRange {
  std::size_t begin = 0, end = 0;
};

/// The first comma in `range` that is in no brackets, or the end of the range.
std::size_t first_comma_of(std::string_view code, TextRange range);

/// Where the parenthesis begins that ends with `range`, or the end of the range.
std::size_t last_group_of(std::string_view code, TextRange range);

/// Where `word` stands last in `range` between spaces and in no brackets; npos where it does not.
std::size_t last_word_of(std::string_view code, TextRange range, std::string_view word);

/// True for a name as code has it.
bool is_plain_name(std::string_view name);

/// The letters of a name with a hyphen before as capitals: my-row is myRow. Empty where that is no
/// plain name.
std::string without_hyphens(std::string_view name);

/// What a component's reader writes: at first spaces, of the text's length, with its line breaks,
/// and pieces that are put between.
class ComponentText {
 public:
  explicit ComponentText(std::string_view text);

 protected:
  /// The characters of the text in [begin, end).
  void copy(std::size_t begin, std::size_t end);

  /// Spaces in [begin, end), but line breaks.
  void blank(std::size_t begin, std::size_t end);

  /// Writes `c` where nothing is written and markup stood.
  void put_if_free(std::size_t at, char c);

  /// Puts `words` in before the character at `at`.
  void put_in(std::size_t at, std::string_view words);

  /// Moves `at` behind the comment of HTML that begins there, if one does.
  bool skip_comment(std::size_t& at) const;

  /// The name in a tag, as attributes repeat it.
  struct TagName {
    std::string name;            // empty: no component
    std::size_t begin = 0;       // in the text
    std::size_t put_in = kNone;  // which piece that was put in it is
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Puts in `;Row(` or `;Row(0,` before `at`, unless too much is: then false.
  bool put_call(const TagName& tag, std::size_t at, std::string_view arguments);

  /// How much was put in, and back to that.
  std::size_t pieces() const { return put_in_.size(); }
  void drop_pieces(std::size_t from);

  /// Starts again: all is spaces.
  void clear();

  /// Exports the component as a function: of what type what it is given and its events are (if it
  /// has some), what it gives. `before` is a declaration that it needs.
  void add_default(std::string_view given, std::string_view events, std::string_view gives,
                   std::string_view before);

  /// What was written.
  ComponentScript finish();

  std::string_view text_;
  std::string out_;

 private:
  struct PutIn {
    std::size_t at = 0;
    std::string words;
    std::size_t copy_begin = 0, copy_size = 0;  // of a name in them that is one of a tag
    std::size_t copy_source = 0;                // its place in the text
    std::size_t copy_of = kNone;                // or the piece that has it
  };
  std::vector<PutIn> put_in_;
  std::size_t put_in_size_ = 0;
};

/// script_of_component() of the two kinds.
ComponentScript script_of_vue(std::string_view text, bool with_markup);
ComponentScript script_of_svelte(std::string_view text, bool with_markup);

}  // namespace codexmem::parse
