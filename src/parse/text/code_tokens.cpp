// Tested by parse/code_tokens_test.cpp.
#include "parse/text/code_tokens.h"

#include <algorithm>
#include <utility>

#include "parse/rules/rules.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {
namespace {

enum class NodeRole : std::uint8_t { kOther, kComment, kBlock };

std::vector<NodeRole> roles_of(const Grammar& grammar) {
  std::vector<NodeRole> roles(grammar.kind_count());
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const auto kind = static_cast<Kind>(i);
    if (!grammar.is_named(kind)) continue;
    const std::string_view name = grammar.kind_name(kind);
    if (name.find("comment") != std::string_view::npos) roles[i] = NodeRole::kComment;
    if (name == "block") roles[i] = NodeRole::kBlock;
  }
  return roles;
}

class TokenWalk {
 public:
  TokenWalk(std::vector<NodeRole> roles, std::string_view text)
      : roles_(std::move(roles)), text_(text) {}

  std::vector<CodeToken> walk(const Node& root) {
    Cursor cursor(root);
    for (;;) {
      const Node node = cursor.node();
      const NodeRole role = role_of(node);
      const bool is_comment = role == NodeRole::kComment && !is_directive(range_of(node));
      if (!is_comment && !open_.empty() && open_.back()) next_depth_ = depth_;
      if (is_comment) {
        skip(range_of(node));
      } else if (cursor.goto_first_child()) {
        open_.push_back(role == NodeRole::kBlock && !is_braced(node));
        depth_ += open_.back() ? 1U : 0U;
        continue;
      } else {
        add(range_of(node));
      }
      while (!cursor.goto_next_sibling()) {
        if (!cursor.goto_parent()) {
          add_gap(text_.size());
          return std::move(tokens_);
        }
        depth_ -= open_.back() ? 1U : 0U;
        open_.pop_back();
      }
    }
  }

 private:
  NodeRole role_of(const Node& node) const {
    const Kind kind = kind_of(node);
    return kind < roles_.size() ? roles_[kind] : NodeRole::kOther;
  }
  bool is_braced(const Node& node) const {
    const std::uint32_t begin = range_of(node).begin;
    return begin < text_.size() && text_[begin] == '{';
  }
  // A comment that a compiler or checker reads.
  bool is_directive(ByteRange range) const {
    const std::string_view comment = text_.substr(range.begin, range.size());
    for (const std::string_view begin : {"//go:", "// +build", "//+build", "# type:", "// @ts-"}) {
      if (comment.starts_with(begin)) return true;
    }
    return false;
  }
  void add(ByteRange range) {
    add_gap(range.begin);
    if (range.begin < range.end) push(range);
    end_ = std::max(end_, range.end);
  }
  void skip(ByteRange range) {
    add_gap(range.begin);
    end_ = std::max(end_, range.end);
  }
  // Adds text that no leaf covers: parts of strings in some grammars.
  void add_gap(std::size_t end) {
    const auto is_space = [&](std::uint32_t at) {
      return std::string_view(" \t\r\n\f\v").find(text_[at]) != std::string_view::npos;
    };
    auto last = static_cast<std::uint32_t>(std::min(end, text_.size()));
    std::uint32_t first = end_;
    while (first < last && is_space(first)) ++first;
    while (first < last && is_space(last - 1)) --last;
    if (first < last) push({first, last});
  }
  void push(ByteRange range) { tokens_.push_back({range, std::exchange(next_depth_, 0)}); }

  std::vector<NodeRole> roles_;
  std::string_view text_;
  std::vector<CodeToken> tokens_;
  std::uint32_t end_ = 0;         // of the text read so far
  std::vector<bool> open_;        // for each enclosing node: is it a block marked only by
                                  // indentation?
  std::uint32_t depth_ = 0;       // number of such blocks
  std::uint32_t next_depth_ = 0;  // of the next token
};

}  // namespace

Result<std::optional<std::vector<CodeToken>>> code_tokens(const Language& language,
                                                          std::string_view text,
                                                          const std::stop_token& stop) {
  using Tokens = std::optional<std::vector<CodeToken>>;
  if (!language.has_grammar) return Tokens();
  const Grammar grammar = Rules::of(language).grammar();
  const Tree tree = parse_text(grammar, text, Budget::of_text(text.size(), stop));
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "code_tokens: stopped"};
  if (!tree) return Tokens();
  return Tokens(TokenWalk(roles_of(grammar), text).walk(tree.root()));
}

bool is_keyword(const Language& language, std::string_view word) {
  return language.has_grammar && Rules::of(language).grammar().kind(word, /*named=*/false) != 0;
}

}  // namespace codexmem::parse
