// parse/text/jsdoc.h - the types in the documentation of JavaScript and PHP.
//
// Internal to parse. It returns the types in the comment before a node; declarations in a comment
// (@typedef, @import) are made when the walk meets it. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/walk/builder.h"

namespace codexmem::parse {

struct DocParameter {
  std::string_view name;
  TermId term = kNoIndex;
  bool is_optional = false;
  std::vector<ObjectKey> keys;  // @param {T} name.key
};

/// @template T of Bound
struct DocTemplate {
  std::string_view name;
  std::uint32_t offset = 0;
  TermId bound = kNoIndex;
};

/// The types in one comment.
struct Doc {
  std::vector<DocParameter> parameters;
  TermId type = kNoIndex;
  std::string_view type_name;  // the variable that the type is for, if named
  TermId result = kNoIndex;
  std::vector<DocTemplate> templates;
  std::vector<TermId> supertypes;  // with their arguments: @extends A<B>
  std::uint32_t scope = kNoIndex;  // the scope that has the templates
};

class JsDoc : private Builder {
 public:
  explicit JsDoc(const Builder& base) : Builder(base) {}

  /// Begins a new file.
  void reset();

  /// True if some documentation of the file may give types.
  bool any() const { return has_docs_; }
  /// True if documentation is more precise than declarations: array and A[].
  bool are_surer() const { return has_docs_ && source_.rules().has_bare_comments(); }
  /// The documented type of the node of frame `index`, or of any node; kNoIndex if not documented.
  TermId documented_type(std::uint32_t index);
  TermId documented_type(const Node& node);
  /// The type in a comment before a cast's parenthesis: /** @type {T} */ (x).
  TermId cast_type(const Node& node);
  /// Sets the types of the parameters and the result of function `function`, the node of frame
  /// `index`, from its comment.
  void document(std::uint32_t function, std::uint32_t index);
  /// Reads a comment that the walk meets.
  void read_comment(ByteRange comment);
  /// Declares the members and type parameters in `comment`, which documents `type`.
  void declare_members(std::uint32_t type, ByteRange comment);
  /// The supertype `name` of symbol `type`, if its comment gives the type arguments.
  TermId supertype(std::uint32_t type, std::string_view name) const;

 private:
  ByteRange comment_before(std::uint32_t offset) const;
  const Doc* doc_in(ByteRange comment);
  const Doc* doc_of(std::uint32_t index);

  bool has_docs_ = false;
  std::vector<Doc> docs_;  // all that were read
  PairMap by_end_;         // (end of the comment, 0) -> into docs_
  PairMap by_type_;        // (symbol, 0) -> into docs_
};

}  // namespace codexmem::parse
