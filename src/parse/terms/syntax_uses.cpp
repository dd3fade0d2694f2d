// Uses of functions written without a name: a + b, a[i], a(). Data lists them (`@operator.*` in
// grammars/*/occurrences.scm); they are resolved like any member. Tested by golden_test.cpp.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "parse/walk/names.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kSign = "SIGN";
constexpr std::string_view kAssigned = "ASSIGNED";  // for +=, the operator +
constexpr std::uint32_t kMaxArguments = 16;
constexpr int kMaxScopes = 256;  // enclosing scopes of a name
constexpr int kMaxDepth = 8;     // steps to determine a value's type

std::string_view word_at(std::string_view text, std::uint32_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(begin, end - begin);
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool is_value(const Symbol& symbol) {
  return symbol.type == SymbolType::kVariable || symbol.type == SymbolType::kProperty;
}

}  // namespace

// False for the name of a function or a type, and for a name of unknown type.
bool NameBuilder::may_hold_function(const Node& callee) {
  const TermId term = nodes_.value_term(callee);
  if (term == kNoIndex) return false;
  const Term& value = facts_.terms[term];
  if (value.kind == TermKind::kFunction) return false;
  if (value.kind != TermKind::kName) return true;
  const auto name = sink_.find_name(word_at(source_.text(), value.at));
  if (!name) return false;
  std::uint32_t scope = rules_of(callee).is_identifier ? frames_.scope() : kNoIndex;
  for (int steps = 0; steps < kMaxScopes && scope != kNoIndex; ++steps) {
    const std::uint32_t bound = sink_.find_binding(scope, *name);
    if (bound != PairMap::kAbsent) {
      const Binding& binding = facts_.bindings[bound];
      return binding.kind == BindingKind::kParameter || binding.kind == BindingKind::kLocal ||
             (binding.kind == BindingKind::kSymbol && is_value(facts_.symbols[binding.target]));
    }
    scope = facts_.scopes[scope].parent;
  }
  const std::uint32_t member = sink_.find_member(frames_.own_class(), *name);
  return member == PairMap::kAbsent
             ? assignments_.has_known_value(frames_.own_class(), sink_.text_of(*name))
             : is_value(facts_.symbols[member]);
}

// False for a value of unknown type, and for one of a built-in type.
bool NameBuilder::has_known_value(TermId term, int depth) {
  if (term == kNoIndex || depth > kMaxDepth) return false;
  const Term value = facts_.terms[term];
  const auto part_has_known_value = [&](std::uint32_t part) {
    return has_known_value(facts_.term_parts[value.first_part + part], depth + 1);
  };
  switch (value.kind) {
    case TermKind::kName:
    case TermKind::kType:
      return name_has_known_value(value.at, depth + 1);
    case TermKind::kUnion:
    case TermKind::kDefaulted:
      for (std::uint32_t i = 0; i < value.part_count; ++i) {
        if (part_has_known_value(i)) return true;
      }
      return false;
    case TermKind::kCall:
    case TermKind::kAwait:
    case TermKind::kElement:
    case TermKind::kItem:
    case TermKind::kEntered:
    case TermKind::kMember:
      return value.part_count > 0 && part_has_known_value(0);
    default:
      return false;
  }
}

bool NameBuilder::name_has_known_value(std::uint32_t begin, int depth) {
  const std::string_view text = source_.text();
  const auto name = sink_.find_name(word_at(text, begin));
  if (!name) return false;
  if (begin > 1 && text[begin - 1] == '.') {
    std::uint32_t before = begin - 1;
    while (before > 0 && is_word_char(text[before - 1])) --before;
    if (before + 1 == begin) return true;
    if (!frames_.is_self(word_at(text, before))) return name_has_known_value(before, depth);
    const std::uint32_t member = sink_.find_member(frames_.own_class(), *name);
    if (member != PairMap::kAbsent) return has_known_value(facts_.symbols[member].term, depth);
    return assignments_.has_known_value(frames_.own_class(), word_at(text, begin));
  }
  std::uint32_t scope = frames_.scope();
  for (int steps = 0; steps < kMaxScopes && scope != kNoIndex; ++steps) {
    const std::uint32_t bound = sink_.find_binding(scope, *name);
    if (bound != PairMap::kAbsent) {
      const Binding& binding = facts_.bindings[bound];
      if (binding.kind == BindingKind::kImport) return true;
      if (binding.kind != BindingKind::kSymbol) return has_known_value(binding.term, depth);
      const Symbol& symbol = facts_.symbols[binding.target];
      // (A class or function itself is not an instance of a class.)
      return is_value(symbol) ? has_known_value(symbol.term, depth) : depth > 1;
    }
    scope = facts_.scopes[scope].parent;
  }
  return false;
}

