// parse/walk/symbols.h - the symbols of a file: definitions that can be looked up by name.
//
// Internal to parse. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "parse/walk/assignments.h"
#include "parse/walk/builder.h"
#include "parse/terms/function_terms.h"
#include "parse/walk/intern.h"
#include "parse/text/jsdoc.h"
#include "parse/walk/modifiers.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {

/// Limits for configuration keys as symbols: the number of levels, and the number per file. If a
/// level would exceed the second limit, the file has one level less. Source: own measurement,
/// docs/how-it-works.md, "Parse".
inline constexpr std::uint32_t kMaxKeyLevels = 3;
inline constexpr std::size_t kMaxKeys = 500;

/// A symbol to be added.
struct NewSymbol {
  SymbolType type = SymbolType::kVariable;
  std::string_view kind = {};
  std::string_view name = {};
  ByteRange name_range = {};
  std::string_view container = {};  // the type that it belongs to, if it is written outside that
                                    // type
  Node body = {};
  Node value = {};
  bool is_pushed = true;           // symbols inside the node have it as parent
  bool is_scoped = false;          // enum class
  bool is_private = false;         // its declaration keyword makes it private: defp
  bool is_name_only = false;       // its range is its name: a loop's variable
  bool is_exported_apart = false;  // the caller adds its export
  // The parent, if it is not the innermost open symbol.
  std::optional<std::uint32_t> parent = {};
};

class SymbolBuilder : private Builder {
 public:
  SymbolBuilder(const Builder& base, Surroundings& surroundings, Assignments& assignments,
                JsDoc& docs, NodeTerms& nodes, FunctionTerms& functions)
      : Builder(base),
        surroundings_(surroundings),
        assignments_(assignments),
        docs_(docs),
        nodes_(nodes),
        functions_(functions) {}

  /// Begins a new file.
  void reset() {
    package_ = {};
    clauses_ = {};
    once_.clear();
    macros_.clear();
    key_levels_.clear();
  }
  /// Nested keys (kinds that begin with `key_`) are symbols down to this level.
  void take_keys(std::uint32_t levels) { most_key_levels_ = levels; }
  /// True if there were more than kMaxKeys of them; the rest are not symbols.
  bool has_too_many_keys() const { return key_levels_.size() > kMaxKeys; }
  /// The file's top level belongs to `name`.
  void set_package(std::string_view name) { package_ = name; }

  /// Adds the declaration at frame `index`; the new symbol has no term.
  std::uint32_t add_symbol(std::uint32_t index, const NewSymbol& added);

  /// `namespace a::b`: adds a namespace for each word of `names`, each inside the previous one.
  /// With `takes_rest`, it also contains the code after the node, up to the end of the enclosing
  /// node.
  void declare_namespaces(std::uint32_t index, const Node& names, bool takes_rest);

  /// `package A::B;`: the following code is in the class B of A, up to the next package or the end.
  void declare_package(std::uint32_t index, const Node& name);

  /// Sets its term: its function, the aliased type, its annotation `type`, or its value.
  void set_term(std::uint32_t symbol, std::uint32_t index, const NewSymbol& added,
                const Node& type);

  // Declarations of patterns that match the node of frame `index`.

  /// False if the pattern requires a member or a place outside functions and the node is neither.
  bool declare(const Pattern& pattern, std::uint32_t index, const Captures& captures);
  /// The node of frame `index` is the body of the last declaration, if it directly follows it.
  void join_body(std::uint32_t index);
  /// The body at frame `index` is a class that extends the type named by the enclosing frame.
  void declare_anonymous(std::uint32_t index, bool is_whole);
  /// `node` is a call with arguments.
  void note_call(const Node& node);
  void declare_parameter_property(std::uint32_t index, const Captures& captures);
  /// X.y = value, X.prototype.y = value: a member of X, if X is declared in this file.
  void declare_member(std::uint32_t index, const Captures& captures);

 private:
  void declare_list(const Pattern& pattern, std::uint32_t index, const Node& list);
  void declare_each(const NewSymbol& like, std::uint32_t index, const Captures& captures);
  static void split_name(NewSymbol* added);
  void end_package(std::uint32_t index);
  bool takes_key(std::uint32_t index, std::string_view container, std::uint32_t* level) const;
  void set_container(const NewSymbol& added, Symbol* symbol);
  bool goes_on(std::uint32_t index, const NewSymbol& added, std::uint32_t arity);
  bool is_guarded(std::uint32_t index, std::string_view name) const;
  bool guards_file(const Node& condition) const;
  bool redefines(std::uint32_t index, std::string_view name);

  Surroundings& surroundings_;
  Assignments& assignments_;
  JsDoc& docs_;
  NodeTerms& nodes_;
  FunctionTerms& functions_;
  std::string_view package_;
  PairMap once_;  // declarations that are made once per file
  // The directives around all definitions of a macro up to the last one that replaces others.
  std::unordered_map<std::uint32_t, std::vector<const void*>> macros_;
  std::uint32_t most_key_levels_ = kMaxKeyLevels;
  std::unordered_map<std::uint32_t, std::uint32_t> key_levels_;  // by symbol
  // The function whose clauses may continue.
  struct {
    std::uint32_t symbol = kNoIndex;
    std::uint32_t arity = 0;
  } clauses_;
};

}  // namespace codexmem::parse
