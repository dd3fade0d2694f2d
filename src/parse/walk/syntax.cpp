#include "parse/walk/syntax.h"

#include <utility>

// The library's own headers say how a tree lies in memory. They belong to the version that
// grammars/package.json pins.
#include <tree-sitter/lib/src/language.h>
#include <tree-sitter/lib/src/tree.h>
#include <tree_sitter/api.h>

#include "base/result.h"
#include "parse/walk/arena.h"
#include "parse/rules/grammar_table.h"

namespace codexmem::parse {
namespace {

constexpr std::uint32_t kNoPlace = 0xFFFFFFFF;

const TSTree& tree_of(const Node& node) { return *static_cast<const TSTree*>(node.tree); }

Subtree subtree_of(const Node& node) { return *static_cast<const Subtree*>(node.id); }

// Lines and columns are left out: nothing that takes such a node here reads them.
TSNode raw(const Node& node) {
  return {{node.range.begin, 0, 0, node.alias}, node.id, static_cast<const TSTree*>(node.tree)};
}

Node make_node(const TSTree& tree, const Subtree* subtree, std::uint32_t begin, Kind alias) {
  const Kind kind = alias != 0 ? alias : ts_subtree_symbol(*subtree);
  return {.id = subtree,
          .tree = &tree,
          .range = {begin, begin + ts_subtree_size(*subtree).bytes},
          .kind = kind == kErrorKind ? kind : tree.language->public_symbol_map[kind],
          .alias = alias};
}

// A node that is part of the grammar, not of the tree as shown: it has no kind of its own.
Node make_hidden(const TSTree& tree, const Subtree* subtree, std::uint32_t begin) {
  return {.id = subtree, .tree = &tree, .range = {begin, begin + ts_subtree_size(*subtree).bytes}};
}

// The children of `node`, which must have some.
Children children_of(const Node& node) {
  const SubtreeHeapData& data = *subtree_of(node).ptr;
  return {.parent = node,
          .aliases = ts_language_alias_sequence(tree_of(node).language, data.production_id),
          .count = data.child_count,
          .end = node.range.begin};
}

struct TakenChild {
  const Subtree* subtree;
  std::uint32_t begin;
  Kind alias;

  bool is_shown() const { return alias != 0 || ts_subtree_visible(*subtree); }
};

// Takes the next one, which must be there.
TakenChild take_child(Children& all) {
  const Subtree* const subtree = ts_subtree_children(subtree_of(all.parent)) + all.next;
  // A first child begins where its parent does.
  const std::uint32_t begin =
      all.next == 0 ? all.end : all.end + ts_subtree_padding(*subtree).bytes;
  all.end = begin + ts_subtree_size(*subtree).bytes;
  ++all.next;
  all.place = ts_subtree_extra(*subtree) ? kNoPlace : all.next_place++;
  const bool has_alias = all.aliases != nullptr && all.place != kNoPlace;
  return {subtree, begin, has_alias ? all.aliases[all.place] : Kind{0}};
}

// The entries of the fields of `node`'s children, by field, then by place.
std::pair<const TSFieldMapEntry*, const TSFieldMapEntry*> fields_below(const Node& node) {
  const TSFieldMapEntry* begin = nullptr;
  const TSFieldMapEntry* end = nullptr;
  ts_language_field_map(tree_of(node).language, subtree_of(node).ptr->production_id, &begin, &end);
  return {begin, end};
}

Node wrap(const TSNode& node) {
  if (node.id == nullptr) return {};
  return make_node(*node.tree, static_cast<const Subtree*>(node.id), node.context[0],
                   static_cast<Kind>(node.context[3]));
}

const TSLanguage* language(const void* grammar) { return static_cast<const TSLanguage*>(grammar); }

// Runs every few hundred operations of the parser.
bool is_over(TSParseState* state) { return static_cast<const Budget*>(state->payload)->is_over(); }

const char* read_text(void* payload, uint32_t offset, TSPoint, uint32_t* bytes_read) {
  const auto& text = *static_cast<const std::string_view*>(payload);
  if (offset >= text.size()) {
    *bytes_read = 0;
    return "";
  }
  *bytes_read = static_cast<uint32_t>(text.size()) - offset;
  return text.data() + offset;
}

}  // namespace

Grammar Grammar::find(std::string_view language_name) {
  Grammar grammar;
  for (const GrammarRow& row : grammar_table()) {
    if (row.language == language_name) grammar.raw_ = row.get();
  }
  return grammar;
}

std::size_t Grammar::kind_count() const { return ts_language_symbol_count(language(raw_)); }

Kind Grammar::kind(std::string_view name, bool named) const {
  return ts_language_symbol_for_name(language(raw_), name.data(),
                                     static_cast<uint32_t>(name.size()), named);
}

std::string_view Grammar::kind_name(Kind kind) const {
  return ts_language_symbol_name(language(raw_), kind);
}

bool Grammar::is_named(Kind kind) const {
  return kind == kErrorKind || ts_language_symbol_type(language(raw_), kind) == TSSymbolTypeRegular;
}

Field Grammar::field(std::string_view name) const {
  return ts_language_field_id_for_name(language(raw_), name.data(),
                                       static_cast<uint32_t>(name.size()));
}

bool Grammar::accepts_query(std::string_view source, std::size_t* error_offset) const {
  uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery* query = ts_query_new(language(raw_), source.data(), static_cast<uint32_t>(source.size()),
                                &offset, &error);
  *error_offset = offset;
  if (query == nullptr) return false;
  ts_query_delete(query);
  return true;
}

Node child_by_field(const Node& node, Field field) {
  for (Node around = field == 0 ? Node{} : node; around;) {
    if (ts_subtree_child_count(subtree_of(around)) == 0) return {};
    auto [entry, end] = fields_below(around);
    while (entry != end && entry->field_id < field) ++entry;
    while (entry != end && end[-1].field_id > field) --end;
    if (entry == end) return {};
    const TSTree& tree = tree_of(around);
    Children children = children_of(around);
    around = {};
    while (children.next < children.count) {
      const TakenChild child = take_child(children);
      if (children.place == kNoPlace || children.place < entry->child_index) continue;
      const Node hidden = make_hidden(tree, child.subtree, child.begin);
      if (!entry->inherited) {
        if (child.is_shown()) return make_node(tree, child.subtree, child.begin, child.alias);
        Cursor inside(hidden);
        if (inside.goto_first_child()) return inside.node();
      }
      // A field of the hidden node's children is its parent's. (The last place needs no recursion,
      // so that long lists take no stack.)
      const bool is_last = entry + 1 == end;
      if (entry->inherited && is_last) around = hidden;
      if (is_last) break;
      if (entry->inherited) {
        if (const Node found = child_by_field(hidden, field)) return found;
      }
      ++entry;
    }
  }
  return {};
}

Node named_child(const Node& node, std::uint32_t index) {
  return node ? wrap(ts_node_named_child(raw(node), index)) : Node{};
}

std::uint32_t named_child_count(const Node& node) {
  return node ? ts_node_named_child_count(raw(node)) : 0;
}

bool is_missing(const Node& node) { return ts_node_is_missing(raw(node)); }

bool has_error(const Node& node) { return ts_node_has_error(raw(node)); }

void Cursor::reset(const Node& node) {
  levels_.clear();
  node_ = node;
}

void Cursor::open(const Node& node, bool is_hidden) {
  levels_.push_back({children_of(node), is_hidden});
}

bool Cursor::goto_first_child() {
  if (!node_ || ts_subtree_child_count(subtree_of(node_)) == 0) return false;
  open(node_, false);
  if (next()) return true;
  levels_.pop_back();
  return false;
}

bool Cursor::goto_next_sibling() { return !levels_.empty() && next(); }

bool Cursor::goto_parent() {
  while (!levels_.empty()) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.is_hidden) continue;
    node_ = level.children.parent;
    return true;
  }
  return false;
}

