// One recursive walk, to a depth that real code does not reach. It decides which names are
// variables: a bare name that no enclosing pattern has bound is a call without arguments.
//
// Tested by golden_test.cpp (testdata/languages/elixir).
#include "parse/terms/forms.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kMaxFormDepth = 400;
constexpr std::size_t kMaxArity = 255;  // the language's own limit

// Forms with a block whose arguments are values; the arguments of other macros may be patterns.
constexpr std::array<std::string_view, 10> kValueForms = {
    "if", "unless", "case", "cond", "for", "with", "try", "receive", "describe", "schema"};

constexpr std::string_view kOwnModule = "__MODULE__";

}  // namespace

void FormReader::reset() {
  depth_ = 0;
  quotes_ = 0;
  call_terms_.clear();
  named_.clear();
  variables_.clear();
  bound_.clear();
  last_alias_ = kNoIndex;
}

void FormReader::read(const Node& root) {
  const parse::Grammar& known = source_.rules().grammar();
  const auto kind = [&](std::string_view name) { return known.kind(name, true); };
  grammar_ = {.call = kind("call"),
              .dot = kind("dot"),
              .alias = kind("alias"),
              .identifier = kind("identifier"),
              .arguments = kind("arguments"),
              .do_block = kind("do_block"),
              .binary = kind("binary_operator"),
              .unary = kind("unary_operator"),
              .stab = kind("stab_clause"),
              .keywords = kind("keywords"),
              .pair = kind("pair"),
              .keyword = kind("keyword"),
              .atom = kind("atom"),
              .map = kind("map"),
              .map_content = kind("map_content"),
              .structure = kind("struct"),
              .tuple = kind("tuple"),
              .list = kind("list"),
              .integer = kind("integer"),
              .body = kind("body"),
              .block = kind("block"),
              .anonymous_function = kind("anonymous_function"),
              .rescue_block = kind("rescue_block"),
              .else_block = kind("else_block"),
              .catch_block = kind("catch_block"),
              .after_block = kind("after_block"),
              .string = kind("string"),
              .operator_identifier = kind("operator_identifier"),
              .left = known.field("left"),
              .right = known.field("right"),
              .operation = known.field("operator"),
              .target = known.field("target"),
              .key = known.field("key"),
              .value = known.field("value")};
  for (std::uint32_t i = 0; i < facts_.symbols.size(); ++i) {
    named_.emplace(facts_.symbols[i].name_range.begin, i);
  }
  visit_children(root, Mode::kValue);
}

// ---- Reading nodes.

std::vector<Node> FormReader::children_of(const Node& node) const {
  std::vector<Node> children;
  Cursor cursor(node);
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    const Node child = cursor.node();
    const KindRules& rules = source_.rules_of(child);
    if (rules.is_named && !rules.is_comment) children.push_back(child);
  }
  return children;
}

Node FormReader::child_of(const Node& node, Kind kind) const {
  for (const Node& child : children_of(node)) {
    if (kind_of(child) == kind) return child;
  }
  return {};
}

std::vector<Node> FormReader::arguments_of(const Node& call) const {
  const Node list = child_of(call, grammar_.arguments);
  return list ? children_of(list) : std::vector<Node>();
}

// The value of `key` in the keywords that end a list of arguments.
Node FormReader::option(const Node& keywords, std::string_view key) const {
  if (!is(keywords, grammar_.keywords)) return {};
  for (const Node& pair : children_of(keywords)) {
    const Node name = child_by_field(pair, grammar_.key);
    if (!name) continue;
    const std::string_view text = text_of(name);
    if (text.substr(0, key_size(text)) == key) return child_by_field(pair, grammar_.value);
  }
  return {};
}

std::string_view FormReader::operator_of(const Node& node) const {
  const Node sign = child_by_field(node, grammar_.operation);
  return sign ? text_of(sign) : std::string_view();
}

