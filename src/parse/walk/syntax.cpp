#include "parse/walk/syntax.h"

#include <bit>
#include <new>
#include <utility>

#include <tree_sitter/api.h>

#include "base/result.h"
#include "parse/walk/arena.h"
#include "parse/rules/grammar_table.h"

namespace codexmem::parse {
namespace {

static_assert(sizeof(Node) == sizeof(TSNode) && alignof(Node) == alignof(TSNode));
static_assert(sizeof(TSTreeCursor) <= 32 && alignof(TSTreeCursor) <= alignof(void*));

TSNode raw(const Node& node) { return std::bit_cast<TSNode>(node); }

Node wrap(const TSNode& node) { return std::bit_cast<Node>(node); }

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

Kind kind_of(const Node& node) { return ts_node_symbol(raw(node)); }

ByteRange range_of(const Node& node) {
  return {ts_node_start_byte(raw(node)), ts_node_end_byte(raw(node))};
}

std::uint32_t start_row(const Node& node) { return ts_node_start_point(raw(node)).row; }

std::uint32_t end_row(const Node& node) { return ts_node_end_point(raw(node)).row; }

std::uint32_t end_column(const Node& node) { return ts_node_end_point(raw(node)).column; }

Node child_by_field(const Node& node, Field field) {
  return field == 0 || !node ? Node{} : wrap(ts_node_child_by_field_id(raw(node), field));
}

Node named_child(const Node& node, std::uint32_t index) {
  return node ? wrap(ts_node_named_child(raw(node), index)) : Node{};
}

std::uint32_t named_child_count(const Node& node) {
  return node ? ts_node_named_child_count(raw(node)) : 0;
}

bool is_missing(const Node& node) { return ts_node_is_missing(raw(node)); }

bool has_error(const Node& node) { return ts_node_has_error(raw(node)); }

Cursor::Cursor(const Node& node) { new (storage_) TSTreeCursor(ts_tree_cursor_new(raw(node))); }

static TSTreeCursor* cursor(unsigned char* storage) {
  return std::launder(reinterpret_cast<TSTreeCursor*>(storage));
}

static const TSTreeCursor* cursor(const unsigned char* storage) {
  return std::launder(reinterpret_cast<const TSTreeCursor*>(storage));
}

Cursor::~Cursor() { ts_tree_cursor_delete(cursor(storage_)); }

void Cursor::reset(const Node& node) { ts_tree_cursor_reset(cursor(storage_), raw(node)); }

bool Cursor::goto_first_child() { return ts_tree_cursor_goto_first_child(cursor(storage_)); }

bool Cursor::goto_next_sibling() { return ts_tree_cursor_goto_next_sibling(cursor(storage_)); }

bool Cursor::goto_parent() { return ts_tree_cursor_goto_parent(cursor(storage_)); }

Node Cursor::node() const { return wrap(ts_tree_cursor_current_node(cursor(storage_))); }

Field Cursor::field() const { return ts_tree_cursor_current_field_id(cursor(storage_)); }

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
