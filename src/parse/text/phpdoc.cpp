// Tested by the cases testdata/languages/php/documentation and graph/php_test.cpp.
#include "parse/text/phpdoc.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxPhpDepth = 16;  // of types in types

bool is_php_literal_type(std::string_view name) {
  constexpr std::string_view kNames[] = {"string",  "int",     "integer", "float", "double",
                                         "bool",    "boolean", "true",    "false", "scalar",
                                         "numeric", "number",  "resource"};
  return is_one_of(name, kNames) || name.find('-') != std::string_view::npos;
}

bool is_php_open_type(std::string_view name) {
  constexpr std::string_view kNames[] = {"mixed",    "void",   "null",     "never",
                                         "object",   "array",  "iterable", "list",
                                         "callable", "key-of", "value-of"};
  return is_one_of(name, kNames);
}

// A type whose elements have the type of its last argument, or of the second of more.
bool is_list_type(std::string_view name) {
  constexpr std::string_view kNames[] = {"array", "iterable", "list", "non-empty-array",
                                         "non-empty-list"};
  return is_one_of(name, kNames);
}

// Library types that can be iterated.
bool is_sequence(std::string_view name) {
  constexpr std::string_view kNames[] = {"Generator",         "Traversable",   "Iterator",
                                         "IteratorAggregate", "ArrayIterator", "ArrayObject",
                                         "SplObjectStorage"};
  return is_one_of(name, kNames);
}

}  // namespace

Doc PhpDocReader::read() {
  Doc doc;
  bool has_surer_result = false;
  while (next_tag()) {
    std::string_view tag = type_word();
    // A tag for one specific tool is more precise.
    bool is_surer = false;
    for (const std::string_view tool : {"psalm-", "phpstan-", "phan-"}) {
      if (!tag.starts_with(tool)) continue;
      tag.remove_prefix(tool.size());
      is_surer = true;
    }
    if (tag == "param") {
      read_parameter(is_surer, &doc);
    } else if (tag == "return") {
      const TermId term = read_union(0);
      if (term == kNoIndex || (has_surer_result && !is_surer)) continue;
      doc.result = term;
      has_surer_result = is_surer;
    } else if (tag == "var") {
      read_variable(&doc);
    } else if (tag == "extends" || tag == "implements" || tag == "use" ||
               tag == "template-extends" || tag == "template-implements") {
      const TermId term = read_union(0);
      const bool has_arguments = term != kNoIndex && facts_.terms[term].kind == TermKind::kType &&
                                 facts_.terms[term].part_count > 0;
      if (has_arguments && doc.supertypes.size() < kMaxParts) doc.supertypes.push_back(term);
    } else if (tag == "throws" || tag == "mixin") {
      read_union(0);
    } else if (tag.starts_with("template")) {
      read_template(&doc);
    }
  }
  return doc;
}

void PhpDocReader::read_template(Doc* doc) {
  skip_space();
  DocTemplate one;
  one.offset = at_;
  one.name = word();
  if (one.name.empty() || doc->templates.size() >= kMaxParts) return;
  sink_.add_occurrence(one.name, one.offset, Role::kDefinition);
  if (take_word("of") || take_word("as")) one.bound = read_union(0);
  doc->templates.push_back(one);
}

void PhpDocReader::read_parameter(bool is_surer, Doc* doc) {
  DocParameter parameter;
  if (peek() != '$') parameter.term = read_union(0);
  skip_space();
  if (is_next('&')) ++at_;
  if (text_.substr(at_, 3) == "...") at_ += 3;
  parameter.name = text_of(variable());
  if (parameter.name.empty() || parameter.term == kNoIndex) return;
  const auto known = std::ranges::find(doc->parameters, parameter.name, &DocParameter::name);
  if (known == doc->parameters.end()) {
    doc->parameters.push_back(std::move(parameter));
  } else if (is_surer) {
    *known = std::move(parameter);
  }
}

