// Symbols of anonymous classes, of parameters that are properties, and of members created by
// assignment.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "base/text.h"
#include "parse/preprocess/macro_words.h"
#include "parse/walk/symbols.h"

namespace codexmem::parse {
namespace {

// True if the text after a variable's name assigns an object literal: `= {`, `= exports = {`.
bool holds_object(std::string_view after_name) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::size_t at = after_name.find_first_not_of(kSpace);
  if (at == std::string_view::npos || after_name[at] != '=') return false;
  while (at < after_name.size() && after_name[at] != '{') {
    const auto c = static_cast<unsigned char>(after_name[at]);
    if (std::isalnum(c) == 0 &&
        std::string_view("_$.= \t\r\n").find(after_name[at]) == std::string_view::npos) {
      return false;
    }
    ++at;
  }
  return at < after_name.size();
}

}  // namespace

// new A() { }, and an enum constant with a body: an anonymous class.
void SymbolBuilder::declare_anonymous(std::uint32_t index, bool is_whole) {
  const Frame& around = frames_[index - 1];
  if (is_whole) {
    // new class(1) extends A { }
    constexpr std::string_view kWord = "class";
    std::string_view name = source_.text().substr(range_of(around.node).begin, kMaxNameBytes);
    const std::size_t word = name.find(kWord);
    name = name.substr(0, word == std::string_view::npos ? 1 : word + kWord.size());
    add_symbol(index, {.type = SymbolType::kClass,
                       .kind = "anonymous",
                       .name = name,
                       .body = child_by_field(frames_[index].node, fields().body)});
    return;
  }
  TermId type = kNoIndex;
  std::uint32_t supertype = kNoIndex;  // the offset of its name
  if (around.anonymous) {
    type = nodes_.type_term(around.anonymous);
    if (type != kNoIndex && facts_.terms[type].kind == TermKind::kType) {
      supertype = facts_.terms[type].at;
    }
  } else {
    for (auto at = frames_.symbols().rbegin(); at != frames_.symbols().rend(); ++at) {
      if (facts_.symbols[*at].kind != "enum") continue;
      supertype = facts_.symbols[*at].name_range.begin;
      break;
    }
  }
  // The text before the arguments is the best name: "new a.b.C". A name with a space is useless.
  const std::uint32_t begin = range_of(around.node).begin;
  std::string_view name = source_.text().substr(begin, kMaxNameBytes);
  name = name.substr(0, std::min(name.find_first_of("<(\r\n{", 1), name.size()));
  name = trim(name);
  if (!around.anonymous || name.find(' ') == std::string_view::npos) {
    name = text_of(frames_[index].node).substr(0, 1);
  }
  add_symbol(
      index,
      {.type = SymbolType::kClass, .kind = "anonymous", .name = name, .body = frames_[index].node});
  if (supertype == kNoIndex) return;
  for (std::size_t i = facts_.occurrences.size(); i > 0; --i) {
    const std::uint32_t offset = facts_.occurrences[i - 1].offset;
    if (offset > supertype) continue;
    const bool has_arguments = type != kNoIndex && facts_.terms[type].part_count > 0;
    if (offset == supertype) {
      sink_.add_heritage({frames_[index].symbol, static_cast<std::uint32_t>(i - 1),
                          has_arguments ? type : kNoIndex});
    }
    break;
  }
}

void SymbolBuilder::note_call(const Node& node) {
  const TermId term = nodes_.value_term(node);
  if (term == kNoIndex) return;
  const Term* callee = &facts_.terms[term];
  for (int depth = 0; depth < 2 && callee->kind != TermKind::kName; ++depth) {
    if (callee->part_count == 0) return;
    const TermId first = facts_.term_parts[callee->first_part];
    if (first == kNoIndex) return;
    callee = &facts_.terms[first];
  }
  if (callee->kind == TermKind::kName) sink_.add_call({callee->at, term});
}

void SymbolBuilder::declare_parameter_property(std::uint32_t index, const Captures& captures) {
  // It belongs to the class, not to the constructor.
  const std::uint32_t constructor = frames_.symbol();
  if (constructor == kNoIndex || facts_.symbols[constructor].type != SymbolType::kMethod ||
      facts_.symbols[constructor].parent == kNoIndex) {
    return;
  }
  frames_.hide_symbol();
  const NewSymbol added = {.type = SymbolType::kProperty,
                           .kind = "field",
                           .name = text_of(captures[Slot::kName]),
                           .name_range = range_of(captures[Slot::kName]),
                           .value = captures[Slot::kValue],
                           .is_pushed = false};
  const std::uint32_t field = add_symbol(index, added);
  set_term(field, index, added, captures[Slot::kType]);
  frames_.show_symbol(constructor);
  if (!docs_.are_surer()) return;
  // The parameter's type from the constructor's comment.
  const TermId term = facts_.symbols[constructor].term;
  if (term == kNoIndex || facts_.terms[term].kind != TermKind::kFunction) return;
  for (const Parameter& parameter : facts_.functions[facts_.terms[term].at].parameters) {
    if (parameter.name == sink_.id_of(added.name) && parameter.is_annotated) {
      sink_.symbol(field).term = parameter.term;
    }
  }
}

