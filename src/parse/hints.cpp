// Type hints: which name in the source tells the type of a value.
//
// A hint is found by following few nodes from an initialiser or annotation; what each kind of node
// means is data (`@value.*` and `@type.*` in the queries). It is kept as the byte offset of the
// name, because the name's occurrence comes later in the walk.
#include <cctype>

#include "parse/walker.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxSteps = 16;
constexpr int kMaxTypeSteps = 64;  // through all members of unions

}  // namespace

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

Walker::Hint Walker::own_class_hint(HintKind kind) const {
  std::uint32_t owner = own_class();
  if (owner == kNoIndex || facts_.symbols[owner].name_range.empty()) return {};
  return {kind, facts_.symbols[owner].name_range.begin};
}

bool Walker::is_self(const Node& node) const {
  if ((*rules_)[kind_of(node)].constant_value == ReceiverKind::kThis) return true;
  return !selves_.empty() && (*rules_)[kind_of(node)].is_identifier &&
         text_of(node) == selves_.back().name;
}

// Without an annotation, the first result that tells a type is what a function gives.
void Walker::note_result(std::uint32_t function, const Node& value) {
  if (function == kNoIndex || !value || symbol_hints_[function].kind != HintKind::kNone) return;
  const Symbol& symbol = facts_.symbols[function];
  bool has_result = symbol.type == SymbolType::kFunction || symbol.type == SymbolType::kMethod ||
                    symbol.kind == "getter";
  if (!has_result || symbol.kind == "constructor" || symbol.kind == "generator") return;
  symbol_hints_[function] = hint_of_value(value);
}

std::uint32_t Walker::last_name(const Node& node) const {
  Node at = node;
  for (int step = 0; step < kMaxSteps && at; ++step) {
    const KindRules& rules = (*rules_)[kind_of(at)];
    if (rules.is_identifier) return range_of(at).begin;
    Node next;
    for (const auto* patterns : {&rules.value_patterns, &rules.type_patterns}) {
      for (const Pattern& pattern : *patterns) {
        auto sort = static_cast<HintSort>(pattern.sort);
        if (sort != HintSort::kName && sort != HintSort::kPass) continue;
        Captures captures;
        if (!rules_->matches(pattern, at, text_, &captures)) continue;
        next = captures[sort == HintSort::kName ? Slot::kName : Slot::kInner];
        break;
      }
      if (next) break;
    }
    at = next;
  }
  return kNoIndex;
}

Walker::Hint Walker::hint_of_value(const Node& node) const {
  Node at = node;
  bool is_awaited = false;
  for (int step = 0; step < kMaxSteps && at; ++step) {
    const KindRules& rules = (*rules_)[kind_of(at)];
    if (is_self(at)) return own_class_hint(HintKind::kAnnotation);
    Node next;
    for (const Pattern& pattern : rules.value_patterns) {
      Captures captures;
      if (!rules_->matches(pattern, at, text_, &captures)) continue;
      const Node& inner = captures[Slot::kInner];
      HintKind kind = HintKind::kNone;
      switch (static_cast<HintSort>(pattern.sort)) {
        case HintSort::kName: {
          const Node& name = captures[Slot::kName];
          return {HintKind::kAlias, name ? range_of(name).begin : range_of(at).begin};
        }
        case HintSort::kNew:
          kind = HintKind::kNew;
          break;
        case HintSort::kCall:
          kind = is_awaited ? HintKind::kAwaitCall : HintKind::kCall;
          break;
        case HintSort::kCast: {
          Hint hint = hint_of_type(inner);
          if (hint.kind == HintKind::kAnnotation) hint.kind = HintKind::kCast;
          return hint;
        }
        case HintSort::kAwait:
          is_awaited = true;
          next = inner;
          break;
        default:
          next = inner;
          break;
      }
      if (kind != HintKind::kNone) {
        // cls(...)
        if (is_self(inner)) return own_class_hint(HintKind::kNew);
        std::uint32_t offset = last_name(inner);
        return offset == kNoIndex ? Hint{} : Hint{kind, offset};
      }
      break;
    }
    at = next;
  }
  return {};
}