// @var T, @var T $name: the first one counts.
void PhpDocReader::read_variable(Doc* doc) {
  const TermId term = peek() == '$' ? TermId{kNoIndex} : read_union(0);
  skip_space();
  const std::string_view name = text_of(variable());
  if (doc->type != kNoIndex || term == kNoIndex) return;
  doc->type = term;
  doc->type_name = name;
}

// $name: the name; empty if missing.
ByteRange PhpDocReader::variable() {
  if (!is_next('$')) return {at_, at_};
  const std::uint32_t begin = ++at_;
  while (is_name_at(at_)) ++at_;
  return {begin, at_};
}

// A word with hyphens: class-string.
std::string_view PhpDocReader::type_word() {
  const std::uint32_t begin = at_;
  while (is_name_at(at_) || (is_next('-') && at_ > begin && is_name_at(at_ + 1))) ++at_;
  return text_.substr(begin, at_ - begin);
}

// ---- Members.

void PhpDocReader::declare_members() {
  while (next_tag()) {
    const std::uint32_t begin = at_ - 1;
    std::string_view tag = type_word();
    for (const std::string_view tool : {"psalm-", "phpstan-"}) {
      if (tag.starts_with(tool)) tag.remove_prefix(tool.size());
    }
    if (tag == "property" || tag == "property-read" || tag == "property-write") {
      declare_property(begin);
    } else if (tag == "method") {
      declare_method(begin);
    }
  }
}

void PhpDocReader::declare_property(std::uint32_t begin) {
  const TermId term = peek() == '$' ? TermId{kNoIndex} : read_union(0);
  skip_space();
  declare(begin, variable(), SymbolType::kProperty, term);
}

// @method static T name(...), @method name(...)
void PhpDocReader::declare_method(std::uint32_t begin) {
  skip_space();
  const std::uint32_t start = at_;
  const bool is_static = take_word("static");
  if (is_static && (peek() == '(' || !is_space(text_[at_ - 1]))) at_ = start;
  TermId result = kNoIndex;
  const auto is_called = [&] {
    std::uint32_t at = at_;
    while (is_name_at(at)) ++at;
    return at > at_ && at < end_ && text_[at] == '(';
  };
  skip_space();
  if (!is_called()) result = read_union(0);
  skip_space();
  if (!is_called()) return;
  const std::uint32_t name = at_;
  while (is_name_at(at_)) ++at_;
  const std::uint32_t index = sink_.add_function();
  sink_.function(index).result = result;
  sink_.function(index).is_annotated = true;
  declare(begin, {name, at_}, SymbolType::kMethod, terms_.add(TermKind::kFunction, index, {}));
}

void PhpDocReader::declare(std::uint32_t begin, ByteRange name, SymbolType type, TermId term) {
  if (name.empty()) return;
  const NameId id = sink_.id_of(text_of(name));
  if (sink_.find_member(owner_, id) != PairMap::kAbsent) return;
  const Symbol& owner = facts_.symbols[owner_];
  Symbol symbol;
  symbol.name = text_of(name);
  symbol.type = type;
  symbol.kind = type == SymbolType::kMethod ? "method" : "property";
  // (A member begins after the begin of its owner.)
  symbol.range = {owner.range.begin, owner.range.begin};
  symbol.name_range = name;
  symbol.signature = {begin, name.end};
  symbol.parent = owner_;
  symbol.exported = owner.exported;
  symbol.qualified_name = owner.qualified_name + "." + symbol.name;
  symbol.term = term;
  sink_.add_occurrence(text_of(name), name.begin, Role::kDefinition);
  sink_.add_symbol(std::move(symbol), text_of(name));
}

// ---- Types.

TermId PhpDocReader::read_union(int depth) {
  if (depth > kMaxPhpDepth) {
    at_ = end_;
    return kNoIndex;
  }
  std::vector<TermId> members;
  skip_space();
  do {
    skip_space();
    const TermId term = read_postfix(depth);
    if (members.size() < kMaxParts) members.push_back(term);
    // The end of the line ends the type unless a sign continues it.
    const std::uint32_t end = at_;
    const char next = peek();
    if (next != '|' && (next != '&' || text_.substr(at_, 2) == "&$")) {
      at_ = end;
      break;
    }
    ++at_;
  } while (at_ < end_);
  return terms_.union_of(members);
}

