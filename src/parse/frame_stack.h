// parse/frame_stack.h - where the walk stands.
//
// Internal to parse. A frame for each node on the way from the root, and what is open around the
// innermost: scopes, symbols, and what members belong to. Whatever a frame opens closes with it.
// Not thread-safe; reusable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/facts.h"
#include "parse/rules.h"
#include "parse/syntax.h"

namespace codexmem::parse {

struct Frame {
  Node node;
  const KindRules* rules = nullptr;
  Field field = 0;
  Context context = Context::kNone;
  Value value_role = Value::kNone;  // what its value means for its parent
  bool is_part = false;             // below a destructuring pattern
  bool is_owned = false;
  bool is_exports_object = false;  // its keys are exports
  bool is_in_items = false;        // below a list, whose keys are those of items
  bool has_fixed_value = false;
  bool has_receiver = false;  // something stands before its dot
  bool pops_scope = false;
  bool pops_self = false;
  bool pops_container = false;
  std::string_view access;  // of members that follow, as the last access specifier says
  bool pops_function = false;
  bool counts_error = false;
  DeclarationSort declaration = DeclarationSort::kNone;
  bool has_taken = false;
  bool has_expected = false;
  ReceiverKind value = ReceiverKind::kOther;  // what it is, when it stands before a dot
  std::uint32_t value_occurrence = kNoIndex;
  ReceiverKind receiver = ReceiverKind::kOther;  // what stands before its dot
  std::uint32_t receiver_index = kNoIndex;       // an occurrence or a term
  std::uint32_t position = 0;                    // among its parent's named children
  std::uint32_t children = 0;                    // named ones that were met
  TermId taken = kNoIndex;                       // see Places
  TermId expected = kNoIndex;
  Node anonymous;             // what the class in its body extends
  bool is_anonymous = false;  // it has such a body
  std::uint32_t declarator = kNoIndex;
  std::uint32_t import = kNoIndex;
  std::uint32_t symbol = kNoIndex;  // declared by this node
  std::uint32_t pushed_symbols = 0;
  const void* typing_block = nullptr;  // the block that only type checkers read
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
  Node repeated_type;  // its own, else those of the declarator that it repeats
  Node repeated_value;
  bool is_late = false;             // see DeclaratorBits
  bool is_list = false;             // the type is that of an element: T... x, T x[]
  TermId documented = kNoIndex;     // its type, as documentation says
  std::uint32_t import = kNoIndex;  // the names come from this import
  std::string_view member = {};     // and are this member of it, if not empty
};

/// What stands around members that are written apart from their type: Rust's impl.
struct OpenContainer {
  std::string_view name;
  std::size_t depth = 0;   // symbols that were open
  bool is_public = false;  // its members are seen wherever the type is
};

class FrameStack {
 public:
  /// `facts` outlives this; scopes and symbols are indices into it.
  explicit FrameStack(const FileFacts& facts) : facts_(facts) {}

  /// Begins a new file, in scope 0.
  void reset();

  // ---- The frames, the root's first.

  bool empty() const { return frames_.empty(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(frames_.size()); }
  Frame& operator[](std::uint32_t index) { return frames_[index]; }
  const Frame& operator[](std::uint32_t index) const { return frames_[index]; }
  Frame& back() { return frames_.back(); }

  /// Enters a child of the innermost node.
  void push(const Node& node, const KindRules& rules, Field field, Kind kind);
  void pop();
  /// Closes the scope and the symbols that the frame opened.
  void close(std::uint32_t frame);

  /// What `edge` makes of a child of `parent`.
  Context context_of(const EdgeRule* edge, const Frame& parent, bool* is_part) const;
  /// The declarator that names in such a child of frame `parent` are declared by.
  std::uint32_t declarator_of(const EdgeRule* edge, std::uint32_t parent) const;
  /// Gives `parent` what a child is that has that role for its value; `index` is an occurrence or a
  /// term.
  static void give_value(Frame& parent, Value role, ReceiverKind value, std::uint32_t index);

  // ---- What frames open.

  void open_declarator(const Declarator& declarator);
  /// nullptr for kNoIndex; good until the next is opened.
  Declarator* declarator(std::uint32_t index) {
    return index == kNoIndex ? nullptr : &declarators_[index];
  }

  void open_scope(std::uint32_t frame, std::uint32_t scope);
  std::uint32_t scope() const { return scopes_.back(); }
  const std::vector<std::uint32_t>& scopes() const { return scopes_; }  // innermost last
  ScopeKind scope_kind() const { return facts_.scopes[scopes_.back()].kind; }

  void open_symbol(std::uint32_t frame, std::uint32_t symbol);
  /// The innermost open symbol; kNoIndex when there is none.
  std::uint32_t symbol() const { return symbols_.empty() ? kNoIndex : symbols_.back(); }
  const std::vector<std::uint32_t>& symbols() const { return symbols_; }  // innermost last
  /// Takes the innermost symbol away for a while, and puts it back.
  std::uint32_t hide_symbol();
  void show_symbol(std::uint32_t symbol) { symbols_.push_back(symbol); }

  /// `name` means the instance of the class that symbol `owner` is.
  void open_self(std::uint32_t frame, std::string_view name, std::uint32_t owner);
  bool is_self(std::string_view name) const { return !selves_.empty() && self() == name; }
  /// That name; empty when there is none.
  std::string_view self() const {
    return selves_.empty() ? std::string_view{} : selves_.back().name;
  }
  /// What `this` or `self` is an instance of: the class or interface around, or the function that
  /// is used as one; kNoIndex if nothing is.
  std::uint32_t own_class() const;

  void open_container(std::uint32_t frame, std::string_view name, bool is_public);
  /// What members that stand here belong to; nullptr when nothing says.
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
