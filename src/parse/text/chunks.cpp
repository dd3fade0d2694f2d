// A group is a run of comments and decorators with the node after them. The group of a function or
// a type is its own chunk, so that a search result is one thing with its comment. Groups of other
// nodes, and of very short definitions, are added to the open chunk while it spans at most
// kChunkBytes. If a group alone is larger and its last node can be divided, the node's children are
// chunked instead. The recursion uses a cursor and a level counter, so that depth takes no stack.
// Tested by chunks_test.cpp.
#include "parse/text/chunks.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::parse {
namespace {

// A node with fewer bytes is not divided.
constexpr std::uint32_t kDivisibleBytes = 800;

// A larger node without parts, such as a page's text or a document in a string, is cut by lines.
constexpr std::uint32_t kLongNodeBytes = 4 * kChunkBytes;

constexpr std::uint32_t kMarkBytes = 2;  // "{", "}", "};"

// A definition with fewer bytes shares a chunk with its neighbours.
constexpr std::uint32_t kOwnChunkBytes = 400;

// The bytes and lines of one or more nodes.
struct Span {
  ByteRange range;
  std::uint32_t first_row = 0;
  std::uint32_t last_row = 0;
};

// The rows of a text, as Tree-sitter counts them.
class Rows {
 public:
  explicit Rows(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
      ends_.push_back(static_cast<std::uint32_t>(at));
    }
  }

  Span span_of(ByteRange range) const {
    // What ends at the start of a line ends with the line before.
    const std::uint32_t last = range.empty() ? range.end : range.end - 1;
    return {range, row_of(range.begin), row_of(last)};
  }

 private:
  std::uint32_t row_of(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(ends_, offset) - ends_.begin());
  }

  std::vector<std::uint32_t> ends_;
};

void extend(std::optional<Span>& open, const Span& added) {
  if (!open) {
    open = added;
    return;
  }
  open->range.end = added.range.end;
  open->last_row = added.last_row;
}

bool is_piece(SymbolType type) {
  return type != SymbolType::kVariable && type != SymbolType::kProperty;
}

class TreeChunker {
 public:
  TreeChunker(const Rules& rules, const Node& root, std::string_view text,
              std::span<const Symbol> symbols)
      : rules_(rules), text_(text), rows_(text), symbols_(symbols), cursor_(root) {}

  std::vector<Chunk> run() {
    if (!cursor_.goto_first_child()) return {};
    std::size_t depth = 0;
    while (true) {
      Node node = cursor_.node();
      const KindRules& rules = rules_[kind_of(node)];
      Span span = rows_.span_of(range_of(node));
      if (span.range.empty()) {
        // Empty: a missing token.
      } else if (rules.is_comment || rules.is_decorator) {
        extend(leading_, span);
      } else if (put_group(span)) {
        if (cursor_.goto_first_child()) {
          ++depth;
          continue;
        }
      }
      while (!cursor_.goto_next_sibling()) {
        flush_leading();
        if (depth == 0) {
          close();
          return std::move(chunks_);
        }
        cursor_.goto_parent();
        --depth;
        close();
      }
    }
  }

 private:
  // Puts the pending comments and `last` into chunks, or returns true when the children of the node
  // that spans `last` must be chunked instead.
  bool put_group(const Span& last) {
    std::optional<Span> group = leading_;
    extend(group, last);
    if (group->range.size() <= kChunkBytes) {
      leading_.reset();
      const bool is_alone = is_definition(last.range);
      if (is_alone) close();
      append(*group);
      if (is_alone) close();
      return false;
    }
    close();
    if (last.range.size() > kDivisibleBytes && has_children()) {
      flush_leading();
      return true;
    }
    leading_.reset();
    if (last.range.size() > kLongNodeBytes) {
      append_lines(*group);
      return false;
    }
    open_ = group;
    close();
    return false;
  }

  // True if at least half of `range` is a function or a type. Ranges must come in ascending order.
  bool is_definition(ByteRange range) {
    if (range.size() < kOwnChunkBytes) return false;
    while (next_ < symbols_.size() && symbols_[next_].range.begin < range.begin) ++next_;
    for (std::size_t i = next_; i < symbols_.size() && symbols_[i].range.begin < range.end; ++i) {
      if (is_piece(symbols_[i].type) && 2 * symbols_[i].range.size() >= range.size()) return true;
    }
    return false;
  }

  bool has_children() {
    if (!cursor_.goto_first_child()) return false;
    cursor_.goto_parent();
    return true;
  }

