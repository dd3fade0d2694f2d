// parse/components/component_text.h - builds a text over the text of a component, place by place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/components/component_script.h"

namespace codexmem::parse {

/// The first place from `at` on that is not a space; at most the end of the text.
std::size_t skip_spaces(std::string_view text, std::size_t at);

/// True for HTML elements without an end tag.
bool is_void_element(std::string_view name);

/// True for names of HTML, SVG and MathML elements, and of Vue's own.
bool is_element(std::string_view name);

/// True for characters of a component's name in a tag.
bool is_component_char(char c);

/// The place of the } or ) or ] that closes the bracket opened before `at`. Strings, templates and
/// comments are skipped. Nothing if it is not closed, or another bracket closes first. Linear in
/// the text read.
std::optional<std::size_t> closing_bracket(std::string_view code, std::size_t at);

/// True if all brackets in `code` are closed in order. Strings are skipped.
bool is_balanced(std::string_view code);

/// A part of a text: [begin, end).
struct TextRange {
  std::size_t begin = 0, end = 0;
};

/// The first comma in `range` outside brackets, or the end of the range.
std::size_t first_comma_of(std::string_view code, TextRange range);

/// The begin of the parenthesis that ends at the end of `range`, or the end of the range.
std::size_t last_group_of(std::string_view code, TextRange range);

/// The last place of `word` in `range`, between spaces and outside brackets; npos if not found.
std::size_t last_word_of(std::string_view code, TextRange range, std::string_view word);

/// True for an identifier.
bool is_plain_name(std::string_view name);

/// The name with each hyphen removed and the letter after it capitalised: my-row is myRow. Empty if
/// the result is not an identifier.
std::string without_hyphens(std::string_view name);

/// The text that a component reader writes: initially spaces and the line breaks of the component,
/// with its length; pieces can be inserted.
class ComponentText {
 public:
  explicit ComponentText(std::string_view text);

 protected:
  /// Copies the characters of the component in [begin, end).
  void copy(std::size_t begin, std::size_t end);

  /// Overwrites [begin, end) with spaces, keeping line breaks.
  void blank(std::size_t begin, std::size_t end);

  /// Writes `c` to a place that is still blank and was markup.
  void put_if_free(std::size_t at, char c);

  /// Inserts `words` before the character at `at`.
  void put_in(std::size_t at, std::string_view words);

  /// Moves `at` after the HTML comment that begins there, if any.
  bool skip_comment(std::size_t& at) const;

  /// The name in a tag, which the calls for its attributes repeat.
  struct TagName {
    std::string name;            // empty: not a component
    std::size_t begin = 0;       // in the text
    std::size_t put_in = kNone;  // the inserted piece that contains it
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Inserts `;Row(` or `;Row(0,` before `at`; returns false if too much was inserted already.
  bool put_call(const TagName& tag, std::size_t at, std::string_view arguments);

  /// The number of inserted pieces; drop_pieces() goes back to such a number.
  std::size_t pieces() const { return put_in_.size(); }
  void drop_pieces(std::size_t from);

  /// Starts again with blank text.
  void clear();

  /// Exports the component as a function with the types of its props, of its events (if any) and
  /// of its exposed value. `before` is a declaration that it needs.
  void add_default(std::string_view given, std::string_view events, std::string_view gives,
                   std::string_view before);

  /// The finished text.
  ComponentScript finish();

  std::string_view text_;
  std::string out_;

 private:
  struct PutIn {
    std::size_t at = 0;
    std::string words;
    std::size_t copy_begin = 0, copy_size = 0;  // of a tag's name in them
    std::size_t copy_source = 0;                // its place in the text
    std::size_t copy_of = kNone;                // or the piece that contains it
  };
  std::vector<PutIn> put_in_;
  std::size_t put_in_size_ = 0;
};

/// script_of_component() for each kind.
ComponentScript script_of_vue(std::string_view text, bool with_markup);
ComponentScript script_of_svelte(std::string_view text, bool with_markup);

}  // namespace codexmem::parse
