// The walk: enters each named node once, in source order.
//
// Anonymous tokens cost one table look-up, and identifiers get no frame. For every other node, a
// frame records how its place in its parent affects it (the edge rule), and the patterns of its
// kind are tried. The expression before a dot is known when the name after the dot is met, because
// it was walked just before; its shape is passed up through `value` of the frames. Depth costs
// memory, never stack. Cost: 0.6 of the parse on Python (bench/performance.md, "Stages"). Tested by
// golden_test.cpp and extract_test.cpp.
#include "parse/walk/walker.h"

#include <algorithm>

#include "base/text.h"

namespace codexmem::parse {
namespace {

// Nodes between checks of the clock: at most a microsecond each, except in hostile input.
constexpr std::uint32_t kStepsPerLook = 64;

constexpr std::uint32_t kMaxLambda = 10'000;  // of a lambda

constexpr std::uint32_t kMaxIncluded = 32;  // types embedded by one call

constexpr std::uint32_t kMaxGap = 400;  // between documentation and declaration: a @spec

// True for a language whose files are read by forms.h. (The root of a broken file is an error
// node.)
bool has_forms(const Rules& rules) {
  for (std::size_t kind = 0; kind < rules.grammar().kind_count(); ++kind) {
    for (const Pattern& pattern : rules[static_cast<Kind>(kind)].patterns) {
      if (pattern.action == Action::kForms) return true;
    }
  }
  return false;
}

}  // namespace

FileFacts Walker::walk(const Rules& rules, const Node& root, std::string_view text,
                       const Budget& budget, std::string_view original,
                       std::span<const ByteRange> other_names) {
  for (std::uint32_t levels = kMaxKeyLevels;; --levels) {
    reset(rules, text);
    symbols_.take_keys(levels);
    sink_.add_scope({.range = {0, static_cast<std::uint32_t>(text.size())}});
    visit(root, budget);
    if (!symbols_.has_too_many_keys()) break;  // level 0 has no keys
  }
  if (has_forms_ || (kind_of(root) == kErrorKind && has_forms(rules))) forms_.read(root);
  for (const ByteRange& range : other_names) {
    names_.names_in(original.substr(range.begin, range.size()), range.begin);
  }
  if (rules.folds_names()) sink_.fold_names();
  sink_.end_occurrences();
  assignments_.finish();
  return sink_.finish(rules.visibility());
}

void Walker::visit(const Node& root, const Budget& budget) {
  Cursor cursor(root);
  for (std::uint32_t steps = 1;; ++steps) {
    if (steps % kStepsPerLook == 0 && budget.is_over()) {
      sink_.set_truncated();
      return;
    }
    const Node& node = cursor.node();
    const Kind kind = kind_of(node);
    const KindRules& kind_rules = source_.rules()[kind];
    if (kind_rules.is_named) {
      bool has_fields = !frames_.empty() && frames_.back().rules->has_fields;
      Field field = has_fields || frames_.empty() || frames_.back().typing_block != nullptr
                        ? cursor.field()
                        : Field{0};
      if (kind_rules.is_identifier) {
        names_.identifier(node, kind_rules, field, kind);
      } else if (kind_rules.is_names) {
        names_.names_in(source_.text_of(node), range_of(node).begin);
      } else if (kind_rules.is_comment) {
        surroundings_.note_comment(range_of(node));
        docs_.read_comment(range_of(node));
        if (source_.rules().has_linked_comments()) javadoc_.read_comment(range_of(node));
      } else {
        frames_.push(node, kind_rules, field, kind);
        if (enter(frames_.size() - 1) && cursor.goto_first_child()) continue;
        leave();
      }
    }
    while (!cursor.goto_next_sibling()) {
      if (!cursor.goto_parent()) return;
      leave();
    }
  }
}

void Walker::reset(const Rules& rules, std::string_view text) {
  source_.reset(rules, text);
  sink_.reset();
  assignments_.reset();
  frames_.reset();
  surroundings_.reset();
  symbols_.reset();
  modules_.reset();
  memo_.clear();
  docs_.reset();
  nodes_.reset();
  functions_.reset();
  nominal_.reset();
  forms_.reset();
  has_forms_ = false;
  error_depth_ = 0;
  captures_.forget();
}

bool Walker::enter(std::uint32_t index) {
  const KindRules& rules = *frames_[index].rules;
  if (&rules == &source_.rules()[kErrorKind]) {
    if (error_depth_++ == 0) sink_.add_unparsed(range_of(frames_[index].node));
    frames_[index].counts_error = true;
  }
  if (rules.constant_value != ReceiverKind::kNone) {
    frames_[index].value = rules.constant_value;
    if (rules.constant_value == ReceiverKind::kSuper && frames_[index].context == Context::kCall) {
      const ByteRange word = range_of(frames_[index].node);
      sink_.add_occurrence(source_.text_of(word), word.begin, Role::kCall, ReceiverKind::kSuper);
    }
    return false;
  }
  if (rules.is_string_type && frames_[index].context == Context::kType) {
    names_.annotation_in_string(frames_[index].node);
    return false;
  }
  if (rules.is_decorator && index > 0 && !frames_[index - 1].rules->is_wrapper) {
    surroundings_.note_decorator(index);
  }
  bool has_symbol = false;
  for (const Pattern& pattern : rules.patterns) {
    bool declares = pattern.action == Action::kSymbol || pattern.action == Action::kBoundSymbol ||
                    pattern.action == Action::kParameterProperty;
    if (declares && has_symbol) continue;
    if (!source_.matches(pattern, frames_[index].node, &captures_)) continue;
    has_symbol = run(pattern, index, captures_) || has_symbol;
  }
  if (rules.is_attribute) {
    names_.attribute(frames_[index].node);
    return false;
  }
  return !rules.is_skipped;
}

bool Walker::run(const Pattern& pattern, std::uint32_t index, const Captures& captures) {
  switch (pattern.action) {
    case Action::kSymbol:
    case Action::kBoundSymbol:
      return symbols_.declare(pattern, index, captures);
    case Action::kParameterProperty:
      symbols_.declare_parameter_property(index, captures);
      return true;
    case Action::kMemberAssignment:
      symbols_.declare_member(index, captures);
      break;
    case Action::kScope: {
      const Node& start = captures[Slot::kStart];
      const bool is_inner = pattern.sort == kInnerScope;
      names_.open_scope(index, is_inner ? ScopeKind::kBlock : static_cast<ScopeKind>(pattern.sort),
                        range_of(start ? start : frames_[index].node).begin, is_inner);
      break;
    }
    case Action::kDeclarators:
      declarators_.declare_declarators(pattern, index);
      break;
    case Action::kAccess:
      surroundings_.note_access(index);
      break;
    case Action::kBodyApart:
      symbols_.join_body(index);
      break;
    case Action::kDocumentation:
      if (pattern.sort == 2) {
        surroundings_.note_documentation(range_of(frames_[index].node), 0);
      } else if (pattern.sort == 0) {
        surroundings_.note_documentation(range_of(captures[Slot::kValue]), kMaxGap);
      } else if (frames_.symbol() != kNoIndex) {
        sink_.symbol(frames_.symbol()).docstring = range_of(captures[Slot::kValue]);
      }
      break;
    case Action::kWords:
      names_.words(frames_[index].node, captures[Slot::kList], static_cast<WordSort>(pattern.sort));
      break;
    case Action::kItems:
      frames_[index].is_in_items = true;
      break;
    case Action::kContainer:
      if (source_.rules().declares_in_classes()) {
        symbols_.declare_namespaces(index, captures[Slot::kName], false);
        break;
      }
      frames_.open_container(index, source_.text_of(captures[Slot::kName]),
                             static_cast<bool>(captures[Slot::kType]));
      break;
    case Action::kNamespace:
      if (pattern.sort == 2) {
        symbols_.declare_package(index, captures[Slot::kName]);
      } else {
        symbols_.declare_namespaces(index, captures[Slot::kName], pattern.sort == 1);
      }
      break;
    case Action::kPasting:
      names_.note_pasting(index);
      break;
    case Action::kLocalName:
      names_.bind_local(index, captures, pattern.sort == 1);
      break;
    case Action::kBounds:
      nominal_.bound(frames_[index].node, captures[Slot::kName]);
      break;
    case Action::kPackage:
      if (pattern.sort == 0) symbols_.set_package(source_.text_of(captures[Slot::kName]));
      sink_.set_package(source_.text_of(captures[Slot::kName]));
      break;
    case Action::kAnonymous:
      frames_[index].is_anonymous = true;
      frames_[index].anonymous = captures[Slot::kType];
      break;
    case Action::kAnonymousBody:
      if (index > 0 && (pattern.sort == 1 || frames_[index - 1].is_anonymous)) {
        symbols_.declare_anonymous(index, pattern.sort == 1);
      }
      break;
    case Action::kTemplate:
      names_.names_in_template(frames_[index].node);
      break;
    case Action::kReceiver:
      names_.bind_receiver(index);
      break;
    case Action::kCall:
      if (captures[Slot::kType]) {
        const ScopeKind around = frames_.scope_kind();
        nodes_.note_made(captures[Slot::kType], captures[Slot::kList],
                         around == ScopeKind::kFunction || around == ScopeKind::kBlock);
      } else {
        symbols_.note_call(frames_[index].node);
      }
      break;
    case Action::kOperator:
      names_.use_by_syntax(pattern.kind, captures);
      break;
    case Action::kDeclaration:
      frames_[index].declaration = static_cast<DeclarationSort>(pattern.sort);
      break;
    case Action::kDeclarator: {
      Node type = captures[Slot::kType];
      const Fields& fields = source_.rules().fields();
      bool is_list = (pattern.sort & kRestDeclarator) != 0;
      if (!type) type = child_by_field(frames_[index].node, fields.type);
      if ((pattern.sort & kSharedDeclarator) != 0 && index > 0) {
        const Frame& around = frames_[index - 1];
        type = child_by_field(around.node, fields.type);
        const Declarator* outer = frames_.declarator(around.declarator);
        if (outer != nullptr && outer->frame == index - 1) {
          type = outer->type;
          is_list = outer->is_list;
        }
      }
      Node repeated_type = type;
      Node repeated_value = captures[Slot::kValue];
      if ((pattern.sort & kRepeatedDeclarator) != 0 && index > 0) {
        nominal_.repeat(frames_[index - 1].node, &repeated_type, &repeated_value);
      }
      // `var x = f()`: the value determines the type, because no type can be named `var`.
      const bool is_inferred =
          type && source_.text_of(type) == "var" &&
          (source_.rules_of(type).identifier_sort == IdentifierSort::kTypeName ||
           !source_.rules_of(type).is_identifier);
      if (is_inferred) type = Node{};
      const bool is_modified = (pattern.sort & kModifiedDeclarator) != 0;
      is_list = is_list || (is_modified && is_behind_vararg(index)) ||
                (fields.dimensions != 0 && child_by_field(frames_[index].node, fields.dimensions));
      frames_.open_declarator({.frame = index,
                               .value = captures[Slot::kValue],
                               .type = type,
                               .element = captures[Slot::kElement],
                               .context = captures[Slot::kContext],
                               .keys = captures[Slot::kKeys],
                               .ranged = captures[Slot::kRanged],
                               .repeated_type = repeated_type,
                               .repeated_value = repeated_value,
                               .is_late = (pattern.sort & kLateDeclarator) != 0,
                               .is_list = is_list,
                               .documented = docs_.documented_type(index)});
      break;
    }
    case Action::kTypeChecking:
      frames_[index].typing_block = captures[Slot::kBlock].id;
      break;
    case Action::kAnnotation:
      names_.annotation_in_string(captures[Slot::kInner]);
      break;
    case Action::kTextMember:
      if (pattern.sort == 2) {
        names_.path_in_string(frames_[index].node);
      } else {
        const bool is_call = pattern.sort == 3 || frames_[index].context == Context::kCall;
        names_.members_in_strings(captures, pattern.sort == 1, is_call ? Role::kCall : Role::kRead);
      }
      break;
    case Action::kTypeParameters:
      names_.bind_type_parameters(captures[Slot::kList]);
      break;
    case Action::kEmbedded:
      if (!frames_[index].is_owned) break;
      nominal_.embed(captures[Slot::kType], frames_.symbol());
      if (const Node& list = captures[Slot::kList]) {
        source_.each_child(list, kMaxIncluded, [&](const Node& child, const KindRules&) {
          nominal_.embed(child, frames_.symbol());
        });
      }
      break;
    case Action::kApart:
      nominal_.belong(captures[Slot::kType], captures[Slot::kList], frames_[index].symbol);
      break;
    case Action::kForms:
      has_forms_ = true;
      break;
    case Action::kClause:
      nominal_.bind_clause(index);
      break;
    case Action::kExtension:
      nominal_.extend(captures[Slot::kType], captures[Slot::kOther]);
      break;
    case Action::kReturn:
      if (pattern.sort == 0) {
        functions_.note_result(captures[Slot::kValue]);
      } else {
        Node last;
        source_.each_child(frames_[index].node, kMaxLambda,
                           [&](const Node& child, const KindRules&) { last = child; });
        functions_.note_result(last);
      }
      break;
    case Action::kYield:
      functions_.note_yield(captures[Slot::kValue], pattern.sort == 1);
      break;
    case Action::kNarrow: {
      if (pattern.sort == 1) {
        if (index > 0)
          nodes_.narrow_subject(frames_[index - 1].node, captures[Slot::kType],
                                range_of(frames_[index].node));
        break;
      }
      const Node& block = captures[Slot::kBlock];
      // assert: applies to the rest of the enclosing block.
      ByteRange range = range_of(block ? block : frames_[index].node);
      if (!block && index > 0) {
        range = {range.end, std::max(range.end, range_of(frames_[index - 1].node).end)};
      }
      nodes_.narrow(captures[Slot::kCondition], range);
      break;
    }
    case Action::kDynamic:
      sink_.add_dynamic(
          {static_cast<DynamicKind>(pattern.sort), range_of(frames_[index].node).begin});
      break;
    case Action::kConstantValue:
      frames_[index].value = static_cast<ReceiverKind>(pattern.sort);
      frames_[index].has_fixed_value = true;
      break;
    default:
      modules_.add_module_fact(pattern, index, captures);
      break;
  }
  return false;
}

// True for a variadic parameter: `vararg` precedes it.
bool Walker::is_behind_vararg(std::uint32_t index) const {
  constexpr std::string_view kWord = "vararg";
  constexpr std::size_t kMaxBefore = 64;
  std::string_view before = source_.text().substr(0, range_of(frames_[index].node).begin);
  before.remove_prefix(before.size() - std::min(before.size(), kMaxBefore));
  return trim(before.substr(before.find_last_of(",(") + 1)).ends_with(kWord);
}

void Walker::leave() {
  Frame& frame = frames_.back();
  if (frame.value_role != Value::kNone && docs_.any()) {
    if (const TermId cast = docs_.cast_type(frame.node); cast != kNoIndex) {
      frame.value = ReceiverKind::kTerm;
      frame.value_occurrence = cast;
    }
  }
  const bool is_receiver =
      frame.value_role == Value::kReceiver || frame.value_role == Value::kReference;
  if (is_receiver && frame.value == ReceiverKind::kOther) {
    frame.value_occurrence = nodes_.value_term(frame.node);
    if (frame.value_occurrence != kNoIndex) frame.value = ReceiverKind::kTerm;
  }
  if (frame.pops_function) functions_.close();
  if (frame.counts_error) --error_depth_;
  if (frames_.size() > 1) {
    FrameStack::give_value(frames_[frames_.size() - 2], frame.value_role, frame.value,
                           frame.value_occurrence);
  }
  frames_.pop();
}

}  // namespace codexmem::parse