std::uint32_t FormReader::scope_at(std::uint32_t offset) const {
  const auto after =
      std::partition_point(facts_.scopes.begin(), facts_.scopes.end(),
                           [&](const Scope& scope) { return scope.range.begin <= offset; });
  if (after == facts_.scopes.begin()) return 0;
  auto scope = static_cast<std::uint32_t>(after - facts_.scopes.begin()) - 1;
  while (scope != 0 && !facts_.scopes[scope].range.contains(offset)) {
    scope = facts_.scopes[scope].parent == kNoIndex ? 0 : facts_.scopes[scope].parent;
  }
  return scope;
}

bool FormReader::is_variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found != variables_.end() && found->second > 0;
}

// ---- Writing facts.

// A term that records the number of arguments of a call.
TermId FormReader::call_term(std::uint32_t arity) {
  arity = std::min<std::uint32_t>(arity, kMaxArity);
  if (call_terms_.size() <= arity) call_terms_.resize(arity + 1, kNoIndex);
  TermId& term = call_terms_[arity];
  if (term == kNoIndex) {
    const std::vector<TermId> parts(arity + 1, terms_.literal());
    term = terms_.add(TermKind::kCall, kNoIndex, parts);
  }
  return term;
}

void FormReader::add_call(const Node& name, std::uint32_t arity, Role role, ReceiverKind kind,
                          std::uint32_t receiver) {
  const ByteRange range = range_of(name);
  if (range.size() == 0 || range.size() > kMaxNameBytes) return;
  sink_.add_occurrence(text_of(range), range.begin, role, kind, receiver);
  sink_.add_call({range.begin, call_term(arity)});
}

// Adds the names of A.B.C, each the receiver of the next; the last one gets `role`.
std::uint32_t FormReader::add_alias(const Node& node, Role role, std::uint32_t before) {
  const ByteRange range = range_of(node);
  const std::string_view text = text_of(range);
  ReceiverKind kind = before == kNoIndex ? ReceiverKind::kNone : ReceiverKind::kName;
  std::uint32_t last = before;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && is_identifier_char(text[at])) ++at;
    if (at > begin && at - begin <= kMaxNameBytes) {
      const bool is_last = text.find_first_not_of(" .\t\r\n", at) == std::string_view::npos;
      last = sink_.add_occurrence(text.substr(begin, at - begin),
                                  range.begin + static_cast<std::uint32_t>(begin),
                                  is_last ? role : Role::kRead, kind, last);
      kind = ReceiverKind::kName;
    }
    while (at < text.size() && !is_identifier_char(text[at])) ++at;
  }
  return last_alias_ = last;
}

void FormReader::bind(const Node& name) {
  const std::string_view text = text_of(name);
  if (text.empty() || text == "_" || text.size() > kMaxNameBytes) return;
  ++variables_[text];
  bound_.push_back(text);
  const std::uint32_t begin = range_of(name).begin;
  sink_.add_occurrence(text, begin, Role::kDefinition);
  sink_.add_binding({.name = sink_.id_of(text),
                     .scope = scope_at(begin),
                     .kind = BindingKind::kLocal,
                     .offset = begin});
}

// ---- Forms.

void FormReader::visit_children(const Node& node, Mode mode) {
  for (const Node& child : children_of(node)) visit(child, mode);
}

// Bindings made inside are not visible outside.
void FormReader::visit_scoped(const Node& node, Mode mode) {
  const std::size_t before = bound_.size();
  visit_children(node, mode);
  for (; bound_.size() > before; bound_.pop_back()) --variables_[bound_.back()];
}

