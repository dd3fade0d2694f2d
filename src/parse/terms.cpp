// Terms: how values come about and what types are, as expressions (facts.h).
//
// A term is made of a node and what stands below it, or of a node and what stands around it: what
// its place expects of it, what a name in a pattern is given. What each kind of node means is data
// (`@value.*`, `@type.*`, `@entry`, `@part.*`, `@expect.*` in grammars/*/terms.scm). Terms are made
// on demand, once a node, for what needs one: annotations, initialisers, results, receivers, keys,
// parameters of functions that are values. So the cost is that of those nodes, each looked at once.
// While the walk goes on, `at` of names is a byte offset and that of classes the number of a symbol
// that may still move; finish_terms() makes them indices and drops what nothing refers to and what
// came out to mean nothing. Tested by golden_test.cpp.
#include <algorithm>
#include <cctype>

#include "parse/walker.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxPlaceDepth = 32;
constexpr std::uint32_t kMaxChildren = 64;   // of a node that are looked at
constexpr std::uint32_t kMaxEntries = 512;   // keys of an object
constexpr std::size_t kMaxElements = 8;      // different ones of a list
constexpr std::size_t kMaxMembers = 32;      // of a union
constexpr std::size_t kMaxTests = 16;        // in one condition
constexpr std::size_t kMaxTestedBytes = 64;  // of a name with dots that is tested

constexpr std::size_t kMaxHeadBytes = 256;  // of a function, for async and the like

// The memo's value for a node that was looked at and says nothing.
constexpr std::uint32_t kNothing = 0xFFFFFFFEU;

enum class Side : std::uint8_t { kValue = 0, kType = 1 };

std::pair<std::uint32_t, std::uint32_t> key_of(const Node& node, Side side) {
  const auto id = reinterpret_cast<std::uintptr_t>(node.id) | static_cast<std::uintptr_t>(side);
  return {static_cast<std::uint32_t>(static_cast<std::uint64_t>(id) >> 32),
          static_cast<std::uint32_t>(id)};
}

bool needs_first_part(TermKind kind) {
  switch (kind) {
    case TermKind::kNew:
    case TermKind::kCall:
    case TermKind::kAwait:
    case TermKind::kElement:
    case TermKind::kEntered:
    case TermKind::kMember:
    case TermKind::kItem:
    case TermKind::kApply:
    case TermKind::kParameter:
    case TermKind::kArgument:
    case TermKind::kResult:
      return true;
    default:
      return false;
  }
}

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

}  // namespace

// Calls `visit` with each named child of `node` but comments, at most `limit`.
template <typename Visit>
void Walker::each_child(const Node& node, std::uint32_t limit, Visit visit) {
  if (open_cursors_ == cursors_.size()) cursors_.push_back(std::make_unique<Cursor>(node));
  Cursor& cursor = *cursors_[open_cursors_++];
  cursor.reset(node);
  for (bool more = cursor.goto_first_child(); more && limit > 0;
       more = cursor.goto_next_sibling()) {
    const Node child = cursor.node();
    const KindRules& rules = (*rules_)[kind_of(child)];
    if (!rules.is_named || rules.is_comment) continue;
    visit(child, rules);
    --limit;
  }
  --open_cursors_;
}

// What `this` or `self` is an instance of: the class or interface around, or the function that is
// used as one.
std::uint32_t Walker::own_class() const {
  if (!selves_.empty()) return selves_.back().symbol;
  auto makes_instances = [](const Symbol& symbol) {
    bool is_constructor = symbol.type == SymbolType::kFunction && !symbol.name.empty() &&
                          std::isupper(static_cast<unsigned char>(symbol.name.front())) != 0;
    return symbol.type == SymbolType::kClass || symbol.type == SymbolType::kInterface ||
           is_constructor;
  };
  for (auto at = symbols_.rbegin(); at != symbols_.rend(); ++at) {
    const Symbol& symbol = facts_.symbols[*at];
    if (makes_instances(symbol)) return *at;
    if (symbol.type != SymbolType::kMethod && symbol.type != SymbolType::kProperty) continue;
    // X.prototype.f = function stands outside X.
    if (symbol.parent == kNoIndex) return kNoIndex;
    return makes_instances(facts_.symbols[symbol.parent]) ? symbol.parent : kNoIndex;
  }
  return kNoIndex;
}

bool Walker::is_self(const Node& node) const {
  if ((*rules_)[kind_of(node)].constant_value == ReceiverKind::kThis) return true;
  return !selves_.empty() && (*rules_)[kind_of(node)].is_identifier &&
         text_of(node) == selves_.back().name;
}

// cls, self.__class__, type(self): what makes another one.
bool Walker::is_own_class(const Node& node) const {
  if (is_self(node)) return true;
  if (selves_.empty()) return false;
  const std::string_view text = text_of(node);
  const std::string_view self = selves_.back().name;
  return (text.starts_with(self) && text.substr(self.size()) == ".__class__") ||
         (text.size() == self.size() + 6 && text.starts_with("type(") && text.ends_with(')') &&
          text.substr(5, self.size()) == self);
}

TermId Walker::add_term(TermKind kind, std::uint32_t at, std::initializer_list<TermId> parts) {
  return add_term(kind, at, std::span(parts.begin(), parts.size()));
}

