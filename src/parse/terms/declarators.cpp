// Declarations in C and C++: nested declarators determine the declared name and its type.
//
//     static int (*table[3])(void), *count(int);
//
// declares a table of pointers and a function. On the way down to a name, nodes stand for a
// pointer, an array, a function or parentheses; the node nearest to the name determines what it is.
// Tested by golden_test.cpp (testdata/languages/c, cpp).
#include "parse/terms/declarators.h"

#include <algorithm>

#include "base/ascii.h"
#include "parse/preprocess/macro_words.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxDeclarators = 64;      // around one name
constexpr std::uint32_t kMaxParts = 64;  // of a structured binding

// STRING_OF_CAPITALS: a typical macro name.
bool is_macro_name(std::string_view name) {
  return name.size() > 1 && std::ranges::all_of(name, [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word_char(text[word.size()]));
}

// Words that the grammar takes for names when macros confuse it.
bool is_keyword(std::string_view name) {
  constexpr std::string_view kKeywords[] = {
      "break", "case",   "class",  "const",    "continue", "default",  "do",      "else",
      "enum",  "for",    "goto",   "if",       "public",   "private",  "return",  "protected",
      "int",   "sizeof", "static", "struct",   "switch",   "template", "typedef", "union",
      "using", "void",   "while",  "override", "noexcept", "true",     "false",   "nullptr"};
  return std::ranges::find(kKeywords, name) != std::end(kKeywords);
}

Node last_named_child(const Node& node) {
  const std::uint32_t count = named_child_count(node);
  return count == 0 ? Node{} : named_child(node, count - 1);
}

}  // namespace

bool is_made_name(const Source& source, const Node& declarator) {
  if (kind_of(declarator) != source.rules().declarator_kinds().function_declarator) return false;
  const std::string_view text = source.text();
  const std::string_view behind = text.substr(behind_blanks(text, range_of(declarator).end));
  return behind.starts_with('(') || (behind.starts_with('[') && !behind.starts_with("[["));
}

// The declaration in `declarator`; without a name if it declares nothing that can be looked up.
DeclaratorBuilder::Declared DeclaratorBuilder::read_declarator(Node declarator) const {
  const DeclaratorKinds& kinds = source_.rules().declarator_kinds();
  Declared declared;
  for (int depth = 0; declarator && depth < kMaxDeclarators; ++depth) {
    const Kind kind = kind_of(declarator);
    if (kind == kinds.identifier || kind == kinds.field_identifier ||
        kind == kinds.type_identifier || kind == kinds.operator_name ||
        kind == kinds.destructor_name || kind == kinds.primitive_type) {
      declared.name = range_of(declarator);
      return declared;
    }
    if (kind == kinds.operator_cast) {
      // operator bool() const: the name ends with the type.
      const Node type = child_by_field(declarator, fields().type);
      declared.name = {range_of(declarator).begin, range_of(type ? type : declarator).end};
      declared.is_function = true;
      return declared;
    }
    if (kind == kinds.qualified_identifier) {
      const Node name = child_by_field(declarator, fields().name);
      if (!name) return declared;
      if (declared.container.empty()) declared.container.begin = range_of(declarator).begin;
      declared.container.end = range_of(name).begin;
      declarator = name;
      continue;
    }
    if (kind == kinds.template_function || kind == kinds.template_method) {
      declarator = child_by_field(declarator, fields().name);
      continue;
    }
    if (kind != kinds.parenthesized_declarator && kind != kinds.init_declarator &&
        kind != kinds.attributed_declarator) {
      declared.is_function = kind == kinds.function_declarator;
      if (declared.is_function) declared.function = declarator;
    }
    Node inner = child_by_field(declarator, fields().declarator);
    if (inner && is_made_name(source_, inner)) {
      Declared made;
      made.function = inner;
      name_by_argument(&made);
      if (!made.name.empty()) {
        declared.name = made.name;
        return declared;
      }
    }
    if (!inner && kind == kinds.attributed_declarator) inner = named_child(declarator, 0);
    if (!inner && (kind == kinds.parenthesized_declarator || kind == kinds.reference_declarator)) {
      inner = last_named_child(declarator);
    }
    declarator = inner;
  }
  return declared;
}