// Goes to the next child of the innermost level that is not hidden.
bool Cursor::next() {
  for (;;) {
    Level& level = levels_.back();
    if (level.children.next == level.children.count) {
      if (!level.is_hidden) return false;
      levels_.pop_back();
      continue;
    }
    const TSTree& tree = tree_of(level.children.parent);
    const TakenChild child = take_child(level.children);
    if (child.is_shown()) {
      node_ = make_node(tree, child.subtree, child.begin, child.alias);
      return true;
    }
    if (ts_subtree_visible_child_count(*child.subtree) > 0) {
      open(make_hidden(tree, child.subtree, child.begin), true);
    }
  }
}

Field Cursor::field() const {
  // A child of hidden nodes may have a field in each of them, and in the node shown.
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const std::uint32_t place = level->children.place;
    if (place == kNoPlace) break;
    auto [entry, end] = fields_below(level->children.parent);
    for (; entry != end; ++entry) {
      if (!entry->inherited && entry->child_index == place) return entry->field_id;
    }
    if (!level->is_hidden) break;
  }
  return 0;
}

// A tree is freed with its arena: Tree-sitter would walk it to free each node.
Tree::Tree() noexcept = default;
Tree::~Tree() = default;

Tree::Tree(Tree&& other) noexcept
    : arena_(std::move(other.arena_)), raw_(std::exchange(other.raw_, nullptr)) {}

Tree& Tree::operator=(Tree&& other) noexcept {
  std::swap(arena_, other.arena_);
  std::swap(raw_, other.raw_);
  return *this;
}

Node Tree::root() const { return wrap(ts_tree_root_node(static_cast<const TSTree*>(raw_))); }

Tree parse_text(Grammar grammar, std::string_view text, const Budget& budget) {
  Tree tree;
  tree.arena_ = std::make_unique<Arena>(budget);
  const ArenaScope scope(*tree.arena_);
  try {
    TSParser* parser = ts_parser_new();
    const bool accepted = ts_parser_set_language(parser, language(grammar.raw()));
    CODEXMEM_CHECK(accepted);
    TSInput input{&text, read_text, TSInputEncodingUTF8, nullptr};
    Budget payload = budget;
    tree.raw_ = ts_parser_parse_with_options(parser, nullptr, input, {&payload, is_over});
    ts_parser_delete(parser);  // a grammar's scanner may hold memory from elsewhere
  } catch (const OverBudget&) {
    tree.raw_ = nullptr;  // the parser stopped midway; its memory is freed with the arena
  }
  return tree;
}

}  // namespace codexmem::parse