TermId Walker::add_term(TermKind kind, std::uint32_t at, std::span<const TermId> parts) {
  if (needs_first_part(kind) && (parts.empty() || parts.front() == kNoIndex)) return kNoIndex;
  if (facts_.terms.size() >= kMaxTerms) return kNoIndex;
  Term term;
  term.kind = kind;
  term.at = at;
  term.first_part = static_cast<std::uint32_t>(facts_.term_parts.size());
  term.part_count = static_cast<std::uint32_t>(parts.size());
  facts_.term_parts.insert(facts_.term_parts.end(), parts.begin(), parts.end());
  facts_.terms.push_back(term);
  return static_cast<TermId>(facts_.terms.size() - 1);
}

TermId Walker::this_term() {
  const std::uint32_t owner = own_class();
  if (owner == kNoIndex) return kNoIndex;
  if (this_term_ != kNoIndex && facts_.terms[this_term_].at == owner) return this_term_;
  this_term_ = add_term(TermKind::kThis, owner, {});
  return this_term_;
}

TermId Walker::literal_term() {
  if (literal_term_ == kNoIndex) literal_term_ = add_term(TermKind::kLiteral, kNoIndex, {});
  return literal_term_;
}

TermId Walker::union_of(std::span<const TermId> terms) {
  TermId distinct[kMaxMembers];
  std::size_t count = 0;
  for (TermId term : terms) {
    if (term == kNoIndex || std::find(distinct, distinct + count, term) != distinct + count) {
      continue;
    }
    if (count < kMaxMembers) distinct[count++] = term;
  }
  if (count == 0) return kNoIndex;
  if (count == 1) return distinct[0];
  return add_term(TermKind::kUnion, kNoIndex, std::span<const TermId>(distinct, count));
}

TermId Walker::union_of(TermId a, TermId b) {
  const TermId both[] = {a, b};
  return union_of(both);
}

TermId Walker::value_term(const Node& node) {
  if (!node || !rules_->has_terms()) return kNoIndex;
  const auto [high, low] = key_of(node, Side::kValue);
  const std::uint32_t known = node_terms_.find(high, low);
  if (known != PairMap::kAbsent) return known == kNothing ? kNoIndex : known;
  if (term_depth_ >= kMaxTermDepth) return kNoIndex;
  ++term_depth_;
  TermId term = kNoIndex;
  if (is_self(node)) {
    term = this_term();
  } else {
    term = term_by((*rules_)[kind_of(node)].value_patterns, node, false);
  }
  --term_depth_;
  node_terms_.insert(high, low, term == kNoIndex ? kNothing : term);
  return term;
}

TermId Walker::type_term(const Node& node) {
  if (!node || !rules_->has_terms()) return kNoIndex;
  const auto [high, low] = key_of(node, Side::kType);
  const std::uint32_t known = node_terms_.find(high, low);
  if (known != PairMap::kAbsent) return known == kNothing ? kNoIndex : known;
  if (term_depth_ >= kMaxTermDepth) return kNoIndex;
  ++term_depth_;
  const TermId term = term_by((*rules_)[kind_of(node)].type_patterns, node, true);
  --term_depth_;
  node_terms_.insert(high, low, term == kNoIndex ? kNothing : term);
  return term;
}

TermId Walker::term_by(const std::vector<Pattern>& patterns, const Node& node, bool is_type) {
  if (patterns.empty()) return kNoIndex;
  if (patterns.front().items.empty() && patterns.front().predicates.empty()) {
    static const Captures kNone;
    return term_of(patterns.front(), node, kNone, is_type);
  }
  // One a depth: what is below has its own.
  Captures& captures = term_captures_[static_cast<std::size_t>(term_depth_)];
  for (const Pattern& pattern : patterns) {
    if (rules_->matches(pattern, node, text_, &captures)) {
      return term_of(pattern, node, captures, is_type);
    }
  }
  return kNoIndex;
}

