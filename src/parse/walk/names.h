// parse/walk/names.h - handles identifiers: bindings, uses, and scopes.
//
// Internal to parse. Stateless between calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parse/walk/assignments.h"
#include "parse/walk/builder.h"
#include "parse/terms/function_terms.h"
#include "parse/walk/nominal.h"
#include "parse/walk/places.h"
#include "parse/walk/symbols.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {

class NameBuilder : private Builder {
 public:
  NameBuilder(const Builder& base, SymbolBuilder& symbols, Assignments& assignments,
              NodeTerms& nodes, FunctionTerms& functions, Places& places, NominalBuilder& nominal)
      : Builder(base),
        symbols_(symbols),
        assignments_(assignments),
        nodes_(nodes),
        functions_(functions),
        places_(places),
        nominal_(nominal) {}

  /// Handles the identifier `node`, a child of the innermost frame in `field`.
  void identifier(const Node& node, const KindRules& rules, Field field, Kind kind);
  /// A forward reference: the names in the quotes, separated by dots, each the receiver of the
  /// next.
  /// `is_quoted`: of code that is made for another place, of which no name is known here.
  void token(std::string_view name, ByteRange range, bool is_quoted = false);
  /// The macro that the node of frame `index` defines has the occurrence kRustPaste if it puts
  /// names together.
  void note_pasting(std::uint32_t index);
  /// True for tokens in the innermost tree `tree`, a frame, of quote! { ... }.
  bool is_in_quote(std::uint32_t tree) const;
  void annotation_in_string(const Node& node);
  /// Adds members named in the captured strings; `is_own`: of the enclosing class.
  void members_in_strings(const Captures& captures, bool is_own, Role role);
  void path_in_string(const Node& node);
  /// The path of an attribute in Rust, which names a macro unless the attribute is built in.
  void attribute(const Node& node);
  /// In the innermost frame's node, adds a call of the member `called` ("plus") of @value. The call
  /// is written as a sign, at @name or after the operand. "SIGN" at the end of `called` is replaced
  /// with the sign's own text, "ASSIGNED" with that text without its "=". A prefix restricts it:
  /// "bound." to operands that are not a name or name a variable, "read." to reads, "known." to
  /// operands of known type; "static." also passes the operand, and with "any." the arguments are
  /// unknown.
  void use_by_syntax(std::string_view called, const Captures& captures);
  /// Adds the names in text at byte `begin` that the grammar does not parse.
  void names_in(std::string_view text, std::uint32_t begin);
  /// Adds the words of `listed` and of later children of `node` of the same kind, or without
  /// `listed` the words of `node`; blanks separate them, or "::" if each is a part of the previous
  /// one.
  void words(const Node& node, const Node& listed, WordSort sort);
  /// Binds the @name that the node of frame `index` declares; with `is_setter`, binds the value
  /// that a setter receives.
  void bind_receiver(std::uint32_t index);
  /// Adds the names in "... $name ...", which the grammar takes for text.
  void names_in_template(const Node& text);
  void bind_local(std::uint32_t index, const Captures& captures, bool is_setter);
  /// Python's [T, U: Bound].
  void bind_type_parameters(const Node& list);
  /// The node of frame `index` is a scope from byte `begin` on. With `is_inner`, it may be inside
  /// any scope except a function, whose block is the function's own scope.
  void open_scope(std::uint32_t index, ScopeKind kind, std::uint32_t begin, bool is_inner = false);

 private:
  void note_pastes(std::string_view text, std::uint32_t begin);
  TermId literal_around(std::uint32_t begin);
  void attribute_values(ByteRange range);
  void name_in_text(ByteRange range, bool is_path = false);
  void derived_names(ByteRange range);
  bool names_none(const Node& lambda) const;
  void words_of(ByteRange range, WordSort sort);
  void word(std::string_view written, WordSort sort);
  bool declares(std::string_view name) const;
  ReceiverKind receiver_by_sign(std::uint32_t begin, std::uint32_t* receiver) const;
  Role bind(Context context, const Node& node, std::uint32_t parent, const Declarator* declarator,
            bool is_part, TermId term);
  std::uint32_t function_scope() const;
  std::uint32_t seen_from(const Declarator* declarator, Context context) const;
  void declare_field(std::string_view name, ByteRange range, std::uint32_t parent, TermId given);
  std::string_view key_of_pattern(std::uint32_t parent, std::string_view name) const;
  bool is_bound(std::string_view name);
  bool may_hold_function(const Node& callee);
  bool has_known_value(TermId term, int depth = 0);
  bool name_has_known_value(std::uint32_t begin, int depth);
  std::optional<TermId> operands(const Captures& captures);
  TermId passed_by_syntax(const Node& node, const Captures& captures, TermId value, bool is_static);
  std::uint32_t scope_binding(NameId name) const;
  void declare_own(std::string_view name, ByteRange range, std::uint32_t parent, const Node& node,
                   Field field, Kind kind, std::uint32_t position, const Declarator* declarator);
  void note_attribute(std::string_view name, ByteRange range, std::uint32_t parent,
                      const Declarator* from);

  SymbolBuilder& symbols_;
  Assignments& assignments_;
  NodeTerms& nodes_;
  FunctionTerms& functions_;
  Places& places_;
  NominalBuilder& nominal_;
};

}  // namespace codexmem::parse
