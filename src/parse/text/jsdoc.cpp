// JSDoc: reads the tags that give types to JavaScript's parameters, results and variables.
//
// A comment is read in two ways. Its types are read once, when the walk reaches the documented node
// or else the comment, and become terms like TypeScript's annotations; names in them become
// occurrences at their places. Its declarations (@typedef, @import) are made when the walk reaches
// the comment. A node's comment is before it or before the enclosing statement, and is found by
// searching the text backwards, because terms are made from nodes that the walk has not reached
// yet. A comment is read from front to back; its length and kMaxJsdocDepth of jsdoc_types.cpp limit the
// work. Tested by golden_test.cpp.
#include "parse/text/jsdoc.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "parse/text/jsdoc_types.h"
#include "parse/text/phpdoc.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kMaxCommentBytes = 16 << 10;
constexpr std::uint32_t kMaxLineBytes = 256;  // of a line comment between documentation and code
constexpr int kMaxSkipped = 4;                // comments between documentation and code
constexpr int kMaxHosts = 6;                  // enclosing nodes whose comment may apply

}  // namespace

class DocReader::Tags : private DocReader {
 public:
  Tags(const Builder& base, ByteRange comment) : DocReader(base, comment) {}

  /// Reads the types of the documented node.
  Doc read() {
    Doc doc;
    while (next_tag()) {
      const std::string_view tag = word();
      if (tag == "param" || tag == "arg" || tag == "argument") {
        read_parameter(&doc);
      } else if (tag == "returns" || tag == "return") {
        doc.result = braced_type();
      } else if (tag == "type") {
        doc.type = braced_type();
      } else if (tag == "template") {
        braced_type();
        read_templates();
      } else if (tag == "extends" || tag == "augments" || tag == "implements" ||
                 tag == "satisfies" || tag == "this" || tag == "throws" || tag == "enum") {
        braced_type();
      }
    }
    for (DocParameter& parameter : doc.parameters) {
      if (parameter.term == kNoIndex) parameter.term = object_of(std::move(parameter.keys));
    }
    return doc;
  }

  /// Makes the comment's declarations.
  void declare() {
    std::uint32_t type = kNoIndex;
    Object members;
    const auto close = [&](std::uint32_t end) {
      if (type == kNoIndex) return;
      sink_.symbol(type).range.end = end;
      if (!members.keys.empty()) {
        sink_.symbol(type).term = object_of(std::exchange(members.keys, {}));
      }
      type = kNoIndex;
    };
    while (next_tag()) {
      const std::uint32_t begin = at_ - 1;
      const std::string_view tag = word();
      if (tag == "property" || tag == "prop") {
        if (type != kNoIndex) read_property(type, begin, &members);
        continue;
      }
      close(begin);
      if (tag == "typedef") type = read_typedef(begin);
      if (tag == "import") read_import();
      if (tag == "template") {
        if (peek() == '{') at_ = closing();
        read_templates();
      }
    }
    close(comment_.end);
  }

 private:
  // [name=default] or name; empty if missing.
  ByteRange read_name(bool* is_optional = nullptr) {
    const bool has_bracket = take('[');
    if (is_optional != nullptr) *is_optional = has_bracket;
    skip_space();
    const std::uint32_t begin = at_;
    while (at_ < end_ && (is_identifier_char(text_[at_]) || text_[at_] == '.')) ++at_;
    const ByteRange name = {begin, at_};
    if (has_bracket && peek() == '=') {
      while (at_ < end_ && text_[at_] != '\n' && text_[at_] != ']') ++at_;
    }
    return name;
  }

  void read_parameter(Doc* doc) {
    DocParameter parameter;
    parameter.term = braced_type();
    const ByteRange range = read_name(&parameter.is_optional);
    parameter.name = text_of(range);
    const std::size_t dot = parameter.name.find('.');
    if (dot == std::string_view::npos) {
      if (!parameter.name.empty()) doc->parameters.push_back(std::move(parameter));
      return;
    }
    // options.limit: a member of options.
    const std::string_view member = parameter.name.substr(dot + 1);
    if (member.empty() || member.find('.') != std::string_view::npos) return;
    for (DocParameter& whole : doc->parameters) {
      if (whole.name != parameter.name.substr(0, dot) || whole.keys.size() >= kMaxParts) continue;
      whole.keys.push_back({sink_.id_of(member), kNoIndex, parameter.term});
    }
  }

  void read_templates() {
    do {
      const ByteRange name = read_name();
      take(']');
      if (name.empty() || templates_.size() >= kMaxParts) return;
      templates_.push_back(text_of(name));
    } while (take(','));
  }