TermId Walker::term_of(const Pattern& pattern, const Node& node, const Captures& captures,
                       bool is_type) {
  const auto term_at = [&](const Node& part) {
    return is_type ? type_term(part) : value_term(part);
  };
  const Node& inner = captures[Slot::kInner];
  const Node& list = captures[Slot::kList];
  switch (static_cast<TermSort>(pattern.sort)) {
    case TermSort::kName: {
      const Node& name = captures[Slot::kName] ? captures[Slot::kName] : node;
      return name_term(name, is_type);
    }
    case TermSort::kPass:
      if (const TermId cast = cast_type(node); cast != kNoIndex) return cast;
      return term_at(inner);
    case TermSort::kCast:
      return type_term(inner);
    case TermSort::kTypeOf:
      return value_term(inner);
    case TermSort::kLiteral:
      return literal_term();
    case TermSort::kThis:
      return this_term();
    case TermSort::kModule:
      return add_term(TermKind::kModule, range_of(captures[Slot::kSource]).begin + 1, {});
    case TermSort::kString:
      return type_term_of_string(range_of(node));
    case TermSort::kAwait:
      return add_term(TermKind::kAwait, kNoIndex, {value_term(inner)});
    case TermSort::kElement:
      return add_term(TermKind::kElement, kNoIndex, {value_term(inner)});
    case TermSort::kNew:
    case TermSort::kCall:
      return call_term(pattern, node, captures);
    case TermSort::kApply: {
      const TermId applied = value_term(inner);
      return apply_term(applied, list);
    }
    case TermSort::kFunction:
      return function_term(node);
    case TermSort::kObject:
      return object_term(node, false);
    case TermSort::kUnion: {
      // A long one leans to the left: its spine is followed, not descended.
      const std::size_t base = parts_.size();
      Node at = node;
      Captures parts = captures;
      for (std::size_t steps = 0; steps < kMaxChildren; ++steps) {
        const Node left = parts[Slot::kInner];
        if (!left) {
          std::vector<Node> members;
          each_child(at, kMaxChildren,
                     [&](const Node& child, const KindRules&) { members.push_back(child); });
          std::size_t first = 0;
          const bool leans = members.size() == 2 && kind_of(members[0]) == kind_of(at);
          if (leans) first = 1;
          for (std::size_t i = members.size(); i > first; --i) {
            const TermId term = term_at(members[i - 1]);
            parts_.push_back(term);
          }
          if (!leans) break;
          at = members[0];
          continue;
        }
        const TermId right = term_at(parts[Slot::kOther]);
        parts_.push_back(right);
        if (kind_of(left) != kind_of(at) || !rules_->matches(pattern, left, text_, &parts)) {
          const TermId term = term_at(left);
          parts_.push_back(term);
          break;
        }
        at = left;
      }
      std::reverse(parts_.begin() + static_cast<std::ptrdiff_t>(base), parts_.end());
      const TermId term = union_of(std::span(parts_).subspan(base));
      parts_.resize(base);
      return term;
    }
    case TermSort::kItem: {
      const Node& object = captures[Slot::kObject];
      const Node& index = captures[Slot::kOther];
      const TermId whole = term_at(object);
      if (whole == kNoIndex) return kNoIndex;
      if (index) {
        const std::string_view text = text_of(index);
        if (is_quoted(text)) {
          return add_term(TermKind::kMember, names_.id_of(member_name(index)), {whole});
        }
        return add_term(TermKind::kItem, number_of(text), {whole});
      }
      const std::size_t base = parts_.size();
      parts_.push_back(whole);
      std::string_view text;
      each_child(node, kMaxElements + 1, [&](const Node& child, const KindRules&) {
        if (child.id == object.id) return;
        text = text_of(child);
        const TermId term = value_term(child);
        parts_.push_back(term);
      });
      TermId term = kNoIndex;
      const bool is_single = parts_.size() == base + 2;
      if (is_single && is_quoted(text)) {
        term = add_term(TermKind::kMember, names_.id_of(text.substr(1, text.size() - 2)), {whole});
      } else if (is_single && number_of(text) != kNoIndex) {
        term = add_term(TermKind::kItem, number_of(text), {whole});
      } else {
        term = add_term(TermKind::kItem, kNoIndex, std::span(parts_).subspan(base));
      }
      parts_.resize(base);
      return term;
    }
    case TermSort::kArray: {
      if (inner) return add_term(TermKind::kArray, kNoIndex, {value_term(inner)});
      const std::size_t base = parts_.size();
      each_child(node, kMaxChildren, [&](const Node& child, const KindRules&) {
        if (parts_.size() - base >= kMaxElements) return;
        const TermId term = term_at(child);
        if (term != kNoIndex && std::find(parts_.begin() + static_cast<std::ptrdiff_t>(base),
                                          parts_.end(), term) == parts_.end()) {
          parts_.push_back(term);
        }
      });
      const TermId term = add_term(TermKind::kArray, kNoIndex, std::span(parts_).subspan(base));
      parts_.resize(base);
      return term;
    }
    case TermSort::kTuple: {
      const std::size_t base = parts_.size();
      each_child(node, kMaxMembers, [&](const Node& child, const KindRules&) {
        const TermId term = term_at(child);
        parts_.push_back(term);
      });
      const TermId term = add_term(TermKind::kTuple, kNoIndex, std::span(parts_).subspan(base));
      parts_.resize(base);
      return term;
    }
    case TermSort::kGeneric: {
      const Node& name = captures[Slot::kName];
      const TermId plain = type_term(name);
      if (plain == kNoIndex || facts_.terms[plain].kind != TermKind::kType) return plain;
      const std::size_t base = parts_.size();
      const std::uint32_t at = facts_.terms[plain].at;
      each_child(list ? list : node, kMaxMembers, [&](const Node& child, const KindRules&) {
        if (child.id == name.id) return;
        const TermId term = type_term(child);
        parts_.push_back(term);
      });
      const TermId term = add_term(TermKind::kType, at, std::span(parts_).subspan(base));
      parts_.resize(base);
      return term;
    }
    case TermSort::kNothing:
    case TermSort::kOmitted:
      break;
  }
  return kNoIndex;
}

TermId Walker::name_term(const Node& name, bool is_type) {
  const ByteRange range = range_of(name);
  if (range.empty()) return kNoIndex;
  std::uint32_t begin = range.begin;
  if (!(*rules_)[kind_of(name)].is_identifier) {
    // A dotted name that is one node: the last one counts.
    const std::size_t dot = text_of(range).rfind('.');
    if (dot != std::string_view::npos) begin += static_cast<std::uint32_t>(dot) + 1;
  }
  if (!is_type) return add_term(TermKind::kName, begin, {});
  if (text_of(range) == "Self") return this_term();
  return add_term(TermKind::kType, begin, {});
}

