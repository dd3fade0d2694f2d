// parse/walk/frame_stack.h - the current place of the walk.
//
// Internal to parse. There is a frame for each node on the path from the root, plus the open
// scopes, symbols and owners of members. Closing a frame closes everything that it opened. Not
// thread-safe; reusable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/facts/facts.h"
#include "parse/rules/rules.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {

struct Frame {
  Node node;
  const KindRules* rules = nullptr;
  Field field = 0;
  Context context = Context::kNone;
  Value value_role = Value::kNone;  // the meaning of its value for its parent
  bool is_part = false;             // below a destructuring pattern
  bool is_owned = false;
  bool is_exports_object = false;  // its keys are exports
  bool is_in_items = false;        // below a list, whose keys are keys of its items
  bool has_fixed_value = false;
  bool has_receiver = false;  // there is an expression before its dot
  bool pops_scope = false;
  bool pops_self = false;
  bool pops_container = false;
  std::string_view access;  // of following members, from the last access specifier
  bool pops_function = false;
  bool counts_error = false;
  DeclarationSort declaration = DeclarationSort::kNone;
  bool has_taken = false;
  bool has_expected = false;
  ReceiverKind value = ReceiverKind::kOther;  // its kind, when it precedes a dot
  std::uint32_t value_occurrence = kNoIndex;
  ReceiverKind receiver = ReceiverKind::kOther;  // the kind of expression before its dot
  std::uint32_t receiver_index = kNoIndex;       // an occurrence or a term
  std::uint32_t position = 0;                    // among its parent's named children
  std::uint32_t children = 0;                    // named children met so far
  TermId taken = kNoIndex;                       // see Places
  TermId expected = kNoIndex;
  Node anonymous;             // the supertype of the class in its body
  bool is_anonymous = false;  // it has such a body
  std::uint32_t declarator = kNoIndex;
  std::uint32_t import = kNoIndex;
  std::uint32_t symbol = kNoIndex;  // declared by this node
  std::uint32_t pushed_symbols = 0;
  const void* typing_block = nullptr;  // its block that only type checkers read
};

/// A node that gives names a value or a type.
struct Declarator {
  std::uint32_t frame = 0;
  Node value;
  Node type;
  Node element;
  Node context;
  Node keys;
  Node ranged;
  Node repeated_type;  // its own type, or the repeated declarator's
  Node repeated_value;
  bool is_late = false;             // see DeclaratorBits
  bool is_list = false;             // the type is the type of an element: T... x, T x[]
  TermId documented = kNoIndex;     // its type from documentation
  std::uint32_t import = kNoIndex;  // the names come from this import
  std::string_view member = {};     // if not empty, the name of this member of it
};

/// A container of members written outside their type: Rust's impl.
struct OpenContainer {
  std::string_view name;
  std::size_t depth = 0;   // number of symbols that were open
  bool is_public = false;  // its members are visible wherever the type is
};

class FrameStack {
 public:
  /// `facts` must outlive this object; scopes and symbols are indices into it.
  explicit FrameStack(const FileFacts& facts) : facts_(facts) {}

  /// Begins a new file, in scope 0.
  void reset();

  // ---- The frames, root first.

  bool empty() const { return frames_.empty(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(frames_.size()); }
  Frame& operator[](std::uint32_t index) { return frames_[index]; }
  const Frame& operator[](std::uint32_t index) const { return frames_[index]; }
  Frame& back() { return frames_.back(); }

  /// Enters a child of the innermost node.
  void push(const Node& node, const KindRules& rules, Field field, Kind kind);
  void pop();
  /// Closes the scope and the symbols of the frame.
  void close(std::uint32_t frame);

  /// The context that `edge` gives to a child of `parent`.
  Context context_of(const EdgeRule* edge, const Frame& parent, bool* is_part) const;
  /// The declarator for names in such a child of frame `parent`.
  std::uint32_t declarator_of(const EdgeRule* edge, std::uint32_t parent) const;
  /// Passes the value of a child with that role to `parent`; `index` is an occurrence or a term.
  static void give_value(Frame& parent, Value role, ReceiverKind value, std::uint32_t index);

  // ---- Scopes and symbols that frames open.

  void open_declarator(const Declarator& declarator);
  /// nullptr for kNoIndex; valid until the next one is opened.
  Declarator* declarator(std::uint32_t index) {
    return index == kNoIndex ? nullptr : &declarators_[index];
  }

  void open_scope(std::uint32_t frame, std::uint32_t scope);
  std::uint32_t scope() const { return scopes_.back(); }
  const std::vector<std::uint32_t>& scopes() const { return scopes_; }  // innermost last
  ScopeKind scope_kind() const { return facts_.scopes[scopes_.back()].kind; }

  void open_symbol(std::uint32_t frame, std::uint32_t symbol);
  /// The innermost open symbol; kNoIndex if no symbol is open.
  std::uint32_t symbol() const { return symbols_.empty() ? kNoIndex : symbols_.back(); }
  const std::vector<std::uint32_t>& symbols() const { return symbols_; }  // innermost last
  /// Removes the innermost symbol temporarily, and restores it.
  std::uint32_t hide_symbol();
  void show_symbol(std::uint32_t symbol) { symbols_.push_back(symbol); }

  /// `name` refers to an instance of the class of symbol `owner`.
  void open_self(std::uint32_t frame, std::string_view name, std::uint32_t owner);
  bool is_self(std::string_view name) const { return !selves_.empty() && self() == name; }
  /// That name; empty outside such a class.
  std::string_view self() const {
    return selves_.empty() ? std::string_view{} : selves_.back().name;
  }
  /// The class of `this` or `self`: the enclosing class or interface, or the function that is used
  /// as a class; otherwise kNoIndex.
  std::uint32_t own_class() const;

  void open_container(std::uint32_t frame, std::string_view name, bool is_public);
  /// The owner of members at this place; nullptr if nothing specifies it.
  const OpenContainer* container() const;

 private:
  struct SelfName {
    std::string_view name;
    std::uint32_t symbol = kNoIndex;  // the class
  };

  const FileFacts& facts_;
  std::vector<Frame> frames_;
  std::vector<Declarator> declarators_;
  std::vector<std::uint32_t> scopes_;
  std::vector<std::uint32_t> symbols_;
  std::vector<SelfName> selves_;
  std::vector<OpenContainer> containers_;
};

}  // namespace codexmem::parse
