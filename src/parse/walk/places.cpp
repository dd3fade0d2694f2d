// The influence of a node's place: the value that its declaration or pattern gives a name
// (`@part.*`), and the type expected of an expression (`@expect.*`, `@keys.*`). Tested by
// golden_test.cpp.
#include "parse/walk/places.h"

#include <algorithm>

#include "parse/terms/function_terms.h"
#include "parse/text/jsdoc.h"
#include "parse/terms/terms.h"
namespace codexmem::parse {
namespace {

constexpr int kMaxPlaceDepth = 32;
constexpr std::uint32_t kMaxSelectorDepth = 6;  // from a label to its switch

}  // namespace

// The term of a declarator's whole value.
TermId Places::term_of(const Declarator& declarator) {
  if (declarator.type) {
    if (const TermId term = nodes_.type_term(declarator.type); term != kNoIndex) {
      return declarator.is_list ? terms_.add(TermKind::kArray, kNoIndex, {term}) : term;
    }
  }
  if (declarator.documented != kNoIndex) return declarator.documented;
  const TermId value = nodes_.value_term(declarator.value);
  if (declarator.value) return value;
  if (declarator.element) {
    return terms_.add(TermKind::kElement, kNoIndex, {nodes_.value_term(declarator.element)});
  }
  if (declarator.keys) return terms_.literal();
  if (!declarator.context) return kNoIndex;
  switch (frames_[declarator.frame].context) {
    case Context::kLocal:    // except E as x
    case Context::kCapture:  // case C() as x
      return nodes_.type_term(declarator.context);
    default:
      return terms_.add(TermKind::kEntered, kNoIndex, {nodes_.value_term(declarator.context)});
  }
}

// The term of the value matched by the pattern at frame `index`.
TermId Places::taken(std::uint32_t index) {
  if (index == 0) return kNoIndex;
  if (frames_[index].has_taken) return frames_[index].taken;
  const Frame& frame = frames_[index];
  const EdgeRule* edge =
      Rules::edge(frames_[index - 1].rules->part_edges, frame.field, kind_of(frame.node));
  frames_[index].has_taken = true;
  const TermId term = given(edge, index - 1, frame.node, frame.position,
                            frames_.declarator(frame.declarator), frame.context);
  frames_[index].taken = term;
  return term;
}

// The term of a node below frame `parent`, from its place there.
TermId Places::given(const EdgeRule* edge, std::uint32_t parent, const Node& node,
                     std::uint32_t position, const Declarator* declarator, Context context) {
  const Part part = edge == nullptr ? Part::kNone : edge->part;
  if (part == Part::kSame && declarator != nullptr && declarator->frame == parent &&
      declarator->type) {
    return term_of(*declarator);
  }
  if (part == Part::kNone || part == Part::kList || part == Part::kAssigned) {
    TermId term = kNoIndex;
    const bool is_declared = declarator != nullptr && declarator->frame == parent;
    if (is_declared) term = term_of(*declarator);
    if (context == Context::kParameter &&
        (!(is_declared && declarator->type) || docs_.are_surer())) {
      const std::uint32_t list = is_declared ? parent - 1 : parent;
      const std::uint32_t at = is_declared ? frames_[parent].position : position;
      const TermId documented = documented_parameter(list, at);
      const bool is_typed = is_declared && declarator->type;
      if (documented != kNoIndex) {
        term = documented;
      } else if (!is_typed) {
        term = terms_.union_of(term, parameter_term(list, at));
      }
    }
    if (part == Part::kAssigned)
      term = nodes_.value_term(child_by_field(frames_[parent].node, fields().right));
    return part == Part::kList && term != kNoIndex ? terms_.add(TermKind::kArray, kNoIndex, {term})
                                                   : term;
  }
  if (part == Part::kNth) return nth(parent, node, declarator);
  if (part == Part::kSelected) {
    if (parent < 2) return kNoIndex;
    return nodes_.value_term(child_by_field(frames_[parent - 2].node, fields().value));
  }
  if (part == Part::kNothing || ++depth_ > kMaxPlaceDepth) {
    if (part != Part::kNothing) --depth_;
    return kNoIndex;
  }
  TermId term = taken(parent);
  --depth_;
  const Node& whole = frames_[parent].node;
  switch (part) {
    case Part::kKey: {
      Node key = child_by_field(whole, fields().key);
      if (!key) key = child_by_field(whole, fields().name);
      const std::string_view name = key ? source_.member_name(key) : std::string_view{};
      if (name.empty() || name.front() == '[') {
        term = terms_.add(TermKind::kItem, kNoIndex, {term});
      } else {
        term = terms_.add(TermKind::kMember, sink_.id_of(name), {term});
      }
      break;
    }
    case Part::kName:
    case Part::kNameDefault:
      term = terms_.add(TermKind::kMember, sink_.id_of(text_of(node)), {term});
      break;
    case Part::kPayload:
    case Part::kPayloadItem: {
      const TermId named = nodes_.type_term(child_by_field(whole, fields().type));
      if (named == kNoIndex) return kNoIndex;
      if (facts_.terms[named].kind != TermKind::kType) return kNoIndex;
      term =
          terms_.add(TermKind::kVariant, facts_.terms[named].at, {term == kNoIndex ? named : term});
      if (part == Part::kPayload) break;
      term = terms_.add(TermKind::kItem, item_position(whole, node), {term});
      break;
    }
    case Part::kComponent:
      term = terms_.add(TermKind::kNth, item_position(whole, node), {term});
      break;
    case Part::kItem:
      term = terms_.add(TermKind::kItem, item_position(whole, node), {term});
      break;
    case Part::kRest:
      term = terms_.add(TermKind::kElement, kNoIndex, {term});
      if (term != kNoIndex) term = terms_.add(TermKind::kArray, kNoIndex, {term});
      break;
    default:
      break;
  }
  if (part == Part::kDefault || part == Part::kNameDefault) {
    term = terms_.defaulted(term, nodes_.value_term(child_by_field(whole, fields().right)));
  }
  return term;
}

// The term of one name in a list of names: the declared type, its own value, or its part of the
// single value.
TermId Places::nth(std::uint32_t parent, const Node& node, const Declarator* declarator) {
  if (declarator == nullptr) return kNoIndex;
  if (declarator->repeated_type) return nodes_.type_term(declarator->repeated_type);
  const Node& list = frames_[parent].node;
  const std::uint32_t position = item_position(list, node);
  if (declarator->ranged) {
    return terms_.add(TermKind::kRanged, position, {nodes_.value_term(declarator->ranged)});
  }
  if (!declarator->repeated_value) return kNoIndex;
  if (position == 0 && !has_comma(list)) return nodes_.value_term(declarator->repeated_value);
  return nodes_.value_at(declarator->repeated_value, position);
}

// True if `list` has more than one item.
bool Places::has_comma(const Node& list) const {
  Cursor cursor(list);
  std::uint32_t steps = 0;
  for (bool more = cursor.goto_first_child(); more && steps < 2 * kMaxChildren;
       more = cursor.goto_next_sibling(), ++steps) {
    if (!rules_of(cursor.node()).is_named && text_of(cursor.node()) == ",") return true;
  }
  return false;
}

// False for a key that is an expression, where keys may be expressions (the elements of a map).
bool Places::is_key(const Node& name) const {
  if (rules_of(name).is_identifier || named_child_count(name) != 1) return true;
  const std::vector<EdgeRule>& edges = rules_of(name).expect_edges;
  const bool is_element = std::ranges::any_of(
      edges, [](const EdgeRule& edge) { return edge.expect == Expect::kKeysOfOuter; });
  return !is_element || rules_of(named_child(name, 0)).is_identifier;
}

// The position of `item` in `list`; holes count.
std::uint32_t Places::item_position(const Node& list, const Node& item) const {
  Cursor cursor(list);
  std::uint32_t position = 0;
  std::uint32_t steps = 0;
  for (bool more = cursor.goto_first_child(); more && steps < 2 * kMaxChildren;
       more = cursor.goto_next_sibling(), ++steps) {
    const Node child = cursor.node();
    if (child.id == item.id) return position;
    if (!rules_of(child).is_named && text_of(child) == ",") ++position;
  }
  return kNoIndex;
}

// The frame of the function that has parameter `position` below frame `parent` (the function or its
// parameter list); sets `*position` to the parameter's number. kNoIndex if it is not a parameter.
std::uint32_t Places::function_of_parameter(std::uint32_t parent, std::uint32_t* position) const {
  if (frames_[parent].pops_function) {
    *position = 0;
    return parent;
  }
  return parent > 0 && frames_[parent - 1].pops_function ? parent - 1 : kNoIndex;
}

// The type of a parameter from the place of its function.
TermId Places::parameter_term(std::uint32_t parent, std::uint32_t position) {
  const std::uint32_t function = function_of_parameter(parent, &position);
  if (function == kNoIndex) return kNoIndex;
  const TermId place = expected(function);
  if (place == kNoIndex) return kNoIndex;
  const TermId own = functions_.function_term(frames_[function].node);
  if (own == kNoIndex) return kNoIndex;
  const std::uint32_t index = facts_.terms[own].at;
  if (position < functions_.leading(index)) return kNoIndex;
  position -= functions_.leading(index);
  const TermId term = terms_.add(TermKind::kParameter, position, {place});
  const auto& parameters = facts_.functions[index].parameters;
  const bool is_rest = position < parameters.size() && parameters[position].is_rest;
  return is_rest ? terms_.add(TermKind::kArray, kNoIndex, {term}) : term;
}

// The documented type of a parameter.
TermId Places::documented_parameter(std::uint32_t parent, std::uint32_t position) {
  if (!docs_.any()) return kNoIndex;
  const std::uint32_t function = function_of_parameter(parent, &position);
  if (function == kNoIndex) return kNoIndex;
  const TermId own = functions_.function_term(frames_[function].node);
  if (own == kNoIndex) return kNoIndex;
  const auto& parameters = facts_.functions[facts_.terms[own].at].parameters;
  const bool is_documented = position < parameters.size() && parameters[position].is_annotated;
  if (!is_documented) return kNoIndex;
  const TermId term = parameters[position].term;
  const bool is_list = parameters[position].is_rest && docs_.are_surer() && term != kNoIndex;
  return is_list ? terms_.add(TermKind::kArray, kNoIndex, {term}) : term;
}

// The type expected at the place of frame `index`.
TermId Places::expected(std::uint32_t index) {
  if (index == 0) return kNoIndex;
  if (frames_[index].has_expected) return frames_[index].expected;
  frames_[index].has_expected = true;
  const Frame& frame = frames_[index];
  const std::vector<EdgeRule>& edges = frames_[index - 1].rules->expect_edges;
  if (edges.empty()) return kNoIndex;
  const EdgeRule* edge = Rules::edge(edges, frame.field, kind_of(frame.node));
  if (edge == nullptr || depth_ >= kMaxPlaceDepth) return kNoIndex;
  ++depth_;
  const TermId term = expected_by(edge->expect, index - 1, frame.node, frame.position);
  --depth_;
  frames_[index].expected = term;
  return term;
}

TermId Places::expected_by(Expect expect, std::uint32_t parent, const Node& node,
                           std::uint32_t position) {
  const auto member = [&](const Node& name, TermId whole) {
    if (!name || whole == kNoIndex) return kNoIndex;
    std::string_view text = source_.member_name(name);
    if (text.starts_with('.')) text.remove_prefix(1);  // .x = 1
    if (text.empty()) return kNoIndex;
    if (text.front() == '[' || !is_key(name)) {
      return terms_.add(TermKind::kItem, kNoIndex, {whole});
    }
    return terms_.add(TermKind::kMember, sink_.id_of(text), {whole});
  };
  const auto props = [&](std::uint32_t element) {
    return terms_.add(TermKind::kArgument, 0, {nodes_.value_term(frames_[element].node)});
  };
  const auto documented_by = [&](const Frame& frame, std::uint32_t index) {
    const Declarator* declarator = frames_.declarator(frame.declarator);
    const bool declares = declarator != nullptr && declarator->frame == index;
    return declares ? declarator->documented : kNoIndex;
  };
  const Frame& above = frames_[parent];
  switch (expect) {
    case Expect::kSame:
      if (const TermId cast = docs_.cast_type(above.node); cast != kNoIndex) return cast;
      return expected(parent);
    case Expect::kKeysOfThis:
      return expected(parent);
    case Expect::kArgument:
      if (parent == 0) break;
      if (const std::uint32_t whole = whole_call(parent - 1); whole != parent - 1) {
        return argument_term(position, nodes_.value_term(frames_[whole].node), expected(whole));
      }
      return argument_term(position, nodes_.value_term(frames_[parent - 1].node),
                           expected(parent - 1));
    case Expect::kTrailing: {
      const TermId call = nodes_.value_term(above.node);
      if (call == kNoIndex || facts_.terms[call].part_count < 2) break;
      return argument_term(facts_.terms[call].part_count - 2, call, expected(parent));
    }
    case Expect::kKeysOfCall:
      if (parent < 2) break;
      return terms_.add(TermKind::kArgument, kNoIndex,
                        {nodes_.value_term(frames_[whole_call(parent - 2)].node)});
    case Expect::kKeyword: {
      if (parent < 2) break;
      const TermId call = nodes_.value_term(frames_[parent - 2].node);
      return member(child_by_field(above.node, fields().name),
                    terms_.add(TermKind::kArgument, kNoIndex, {call}));
    }
    case Expect::kKey:
      if (parent == 0) break;
      return member(child_by_field(above.node, fields().key), expected(parent - 1));
    case Expect::kMethod:
      return member(child_by_field(node, fields().name), expected(parent));
    case Expect::kElement:
      return terms_.add(TermKind::kElement, kNoIndex, {expected(parent)});
    case Expect::kDeclared:
      if (const TermId term = documented_by(above, parent); term != kNoIndex) return term;
      if (const Declarator* declarator = frames_.declarator(above.declarator);
          declarator != nullptr && declarator->frame == parent && declarator->type) {
        return term_of(*declarator);
      }
      if (source_.rules().binds_declarators() && parent > 0 &&
          child_by_field(above.node, fields().declarator)) {
        return nodes_.declared_term(frames_[parent - 1].node, above.node);
      }
      return nodes_.type_term(child_by_field(above.node, fields().type));
    case Expect::kLeft:
      // X.y = function declares y, X.prototype and exports belong to no instance; x.onload =
      // function has the type that x declares.
      if (const TermId term = documented_by(above, parent); term != kNoIndex) return term;
      if (above.is_exports_object) break;
      if (above.symbol != kNoIndex) {
        const Symbol& declared = facts_.symbols[above.symbol];
        const bool is_own = range_of(above.node).begin <= declared.range.begin;
        if (!is_own || declared.parent != kNoIndex || declared.exported) break;
      }
      return nodes_.value_term(child_by_field(above.node, fields().left));
    case Expect::kResult: {
      // (The value may be a function that is already open.)
      const OpenFunction* around = functions_.around(parent);
      if (around == nullptr || around->function == kNoIndex) break;
      const Function& function = facts_.functions[around->function];
      if (function.is_generator) break;
      const bool is_async = function.is_async;
      TermId result = function.result;
      if (!function.is_annotated) {
        result = terms_.add(TermKind::kResult, kNoIndex, {expected(around->frame)});
      }
      return is_async ? terms_.add(TermKind::kAwait, kNoIndex, {result}) : result;
    }
    case Expect::kCast: {
      Node type = child_by_field(above.node, fields().type);
      if (!type) type = named_child(above.node, 1);
      return type ? nodes_.type_term(type) : expected(parent);
    }
    case Expect::kFirst:
      return nodes_.value_term(named_child(above.node, 0));
    case Expect::kAttribute:
      if (parent == 0) break;
      return member(named_child(above.node, 0), props(parent - 1));
    case Expect::kKeysOfOuter:
      return parent == 0 ? kNoIndex : expected(parent - 1);
    case Expect::kKeysOfTaken:
      return taken(parent);
    case Expect::kKeysOfProps:
      return parent == 0 ? kNoIndex : props(parent - 1);
    case Expect::kKeysOfClass: {
      if (parent < 2) break;
      const TermId type = nodes_.type_term(frames_[parent - 2].node);
      return type == kNoIndex ? expected(parent - 2) : type;
    }
    case Expect::kPart:
      return member(named_child(above.node, 0), expected_by(Expect::kKeysOfClass, parent, node, 0));
    case Expect::kKeysOfSelector:
      for (std::uint32_t up = 0; up < kMaxSelectorDepth && up <= parent; ++up) {
        const Node selector = child_by_field(frames_[parent - up].node, fields().condition);
        if (selector) return nodes_.value_term(selector);
      }
      break;
    case Expect::kKeysOfElements:
      if (parent < 2) break;
      return terms_.add(
          TermKind::kElement, kNoIndex,
          {nodes_.value_term(child_by_field(frames_[parent - 2].node, fields().receiver))});
    case Expect::kNone:
      break;
  }
  return kNoIndex;
}

// The frame of the whole call. When a lambda follows the arguments, f(a) { }, the grammar makes two
// calls, and `call` may be the inner one.
std::uint32_t Places::whole_call(std::uint32_t call) {
  if (call == 0 || kind_of(frames_[call - 1].node) != kind_of(frames_[call].node) ||
      frames_[call].position != 0) {
    return call;
  }
  const TermId inner = nodes_.value_term(frames_[call].node);
  const TermId outer = nodes_.value_term(frames_[call - 1].node);
  const bool is_joined = inner != kNoIndex && outer != kNoIndex &&
                         facts_.terms[outer].kind == TermKind::kCall &&
                         facts_.terms[outer].part_count > 1 && facts_.terms[inner].part_count > 0 &&
                         facts_.term_parts[facts_.terms[outer].first_part] ==
                             facts_.term_parts[facts_.terms[inner].first_part];
  return is_joined ? call - 1 : call;
}

// The type of argument `position` of `call`, whose place expects `expected_of_call`.
TermId Places::argument_term(std::uint32_t position, TermId call, TermId expected_of_call) {
  if (expected_of_call == kNoIndex) return terms_.add(TermKind::kArgument, position, {call});
  return terms_.add(TermKind::kArgument, position, {call, expected_of_call});
}

// The term of the object whose key is below frame `parent`.
TermId Places::whole_of_key(std::uint32_t parent, const Node& key, Field field, Kind kind) {
  const std::vector<EdgeRule>& edges = frames_[parent].rules->expect_edges;
  const EdgeRule* edge = Rules::edge(edges, field, kind);
  if (edge == nullptr || edge->expect < Expect::kKeysOfThis) return kNoIndex;
  return expected_by(edge->expect, parent, key, 0);
}

}  // namespace codexmem::parse