TermId Walker::apply_term(TermId applied, const Node& list) {
  if (applied == kNoIndex || !list) return applied;
  const std::size_t base = parts_.size();
  parts_.push_back(applied);
  each_child(list, kMaxMembers, [&](const Node& child, const KindRules&) {
    const TermId term = type_term(child);
    parts_.push_back(term);
  });
  const TermId term = add_term(TermKind::kApply, kNoIndex, std::span(parts_).subspan(base));
  parts_.resize(base);
  return term;
}

TermId Walker::call_term(const Pattern& pattern, const Node& node, const Captures& captures) {
  const bool is_new = static_cast<TermSort>(pattern.sort) == TermSort::kNew;
  Node callee = captures[Slot::kInner];
  if (is_own_class(callee)) return this_term();
  // The grammar reads `await f<T>(x)` as a call of `await f`.
  bool is_awaited = false;
  for (const Pattern& outer : (*rules_)[kind_of(callee)].value_patterns) {
    Captures awaited;
    if (static_cast<TermSort>(outer.sort) != TermSort::kAwait) break;
    if (!rules_->matches(outer, callee, text_, &awaited)) break;
    callee = awaited[Slot::kInner];
    is_awaited = true;
  }
  TermId called = value_term(callee);
  if (called == kNoIndex) return kNoIndex;
  const Node& list = captures[Slot::kList];
  // They stand between the two.
  const bool may_be_applied =
      type_arguments_field_ != 0 && (!list || range_of(list).begin > range_of(callee).end);
  if (may_be_applied) called = apply_term(called, child_by_field(node, type_arguments_field_));
  const std::size_t base = parts_.size();
  parts_.push_back(called);
  if (list) {
    each_child(list, kMaxMembers, [&](const Node& child, const KindRules& rules) {
      const bool is_omitted =
          !rules.value_patterns.empty() &&
          static_cast<TermSort>(rules.value_patterns.front().sort) == TermSort::kOmitted;
      if (is_omitted) return;
      const TermId term = value_term(child);
      parts_.push_back(term);
    });
  }
  if (captures[Slot::kType]) {
    const TermId bound = type_term(captures[Slot::kType]);
    parts_.push_back(bound);
  }
  const TermId term = add_term(is_new ? TermKind::kNew : TermKind::kCall, kNoIndex,
                               std::span(parts_).subspan(base));
  parts_.resize(base);
  return is_awaited ? add_term(TermKind::kAwait, kNoIndex, {term}) : term;
}

// A function's entry and term; its results are noted as the walk meets them.
TermId Walker::function_term(const Node& node) {
  const auto [high, low] = key_of(node, Side::kValue);
  const std::uint32_t known = node_terms_.find(high, low);
  if (known != PairMap::kAbsent && known != kNothing) return known;
  if (facts_.terms.size() + kMaxChildren * kMaxTermDepth >= kMaxTerms) return kNoIndex;
  const auto index = static_cast<std::uint32_t>(facts_.functions.size());
  facts_.functions.emplace_back();
  leading_.push_back(0);
  Function function;
  const Node list = child_by_field(node, parameters_field_);
  ByteRange head = range_of(node);
  if (list) head.end = range_of(list).begin;
  const std::string_view words = text_of(head).substr(0, kMaxHeadBytes);
  for (const Pattern& pattern : (*rules_)[kind_of(node)].flag_patterns) {
    // A token that is not written is not looked for.
    if (words.find(pattern.token) == std::string_view::npos) continue;
    Captures captures;
    if (!rules_->matches(pattern, node, text_, &captures)) continue;
    switch (static_cast<FunctionFlag>(pattern.sort)) {
      case FunctionFlag::kAsync:
        function.is_async = true;
        break;
      case FunctionFlag::kGenerator:
        function.is_generator = true;
        break;
      case FunctionFlag::kConstructor:
        function.is_constructor = true;
        break;
    }
  }
  if (list) {
    add_parameters(list, index, &function);
  } else if (parameter_field_ != 0) {
    if (const Node single = child_by_field(node, parameter_field_); single) {
      Parameter parameter;
      parameter.name = names_.id_of(text_of(single));
      function.parameters.push_back(parameter);
    }
  }
  Node result = return_field_ != 0 ? child_by_field(node, return_field_) : Node{};
  if (!result && function.is_constructor) result = child_by_field(node, type_field_);
  if (result) {
    function.is_annotated = true;
    function.result = type_term(result);
  }
  facts_.functions[index] = std::move(function);
  const TermId term = add_term(TermKind::kFunction, index, {});
  if (term == kNoIndex) return term;
  node_terms_.insert(high, low, term);
  return term;
}

