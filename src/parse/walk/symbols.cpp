// Symbols: ranges, modifiers, signatures, documentation.
//
// A symbol's range is its whole statement: the wrappers among the frames above it (an export
// statement, `declare`, the decorated definition) belong to it. Modifiers are the tokens and
// decorators before the name in these nodes.
#include "parse/walk/symbols.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text.h"
#include "parse/preprocess/macro_words.h"

namespace codexmem::parse {
namespace {

// The names in the part before a member's dots, "io::Reader<T>": io, Reader. Of several words the
// last one counts ("dyn Trait").
std::vector<std::string_view> container_parts(std::string_view written) {
  std::vector<std::string_view> parts;
  bool is_open = false;  // the last part may continue
  int depth = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const char c = written[i];
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (depth > 0) is_open = false;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (depth > 0 || c == '>' || c == ')' || c == ']') continue;
    const auto byte = static_cast<unsigned char>(c);
    const bool is_inside = is_open && i + 1 < written.size() &&
                           std::isalnum(static_cast<unsigned char>(written[i + 1])) != 0;
    if (std::isalnum(byte) != 0 || c == '_' || byte >= 0x80 || (c == '-' && is_inside)) {
      if (!is_open) parts.push_back(written.substr(i, 0));
      parts.back() = {parts.back().data(), parts.back().size() + 1};
      is_open = true;
    } else if (c == '.' || c == ':' || c == '\\') {
      is_open = false;
    } else {
      parts.clear();
      is_open = false;
      // A lifetime is not a name.
      if (c == '\'') i = std::min(written.find_first_of(" >,", i), written.size()) - 1;
    }
  }
  return parts;
}

}  // namespace

// Sets a symbol's parent and the names of its enclosing symbols.
void SymbolBuilder::set_container(const NewSymbol& added, Symbol* symbol) {
  symbol->parent = added.parent.value_or(frames_.symbol());
  std::string_view outer = package_;
  if (symbol->parent != kNoIndex) {
    outer = facts_.symbols[symbol->parent].qualified_name;
    if (outer.size() > kMaxQualifiedBytes) outer = {};
  }
  std::string_view written = added.container;
  if (const OpenContainer* around = frames_.container(); around != nullptr && written.empty()) {
    written = around->name;
  }
  symbol->qualified_name = outer;
  const auto append = [&](std::string_view name) {
    if (!symbol->qualified_name.empty()) symbol->qualified_name += '.';
    symbol->qualified_name += name;
  };
  if (!written.empty()) {
    // It is declared elsewhere; its parent is the type of that name, if it is in this file.
    std::uint32_t owner = symbol->parent;
    bool is_known = true;
    for (const std::string_view part : container_parts(written)) {
      append(part);
      const std::uint32_t found = is_known ? sink_.find_member(owner, sink_.id_of(part)) : kNoIndex;
      // (A::f is not part of the constructor A::A, whose class may be in another file.)
      is_known = found != PairMap::kAbsent && !(source_.rules().declares_in_classes() &&
                                                facts_.symbols[found].type == SymbolType::kMethod);
      owner = found;
    }
    // (An extension is named after the extended type, but belongs to the enclosing symbol.)
    if (is_known && symbol->kind != "extension") symbol->parent = owner;
  }
  append(symbol->name);
}

