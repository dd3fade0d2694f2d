// Names in unparsed text: tokens of macros, strings with types, bodies of macros.
#include <algorithm>
#include <cctype>
#include <optional>

#include "base/ascii.h"
#include "parse/preprocess/c_words.h"
#include "parse/walk/names.h"
#include "parse/preprocess/pastes.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kQuoting[] = {"quote", "quote_spanned", "parse_quote",
                                         "parse_quote_spanned"};
// What takes a path in attributes of serde.
constexpr std::string_view kPathKeys[] = {
    "default", "deserialize_with", "from", "getter",   "into",
    "remote",  "serialize_with",   "with", "try_from", "skip_serializing_if"};

// True for a name written like a type, not like a constant.
bool is_type_name(std::string_view name) {
  return is_upper(name.front()) && (name.size() == 1 || std::ranges::any_of(name, &is_lower));
}

bool ends_with_word(std::string_view text, std::string_view word) {
  return text.ends_with(word) &&
         (text.size() == word.size() || !is_identifier_char(text[text.size() - word.size() - 1]));
}

}  // namespace

// True for a token of code that is made for other places: quote! { ... }
bool NameBuilder::is_in_quote(std::uint32_t tree) const {
  // Token trees in one another; the macro's name is before the outermost.
  const Kind kind = kind_of(frames_[tree].node);
  while (tree > 0 && kind_of(frames_[tree - 1].node) == kind) --tree;
  const std::string_view before = source_.text().substr(0, range_of(frames_[tree].node).begin);
  const std::size_t sign = before.find_last_not_of(kSpace);
  if (sign == std::string_view::npos || before[sign] != '!') return false;
  return std::ranges::any_of(kQuoting, [&](std::string_view macro) {
    return ends_with_word(before.substr(0, sign), macro);
  });
}

// A name among the tokens of a macro call: the text before and after it decides its role.
void NameBuilder::token(std::string_view name, ByteRange range, bool is_quoted) {
  const std::string_view text = source_.text();
  const std::size_t next = text.find_first_not_of(kSpace, range.end);
  const std::string_view behind = text.substr(std::min(next, text.size()));
  const std::size_t last = text.substr(0, range.begin).find_last_not_of(kSpace);
  const std::string_view before = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const bool is_path = before.ends_with("::");
  const bool is_member = is_path || (before.ends_with('.') && !before.ends_with(".."));
  ReceiverKind kind = ReceiverKind::kNone;
  std::uint32_t receiver = kNoIndex;
  if (is_member) {
    kind = ReceiverKind::kOther;
    const std::size_t end =
        before.substr(0, before.size() - (is_path ? 2 : 1)).find_last_not_of(kSpace) + 1;
    // The crate of a macro; it is not a name in the program.
    constexpr std::string_view kOwnCrate = "$crate";
    if (is_path && before.substr(0, end).ends_with(kOwnCrate)) {
      sink_.add_occurrence(kOwnCrate, static_cast<std::uint32_t>(end - kOwnCrate.size()),
                           Role::kType);
    }
    if (!facts_.occurrences.empty()) {
      const Occurrence& known = facts_.occurrences.back();
      if (known.offset + sink_.text_of(known.name).size() == end) {
        kind = ReceiverKind::kName;
        receiver = static_cast<std::uint32_t>(facts_.occurrences.size() - 1);
      }
    }
    if (is_path && kind == ReceiverKind::kOther && end == 0) kind = ReceiverKind::kNone;
  } else if (ends_with_word(before, "let") || before.ends_with(" let mut")) {
    kind = ReceiverKind::kOther;  // it is bound, not used
  } else if (is_quoted && !before.ends_with('#')) {
    kind = ReceiverKind::kOther;
  }
  Role role = Role::kRead;
  if (behind.starts_with('!') && !behind.starts_with("!=")) {
    role = Role::kCall;
    const bool is_of_crate = kind == ReceiverKind::kName &&
                             sink_.text_of(facts_.occurrences[receiver].name).ends_with("crate");
    if (is_of_crate) receiver = kNoIndex;  // the scope of all its macros
    if (kind == ReceiverKind::kNone || is_of_crate) kind = ReceiverKind::kTag;
  } else if (behind.starts_with("::")) {
    role = behind.starts_with("::<") ? Role::kCall : Role::kType;
  } else if (behind.starts_with('(')) {
    role = Role::kCall;
  } else if (behind.starts_with('{') && is_type_name(name)) {
    role = Role::kType;
  }
  const bool begins = before.ends_with('{') || before.ends_with(',');
  const bool is_short = behind.starts_with(',') || behind.starts_with('}');
  if (begins && (is_short || (behind.starts_with(':') && role == Role::kRead))) {
    const TermId literal = literal_around(range.begin);
    if (literal != kNoIndex) {
      sink_.add_occurrence(name, range.begin, Role::kWrite, ReceiverKind::kKey, literal);
      if (!is_short) return;
    }
  }
  sink_.add_occurrence(name, range.begin, role, kind, receiver);
}