void Walker::add_parameters(const Node& list, std::uint32_t index, Function* function) {
  bool is_keyword = false;
  each_child(list, kMaxChildren, [&](const Node& child, const KindRules& rules) {
    Parameter parameter;
    Node name = child;
    std::uint8_t bits = 0;
    Captures captures;
    for (const Pattern& pattern : rules.parameter_patterns) {
      if (!rules_->matches(pattern, child, text_, &captures)) continue;
      bits = pattern.sort;
      if (captures[Slot::kName]) name = captures[Slot::kName];
      if (captures[Slot::kType]) {
        parameter.is_annotated = true;
        parameter.term = type_term(captures[Slot::kType]);
      } else if (captures[Slot::kValue]) {
        parameter.term = value_term(captures[Slot::kValue]);
      }
      break;
    }
    if (!parameter.is_annotated && has_docs_) {
      if (const TermId term = documented_type(child); term != kNoIndex) {
        parameter.term = term;
        parameter.is_annotated = true;
      }
    }
    if ((bits & kNoParameter) != 0) {
      if (function->parameters.empty()) ++leading_[index];
      return;
    }
    if ((bits & kKeywordsFollow) != 0) {
      is_keyword = true;
      return;
    }
    // ...rest: T[], *args: T
    if (name.id != child.id) {
      for (const Pattern& pattern : (*rules_)[kind_of(name)].parameter_patterns) {
        if (!rules_->matches(pattern, name, text_, &captures)) continue;
        bits |= pattern.sort;
        if (captures[Slot::kName]) name = captures[Slot::kName];
        break;
      }
    }
    if ((*rules_)[kind_of(name)].is_identifier) parameter.name = names_.id_of(text_of(name));
    parameter.is_optional = (bits & kOptionalParameter) != 0;
    parameter.is_rest = (bits & kRestParameter) != 0;
    parameter.is_keyword = is_keyword || (bits & kKeywordParameter) != 0;
    if (parameter.is_rest && has_keyword_parameters_) is_keyword = true;
    function->parameters.push_back(parameter);
  });
}

// An object literal or the members of a type that is written out; of an interface its signatures.
TermId Walker::object_term(const Node& node, bool signatures_only) {
  Object object;
  each_child(node, kMaxEntries, [&](const Node& child, const KindRules& rules) {
    Captures captures;
    for (const Pattern& pattern : rules.entry_patterns) {
      if (!rules_->matches(pattern, child, text_, &captures)) continue;
      add_entry(static_cast<EntrySort>(pattern.sort), child, captures, signatures_only, &object);
      break;
    }
  });
  if (signatures_only && object.calls.empty() && object.other == kNoIndex) return kNoIndex;
  if (facts_.objects.size() >= kMaxTerms) return kNoIndex;
  const auto index = static_cast<std::uint32_t>(facts_.objects.size());
  facts_.objects.push_back(std::move(object));
  return add_term(TermKind::kObject, index, {});
}

void Walker::add_entry(EntrySort sort, const Node& node, const Captures& captures,
                       bool signatures_only, Object* object) {
  const auto other = [&](TermId term) { object->other = union_of(object->other, term); };
  switch (sort) {
    case EntrySort::kCall: {
      const TermId term = function_term(node);
      if (term != kNoIndex) object->calls.push_back(facts_.terms[term].at);
      return;
    }
    case EntrySort::kOther:
      return other(type_term(captures[Slot::kType]));
    case EntrySort::kSpread:
      if (const TermId term = value_term(captures[Slot::kInner]); term != kNoIndex) {
        object->spreads.push_back(term);
      }
      return;
    default:
      break;
  }
  if (signatures_only) return;
  TermId term = kNoIndex;
  const Node& name = captures[Slot::kName] ? captures[Slot::kName] : node;
  switch (sort) {
    case EntrySort::kValue:
      term = documented_type(node);
      if (term == kNoIndex) term = value_term(captures[Slot::kValue]);
      break;
    case EntrySort::kType:
      term = type_term(captures[Slot::kType]);
      break;
    case EntrySort::kShorthand:
      term = add_term(TermKind::kName, range_of(node).begin, {});
      break;
    case EntrySort::kMethod:
      term = function_term(node);
      break;
    case EntrySort::kGetter:
      term = add_term(TermKind::kResult, kNoIndex, {function_term(node)});
      break;
    default:
      term = setter_term(function_term(node));
      break;
  }
  const std::string_view text = member_name(name);
  if (text.empty()) return;
  if (text.front() == '[') {
    // Of a type or a method it is one key that is not known by name; of a value any.
    if (sort == EntrySort::kValue) other(term);
    return;
  }
  ObjectKey key;
  key.name = names_.id_of(text);
  if ((*rules_)[kind_of(name)].is_identifier) key.occurrence = range_of(name).begin;
  key.term = term;
  object->keys.push_back(key);
}

TermId Walker::setter_term(TermId function) const {
  if (function == kNoIndex) return kNoIndex;
  const auto& parameters = facts_.functions[facts_.terms[function].at].parameters;
  return parameters.empty() ? kNoIndex : parameters.front().term;
}

// An annotation in quotes: names with dots between, arguments in brackets, "|".
class Walker::StringType {
 public:
  StringType(Walker& walker, ByteRange range)
      : walker_(walker), text_(walker.text_.substr(0, range.end)), at_(range.begin) {}

  TermId read() {
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\'') ++at_;
    while (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) ++at_;
    return read_union(0);
  }

 private:
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  static bool is_name(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
  }

  TermId read_union(int depth) {
    std::vector<TermId> members;
    do {
      members.push_back(read_type(depth));
    } while (take('|'));
    return walker_.union_of(members);
  }

  void read_list(int depth, std::vector<TermId>* list) {
    while (peek() != ']' && peek() != '\0' && list->size() < kMaxMembers) {
      list->push_back(read_union(depth + 1));
      if (!take(',')) break;
    }
    take(']');
  }

  TermId read_type(int depth) {
    if (depth > kMaxTermDepth) return kNoIndex;
    const char first = peek();
    if (first == '[') {
      ++at_;
      std::vector<TermId> parts;
      read_list(depth, &parts);
      return walker_.add_term(TermKind::kTuple, kNoIndex, parts);
    }
    if (first == '"' || first == '\'') {
      const std::size_t end = text_.find(first, at_ + 1);
      at_ = end == std::string_view::npos ? text_.size() : end + 1;
      return kNoIndex;
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      return kNoIndex;
    }
    if (first == '.') {
      while (take('.')) {
      }
      return kNoIndex;
    }
    std::size_t name = at_;
    while (true) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      if (at_ + 1 >= text_.size() || text_[at_] != '.' || !is_name(text_[at_ + 1])) break;
      name = ++at_;
    }
    if (at_ == name) {
      if (at_ < text_.size() && first != ']' && first != ',' && first != '|') ++at_;
      return kNoIndex;
    }
    const std::string_view text = text_.substr(name, at_ - name);
    std::vector<TermId> parts;
    if (take('[')) read_list(depth, &parts);
    if (text == "None" || text == "True" || text == "False") return kNoIndex;
    if (text == "Self") return walker_.this_term();
    return walker_.add_term(TermKind::kType, static_cast<std::uint32_t>(name), parts);
  }

  Walker& walker_;
  std::string_view text_;
  std::size_t at_;
};

