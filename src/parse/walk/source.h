// parse/walk/source.h - a file's text and tree, read by the rules of its language.
//
// Internal to parse. Answers questions about a node and the nodes below it, independently of the
// walk's place. Not thread-safe; reusable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "parse/preprocess/macro_makers.h"
#include "parse/rules/rules.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {

class Source {
 public:
  /// Begins a new file. `rules` and `text` must outlive its reading.
  void reset(const Rules& rules, std::string_view text) {
    rules_ = &rules;
    text_ = text;
    makers_.reset();
  }

  const Rules& rules() const { return *rules_; }
  const KindRules& rules_of(const Node& node) const { return (*rules_)[kind_of(node)]; }

  std::string_view text() const { return text_; }
  std::string_view text_of(ByteRange range) const {
    return text_.substr(range.begin, range.size());
  }
  std::string_view text_of(const Node& node) const { return text_of(range_of(node)); }
  /// The offset of `part`, a piece of text().
  std::uint32_t offset_of(std::string_view part) const {
    return static_cast<std::uint32_t>(part.data() - text_.data());
  }

  bool matches(const Pattern& pattern, const Node& node, Captures* captures) const {
    return rules_->matches(pattern, node, text_, captures) &&
           (pattern.predicates.empty() || are_makers(pattern, *captures));
  }

  /// The name for look-ups: a quoted key without its quotes, Ruby's :name without its colon. Also
  /// removes the quotes of module paths.
  std::string_view member_name(const Node& name) const;

  /// True for the language's blank name, which binds nothing.
  bool is_blank(std::string_view name) const;

  /// True for a node that opens such a scope: functions, classes.
  bool opens(ScopeKind kind, const Node& node) const;

  /// True for a call that imports a module by a literal name.
  bool is_require(const Node& node) const;

  /// Calls `visit` with each named child of `node` except comments, and with its rules; at most
  /// `limit` times.
  template <typename Visit>
  void each_child(const Node& node, std::uint32_t limit, Visit visit);

 private:
  bool are_makers(const Pattern& pattern, const Captures& captures) const;

  const Rules* rules_ = nullptr;
  std::string_view text_;
  mutable std::optional<MacroMakers> makers_;  // read on first use
  // each_child() may run at several depths. The cursors are kept because each allocates memory.
  std::vector<std::unique_ptr<Cursor>> cursors_;
  std::size_t open_cursors_ = 0;
};

/// The bytes of a key's name in `text` without its ending: Elixir's `name: `.
inline std::size_t key_size(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return end != std::string_view::npos && end > 0 && text[end] == ':' && text[0] != ':'
             ? end
             : text.size();
}

/// True for a template string with parts to fill in, which does not name a module.
inline bool is_computed(std::string_view source) {
  return source.starts_with('`') && source.find("${") != std::string_view::npos;
}

template <typename Visit>
void Source::each_child(const Node& node, std::uint32_t limit, Visit visit) {
  if (open_cursors_ == cursors_.size()) cursors_.push_back(std::make_unique<Cursor>(node));
  Cursor& cursor = *cursors_[open_cursors_++];
  cursor.reset(node);
  for (bool more = cursor.goto_first_child(); more && limit > 0;
       more = cursor.goto_next_sibling()) {
    const Node child = cursor.node();
    const KindRules& rules = rules_of(child);
    if (!rules.is_named || rules.is_comment) continue;
    visit(child, rules);
    --limit;
  }
  --open_cursors_;
}

}  // namespace codexmem::parse
