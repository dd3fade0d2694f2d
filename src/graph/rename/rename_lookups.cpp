// The code around a text decides its meaning: an index x["a"], a call that reaches by text, a
// comparison, an argument. If the indexed object or the expected type is known, its members decide;
// an expected type of the language (string, "a" | "b") names no symbol of the repository, an
// unknown one (keyof T) may. Any other form stays open.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename_lookups.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

// True if all is known of `values`, and none is of the repository.
bool is_foreign(const Entities& values) {
  return !values.empty() && std::ranges::all_of(values, [](const Entity& value) {
    return value.kind == EntityKind::kExternal || is_of_library(value);
  });
}

// True if all is known of the type of `values`, so it is no key of another type: keyof T.
bool names_no_key(const Entities& values) {
  return !values.empty() && std::ranges::all_of(values, [](const Entity& value) {
    return value.kind == EntityKind::kExternal || value.kind == EntityKind::kInstance ||
           value.kind == EntityKind::kFunction || value.kind == EntityKind::kContainer ||
           is_of_library(value);
  });
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return text.ends_with(end); });
}

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> begins) {
  return std::ranges::any_of(begins,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}

// True if `text` begins with a function that is written out.
bool begins_function(std::string_view text) {
  if (first_word(text) == "async") text = without_blanks(text.substr(5));
  if (first_word(text) == "function") return true;
  if (!text.starts_with('(')) return false;
  return begins_with_any(bracketed(text).behind, {"=>"});
}

// True inside the brackets of a list, a tuple or a dictionary, and for the title of a case: the
// texts in List["A"], f("A") and NamedTuple("N", [("a", "A")]) may be types.
bool is_item(std::string_view before) {
  constexpr std::size_t kFarEnough = 2000;
  if (before.ends_with("id=")) return call_around(before).callee == "param";
  int depth = 0, level = 0;
  for (std::size_t i = before.size(); i > 0 && before.size() - i < kFarEnough; --i) {
    const char c = before[i - 1];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if (c != '(' && c != '[' && c != '{') continue;
    if (depth > 0) {
      --depth;
      continue;
    }
    const std::string_view head = trim(before.substr(0, i - 1));
    const bool is_of_value = head.ends_with(')') || head.ends_with(']') || !last_word(head).empty();
    if (c == '[' && is_of_value) return false;
    if (c == '(' && is_of_value) {
      const std::string_view callee = last_word(head);
      return level > 0 && callee != "NamedTuple" && callee != "TypedDict";
    }
    ++level;
  }
  return level > 0;
}

// A text of Python that is a plain value: a key or value of a dictionary, returned, or compared.
bool is_plain_value(std::string_view before, std::string_view after) {
  if (after.starts_with(':')) {
    return true;
  }
  if (before.ends_with(':')) {
    const std::string_view key = trim(before.substr(0, before.size() - 1));
    return !key.empty() && (key.back() == '"' || key.back() == '\'');
  }
  if (is_item(before)) return true;
  const std::string_view word = last_word(before);
  return word == "return" || word == "in" || word == "assert" || word == "yield" ||
         ends_with_any(before, {"==", "!=", "%", "+"}) ||
         begins_with_any(after, {"==", "!=", "%", "+", "in ", "not in ", "."});
}

}  // namespace

bool TextLookups::looks_up_names(const FileModel& file) const {
  return !family_.has_members() &&
         std::ranges::any_of(file.semantics.traits().texts.reach, [&](std::string_view name) {
           const auto id = file.find_name(name);
           return id && !file.members_of(kNoIndex, *id).empty();
         });
}

bool TextLookups::lists_made_name(const FileModel& file, std::string_view text,
                                  std::uint32_t offset, std::string_view name) {
  const std::size_t end = offset + name.size();
  const bool is_text = offset > 0 && end < text.size() && text[end] == text[offset - 1] &&
                       (text[end] == '"' || text[end] == '\'');
  return is_text && looks_up_names(file) &&
         std::ranges::any_of(find_mentions(file, text, name, {}), [&](const Mention& mention) {
           return mention.kind == MentionKind::kText &&
                  meaning(file, text, mention, name) == TextMeaning::kFamily;
         });
}