TermId Walker::type_term_of_string(ByteRange range) { return StringType(*this, range).read(); }

// What a declarator's names are given as a whole.
TermId Walker::term_of(const Declarator& declarator) {
  if (declarator.type) {
    if (const TermId term = type_term(declarator.type); term != kNoIndex) return term;
  }
  if (declarator.documented != kNoIndex) return declarator.documented;
  const TermId value = value_term(declarator.value);
  if (declarator.value) return value;
  if (declarator.element) {
    return add_term(TermKind::kElement, kNoIndex, {value_term(declarator.element)});
  }
  if (declarator.keys) return literal_term();
  if (!declarator.context) return kNoIndex;
  switch (frames_[declarator.frame].context) {
    case Context::kLocal:    // except E as x
    case Context::kCapture:  // case C() as x
      return type_term(declarator.context);
    default:
      return add_term(TermKind::kEntered, kNoIndex, {value_term(declarator.context)});
  }
}

// What the names of the pattern that frame `index` is are given as a whole.
TermId Walker::taken(std::uint32_t index) {
  if (index == 0) return kNoIndex;
  if (frames_[index].has_taken) return frames_[index].taken;
  const Frame& frame = frames_[index];
  const EdgeRule* edge =
      Rules::edge(frames_[index - 1].rules->part_edges, frame.field, kind_of(frame.node));
  frames_[index].has_taken = true;
  const TermId term =
      given(edge, index - 1, frame.node, frame.position, frame.declarator, frame.context);
  frames_[index].taken = term;
  return term;
}

// What a node below frame `parent` is given, by its place there.
TermId Walker::given(const EdgeRule* edge, std::uint32_t parent, const Node& node,
                     std::uint32_t position, std::uint32_t declarator, Context context) {
  const Part part = edge == nullptr ? Part::kNone : edge->part;
  if (part == Part::kNone || part == Part::kList || part == Part::kAssigned) {
    TermId term = kNoIndex;
    const bool is_declared = declarator != kNoIndex && declarators_[declarator].frame == parent;
    if (is_declared) term = term_of(declarators_[declarator]);
    if (context == Context::kParameter && !(is_declared && declarators_[declarator].type)) {
      const std::uint32_t list = is_declared ? parent - 1 : parent;
      const std::uint32_t at = is_declared ? frames_[parent].position : position;
      const TermId documented = documented_parameter(list, at);
      term = documented != kNoIndex ? documented : union_of(term, parameter_term(list, at));
    }
    if (part == Part::kAssigned)
      term = value_term(child_by_field(frames_[parent].node, right_field_));
    return part == Part::kList && term != kNoIndex ? add_term(TermKind::kArray, kNoIndex, {term})
                                                   : term;
  }
  if (part == Part::kNothing || ++place_depth_ > kMaxPlaceDepth) {
    if (part != Part::kNothing) --place_depth_;
    return kNoIndex;
  }
  TermId term = taken(parent);
  --place_depth_;
  const Node& whole = frames_[parent].node;
  switch (part) {
    case Part::kKey: {
      const Node key = child_by_field(whole, key_field_);
      const std::string_view name = key ? member_name(key) : std::string_view{};
      if (name.empty() || name.front() == '[') {
        term = add_term(TermKind::kItem, kNoIndex, {term});
      } else {
        term = add_term(TermKind::kMember, names_.id_of(name), {term});
      }
      break;
    }
    case Part::kName:
    case Part::kNameDefault:
      term = add_term(TermKind::kMember, names_.id_of(text_of(node)), {term});
      break;
    case Part::kItem:
      term = add_term(TermKind::kItem, item_position(whole, node), {term});
      break;
    case Part::kRest:
      term = add_term(TermKind::kElement, kNoIndex, {term});
      if (term != kNoIndex) term = add_term(TermKind::kArray, kNoIndex, {term});
      break;
    default:
      break;
  }
  if (part == Part::kDefault || part == Part::kNameDefault) {
    term = union_of(term, value_term(child_by_field(whole, right_field_)));
  }
  return term;
}

// Which one of `list` `item` is; holes count.
std::uint32_t Walker::item_position(const Node& list, const Node& item) const {
  Cursor cursor(list);
  std::uint32_t position = 0;
  std::uint32_t steps = 0;
  for (bool more = cursor.goto_first_child(); more && steps < 2 * kMaxChildren;
       more = cursor.goto_next_sibling(), ++steps) {
    const Node child = cursor.node();
    if (child.id == item.id) return position;
    if (!(*rules_)[kind_of(child)].is_named && text_of(child) == ",") ++position;
  }
  return kNoIndex;
}

