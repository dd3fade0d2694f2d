// The compiler of queries: from text to rules by kind of node.
//
// A pattern whose own node has no capture, `(parent field: (child) @a @b)`, is an edge rule: how
// `parent` treats that child. A pattern whose own node is captured, `(kind ...) @action`, runs when
// the walk enters a node of that kind; captures inside it are slots. The tables below list the
// captures (docs/how-it-works.md, "Parse" describes each).
//
// The queries are part of the program, so a mistake in them is a bug and ends the program. Tested
// by rules_test.cpp, which also passes each query to Tree-sitter.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/result.h"
#include "parse/rules/capture_table.h"
#include "parse/rules/rules.h"

namespace codexmem::parse {
namespace {

// Prefix of the name of a built-in type.
constexpr std::string_view kOfLanguage = "value.language.";
constexpr std::string_view kOperator = "operator.";
constexpr std::string_view kTypeOfLanguage = "type.language.";

template <typename Row>
const Row* find_row(std::span<const Row> rows, std::string_view name) {
  auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

// Reads the queries of a language; their grammar is a subset of Tree-sitter's.
class RuleCompiler {
 public:
  RuleCompiler(Rules& rules, std::string_view source)
      : rules_(rules), grammar_(rules.grammar_), source_(source) {}

  void compile() {
    for (skip_space(); position_ < source_.size(); skip_space()) compile_pattern();
  }

 private:
  [[noreturn]] void fail(std::string_view message) {
    check_failed(fmt::format("query: {} at \"{:.60}\"", message, source_.substr(position_)).c_str(),
                 __FILE__, __LINE__);
  }

  void skip_space() {
    while (position_ < source_.size()) {
      if (source_[position_] == ';') {
        position_ = std::min(source_.find('\n', position_), source_.size());
      } else if (std::isspace(static_cast<unsigned char>(source_[position_])) != 0) {
        ++position_;
      } else {
        return;
      }
    }
  }

  char peek() {
    skip_space();
    return position_ < source_.size() ? source_[position_] : '\0';
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++position_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("'{}' expected", wanted));
  }

  std::string_view word() {
    skip_space();
    std::size_t begin = position_;
    while (position_ < source_.size()) {
      char c = source_[position_];
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '-' &&
          c != '?') {
        break;
      }
      ++position_;
    }
    return source_.substr(begin, position_ - begin);
  }

  std::string quoted() {
    expect('"');
    std::string text;
    while (position_ < source_.size() && source_[position_] != '"') {
      if (source_[position_] == '\\') ++position_;
      text += source_[position_++];
    }
    expect('"');
    return text;
  }

  Kind named_kind(std::string_view name) {
    if (name == "_") return 0;
    if (name == "ERROR") return kErrorKind;
    // (The grammar compares a name with all of its names.)
    const auto [at, is_new] = kinds_.try_emplace(name, Kind{});
    if (is_new) at->second = grammar_.kind(name, true);
    if (at->second == 0) fail(fmt::format("no kind '{}'", name));
    return at->second;
  }

  Kind token_kind() {
    std::string text = quoted();
    token_ = text;
    Kind kind = grammar_.kind(text, false);
    if (kind == 0) fail(fmt::format("no token '{}'", text));
    return kind;
  }

  // A node: (kind items...), [alternatives], "token" or _.
  void read_node(PatternItem* item) {
    if (peek() == '"') {
      item->kinds.push_back(token_kind());
    } else if (take('[')) {
      while (!take(']')) {
        if (peek() == '"') {
          item->kinds.push_back(token_kind());
        } else {
          expect('(');
          item->kinds.push_back(named_kind(word()));
          expect(')');
        }
      }
    } else if (take('_')) {
      item->accepts_any = true;
    } else {
      expect('(');
      if (Kind kind = named_kind(word()); kind != 0) item->kinds.push_back(kind);
      read_items(&item->children);
      expect(')');
    }
  }

  void read_items(std::vector<PatternItem>* items) {
    while (peek() != ')' && position_ < source_.size()) {
      if (source_.substr(position_).starts_with("(#")) {
        read_predicate();
        continue;
      }
      PatternItem item;
      if (take('.')) item.is_anchored = true;
      if (take('!')) {
        item.is_negated = true;
        item.field = field(word());
        items->push_back(std::move(item));
        continue;
      }
      if (std::isalpha(static_cast<unsigned char>(peek())) != 0) {
        item.field = field(word());
        expect(':');
      }
      read_node(&item);
      if (take('?')) item.is_optional = true;
      while (take('@')) item_captures(&item);
      items->push_back(std::move(item));
    }
  }

  Field field(std::string_view name) {
    Field found = grammar_.field(name);
    if (found == 0) fail(fmt::format("no field '{}'", name));
    return found;
  }