  std::uint32_t read_typedef(std::uint32_t begin) {
    last_import_ = kNoIndex;
    is_whole_ = false;
    const TermId term = braced_type();
    const ByteRange range = read_name();
    const std::string_view name = text_of(range);
    if (name.empty() || name.find('.') != std::string_view::npos || is_digit(name.front())) {
      return kNoIndex;
    }
    std::uint32_t scope = frames_.scope();
    while (facts_.scopes[scope].kind == ScopeKind::kClass) {
      scope = facts_.scopes[scope].parent;
    }
    Export exported = {.offset = range.begin, .type_only = true};
    sink_.add_occurrence(name, range.begin, Role::kDefinition);
    if (is_whole_ && last_import_ != kNoIndex && import_names_ <= 1) {
      // A type of another file with a local name.
      sink_.import(last_import_).names.clear();
      bind(last_import_, import_names_ == 1 ? text_of(imported_) : "*", name,
           import_names_ == 1 ? imported_.begin : facts_.imports[last_import_].range.begin,
           range.begin, scope);
      if (scope == 0) sink_.add_export(exported, name, name);
      return kNoIndex;
    }
    Symbol symbol;
    symbol.name = name;
    symbol.type = SymbolType::kType;
    symbol.kind = "typedef";
    symbol.range = {begin, comment_.end};
    symbol.name_range = range;
    symbol.signature = {begin, range.end};
    symbol.docstring = comment_;
    symbol.term = term;
    symbol.exported = scope == 0;
    for (auto at = frames_.symbols().rbegin(); at != frames_.symbols().rend() && scope != 0; ++at) {
      const SymbolType around = facts_.symbols[*at].type;
      if (around != SymbolType::kFunction && around != SymbolType::kMethod) continue;
      symbol.parent = *at;
      break;
    }
    const std::uint32_t id = add_symbol(std::move(symbol));
    sink_.add_binding({.name = sink_.id_of(name),
                       .scope = scope,
                       .kind = BindingKind::kSymbol,
                       .target = id,
                       .offset = range.begin});
    if (scope == 0) {
      exported.symbol = id;
      sink_.add_export(exported, name, name);
    }
    return id;
  }

  void read_property(std::uint32_t owner, std::uint32_t begin, Object* members) {
    Symbol symbol;
    symbol.term = braced_type();
    const ByteRange range = read_name();
    const std::string_view name = text_of(range);
    if (name.empty() || name.find('.') != std::string_view::npos) return;
    symbol.name = name;
    symbol.type = SymbolType::kProperty;
    symbol.kind = "property";
    symbol.range = {begin, at_};
    symbol.name_range = range;
    symbol.signature = {begin, range.end};
    symbol.parent = owner;
    symbol.exported = facts_.symbols[owner].exported;
    members->keys.push_back({sink_.id_of(name), range.begin, symbol.term});
    sink_.add_occurrence(name, range.begin, Role::kDefinition);
    add_symbol(std::move(symbol));
  }

  std::uint32_t add_symbol(Symbol symbol) {
    symbol.qualified_name = symbol.name;
    if (symbol.parent != kNoIndex) {
      const std::string& around = facts_.symbols[symbol.parent].qualified_name;
      if (around.size() <= kMaxQualifiedBytes) symbol.qualified_name = around + "." + symbol.name;
    }
    const std::string_view name = text_of(symbol.name_range);
    return sink_.add_symbol(std::move(symbol), name);
  }

  ByteRange word_range() {
    skip_space();
    const std::uint32_t begin = at_;
    word();
    return {begin, at_};
  }

  // @import a, { b, c as d } from "x"; @import * as e from "x"
  void read_import() {
    const std::uint32_t begin = at_;
    struct Name {
      ByteRange imported, local;
    };
    std::vector<Name> names;
    bool is_list = false;
    while (names.size() < kMaxParts) {
      const char c = peek();
      if (c == '{' || c == '}' || c == ',') {
        if (c != ',') is_list = c == '{';
        ++at_;
        continue;
      }
      Name name = {{at_, at_}, {at_, at_}};
      if (c == '*') {
        ++at_;
      } else if (is_identifier_char(c)) {
        if (!is_list && take_word("from")) break;
        name.local = word_range();
        if (is_list) name.imported = name.local;
      } else {
        return;
      }
      if ((is_list || c == '*') && take_word("as")) name.local = word_range();
      names.push_back(name);
    }
    const std::uint32_t import = read_path(begin);
    if (import == kNoIndex) return;
    for (const Name& name : names) {
      const std::string_view local = text_of(name.local);
      if (local.empty()) continue;
      const bool is_named = !name.imported.empty();
      const bool is_all = !is_named && name.imported.begin != name.local.begin;
      const std::string_view imported = is_named ? text_of(name.imported)
                                        : is_all ? "*"
                                                 : "default";
      if (is_named) sink_.add_occurrence(imported, name.imported.begin, Role::kImport);
      if (!is_named || name.local.begin != name.imported.begin) {
        sink_.add_occurrence(local, name.local.begin, Role::kDefinition);
      }
      bind(import, imported, local, is_all ? begin : name.imported.begin, name.local.begin,
           frames_.scope());
    }
  }