// operator -> is operator->.
std::string_view DeclaratorBuilder::operator_name(std::string_view name) const {
  constexpr std::string_view kOperator = "operator";
  constexpr std::string_view kSpaces = " \t\r\n";
  if (!begins_with_word(name, kOperator)) return name;
  const std::string_view sign = name.substr(kOperator.size());
  const std::size_t first = sign.find_first_not_of(kSpaces);
  if (first == std::string_view::npos || is_word_char(sign[first]) || sign[first] == '"' ||
      sign.find_first_of(kSpaces) == std::string_view::npos) {
    return name;
  }
  std::string joined(name);
  std::erase_if(joined, [](char c) { return is_space(c); });
  return sink_.text_of(sink_.id_of_made(std::move(joined)));
}

// TEST(Suite, Name) { ... }: the symbol is named by the macro's last argument.
void DeclaratorBuilder::name_by_argument(Declared* declared) const {
  const Node parameters = child_by_field(declared->function, fields().parameters);
  if (!parameters) return;
  const std::uint32_t count = named_child_count(parameters);
  if (count == 0 || count > 3) return;
  ByteRange last;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ByteRange range = range_of(named_child(parameters, i));
    const bool is_word = std::ranges::all_of(text_of(range), [](char c) {
      return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    });
    if (!is_word || range.empty() || is_digit(text_of(range).front())) return;
    if (i + 1 == count && count > 1) declared->container = last;
    last = range;
  }
  declared->name = last;
}

// FLAG(name); among the fields of a struct: the macro declares a field named by its argument.
void DeclaratorBuilder::declare_macro_field(const Node& whole, std::uint32_t index) {
  const Node macro = child_by_field(whole, fields().type);
  if (!macro || kind_of(macro) != source_.rules().declarator_kinds().macro_type_specifier) return;
  Node name = child_by_field(macro, fields().type);
  while (name && !rules_of(name).is_identifier) name = named_child(name, 0);
  if (!name || is_keyword(text_of(name)) || frames_.symbol() == kNoIndex) return;
  symbols_.add_symbol(index, {.type = SymbolType::kProperty,
                              .kind = "field",
                              .name = text_of(name),
                              .name_range = range_of(name),
                              .is_pushed = false});
  sink_.announce(range_of(name).begin);
}

// True for a function declarator with parameters.
bool DeclaratorBuilder::takes_some(const Declared& declared) const {
  const Node parameters = child_by_field(declared.function, fields().parameters);
  return parameters && named_child_count(parameters) > 0;
}

// True for a parameter of the enclosing function or template, not of a function that a parameter
// points to.
bool DeclaratorBuilder::is_own_parameter(std::uint32_t index) const {
  const DeclaratorKinds& kinds = source_.rules().declarator_kinds();
  if (index > 0 && kinds.template_parameter_list != 0 &&
      kind_of(frames_[index - 1].node) == kinds.template_parameter_list) {
    return true;
  }
  const Kind list = kinds.parameter_list;
  int lists = 0;
  for (std::uint32_t at = index; at > 0 && lists < 2; --at) {
    if (frames_[at - 1].pops_function) return lists == 1;
    if (kind_of(frames_[at - 1].node) == list) ++lists;
  }
  return false;
}

// auto& [a, b] = value; false for another declarator.
bool DeclaratorBuilder::bind_parts(const Node& whole, const Node& declarator) {
  const DeclaratorKinds& kinds = source_.rules().declarator_kinds();
  Node list = declarator;
  for (int depth = 0; list && depth < kMaxDeclarators; ++depth) {
    if (kind_of(list) == kinds.structured_binding_declarator) break;
    const Node inner = child_by_field(list, fields().declarator);
    list = inner || kind_of(list) != kinds.reference_declarator ? inner : last_named_child(list);
  }
  if (!list || kinds.structured_binding_declarator == 0) return false;
  const TermId value = nodes_.declared_term(whole, declarator);
  const std::uint32_t count = std::min(named_child_count(list), kMaxParts);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Node name = named_child(list, i);
    const ByteRange range = range_of(name);
    if (!rules_of(name).is_identifier) continue;
    sink_.announce(range.begin);
    const std::uint32_t added = sink_.add_binding(
        text_of(name), frames_.scope(), BindingKind::kLocal, kNoIndex, range.begin,
        value == kNoIndex ? kNoIndex : terms_.add(TermKind::kNth, i, {value}));
    sink_.binding(added).seen_from = range.end;
  }
  return true;
}

