// parse/jsdoc.h - the types that JavaScript's and PHP's documentation gives.
//
// Internal to parse. Asked for what the comment before a node says of it; what a comment declares
// (@typedef, @import) is written down when the walk meets it. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/builder.h"

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

/// What one comment says of types.
struct Doc {
  std::vector<DocParameter> parameters;
  TermId type = kNoIndex;
  std::string_view type_name;  // of the variable that has it, if that is said
  TermId result = kNoIndex;
  std::vector<DocTemplate> templates;
  std::vector<TermId> supertypes;  // with their arguments: @extends A<B>
  std::uint32_t scope = kNoIndex;  // that has the templates
};

class JsDoc : private Builder {
 public:
  explicit JsDoc(const Builder& base) : Builder(base) {}

  /// Begins a new file.
  void reset();

  /// True if some documentation of the file may give types.
  bool any() const { return has_docs_; }
  /// True where documentation says more than what is declared: array and A[].
  bool are_surer() const { return has_docs_ && source_.rules().has_bare_comments(); }
  /// The type of the node of frame `index`, or of any node; kNoIndex if its comment has none.
  TermId documented_type(std::uint32_t index);
  TermId documented_type(const Node& node);
  /// The type that a comment before a cast's parenthesis gives: /** @type {T} */ (x).
  TermId cast_type(const Node& node);
  /// Gives the parameters and the result of function `function`, which is the node of frame
  /// `index`, the types that its comment says.
  void document(std::uint32_t function, std::uint32_t index);
  /// A comment that the walk meets.
  void read_comment(ByteRange comment);
  /// Declares the members and type parameters that `comment` gives the type that it documents.
  void declare_members(std::uint32_t type, ByteRange comment);
  /// The supertype of symbol `type` whose name is `name`, where its comment says its arguments.
  TermId supertype(std::uint32_t type, std::string_view name) const;

 private:
  ByteRange comment_before(std::uint32_t offset) const;
  const Doc* doc_in(ByteRange comment);
  const Doc* doc_of(std::uint32_t index);

  bool has_docs_ = false;
  std::vector<Doc> docs_;  // those that were read
  PairMap by_end_;         // (end of the comment, 0) -> into docs_
  PairMap by_type_;        // (symbol, 0) -> into docs_
};

}  // namespace codexmem::parse