  // Binds a type, which is not a variable that the walk could meet.
  void bind(std::uint32_t import, std::string_view imported, std::string_view local,
            std::uint32_t imported_offset, std::uint32_t local_offset, std::uint32_t scope) {
    Import& from = sink_.import(import);
    from.names.push_back({sink_.id_of(imported), sink_.id_of(local), imported_offset, true});
    sink_.add_binding({.name = sink_.id_of(local),
                       .scope = scope,
                       .kind = BindingKind::kImport,
                       .target = import,
                       .imported_name = static_cast<std::uint32_t>(from.names.size() - 1),
                       .offset = local_offset});
  }
};

void JsDoc::reset() {
  has_docs_ =
      source_.rules().has_typed_comments() && source_.text().find("/**") != std::string_view::npos;
  docs_.clear();
  by_end_.clear();
  by_type_.clear();
}

// The documentation comment before `offset`, with at most line comments and other comments between;
// empty if not found.
ByteRange JsDoc::comment_before(std::uint32_t offset) const {
  const std::string_view text = source_.text();
  for (int skipped = 0; skipped <= kMaxSkipped; ++skipped) {
    while (offset > 0 && is_space(text[offset - 1])) --offset;
    if (offset < 4) return {};
    const std::uint32_t end = offset;
    if (text[end - 1] == '/' && text[end - 2] == '*') {
      std::uint32_t begin = end - 4;
      const std::uint32_t limit = end > kMaxCommentBytes ? end - kMaxCommentBytes : 0;
      while (true) {
        const bool opens = text[begin] == '/' && text[begin + 1] == '*';
        // Paths in a comment contain such signs as well: src/*.js.
        if (opens && text[begin + 2] == '*' && begin + 5 <= end) return {begin, end};
        if (opens && (begin == 0 || is_space(text[begin - 1]))) break;
        if (begin <= limit || (text[begin] == '*' && text[begin + 1] == '/')) return {};
        --begin;
      }
      offset = begin;
      continue;
    }
    const std::uint32_t limit = end > kMaxLineBytes ? end - kMaxLineBytes : 0;
    std::uint32_t begin = end;
    while (begin > limit && text[begin - 1] != '\n') --begin;
    if (begin == limit && limit > 0) return {};
    std::uint32_t first = begin;
    while (first < end && is_space(text[first])) ++first;
    if (text.substr(first, 2) != "//") return {};
    offset = begin;
  }
  return {};
}

// Reads a comment; nullptr if it contains no types.
const Doc* JsDoc::doc_in(ByteRange comment) {
  if (comment.size() < 6 || comment.size() > kMaxCommentBytes) return nullptr;
  // Cached by its end, because text that looks like its beginning may be inside it.
  const std::uint32_t known = by_end_.find(comment.end, 0);
  if (known != PairMap::kAbsent) return &docs_[known];
  const std::string_view text = text_of(comment);
  const bool is_bare = source_.rules().has_bare_comments();
  if (!text.starts_with("/**") || text.find(is_bare ? '@' : '{') == std::string_view::npos) {
    return nullptr;
  }
  const std::size_t names = facts_.occurrences.size();
  Doc doc = is_bare ? PhpDocReader(*this, comment).read() : DocReader::Tags(*this, comment).read();
  if (facts_.occurrences.size() > names) sink_.add_document(comment);
  by_end_.insert(comment.end, 0, static_cast<std::uint32_t>(docs_.size()));
  docs_.push_back(std::move(doc));
  return &docs_.back();
}

// The documentation of the node of frame `index`: before it, or before the declaration whose value
// it is.
const Doc* JsDoc::doc_of(std::uint32_t index) {
  if (!has_docs_) return nullptr;
  for (int hosts = 0; hosts < kMaxHosts; ++hosts, --index) {
    const ByteRange comment = comment_before(range_of(frames_[index].node).begin);
    if (!comment.empty()) return doc_in(comment);
    if (index == 0) return nullptr;
    const KindRules& around = *frames_[index - 1].rules;
    if (!around.is_documented && !around.is_wrapper) return nullptr;
    // In const a = 1, b = 2 the comment belongs to the first.
    if (around.is_wrapper && frames_[index].position > 0 && !are_surer()) return nullptr;
  }
  return nullptr;
}