  void item_captures(PatternItem* item) {
    std::string_view name = word();
    edge_captures_.push_back(name);
    if (const SlotRow* row = find_row<SlotRow>(kSlots, name); row != nullptr) {
      item->slot = static_cast<int>(row->slot);
    } else if (name.starts_with('_')) {
      auto found = std::ranges::find(privates_, name);
      if (found == privates_.end()) {
        privates_.push_back(name);
        found = privates_.end() - 1;
      }
      item->slot = static_cast<int>(Slot::kPrivate) + static_cast<int>(found - privates_.begin());
      if (item->slot >= static_cast<int>(kSlotCount)) fail("too many private captures");
    } else {
      unknown_slot_ = name;
    }
  }

  void read_predicate() {
    position_ += 2;
    std::string_view name = word();
    Predicate predicate;
    predicate.is_negated = name.starts_with("not-");
    if (predicate.is_negated) name.remove_prefix(4);
    predicate.is_ending = name == "ends-with?";
    predicate.is_beginning = name == "begins-with?";
    predicate.is_holding = name == "holds?";
    predicate.is_making = name == "makes?";
    if (name != "eq?" && name != "any-of?" && !predicate.is_ending && !predicate.is_beginning &&
        !predicate.is_holding && !predicate.is_making) {
      fail("unknown predicate");
    }
    expect('@');
    std::string_view capture = word();
    if (const SlotRow* row = find_row<SlotRow>(kSlots, capture); row != nullptr) {
      predicate.slot = static_cast<int>(row->slot);
    } else if (!capture.starts_with('_')) {
      own_capture_ = capture;
    } else {
      auto found = std::ranges::find(privates_, capture);
      if (found == privates_.end()) fail("predicate on an unknown capture");
      predicate.slot =
          static_cast<int>(Slot::kPrivate) + static_cast<int>(found - privates_.begin());
    }
    while (peek() == '"') predicate.texts.push_back(quoted());
    expect(')');
    predicates_.push_back(std::move(predicate));
  }

  void compile_pattern() {
    privates_.clear();
    predicates_.clear();
    edge_captures_.clear();
    unknown_slot_ = {};
    own_capture_ = {};
    token_.clear();
    PatternItem root;
    skip_space();
    const bool is_group = source_.substr(position_).starts_with("((");
    if (is_group) expect('(');
    read_node(&root);
    std::vector<std::string_view> actions;
    while (take('@')) actions.push_back(word());
    if (is_group) {
      while (peek() != ')') read_predicate();
      expect(')');
    }
    if (!own_capture_.empty() && std::ranges::find(actions, own_capture_) == actions.end()) {
      fail("predicate on an unknown capture");
    }
    if (actions.empty()) {
      add_edge(root);
      return;
    }
    if (!unknown_slot_.empty()) fail(fmt::format("unknown capture '{}'", unknown_slot_));
    for (std::string_view action : actions) add_pattern(root, action);
  }

  void add_edge(const PatternItem& root) {
    if (root.children.size() != 1 || edge_captures_.empty()) fail("an edge rule has one child");
    const PatternItem& child = root.children.front();
    EdgeRule rule;
    rule.field = child.field;
    bool has_part = false;
    bool has_expect = false;
    bool has_other = false;
    for (std::string_view name : edge_captures_) {
      if (const PartRow* part = find_row<PartRow>(kParts, name); part != nullptr) {
        rule.part = part->part;
        has_part = true;
        continue;
      }
      if (const ExpectRow* expect = find_row<ExpectRow>(kExpects, name); expect != nullptr) {
        rule.expect = expect->expect;
        has_expect = true;
        continue;
      }
      has_other = true;
      if (name == "member") {
        rule.is_member = true;
      } else if (name == "member.optional") {
        rule.is_optional_member = true;
      } else if (name == "owned") {
        rule.is_owned = true;
      } else if (const ValueRow* value = find_row<ValueRow>(kValues, name); value != nullptr) {
        rule.value = value->value;
      } else if (const ContextRow* context = find_row<ContextRow>(kContexts, name);
                 context != nullptr) {
        rule.context = context->context;
      } else {
        fail(fmt::format("unknown capture '{}'", name));
      }
    }
    const auto add = [&](KindRules& parent) {
      parent.has_fields = parent.has_fields || rule.field != 0;
      if (has_other) parent.edges.push_back(rule);
      if (has_part) parent.part_edges.push_back(rule);
      if (has_expect) parent.expect_edges.push_back(rule);
    };
    for (Kind parent : root.kinds) {
      if (child.kinds.empty()) add(rules_.kinds_[parent]);
      for (Kind kind : child.kinds) {
        rule.child = kind;
        add(rules_.kinds_[parent]);
      }
      rule.child = 0;
    }
  }