std::uint32_t SymbolBuilder::add_symbol(std::uint32_t index, const NewSymbol& added) {
  Modifiers modifiers = surroundings_.collect_modifiers(index, added.name_range);
  Symbol symbol;
  symbol.name = added.name;
  symbol.type = added.type;
  symbol.kind = added.kind;
  if (symbol.type == SymbolType::kMethod && !modifiers.accessor.empty()) {
    symbol.kind = modifiers.accessor;
  }
  set_container(added, &symbol);
  symbol.range = {modifiers.range_begin, range_of(frames_[index].node).end};
  for (std::uint32_t at = index; at > 0 && range_of(frames_[at].node).begin > symbol.range.begin &&
                                 frames_[at - 1].rules->is_wrapper;
       --at) {
    symbol.range.end = std::max(symbol.range.end, range_of(frames_[at - 1].node).end);
  }
  if (added.is_name_only) symbol.range = added.name_range;
  // A directive's node includes the line break.
  while (symbol.range.end > added.name_range.end && source_.text()[symbol.range.end - 1] == '\n') {
    --symbol.range.end;
  }
  symbol.name_range = added.name_range;
  if (added.body) symbol.body = range_of(added.body);
  symbol.signature = added.is_name_only ? added.name_range
                                        : surroundings_.signature(index, added.body, added.value,
                                                                  modifiers.signature_begin);
  symbol.docstring =
      surroundings_.docstring(added.body, modifiers.range_begin, added.name_range.begin);
  symbol.modifiers = std::move(modifiers.texts);
  if (added.is_scoped) symbol.modifiers.emplace_back("scoped");
  if (added.is_private) symbol.modifiers.emplace_back("private");
  if (source_.rules().visibility() == Visibility::kLinkage ||
      (source_.rules().visibility() == Visibility::kAccess &&
       (symbol.type == SymbolType::kMethod || symbol.type == SymbolType::kProperty))) {
    const std::string_view access = surroundings_.access_of(index);
    if (!access.empty() && access != "public") symbol.modifiers.emplace_back(access);
  }
  symbol.exported = surroundings_.is_exported(symbol, modifiers);

  if (modifiers.is_exported && symbol.parent == kNoIndex && !added.is_exported_apart) {
    const auto id = static_cast<std::uint32_t>(facts_.symbols.size());
    sink_.add_export({.symbol = id, .offset = symbol.name_range.begin},
                     modifiers.is_default ? "default" : added.name,
                     added.name_range.empty() ? std::string_view{} : added.name);
  }
  const std::uint32_t id = sink_.add_symbol(std::move(symbol), added.name);
  // The parameters of a template belong to its declaration.
  for (std::uint32_t scope = frames_.scope();
       facts_.scopes[scope].kind == ScopeKind::kTypeParameters &&
       facts_.scopes[scope].symbol == kNoIndex;
       scope = facts_.scopes[scope].parent) {
    sink_.scope(scope).symbol = id;
  }
  if (clauses_.symbol != kNoIndex &&
      facts_.symbols[clauses_.symbol].parent == facts_.symbols[id].parent) {
    clauses_ = {};
  }
  if (added.is_pushed) {
    frames_[index].symbol = id;
    frames_.open_symbol(index, id);
  }
  return id;
}

void SymbolBuilder::declare_namespaces(std::uint32_t index, const Node& names, bool takes_rest) {
  const Node body = child_by_field(frames_[index].node, fields().body);
  if (takes_rest) end_package(index);
  // Names in an inline namespace belong to the enclosing one: a::inline b.
  const std::string_view written = text_of(names);
  for (const std::string_view name : container_parts(written.substr(0, written.find("::inline")))) {
    const std::uint32_t begin = source_.offset_of(name);
    const std::uint32_t symbol =
        add_symbol(index, {.type = SymbolType::kType,
                           .kind = "namespace",
                           .name = name,
                           .name_range = {begin, begin + static_cast<std::uint32_t>(name.size())},
                           .body = body,
                           .is_pushed = !takes_rest});
    sink_.announce(begin);
    if (!takes_rest) continue;
    frames_[index - 1].symbol = symbol;
    frames_.open_symbol(index - 1, symbol);
    sink_.symbol(symbol).range.end = range_of(frames_[index - 1].node).end;
  }
  if (!takes_rest || index == 0 || frames_[index - 1].pops_scope) return;
  const ByteRange rest = {range_of(frames_[index].node).end, range_of(frames_[index - 1].node).end};
  frames_.open_scope(index - 1, sink_.add_scope({ScopeKind::kNamespace, frames_.scope(), rest,
                                                 frames_[index - 1].symbol}));
}