// The term of the arguments: the other parts of @object, then @other and its successors; with
// `is_static`, also the operand.
TermId NameBuilder::passed_by_syntax(const Node& node, const Captures& captures, TermId value,
                                     bool is_static) {
  const Node& operand = captures[Slot::kValue];
  std::vector<TermId> parts = {value == kNoIndex ? terms_.literal() : value};
  const auto pass = [&](const Node& child, const KindRules&) {
    if (child.id == captures[Slot::kType].id) return;
    if (is_static || child.id != operand.id) parts.push_back(nodes_.value_term(child));
  };
  if (captures[Slot::kObject]) source_.each_child(captures[Slot::kObject], kMaxArguments, pass);
  bool is_passed = is_static;
  source_.each_child(node, kMaxArguments, [&](const Node& child, const KindRules& rules) {
    is_passed = is_passed || child.id == captures[Slot::kOther].id;
    if (is_passed) pass(child, rules);
  });
  return terms_.add(TermKind::kCall, kNoIndex, parts);
}

// The term of the operands; kNoIndex if they are unknown, nothing if they are literals.
std::optional<TermId> NameBuilder::operands(const Captures& captures) {
  std::vector<TermId> known;
  bool is_known = true;
  bool has_operand = false;
  for (const Slot slot : {Slot::kValue, Slot::kElement, Slot::kInner, Slot::kType}) {
    if (!captures[slot]) continue;
    has_operand = true;
    TermId term =
        slot == Slot::kType ? nodes_.type_term(captures[slot]) : nodes_.value_term(captures[slot]);
    if (slot == Slot::kElement) term = terms_.add(TermKind::kElement, kNoIndex, {term});
    is_known = is_known && term != kNoIndex;
    if (term == kNoIndex) continue;
    const TermKind kind = facts_.terms[term].kind;
    if (kind != TermKind::kLiteral && kind != TermKind::kLanguageType) known.push_back(term);
  }
  if (!is_known || !has_operand) return kNoIndex;
  if (known.empty()) return std::nullopt;
  return terms_.union_of(known);
}

void NameBuilder::use_by_syntax(std::string_view called, const Captures& captures) {
  const Frame& frame = frames_.back();
  const Context context = frame.context;
  if (context == Context::kType || context == Context::kExtends) return;
  const bool is_written = context == Context::kWrite || context == Context::kAssign;
  if (take_word(called, "read.") && is_written) return;
  const Node& operand = captures[captures[Slot::kValue] ? Slot::kValue : Slot::kElement];
  const bool is_static = take_word(called, "static.");
  const bool is_unknown = take_word(called, "any.");  // the arguments are unknown
  if (take_word(called, "bound.") && !may_hold_function(operand)) return;
  const bool is_only_known = take_word(called, "known.");
  const auto met = operands(captures);
  if (!met || (is_only_known && !has_known_value(*met))) return;
  const TermId value = *met;
  const Node& sign = captures[Slot::kName];
  std::string_view name = called;
  const bool is_assigned = called.ends_with(kAssigned);
  if (is_assigned || called.ends_with(kSign)) {
    const std::string_view before =
        called.substr(0, called.size() - (is_assigned ? kAssigned : kSign).size());
    name = text_of(sign);
    if (is_assigned) name.remove_suffix(1);
    if (!before.empty()) {
      std::string whole = std::string(before).append(name);
      const auto known = sink_.find_name(whole);
      name = sink_.text_of(known ? *known : sink_.id_of_made(std::move(whole)));
    }
  }
  std::uint32_t offset = sign ? range_of(sign).begin : range_of(operand).end;
  std::optional<TermId> call;
  if (source_.rules().has_calls()) {
    const TermId whole = nodes_.value_term(frame.node);
    const bool is_call = whole != kNoIndex && facts_.terms[whole].kind == TermKind::kCall;
    call = is_unknown ? TermId{kNoIndex}
           : is_call  ? whole
                      : passed_by_syntax(frame.node, captures, value, is_static);
    if (*call != kNoIndex && facts_.terms[*call].part_count < 2)
      call.reset();  // there are no arguments
  }
  // (`a += b` has two readings. Each needs an offset of its own, because the offset identifies the
  // arguments.)
  const auto& all = facts_.occurrences;
  while (call && !all.empty() && all.back().by_syntax && all.back().offset == offset) ++offset;
  const ReceiverKind kind = operand ? ReceiverKind::kTerm : ReceiverKind::kNone;
  const std::uint32_t added = sink_.add_occurrence(name, offset, Role::kCall, kind, value);
  sink_.occurrence(added).by_syntax = true;
  if (call) sink_.add_call({offset, *call});
}

}  // namespace codexmem::parse
