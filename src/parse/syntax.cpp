#include "parse/syntax.h"

#include <time.h>

#include <bit>
#include <new>
#include <utility>

#include <tree_sitter/api.h>

#include "base/result.h"
#include "parse/grammar_table.h"

namespace codexmem::parse {
namespace {

static_assert(sizeof(Node) == sizeof(TSNode) && alignof(Node) == alignof(TSNode));
static_assert(sizeof(TSTreeCursor) <= 32 && alignof(TSTreeCursor) <= alignof(void*));

TSNode raw(const Node& node) { return std::bit_cast<TSNode>(node); }

Node wrap(const TSNode& node) { return std::bit_cast<Node>(node); }

const TSLanguage* language(const void* grammar) { return static_cast<const TSLanguage*>(grammar); }

// Processor time of this thread.
std::chrono::nanoseconds thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// What parse() waits for; read by the progress callback, which runs every few hundred operations.
// The limit is one of processor time, so that a busy machine gives the same facts as an idle one;
// the clock on the wall, which is cheaper to read, says when to look.
struct Deadline {
  std::chrono::steady_clock::time_point wall_end;
  std::chrono::nanoseconds thread_end;
  std::stop_token stop;
};

bool is_over(TSParseState* state) {
  const auto& deadline = *static_cast<const Deadline*>(state->payload);
  return deadline.stop.stop_requested() || (std::chrono::steady_clock::now() >= deadline.wall_end &&
                                            thread_time() >= deadline.thread_end);
}

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
  return wrap(ts_node_child_by_field_id(raw(node), field));
}

Node named_child(const Node& node, std::uint32_t index) {
  return wrap(ts_node_named_child(raw(node), index));
}

std::uint32_t named_child_count(const Node& node) { return ts_node_named_child_count(raw(node)); }

bool has_error(const Node& node) { return ts_node_has_error(raw(node)); }

bool is_missing(const Node& node) { return ts_node_is_missing(raw(node)); }

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

Tree::~Tree() {
  if (raw_ != nullptr) ts_tree_delete(static_cast<TSTree*>(raw_));
}

Tree& Tree::operator=(Tree&& other) noexcept {
  std::swap(raw_, other.raw_);
  return *this;
}

Node Tree::root() const { return wrap(ts_tree_root_node(static_cast<const TSTree*>(raw_))); }

Parser::Parser(Grammar grammar) : raw_(ts_parser_new()) {
  bool accepted = ts_parser_set_language(static_cast<TSParser*>(raw_), language(grammar.raw()));
  CODEXMEM_CHECK(accepted);
}

Parser::~Parser() { ts_parser_delete(static_cast<TSParser*>(raw_)); }

Tree Parser::parse(std::string_view text, std::chrono::milliseconds time_limit,
                   std::stop_token stop) {
  auto* parser = static_cast<TSParser*>(raw_);
  Deadline deadline{std::chrono::steady_clock::now() + time_limit, thread_time() + time_limit,
                    std::move(stop)};
  TSInput input{&text, read_text, TSInputEncodingUTF8, nullptr};
  TSTree* tree = ts_parser_parse_with_options(parser, nullptr, input, {&deadline, is_over});
  // An interrupted parse would go on with the old text at the next call.
  if (tree == nullptr) ts_parser_reset(parser);
  return Tree(tree);
}

}  // namespace codexmem::parse
