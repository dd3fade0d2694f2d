// Terms: expressions for values and types (facts.h).
//
// A term is built from a node and the nodes below it, or from a node and its surroundings: the type
// expected at its place, or the part of a value that a pattern assigns to a name. Data describes
// each kind of node (`@value.*`, `@type.*`, `@entry`, `@part.*`, `@expect.*` in
// grammars/*/terms.scm). Terms are built on demand, once per node, for annotations, initialisers,
// results, receivers, keys, and parameters of functions that are values; so the cost is limited to
// these nodes. During the walk, `at` is a byte offset for names, and for classes the number of a
// symbol that may still move; finish_terms() turns them into indices and drops unreferenced and
// meaningless terms. Tested by golden_test.cpp.
#include "parse/terms/terms.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/preprocess/c_words.h"
#include "parse/terms/function_terms.h"
#include "parse/text/jsdoc.h"
#include "parse/walk/receivers.h"
#include "parse/terms/string_types.h"

namespace codexmem::parse {
namespace {

constexpr std::size_t kMaxElements = 8;           // distinct ones in a list
constexpr std::size_t kMaxTests = 16;             // in one condition
constexpr std::uint32_t kMaxStatements = 10'000;  // of a block that has a value
constexpr std::size_t kMaxTestedBytes = 64;       // of a name with dots that is tested

std::uint32_t number_of(std::string_view text) {
  if (text.empty() || text.size() > 6) return kNoIndex;
  std::uint32_t number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return kNoIndex;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

bool is_quoted(std::string_view text) {
  return text.size() >= 2 && (text.front() == '"' || text.front() == '\'');
}

// The operator in the text between two operands, which may contain comments and line breaks.
std::string_view operator_of(std::string_view between) {
  constexpr std::string_view kSigns = "+-*/%@&|^~<>=!?";
  const std::size_t begin = between.find_first_of(kSigns);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = between.substr(begin);
  return rest.substr(0, rest.find_first_not_of(kSigns));
}

// The parts of a term under construction, on a stack above the parts of the enclosing terms.
class Parts {
 public:
  explicit Parts(std::vector<TermId>& stack) : stack_(stack), base_(stack.size()) {}
  ~Parts() { stack_.resize(base_); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void push(TermId part) { stack_.push_back(part); }
  std::span<TermId> all() { return std::span(stack_).subspan(base_); }

 private:
  std::vector<TermId>& stack_;
  std::size_t base_;
};

}  // namespace

void NodeTerms::reset() {
  for (Captures& captures : captures_) captures.forget();
}

bool NodeTerms::is_self(const Node& node) const {
  if (rules_of(node).constant_value == ReceiverKind::kThis) return true;
  return rules_of(node).is_identifier && frames_.is_self(text_of(node));
}

// True for cls, self.__class__, type(self), which create another instance.
bool NodeTerms::is_own_class(const Node& node) const {
  if (is_self(node)) return true;
  if (frames_.self().empty()) return false;
  const std::string_view text = text_of(node);
  const std::string_view self = frames_.self();
  return (text.starts_with(self) && text.substr(self.size()) == ".__class__") ||
         (text.size() == self.size() + 6 && text.starts_with("type(") && text.ends_with(')') &&
          text.substr(5, self.size()) == self);
}

TermId NodeTerms::term_at(const Node& node, Side side) {
  if (!node || !source_.rules().has_terms()) return kNoIndex;
  if (const auto known = memo_.find(node, side)) return *known;
  if (depth_ >= kMaxTermDepth) return kNoIndex;
  ++depth_;
  const KindRules& rules = rules_of(node);
  TermId term = kNoIndex;
  if (side == Side::kType) {
    term = term_by(rules.type_patterns, node, side);
  } else {
    term = is_self(node) ? this_term() : term_by(rules.value_patterns, node, side);
  }
  --depth_;
  memo_.insert(node, side, term);
  return term;
}

TermId NodeTerms::term_by(const std::vector<Pattern>& patterns, const Node& node, Side side) {
  if (patterns.empty()) return kNoIndex;
  if (patterns.front().items.empty() && patterns.front().predicates.empty()) {
    static const Captures kNone;
    return term_of(patterns.front(), node, kNone, side);
  }
  // One for each depth, because nested calls need their own.
  Captures& captures = captures_[static_cast<std::size_t>(depth_)];
  for (const Pattern& pattern : patterns) {
    if (source_.matches(pattern, node, &captures)) {
      return term_of(pattern, node, captures, side);
    }
  }
  return kNoIndex;
}

TermId NodeTerms::term_of(const Pattern& pattern, const Node& node, const Captures& captures,
                          Side side) {
  const Node& inner = captures[Slot::kInner];
  const Node& list = captures[Slot::kList];
  switch (static_cast<TermSort>(pattern.sort)) {
    case TermSort::kName:
      return name_term(captures[Slot::kName] ? captures[Slot::kName] : node, side);
    case TermSort::kPass:
      if (const TermId cast = docs_.cast_type(node); cast != kNoIndex) return cast;
      return term_at(inner, side);
    case TermSort::kCast:
      return type_term(inner);
    case TermSort::kTypeOf:
      return value_term(inner);
    case TermSort::kLiteral:
      return terms_.literal();
    case TermSort::kLanguageType: {
      const NameId name =
          sink_.id_of(pattern.kind.empty() ? text_of(node) : std::string_view(pattern.kind));
      const TermId argument = type_term(inner);
      if (argument == kNoIndex) return terms_.language_type(name);
      return terms_.add(TermKind::kLanguageType, name, {argument});
    }
    case TermSort::kThis:
      return side == Side::kValue ? receiver_term() : this_term();
    case TermSort::kNamed: {
      const NameId name = sink_.id_of(text_of(captures[Slot::kName]));
      return terms_.add(TermKind::kOperator, name, {value_term(inner)});
    }
    case TermSort::kModule:
      return terms_.add(TermKind::kModule, range_of(captures[Slot::kSource]).begin + 1, {});
    case TermSort::kString:
      return string_type(*this, range_of(node));
    case TermSort::kAwait:
      return terms_.add(TermKind::kAwait, kNoIndex, {value_term(inner)});
    case TermSort::kElement:
      return terms_.add(TermKind::kElement, kNoIndex, {value_term(inner)});
    case TermSort::kNew:
    case TermSort::kCall:
      return call_term(pattern, node, captures);
    case TermSort::kApply:
      return apply_term(value_term(inner), list);
    case TermSort::kFunction:
      return functions_.function_term(node);
    case TermSort::kObject:
      return functions_.object_term(inner ? inner : node, false);
    case TermSort::kUnion: {
      // A long chain leans to the left: follow its spine instead of recursing.
      Parts parts(parts_);
      Node at = node;
      Captures sides = captures;
      for (std::size_t steps = 0; steps < kMaxChildren; ++steps) {
        const Node left = sides[Slot::kInner];
        if (!left) {
          std::vector<Node> members;
          source_.each_child(at, kMaxChildren, [&](const Node& child, const KindRules&) {
            members.push_back(child);
          });
          std::size_t first = 0;
          const bool leans = members.size() == 2 && kind_of(members[0]) == kind_of(at);
          if (leans) first = 1;
          for (std::size_t i = members.size(); i > first; --i) {
            parts.push(term_at(members[i - 1], side));
          }
          if (!leans) break;
          at = members[0];
          continue;
        }
        parts.push(term_at(sides[Slot::kOther], side));
        if (kind_of(left) != kind_of(at) || !source_.matches(pattern, left, &sides)) {
          parts.push(term_at(left, side));
          break;
        }
        at = left;
      }
      std::ranges::reverse(parts.all());
      return terms_.union_of(parts.all());
    }
    case TermSort::kConditional:
      return terms_.add(TermKind::kConditional, kNoIndex,
                        {type_term(captures[Slot::kObject]), type_term(captures[Slot::kType]),
                         type_term(inner), type_term(captures[Slot::kOther])});
    case TermSort::kItem: {
      const Node& object = captures[Slot::kObject];
      const Node& index = captures[Slot::kOther];
      const TermId whole = term_at(object, side);
      if (whole == kNoIndex) return kNoIndex;
      if (index) {
        const std::string_view text = text_of(index);
        if (is_quoted(text)) {
          return terms_.add(TermKind::kMember, sink_.id_of(source_.member_name(index)), {whole});
        }
        const bool is_type = side == Side::kType && number_of(text) == kNoIndex;
        if (is_type) return terms_.add(TermKind::kItem, kNoIndex, {whole, type_term(index)});
        return terms_.add(TermKind::kItem, number_of(text), {whole});
      }
      Parts parts(parts_);
      parts.push(whole);
      std::string_view text;
      source_.each_child(node, kMaxElements + 1, [&](const Node& child, const KindRules&) {
        if (child.id == object.id) return;
        text = text_of(child);
        parts.push(value_term(child));
      });
      const bool is_single = parts.all().size() == 2;
      if (is_single && is_quoted(text)) {
        const NameId name = sink_.id_of(text.substr(1, text.size() - 2));
        return terms_.add(TermKind::kMember, name, {whole});
      }
      if (is_single && number_of(text) != kNoIndex) {
        return terms_.add(TermKind::kItem, number_of(text), {whole});
      }
      return terms_.add(TermKind::kItem, kNoIndex, parts.all());
    }
    case TermSort::kArray: {
      if (inner) return terms_.add(TermKind::kArray, kNoIndex, {term_at(inner, side)});
      Parts parts(parts_);
      source_.each_child(node, kMaxChildren, [&](const Node& child, const KindRules&) {
        if (parts.all().size() >= kMaxElements) return;
        const TermId term = term_at(child, side);
        if (term != kNoIndex && std::ranges::count(parts.all(), term) == 0) parts.push(term);
      });
      return nested_list(terms_.add(TermKind::kArray, kNoIndex, parts.all()), node);
    }
    case TermSort::kList:
      return nested_list(terms_.add(TermKind::kArray, kNoIndex, {type_term(inner)}), node);
    case TermSort::kTuple: {
      Parts parts(parts_);
      source_.each_child(node, kMaxMembers, [&](const Node& child, const KindRules& rules) {
        if (rules.is_modifier || rules.is_decorator) return;
        parts.push(term_at(child, side));
      });
      return terms_.add(TermKind::kTuple, kNoIndex, parts.all());
    }
    case TermSort::kGeneric: {
      const Node& name = captures[Slot::kName];
      const TermId plain = name ? type_term(name) : name_term(node, Side::kType);
      if (plain == kNoIndex || facts_.terms[plain].kind != TermKind::kType) return plain;
      Parts parts(parts_);
      const std::uint32_t at = facts_.terms[plain].at;
      source_.each_child(list ? list : node, kMaxMembers, [&](const Node& child, const KindRules&) {
        if (child.id == name.id) return;
        parts.push(type_term(child));
      });
      return terms_.add(TermKind::kType, at, parts.all());
    }
    case TermSort::kOperator: {
      const Node& other = captures[Slot::kOther];
      const std::uint32_t from = other ? range_of(inner).end : range_of(node).begin;
      const std::uint32_t to = other ? range_of(other).begin : range_of(inner).begin;
      const TermId left = value_term(inner);
      const TermId right = other ? value_term(other) : kNoIndex;
      const auto is_literal = [&](TermId id) {
        return id != kNoIndex && facts_.terms[id].kind == TermKind::kLiteral;
      };
      if (is_literal(left) && (!other || is_literal(right))) return left;
      const NameId name = sink_.id_of(operator_of(source_.text().substr(from, to - from)));
      if (!other) return terms_.add(TermKind::kOperator, name, {left});
      return terms_.add(TermKind::kOperator, name, {left, right});
    }
    case TermSort::kAnyItem:
      return terms_.add(TermKind::kItem, kNoIndex, {term_at(captures[Slot::kObject], side)});
    case TermSort::kMap:
      return terms_.add(TermKind::kMap, kNoIndex,
                        {type_term(inner), type_term(captures[Slot::kOther])});
    case TermSort::kChannel:
      return terms_.add(TermKind::kChannel, kNoIndex, {type_term(inner)});
    case TermSort::kResults:
      return results_term(node);
    case TermSort::kLast: {
      Node last;
      source_.each_child(node, kMaxStatements, [&](const Node& child, const KindRules& rules) {
        // (The error handler is not part of it.)
        const bool is_handler =
            !rules.value_patterns.empty() &&
            static_cast<TermSort>(rules.value_patterns.front().sort) == TermSort::kOmitted;
        if (!is_handler) last = child;
      });
      if (!last || text_of(last).ends_with(';')) return kNoIndex;
      return value_term(last);
    }
    case TermSort::kOnly: {
      const Node only = only_child(node);
      return only ? value_term(only) : TermId{kNoIndex};
    }
    case TermSort::kNothing:
    case TermSort::kOmitted:
      break;
  }
  return kNoIndex;
}

// The types of the parameters in `list`, one for each name.
TermId NodeTerms::results_term(const Node& list) {
  Parts parts(parts_);
  source_.each_child(list, kMaxMembers, [&](const Node& child, const KindRules&) {
    const TermId term = type_term(child_by_field(child, fields().type));
    const std::uint32_t names = std::max(1U, count_names(child));
    for (std::uint32_t i = 0; i < names && i < kMaxMembers; ++i) parts.push(term);
  });
  if (parts.all().size() == 1) return parts.all().front();
  return terms_.add(TermKind::kTuple, kNoIndex, parts.all());
}

std::uint32_t NodeTerms::count_names(const Node& node) const {
  Cursor cursor(node);
  std::uint32_t count = 0;
  for (bool more = cursor.goto_first_child(); more && count < kMaxChildren;
       more = cursor.goto_next_sibling()) {
    const bool is_name = cursor.field() == fields().name && rules_of(cursor.node()).is_identifier;
    if (is_name) ++count;
  }
  return count;
}

Node NodeTerms::only_child(const Node& list) {
  Node only;
  std::size_t count = 0;
  source_.each_child(list, 2, [&](const Node& child, const KindRules&) {
    only = child;
    ++count;
  });
  return count == 1 ? only : Node{};
}

TermId NodeTerms::value_at(const Node& value, std::uint32_t position) {
  const std::vector<Pattern>& patterns = rules_of(value).value_patterns;
  const bool is_list =
      !patterns.empty() && static_cast<TermSort>(patterns.front().sort) == TermSort::kOnly;
  if (!is_list || only_child(value)) {
    return terms_.add(TermKind::kNth, position, {value_term(value)});
  }
  Node found;
  std::uint32_t at = 0;
  source_.each_child(value, kMaxChildren, [&](const Node& child, const KindRules&) {
    if (at++ == position) found = child;
  });
  return found ? value_term(found) : TermId{kNoIndex};
}

// T[][]: the existing list becomes one of lists.
TermId NodeTerms::nested_list(TermId list, const Node& node) {
  if (fields().dimensions == 0 || list == kNoIndex) return list;
  std::size_t levels = 0;
  source_.each_child(node, kMaxElements, [&](const Node& child, const KindRules& rules) {
    if (rules.value_patterns.empty() && rules.type_patterns.empty()) {
      levels += static_cast<std::size_t>(std::ranges::count(text_of(child), '['));
    }
  });
  for (; levels > 1 && list != kNoIndex; levels = std::min(levels - 1, kMaxElements)) {
    list = terms_.add(TermKind::kArray, kNoIndex, {list});
  }
  return list;
}

TermId NodeTerms::name_term(const Node& name, Side side) {
  const ByteRange range = range_of(name);
  if (range.empty()) return kNoIndex;
  std::uint32_t begin = range.begin;
  if (!rules_of(name).is_identifier) {
    // A dotted name in a single node: its last part counts.
    const std::string_view written = text_of(range);
    const std::size_t dot = written.substr(0, written.find('<')).rfind('.');
    if (dot != std::string_view::npos) begin += static_cast<std::uint32_t>(dot) + 1;
  }
  if (side == Side::kValue) return terms_.add(TermKind::kName, begin, {});
  // (In languages whose blocks add members to a type, `Self` is a name that they bind.)
  const bool is_named = rules_of(name).identifier_sort == IdentifierSort::kTypeName;
  if (text_of(range) == "Self" && !is_named) return this_term();
  return terms_.add(TermKind::kType, begin, {});
}

TermId NodeTerms::apply_term(TermId applied, const Node& list) {
  if (applied == kNoIndex || !list) return applied;
  Parts parts(parts_);
  parts.push(applied);
  source_.each_child(list, kMaxMembers,
                     [&](const Node& child, const KindRules&) { parts.push(type_term(child)); });
  return terms_.add(TermKind::kApply, kNoIndex, parts.all());
}

TermId NodeTerms::call_term(const Pattern& pattern, const Node& node, const Captures& captures) {
  const bool is_new = static_cast<TermSort>(pattern.sort) == TermSort::kNew;
  Node callee = captures[Slot::kInner];
  if (!callee && is_new) return terms_.add(TermKind::kNew, kNoIndex, {this_term()});
  if (!callee || (rules_of(callee).identifier_sort == IdentifierSort::kCalled && !is_new)) {
    // The name of a variable or a call; its meaning decides.
    const TermId named = name_term(callee ? callee : node, Side::kValue);
    return terms_.add(TermKind::kOperator, sink_.id_of("()"), {named});
  }
  if (is_own_class(callee) && !source_.rules().has_own_names()) return this_term();
  // The grammar parses `await f<T>(x)` as a call of `await f`.
  bool is_awaited = false;
  for (const Pattern& outer : rules_of(callee).value_patterns) {
    Captures awaited;
    if (static_cast<TermSort>(outer.sort) != TermSort::kAwait) break;
    if (!source_.matches(outer, callee, &awaited)) break;
    callee = awaited[Slot::kInner];
    is_awaited = true;
  }
  TermId called = value_term(callee);
  if (called == kNoIndex) return kNoIndex;
  const Node& list = captures[Slot::kList];
  // They are between the two.
  const bool may_be_applied = !list || range_of(list).begin > range_of(callee).end;
  if (may_be_applied) called = apply_term(called, child_by_field(node, fields().type_arguments));
  if (captures[Slot::kArguments]) called = apply_term(called, captures[Slot::kArguments]);
  called = instantiated_term(callee, called);
  Parts parts(parts_);
  if (captures[Slot::kBlock] && !list && kind_of(callee) == kind_of(node) &&
      facts_.terms[called].kind == TermKind::kCall && !has_trailing(called)) {
    // f(a) { }: the grammar makes two calls of it.
    const Term inner = facts_.terms[called];
    for (std::uint32_t i = 0; i < inner.part_count; ++i) {
      parts.push(facts_.term_parts[inner.first_part + i]);
    }
  } else {
    parts.push(called);
  }
  if (list) {
    bool is_tag = false;
    source_.each_child(list, kMaxMembers, [&](const Node& child, const KindRules& rules) {
      // MACRO(a, struct b): the grammar reports a type there as an error.
      const bool is_keyword = source_.rules().has_tags() && is_tag_keyword(text_of(child));
      const bool is_type = std::exchange(is_tag, is_keyword);
      if (is_type) parts.push(terms_.add(TermKind::kType, range_of(child).begin, {}));
      if (is_type || is_tag) return;
      if (!rules.value_patterns.empty()) {
        const Pattern& first = rules.value_patterns.front();
        Captures found;
        const bool is_omitted = static_cast<TermSort>(first.sort) == TermSort::kOmitted &&
                                source_.matches(first, child, &found);
        if (is_omitted) return;
      }
      parts.push(value_term(child));
    });
  }
  if (captures[Slot::kOther]) parts.push(value_term(captures[Slot::kOther]));
  if (captures[Slot::kBlock]) {
    parts.push(
        terms_.add(TermKind::kOperator, sink_.id_of(":"), {value_term(captures[Slot::kBlock])}));
  }
  if (captures[Slot::kType]) parts.push(type_term(captures[Slot::kType]));
  const TermId term = terms_.add(is_new ? TermKind::kNew : TermKind::kCall, kNoIndex, parts.all());
  return is_awaited ? terms_.add(TermKind::kAwait, kNoIndex, {term}) : term;
}

// True for a call that passes a lambda after its other arguments.
bool NodeTerms::has_trailing(TermId call) const {
  const Term& term = facts_.terms[call];
  if (term.part_count < 2) return false;
  const TermId last = facts_.term_parts[term.first_part + term.part_count - 1];
  return last != kNoIndex && facts_.terms[last].kind == TermKind::kOperator &&
         sink_.text_of(facts_.terms[last].at) == ":";
}

// f[T](x) may also be a call of an element: the item, with arguments that may be types.
TermId NodeTerms::instantiated_term(const Node& callee, TermId called) {
  const std::vector<Pattern>& patterns = rules_of(callee).value_patterns;
  if (called == kNoIndex || patterns.empty() ||
      static_cast<TermSort>(patterns.front().sort) != TermSort::kAnyItem ||
      facts_.terms[called].kind != TermKind::kItem) {
    return called;
  }
  Parts parts(parts_);
  parts.push(facts_.term_parts[facts_.terms[called].first_part]);
  const Node list = child_by_field(callee, fields().type_arguments);
  std::size_t at = 0;
  source_.each_child(list ? list : callee, kMaxMembers, [&](const Node& child, const KindRules&) {
    if (list || at++ > 0) parts.push(type_term(child));
  });
  const auto types = parts.all().subspan(1);
  const bool are_types = std::ranges::find(types, TermId{kNoIndex}) == types.end();
  return are_types ? terms_.add(TermKind::kItem, kNoIndex, parts.all()) : called;
}

// `this` as a value: the receiver of an enclosing lambda, by its place, or else of the class.
TermId NodeTerms::receiver_term() {
  TermId outer = this_term();
  const NameId name = sink_.id_of("this");
  const auto& scopes = frames_.scopes();
  std::size_t first = scopes.size();
  while (first > 0 && facts_.scopes[scopes[first - 1]].kind != ScopeKind::kClass) --first;
  for (std::size_t i = first; i < scopes.size(); ++i) {
    const std::uint32_t binding = sink_.find_binding(scopes[i], name);
    if (binding == PairMap::kAbsent) continue;
    const TermId term = facts_.bindings[binding].term;
    if (term == kNoIndex) continue;
    const Term& own = facts_.terms[term];
    const bool may_have_none = own.kind == TermKind::kParameter && own.at == kReceiverParameter;
    if (!may_have_none || outer == kNoIndex) {
      outer = term;
      continue;
    }
    outer = terms_.add(TermKind::kParameter, kReceiverParameter,
                       {facts_.term_parts[own.first_part], outer});
  }
  return outer;
}

// In an entry of a `when` over a subject, a name, that tests its type.
void NodeTerms::narrow_subject(const Node& selection, const Node& type, ByteRange range) {
  Node subject;
  std::uint32_t steps = 0;
  Cursor cursor(selection);
  for (bool more = cursor.goto_first_child(); more && steps < 4;
       more = cursor.goto_next_sibling(), ++steps) {
    if (named_child_count(cursor.node()) > 0) {
      subject = cursor.node();
      break;
    }
  }
  if (!subject) return;
  const std::string_view text = trim(text_of(subject));
  if (!text.starts_with('(') || !text.ends_with(')')) return;
  std::string_view name = trim(text.substr(1, text.size() - 2));
  if (name.starts_with("val ")) {
    name = trim(name.substr(4, name.find_first_of("=:") - std::min<std::size_t>(4, name.size())));
    name = trim(name.substr(0, name.find_first_of("=: ")));
  }
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  if (name.empty() || name.size() > kMaxTestedBytes || !std::ranges::all_of(name, is_part)) return;
  const TermId term = type_term(type);
  if (term != kNoIndex) sink_.add_narrowing({sink_.id_of(name), range, term});
}

// Where `condition` is true, the names in it have the tested types.
void NodeTerms::narrow(const Node& condition, ByteRange range) {
  Node pending[kMaxTests] = {condition};
  std::size_t count = 1;
  Captures captures;
  for (std::size_t steps = 0; count > 0 && steps < kMaxTests; ++steps) {
    const Node node = pending[--count];
    for (const Pattern& pattern : rules_of(node).test_patterns) {
      if (!source_.matches(pattern, node, &captures)) continue;
      if (static_cast<TestSort>(pattern.sort) == TestSort::kIs) {
        const TermId term = type_term(captures[Slot::kType]);
        const std::string_view name = text_of(captures[Slot::kName]);
        if (term != kNoIndex && name.size() <= kMaxTestedBytes) {
          sink_.add_narrowing({tested_name(name), range, term});
        }
      } else {
        for (Slot slot : {Slot::kInner, Slot::kOther}) {
          if (captures[slot] && count < kMaxTests) pending[count++] = captures[slot];
        }
      }
      break;
    }
  }
}

// A supertype with its arguments: the node around its last name that has the arguments.
TermId NodeTerms::supertype_term(std::uint32_t offset) {
  for (std::uint32_t depth = 1; depth <= 3 && depth < frames_.size(); ++depth) {
    const Frame& frame = frames_[frames_.size() - depth];
    for (const Pattern& pattern : frame.rules->type_patterns) {
      if (static_cast<TermSort>(pattern.sort) != TermSort::kGeneric) continue;
      const TermId term = type_term(frame.node);
      if (term == kNoIndex) break;
      const Term& made = facts_.terms[term];
      const bool is_it = made.kind == TermKind::kType && made.at == offset && made.part_count > 0;
      return is_it ? term : kNoIndex;
    }
  }
  if (!docs_.are_surer() || frames_.symbol() == kNoIndex) return kNoIndex;
  std::size_t end = offset;
  while (end < source_.text().size() && is_identifier_char(source_.text()[end])) ++end;
  return docs_.supertype(frames_.symbol(), source_.text().substr(offset, end - offset));
}

}  // namespace codexmem::parse