// The type of the literal that contains the key at `begin` among the tokens of a macro: A { key: 1
// }.
TermId NameBuilder::literal_around(std::uint32_t begin) {
  constexpr std::uint32_t kMaxBytes = 2048;
  constexpr std::size_t kMaxNames = 256;
  const std::string_view text = source_.text();
  int depth = 0;
  std::uint32_t at = begin;
  for (; at > 0 && begin - at < kMaxBytes; --at) {
    const char c = text[at - 1];
    if (c == '}' || c == ')' || c == ']') ++depth;
    if (c != '{' && c != '(' && c != '[') continue;
    if (depth-- > 0) continue;
    if (c != '{') return kNoIndex;
    break;
  }
  const std::size_t last = text.substr(0, at > 0 ? at - 1 : 0).find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos || !is_identifier_char(text[last])) return kNoIndex;
  const auto& known = facts_.occurrences;
  for (std::size_t i = known.size(); i > 0 && known.size() - i < kMaxNames; --i) {
    const Occurrence& type = known[i - 1];
    if (type.offset + sink_.text_of(type.name).size() != last + 1) continue;
    if (type.role != Role::kType) return kNoIndex;
    return terms_.add(TermKind::kType, type.offset, {});
  }
  return kNoIndex;
}

// The receiver of a name without sigil: A\\B is a member of A, \\B of the global name space.
ReceiverKind NameBuilder::receiver_by_sign(std::uint32_t begin, std::uint32_t* receiver) const {
  const std::string_view before = source_.text().substr(0, begin);
  if (!before.ends_with('\\')) return ReceiverKind::kTag;
  const Occurrence* last = facts_.occurrences.empty() ? nullptr : &facts_.occurrences.back();
  if (last != nullptr && last->offset + sink_.text_of(last->name).size() + 1 == begin) {
    *receiver = static_cast<std::uint32_t>(facts_.occurrences.size() - 1);
    return ReceiverKind::kName;
  }
  const bool is_relative = before.substr(0, before.size() - 1).ends_with("namespace");
  return is_relative ? ReceiverKind::kTag : ReceiverKind::kSuper;
}

