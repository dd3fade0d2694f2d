// parse/names.h - identifiers, and what they bind or use; scopes.
//
// Internal to parse. Stateless between calls.
#pragma once

#include <cstdint>
#include <string_view>

#include "parse/assignments.h"
#include "parse/builder.h"
#include "parse/function_terms.h"
#include "parse/nominal.h"
#include "parse/places.h"
#include "parse/symbols.h"
#include "parse/terms.h"

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

  /// The identifier `node`, a child of the innermost frame's in `field`.
  void identifier(const Node& node, const KindRules& rules, Field field, Kind kind);
  /// A forward reference: the names in the quotes, dots between them as receivers.
  void token(std::string_view name, ByteRange range);
  void annotation_in_string(const Node& node);
  /// The path of an attribute of Rust, which is a macro's unless the language knows its name.
  void attribute(const Node& node);
  /// The names in text that the grammar knows nothing of, which stands at byte `begin`.
  void names_in(std::string_view text, std::uint32_t begin);
  /// The words of `listed` and of the children of `node` behind it that are such as it, or without
  /// it those of `node`: blanks stand between them, or "::" where each is a part of the one before.
  void words(const Node& node, const Node& listed, WordSort sort);
  /// Binds the @name that the node of frame `index` declares, or with `is_given` the value that a
  /// setter is given.
  void bind_receiver(std::uint32_t index);
  /// The names of "... $name ..." that the grammar takes for text.
  void names_in_template(const Node& text);
  void bind_local(std::uint32_t index, const Captures& captures, bool is_given);
  /// Python's [T, U: Bound].
  void bind_type_parameters(const Node& list);
  /// The node of frame `index` is a scope from byte `begin` on; an inner one is below any but a
  /// function, whose block is the function's own.
  void open_scope(std::uint32_t index, ScopeKind kind, std::uint32_t begin, bool is_inner = false);

 private:
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