Walker::Hint Walker::hint_of_type(const Node& node) const {
  int steps = kMaxTypeSteps;
  return hint_of_type(node, &steps);
}

Walker::Hint Walker::hint_of_type(const Node& node, int* steps) const {
  Node at = node;
  HintKind kind = HintKind::kAnnotation;
  for (; at && *steps > 0; --*steps) {
    const KindRules& rules = (*rules_)[kind_of(at)];
    Node next;
    for (const Pattern& pattern : rules.type_patterns) {
      Captures captures;
      if (!rules_->matches(pattern, at, text_, &captures)) continue;
      const Node& inner = captures[Slot::kInner];
      switch (static_cast<HintSort>(pattern.sort)) {
        case HintSort::kName: {
          if (text_of(at) == "Self") return own_class_hint(kind);
          std::uint32_t offset = last_name(captures[Slot::kName] ? captures[Slot::kName] : at);
          return offset == kNoIndex ? Hint{} : Hint{kind, offset};
        }
        case HintSort::kUnion: {
          // X | None: the side that has a name.
          --*steps;
          Hint hint = hint_of_type(inner, steps);
          if (hint.kind == HintKind::kNone) next = captures[Slot::kOther];
          if (!next) return hint;
          break;
        }
        case HintSort::kString: {
          // The last part of the dotted name that is all the string holds, or holds before "[|".
          ByteRange range = range_of(at);
          std::string_view text = text_of(range);
          std::size_t begin = text.find_first_not_of("rbuRBU\"' ");
          if (begin == std::string_view::npos) return {};
          std::size_t end = text.find_first_of("\"'[| ", begin);
          if (end == std::string_view::npos) return {};
          std::size_t dot = text.substr(0, end).rfind('.');
          if (dot != std::string_view::npos && dot >= begin) begin = dot + 1;
          if (text.substr(begin, end - begin) == "Self") return own_class_hint(kind);
          return {kind, range.begin + static_cast<std::uint32_t>(begin)};
        }
        case HintSort::kThis:
          return own_class_hint(kind);
        case HintSort::kContainer:
          kind = HintKind::kContainer;
          next = inner;
          break;
        default:
          next = inner;
          break;
      }
      break;
    }
    at = next;
  }
  return {};
}

Walker::Hint Walker::hint_of(const Declarator& declarator) const {
  if (declarator.type) {
    Hint hint = hint_of_type(declarator.type);
    if (hint.kind != HintKind::kNone) return hint;
  }
  if (declarator.value) return hint_of_value(declarator.value);
  const Node& source = declarator.element ? declarator.element : declarator.context;
  if (!source) return {};
  // for x of y(), with f() as x: the name that is called or meant.
  Hint hint = hint_of_value(source);
  if (hint.kind == HintKind::kNone) return hint;
  hint.kind = declarator.element ? HintKind::kElement : HintKind::kContext;
  return hint;
}

Walker::Hint Walker::hint_of_part(const Declarator& declarator) const {
  Hint hint = hint_of(declarator);
  switch (hint.kind) {
    case HintKind::kAlias:
      hint.kind = HintKind::kPart;
      return hint;
    case HintKind::kCall:
    case HintKind::kAwaitCall:
      hint.kind = HintKind::kPartOfCall;
      return hint;
    case HintKind::kAnnotation:
    case HintKind::kCast:
    case HintKind::kNew:
      hint.kind = HintKind::kPartOfType;
      return hint;
    default:
      break;
  }
  const bool is_this = declarator.value &&
                       (*rules_)[kind_of(declarator.value)].constant_value == ReceiverKind::kThis;
  return is_this ? own_class_hint(HintKind::kPartOfType) : Hint{};
}

}  // namespace codexmem::parse
