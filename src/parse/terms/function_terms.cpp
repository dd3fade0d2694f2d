// Parameters, entries and results of functions and objects, which have tables of their own next to
// the terms. Tested by golden_test.cpp.
#include "parse/terms/function_terms.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

#include "parse/text/jsdoc.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kMaxEntries = 512;  // keys of an object
constexpr std::size_t kMaxHeadBytes = 256;  // of a function, searched for async and similar words

}  // namespace

void FunctionTerms::reset() {
  open_.clear();
  leading_.clear();
  last_yield_ = nullptr;
}

std::uint32_t FunctionTerms::new_function() {
  if (facts_.terms.size() + kMaxChildren * kMaxTermDepth >= kMaxTerms) return kNoIndex;
  const std::uint32_t index = sink_.add_function();
  leading_.resize(index + std::size_t{1});  // (documentation adds functions as well)
  return index;
}

TermId FunctionTerms::keep(const Node& node, std::uint32_t index, Function function) {
  sink_.function(index) = std::move(function);
  const TermId term = terms_.add(TermKind::kFunction, index, {});
  if (term != kNoIndex) memo_.insert(node, Side::kValue, term);
  return term;
}

// Creates a function's entry and term; its results are added as the walk meets them.
TermId FunctionTerms::function_term(const Node& node) {
  if (const auto known = memo_.find(node, Side::kValue); known.value_or(kNoIndex) != kNoIndex) {
    return *known;
  }
  if (source_.rules().binds_declarators()) {
    const TermId declared = nodes_.declared_term(node, child_by_field(node, fields().declarator));
    if (declared != kNoIndex && facts_.terms[declared].kind == TermKind::kFunction) return declared;
  }
  const std::uint32_t index = new_function();
  if (index == kNoIndex) return kNoIndex;
  Function function;
  const Node list = child_by_field(node, fields().parameters);
  bool is_typed = false;
  ByteRange head = range_of(node);
  if (list) head.end = range_of(list).begin;
  const std::string_view words = text_of(head).substr(0, kMaxHeadBytes);
  for (const Pattern& pattern : rules_of(node).flag_patterns) {
    // If the token is not in the text, its pattern cannot match.
    if (fields().parameters != 0 && words.find(pattern.token) == std::string_view::npos) continue;
    Captures captures;
    if (!source_.matches(pattern, node, &captures)) continue;
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
      case FunctionFlag::kTyped:
        is_typed = true;
        break;
    }
    if (fields().parameters == 0 && is_typed) {
      // The grammar does not name the parts of a function; the pattern does.
      add_captured(captures, index, &function);
      return keep(node, index, std::move(function));
    }
  }
  if (list && rules_of(list).is_identifier) {
    function.parameters.push_back({.name = sink_.id_of(text_of(list))});
  } else if (list) {
    add_parameters(list, index, &function);
  } else if (const Node single = child_by_field(node, fields().parameter)) {
    function.parameters.push_back({.name = sink_.id_of(text_of(single))});
  }
  Node result = child_by_field(node, fields().return_type);
  if (!result && (function.is_constructor || is_typed))
    result = child_by_field(node, fields().type);
  if (result) {
    function.is_annotated = true;
    function.result = nodes_.type_term(result);
  }
  return keep(node, index, std::move(function));
}

void FunctionTerms::add_captured(const Captures& found, std::uint32_t index, Function* function) {
  const Captures captures = found;  // reading below overwrites `found`
  if (const Node& receiver = captures[Slot::kObject]) {
    function->is_extension = true;
    function->parameters.push_back(
        {.name = sink_.id_of("this"), .term = nodes_.type_term(receiver), .is_annotated = true});
  }
  if (const Node& list = captures[Slot::kList]) add_parameters(list, index, function);
  if (const Node& result = captures[Slot::kReturn]) {
    function->is_annotated = true;
    function->result = nodes_.type_term(result);
  } else if (const Node& value = captures[Slot::kValue]) {
    function->is_annotated = true;
    function->result = nodes_.value_term(value);
  }
}

TermId FunctionTerms::declared_function(const Node& node, const Node& parameters, TermId result) {
  if (const auto known = memo_.find(node, Side::kValue); known.value_or(kNoIndex) != kNoIndex) {
    return *known;
  }
  const std::uint32_t index = new_function();
  if (index == kNoIndex) return kNoIndex;
  Function function;
  function.is_annotated = result != kNoIndex;
  function.result = result;
  if (parameters) add_parameters(parameters, index, &function);
  return keep(node, index, std::move(function));
}