bool SymbolBuilder::declare(const Pattern& pattern, std::uint32_t index, const Captures& captures) {
  const Node& name = captures[Slot::kName];
  const bool is_each = pattern.kind.find("each_") != std::string::npos;
  if (const Node list = captures[Slot::kList]; list && !is_each) {
    declare_list(pattern, index, list);
    return true;
  }
  NewSymbol added;
  added.type = static_cast<SymbolType>(pattern.sort);
  added.kind = pattern.kind;
  if (added.kind.starts_with("member_")) {
    // It is in a place where only members of a named object matter.
    if (!frames_[index].is_owned) return false;
    added.kind.remove_prefix(7);
  }
  ScopeKind scope_kind = frames_.scope_kind();
  for (std::uint32_t at = frames_.scope();
       scope_kind == ScopeKind::kComprehension && source_.rules().has_own_names();) {
    // A block uses the scope around it.
    at = facts_.scopes[at].parent;
    scope_kind = facts_.scopes[at].kind;
  }
  if (added.kind.starts_with("outer_")) {
    // A declaration in a function is local.
    if (scope_kind == ScopeKind::kFunction || scope_kind == ScopeKind::kBlock) return false;
    added.kind.remove_prefix(6);
  }
  if (added.kind.starts_with("scoped_")) {
    added.is_scoped = true;
    added.kind.remove_prefix(7);
  }
  if (added.kind.starts_with("private_")) {
    added.is_private = true;
    added.kind.remove_prefix(8);
  }
  const bool is_clause = added.kind.starts_with("clause_");
  if (is_clause) added.kind.remove_prefix(7);
  const bool is_once = added.kind.starts_with("once_");
  if (is_once) added.kind.remove_prefix(5);
  const bool is_key = added.kind.starts_with("key_");
  if (is_key) added.kind.remove_prefix(4);
  const bool is_dotted = added.kind.starts_with("dotted_");
  if (is_dotted) added.kind.remove_prefix(7);
  if (is_each) {
    added.kind.remove_prefix(5);
    declare_each(added, index, captures);
    return true;
  }
  if (added.type == SymbolType::kFunction && scope_kind == ScopeKind::kClass) {
    added.type = SymbolType::kMethod;
    if (added.kind == "function") added.kind = "method";
  }
  if (added.type == SymbolType::kVariable && added.kind == "variable" &&
      scope_kind == ScopeKind::kClass) {
    added.type = SymbolType::kProperty;
    added.kind = "property";
  }
  if (!name) return true;
  if (index > 0 && frames_[index - 1].is_exports_object) {
    // module.exports = { f() {}, g }: functions of the module, and names of its members.
    if (added.type == SymbolType::kMethod) {
      added.type = SymbolType::kFunction;
      added.kind = "function";
    }
    const Node& value = captures[Slot::kValue];
    if (value && (rules_of(value).is_identifier || source_.is_require(value))) return true;
  }
  added.name = source_.member_name(name);
  ByteRange name_range = range_of(name);
  if (text_of(name).starts_with(':') && !added.name.starts_with(':')) ++name_range.begin;
  if (added.name.empty() || added.name.size() > kMaxNameBytes || source_.is_blank(added.name))
    return true;
  bool is_expression = index > 0 && frames_[index - 1].symbol != kNoIndex &&
                       frames_[index].field != 0 && frames_[index].field != fields().body;
  if (is_expression && pattern.action == Action::kSymbol &&
      (added.type == SymbolType::kFunction || added.type == SymbolType::kClass)) {
    // const f = function g() {}: g is f's value, and visible only to itself. A class assigned under
    // a shorter name (A.Template = class ATemplate) can be looked up by its own name as well.
    const Symbol& holder = facts_.symbols[frames_[index - 1].symbol];
    bool is_member =
        holder.type == SymbolType::kClass && holder.kind == "class" && holder.parent != kNoIndex;
    if (added.type != SymbolType::kClass || !is_member || holder.name == added.name) return true;
    added.is_pushed = false;  // members and supertypes belong to the shorter name
  }
  if (is_dotted) {
    // module A.B: B, of A.
    split_name(&added);
    name_range.begin = source_.offset_of(added.name);
  }
  added.name_range = name_range;
  std::uint32_t key_level = 0;
  if (is_key && !takes_key(index, added.container, &key_level)) {
    frames_[index].is_in_items = true;
    return true;
  }
  if (is_once) {
    const std::uint32_t id = sink_.id_of(added.name);
    if (once_.find(pattern.sort, id) != PairMap::kAbsent) return true;
    once_.insert(pattern.sort, id, 0);
    added.is_pushed = false;
  }
  if (added.kind == "anonymous") added.name_range = {name_range.begin, name_range.begin};
  if (added.kind == "inline_namespace") added.is_pushed = false;
  if (added.kind == "macro" && is_guarded(index, added.name)) {
    if (!guards_file(frames_[index - 1].node)) return true;
    added.kind = "include_guard";
  }
  if (captures[Slot::kContainer]) added.container = text_of(captures[Slot::kContainer]);
  added.value = captures[Slot::kValue];
  added.body = captures[Slot::kBody];
  if (!added.body && added.value) added.body = child_by_field(added.value, fields().body);
  const Node& parameters = captures[Slot::kOther];
  const std::uint32_t arity = is_clause && parameters ? named_child_count(parameters) : 0;
  if (is_clause && goes_on(index, added, arity)) return true;
  std::uint32_t symbol = add_symbol(index, added);
  if (is_key) key_levels_.emplace(symbol, key_level);
  for (std::uint32_t at = index;
       is_once && at > 0 && index - at < kMaxWrappers && frames_[at - 1].rules->is_wrapper; --at) {
    sink_.symbol(symbol).range.end = range_of(frames_[at - 1].node).end;
  }
  if (added.type == SymbolType::kClass || added.type == SymbolType::kInterface ||
      added.type == SymbolType::kType) {
    docs_.declare_members(symbol, facts_.symbols[symbol].docstring);
  }
  if (is_clause) clauses_ = {symbol, arity};
  if (added.kind == "macro" && source_.rules().binds_declarators() &&
      redefines(index, added.name)) {
    sink_.symbol(symbol).modifiers.emplace_back("redefines");
  }
  set_term(symbol, index, added, captures[Slot::kType]);
  if (captures[Slot::kInner] && added.type == SymbolType::kType) {
    sink_.symbol(symbol).term =
        terms_.add(TermKind::kOwnType, kNoIndex, {nodes_.type_term(captures[Slot::kInner])});
  }
  // (The second name of a class is bound in its own scope when its identifier is met.)
  if ((added.is_pushed || is_once || added.kind == "inline_namespace") &&
      added.kind != "anonymous") {
    sink_.announce(name_range.begin);
  }
  if (pattern.action == Action::kBoundSymbol) {
    const BindingKind kind = added.type == SymbolType::kVariable && added.kind == "alias"
                                 ? BindingKind::kAlias
                                 : BindingKind::kSymbol;
    sink_.add_binding(added.name, frames_.scope(), kind, symbol, name_range.begin);
  }
  return true;
}

