// The rules of a language, and how a pattern is matched.
//
// Matching reads only the fields and children that a pattern names, so it costs a few field
// look-ups, on the few kinds of node that have patterns. Children without a field are matched in
// order: each takes the first matching child after the previous one's. Tested by rules_test.cpp.
#include "parse/rules/rules.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "parse/rules/grammar_table.h"

namespace codexmem::parse {

std::string Rules::query_text(std::string_view language_name) {
  for (const GrammarRow& row : grammar_table()) {
    if (row.language == language_name) return std::string(row.queries_begin, row.queries_end);
  }
  return {};
}

Rules::Rules(const Language& language)
    : grammar_(Grammar::find(language.name)),
      doc_style_(DocStyle::kPrecedingComment),
      visibility_(language.visibility) {
  CODEXMEM_CHECK(grammar_.valid());
  kinds_.resize(grammar_.kind_count() + 1);
  for (std::size_t kind = 0; kind + 1 < kinds_.size(); ++kind) {
    kinds_[kind].is_named = grammar_.is_named(static_cast<Kind>(kind));
  }
  kinds_.back().is_named = true;
  const auto kind = [&](std::string_view name) { return grammar_.kind(name, true); };
  const auto field = [&](std::string_view name) { return grammar_.field(name); };
  fields_ = {.body = field("body"),
             .name = field("name"),
             .alias = field("alias"),
             .key = field("key"),
             .return_type = field("return_type"),
             .parameters = field("parameters"),
             .type_parameters = field("type_parameters"),
             .type = field("type"),
             .type_arguments = field("type_arguments"),
             .parameter = field("parameter"),
             .constraint = field("constraint"),
             .value = field("value"),
             .left = field("left"),
             .right = field("right"),
             .receiver = field("receiver"),
             .property = field("property"),
             .declarator = field("declarator"),
             .default_value = field("default_value"),
             .condition = field("condition"),
             .dimensions = field("dimensions"),
             .object_pattern = kind("object_pattern"),
             .assignment_pattern = kind("assignment_pattern"),
             .has_keyword_parameters = kind("keyword_separator") != 0};
  if (fields_.return_type == 0) fields_.return_type = field("result");
  if (fields_.return_type == 0) fields_.return_type = field("returns");
  if (fields_.key == 0) fields_.key = field("designator");
  declarator_kinds_ = {.identifier = kind("identifier"),
                       .field_identifier = kind("field_identifier"),
                       .type_identifier = kind("type_identifier"),
                       .primitive_type = kind("primitive_type"),
                       .operator_name = kind("operator_name"),
                       .operator_cast = kind("operator_cast"),
                       .destructor_name = kind("destructor_name"),
                       .qualified_identifier = kind("qualified_identifier"),
                       .template_function = kind("template_function"),
                       .template_method = kind("template_method"),
                       .function_declarator = kind("function_declarator"),
                       .parenthesized_declarator = kind("parenthesized_declarator"),
                       .reference_declarator = kind("reference_declarator"),
                       .init_declarator = kind("init_declarator"),
                       .attributed_declarator = kind("attributed_declarator"),
                       .parameter_list = kind("parameter_list"),
                       .macro_type_specifier = kind("macro_type_specifier"),
                       .friend_declaration = kind("friend_declaration"),
                       .namespace_definition = kind("namespace_definition"),
                       .field_declaration_list = kind("field_declaration_list"),
                       .structured_binding_declarator = kind("structured_binding_declarator"),
                       .abstract_function_declarator = kind("abstract_function_declarator"),
                       .placeholder_type_specifier = kind("placeholder_type_specifier"),
                       .trailing_return_type = kind("trailing_return_type"),
                       .template_parameter_list = kind("template_parameter_list")};
  std::string text = query_text(language.name);
  CODEXMEM_CHECK(!text.empty());
  compile(text);
}

const Rules& Rules::of(const Language& language) {
  struct Entry {
    std::once_flag once;
    std::unique_ptr<const Rules> rules;
  };
  static std::vector<Entry> entries(languages().size());
  Entry& entry = entries[static_cast<std::size_t>(&language - languages().data())];
  std::call_once(entry.once, [&] { entry.rules.reset(new Rules(language)); });
  return *entry.rules;
}

bool Rules::matches(const Pattern& pattern, const Node& node, std::string_view text,
                    Captures* captures) const {
  captures->clear();
  if (!match_items(pattern.items, node, true, captures)) return false;
  for (const Predicate& predicate : pattern.predicates) {
    if (predicate.is_making) continue;  // Source evaluates it
    const Node& captured =
        predicate.slot < 0 ? node : captures->at(static_cast<std::size_t>(predicate.slot));
    if (!captured) return false;
    ByteRange range = range_of(captured);
    std::string_view found = text.substr(range.begin, range.size());
    const bool is_met = std::ranges::any_of(predicate.texts, [&](const std::string& wanted) {
      if (predicate.is_beginning) return found.starts_with(wanted);
      if (predicate.is_holding) return found.find(wanted) != std::string_view::npos;
      return predicate.is_ending ? found.ends_with(wanted) : found == wanted;
    });
    if (is_met == predicate.is_negated) return false;
  }
  return true;
}

bool Rules::match_item(const PatternItem& item, const Node& node, Captures* captures) const {
  Kind kind = kind_of(node);
  if (item.kinds.empty()) {
    if (!item.accepts_any && !(*this)[kind].is_named) return false;
  } else if (std::ranges::find(item.kinds, kind) == item.kinds.end()) {
    return false;
  }
  if (!item.children.empty() && !match_items(item.children, node, false, captures)) return false;
  if (item.slot >= 0) captures->set(static_cast<std::size_t>(item.slot), node);
  return true;
}

bool Rules::match_items(const std::vector<PatternItem>& items, const Node& node, bool is_root,
                        Captures* captures) const {
  std::optional<Cursor> cursor;  // for children without field
  bool has_child = false;
  for (const PatternItem& item : items) {
    if (item.field != 0) {
      Node child =
          is_root ? captures->field_of(node, item.field) : child_by_field(node, item.field);
      if (item.is_negated) {
        if (child) return false;
        continue;
      }
      if (!child || !match_item(item, child, captures)) {
        if (!item.is_optional) return false;
      }
      continue;
    }
    if (!cursor) {
      cursor.emplace(node);
      has_child = cursor->goto_first_child();
    }
    bool found = false;
    while (has_child && !found) {
      Node child = cursor->node();
      const KindRules& rules = (*this)[kind_of(child)];
      found = match_item(item, child, captures);
      bool gives_up = !found && item.is_anchored && rules.is_named && !rules.is_comment;
      if (gives_up) break;
      has_child = cursor->goto_next_sibling();
    }
    if (!found && !item.is_optional) return false;
  }
  return true;
}

}  // namespace codexmem::parse