void FunctionTerms::add_parameters(const Node& list, std::uint32_t index, Function* function) {
  bool is_keyword = false;
  bool is_next_rest = false;
  std::uint32_t end = range_of(list).begin;  // of the part read so far
  source_.each_child(list, kMaxChildren, [&](const Node& child, const KindRules& rules) {
    const std::uint32_t before = std::exchange(end, range_of(child).end);
    if (fields().parameters == 0 && before < range_of(child).begin &&
        !function->parameters.empty() &&
        trim(text_of(ByteRange{before, range_of(child).begin})) == "=") {
      function->parameters.back().is_optional = true;
      return;
    }
    Parameter parameter;
    Node name = child;
    std::uint8_t bits = 0;
    Captures captures;
    for (const Pattern& pattern : rules.parameter_patterns) {
      if (!source_.matches(pattern, child, &captures)) continue;
      bits = pattern.sort;
      if (captures[Slot::kName]) name = captures[Slot::kName];
      if (captures[Slot::kType]) {
        parameter.is_annotated = true;
        parameter.term = nodes_.type_term(captures[Slot::kType]);
      } else if (captures[Slot::kValue]) {
        parameter.term = nodes_.value_term(captures[Slot::kValue]);
      }
      break;
    }
    // fn(A, B): only types.
    const bool is_type =
        rules.parameter_patterns.empty() && !rules.type_patterns.empty() &&
        (!rules.is_identifier || rules.identifier_sort == IdentifierSort::kTypeName);
    if (is_type) {
      parameter.is_annotated = true;
      parameter.term = nodes_.type_term(child);
    }
    if (!parameter.is_annotated && docs_.any()) {
      if (const TermId term = docs_.documented_type(child); term != kNoIndex) {
        parameter.term = term;
        parameter.is_annotated = true;
      }
    }
    if ((bits & kNoParameter) != 0) {
      if ((bits & kNextIsRest) != 0) {
        is_next_rest = true;
      } else if (function->parameters.empty() && fields().parameters != 0) {
        ++leading_[index];
      }
      return;
    }
    if ((bits & kKeywordsFollow) != 0) {
      is_keyword = true;
      return;
    }
    // ...rest: T[], *args: T
    if (name.id != child.id) {
      for (const Pattern& pattern : rules_of(name).parameter_patterns) {
        if (!source_.matches(pattern, name, &captures)) continue;
        bits |= pattern.sort;
        if (captures[Slot::kName]) name = captures[Slot::kName];
        break;
      }
    }
    if (rules_of(name).is_identifier) parameter.name = sink_.id_of(text_of(name));
    parameter.is_optional = (bits & kOptionalParameter) != 0;
    parameter.is_rest = (bits & kRestParameter) != 0 || std::exchange(is_next_rest, false);
    parameter.is_keyword = is_keyword || (bits & kKeywordParameter) != 0;
    if (parameter.is_rest && fields().has_keyword_parameters) is_keyword = true;
    function->parameters.push_back(parameter);
    // a, b int
    if (rules_of(name).is_identifier && name.id != child.id) {
      add_same(child, name, parameter, function);
    }
  });
}

// Adds the further names of a declaration with several; they have the type of the first.
void FunctionTerms::add_same(const Node& declaration, const Node& first, Parameter parameter,
                             Function* function) {
  Cursor cursor(declaration);
  std::uint32_t steps = 0;
  for (bool more = cursor.goto_first_child(); more && steps < kMaxChildren;
       more = cursor.goto_next_sibling(), ++steps) {
    const Node node = cursor.node();
    if (cursor.field() != fields().name || !rules_of(node).is_identifier || node.id == first.id) {
      continue;
    }
    parameter.name = sink_.id_of(text_of(node));
    function->parameters.push_back(parameter);
  }
}

// The term of an object literal or of the members of a written-out type; for an interface, its
// signatures.
TermId FunctionTerms::object_term(const Node& node, bool signatures_only) {
  Object object;
  source_.each_child(node, kMaxEntries, [&](const Node& child, const KindRules& rules) {
    Captures captures;
    for (const Pattern& pattern : rules.entry_patterns) {
      if (!source_.matches(pattern, child, &captures)) continue;
      add_entry(static_cast<EntrySort>(pattern.sort), child, captures, signatures_only, &object);
      break;
    }
  });
  if (signatures_only && object.calls.empty() && object.other == kNoIndex) return kNoIndex;
  return sink_.add_object(std::move(object));
}