void FormReader::visit(const Node& node, Mode mode, std::uint32_t piped) {
  if (!node || depth_ >= kMaxFormDepth) return;
  ++depth_;
  const Kind kind = kind_of(node);
  if (kind == grammar_.call) {
    visit_call(node, mode, piped);
  } else if (kind == grammar_.identifier) {
    visit_identifier(node, mode, piped);
  } else if (kind == grammar_.alias) {
    add_alias(node, Role::kRead);
  } else if (kind == grammar_.binary) {
    visit_binary(node, mode);
  } else if (kind == grammar_.unary) {
    visit_unary(node, mode);
  } else if (kind == grammar_.stab) {
    mode == Mode::kType ? visit_children(node, mode) : visit_stab(node);
  } else if (kind == grammar_.map) {
    visit_map(node, mode);
  } else if (kind == grammar_.dot) {
    const Node left = child_by_field(node, grammar_.left);
    const Node right = child_by_field(node, grammar_.right);
    last_alias_ = kNoIndex;
    if (is(right, grammar_.alias) && is(left, grammar_.identifier)) {
      // __MODULE__.A: of the module around.
      const std::uint32_t first = static_cast<std::uint32_t>(facts_.occurrences.size());
      add_alias(right, Role::kRead);
      if (first < facts_.occurrences.size()) {
        sink_.occurrence(first).receiver_kind =
            text_of(left) == kOwnModule ? ReceiverKind::kThis : ReceiverKind::kOther;
      }
    } else {
      visit(left, mode);
      if (is(right, grammar_.alias)) {
        add_alias(right, Role::kRead, last_alias_);
      } else if (!is(right, grammar_.identifier)) {
        visit(right, mode);
      }
    }
  } else if (kind == grammar_.pair) {
    const Node key = child_by_field(node, grammar_.key);
    if (is(key, grammar_.keyword)) {
      const ByteRange range = range_of(key);
      const std::string_view name = text_of(range).substr(0, key_size(text_of(range)));
      const bool is_block =
          name == "do" || name == "else" || name == "after" || name == "rescue" || name == "catch";
      if (mode != Mode::kType && !is_block) {
        sink_.add_occurrence(name, range.begin, Role::kWrite, ReceiverKind::kKey);
      }
    } else {
      visit(key, mode);
    }
    visit(child_by_field(node, grammar_.value), mode);
  } else if (kind == grammar_.atom) {
    const ByteRange range = range_of(node);
    if (range.size() > 1 && mode != Mode::kType) {
      sink_.add_occurrence(text_of(range).substr(1), range.begin + 1, Role::kRead,
                           ReceiverKind::kKey);
    }
  } else if (kind == grammar_.do_block || kind == grammar_.anonymous_function ||
             kind == grammar_.rescue_block || kind == grammar_.else_block ||
             kind == grammar_.catch_block || kind == grammar_.after_block) {
    visit_scoped(node, Mode::kValue);
  } else {
    visit_children(node, mode);
  }
  --depth_;
}

void FormReader::visit_identifier(const Node& node, Mode mode, std::uint32_t piped) {
  const std::string_view name = text_of(node);
  if (name.empty() || name == "_" || name.starts_with("__") || is_missing(node)) return;
  const ByteRange range = range_of(node);
  if (mode == Mode::kPattern) {
    bind(node);
  } else if (is_variable(name) && piped == 0) {
    if (mode == Mode::kValue) sink_.add_occurrence(name, range.begin, Role::kRead);
  } else if (mode == Mode::kType) {
    add_call(node, 0, Role::kType, ReceiverKind::kNone, kNoIndex);
  } else if (quotes_ == 0 || piped > 0) {
    add_call(node, piped, Role::kCall, ReceiverKind::kNone, kNoIndex);
  }
}