void NameBuilder::attribute(const Node& node) {
  constexpr std::string_view kKnown[] = {"allow",
                                         "automatically_derived",
                                         "bench",
                                         "cfg",
                                         "cfg_attr",
                                         "cold",
                                         "default",
                                         "deny",
                                         "deprecated",
                                         "derive",
                                         "doc",
                                         "expect",
                                         "export_name",
                                         "feature",
                                         "forbid",
                                         "global_allocator",
                                         "ignore",
                                         "inline",
                                         "link",
                                         "link_name",
                                         "link_section",
                                         "macro_export",
                                         "macro_use",
                                         "must_use",
                                         "no_main",
                                         "no_mangle",
                                         "no_std",
                                         "non_exhaustive",
                                         "panic_handler",
                                         "path",
                                         "proc_macro",
                                         "proc_macro_attribute",
                                         "proc_macro_derive",
                                         "recursion_limit",
                                         "repr",
                                         "rustfmt",
                                         "should_panic",
                                         "target_feature",
                                         "test",
                                         "track_caller",
                                         "unsafe",
                                         "used",
                                         "warn"};
  const ByteRange range = range_of(node);
  const std::string_view text = text_of(range);
  const std::string_view path = text.substr(0, text.find_first_of("([{= \t\n"));
  if (path == "derive") return derived_names(range);
  if (std::ranges::find(kKnown, path) != std::end(kKnown)) return;
  std::uint32_t last = kNoIndex;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find("::", at), path.size());
    const bool is_last = end == path.size();
    const std::string_view word = path.substr(at, end - at);
    if (!word.empty() && std::ranges::all_of(word, is_word_char)) {
      last = sink_.add_occurrence(word, range.begin + static_cast<std::uint32_t>(at),
                                  is_last ? Role::kRead : Role::kType,
                                  last != kNoIndex ? ReceiverKind::kName
                                  : is_last        ? ReceiverKind::kTag
                                                   : ReceiverKind::kNone,
                                  last);
    }
    at = end + 2;
  }
  attribute_values({range.begin + static_cast<std::uint32_t>(path.size()), range.end});
}

// Reads the arguments of an attribute. Values after "=", and words written like a path or a type,
// are names in code; other words are its options. A string can be a name as well: #[serde(with =
// "a::b")].
void NameBuilder::attribute_values(ByteRange range) {
  const std::string_view text = source_.text();
  int depth = 0;
  int value = 0;         // depth of the value being read, plus one
  char last = 0;         // the last byte that is not a space
  std::string_view key;  // the last name
  for (std::uint32_t at = range.begin; at < range.end;) {
    const char c = text[at];
    if (c == '"') {
      std::size_t close = at + 1;
      while (close < range.end && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      close = std::min<std::size_t>(close, range.end);
      if (last == '=') {
        const bool is_path = std::ranges::find(kPathKeys, key) != std::end(kPathKeys);
        name_in_text({at + 1, static_cast<std::uint32_t>(close)}, is_path);
      }
      at = static_cast<std::uint32_t>(close) + 1;
      last = c;
      continue;
    }
    if (is_digit(c) || !is_identifier_char(c)) {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c == '=') value = depth + 1;
      if (value > depth + 1 || (c == ',' && value == depth + 1)) value = 0;
      if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) last = c;
      at += c == '\'' && at + 1 < range.end && is_identifier_char(text[at + 1]) ? 2U : 1U;
      continue;
    }
    std::uint32_t end = at;
    while (end < range.end && is_identifier_char(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    const bool is_path = text.substr(end).starts_with("::") || text.substr(0, at).ends_with("::");
    const bool is_word = name == "true" || name == "false" || name == "self";
    if ((value > 0 || is_path || is_type_name(name)) && !is_word) token(name, {at, end});
    last = text[end - 1];
    key = name;
    at = end;
  }
}

// A string that looks like a path may name something; with `is_path` it does.
void NameBuilder::name_in_text(ByteRange range, bool is_path) {
  const std::string_view path = source_.text_of(range);
  if (path.empty() || path.size() > kMaxNameBytes || is_digit(path.front())) return;
  if (!std::ranges::all_of(path, [](char c) { return is_identifier_char(c) || c == ':'; })) return;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string_view name = path.substr(at, end - at);
    const std::uint32_t begin = range.begin + static_cast<std::uint32_t>(at);
    if (is_path && end > at) {
      token(name, {begin, begin + static_cast<std::uint32_t>(name.size())});
    } else if (end > at) {
      sink_.add_occurrence(name, begin, Role::kRead, ReceiverKind::kOther);
    }
    at = end + 1;
  }
}

