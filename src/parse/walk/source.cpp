#include "parse/walk/source.h"

#include <algorithm>

namespace codexmem::parse {

std::string_view Source::member_name(const Node& name) const {
  std::string_view text = text_of(name);
  if (text.size() > 4 && text.front() == '[' && text.back() == ']' &&
      (text[1] == '"' || text[1] == '\'')) {
    text = text.substr(1, text.size() - 2);
  }
  const bool is_operator = text.starts_with("::") || text.ends_with(':');
  if (text.size() > 1 && text[0] == ':' && !is_operator) text.remove_prefix(1);
  text.remove_suffix(text.size() - key_size(text));
  bool is_quoted = text.size() >= 2 && text.back() == text.front() &&
                   (text.front() == '"' || text.front() == '\'' || text.front() == '`');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

bool Source::is_blank(std::string_view name) const {
  return name == "_" &&
         (rules_->visibility() == Visibility::kCapital || rules_->visibility() == Visibility::kPub);
}

bool Source::opens(ScopeKind kind, const Node& node) const {
  return std::ranges::any_of(rules_of(node).patterns, [&](const Pattern& pattern) {
    return pattern.action == Action::kScope && pattern.sort == static_cast<std::uint8_t>(kind);
  });
}

bool Source::is_require(const Node& node) const {
  for (const Pattern& pattern : rules_of(node).patterns) {
    Captures captures;
    if (pattern.action == Action::kRequire && matches(pattern, node, &captures)) {
      return !is_computed(text_of(captures[Slot::kSource]));
    }
  }
  return false;
}

bool Source::are_makers(const Pattern& pattern, const Captures& captures) const {
  return std::ranges::all_of(pattern.predicates, [&](const Predicate& predicate) {
    if (!predicate.is_making) return true;
    if (!makers_) makers_.emplace(text_);
    const Node& named = captures[static_cast<Slot>(predicate.slot)];
    return makers_->makes(text_of(named), predicate.texts) != predicate.is_negated;
  });
}

}  // namespace codexmem::parse
