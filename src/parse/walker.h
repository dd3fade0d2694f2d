// parse/walker.h - one walk over a syntax tree that collects a file's facts.
//
// Internal to parse. The walk keeps a stack of frames, one a node on the way to the root; what a
// rule says (parse/rules.h) is looked up as a node is entered. Positions are what tie facts
// together while the walk goes on: the names in terms and definitions are kept as byte offsets and
// turned into indices by finish(), after occurrences are complete. Not thread-safe; reusable.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse/assignments.h"
#include "parse/comment_run.h"
#include "parse/fact_sink.h"
#include "parse/frame_stack.h"
#include "parse/function_terms.h"
#include "parse/jsdoc.h"
#include "parse/places.h"
#include "parse/rules.h"
#include "parse/source.h"
#include "parse/syntax.h"
#include "parse/terms.h"
#include "parse/term_table.h"

namespace codexmem::parse {

class Walker {
 public:
  /// The facts of `text`, whose tree has `root`, apart from its chunks. When `budget` is over they
  /// are those up to there, and truncated. The names in `beside`, which are not in `text`, are
  /// occurrences too: they stand at these places of the text called `original`.
  FileFacts walk(const Rules& rules, const Node& root, std::string_view text, const Budget& budget,
                 std::string_view original = {}, std::span<const ByteRange> beside = {});

 private:
  /// What one of C's declarators declares.
  struct Declared {
    ByteRange name;       // empty: nothing that has a name
    ByteRange container;  // what is written before it: a::b::
    bool is_function = false;
    Node function;  // the declarator with its parameters
  };

  struct NewSymbol {
    SymbolType type = SymbolType::kVariable;
    std::string_view kind;
    std::string_view name;
    ByteRange name_range;
    std::string_view container;  // the type that it belongs to, where it is written elsewhere
    Node body;
    Node value;
    bool is_pushed = true;      // what follows inside the node has it as parent
    bool is_name_only = false;  // its range is its name's: a loop's variable
    // The parent, where it is not the innermost open symbol.
    std::optional<std::uint32_t> parent;
  };

  struct Modifiers {
    std::vector<std::string> texts;
    std::uint32_t signature_begin = 0;
    std::uint32_t range_begin = 0;
    bool has_keyword = false;  // some are no decorators
    bool is_exported = false;
    bool is_default = false;
    bool is_private = false;
    std::string_view accessor;  // getter, setter, deleter
  };

  // walker.cpp: the walk.
  void visit(const Node& root, const Budget& budget);
  void reset(const Rules& rules, std::string_view text);
  bool enter(std::uint32_t index);
  void leave();
  void run(const Pattern& pattern, std::uint32_t index, const Captures& captures);
  const Fields& fields() const { return source_.rules().fields(); }
  const KindRules& rules_of(const Node& node) const { return source_.rules_of(node); }
  std::string_view text_of(const Node& node) const { return source_.text_of(node); }
  std::string_view text_of(ByteRange range) const { return source_.text_of(range); }

  // names.cpp: identifiers, bindings, scopes.
  void identifier(const Node& node, const KindRules& rules, Field field, Kind kind);
  void annotation_in_string(const Node& node);
  void bind_type_parameters(const Node& list);
  void push_scope(std::uint32_t index, ScopeKind kind, std::uint32_t begin);
  std::uint32_t function_scope() const;
  Role bind(Context context, const Node& node, std::uint32_t parent, std::uint32_t declarator,
            bool is_part, TermId term);
  std::string_view key_of_pattern(std::uint32_t parent, std::string_view name) const;
  void note_attribute(std::string_view name, ByteRange range, std::uint32_t parent,
                      std::uint32_t declarator);

  // symbols.cpp: what can be asked for by name.
  std::uint32_t add_symbol(std::uint32_t index, const NewSymbol& added);
  void declare(const Pattern& pattern, std::uint32_t index, const Captures& captures);
  void declare_list(const Pattern& pattern, std::uint32_t index, const Node& list);
  void set_term(std::uint32_t symbol, std::uint32_t index, const NewSymbol& added,
                const Node& type);
  void declare_parameter_property(std::uint32_t index, const Captures& captures);
  void declare_member(std::uint32_t index, const Captures& captures);
  void set_container(const NewSymbol& added, Symbol* symbol);

  // modifiers.cpp: what stands around the name of a symbol.
  Modifiers collect_modifiers(std::uint32_t index, ByteRange name_range);
  void read_modifiers(const Node& node, std::uint32_t end, Modifiers* modifiers) const;
  void read_decorator(const Node& node, Modifiers* modifiers) const;
  ByteRange signature(std::uint32_t index, const NewSymbol& added, std::uint32_t begin) const;
  ByteRange docstring(const NewSymbol& added, std::uint32_t begin) const;
  void note_comment(const Node& node);
  bool is_exported(const Symbol& symbol, const Modifiers& modifiers) const;

  // declarators.cpp: the declarations of C and C++.
  Declared read_declarator(Node declarator) const;
  void name_by_argument(Declared* declared) const;
  void declare_declarators(const Pattern& pattern, std::uint32_t index);
  void note_access(std::uint32_t index);
  std::string_view access_of(std::uint32_t index) const;
  bool is_guard(std::uint32_t index, std::string_view name) const;
  void names_in(std::string_view text, std::uint32_t begin);

  // modules.cpp: imports and exports.
  void add_module_fact(const Pattern& pattern, std::uint32_t index, const Captures& captures);
  std::uint32_t add_import(std::uint32_t index, ImportKind kind, const Node& source);
  void import_list(std::uint32_t index, std::uint32_t from_import);
  void import_specifier(std::uint32_t index, const Captures& captures);
  void import_declarator(std::uint32_t index, const Captures& captures, ImportKind kind);
  void export_from(std::uint32_t index, const Captures& captures, bool type_only);
  void export_specifier(std::uint32_t index, const Captures& captures);
  void export_value(std::uint32_t index, std::string_view exported, const Node& at,
                    const Node& value, bool commonjs);
  void export_all(const Captures& captures);

  Source source_;
  FactSink sink_;
  FrameStack frames_{sink_.facts()};
  const Builder base_{source_, sink_, frames_};
  Assignments assignments_{source_, sink_};
  TermMemo memo_;
  JsDoc docs_{base_};
  NodeTerms nodes_{base_, memo_, docs_, functions_};
  FunctionTerms functions_{base_, memo_, docs_, nodes_};
  Places places_{base_, docs_, nodes_, functions_};
  const FileFacts& facts_ = sink_.facts();
  TermTable& terms_ = sink_.terms();
  std::vector<Node> sibling_decorators_;
  std::uint32_t sibling_decorators_frame_ = 0;
  struct PendingReexport {
    const void* call = nullptr;
    std::uint32_t export_index = 0;
  };
  std::vector<PendingReexport> pending_reexports_;
  std::vector<const void*> imported_calls_;  // calls that a declarator's import stands for
  CommentRun comments_;
  std::string_view package_;  // the file's
  std::uint32_t error_depth_ = 0;
  Captures captures_;
};

}  // namespace codexmem::parse