// A[], A[][].
TermId PhpDocReader::read_postfix(int depth) {
  TermId term = read_type(depth);
  while (is_next('[')) {
    ++at_;
    if (is_next(']')) {
      ++at_;
      term = terms_.add(TermKind::kArray, kNoIndex, {term});
      continue;
    }
    read_union(depth + 1);
    take(']');
    return kNoIndex;
  }
  return term;
}

TermId PhpDocReader::read_type(int depth) {
  if (at_ >= end_) return kNoIndex;
  const char c = text_[at_];
  if (c == '?') {
    ++at_;
    return depth < kMaxPhpDepth ? read_type(depth + 1) : kNoIndex;
  }
  if (c == '(') {
    ++at_;
    TermId term = read_union(depth + 1);
    // ($x is A ? B : C)
    if (take_word("is")) {
      take_word("not");
      read_union(depth + 1);
      term = kNoIndex;
      if (take('?')) {
        const TermId first = read_union(depth + 1);
        const TermId second = take(':') ? read_union(depth + 1) : TermId{kNoIndex};
        term = terms_.union_of(first, second);
      }
    }
    if (!take(')')) at_ = end_;
    return term;
  }
  if (c == '"' || c == '\'') {
    const std::size_t end = text_.substr(0, end_).find_first_of(c == '"' ? "\"\n" : "'\n", at_ + 1);
    at_ = end == std::string_view::npos ? end_ : static_cast<std::uint32_t>(end) + 1;
    return terms_.literal();
  }
  if (c == '$') {
    const bool is_this = text_of(variable()) == "this";
    return is_this ? this_term() : TermId{kNoIndex};
  }
  if (c == '*') {
    ++at_;
    return kNoIndex;
  }
  if (c == '-' || is_digit(c)) {
    ++at_;
    while (is_name_at(at_) || is_next('.')) ++at_;
    return terms_.literal();
  }
  if (c == '\\' || is_name_at(at_)) return read_named(depth);
  return kNoIndex;
}

void PhpDocReader::read_list(char close, int depth, std::vector<TermId>* parts) {
  while (at_ < end_ && peek() != close) {
    const std::uint32_t begin = at_;
    if (take_word("covariant") || take_word("contravariant")) skip_space();
    const TermId part = read_union(depth + 1);
    if (parts->size() < kMaxParts) parts->push_back(part);
    if (!take(',') || at_ == begin) break;
  }
  if (!take(close)) at_ = end_;
}

TermId PhpDocReader::read_named(int depth) {
  const std::uint32_t begin = at_;
  if (!is_next('\\')) {
    const std::string_view first = type_word();
    const bool is_path = is_next('\\');
    if (!is_path &&
        (is_php_literal_type(first) || is_php_open_type(first) || is_list_type(first))) {
      std::vector<TermId> parts;
      if (is_next('<')) {
        ++at_;
        read_list('>', depth, &parts);
      } else if (is_next('{')) {
        return read_shape(depth);
      } else if (is_next('(') && first == "callable") {
        return read_callable(depth);
      }
      if (first == "class-string" && !parts.empty() && parts[0] != kNoIndex) {
        return terms_.add(TermKind::kLanguageType, sink_.id_of(first), {parts[0]});
      }
      if (is_list_type(first) && !parts.empty()) {
        return terms_.add(TermKind::kArray, kNoIndex, {parts[parts.size() > 1 ? 1 : 0]});
      }
      return is_php_open_type(first) || is_list_type(first) ? TermId{kNoIndex} : terms_.literal();
    }
    if (!is_path && first == "static") return this_term();
    at_ = begin;
  }
  // A\B\C: each part is the receiver of the next.
  ReceiverKind kind = is_next('\\') ? ReceiverKind::kSuper : ReceiverKind::kTag;
  std::uint32_t receiver = kNoIndex;
  std::uint32_t name = at_;
  if (is_next('\\')) ++at_;
  while (true) {
    name = at_;
    while (is_name_at(at_)) ++at_;
    if (at_ == name) return kNoIndex;
    const std::string_view text = text_.substr(name, at_ - name);
    receiver = sink_.add_occurrence(text, name, Role::kType, kind, receiver);
    kind = ReceiverKind::kName;
    if (!is_next('\\') || !is_name_at(at_ + 1)) break;
    ++at_;
  }
  const std::string_view last = text_.substr(name, at_ - name);
  if (text_.substr(at_, 2) == "::") {
    // A::B, A::*
    at_ += 2;
    while (is_name_at(at_) || is_next('*')) ++at_;
    return kNoIndex;
  }
  std::vector<TermId> parts;
  if (is_next('<')) {
    ++at_;
    read_list('>', depth, &parts);
  } else if (is_next('(') && last == "Closure") {
    return read_callable(depth);
  }
  const TermId term = terms_.add(TermKind::kType, name, parts);
  if (parts.empty() || !is_sequence(last)) return term;
  const TermId held = terms_.add(TermKind::kArray, kNoIndex, {parts[parts.size() > 1 ? 1 : 0]});
  return terms_.union_of(held, term);
}

