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
#include "parse/rules.h"
#include "parse/source.h"
#include "parse/syntax.h"
#include "parse/term_memo.h"
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

  struct OpenFunction {
    std::uint32_t function = kNoIndex;  // its entry
    std::uint32_t frame = 0;
    bool has_results = false;  // they are collected
    std::size_t count = 0;
    std::array<TermId, kMaxResults> results{};
  };

  /// What documentation says of types.
  struct DocParameter {
    std::string_view name;
    TermId term = kNoIndex;
    bool is_optional = false;
    std::vector<ObjectKey> keys;  // @param {T} name.key
  };
  struct Doc {
    std::vector<DocParameter> parameters;
    TermId type = kNoIndex;
    TermId result = kNoIndex;
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
  void drop_self(std::uint32_t symbol, TermId function);
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

  // terms.cpp: how values come about and what types are.
  class StringType;
  TermId value_term(const Node& node) { return term_at(node, Side::kValue); }
  TermId type_term(const Node& node) { return term_at(node, Side::kType); }
  TermId term_at(const Node& node, Side side);
  TermId term_by(const std::vector<Pattern>& patterns, const Node& node, Side side);
  TermId term_of(const Pattern& pattern, const Node& node, const Captures& captures, Side side);
  TermId name_term(const Node& name, Side side);
  TermId call_term(const Pattern& pattern, const Node& node, const Captures& captures);
  TermId apply_term(TermId applied, const Node& list);
  TermId type_term_of_string(ByteRange range);
  TermId this_term();
  TermId supertype_term(std::uint32_t offset);
  bool is_self(const Node& node) const;
  bool is_own_class(const Node& node) const;
  void narrow(const Node& condition, ByteRange range);

  // function_terms.cpp: functions and objects.
  TermId function_term(const Node& node);
  TermId object_term(const Node& node, bool signatures_only);
  TermId setter_term(TermId function) const;
  void add_parameters(const Node& list, std::uint32_t index, Function* function);
  void add_entry(EntrySort sort, const Node& node, const Captures& captures, bool signatures_only,
                 Object* object);
  void open_function(std::uint32_t index, std::uint32_t symbol);
  void close_function();
  void note_result(const Node& value);
  void note_yield(const Node& value, bool is_from);

  // places.cpp: what a node's place says of it.
  TermId term_of(const Declarator& declarator);
  TermId taken(std::uint32_t index);
  TermId given(const EdgeRule* edge, std::uint32_t parent, const Node& node, std::uint32_t position,
               std::uint32_t declarator, Context context);
  TermId argument_term(std::uint32_t position, TermId call, TermId expected_of_call);
  std::uint32_t function_of_parameter(std::uint32_t parent, std::uint32_t* position) const;
  TermId parameter_term(std::uint32_t parent, std::uint32_t position);
  TermId documented_parameter(std::uint32_t parent, std::uint32_t position);
  TermId expected(std::uint32_t index);
  TermId expected_by(Expect expect, std::uint32_t parent, const Node& node, std::uint32_t position);
  TermId whole_of_key(std::uint32_t parent, const Node& key, Field field, Kind kind);
  std::uint32_t item_position(const Node& list, const Node& item) const;

  // jsdoc.cpp: types that documentation gives.
  class DocReader;
  ByteRange comment_before(std::uint32_t offset) const;
  const Doc* doc_in(ByteRange comment);
  const Doc* doc_of(std::uint32_t index);
  TermId documented_type(std::uint32_t index);
  TermId documented_type(const Node& node);
  TermId cast_type(const Node& node);
  void document(std::uint32_t function, const Doc& doc);
  void read_comment(ByteRange comment);

  Source source_;
  FactSink sink_;
  const FileFacts& facts_ = sink_.facts();
  TermTable& terms_ = sink_.terms();
  Assignments assignments_{source_, sink_};
  FrameStack frames_{facts_};
  std::vector<OpenFunction> functions_;  // innermost last
  std::vector<std::uint32_t> leading_;   // by function: parameters that stand for the receiver
  PairMap node_terms_;                   // what a node's term is, by its id
  std::vector<TermId> parts_;            // of the terms that are being made
  // Deeper expressions say nothing; ten thousand levels must not need as much stack.
  static constexpr int kMaxTermDepth = 48;
  int term_depth_ = 0;
  std::array<Captures, kMaxTermDepth + 1> term_captures_;  // by depth
  int place_depth_ = 0;
  const void* last_yield_ = nullptr;
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
  bool has_docs_ = false;     // some documentation gives types, perhaps
  std::vector<Doc> docs_;     // those that were read
  PairMap doc_by_end_;        // (end of the comment, 0) -> into docs_
  std::uint32_t error_depth_ = 0;
  Captures captures_;
};

}  // namespace codexmem::parse