bool TextLookups::may_be_named(const LanguageTraits& traits) const {
  const auto is_type = [](const UsageTarget& member) {
    const parse::Symbol& symbol = member.file->facts.symbols[member.symbol];
    return is_type_like(symbol) || symbol.type == SymbolType::kVariable;  // X = Union[...]
  };
  return (traits.texts.name_types && std::ranges::any_of(family_.members(), is_type)) ||
         (traits.texts.keys_are_members && family_.has_members());
}

TextMeaning TextLookups::meaning(const FileModel& file, std::string_view text,
                                 const Mention& mention, std::string_view name) {
  if (mention.kind == MentionKind::kPath) return meaning_of_path(file, text, mention, name);
  const std::size_t open = mention.offset - 1, end = mention.offset + name.size() + 1;
  const Place at{file, text, trim(text.substr(0, open)), without_blanks(text.substr(end)), name};
  const LanguageTraits& traits = file.semantics.traits();
  if (traits.texts.name_types) {
    if (const auto own = own_name(at)) return *own;
  }
  if (mention.kind == MentionKind::kReached) return reached(at);
  if (looks_up_names(file)) return made_when_asked_for(at);
  if (traits.texts.name_types) {
    return is_plain_value(at.before, at.after) ? TextMeaning::kNothing : TextMeaning::kMaybe;
  }
  return mention.kind == MentionKind::kKey ? TextMeaning::kMaybe : member_text(at);
}

bool TextLookups::asks_for_member(const FileModel& file, std::string_view text,
                                  const Mention& mention, std::string_view name) const {
  const std::string_view before = trim(text.substr(0, mention.offset - 1));
  const std::string_view after = without_blanks(text.substr(mention.offset + name.size() + 1));
  const LanguageTraits& traits = file.semantics.traits();
  if (!traits.maps_hold_items &&
      ((before.ends_with('[') && after.starts_with(']')) || first_word(after) == "in")) {
    return true;
  }
  const CallAround call = call_around(before);
  return call.arguments == 1 &&
         std::ranges::find(traits.texts.reach, call.callee) != traits.texts.reach.end();
}