void FormReader::visit_call(const Node& node, Mode mode, std::uint32_t piped) {
  const Node target = child_by_field(node, grammar_.target);
  const Node list = child_of(node, grammar_.arguments);
  const Node block = child_of(node, grammar_.do_block);
  const std::vector<Node> arguments = list ? children_of(list) : std::vector<Node>();
  const auto arity = static_cast<std::uint32_t>(arguments.size()) + piped + (block ? 1 : 0);
  const std::size_t before = bound_.size();
  Mode inner = mode;
  if (is(target, grammar_.identifier)) {
    const std::string_view name = text_of(target);
    if (mode != Mode::kType && visit_special(node, name)) return;
    if (mode == Mode::kType && name.starts_with("unquote")) {
      inner = Mode::kValue;
    } else if (mode == Mode::kType) {
      if (!is_variable(name)) add_call(target, arity, Role::kType, ReceiverKind::kNone, kNoIndex);
    } else {
      add_call(target, arity, Role::kCall, ReceiverKind::kNone, kNoIndex);
      if (name == "unquote" || name == "unquote_splicing") inner = Mode::kValue;
    }
    const bool may_match =
        block && mode == Mode::kValue && std::ranges::find(kValueForms, name) == kValueForms.end();
    for (const Node& argument : arguments) {
      const bool is_pattern =
          may_match && (is(argument, grammar_.map) ||
                        (is(argument, grammar_.identifier) && !is_variable(text_of(argument))));
      visit(argument, is_pattern ? Mode::kPattern : inner);
    }
  } else {
    if (is(target, grammar_.dot)) {
      visit_remote(node, target, mode, arity);
    } else {
      visit(target, mode);
    }
    for (const Node& argument : arguments) visit(argument, inner);
  }
  if (!block) return;
  visit(block, Mode::kValue);
  for (; bound_.size() > before; bound_.pop_back()) --variables_[bound_.back()];
}

// A.f(x), value.f(x), value.key, value.(x)
void FormReader::visit_remote(const Node& call, const Node& dot, Mode mode, std::uint32_t arity) {
  const Node left = child_by_field(dot, grammar_.left);
  const Node right = child_by_field(dot, grammar_.right);
  ReceiverKind kind = ReceiverKind::kOther;
  std::uint32_t receiver = kNoIndex;
  bool is_module = false;
  if (is(left, grammar_.identifier) && text_of(left) == kOwnModule) {
    kind = ReceiverKind::kThis;
    is_module = true;
  } else {
    last_alias_ = kNoIndex;
    visit(left, Mode::kValue);
    const bool is_alias = is(left, grammar_.alias) || is(left, grammar_.dot);
    const bool is_attribute = is(left, grammar_.unary) && operator_of(left) == "@";
    if ((is_alias || is_attribute) && last_alias_ != kNoIndex) {
      kind = ReceiverKind::kName;
      receiver = last_alias_;
      is_module = is_alias;
    }
  }
  if (!is(right, grammar_.identifier) || is(left, grammar_.atom)) {
    if (!is(right, grammar_.identifier)) visit(right, mode);
    return;
  }
  const bool is_called = is_module || child_of(call, grammar_.arguments);
  if (mode == Mode::kType) {
    add_call(right, arity, Role::kType, kind, receiver);
  } else if (is_called) {
    add_call(right, arity, Role::kCall, kind, receiver);
  } else {
    sink_.add_occurrence(text_of(right), range_of(right).begin, Role::kRead, kind, receiver);
  }
}

void FormReader::visit_binary(const Node& node, Mode mode) {
  const Node left = child_by_field(node, grammar_.left);
  const Node right = child_by_field(node, grammar_.right);
  const std::string_view sign = operator_of(node);
  if (sign == "|>") {
    visit(left, mode);
    visit(right, mode, 1);
  } else if (mode == Mode::kType) {
    if (sign != "::") visit(left, mode);
    visit(right, mode);
  } else if (sign == "=" || sign == "<-") {
    visit(right, mode);
    visit(left, Mode::kPattern);
  } else if (sign == "\\\\" || sign == "in") {
    visit(left, mode);
    visit(right, Mode::kValue);
  } else if (sign == "when") {
    visit(left, mode);
    visit(right, Mode::kValue);
  } else if (sign == "=>" && mode == Mode::kPattern) {
    visit(left, Mode::kValue);
    visit(right, mode);
  } else if (sign == "::") {
    // <<x::size(n)>>
    visit(left, mode);
    if (is(right, grammar_.call)) visit_children(right, Mode::kValue);
  } else {
    visit(left, mode);
    visit(right, mode);
  }
}

