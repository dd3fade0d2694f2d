// Reads the parts around a symbol's name: modifiers, decorators, signature, documentation.
//
// Modifiers are tokens and decorators before the name, in the symbol's node and in the wrappers
// around it. Tested by golden_test.cpp.
#include "parse/walk/modifiers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace codexmem::parse {
namespace {

// A longer value is left out of its variable's signature.
constexpr std::uint32_t kMaxValueBytes = 80;
constexpr std::uint32_t kMaxListDepth = 32;  // between a member and the enclosing body

bool is_all_space(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}
// True for statements like `const a = 1, b = 2`.
bool declares_names(const KindRules& rules) {
  return std::ranges::any_of(rules.patterns, [](const Pattern& pattern) {
    return pattern.action == Action::kDeclaration;
  });
}
}  // namespace

void Surroundings::reset() {
  comments_.reset(source_.text(), source_.rules().doc_style() == DocStyle::kCommentRun);
  decorators_.clear();
  documentation_ = {};
}

void Surroundings::note_decorator(std::uint32_t index) {
  if (decorators_parent_ != index - 1) decorators_.clear();
  decorators_parent_ = index - 1;
  decorators_.push_back(frames_[index].node);
}

void Surroundings::note_access(std::uint32_t index) {
  if (index > 0) frames_[index - 1].access = text_of(frames_[index].node);
}

std::string_view Surroundings::access_of(std::uint32_t index) const {
  for (std::uint32_t at = index; at > 0 && index - at < kMaxListDepth; --at) {
    const Frame& list = frames_[at - 1];
    if (!list.access.empty()) return list.access;
    if (list.node &&
        kind_of(list.node) == source_.rules().declarator_kinds().field_declaration_list) {
      const bool in_class = at > 1 && text_of(frames_[at - 2].node).starts_with("class");
      return in_class ? "private" : "public";
    }
    if (list.symbol != kNoIndex) break;
  }
  return {};
}

void Surroundings::read_decorator(const Node& node, Modifiers* modifiers) const {
  std::string_view text = text_of(node);
  if (text.starts_with("#[") || text.starts_with('[')) {
    modifiers->texts.push_back(std::string(text.substr(0, text.find_first_of("(=, \t\r\n]"))) +
                               "]");
    return;
  }
  std::size_t end = text.find_first_of("(\n\r");
  modifiers->texts.emplace_back(trim(text.substr(0, end)));
  for (const Pattern& pattern : rules_of(node).patterns) {
    if (pattern.action != Action::kDecoratorKind) continue;
    Captures captures;
    if (!source_.matches(pattern, node, &captures)) continue;
    constexpr std::string_view kAccessors[] = {"getter", "setter", "deleter"};
    if (pattern.sort < std::size(kAccessors)) modifiers->accessor = kAccessors[pattern.sort];
  }
}

Modifiers Surroundings::collect_modifiers(std::uint32_t index, ByteRange name_range) const {
  Modifiers modifiers;
  // Find the outermost wrapper; a declaration of several names does not count as one name's.
  std::uint32_t outermost = index;
  std::uint32_t ranged = index;
  bool is_shared = false;
  while (outermost > 0 && index - outermost < kMaxWrappers &&
         frames_[outermost - 1].rules->is_wrapper) {
    --outermost;
    if (outermost + 1 == index && declares_names(*frames_[outermost].rules) &&
        named_child_count(frames_[outermost].node) > 1) {
      is_shared = true;
    }
    if (!is_shared) ranged = outermost;
  }
  modifiers.range_begin = range_of(frames_[ranged].node).begin;
  modifiers.signature_begin = modifiers.range_begin;

  // Decorators before the node among its siblings.
  std::vector<Node> before;
  if (outermost > 0 && decorators_parent_ == outermost - 1) {
    std::uint32_t begin = modifiers.range_begin;
    for (auto at = decorators_.rbegin(); at != decorators_.rend(); ++at) {
      ByteRange range = range_of(*at);
      if (range.end > begin || !is_all_space(text_of(ByteRange{range.end, begin}))) break;
      before.insert(before.begin(), *at);
      begin = range.begin;
    }
    modifiers.range_begin = begin;
  }
  for (const Node& decorator : before) read_decorator(decorator, &modifiers);

  for (std::uint32_t at = outermost; at <= index; ++at) {
    if (frames_[at].rules->is_export_wrapper) modifiers.is_exported = true;
    bool is_anonymous_default = name_range.empty() && at == outermost;
    read_modifiers(frames_[at].node, is_anonymous_default ? UINT32_MAX : name_range.begin,
                   &modifiers);
  }
  return modifiers;
}