TextMeaning TextLookups::meaning_of_path(const FileModel& file, std::string_view text,
                                         const Mention& mention, std::string_view name) {
  const std::size_t end = mention.offset + name.size();
  std::size_t begin = mention.offset;
  while (begin > 0 && (is_identifier_byte(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  const auto parts = split(text.substr(begin, end - begin), '.');
  for (std::size_t count = parts.size() - 1; count > 0; --count) {
    std::string path;
    for (std::size_t i = 0; i < count; ++i) {
      path += (path.empty() ? "" : "/") + std::string(parts[i]);
    }
    const FileModel* module = module_at(file, path);
    if (module == nullptr) continue;
    Entities meant = resolver_.exported(*module, parts[count]);
    for (std::size_t i = count + 1; i < parts.size(); ++i)
      meant = resolver_.members(meant, parts[i]);
    const bool is_known = !meant.empty() && std::ranges::all_of(meant, [](const Entity& entity) {
      return entity.kind == EntityKind::kSymbol;
    });
    if (!is_known) return TextMeaning::kMaybe;
    const auto is_ours = [&](const Entity& entity) { return family_.holds(entity); };
    if (std::ranges::all_of(meant, is_ours)) return TextMeaning::kFamily;
    return std::ranges::any_of(meant, is_ours) ? TextMeaning::kMaybe : TextMeaning::kNothing;
  }
  return TextMeaning::kMaybe;
}

// The one module of Python whose path ends so.
const FileModel* TextLookups::module_at(const FileModel& file, std::string_view path) {
  if (!file.semantics.traits().texts.name_types) return nullptr;
  const store::FileRow* found = nullptr;
  for (const std::string& wanted :
       {std::string(path) + ".py", std::string(path) + "/__init__.py"}) {
    for (const store::FileRow& row : resolver_.files().rows()) {
      if (!row.path.ends_with(wanted)) continue;
      const std::size_t before = row.path.size() - wanted.size();
      if (before > 0 && row.path[before - 1] != '/') continue;
      if (found != nullptr) return nullptr;
      found = &row;
    }
  }
  return found == nullptr ? nullptr : resolver_.model(found->id);
}

// A text of a module that makes its names when they are asked for. { "a": ".module" } says where
// the name comes from: a dictionary of them, whose value names the module alone or in a tuple.
TextMeaning TextLookups::made_when_asked_for(const Place& at) {
  const std::uint32_t around =
      at.file.symbol_at(at.offset_of(at.before) + static_cast<std::uint32_t>(at.before.size()));
  if (last_word(at.before) == "return" && around != kNoIndex &&
      at.file.facts.symbols[around].name != "__getattr__") {
    return TextMeaning::kNothing;
  }
  if (!at.after.starts_with(':') || !at.file.semantics.traits().texts.name_types) {
    return TextMeaning::kMaybe;
  }
  const std::string_view value = at.after.substr(1, at.after.find('\n'));
  TextMeaning stated = TextMeaning::kMaybe;
  for (std::size_t open = value.find_first_of("\"'"); open != std::string_view::npos;) {
    const std::size_t close = value.find(value[open], open + 1);
    if (close == std::string_view::npos) break;
    const FileModel* module = module_named(at.file, value.substr(open + 1, close - open - 1));
    if (module != nullptr) {
      const Entities& meant = resolver_.exported(*module, at.name);
      const auto is_ours = [&](const Entity& entity) { return family_.holds(entity); };
      if (!meant.empty() && std::ranges::all_of(meant, is_ours)) return TextMeaning::kFamily;
      const bool is_other = !meant.empty() && std::ranges::none_of(meant, is_ours) &&
                            std::ranges::all_of(meant, is_known);
      if (is_other) stated = TextMeaning::kNothing;
    }
    open = value.find_first_of("\"'", close + 1);
  }
  return stated;
}

// The module that a text of `file` names as an import would: "pkg.module", or ".module" in the same
// folder.
const FileModel* TextLookups::module_named(const FileModel& file, std::string_view name) {
  std::size_t dots = 0;
  while (dots < name.size() && name[dots] == '.') ++dots;
  std::string path;
  for (const char c : name.substr(dots)) {
    if (!is_identifier_byte(c) && c != '.') return nullptr;
    path += c == '.' ? '/' : c;
  }
  if (path.empty()) return nullptr;
  if (dots == 0) return name.find('.') == std::string_view::npos ? nullptr : module_at(file, path);
  std::string_view folder = folder_of(file.path);
  for (std::size_t up = 1; up < dots; ++up) folder = folder_of(folder);
  const std::string whole = (folder.empty() ? "" : std::string(folder) + "/") + path;
  for (const char* end : {".py", "/__init__.py"}) {
    const store::FileRow* row = resolver_.files().find(whole + end);
    if (row != nullptr) return resolver_.model(row->id);
  }
  return nullptr;
}

// T = TypeVar("T"): the constructor is passed the variable's own name.
std::optional<TextMeaning> TextLookups::own_name(const Place& at) const {
  if (!at.before.ends_with('(')) return std::nullopt;
  std::string_view head = trim(at.before.substr(0, at.before.size() - 1));
  do {
    const std::string_view word = last_word(head);
    if (word.empty()) return std::nullopt;
    head.remove_suffix(word.size());
    if (!head.ends_with('.')) break;
    head.remove_suffix(1);
  } while (true);
  if (!is_assigned_from(head)) return std::nullopt;
  head = trim(head);
  head = trim(head.substr(0, head.size() - 1));
  const std::string_view assigned = last_word(head);
  if (assigned != at.name) return std::nullopt;
  const std::uint32_t symbol = at.file.symbol_named_at(at.offset_of(assigned));
  if (symbol != kNoIndex) {
    return family_.holds(at.file, symbol) ? TextMeaning::kFamily : TextMeaning::kNothing;
  }
  // Assigned once more, for another version of a library.
  const std::uint32_t index = at.occurrence_of(assigned);
  if (index == kNoIndex || at.file.facts.occurrences[index].receiver_kind != ReceiverKind::kNone) {
    return std::nullopt;
  }
  const Entities meant = resolver_.resolve(at.file, index);
  if (meant.size() != 1 || meant.front().kind != EntityKind::kSymbol) return std::nullopt;
  return family_.holds(meant.front()) ? TextMeaning::kFamily : TextMeaning::kNothing;
}

TextMeaning TextLookups::reached(const Place& at) {
  if (at.before.ends_with('[') && at.after.starts_with(']')) {
    return item(at, trim(at.before.substr(0, at.before.size() - 1)));
  }
  const CallAround call = call_around(at.before);
  const auto reaching = at.file.semantics.traits().texts.reach;
  if (std::ranges::find(reaching, call.callee) == reaching.end() || call.arguments != 1) {
    return TextMeaning::kMaybe;
  }
  const std::size_t begin = at.offset_of(call.callee) + call.callee.size();
  const std::string_view arguments =
      trim(at.text.substr(begin, at.before.size() - begin));  // "(x,"
  if (!arguments.starts_with('(') || !arguments.ends_with(',')) return TextMeaning::kMaybe;
  return judge(values_of_expression(at, trim(arguments.substr(1, arguments.size() - 2))), at.name);
}

// held["a"]
TextMeaning TextLookups::item(const Place& at, std::string_view held) {
  if (!at.file.semantics.traits().maps_hold_items) {
    return judge(values_of_expression(at, held), at.name);
  }
  // An item is no member but where the names of something are items: x.__dict__["a"],
  // globals()["a"], Enum["A"], and what says itself how its items are found.
  const bool is_of_names = ends_with_any(
      held, {"__dict__", "vars()", "globals()", "locals()", "modules", "_member_map_"});
  const bool is_call = held.ends_with(')') && held.find("vars(") != std::string_view::npos;
  const bool has_constant = std::ranges::any_of(family_.members(), [&](const UsageTarget& member) {
    return is_constant(*member.file, member.symbol);
  });
  return is_of_names || is_call || has_constant || has_item_method() ? TextMeaning::kMaybe
                                                                     : TextMeaning::kNothing;
}

// True for one of an enum. (Kinds are in the rows of symbols alone.)
bool TextLookups::is_constant(const FileModel& file, std::uint32_t symbol) {
  const store::SymbolRow* row = resolver_.row_of(file, symbol);
  return row != nullptr && row->kind == "enum_member";
}

bool TextLookups::has_item_method() {
  return std::ranges::any_of(family_.owners(), [&](const auto& owner) {
    const Entity instance{EntityKind::kInstance, owner.first, owner.second};
    const std::string_view method = owner.first->semantics.traits().protocol.item;
    if (method.empty()) return false;
    return std::ranges::any_of(resolver_.members({instance}, method), [](const Entity& member) {
      return member.kind == EntityKind::kSymbol && is_known(member);
    });
  });
}

// A text where a member's name may be expected: keyof.
TextMeaning TextLookups::member_text(const Place& at) {
  if (first_word(at.after) == "in") {
    std::string_view rest = without_blanks(at.after.substr(2));
    std::string_view last = first_word(rest);
    rest.remove_prefix(last.size());
    while (rest.starts_with('.') && !first_word(rest.substr(1)).empty()) {
      last = first_word(rest.substr(1));
      rest.remove_prefix(1 + last.size());
    }
    if (rest.starts_with('(') || rest.starts_with('[') || rest.starts_with('?')) {
      return TextMeaning::kMaybe;
    }
    return judge(values_of_expression(at, at.text.substr(0, at.offset_of(last) + last.size())),
                 at.name);
  }
  if (const auto key = key_of_type(at)) return *key;
  // enum A { size = "size" }
  if (is_assigned_from(at.before)) {
    const std::string_view assigned = last_word(at.before.substr(0, at.before.size() - 1));
    const std::uint32_t symbol =
        assigned.empty() ? kNoIndex : at.file.symbol_named_at(at.offset_of(assigned));
    return symbol != kNoIndex && is_constant(at.file, symbol) ? TextMeaning::kNothing
                                                              : TextMeaning::kMaybe;
  }
  if (ends_with_any(at.before, {"==", "!="})) {
    std::string_view compared = at.before;
    while (compared.ends_with('=') || compared.ends_with('!')) compared.remove_suffix(1);
    return is_foreign(values_of_expression(at, trim(compared))) ? TextMeaning::kNothing
                                                                : TextMeaning::kMaybe;
  }
  if (at.before.ends_with(':')) {
    const std::string_view key = last_word(at.before.substr(0, at.before.size() - 1));
    const std::uint32_t index = at.occurrence_of(key);
    if (index == kNoIndex || at.file.symbol_named_at(at.offset_of(key)) != kNoIndex) {
      return TextMeaning::kMaybe;
    }
    const parse::Occurrence& occurrence = at.file.facts.occurrences[index];
    if (occurrence.receiver_kind != ReceiverKind::kKey || occurrence.role == Role::kDefinition) {
      return TextMeaning::kMaybe;
    }
    const Entities meant = resolver_.resolve(at.file, index);
    const bool is_declared = std::ranges::all_of(
        meant, [](const Entity& entity) { return entity.kind == EntityKind::kSymbol; });
    return is_declared && is_foreign(resolver_.values_of(meant)) ? TextMeaning::kNothing
                                                                 : TextMeaning::kMaybe;
  }
  return argument(at);
}

// Pick<T, "a" | "b">: a key of T.
std::optional<TextMeaning> TextLookups::key_of_type(const Place& at) {
  constexpr std::string_view kBetween = " \t\r\n|\"'";
  std::size_t end = at.before.size();
  while (end > 0 && (is_identifier_byte(at.before[end - 1]) ||
                     kBetween.find(at.before[end - 1]) != std::string_view::npos)) {
    --end;
  }
  if (end == 0 || at.before[end - 1] != ',') return std::nullopt;
  const std::string_view type = trim(at.before.substr(0, end - 1));
  const std::string_view word = last_word(type);
  const std::string_view generic = trim(type.substr(0, type.size() - word.size()));
  if (word.empty() || !generic.ends_with('<')) return std::nullopt;
  const std::string_view of = last_word(trim(generic.substr(0, generic.size() - 1)));
  if (of != "Pick" && of != "Omit") return std::nullopt;
  return judge(values_of_expression(at, type), at.name);
}

// A text that is given to a function: what does the parameter expect?
TextMeaning TextLookups::argument(const Place& at) {
  const CallAround call = call_around(at.before);
  const std::uint32_t callee = at.occurrence_of(call.callee);
  if (callee == kNoIndex || !(at.before.ends_with('(') || at.before.ends_with(','))) {
    return TextMeaning::kMaybe;
  }
  const auto& occurrence = at.file.facts.occurrences[callee];
  const Entities meant = resolver_.resolve(at.file, callee);
  std::optional<TextMeaning> stated;
  for (const Entity& entity : meant) {
    const auto one = expected_by(entity, static_cast<std::size_t>(call.arguments));
    if (one) stated = stated.value_or(*one) == *one ? *one : TextMeaning::kMaybe;
  }
  if (stated && *stated != TextMeaning::kMaybe) return *stated;
  // test("a", () => { }) of another package, or of what runs the file: nothing that it is given has
  // members of the repository.
  const bool is_outside = std::ranges::all_of(meant, [&](const Entity& entity) {
    return entity.kind == EntityKind::kExternal ||
           (entity.kind == EntityKind::kUnknown &&
            at.file.semantics.library().has("globals", call.callee));
  });
  const bool is_title = call.arguments == 0 && occurrence.receiver_kind == ReceiverKind::kNone &&
                        at.after.starts_with(',') &&
                        begins_function(without_blanks(at.after.substr(1)));
  return is_outside && is_title ? TextMeaning::kNothing : TextMeaning::kMaybe;
}

// What a text is to a function that takes it as its argument `number`; nothing where it takes
// fewer.
std::optional<TextMeaning> TextLookups::expected_by(const Entity& function, std::size_t number) {
  if (function.kind != EntityKind::kSymbol) return TextMeaning::kMaybe;
  const parse::Symbol& symbol = symbol_of(function);
  const auto& facts = function.file->facts;
  if (symbol.term == kNoIndex || facts.terms[symbol.term].kind != parse::TermKind::kFunction) {
    return TextMeaning::kMaybe;
  }
  const auto& parameters = facts.functions[facts.terms[symbol.term].at].parameters;
  if (number >= parameters.size() && !parameters.empty() && parameters.back().is_rest) {
    return TextMeaning::kMaybe;
  }
  if (number >= parameters.size()) return std::nullopt;
  const parse::Parameter& parameter = parameters[number];
  // (A key of Options, keyof Options, may index something else that has keys of the same names.)
  const bool is_plain = parameter.is_annotated && !parameter.is_rest &&
                        parameter.term != kNoIndex &&
                        names_no_key(resolver_.evaluate(*function.file, parameter.term));
  return is_plain ? TextMeaning::kNothing : TextMeaning::kMaybe;
}

// The member `name` of what `values` may be.
TextMeaning TextLookups::judge(const Entities& values, std::string_view name) {
  if (values.empty() || has_kind(values, EntityKind::kUnknown)) return TextMeaning::kMaybe;
  const Entities found = resolver_.members(values, name);
  if (has_kind(found, EntityKind::kUnknown)) return TextMeaning::kMaybe;
  const bool has_family =
      std::ranges::any_of(found, [&](const Entity& entity) { return family_.holds(entity); });
  const bool has_others =
      std::ranges::any_of(found, [&](const Entity& entity) { return !family_.holds(entity); });
  if (has_family) return has_others ? TextMeaning::kMaybe : TextMeaning::kFamily;
  // Something that is not known to have the member may be of a type below that has it.
  if (found.empty() && !is_foreign(values)) return TextMeaning::kMaybe;
  if ((found.empty() || has_kind(found, EntityKind::kExternal)) && has_outside_bases()) {
    return TextMeaning::kMaybe;
  }
  return TextMeaning::kNothing;
}

// True if a type of the family extends something that is not of the repository.
bool TextLookups::has_outside_bases() {
  if (has_outside_bases_) return *has_outside_bases_;
  has_outside_bases_ = std::ranges::any_of(family_.owners(), [&](const auto& owner) {
    return std::ranges::any_of(resolver_.supertypes(*owner.first, owner.second),
                               [](const Entity& base) { return !is_known(base); });
  });
  return *has_outside_bases_;
}

// What the expression holds, or is a type of, that `expression` ends with.
Entities TextLookups::values_of_expression(const Place& at, std::string_view expression) {
  const Entities unknown = {kUnknownEntity};
  while (expression.ends_with('!') || expression.ends_with('?')) expression.remove_suffix(1);
  if (expression.ends_with(']')) {
    const std::size_t open = expression.rfind('[');
    if (open == std::string_view::npos) return unknown;
    const std::string_view key =
        literal(trim(expression.substr(open + 1, expression.size() - open - 2)));
    if (key.empty()) return unknown;
    const Entities held = values_of_expression(at, trim(expression.substr(0, open)));
    if (has_kind(held, EntityKind::kUnknown)) return unknown;
    return resolver_.values_of(resolver_.members(held, key));
  }
  if (expression.ends_with(')')) {
    constexpr std::string_view kTypeof = "(typeof ";
    const std::size_t open = expression.rfind(kTypeof);
    const std::string_view inside = open == std::string_view::npos
                                        ? std::string_view()
                                        : expression.substr(open + kTypeof.size());
    if (inside.empty() || inside.find_first_of("([") != std::string_view::npos) return unknown;
    return values_of_expression(at, trim(inside.substr(0, inside.size() - 1)));
  }
  const std::string_view word = last_word(expression);
  const std::uint32_t index = at.occurrence_of(word);
  const LanguageTraits& traits = at.file.semantics.traits();
  if (word == "this" || (!word.empty() && word == traits.protocol.self)) {
    for (std::uint32_t symbol = at.file.symbol_at(at.offset_of(word)); symbol != kNoIndex;
         symbol = at.file.surrounding(symbol)) {
      const std::uint32_t owner = at.file.owner_of(symbol);
      if (owner == kNoIndex || at.file.facts.symbols[owner].type != SymbolType::kClass) continue;
      return {{EntityKind::kInstance, &at.file, owner}};
    }
    return unknown;
  }
  if (index == kNoIndex) return unknown;
  Entities values = at.file.facts.occurrences[index].role == Role::kType
                        ? resolver_.typed(at.file, index, {})
                        : resolver_.values_at(at.file, index);
  const bool is_open =
      has_kind(values, EntityKind::kTypeParameter) || has_kind(values, EntityKind::kLate);
  return is_open && is_in_condition(at, word) ? unknown : values;
}

// True if a condition may say more of type parameter `word` than its bound does:
// I extends { size: string } ? I["size"] : never.
bool TextLookups::is_in_condition(const Place& at, std::string_view word) const {
  std::uint32_t symbol = at.file.symbol_at(at.offset_of(word));
  while (symbol != kNoIndex && at.file.surrounding(symbol) != kNoIndex) {
    symbol = at.file.surrounding(symbol);
  }
  if (symbol == kNoIndex) return true;
  const std::string_view around = text_at(at.text, at.file.facts.symbols[symbol].range);
  const std::string condition = std::string(word) + " extends";
  for (std::size_t found = around.find(condition); found != std::string_view::npos;
       found = around.find(condition, found + 1)) {
    const std::string_view before = trim(around.substr(0, found));
    if (!before.ends_with('<') && !before.ends_with(',') && last_word(before) != "const") {
      return true;
    }
  }
  return false;
}

}  // namespace codexmem::graph