// {a: A, b?: B, C}
TermId PhpDocReader::read_shape(int depth) {
  ++at_;
  Object object;
  std::vector<TermId> values;
  while (at_ < end_ && peek() != '}') {
    if (text_.substr(at_, 3) == "...") {
      at_ += 3;
      if (is_next('<')) {
        ++at_;
        std::vector<TermId> parts;
        read_list('>', depth, &parts);
      }
      continue;
    }
    // A key, or only a type.
    const std::uint32_t begin = at_;
    const char quote = text_[at_];
    const bool is_quoted = quote == '"' || quote == '\'';
    if (is_quoted) ++at_;
    const std::uint32_t name = at_;
    while (is_name_at(at_) || (is_next('-') && is_quoted)) ++at_;
    const std::string_view key = text_.substr(name, at_ - name);
    if (is_quoted && is_next(quote)) ++at_;
    if (is_next('?')) ++at_;
    const bool has_key = !key.empty() && is_next(':') && text_.substr(at_, 2) != "::";
    if (has_key) {
      ++at_;
    } else {
      at_ = begin;
    }
    const TermId term = read_union(depth + 1);
    if (values.size() < kMaxParts) values.push_back(term);
    if (has_key && object.keys.size() < kMaxParts) {
      object.keys.push_back({sink_.id_of(key), kNoIndex, term});
    }
    if (!take(',') || at_ == begin) break;
  }
  if (!take('}')) at_ = end_;
  object.other = terms_.union_of(values);
  if (object.keys.empty()) return terms_.add(TermKind::kArray, kNoIndex, {object.other});
  return sink_.add_object(std::move(object));
}

// (A $x, B): C
TermId PhpDocReader::read_callable(int depth) {
  ++at_;
  Function function;
  while (at_ < end_ && peek() != ')') {
    const std::uint32_t begin = at_;
    Parameter parameter;
    parameter.term = read_union(depth + 1);
    parameter.is_annotated = true;
    skip_space();
    if (is_next('&')) ++at_;
    parameter.is_rest = text_.substr(at_, 3) == "...";
    if (parameter.is_rest) at_ += 3;
    if (is_next('=')) ++at_;
    variable();
    if (function.parameters.size() < kMaxParts) function.parameters.push_back(parameter);
    if (!take(',') || at_ == begin) break;
  }
  if (!take(')')) {
    at_ = end_;
    return kNoIndex;
  }
  if (is_next(':')) {
    ++at_;
    skip_space();
    function.result = read_postfix(depth + 1);
    function.is_annotated = true;
  }
  if (facts_.terms.size() + kMaxParts >= kMaxTerms) return kNoIndex;
  const std::uint32_t index = sink_.add_function();
  sink_.function(index) = std::move(function);
  return terms_.add(TermKind::kFunction, index, {});
}

}  // namespace codexmem::parse