// True for a further clause of the previous function, f(0) -> ...; f(n) -> ...: the same symbol.
bool SymbolBuilder::goes_on(std::uint32_t index, const NewSymbol& added, std::uint32_t arity) {
  const std::uint32_t id = clauses_.symbol;
  if (id == kNoIndex || clauses_.arity != arity) return false;
  Symbol& symbol = sink_.symbol(id);
  if (symbol.name != added.name || symbol.type != added.type || symbol.parent != frames_.symbol()) {
    return false;
  }
  symbol.range.end = std::max(symbol.range.end, range_of(frames_[index].node).end);
  frames_[index].symbol = id;
  frames_.open_symbol(index, id);
  sink_.announce(added.name_range.begin);
  return true;
}

void SymbolBuilder::join_body(std::uint32_t index) {
  if (facts_.symbols.empty()) return;
  const auto id = static_cast<std::uint32_t>(facts_.symbols.size() - 1);
  Symbol& symbol = sink_.symbol(id);
  const ByteRange body = range_of(frames_[index].node);
  if (symbol.parent != frames_.symbol() || !symbol.body.empty() || symbol.range.end > body.begin ||
      !trim(text_of(ByteRange{symbol.range.end, body.begin})).empty()) {
    return;
  }
  symbol.body = body;
  symbol.range.end = body.end;
  frames_[index].symbol = id;
  frames_.open_symbol(index, id);
}