// The function below whose frame, or its list of parameters', parameter `position` stands: its
// frame, and which of its parameters that is; kNoIndex if none.
std::uint32_t Walker::function_of_parameter(std::uint32_t parent, std::uint32_t* position) const {
  if (frames_[parent].pops_function) {
    *position = 0;
    return parent;
  }
  return parent > 0 && frames_[parent - 1].pops_function ? parent - 1 : kNoIndex;
}

// What a function gets as a parameter by its place.
TermId Walker::parameter_term(std::uint32_t parent, std::uint32_t position) {
  const std::uint32_t function = function_of_parameter(parent, &position);
  if (function == kNoIndex) return kNoIndex;
  const TermId place = expected(function);
  if (place == kNoIndex) return kNoIndex;
  const TermId own = function_term(frames_[function].node);
  if (own == kNoIndex) return kNoIndex;
  const std::uint32_t index = facts_.terms[own].at;
  if (position < leading_[index]) return kNoIndex;
  position -= leading_[index];
  const TermId term = add_term(TermKind::kParameter, position, {place});
  const auto& parameters = facts_.functions[index].parameters;
  const bool is_rest = position < parameters.size() && parameters[position].is_rest;
  return is_rest ? add_term(TermKind::kArray, kNoIndex, {term}) : term;
}

// What its documentation says of a parameter.
TermId Walker::documented_parameter(std::uint32_t parent, std::uint32_t position) {
  if (!has_docs_) return kNoIndex;
  const std::uint32_t function = function_of_parameter(parent, &position);
  if (function == kNoIndex) return kNoIndex;
  const TermId own = function_term(frames_[function].node);
  if (own == kNoIndex) return kNoIndex;
  const auto& parameters = facts_.functions[facts_.terms[own].at].parameters;
  const bool is_documented = position < parameters.size() && parameters[position].is_annotated;
  return is_documented ? parameters[position].term : TermId{kNoIndex};
}

// What the place of frame `index` expects.
TermId Walker::expected(std::uint32_t index) {
  if (index == 0) return kNoIndex;
  if (frames_[index].has_expected) return frames_[index].expected;
  frames_[index].has_expected = true;
  const Frame& frame = frames_[index];
  const std::vector<EdgeRule>& edges = frames_[index - 1].rules->expect_edges;
  if (edges.empty()) return kNoIndex;
  const EdgeRule* edge = Rules::edge(edges, frame.field, kind_of(frame.node));
  if (edge == nullptr || place_depth_ >= kMaxPlaceDepth) return kNoIndex;
  ++place_depth_;
  const TermId term = expected_by(edge->expect, index - 1, frame.node, frame.position);
  --place_depth_;
  frames_[index].expected = term;
  return term;
}

TermId Walker::expected_by(Expect expect, std::uint32_t parent, const Node& node,
                           std::uint32_t position) {
  const auto member = [&](const Node& name, TermId whole) {
    if (!name || whole == kNoIndex) return kNoIndex;
    const std::string_view text = member_name(name);
    if (text.empty()) return kNoIndex;
    if (text.front() == '[') return add_term(TermKind::kItem, kNoIndex, {whole});
    return add_term(TermKind::kMember, names_.id_of(text), {whole});
  };
  const auto props = [&](std::uint32_t element) {
    return add_term(TermKind::kArgument, 0, {value_term(frames_[element].node)});
  };
  const auto documented_by = [&](const Frame& frame, std::uint32_t index) {
    const bool declares =
        frame.declarator != kNoIndex && declarators_[frame.declarator].frame == index;
    return declares ? declarators_[frame.declarator].documented : kNoIndex;
  };
  const Frame& above = frames_[parent];
  switch (expect) {
    case Expect::kSame:
      if (const TermId cast = cast_type(above.node); cast != kNoIndex) return cast;
      return expected(parent);
    case Expect::kKeysOfThis:
      return expected(parent);
    case Expect::kArgument:
      if (parent == 0) break;
      return argument_term(position, value_term(frames_[parent - 1].node), expected(parent - 1));
    case Expect::kKeysOfCall:
      if (parent < 2) break;
      return add_term(TermKind::kArgument, kNoIndex, {value_term(frames_[parent - 2].node)});
    case Expect::kKeyword: {
      if (parent < 2) break;
      const TermId call = value_term(frames_[parent - 2].node);
      return member(child_by_field(above.node, name_field_),
                    add_term(TermKind::kArgument, kNoIndex, {call}));
    }
    case Expect::kKey:
      if (parent == 0) break;
      return member(child_by_field(above.node, key_field_), expected(parent - 1));
    case Expect::kMethod:
      return member(child_by_field(node, name_field_), expected(parent));
    case Expect::kElement:
      return add_term(TermKind::kElement, kNoIndex, {expected(parent)});
    case Expect::kDeclared:
      if (const TermId term = documented_by(above, parent); term != kNoIndex) return term;
      return type_field_ == 0 ? kNoIndex : type_term(child_by_field(above.node, type_field_));
    case Expect::kLeft:
      // X.y = function declares y, X.prototype and exports are no one's; x.onload = function is
      // what x says.
      if (const TermId term = documented_by(above, parent); term != kNoIndex) return term;
      if (above.is_exports_object) break;
      if (above.symbol != kNoIndex) {
        const Symbol& declared = facts_.symbols[above.symbol];
        const bool is_own = range_of(above.node).begin <= declared.range.begin;
        if (!is_own || declared.parent != kNoIndex || declared.exported) break;
      }
      return left_field_ == 0 ? kNoIndex : value_term(child_by_field(above.node, left_field_));
    case Expect::kResult: {
      if (functions_.empty() || functions_.back().function == kNoIndex) break;
      const Function& function = facts_.functions[functions_.back().function];
      if (function.is_generator) break;
      const bool is_async = function.is_async;
      TermId result = function.result;
      if (!function.is_annotated) {
        result = add_term(TermKind::kResult, kNoIndex, {expected(functions_.back().frame)});
      }
      return is_async ? add_term(TermKind::kAwait, kNoIndex, {result}) : result;
    }
    case Expect::kCast: {
      const Node type = named_child(above.node, 1);
      return type ? type_term(type) : expected(parent);
    }
    case Expect::kAttribute:
      if (parent == 0) break;
      return member(named_child(above.node, 0), props(parent - 1));
    case Expect::kKeysOfOuter:
      return parent == 0 ? kNoIndex : expected(parent - 1);
    case Expect::kKeysOfTaken:
      return taken(parent);
    case Expect::kKeysOfProps:
      return parent == 0 ? kNoIndex : props(parent - 1);
    case Expect::kKeysOfClass:
      return parent < 2 ? kNoIndex : type_term(frames_[parent - 2].node);
    case Expect::kNone:
      break;
  }
  return kNoIndex;
}