// The macros of derive(...), except built-in ones; a derive macro may have the name of a trait.
void NameBuilder::derived_names(ByteRange range) {
  constexpr std::string_view kOwn[] = {"Clone", "Copy",       "Debug", "Default",  "Eq",
                                       "Hash",  "PartialOrd", "Ord",   "PartialEq"};
  const std::string_view text = source_.text();
  for (std::uint32_t at = range.begin + 6; at < range.end;) {
    std::uint32_t end = at;
    while (end < range.end && is_identifier_char(text[end])) ++end;
    const bool is_own = std::ranges::find(kOwn, text.substr(at, end - at)) != std::end(kOwn);
    if (!is_own) name_in_text({at, end});
    at = end + 1;
  }
}

// Strings are not parsed; characters other than names and dots ("[", ",") are separators.
void NameBuilder::annotation_in_string(const Node& node) {
  ByteRange range = range_of(node);
  std::string_view text = text_of(range);
  // Literal["a"] and all but the first of Annotated[T, "note"] are data.
  for (std::uint32_t depth = 1; depth <= 5 && depth <= frames_.size(); ++depth) {
    ByteRange around = range_of(frames_[frames_.size() - depth].node);
    std::string_view head = text_of(around).substr(0, 64);
    head = head.substr(0, head.find('['));
    head = head.substr(head.rfind('.') + 1);
    if (head == "Literal") return;
    if (head == "Annotated" &&
        text_of(ByteRange{around.begin, range.begin}).find(',') != std::string_view::npos) {
      return;
    }
  }
  std::size_t at = text.find_first_of("\"'");
  if (at == std::string_view::npos) return;
  std::uint32_t previous = kNoIndex;
  while (at < text.size()) {
    if (!is_identifier_char(text[at]) || is_digit(text[at])) {
      if (text[at] != '.') previous = kNoIndex;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_identifier_char(text[end])) ++end;
    bool has_receiver = previous != kNoIndex && text[at - 1] == '.';
    std::string_view word = text.substr(at, end - at);
    if (word == "None" || word == "True" || word == "False") {
      at = end;
      continue;
    }
    previous = sink_.add_occurrence(word, range.begin + static_cast<std::uint32_t>(at), Role::kType,
                                    has_receiver ? ReceiverKind::kName : ReceiverKind::kNone,
                                    has_receiver ? previous : kNoIndex);
    at = end;
  }
}

// Strings that name members: getattr(x, "a"), x["a"], __slots__ = ("a", "b").
void NameBuilder::members_in_strings(const Captures& captures, bool is_own, Role role) {
  const Node& object = captures[Slot::kObject];
  const TermId whole = object ? nodes_.value_term(object) : is_own ? this_term() : TermId{kNoIndex};
  const auto add = [&](const Node& text) {
    const std::string_view quoted = text_of(text);
    const std::string_view name = source_.member_name(text);
    if (name.size() == quoted.size() || name.size() > kMaxNameBytes || name.empty() ||
        is_digit(name.front()) || !std::ranges::all_of(name, is_identifier_char)) {
      return;
    }
    sink_.add_occurrence(name, source_.offset_of(name), role, ReceiverKind::kKey, whole);
  };
  if (const Node& name = captures[Slot::kName]) add(name);
  if (const Node& list = captures[Slot::kList]) {
    add(list);
    source_.each_child(list, kMaxChildren,
                       [&](const Node& child, const KindRules&) { add(child); });
  }
}

