// Terms of declarations in C and C++. Tested by golden_test.cpp (testdata/languages/c, cpp).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "parse/terms/declarators.h"
#include "parse/terms/function_terms.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kMaxPostfixes = 16;  // of a function's declarator

// The first child of that kind, among the first few; nothing for a kind that the grammar does not
// have.
Node child_of_kind(const Node& node, Kind kind) {
  const std::uint32_t count = std::min(named_child_count(node), kMaxPostfixes);
  for (std::uint32_t i = 0; kind != 0 && i < count; ++i) {
    const Node child = named_child(node, i);
    if (kind_of(child) == kind) return child;
  }
  return {};
}

}  // namespace

// The type comes from the type before the declarator or, for auto, from the value. Function
// declarators around the name make it the result of that function.
TermId NodeTerms::declared_term(const Node& whole, Node declarator) {
  const DeclaratorKinds& kinds = source_.rules().declarator_kinds();
  const Node type = child_by_field(whole, fields().type);
  const bool is_inferred = type && kind_of(type) == kinds.placeholder_type_specifier &&
                           kinds.placeholder_type_specifier != 0;
  TermId term = is_inferred ? inferred_term(whole, declarator) : type_term(type);
  for (int depth = 0; declarator && depth < kMaxTermDepth; ++depth) {
    const Kind kind = kind_of(declarator);
    if (kind == kinds.function_declarator ||
        (kind == kinds.abstract_function_declarator && kinds.qualified_identifier != 0)) {
      if (const Node result = child_of_kind(declarator, kinds.trailing_return_type)) {
        term = type_term(result);
      }
      term = functions_.declared_function(declarator,
                                          child_by_field(declarator, fields().parameters), term);
    }
    Node inner = child_by_field(declarator, fields().declarator);
    if (!inner && (kind == kinds.attributed_declarator || kind == kinds.parenthesized_declarator ||
                   kind == kinds.reference_declarator)) {
      inner = named_child(declarator, 0);
    }
    if (inner && is_made_name(source_, inner)) return term;
    declarator = inner;
  }
  return term;
}

// auto x = value, auto x{value}, for (auto x : values)
TermId NodeTerms::inferred_term(const Node& whole, const Node& declarator) {
  const Node looped = child_by_field(whole, fields().right);
  if (looped) return terms_.add(TermKind::kElement, kNoIndex, {value_term(looped)});
  Node value = child_by_field(declarator, fields().value);
  if (!value) value = child_by_field(whole, fields().value);
  if (!value) value = child_by_field(whole, fields().default_value);
  return value ? value_term(value) : kNoIndex;
}

void NodeTerms::note_made(const Node& made, const Node& list, bool in_function) {
  TermId type = type_term(made);
  if (type == kNoIndex) type = value_term(made);
  TermId named = type;
  while (named != kNoIndex && facts_.terms[named].kind == TermKind::kApply) {
    named = facts_.term_parts[facts_.terms[named].first_part];
  }
  const bool is_named = named != kNoIndex && (facts_.terms[named].kind == TermKind::kType ||
                                              facts_.terms[named].kind == TermKind::kName);
  if (!is_named) return;
  std::vector<TermId> parts = {type};
  bool is_made = true;
  if (list) {
    source_.each_child(list, kMaxMembers, [&](const Node& child, const KindRules& rules) {
      if (rules.parameter_patterns.empty()) {
        parts.push_back(value_term(child));
        return;
      }
      // A a(b): the grammar takes b for the type of a parameter.
      const Node value = child_by_field(child, fields().type);
      is_made = is_made && in_function && value && rules_of(value).is_identifier &&
                !child_by_field(child, fields().declarator);
      parts.push_back(value_term(value));
    });
  }
  if (!is_made) return;
  sink_.add_call({facts_.terms[named].at, terms_.add(TermKind::kNew, kNoIndex, parts)});
}

// $this->a becomes this.a.
NameId NodeTerms::tested_name(std::string_view text) {
  if (!source_.rules().folds_names()) return sink_.id_of(text);
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_arrow = text.substr(i).starts_with("->");
    if (is_arrow) ++i;
    if (is_arrow) name += '.';
    if (!is_arrow && text[i] != '$' && text[i] != '?') name += text[i];
  }
  return sink_.id_of_made(std::move(name));
}

}  // namespace codexmem::parse