// Sets the term of a symbol: its function, the aliased type, its annotation or its value.
void SymbolBuilder::set_term(std::uint32_t symbol, std::uint32_t index, const NewSymbol& added,
                             const Node& type) {
  if (!source_.rules().has_terms()) return;
  const std::string& kind = facts_.symbols[symbol].kind;
  const bool is_getter = kind == "getter";
  const bool is_setter = kind == "setter";
  TermId term = kNoIndex;
  switch (added.type) {
    case SymbolType::kClass:
      term = type ? nodes_.type_term(type) : kNoIndex;  // struct A(B, C)
      break;
    case SymbolType::kInterface:
      if (added.body) term = functions_.object_term(added.body, true);
      break;
    case SymbolType::kType:
      if (kind == "delegate") {
        term = functions_.function_term(frames_[index].node);
        break;
      }
      // An alias in Python with an annotation has a value.
      term = nodes_.type_term(type ? type : added.value);
      break;
    case SymbolType::kFunction:
    case SymbolType::kMethod:
      term = functions_.function_term(
          added.value && source_.opens(ScopeKind::kFunction, added.value) ? added.value
                                                                          : frames_[index].node);
      break;
    default:
      if (kind == "enum_member" && !type &&
          (source_.rules().visibility() == Visibility::kPublic ||
           source_.rules().visibility() == Visibility::kAccess ||
           !child_by_field(frames_[index].node, fields().value))) {
        term = this_term();  // an instance of the enclosing enum, not a number
        break;
      }
      if (is_getter || is_setter) {
        term = functions_.function_term(frames_[index].node);
        break;
      }
      if (kind == "extension") {
        term = terms_.add(TermKind::kResult, kNoIndex,
                          {functions_.function_term(frames_[index].node)});
        break;
      }
      if (docs_.are_surer()) term = docs_.documented_type(index);
      if (term == kNoIndex) {
        // private A $a, $b; has its type on the enclosing node.
        const bool is_shared = !type && index > 0 && frames_[index - 1].rules->is_wrapper;
        const Node around =
            is_shared ? child_by_field(frames_[index - 1].node, fields().type) : Node{};
        const Node& own = around ? around : type;
        term = own ? nodes_.type_term(own) : docs_.documented_type(index);
      }
      if (term == kNoIndex) term = nodes_.value_term(added.value);
      break;
  }
  const bool is_function_term = term != kNoIndex && facts_.terms[term].kind == TermKind::kFunction;
  if (is_function_term && added.type == SymbolType::kMethod) {
    functions_.drop_self(facts_.symbols[symbol], term);
    const auto& modifiers = facts_.symbols[symbol].modifiers;
    sink_.function(facts_.terms[term].at).is_private =
        (source_.rules().visibility() == Visibility::kPublic ||
         source_.rules().visibility() == Visibility::kAccess) &&
        std::ranges::find(modifiers, "private") != modifiers.end();
    if (kind == "extension") sink_.function(facts_.terms[term].at).is_extension = true;
  }
  if (is_getter) term = terms_.add(TermKind::kResult, kNoIndex, {term});
  if (is_setter) term = functions_.setter_term(term);
  if (kind == "deleter") term = kNoIndex;
  sink_.symbol(symbol).term = term;
}

}  // namespace codexmem::parse