// 'A\B::c', a string of its own: a member of a class with its whole path.
void NameBuilder::path_in_string(const Node& node) {
  const std::string_view path = source_.member_name(node);
  const std::size_t colons = path.find("::");
  if (path.size() == text_of(node).size()) return;
  if (colons == std::string_view::npos || colons == 0) return;
  const auto is_plain = [](std::string_view name) {
    return !name.empty() && name.size() <= kMaxNameBytes && !is_digit(name.front()) &&
           std::ranges::all_of(name, is_identifier_char);
  };
  std::vector<std::string_view> parts;
  for (std::size_t at = path.front() == '\\' ? 1 : 0; at <= colons;) {
    const std::size_t end = std::min(path.find('\\', at), colons);
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  parts.push_back(path.substr(colons + 2));
  if (!std::ranges::all_of(parts, is_plain)) return;
  std::uint32_t last = kNoIndex;
  for (const std::string_view part : parts) {
    const bool is_last = part.data() == parts.back().data();
    const ReceiverKind kind = last == kNoIndex ? ReceiverKind::kSuper : ReceiverKind::kName;
    last = sink_.add_occurrence(part, source_.offset_of(part), is_last ? Role::kCall : Role::kType,
                                kind, last);
  }
}

void NameBuilder::words(const Node& node, const Node& listed, WordSort sort) {
  constexpr std::uint32_t kMaxNameChildren = 4096;
  if (!listed) return words_of(range_of(node), sort);
  words_of(range_of(listed), sort);
  bool is_behind = false;
  source_.each_child(node, kMaxNameChildren, [&](const Node& child, const KindRules&) {
    if (is_behind && kind_of(child) == kind_of(listed)) words_of(range_of(child), sort);
    is_behind = is_behind || child.id == listed.id;
  });
}

void NameBuilder::words_of(ByteRange range, WordSort sort) {
  constexpr std::string_view kBlanks = " \t\r\n\f";
  const std::string_view text = text_of(range);
  for (std::size_t at = text.find_first_not_of(kBlanks); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    word(text.substr(at, end - at), sort);
    at = text.find_first_not_of(kBlanks, end);
  }
}

// One word, without quotes and without the signs before it that give its kind (#id, .class,
// &function); computed words are skipped.
void NameBuilder::word(std::string_view written, WordSort sort) {
  constexpr std::string_view kComputed = "{}<>$=;`,()|*?\\";
  const std::size_t begin = written.find_first_not_of("#.&\"'");
  if (begin == std::string_view::npos) return;
  written.remove_prefix(begin);
  written = written.substr(0, written.find_last_not_of("\"'") + 1);
  if (written.find_first_of(kComputed) != std::string_view::npos) return;
  for (std::size_t at = 0; at < written.size();) {
    const std::size_t colons = written.find("::", at);
    const std::size_t end = std::min(colons, written.size());
    const std::string_view part = written.substr(at, end - at);
    const std::uint32_t offset = source_.offset_of(part);
    const bool is_last = end == written.size();
    const bool is_whole = at == 0 && is_last;
    at = is_last ? end : end + 2;
    if (part.empty() || part.size() > kMaxNameBytes || is_digit(part.front())) continue;
    if (sink_.take_announced(offset)) {
      sink_.add_occurrence(part, offset, Role::kDefinition);
      continue;
    }
    if (sort == WordSort::kDeclared && is_whole && !declares(part)) continue;
    Role role = Role::kRead;
    if (!is_last || sort == WordSort::kType) role = Role::kType;
    if (is_last && sort == WordSort::kCall) role = Role::kCall;
    if (is_last && sort == WordSort::kWrite) role = Role::kWrite;
    sink_.add_occurrence(part, offset, role);
  }
}

// True if the file, or an open symbol, already has a variable of that name.
bool NameBuilder::declares(std::string_view name) const {
  const std::optional<NameId> id = sink_.find_name(name);
  const auto has = [&](std::uint32_t owner) {
    if (!id) return false;
    const std::uint32_t member = sink_.find_member(owner, *id);
    return member != PairMap::kAbsent && facts_.symbols[member].type == SymbolType::kVariable;
  };
  return has(kNoIndex) || std::ranges::any_of(frames_.symbols(), has);
}

// Names that macros build from parameters are found by the fixed parts of the name.
void NameBuilder::note_pastes(std::string_view text, std::uint32_t begin) {
  const std::vector<Paste> pastes = pastes_in(text);
  const auto macro = pastes.empty() ? std::nullopt : macro_around(source_.text(), begin);
  if (!macro) return;
  const auto is_parameter = [&](std::string_view word) {
    return std::ranges::find(macro->parameters, word) != macro->parameters.end();
  };
  for (const Paste& paste : pastes) {
    const auto& words = paste.words;
    const auto first = std::ranges::find_if(words, is_parameter);
    if (first == words.end()) continue;
    std::string prefix;
    std::string suffix;
    for (auto word = words.begin(); word != first; ++word) prefix += *word;
    for (auto word = words.end(); !is_parameter(*--word);) suffix.insert(0, *word);
    const auto offset = begin + static_cast<std::uint32_t>(paste.sign);
    const auto add = [&](std::string name, std::uint32_t at) {
      const std::string_view made = sink_.text_of(sink_.id_of_made(std::move(name)));
      sink_.occurrence(sink_.add_occurrence(made, at, Role::kRead)).by_syntax = true;
    };
    add(std::string(kPastes), offset);
    add(!prefix.empty()   ? paste_after(prefix)
        : !suffix.empty() ? paste_before(suffix)
                          : std::string(kPasteOfParameters),
        offset + 1);
  }
}

void NameBuilder::note_pasting(std::uint32_t index) {
  const ByteRange range = range_of(frames_[index].node);
  if (text_of(range).find(kRustPaste) == std::string_view::npos) return;
  sink_.occurrence(sink_.add_occurrence(kRustPaste, range.begin, Role::kRead)).by_syntax = true;
}

void NameBuilder::names_in(std::string_view text, std::uint32_t begin) {
  if (source_.rules().binds_declarators()) note_pastes(text, begin);
  const auto is_name = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  std::uint32_t last = kNoIndex;  // the previous name
  std::size_t last_end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at) {
        if (text[at] == '\\') ++at;
      }
      at = std::min(at + 1, text.size());
      continue;
    }
    if (text.substr(at).starts_with("//")) return;
    if (text.substr(at).starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), text.size() - 1) + 1;
      continue;
    }
    if (!is_name(c)) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) ++end;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && end - at <= kMaxNameBytes) {
      const std::size_t next = text.find_first_not_of(" \t", end);
      const bool is_call = next != std::string_view::npos && text[next] == '(';
      const std::string_view before = text.substr(0, at);
      const bool is_member = before.ends_with("->") || before.ends_with('.');
      const bool is_c = source_.rules().binds_declarators();
      const bool is_tag = is_c && is_behind_tag_keyword(text, at);
      // type name; declares a field where the macro is used.
      const bool is_declared = is_c && !is_call && next != std::string_view::npos &&
                               text[next] == ';' && is_behind_type(text, at);
      const bool is_scope =
          source_.rules().declares_in_classes() && text.substr(end).starts_with("::");
      const bool is_qualified =
          source_.rules().declares_in_classes() && before.ends_with("::") && last != kNoIndex;
      const bool is_of_last = is_qualified && last_end + 2 == at;
      const auto offset = begin + static_cast<std::uint32_t>(at);
      last = sink_.add_occurrence(text.substr(at, end - at), offset,
                                  is_declared || sink_.take_announced(offset) ? Role::kDefinition
                                  : is_call                                   ? Role::kCall
                                  : is_scope                                  ? Role::kType
                                                                              : Role::kRead,
                                  is_of_last                             ? ReceiverKind::kName
                                  : is_member || is_qualified            ? ReceiverKind::kOther
                                  : is_tag && source_.rules().has_tags() ? ReceiverKind::kTag
                                                                         : ReceiverKind::kNone,
                                  is_of_last ? last : kNoIndex);
      last_end = end;
    }
    at = end;
  }
}

}  // namespace codexmem::parse