// A declaration in a function is visible only there. A function, or an `extern` variable, is
// declared elsewhere: that is a use.
void DeclaratorBuilder::bind_local(std::uint32_t index, bool is_parameter) {
  const Node whole = frames_[index].node;
  const bool binds = !is_parameter || is_own_parameter(index);
  const bool is_external = begins_with_word(text_of(whole), "extern");
  Cursor cursor(whole);
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    if (cursor.field() != fields().declarator) continue;
    if (bind_parts(whole, cursor.node())) continue;
    const Declared declared = read_declarator(cursor.node());
    if (declared.name.empty() || is_keyword(text_of(declared.name))) continue;
    // (C++: A a(b) may be a function, but rarely is. A a() is never a variable.)
    const bool is_elsewhere = declared.is_function && !is_parameter &&
                              !(source_.rules().declares_in_classes() && takes_some(declared));
    if (is_external || is_elsewhere) continue;
    sink_.announce(declared.name.begin);
    if (!binds) continue;
    // A a(b) has the type A.
    const TermId term = declared.is_function && !is_parameter
                            ? nodes_.type_term(child_by_field(whole, fields().type))
                            : nodes_.declared_term(whole, cursor.node());
    const std::uint32_t added =
        sink_.add_binding(text_of(declared.name), frames_.scope(),
                          is_parameter ? BindingKind::kParameter : BindingKind::kLocal, kNoIndex,
                          declared.name.begin, term);
    sink_.set_annotated(added, true);
    if (!is_parameter) sink_.binding(added).seen_from = declared.name.end;
  }
}

// The kind of the current scope; scopes of template parameters are skipped.
ScopeKind DeclaratorBuilder::scope_kind() const {
  std::uint32_t scope = frames_.scope();
  while (facts_.scopes[scope].kind == ScopeKind::kTypeParameters) {
    scope = facts_.scopes[scope].parent;
  }
  return facts_.scopes[scope].kind;
}