// What argument `position` of `call`, whose place expects `expected_of_call`, should be.
TermId Walker::argument_term(std::uint32_t position, TermId call, TermId expected_of_call) {
  if (expected_of_call == kNoIndex) return add_term(TermKind::kArgument, position, {call});
  return add_term(TermKind::kArgument, position, {call, expected_of_call});
}

// Of what a key below frame `parent` is a key.
TermId Walker::whole_of_key(std::uint32_t parent, const Node& key, Field field, Kind kind) {
  const std::vector<EdgeRule>& edges = frames_[parent].rules->expect_edges;
  const EdgeRule* edge = Rules::edge(edges, field, kind);
  if (edge == nullptr || edge->expect < Expect::kKeysOfThis) return kNoIndex;
  return expected_by(edge->expect, parent, key, 0);
}

void Walker::open_function(std::uint32_t index, std::uint32_t symbol) {
  if (!rules_->has_terms()) return;
  const TermId term = function_term(frames_[index].node);
  OpenFunction open;
  open.frame = index;
  functions_.push_back(open);
  frames_[index].pops_function = true;
  if (term == kNoIndex) return;
  open.function = facts_.terms[term].at;
  if (const Doc* doc = doc_of(index); doc != nullptr) document(open.function, *doc);
  const bool is_constructor = symbol != kNoIndex && facts_.symbols[symbol].kind == "constructor";
  open.has_results = !facts_.functions[open.function].is_annotated && !is_constructor;
  functions_.back() = open;
}

void Walker::close_function() {
  const OpenFunction& open = functions_.back();
  if (open.count > 0) {
    facts_.functions[open.function].result =
        union_of(std::span<const TermId>(open.results.data(), open.count));
  }
  functions_.pop_back();
}

void Walker::note_result(const Node& value) {
  if (functions_.empty() || !value) return;
  OpenFunction& open = functions_.back();
  if (!open.has_results || open.function == kNoIndex || open.count >= kMaxResults ||
      facts_.functions[open.function].is_generator) {
    return;
  }
  if (const TermId term = value_term(value); term != kNoIndex) open.results[open.count++] = term;
}

void Walker::note_yield(const Node& value, bool is_from) {
  if (functions_.empty() || !value || value.id == last_yield_) return;
  last_yield_ = value.id;
  OpenFunction& open = functions_.back();
  if (!open.has_results) return;
  Function& function = facts_.functions[open.function];
  if (!function.is_generator) {
    function.is_generator = true;
    open.count = 0;
  }
  if (open.count >= kMaxResults) return;
  TermId term = value_term(value);
  if (is_from) term = add_term(TermKind::kElement, kNoIndex, {term});
  if (term != kNoIndex) open.results[open.count++] = term;
}

// Where `condition` is true, the names that it tests are of what it says.
void Walker::narrow(const Node& condition, ByteRange range) {
  Node pending[kMaxTests] = {condition};
  std::size_t count = 1;
  Captures captures;
  for (std::size_t steps = 0; count > 0 && steps < kMaxTests; ++steps) {
    const Node node = pending[--count];
    for (const Pattern& pattern : (*rules_)[kind_of(node)].test_patterns) {
      if (!rules_->matches(pattern, node, text_, &captures)) continue;
      if (static_cast<TestSort>(pattern.sort) == TestSort::kIs) {
        const TermId term = type_term(captures[Slot::kType]);
        const std::string_view name = text_of(captures[Slot::kName]);
        if (term != kNoIndex && name.size() <= kMaxTestedBytes) {
          facts_.narrowings.push_back({names_.id_of(name), range, term});
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

// A supertype with its arguments: the node around its last name that has them.
TermId Walker::supertype_term(std::uint32_t offset) {
  for (std::size_t depth = 1; depth <= 3 && depth < frames_.size(); ++depth) {
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
  return kNoIndex;
}

}  // namespace codexmem::parse