// Adds the modifiers among the children of `node`, before byte `end`.
void Surroundings::read_modifiers(const Node& node, std::uint32_t end, Modifiers* modifiers) const {
  Cursor cursor(node);
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    Node child = cursor.node();
    ByteRange range = range_of(child);
    if (range.begin >= end) break;
    const KindRules& rules = rules_of(child);
    if (rules.is_modifier_list) {
      read_modifiers(child, end, modifiers);
      continue;
    }
    if (!rules.is_modifier) {
      // The declaration itself begins. Stop, or a long list of names would be read again for each
      // name.
      if (rules.is_named && !rules.is_comment) break;
      continue;
    }
    if (rules.is_decorator) {
      read_decorator(child, modifiers);
      if (!modifiers->has_keyword) {
        std::size_t next = source_.text().find_first_not_of(" \t\r\n", range.end);
        modifiers->signature_begin =
            static_cast<std::uint32_t>(next == std::string_view::npos ? range.end : next);
      }
      continue;
    }
    modifiers->has_keyword = true;
    std::string_view text = text_of(range);
    if (text == "default") modifiers->is_default = true;
    if (text == "private") modifiers->is_private = true;
    modifiers->texts.emplace_back(text);
  }
}

ByteRange Surroundings::signature(std::uint32_t index, const Node& body, const Node& value,
                                  std::uint32_t begin) const {
  std::uint32_t end = range_of(frames_[index].node).end;
  if (body) {
    end = range_of(body).begin;
  } else if (value) {
    const ByteRange range = range_of(value);
    if (range.begin >= begin &&
        (range.size() > kMaxValueBytes || text_of(range).find('\n') != std::string_view::npos)) {
      end = range.begin;
    }
  }
  return {begin, std::max(begin, end)};
}

ByteRange Surroundings::docstring(const Node& body, std::uint32_t begin, std::uint32_t name_begin) {
  if (const ByteRange text = std::exchange(documentation_, {}); !text.empty()) {
    if (text.end <= begin &&
        trim(text_of(ByteRange{text.end, begin})).size() <= documentation_gap_) {
      return text;
    }
  }
  if (source_.rules().doc_style() == DocStyle::kBodyString) {
    if (!body) return {};
    Node first;
    for (std::uint32_t i = 0; i < 8; ++i) {
      first = named_child(body, i);
      if (!first || !rules_of(first).is_comment) break;
    }
    if (!first) return {};
    for (const Pattern& pattern : rules_of(first).docstring_patterns) {
      Captures captures;
      if (source_.matches(pattern, first, &captures)) {
        return range_of(captures[Slot::kValue]);
      }
    }
    return {};
  }
  return comments_.before(begin, name_begin);
}

bool Surroundings::is_in_unnamed_namespace() const {
  const Kind kind = source_.rules().declarator_kinds().namespace_definition;
  if (kind == 0) return false;
  for (std::uint32_t i = 0; i < frames_.size(); ++i) {
    const Node& node = frames_[i].node;
    if (kind_of(node) == kind && !child_by_field(node, fields().name)) return true;
  }
  return false;
}

bool Surroundings::is_exported(const Symbol& symbol, const Modifiers& modifiers) const {
  const Symbol* parent = symbol.parent == kNoIndex ? nullptr : &facts_.symbols[symbol.parent];
  const bool in_function = parent != nullptr && (parent->type == SymbolType::kFunction ||
                                                 parent->type == SymbolType::kMethod);
  const bool is_member = symbol.type == SymbolType::kMethod || symbol.type == SymbolType::kProperty;
  const bool sees_parent = parent == nullptr || parent->exported || parent->kind == "namespace";
  const auto has = [&](std::string_view modifier) {
    return std::ranges::find(symbol.modifiers, modifier) != symbol.modifiers.end();
  };
  switch (source_.rules().visibility()) {
    case Visibility::kStatement:
      if (modifiers.is_exported) return true;
      return parent != nullptr && parent->exported && is_member && !modifiers.is_private &&
             !symbol.name.starts_with('#') && !in_function;
    case Visibility::kName: {
      // finish_facts() applies __all__.
      bool is_public = !symbol.name.starts_with('_') || symbol.name.ends_with("__");
      return parent == nullptr
                 ? is_public && frames_.scope_kind() == ScopeKind::kModule
                 : is_public && parent->exported && parent->type == SymbolType::kClass;
    }
    case Visibility::kCapital:
      return !in_function && symbol.name.front() >= 'A' && symbol.name.front() <= 'Z';
    case Visibility::kPublic:
      return sees_parent && !in_function &&
             (symbol.kind == "namespace" || has("public") || has("protected") ||
              symbol.kind == "enum_member" ||
              (parent != nullptr && parent->type == SymbolType::kInterface && !has("private")));
    case Visibility::kPub: {
      if (in_function) return false;
      if (has("#[macro_export]")) return true;
      const bool is_public = std::ranges::any_of(
          symbol.modifiers, [](const std::string& text) { return text.starts_with("pub"); });
      const bool follows = symbol.kind == "enum_member" ||
                           (parent != nullptr && parent->type == SymbolType::kInterface);
      const bool implements = frames_.container() != nullptr && frames_.container()->is_public;
      return is_public || implements || (follows && sees_parent);
    }
    case Visibility::kLinkage: {
      const bool in_class = parent != nullptr && parent->type == SymbolType::kClass;
      return sees_parent && !in_function && !has("private") && symbol.kind != "include_guard" &&
             (in_class || (!has("static") && !is_in_unnamed_namespace()));
    }
    case Visibility::kAccess:
      return sees_parent && !in_function && !has("private");
    case Visibility::kLocal:
      return !in_function && (parent != nullptr || !has("local"));
  }
  return false;
}

}  // namespace codexmem::parse