void FunctionTerms::add_entry(EntrySort sort, const Node& node, const Captures& captures,
                              bool signatures_only, Object* object) {
  const auto other = [&](TermId term) { object->other = terms_.union_of(object->other, term); };
  switch (sort) {
    case EntrySort::kCall: {
      const TermId term = function_term(node);
      if (term != kNoIndex) object->calls.push_back(facts_.terms[term].at);
      return;
    }
    case EntrySort::kOther:
      return other(nodes_.type_term(captures[Slot::kType]));
    case EntrySort::kSameKeys:
    case EntrySort::kMadeKeys:
    case EntrySort::kListedKeys:
      other(nodes_.type_term(captures[Slot::kType]));
      object->key_sort = sort == EntrySort::kSameKeys   ? KeySort::kSame
                         : sort == EntrySort::kMadeKeys ? KeySort::kMade
                                                        : KeySort::kListed;
      object->keys_of = nodes_.type_term(captures[Slot::kInner]);
      return;
    case EntrySort::kSpread: {
      const Node& type = captures[Slot::kType];
      const TermId spread =
          type ? nodes_.type_term(type) : nodes_.value_term(captures[Slot::kInner]);
      if (spread != kNoIndex) object->spreads.push_back(spread);
      return;
    }
    default:
      break;
  }
  if (signatures_only) return;
  TermId term = kNoIndex;
  const Node& name = captures[Slot::kName] ? captures[Slot::kName] : node;
  switch (sort) {
    case EntrySort::kValue:
      term = docs_.documented_type(node);
      if (term == kNoIndex) term = nodes_.value_term(captures[Slot::kValue]);
      break;
    case EntrySort::kType:
      term = nodes_.type_term(captures[Slot::kType]);
      break;
    case EntrySort::kShorthand:
      term = terms_.add(TermKind::kName, range_of(node).begin, {});
      break;
    case EntrySort::kMethod:
      term = function_term(node);
      break;
    case EntrySort::kGetter:
      term = terms_.add(TermKind::kResult, kNoIndex, {function_term(node)});
      break;
    default:
      term = setter_term(function_term(node));
      break;
  }
  const std::string_view text = source_.member_name(name);
  if (text.empty()) return;
  if (text.front() == '[') {
    // In a type or a method it is one key of unknown name; in a value, any key.
    if (sort == EntrySort::kValue) other(term);
    return;
  }
  const bool is_identifier = rules_of(name).is_identifier;
  object->keys.push_back(
      {sink_.id_of(text), is_identifier ? range_of(name).begin : kNoIndex, term});
  if (sort != EntrySort::kType || !is_identifier) return;
  // a, b int
  Cursor cursor(node);
  std::uint32_t steps = 0;
  for (bool more = cursor.goto_first_child(); more && steps < kMaxChildren;
       more = cursor.goto_next_sibling(), ++steps) {
    const Node other_name = cursor.node();
    const bool is_other = cursor.field() == fields().name && rules_of(other_name).is_identifier &&
                          other_name.id != name.id;
    if (is_other) {
      object->keys.push_back({sink_.id_of(text_of(other_name)), range_of(other_name).begin, term});
    }
  }
}

TermId FunctionTerms::setter_term(TermId function) const {
  if (function == kNoIndex) return kNoIndex;
  const auto& parameters = facts_.functions[facts_.terms[function].at].parameters;
  return parameters.empty() ? kNoIndex : parameters.front().term;
}

void FunctionTerms::drop_self(const Symbol& method, TermId function) {
  const std::uint32_t index = facts_.terms[function].at;
  std::vector<Parameter>& parameters = sink_.function(index).parameters;
  if (!fields().has_keyword_parameters || parameters.empty() || method.parent == kNoIndex) return;
  if (parameters.front().is_rest || parameters.front().is_keyword) return;
  if (std::ranges::find(method.modifiers, "@staticmethod") != method.modifiers.end()) return;
  parameters.erase(parameters.begin());
  ++leading_[index];
}

void FunctionTerms::open(std::uint32_t index, std::uint32_t symbol) {
  if (!source_.rules().has_terms()) return;
  const TermId term = function_term(frames_[index].node);
  OpenFunction& opened = open_.emplace_back();
  opened.frame = index;
  frames_[index].pops_function = true;
  if (term == kNoIndex) return;
  opened.function = facts_.terms[term].at;
  docs_.document(opened.function, index);
  const bool is_constructor = symbol != kNoIndex && facts_.symbols[symbol].kind == "constructor";
  opened.has_results = !facts_.functions[opened.function].is_annotated && !is_constructor;
}

void FunctionTerms::close() {
  const OpenFunction& open = open_.back();
  if (open.count > 0) {
    sink_.function(open.function).result =
        terms_.union_of(std::span<const TermId>(open.results.data(), open.count));
  }
  open_.pop_back();
}

void FunctionTerms::note_result(const Node& value) {
  if (open_.empty() || !value) return;
  OpenFunction& open = open_.back();
  if (!open.has_results || open.function == kNoIndex || open.count >= kMaxResults ||
      facts_.functions[open.function].is_generator) {
    return;
  }
  if (const TermId term = nodes_.value_term(value); term != kNoIndex)
    open.results[open.count++] = term;
}

void FunctionTerms::note_yield(const Node& value, bool is_from) {
  if (open_.empty() || !value || value.id == last_yield_) return;
  last_yield_ = value.id;
  OpenFunction& open = open_.back();
  if (open.function == kNoIndex) return;
  Function& function = sink_.function(open.function);
  if (!function.is_generator) {
    function.is_generator = true;
    open.count = 0;
  }
  if (!open.has_results || open.count >= kMaxResults) return;
  TermId term = nodes_.value_term(value);
  if (is_from) term = terms_.add(TermKind::kElement, kNoIndex, {term});
  if (term != kNoIndex) open.results[open.count++] = term;
}

}  // namespace codexmem::parse
