// parse/symbols.h - the symbols of a file: what can be asked for by name.
//
// Internal to parse. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "parse/assignments.h"
#include "parse/builder.h"
#include "parse/function_terms.h"
#include "parse/intern.h"
#include "parse/jsdoc.h"
#include "parse/modifiers.h"
#include "parse/terms.h"

namespace codexmem::parse {

/// Keys of configuration that are symbols: so many levels, and so many of a file. Where a level
/// would make them more, the file has one level less. Source: own measurement,
/// docs/design/parse.md.
inline constexpr std::uint32_t kMostKeyLevels = 3;
inline constexpr std::size_t kMostKeys = 500;

/// A symbol that is to be added.
struct NewSymbol {
  SymbolType type = SymbolType::kVariable;
  std::string_view kind = {};
  std::string_view name = {};
  ByteRange name_range = {};
  std::string_view container = {};  // the type that it belongs to, where it is written elsewhere
  Node body = {};
  Node value = {};
  bool is_pushed = true;           // what follows inside the node has it as parent
  bool is_scoped = false;          // enum class
  bool is_private = false;         // nothing but its kind of declaration says so: defp
  bool is_name_only = false;       // its range is its name's: a loop's variable
  bool is_exported_apart = false;  // what adds it writes its export too
  // The parent, where it is not the innermost open symbol.
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
    key_levels_.clear();
  }
  /// Of keys in keys (kinds that begin with `key_`) those down to this level are symbols.
  void take_keys(std::uint32_t levels) { most_key_levels_ = levels; }
  /// True if there were more than kMostKeys of them; then not all are symbols.
  bool has_too_many_keys() const { return key_levels_.size() > kMostKeys; }
  /// The file's top level belongs to `name`.
  void set_package(std::string_view name) { package_ = name; }

  /// Adds what the node of frame `index` declares; the new symbol has no term.
  std::uint32_t add_symbol(std::uint32_t index, const NewSymbol& added);

  /// `namespace a::b`: a namespace for each word of `names`, the later ones in the earlier. With
  /// `takes_rest` what follows the node is in it, to the end of the node around.
  void declare_namespaces(std::uint32_t index, const Node& names, bool takes_rest);

  /// `package A::B;`: what follows is in the class B of A, to the next package or the end.
  void declare_package(std::uint32_t index, const Node& name);

  /// Gives it the term of its function, of what it stands for, of its annotation `type` or value.
  void set_term(std::uint32_t symbol, std::uint32_t index, const NewSymbol& added,
                const Node& type);

  // What patterns that fit the node of frame `index` declare.

  /// False where the pattern asks for a member or for what is outside functions, and it is not.
  bool declare(const Pattern& pattern, std::uint32_t index, const Captures& captures);
  /// The node of frame `index` is the body of what was declared last, if that is right before it.
  void join_body(std::uint32_t index);
  /// The body of frame `index` is a class that extends what the frame around it says.
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

  Surroundings& surroundings_;
  Assignments& assignments_;
  JsDoc& docs_;
  NodeTerms& nodes_;
  FunctionTerms& functions_;
  std::string_view package_;
  PairMap once_;  // (type, name) of what is declared once a file
  std::uint32_t most_key_levels_ = kMostKeyLevels;
  std::unordered_map<std::uint32_t, std::uint32_t> key_levels_;  // by symbol
  // The function whose clauses may go on.
  struct {
    std::uint32_t symbol = kNoIndex;
    std::uint32_t arity = 0;
  } clauses_;
};

}  // namespace codexmem::parse