void SymbolBuilder::declare_member(std::uint32_t index, const Captures& captures) {
  // X.y = X.z = function: both are that function.
  Node value = captures[Slot::kValue];
  const Kind assignment = kind_of(frames_[index].node);
  for (int depth = 0; depth < 8 && kind_of(value) == assignment && fields().right != 0; ++depth) {
    value = child_by_field(value, fields().right);
  }
  std::string_view object = text_of(captures[Slot::kObject]);
  std::uint32_t owner = kNoIndex;
  for (std::uint32_t scope = frames_.scope(); scope != kNoIndex;
       scope = facts_.scopes[scope].parent) {
    std::uint32_t binding = sink_.find_binding(scope, sink_.id_of(object));
    if (binding == PairMap::kAbsent) continue;
    if (facts_.bindings[binding].kind == BindingKind::kSymbol)
      owner = facts_.bindings[binding].target;
    break;
  }
  bool is_method = source_.opens(ScopeKind::kFunction, value);
  if (owner != kNoIndex && text_of(captures[Slot::kName]) == "prototype") {
    // X.prototype = { ... }: the object's members are members of X.
    frames_[index].symbol = owner;
    frames_.open_symbol(index, owner);
    return;
  }
  if (!is_method) {
    if (owner == kNoIndex) return;
    const Symbol& holder = facts_.symbols[owner];
    if (holder.type != SymbolType::kClass && holder.type != SymbolType::kFunction &&
        !holds_object(source_.text().substr(holder.name_range.end))) {
      return;
    }
    // Only the first assignment declares, and only if the object or class does not have that
    // member.
    const std::uint32_t name = sink_.id_of(source_.member_name(captures[Slot::kName]));
    if (const std::uint32_t known = sink_.find_member(owner, name); known != PairMap::kAbsent) {
      if (facts_.symbols[known].kind == "assigned") {
        assignments_.add_to_symbol(known, nodes_.value_term(value));
      }
      return;
    }
  }
  NewSymbol added = {.type = SymbolType::kProperty,
                     .kind = "assigned",
                     .name = source_.member_name(captures[Slot::kName]),
                     .name_range = range_of(captures[Slot::kName]),
                     .body = child_by_field(value, fields().body),
                     .value = value};
  if (is_method || source_.opens(ScopeKind::kClass, value)) {
    added.type = is_method ? SymbolType::kMethod : SymbolType::kClass;
    added.kind = is_method ? "method" : "class";
  }
  if (owner != kNoIndex) added.parent = owner;
  std::uint32_t symbol = add_symbol(index, added);
  set_term(symbol, index, added, Node{});
  Symbol& member = sink_.symbol(symbol);
  // Named after the object whether or not it is declared here: app.render.
  member.qualified_name = std::string(object) + "." + member.name;
  if (owner != kNoIndex) member.exported = facts_.symbols[owner].exported;
  sink_.announce(added.name_range.begin);
}

// #ifndef NAME, #define NAME: a header guard, or a fallback definition.
bool SymbolBuilder::is_guarded(std::uint32_t index, std::string_view name) const {
  if (index == 0 || child_by_field(frames_[index].node, fields().value)) return false;
  const Node around = child_by_field(frames_[index - 1].node, fields().name);
  return around && text_of(around) == name;
}

// True for a macro that replaces all previous definitions of the name: they are in the same
// directives or deeper. A definition in another branch is an alternative.
bool SymbolBuilder::redefines(std::uint32_t index, std::string_view name) {
  std::vector<const void*> around;
  for (std::uint32_t at = 0; at < index; ++at) {
    if (text_of(frames_[at].node).starts_with('#')) around.push_back(frames_[at].node.id);
  }
  const auto [known, is_new] = macros_.try_emplace(sink_.id_of(name), around);
  if (is_new) return false;
  std::vector<const void*>& common = known->second;
  const auto end = std::ranges::mismatch(common, around);
  const bool is_within = end.in2 == around.end();
  common.erase(end.in1, common.end());
  return is_within;
}

// True for an #ifndef that is followed only by comments.
bool SymbolBuilder::guards_file(const Node& condition) const {
  return behind_blanks(source_.text(), range_of(condition).end) == source_.text().size();
}

}  // namespace codexmem::parse