  void append_lines(const Span& span) {
    close();
    for (Chunk chunk : chunk_lines(text_.substr(span.range.begin, span.range.size()))) {
      chunk.range.begin += span.range.begin;
      chunk.range.end += span.range.begin;
      chunk.start_line += span.first_row;
      chunk.end_line += span.first_row;
      chunks_.push_back(chunk);
    }
  }

  // Comments without a node after them, or before a divided node, form a group.
  void flush_leading() {
    if (!leading_) return;
    Span span = *leading_;
    leading_.reset();
    if (span.range.size() > kChunkBytes) {
      close();
      open_ = span;
      close();
    } else {
      append(span);
    }
  }

  void append(const Span& span) {
    // A brace or comma between two chunks belongs to the first.
    if (!open_ && !chunks_.empty() && span.range.size() <= kMarkBytes &&
        chunks_.back().range.size() < kChunkBytes) {
      chunks_.back().range.end = span.range.end;
      chunks_.back().end_line = span.last_row + 1;
      return;
    }
    if (open_ && span.range.end - open_->range.begin > kChunkBytes) close();
    extend(open_, span);
  }

  void close() {
    if (!open_) return;
    chunks_.push_back({open_->range, open_->first_row + 1, open_->last_row + 1});
    open_.reset();
  }

  const Rules& rules_;
  std::string_view text_;
  Rows rows_;
  std::span<const Symbol> symbols_;
  std::size_t next_ = 0;  // the first symbol that does not begin before the current place
  Cursor cursor_;
  std::optional<Span> leading_;  // comments and decorators that wait for their node
  std::optional<Span> open_;
  std::vector<Chunk> chunks_;
};

// Text in no node, which the grammar skipped, joins the previous chunk, or the first one.
void cover_gaps(std::string_view text, std::vector<Chunk>& chunks) {
  const auto has_text = [&](std::size_t begin, std::size_t end) {
    return begin < end && text.substr(begin, end - begin).find_first_not_of(" \t\r\n\f\v") !=
                              std::string_view::npos;
  };
  if (chunks.empty()) {
    if (has_text(0, text.size())) chunks = chunk_lines(text);
    return;
  }
  if (has_text(0, chunks.front().range.begin)) {
    chunks.front().range.begin = 0;
    chunks.front().start_line = 1;
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::size_t next = i + 1 < chunks.size() ? chunks[i + 1].range.begin : text.size();
    if (!has_text(chunks[i].range.end, next)) continue;
    const std::string_view gap = text.substr(chunks[i].range.end, next - chunks[i].range.end);
    const std::size_t size = gap.find_last_not_of(" \t\r\n\f\v") + 1;
    chunks[i].range.end += static_cast<std::uint32_t>(size);
    chunks[i].end_line += static_cast<std::uint32_t>(std::ranges::count(gap.substr(0, size), '\n'));
  }
}

}  // namespace

std::vector<Chunk> chunk_tree(const Rules& rules, const Node& root, std::string_view text,
                              std::span<const Symbol> symbols) {
  std::vector<Chunk> chunks = TreeChunker(rules, root, text, symbols).run();
  cover_gaps(text, chunks);
  return chunks;
}

// The start of the word that `end` cuts; `end` itself if that is not near.
std::size_t before_word(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kMaxBack = kChunkBytes / 4;
  std::size_t at = end;
  while (at > begin && end - at < kMaxBack && is_word_char(text[at - 1]) && is_word_char(text[at]))
    --at;
  const bool is_word_start = at > begin && end - at < kMaxBack;
  return is_word_start ? at : end;
}

std::vector<Chunk> chunk_lines(std::string_view text) {
  std::vector<Chunk> chunks;
  std::uint32_t line = 1;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = begin;
    std::uint32_t lines = 0;
    while (end < text.size()) {
      std::size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
      if (next - begin > kChunkBytes) break;
      end = next;
      ++lines;
    }
    Chunk chunk;
    chunk.start_line = line;
    if (lines == 0) {
      // A single line is too long: take a piece of it.
      end = begin + std::max<std::size_t>(utf8_prefix(text.substr(begin), kChunkBytes).size(), 1);
      std::size_t line_end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      end = std::min(end, line_end);
      if (end < line_end) end = before_word(text, begin, end);
      chunk.end_line = line;
      if (end == line_end) ++line;
    } else {
      chunk.end_line = line + lines - 1;
      line += lines;
    }
    chunk.range = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    chunks.push_back(chunk);
    begin = end;
  }
  return chunks;
}

}  // namespace codexmem::parse
