// Names in what is not parsed: tokens of macros, strings that hold types, bodies of macros.
#include <algorithm>
#include <cctype>
#include <optional>

#include "base/ascii.h"
#include "parse/c_words.h"
#include "parse/names.h"

namespace codexmem::parse {

// A name among the tokens that a macro is given: what stands before and behind it says what it is.
void NameBuilder::token(std::string_view name, ByteRange range) {
  const std::string_view text = source_.text();
  constexpr std::string_view kSpace = " \t\r\n";
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
    if (!facts_.occurrences.empty()) {
      const Occurrence& known = facts_.occurrences.back();
      if (known.offset + sink_.text_of(known.name).size() == end) {
        kind = ReceiverKind::kName;
        receiver = static_cast<std::uint32_t>(facts_.occurrences.size() - 1);
      }
    }
    if (is_path && kind == ReceiverKind::kOther && end == 0) kind = ReceiverKind::kNone;
  }
  Role role = Role::kRead;
  if (behind.starts_with('!') && !behind.starts_with("!=")) {
    role = Role::kCall;
    if (kind == ReceiverKind::kNone) kind = ReceiverKind::kTag;
  } else if (behind.starts_with("::")) {
    role = behind.starts_with("::<") ? Role::kCall : Role::kType;
  } else if (behind.starts_with('(')) {
    role = Role::kCall;
  }
  sink_.add_occurrence(name, range.begin, role, kind, receiver);
}

// What stands before a name that has no sigil: A\\B is a part of A, \\B of the global name space.
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
}

// Strings are not parsed; what else stands in them than names and dots ("[", ",") separates.
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

void NameBuilder::words(const Node& node, const Node& listed, WordSort sort) {
  constexpr std::uint32_t kMostChildren = 4096;
  if (!listed) return words_of(range_of(node), sort);
  words_of(range_of(listed), sort);
  bool is_behind = false;
  source_.each_child(node, kMostChildren, [&](const Node& child, const KindRules&) {
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

// One word, without the signs before it that say what is meant (#id, .class, &function) and quotes;
// what is computed is none.
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

// True if the file, or a symbol that is open, has a variable of that name by now.
bool NameBuilder::declares(std::string_view name) const {
  const std::optional<NameId> id = sink_.find_name(name);
  const auto has = [&](std::uint32_t owner) {
    if (!id) return false;
    const std::uint32_t member = sink_.find_member(owner, *id);
    return member != PairMap::kAbsent && facts_.symbols[member].type == SymbolType::kVariable;
  };
  return has(kNoIndex) || std::ranges::any_of(frames_.symbols(), has);
}

void NameBuilder::names_in(std::string_view text, std::uint32_t begin) {
  const auto is_name = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  std::uint32_t last = kNoIndex;  // the name before
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
      // type name; declares a field of what the macro is used in.
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
