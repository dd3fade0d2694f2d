// Scopes, and names bound without an identifier of their own: type parameters, locals in the heads
// of scopes, `this` and `it`, names in text templates.
#include <algorithm>

#include "base/ascii.h"
#include "parse/walk/names.h"
#include "parse/walk/receivers.h"

namespace codexmem::parse {

void NameBuilder::bind_type_parameters(const Node& list) {
  for (std::uint32_t i = 0, count = named_child_count(list); i < count; ++i) {
    Node name = named_child(list, i);
    for (int depth = 0; depth < 4 && name && !rules_of(name).is_identifier; ++depth) {
      name = named_child(name, 0);
    }
    if (!name || !rules_of(name).is_identifier) continue;
    std::uint32_t offset = range_of(name).begin;
    // T: Bound
    const Node inner = named_child(named_child(list, i), 0);
    const TermId bound =
        inner && named_child_count(inner) == 2 ? nodes_.type_term(inner) : TermId{kNoIndex};
    sink_.add_binding(text_of(name), frames_.scope(), BindingKind::kTypeParameter, kNoIndex, offset,
                      bound);
    sink_.announce(offset);
  }
}

void NameBuilder::open_scope(std::uint32_t index, ScopeKind kind, std::uint32_t begin,
                             bool is_inner) {
  Frame& frame = frames_[index];
  if (is_inner && index > 0 && frames_[index - 1].pops_function) return;
  // The block of a function, loop or handler is already its scope.
  if (kind == ScopeKind::kBlock && !is_inner && index > 0 && frames_[index - 1].pops_scope &&
      frames_[index - 1].rules != frame.rules && frames_.scope_kind() != ScopeKind::kClass &&
      frames_.scope_kind() != ScopeKind::kTypeParameters) {
    return;
  }
  if (const Node parameters = child_by_field(frame.node, fields().type_parameters)) {
    begin = std::min(begin, range_of(parameters).begin);
  }
  std::uint32_t symbol = frame.symbol;
  if (symbol == kNoIndex && index > 0 && kind != ScopeKind::kBlock) {
    symbol = frames_[index - 1].symbol;
  }
  if (kind == ScopeKind::kClass && symbol != kNoIndex &&
      facts_.symbols[symbol].kind == "namespace") {
    kind = ScopeKind::kNamespace;  // its body is like a class's
  }
  const std::uint32_t scope =
      sink_.add_scope({kind, frames_.scope(), {begin, range_of(frame.node).end}, symbol});
  if (kind == ScopeKind::kFunction && symbol != kNoIndex) {
    // The first parameter of a method, if the language has no keyword for the instance.
    Node parameters = child_by_field(frame.node, fields().parameters);
    const Symbol& method = facts_.symbols[symbol];
    bool is_method = method.type == SymbolType::kMethod && method.parent != kNoIndex &&
                     std::ranges::find(method.modifiers, "@staticmethod") == method.modifiers.end();
    if (parameters && is_method) {
      for (const Pattern& pattern : rules_of(parameters).self_patterns) {
        Captures captures;
        if (!source_.matches(pattern, parameters, &captures)) continue;
        frames_.open_self(index, text_of(captures[Slot::kName]), method.parent);
        break;
      }
    }
  }
  frames_.open_scope(index, scope);
  if (kind == ScopeKind::kFunction) {
    functions_.open(index, symbol);
    // The body of an arrow function may be its result.
    Node body = child_by_field(frame.node, fields().body);
    if (body) functions_.note_result(body);
  }
}

std::uint32_t NameBuilder::function_scope() const {
  std::uint32_t scope = frames_.scope();
  while (facts_.scopes[scope].parent != kNoIndex) {
    ScopeKind kind = facts_.scopes[scope].kind;
    if (kind == ScopeKind::kFunction || kind == ScopeKind::kModule ||
        kind == ScopeKind::kNamespace || kind == ScopeKind::kGlobal) {
      break;
    }
    scope = facts_.scopes[scope].parent;
  }
  return scope;
}

void NameBuilder::bind_local(std::uint32_t index, const Captures& captures, bool is_setter) {
  if (is_setter) {
    // `value`, the parameter of a setter: it has the type of the enclosing declaration.
    Node type;
    for (std::uint32_t up = 1; up <= 2 && up <= index && !type; ++up) {
      type = child_by_field(frames_[index - up].node, fields().type);
    }
    sink_.add_binding("value", frames_.scope(), BindingKind::kParameter, kNoIndex,
                      range_of(frames_[index].node).begin, nodes_.type_term(type));
    return;
  }
  const Node& name = captures[Slot::kName];
  if (source_.is_blank(text_of(name))) return;
  TermId term = nodes_.type_term(captures[Slot::kType]);
  if (term == kNoIndex) {
    if (captures[Slot::kValue]) {
      term = nodes_.value_term(captures[Slot::kValue]);
    } else if (captures[Slot::kElement]) {
      term =
          terms_.add(TermKind::kElement, kNoIndex, {nodes_.value_term(captures[Slot::kElement])});
    } else {
      term = places_.expected(index);
    }
  }
  const std::uint32_t begin = range_of(name).begin;
  sink_.add_binding(text_of(name), frames_.scope(), BindingKind::kLocal, kNoIndex, begin, term);
  sink_.announce(begin);
}

// Binds `this` of an extension function, or of a lambda whose place may give it a receiver, and the
// parameter `it` of a lambda without named parameters.
void NameBuilder::bind_receiver(std::uint32_t index) {
  const Node& node = frames_[index].node;
  const std::uint32_t begin = range_of(node).begin;
  const TermId own = functions_.function_term(node);
  if (own == kNoIndex) return;
  const std::uint32_t scope = frames_.scope();
  const Function& function = facts_.functions[facts_.terms[own].at];
  if (function.is_extension) {
    sink_.add_binding("this", scope, BindingKind::kParameter, kNoIndex, begin,
                      function.parameters.front().term);
    return;
  }
  if (frames_[index].symbol != kNoIndex) return;  // a function
  const TermId place = places_.expected(index);
  if (place == kNoIndex) return;
  sink_.add_binding("this", scope, BindingKind::kParameter, kNoIndex, begin,
                    terms_.add(TermKind::kParameter, kReceiverParameter, {place}));
  if (!facts_.functions[facts_.terms[own].at].parameters.empty() || names_none(node)) return;
  sink_.add_binding("it", scope, BindingKind::kParameter, kNoIndex, begin,
                    terms_.add(TermKind::kParameter, 0, {place}));
}

void NameBuilder::names_in_template(const Node& node) {
  if (text_of(node).find('$') == std::string_view::npos) return;
  Cursor cursor(node);
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    const Node part = cursor.node();
    // Computed parts have children.
    if (named_child_count(part) > 0) continue;
    const ByteRange range = range_of(part);
    const std::string_view text = source_.text().substr(0, range_of(node).end);
    for (std::size_t at = text.find('$', range.begin); at < range.end;
         at = text.find('$', at + 1)) {
      const std::size_t begin = at + 1;
      std::size_t end = begin;
      while (end < text.size() && (is_identifier_char(text[end]) && text[end] != '$')) ++end;
      const bool is_name =
          end > begin && std::isdigit(static_cast<unsigned char>(text[begin])) == 0;
      const std::string_view name = text.substr(begin, end - begin);
      if (!is_name || name == "this" || (at > 0 && text[at - 1] == '\\')) continue;
      sink_.add_occurrence(name, static_cast<std::uint32_t>(begin), Role::kRead);
    }
  }
}

// { -> 1 }
bool NameBuilder::names_none(const Node& lambda) const {
  Cursor cursor(lambda);
  std::uint32_t steps = 0;
  for (bool more = cursor.goto_first_child(); more && steps < 4;
       more = cursor.goto_next_sibling(), ++steps) {
    if (text_of(cursor.node()) == "->") return true;
  }
  return false;
}

}  // namespace codexmem::parse