TermId JsDoc::documented_type(std::uint32_t index) {
  const Doc* doc = doc_of(index);
  if (doc == nullptr) return kNoIndex;
  // @var T $name documents only that variable.
  const std::string_view text = text_of(range_of(frames_[index].node));
  const bool is_other = !doc->type_name.empty() && text.starts_with('$') &&
                        !text.substr(1).starts_with(doc->type_name);
  return is_other ? TermId{kNoIndex} : doc->type;
}

TermId JsDoc::documented_type(const Node& node) {
  if (!has_docs_) return kNoIndex;
  const Doc* doc = doc_in(comment_before(range_of(node).begin));
  return doc == nullptr ? kNoIndex : doc->type;
}

TermId JsDoc::cast_type(const Node& node) {
  return has_docs_ && rules_of(node).is_cast ? documented_type(node) : TermId{kNoIndex};
}

void JsDoc::document(std::uint32_t number, std::uint32_t index) {
  const Doc* found_doc = doc_of(index);
  if (found_doc == nullptr) return;
  const Doc& doc = *found_doc;
  Function& function = sink_.function(number);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    Parameter& parameter = function.parameters[i];
    auto found = doc.parameters.begin();
    if (parameter.name == kNoIndex) {
      found += static_cast<std::ptrdiff_t>(std::min(i, doc.parameters.size()));
    } else {
      found = std::ranges::find_if(doc.parameters, [&](const DocParameter& one) {
        return sink_.id_of(one.name) == parameter.name;
      });
    }
    if (found == doc.parameters.end()) continue;
    parameter.is_optional |= found->is_optional;
    if (found->term == kNoIndex || (parameter.is_annotated && !are_surer())) continue;
    parameter.term = found->term;
    parameter.is_annotated = true;
  }
  if (doc.result != kNoIndex && (!function.is_annotated || are_surer())) {
    function.result = doc.result;
    function.is_annotated = true;
  }
}

void JsDoc::declare_members(std::uint32_t type, ByteRange comment) {
  if (!are_surer() || comment.size() > kMaxCommentBytes || comment.size() < 6) return;
  const std::string_view text = text_of(comment);
  if (const Doc* doc = doc_in(comment); doc != nullptr) {
    if (doc->scope != kNoIndex) sink_.scope(doc->scope).symbol = type;
    by_type_.insert(type, 0, static_cast<std::uint32_t>(doc - docs_.data()));
  }
  const bool has_members = text.find("@property") != std::string_view::npos ||
                           text.find("-property") != std::string_view::npos ||
                           text.find("@method") != std::string_view::npos ||
                           text.find("-method") != std::string_view::npos;
  if (!text.starts_with("/**") || !has_members) return;
  PhpDocReader(*this, comment, type).declare_members();
  sink_.add_document(comment);
}

TermId JsDoc::supertype(std::uint32_t type, std::string_view name) const {
  const std::uint32_t doc = by_type_.find(type, 0);
  if (doc == PairMap::kAbsent) return kNoIndex;
  for (const TermId term : docs_[doc].supertypes) {
    const std::uint32_t at = facts_.terms[term].at;
    if (source_.text().substr(at).starts_with(name)) return term;
  }
  return kNoIndex;
}

void JsDoc::read_comment(ByteRange comment) {
  if (!has_docs_ || comment.size() > kMaxCommentBytes) return;
  const std::string_view text = text_of(comment);
  if (!text.starts_with("/**") || text.size() < 6) return;
  doc_in(comment);
  if (source_.rules().has_bare_comments()) {
    const std::uint32_t known = by_end_.find(comment.end, 0);
    if (known == PairMap::kAbsent) return;
    // @var T $x in a function: the variable has that type from there on.
    if (!docs_[known].type_name.empty() && frames_.scope_kind() == ScopeKind::kFunction) {
      const std::uint32_t end = facts_.scopes[frames_.scope()].range.end;
      sink_.add_narrowing(
          {sink_.id_of(docs_[known].type_name), {comment.end, end}, docs_[known].type});
    }
    if (docs_[known].templates.empty()) return;
    // Scopes must stay in source order.
    if (facts_.scopes.back().range.begin > comment.begin || docs_[known].scope != kNoIndex) return;
    const std::uint32_t scope =
        sink_.add_scope({ScopeKind::kTypeParameters, frames_.scope(), comment, kNoIndex});
    docs_[known].scope = scope;
    for (const DocTemplate& one : docs_[known].templates) {
      sink_.add_binding(one.name, scope, BindingKind::kTypeParameter, kNoIndex, one.offset,
                        one.bound);
    }
    return;
  }
  if (text.find("@typedef") != std::string_view::npos ||
      text.find("@import") != std::string_view::npos) {
    DocReader::Tags(*this, comment).declare();
    sink_.add_document(comment);
  }
}

}  // namespace codexmem::parse
