// parse/terms/forms.h - reads the forms of Elixir: names, calls with their arity, imports.
//
// Internal to parse. In Elixir, everything is a call of a macro or function, so the meaning of a
// name depends on the forms around it, which the pattern of a single node cannot express. Symbols
// and scopes come from the queries as in other languages; this class reads the rest afterwards.
//
// The number of arguments of a call is the number of arguments in its term (FileFacts::calls),
// including a piped value; for a function it is the number of its parameters. `@name` uses the name
// space of tags. An alias is an import of the module that binds its name; `import` is one with
// `from_import`, `use` has kind kInclude, `require` has kind kRequire. A key of a struct is a
// written member of the struct's name.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parse/walk/builder.h"

namespace codexmem::parse {

class FormReader : private Builder {
 public:
  explicit FormReader(const Builder& base) : Builder(base) {}

  void reset();

  /// Reads `root`, a whole file's tree. Too deeply nested code is left out.
  void read(const Node& root);

 private:
  struct Grammar {
    Kind call, dot, alias, identifier, arguments, do_block, binary, unary, stab, keywords, pair,
        keyword, atom, map, map_content, structure, tuple, list, integer, body, block,
        anonymous_function, rescue_block, else_block, catch_block, after_block, string,
        operator_identifier;
    Field left, right, operation, target, key, value;
  };
  enum class Mode { kValue, kPattern, kType };

  // forms.cpp: the contents of forms.
  void visit(const Node& node, Mode mode, std::uint32_t piped = 0);
  void visit_children(const Node& node, Mode mode);
  void visit_scoped(const Node& node, Mode mode);
  void visit_call(const Node& node, Mode mode, std::uint32_t piped);
  void visit_remote(const Node& call, const Node& dot, Mode mode, std::uint32_t arity);
  void visit_binary(const Node& node, Mode mode);
  void visit_unary(const Node& node, Mode mode);
  void visit_capture(const Node& operand);
  void visit_attribute(const Node& operand);
  void visit_stab(const Node& node);
  void visit_map(const Node& node, Mode mode);
  void visit_identifier(const Node& node, Mode mode, std::uint32_t piped);
  void bind(const Node& name);

  // forms_definitions.cpp: definitions and imports.
  bool visit_special(const Node& call, std::string_view name);
  void define_function(const Node& call, std::string_view form);
  void define_head(const Node& head, std::string_view form);
  void define_module(const Node& call, std::string_view form);
  void read_directive(const Node& call, std::string_view form);
  void import_leaf(const Node& call, const Node& leaf, std::string_view prefix,
                   std::uint32_t before, std::string_view form, const Node& options);
  void read_import_list(const Node& list, std::uint32_t import, std::uint32_t module);
  void read_type(const Node& operand, std::string_view attribute);
  void define_fields(const Node& arguments);

  std::uint32_t add_alias(const Node& node, Role role, std::uint32_t before = kNoIndex);
  void add_call(const Node& name, std::uint32_t arity, Role role, ReceiverKind kind,
                std::uint32_t receiver);
  TermId call_term(std::uint32_t arity);
  bool is(const Node& node, Kind kind) const { return node && kind_of(node) == kind; }
  std::string_view operator_of(const Node& node) const;
  std::vector<Node> children_of(const Node& node) const;
  Node child_of(const Node& node, Kind kind) const;
  std::vector<Node> arguments_of(const Node& call) const;
  Node option(const Node& arguments, std::string_view key) const;
  std::uint32_t scope_at(std::uint32_t offset) const;
  std::uint32_t symbol_around(std::uint32_t offset) const;
  bool is_variable(std::string_view name) const;

  Grammar grammar_{};
  std::uint32_t depth_ = 0;
  std::uint32_t quotes_ = 0;
  std::vector<TermId> call_terms_;                          // by arity
  std::unordered_map<std::uint32_t, std::uint32_t> named_;  // symbols by where their names begin
  std::unordered_map<std::string_view, std::uint32_t> variables_;  // number of bindings of a name
  std::vector<std::string_view> bound_;                            // in order
  std::uint32_t last_alias_ = kNoIndex;  // the occurrence of the alias that was read last
};

}  // namespace codexmem::parse