void FormReader::visit_unary(const Node& node, Mode mode) {
  const std::string_view sign = operator_of(node);
  // In &(a), the field also covers the parenthesis.
  const std::vector<Node> parts = children_of(node);
  if (parts.empty()) return;
  const Node operand = parts.back();
  if (sign == "@") {
    visit_attribute(operand);
  } else if (sign == "&") {
    visit_capture(operand);
  } else {
    visit(operand, sign == "^" ? Mode::kValue : mode);
  }
}

// &f/1, &A.f/1, &(&1 + 1)
void FormReader::visit_capture(const Node& operand) {
  const bool is_named = is(operand, grammar_.binary) && operator_of(operand) == "/";
  const Node number = is_named ? child_by_field(operand, grammar_.right) : Node();
  const Node name = is_named ? child_by_field(operand, grammar_.left) : Node();
  std::uint32_t arity = 0;
  if (is(number, grammar_.integer)) {
    for (const char c : text_of(number)) {
      if (is_digit(c))
        arity =
            std::min<std::uint32_t>(arity * 10 + static_cast<std::uint32_t>(c - '0'), kMaxArity);
    }
    if (is(name, grammar_.identifier)) {
      return add_call(name, arity, Role::kCall, ReceiverKind::kNone, kNoIndex);
    }
    const Node dot = is(name, grammar_.call) ? child_by_field(name, grammar_.target) : name;
    if (is(dot, grammar_.dot)) return visit_remote(name, dot, Mode::kValue, arity);
  }
  visit(operand, Mode::kValue);
}

void FormReader::visit_stab(const Node& node) {
  const std::size_t before = bound_.size();
  visit(child_by_field(node, grammar_.left), Mode::kPattern);
  visit(child_by_field(node, grammar_.right), Mode::kValue);
  for (; bound_.size() > before; bound_.pop_back()) --variables_[bound_.back()];
}

// %{}, %A{key: value}, %{value | key: value}
void FormReader::visit_map(const Node& node, Mode mode) {
  ReceiverKind kind = ReceiverKind::kKey;
  std::uint32_t receiver = kNoIndex;
  if (const Node structure = child_of(node, grammar_.structure)) {
    for (const Node& named : children_of(structure)) {
      if (is(named, grammar_.alias)) {
        receiver = add_alias(named, Role::kType);
        kind = ReceiverKind::kName;
      } else if (is(named, grammar_.identifier) && text_of(named) == kOwnModule) {
        kind = ReceiverKind::kThis;
      } else {
        last_alias_ = kNoIndex;
        visit(named, mode);
        if (last_alias_ == kNoIndex) continue;
        receiver = last_alias_;
        kind = ReceiverKind::kName;
      }
    }
  }
  const Node content = child_of(node, grammar_.map_content);
  if (!content) return;
  const Role role = mode == Mode::kValue ? Role::kWrite : Role::kRead;
  std::vector<Node> parts = children_of(content);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Node part = parts[i];
    if (is(part, grammar_.binary) && operator_of(part) == "|") {
      visit(child_by_field(part, grammar_.left), mode);
      parts.push_back(child_by_field(part, grammar_.right));
      continue;
    }
    if (!is(part, grammar_.keywords)) {
      visit(part, mode);
      continue;
    }
    for (const Node& pair : children_of(part)) {
      const Node key = child_by_field(pair, grammar_.key);
      if (is(key, grammar_.keyword) && mode != Mode::kType) {
        const std::string_view text = text_of(key);
        sink_.add_occurrence(text.substr(0, key_size(text)), range_of(key).begin, role, kind,
                             receiver);
      }
      visit(child_by_field(pair, grammar_.value), mode);
    }
  }
}

}  // namespace codexmem::parse
