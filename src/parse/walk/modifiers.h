// parse/walk/modifiers.h - reads the parts around a symbol's name: modifiers, decorators, access,
// signature, documentation.
//
// Internal to parse. Comments and decorators are noted as the walk meets them, before the symbol
// that they belong to. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/text/comment_run.h"

namespace codexmem::parse {

/// Maximum number of statements around a declaration that belong to it; a CSS selector may have
/// more.
inline constexpr std::uint32_t kMaxWrappers = 64;

struct Modifiers {
  std::vector<std::string> texts;
  std::uint32_t signature_begin = 0;
  std::uint32_t range_begin = 0;
  bool has_keyword = false;  // some are not decorators
  bool is_exported = false;
  bool is_default = false;
  bool is_private = false;
  std::string_view accessor;  // getter, setter, deleter
};

class Surroundings : private Builder {
 public:
  explicit Surroundings(const Builder& base) : Builder(base) {}

  /// Begins a new file.
  void reset();

  void note_comment(ByteRange comment) { comments_.note(comment); }
  /// `text` documents the next declaration, if at most `gap` bytes and white space are between.
  void note_documentation(ByteRange text, std::uint32_t gap) {
    documentation_ = text;
    documentation_gap_ = gap;
  }
  /// Frame `index` is a decorator of the next sibling.
  void note_decorator(std::uint32_t index);
  /// Frame `index` sets the access of the following siblings: private: in a class's body.
  void note_access(std::uint32_t index);

  // For the symbol that the node of frame `index` declares:

  Modifiers collect_modifiers(std::uint32_t index, ByteRange name_range) const;
  /// Its default access there: public, private, protected; may be empty.
  std::string_view access_of(std::uint32_t index) const;
  /// The range from byte `begin` to the body, or to a long value.
  ByteRange signature(std::uint32_t index, const Node& body, const Node& value,
                      std::uint32_t begin) const;
  /// The documentation of the declaration at `begin`, with its name at `name_begin` and `body` if
  /// any.
  ByteRange docstring(const Node& body, std::uint32_t begin, std::uint32_t name_begin);
  /// True if other files can see `symbol`, as far as it is known before the end of the file.
  bool is_exported(const Symbol& symbol, const Modifiers& modifiers) const;

 private:
  bool is_in_unnamed_namespace() const;
  void read_modifiers(const Node& node, std::uint32_t end, Modifiers* modifiers) const;
  void read_decorator(const Node& node, Modifiers* modifiers) const;

  CommentRun comments_;
  ByteRange documentation_;
  std::uint32_t documentation_gap_ = 0;
  std::vector<Node> decorators_;         // the last ones, among siblings
  std::uint32_t decorators_parent_ = 0;  // their parent frame
};

}  // namespace codexmem::parse