  void add_pattern(const PatternItem& root, std::string_view name) {
    Pattern pattern;
    pattern.items = root.children;
    pattern.predicates = predicates_;
    pattern.token = token_;
    if (name.starts_with("symbol.") || name.starts_with("bound.") ||
        name.starts_with("declarators.")) {
      pattern.action = name.starts_with("symbol.")  ? Action::kSymbol
                       : name.starts_with("bound.") ? Action::kBoundSymbol
                                                    : Action::kDeclarators;
      name.remove_prefix(name.find('.') + 1);
      std::size_t dot = name.find('.');
      std::optional<SymbolType> type = parse_symbol_type(name.substr(0, dot));
      if (!type || dot == std::string_view::npos) fail("symbol.<type>.<kind> expected");
      pattern.sort = value_of(*type);
      pattern.kind = name.substr(dot + 1);
    } else if (name.starts_with(kOfLanguage)) {
      pattern.action = Action::kValue;
      pattern.sort = value_of(TermSort::kLanguageType);
      pattern.kind = name.substr(kOfLanguage.size());
    } else if (name.starts_with(kTypeOfLanguage)) {
      pattern.action = Action::kTypeText;
      pattern.sort = value_of(TermSort::kLanguageType);
      pattern.kind = name.substr(kTypeOfLanguage.size());
    } else if (name.starts_with(kOperator)) {
      pattern.action = Action::kOperator;
      pattern.kind = name.substr(kOperator.size());
    } else if (name.starts_with("parameter_property")) {
      pattern.action = Action::kParameterProperty;
      pattern.sort = value_of(SymbolType::kProperty);
      pattern.kind = "field";
    } else if (const ActionRow* row = find_row<ActionRow>(kActions, name); row != nullptr) {
      pattern.action = row->action;
      pattern.sort = row->sort;
    } else {
      fail(fmt::format("unknown capture '{}'", name));
    }
    if (root.kinds.empty()) fail("the root of a pattern is any node");
    for (Kind kind : root.kinds) {
      add_to_kind(rules_.kinds_[kind == kErrorKind ? rules_.kinds_.size() - 1 : kind], pattern);
    }
  }

  // A pattern that only names a kind becomes a flag of that kind.
  void add_to_kind(KindRules& rules, const Pattern& pattern) {
    switch (pattern.action) {
      case Action::kIdentifier:
        rules.is_identifier = true;
        rules.identifier_sort = static_cast<IdentifierSort>(pattern.sort);
        if (rules.identifier_sort == IdentifierSort::kSigil) rules_.folds_names_ = true;
        if (rules.identifier_sort == IdentifierSort::kOwn) rules_.has_own_names_ = true;
        return;
      case Action::kExportWrapper:
        rules.is_export_wrapper = true;
        rules.is_wrapper = true;
        return;
      case Action::kWrapper:
        rules.is_wrapper = true;
        return;
      case Action::kDecorator:
        rules.is_decorator = true;
        rules.is_modifier = true;
        return;
      case Action::kModifier:
        rules.is_modifier = true;
        return;
      case Action::kModifierList:
        rules.is_modifier_list = true;
        return;
      case Action::kComment:
        rules.is_comment = true;
        if (pattern.sort == 1 || pattern.sort == 4) rules_.has_typed_comments_ = true;
        if (pattern.sort == 4) rules_.has_bare_comments_ = true;
        if (pattern.sort == 3) rules_.has_linked_comments_ = true;
        if (pattern.sort == 2) rules_.doc_style_ = DocStyle::kCommentRun;
        return;
      case Action::kDocumented:
        rules.is_documented = true;
        if (pattern.sort == 1) rules.is_cast = true;
        return;
      case Action::kConditional:
        rules.is_conditional = true;
        return;
      case Action::kSkip:
        rules.is_skipped = true;
        return;
      case Action::kNames:
        (pattern.sort == 1 ? rules.is_attribute : rules.is_names) = true;
        return;
      case Action::kAccess:
        rules.is_access = true;
        break;
      case Action::kCall:
        rules_.has_calls_ = true;
        break;
      case Action::kStringType:
        rules.is_string_type = true;
        return;
      case Action::kValue:
        rules_.has_terms_ = true;
        rules.value_patterns.push_back(pattern);
        return;
      case Action::kTypeText:
        rules.type_patterns.push_back(pattern);
        return;
      case Action::kEntry:
        rules.entry_patterns.push_back(pattern);
        return;
      case Action::kParameter:
        rules.parameter_patterns.push_back(pattern);
        return;
      case Action::kFunctionFlag:
        rules.flag_patterns.push_back(pattern);
        return;
      case Action::kTest:
        rules.test_patterns.push_back(pattern);
        return;
      case Action::kSelf:
        rules.self_patterns.push_back(pattern);
        return;
      case Action::kDocstring:
        rules.docstring_patterns.push_back(pattern);
        rules_.doc_style_ = DocStyle::kBodyString;
        return;
      case Action::kConstantValue:
        if (pattern.items.empty()) {
          rules.constant_value = static_cast<ReceiverKind>(pattern.sort);
          rules.is_named = true;  // tokens are entered as well then
          return;
        }
        break;
      default:
        break;
    }
    rules.patterns.push_back(pattern);
  }

  Rules& rules_;
  const Grammar& grammar_;
  std::string_view source_;
  std::size_t position_ = 0;
  std::map<std::string_view, Kind> kinds_;  // by name
  // In the pattern being read.
  std::vector<std::string_view> privates_;
  std::vector<Predicate> predicates_;
  std::vector<std::string_view> edge_captures_;
  std::string_view unknown_slot_;
  std::string_view own_capture_;  // that a predicate uses
  std::string token_;
};

void Rules::compile(std::string_view source) { RuleCompiler(*this, source).compile(); }

}  // namespace codexmem::parse