void DeclaratorBuilder::declare_declarators(const Pattern& pattern, std::uint32_t index) {
  const ScopeKind scope_kind = this->scope_kind();
  const bool binds = source_.rules().binds_declarators();
  const bool is_parameter = pattern.kind == "parameter";
  if (scope_kind == ScopeKind::kFunction || scope_kind == ScopeKind::kBlock || is_parameter) {
    if (binds) bind_local(index, is_parameter);
    return;
  }
  const Node whole = frames_[index].node;
  const DeclaratorKinds& kinds = source_.rules().declarator_kinds();
  const auto type = static_cast<SymbolType>(pattern.sort);
  const bool is_friend = index > 0 && kind_of(frames_[index - 1].node) == kinds.friend_declaration;
  const Node body = child_by_field(whole, fields().body);
  // Only a mention.
  if (!body && (is_friend || begins_with_word(text_of(whole), "friend"))) return;

  // The declarators are children of the declaration; there may be no other children.
  Cursor cursor(whole);
  std::uint32_t count = 0;
  std::uint32_t owner = kNoIndex;  // the symbol that owns what follows inside
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    if (cursor.field() != fields().declarator) continue;
    const Node declarator = cursor.node();
    Declared declared = read_declarator(declarator);
    const Node written_type = child_by_field(whole, fields().type);
    if (declared.is_function && type == SymbolType::kFunction && !written_type &&
        scope_kind != ScopeKind::kClass && is_macro_name(text_of(declared.name))) {
      name_by_argument(&declared);
    }
    if (declared.name.empty() || is_keyword(text_of(declared.name))) continue;
    // MACRO(name); among the members of a class, where only a constructor has no type.
    if (scope_kind == ScopeKind::kClass && declared.is_function && !written_type &&
        is_macro_name(text_of(declared.name)) && frames_.symbol() != kNoIndex &&
        facts_.symbols[frames_.symbol()].name != text_of(declared.name)) {
      continue;
    }
    NewSymbol added;
    added.name = operator_name(text_of(declared.name));
    added.name_range = declared.name;
    added.container = text_of(declared.container);
    if (added.name.size() > kMaxNameBytes) continue;
    added.type = type;
    added.kind = pattern.kind;
    added.body = body;
    added.is_pushed = false;
    bool is_owner = false;
    const bool in_class = scope_kind == ScopeKind::kClass && !is_friend;
    if (type == SymbolType::kType) {
      // typedef struct { ... } name: that struct.
      const Node inner = written_type ? child_by_field(written_type, fields().body) : Node{};
      if (inner && !child_by_field(written_type, fields().name) && count == 0) {
        const std::string_view text = text_of(written_type);
        added.body = inner;
        added.kind = begins_with_word(text, "enum")    ? "enum"
                     : begins_with_word(text, "union") ? "union"
                                                       : "struct";
        added.type = begins_with_word(text, "enum") ? SymbolType::kType : SymbolType::kClass;
        is_owner = true;
      }
    } else if (declared.is_function || type == SymbolType::kFunction) {
      const bool is_member =
          in_class || (!declared.container.empty() && type == SymbolType::kFunction);
      added.type = is_member ? SymbolType::kMethod : SymbolType::kFunction;
      is_owner = type == SymbolType::kFunction;
      added.kind = is_member ? "method" : "function";
      // A pure virtual function is defined nowhere else.
      const bool is_defined =
          type == SymbolType::kFunction || child_by_field(whole, fields().default_value);
      if (!is_defined) added.kind = "prototype";
      if (is_member && is_defined && added.name.starts_with('~')) added.kind = "destructor";
    } else if (type == SymbolType::kProperty) {
      // A field of a named type, or of the variable with an unnamed type.
      if (frames_.symbol() == kNoIndex) continue;
      const SymbolType owner_type = facts_.symbols[frames_.symbol()].type;
      const bool is_of_value =
          binds && (owner_type == SymbolType::kProperty || owner_type == SymbolType::kVariable);
      if (owner_type != SymbolType::kClass && !is_of_value) continue;
    } else if (!child_by_field(declarator, fields().value) &&
               begins_with_word(text_of(whole), "extern")) {
      added.kind = "prototype";
    }
    ++count;
    const std::uint32_t symbol = symbols_.add_symbol(index, added);
    // A constructor has the name of its class.
    Symbol& made = sink_.symbol(symbol);
    if (made.type == SymbolType::kMethod && made.kind == "method" && !written_type &&
        made.qualified_name.ends_with(made.name + "." + made.name)) {
      made.kind = "constructor";
    }
    if (binds) {
      made.term = nodes_.declared_term(whole, declarator);
      if (added.type != SymbolType::kProperty) {
        sink_.add_binding(added.name, frames_.scope(), BindingKind::kSymbol, symbol,
                          declared.name.begin);
      }
      // The members of an unnamed type belong to the first variable of the type.
      if (made.term == kNoIndex && written_type && child_by_field(written_type, fields().body)) {
        if (owner == kNoIndex) {
          is_owner = true;
        } else {
          const bool is_type = type == SymbolType::kType;
          made.term = terms_.add(is_type ? TermKind::kType : TermKind::kName,
                                 facts_.symbols[owner].name_range.begin, {});
        }
      }
    }
    if (is_owner) owner = symbol;
    sink_.announce(declared.name.begin);
  }
  if (binds && count == 0 && type == SymbolType::kProperty) declare_macro_field(whole, index);
  if (owner == kNoIndex) return;
  frames_[index].symbol = owner;
  frames_.open_symbol(index, owner);
}

}  // namespace codexmem::parse
