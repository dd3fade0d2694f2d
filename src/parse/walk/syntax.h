// parse/walk/syntax.h - wraps Tree-sitter for the rest of the folder: trees, nodes, cursors.
//
// Internal to parse. Only syntax.cpp includes Tree-sitter's headers. A Node is a plain value, valid
// as long as its Tree. Kinds and fields are the grammar's numbers, looked up once when the queries
// are compiled, so that hot code compares numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "text/ranges.h"
#include "parse/walk/budget.h"

namespace codexmem::parse {

/// A kind of node; 0 is no kind, kErrorKind marks text that the parser did not understand.
using Kind = std::uint16_t;
inline constexpr Kind kErrorKind = 0xFFFF;

/// A field of a node ("name", "body"); 0 is no field.
using Field = std::uint16_t;

/// A grammar of the build.
class Grammar {
 public:
  /// The grammar of the language `name`, or one whose valid() is false.
  static Grammar find(std::string_view language_name);

  bool valid() const { return raw_ != nullptr; }
  const void* raw() const { return raw_; }

  /// The number of kinds; each kind is smaller, except kErrorKind.
  std::size_t kind_count() const;
  /// The kind called `name`; 0 if the grammar does not have it.
  Kind kind(std::string_view name, bool named) const;
  std::string_view kind_name(Kind kind) const;
  bool is_named(Kind kind) const;
  Field field(std::string_view name) const;

  /// True if Tree-sitter itself accepts `source` as a query of this grammar; otherwise
  /// `error_offset` is the place of the error.
  bool accepts_query(std::string_view source, std::size_t* error_offset) const;

 private:
  const void* raw_ = nullptr;
};

struct Node {
  const void* id = nullptr;  // Tree-sitter's subtree; null for "no node"
  const void* tree = nullptr;
  ByteRange range;
  Kind kind = 0;
  Kind alias = 0;  // its kind, where its parent gives it another one

  explicit operator bool() const { return id != nullptr; }
};

inline Kind kind_of(const Node& node) { return node.kind; }
inline ByteRange range_of(const Node& node) { return node.range; }
/// The child of `node` in `field`; no node for field 0. No node has no children, here and below.
Node child_by_field(const Node& node, Field field);
/// The `index`-th named child; linear in `index`.
Node named_child(const Node& node, std::uint32_t index);
std::uint32_t named_child_count(const Node& node);
/// True for a node that the parser inserted to continue; it has no text.
bool is_missing(const Node& node);
/// True if the node has a missing one below it, or text that the parser did not understand.
bool has_error(const Node& node);

/// A walk over the children of a node, those included that the tree does not show: syntax.cpp.
struct Children {
  Node parent;
  const Kind* aliases;  // by their places; nullptr for none
  std::uint32_t count;
  std::uint32_t next = 0;        // the child after the one taken last
  std::uint32_t end;             // of the one taken last: where the next one's space begins
  std::uint32_t place = 0;       // of the one taken last, for fields; extras have none
  std::uint32_t next_place = 0;  // of the next one
};

/// Walks a tree without recursion; its memory grows only with the depth.
///
/// Tree-sitter's own cursor counts lines, columns and descendants at each step, which nothing here
/// needs: this one reads the same tree in half of its time.
class Cursor {
 public:
  explicit Cursor(const Node& node) : node_(node) {}

  /// Starts again at `node`, which it cannot leave.
  void reset(const Node& node);
  bool goto_first_child();
  bool goto_next_sibling();
  bool goto_parent();
  const Node& node() const { return node_; }
  Field field() const;

 private:
  // A node on the path to the current one.
  struct Level {
    Children children;
    bool is_hidden;  // the node is part of the grammar, not of the tree as shown
  };

  void open(const Node& node, bool is_hidden);
  bool next();

  std::vector<Level> levels_;
  Node node_;
};

class Arena;

/// A syntax tree and the memory that contains it.
class Tree {
 public:
  Tree() noexcept;
  ~Tree();
  Tree(Tree&& other) noexcept;
  Tree& operator=(Tree&& other) noexcept;

  explicit operator bool() const { return raw_ != nullptr; }
  Node root() const;

 private:
  friend Tree parse_text(Grammar grammar, std::string_view text, const Budget& budget);
  std::unique_ptr<Arena> arena_;
  const void* raw_ = nullptr;
};

/// The tree of `text`, or an empty one if parsing exceeds `budget` or a stop was requested. The
/// tree does not refer to `text` or `budget`.
Tree parse_text(Grammar grammar, std::string_view text, const Budget& budget);

}  // namespace codexmem::parse
