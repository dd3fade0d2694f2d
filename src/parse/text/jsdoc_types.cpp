#include "parse/text/jsdoc_types.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxJsdocDepth = 16;  // of types in types

bool is_js_literal_type(std::string_view name) {
  constexpr std::string_view kNames[] = {"string", "number", "boolean", "bigint",
                                         "symbol", "String", "Number",  "Boolean",
                                         "Symbol", "true",   "false"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

bool is_js_open_type(std::string_view name) {
  constexpr std::string_view kNames[] = {"any",       "unknown", "void",     "null",
                                         "undefined", "never",   "object",   "Object",
                                         "Array",     "array",   "Function", "function"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace

TermId DocReader::braced_type() {
  if (peek() != '{') return kNoIndex;
  const std::uint32_t behind = closing();
  if (text_[behind - 1] != '}') return kNoIndex;
  ++at_;
  const std::uint32_t end = std::exchange(end_, behind - 1);
  const TermId term = read_union(0);
  is_whole_ = peek() == '\0';
  end_ = end;
  at_ = behind;
  return term;
}

std::uint32_t DocReader::read_path(std::uint32_t begin) {
  const bool is_call = take('(');
  const char quote = peek();
  if (quote != '"' && quote != '\'') return kNoIndex;
  const std::size_t behind = text_.substr(0, end_).find(quote, at_ + 1);
  if (behind == std::string_view::npos) return kNoIndex;
  Import import;
  import.path = text_.substr(at_ + 1, behind - at_ - 1);
  import.path_offset = at_ + 1;
  at_ = static_cast<std::uint32_t>(behind) + 1;
  if (is_call) take(')');
  if (import.path.empty() || import.path.find('\n') != std::string::npos) return kNoIndex;
  import.kind = ImportKind::kDocumented;
  import.range = {begin, at_};
  import.scope = frames_.scope();
  import.type_only = true;
  return sink_.add_import(std::move(import));
}

TermId DocReader::object_of(std::vector<ObjectKey> keys, TermId other) {
  if (keys.empty() && other == kNoIndex) return kNoIndex;
  Object object;
  object.keys = std::move(keys);
  object.other = other;
  return sink_.add_object(std::move(object));
}

TermId DocReader::array_of(TermId element) {
  return terms_.add(TermKind::kArray, kNoIndex, {element});
}

// A|B, A & B.
TermId DocReader::read_union(int depth) {
  if (depth > kMaxJsdocDepth) {
    at_ = end_;
    return kNoIndex;
  }
  std::vector<TermId> members;
  take('|');
  do {
    const TermId term = read_postfix(depth);
    if (members.size() < kMaxParts) members.push_back(term);
  } while (take('|') || take('&'));
  return terms_.union_of(members);
}

// A[], A["key"], A=, A?, A!.
TermId DocReader::read_postfix(int depth) {
  TermId term = read_type(depth);
  while (true) {
    const char c = peek();
    if (c == '[') {
      ++at_;
      if (take(']')) {
        term = array_of(term);
        continue;
      }
      const char quote = peek();
      const std::uint32_t begin = at_ + 1;
      read_union(depth + 1);
      if ((quote == '"' || quote == '\'') && at_ > begin + 1 && take(']')) {
        const std::string_view key = text_.substr(begin, text_.find(quote, begin) - begin);
        term = terms_.add(TermKind::kMember, sink_.id_of(key), {term});
      } else {
        take(']');
        term = kNoIndex;
      }
    } else if ((c == '=' && text_.substr(at_, 2) != "=>") || c == '?' || c == '!') {
      ++at_;
    } else {
      return term;
    }
  }
}

TermId DocReader::read_type(int depth) {
  switch (const char c = peek(); c) {
    case '?':
    case '!':
      ++at_;
      return depth < kMaxJsdocDepth && at_ < end_ ? read_type(depth + 1) : kNoIndex;
    case '*':
      ++at_;
      return kNoIndex;
    case '(':
      return read_parenthesis(depth);
    case '{':
      return read_object(depth);
    case '[': {
      ++at_;
      std::vector<TermId> parts;
      read_list(']', depth, &parts);
      return terms_.add(TermKind::kTuple, kNoIndex, parts);
    }
    case '"':
    case '\'':
    case '`': {
      const std::size_t end = text_.substr(0, end_).find(c, at_ + 1);
      at_ = end == std::string_view::npos ? end_ : static_cast<std::uint32_t>(end) + 1;
      return terms_.literal();
    }
    case '.':
      while (take('.')) {
      }
      return array_of(depth < kMaxJsdocDepth ? read_postfix(depth + 1) : kNoIndex);
    case '-':
      ++at_;
      word();
      return terms_.literal();
    default:
      if (is_digit(c)) {
        word();
        return terms_.literal();
      }
      if (is_identifier_char(c)) return read_named(depth);
      at_ = end_;  // not understood
      return kNoIndex;
  }
}

void DocReader::read_list(char close, int depth, std::vector<TermId>* parts) {
  while (at_ < end_ && peek() != close) {
    const TermId part = read_union(depth + 1);
    if (parts->size() < kMaxParts) parts->push_back(part);
    if (!take(',')) break;
  }
  if (!take(close)) at_ = end_;
}

// (A), or a function whose types are skipped: they concern the callee.
TermId DocReader::read_parenthesis(int depth) {
  const std::uint32_t behind = closing();
  const std::uint32_t begin = std::exchange(at_, behind);
  if (peek() == '=' && text_.substr(at_, 2) == "=>") {
    at_ += 2;
    read_union(depth + 1);
    return kNoIndex;
  }
  at_ = begin + 1;
  const TermId term = read_union(depth + 1);
  if (!take(')')) at_ = behind;
  return term;
}

// { a: A, b?: B, [key: string]: C }
TermId DocReader::read_object(int depth) {
  const std::uint32_t behind = closing();
  ++at_;
  std::vector<ObjectKey> keys;
  TermId other = kNoIndex;
  while (at_ < behind - 1 && peek() != '}') {
    if (peek() == '[') {
      at_ = closing();
      if (!take(':')) break;
      other = read_union(depth + 1);
    } else {
      take_word("readonly");
      skip_space();
      const char quote = peek();
      const bool is_quoted = quote == '"' || quote == '\'';
      if (is_quoted) ++at_;
      const std::string_view name = word();
      if (name.empty() || (is_quoted && !take(quote))) break;
      take('?');
      if (!take(':')) break;
      const TermId term = read_union(depth + 1);
      if (keys.size() < kMaxParts) keys.push_back({sink_.id_of(name), kNoIndex, term});
    }
    if (!take(',') && !take(';')) break;
  }
  at_ = std::min(behind, end_);
  return object_of(std::move(keys), other);
}

// Names joined by dots, with arguments; words of the language.
TermId DocReader::read_named(int depth) {
  const std::uint32_t begin = at_;
  const std::string_view first = word();
  if (depth < kMaxJsdocDepth) {
    if (first == "keyof" && peek() != '\0') {
      read_postfix(depth + 1);
      return terms_.literal();
    }
    if ((first == "readonly" || first == "asserts" || first == "new") && peek() != '\0') {
      return read_postfix(depth + 1);
    }
    if (first == "typeof" && is_identifier_char(peek())) {
      const std::uint32_t name = at_;
      return read_path_of_names(name, word(), Role::kRead, depth);
    }
    if (first == "function" && peek() == '(') {
      at_ = closing();
      if (take(':')) read_postfix(depth + 1);
      return kNoIndex;
    }
  }
  if (take_word("is")) {
    read_union(depth + 1);
    return terms_.literal();
  }
  if (first == "this") return this_term();
  const bool is_template = std::ranges::find(templates_, first) != templates_.end();
  if (!is_before_member()) {
    if (is_js_literal_type(first)) return terms_.literal();
    if (is_template || is_js_open_type(first)) {
      const bool is_array = first == "Array" || first == "array";
      std::vector<TermId> parts;
      if (!read_arguments(depth, &parts) || parts.empty()) return kNoIndex;
      if (is_array) return array_of(parts.front());
      return first == "Object" || first == "object" ? object_of({}, parts.back()) : kNoIndex;
    }
  }
  return read_path_of_names(begin, first, Role::kType, depth);
}

bool DocReader::read_arguments(int depth, std::vector<TermId>* parts) {
  if (at_ + 1 < end_ && text_[at_] == '.' && text_[at_ + 1] == '<') ++at_;
  if (!take('<')) return false;
  read_list('>', depth, parts);
  return true;
}

// a.b.C<D>, import("x").a.C: `first` was read at `begin`.
TermId DocReader::read_path_of_names(std::uint32_t begin, std::string_view first, Role role,
                                     int depth) {
  ReceiverKind receiver_kind = ReceiverKind::kNone;
  std::uint32_t receiver = kNoIndex;
  std::uint32_t name = begin;
  std::string_view text = first;
  if (first == "import" && peek() == '(') {
    const std::uint32_t import = read_path(begin);
    if (import == kNoIndex) {
      at_ = end_;
      return kNoIndex;
    }
    last_import_ = import;
    import_names_ = 0;
    receiver = terms_.add(TermKind::kModule, facts_.imports[import].path_offset, {});
    if (!is_before_member()) {
      // An instance of the class that the module exports.
      if (role == Role::kRead) last_import_ = kNoIndex;
      return role == Role::kType ? terms_.add(TermKind::kNew, kNoIndex, {receiver}) : receiver;
    }
    name = ++at_;
    text = word();
    receiver_kind = ReceiverKind::kTerm;
    imported_ = {name, at_};
    sink_.name_import(import, text, name, true);
  }
  while (true) {
    receiver = sink_.add_occurrence(text, name, role, receiver_kind, receiver);
    receiver_kind = ReceiverKind::kName;
    ++import_names_;
    if (!is_before_member()) break;
    name = ++at_;
    text = word();
  }
  std::vector<TermId> parts;
  if (read_arguments(depth, &parts)) last_import_ = kNoIndex;
  if (role == Role::kRead) {
    last_import_ = kNoIndex;
    return terms_.add(TermKind::kName, name, {});
  }
  return terms_.add(TermKind::kType, name, parts);
}

}  // namespace codexmem::parse
