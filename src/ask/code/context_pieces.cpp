#include "ask/code/context_pieces.h"

#include <algorithm>
#include <utility>

#include "privacy/shown_code.h"

namespace codexmem::ask {

namespace {

// A definition below this says little alone: constants, one-line functions.
constexpr std::size_t kShortBytes = 400;

// Chunks are about this large (docs/how-it-works.md, "Search").
constexpr std::size_t kPartBytes = 1600;

// Neighbouring chunks.
struct Part {
  ByteRange range;
  std::uint32_t start_line = 1, end_line = 1;
};

}  // namespace

Result<const ContextPieces::Source*> ContextPieces::source(const std::string& path) {
  const auto known = sources_.find(path);
  if (known != sources_.end()) return &known->second;
  Source source;
  CODEXMEM_ASSIGN(const auto file, reader_.find_file(path));
  if (file) {
    source.id = file->id;
    CODEXMEM_ASSIGN(auto content, reader_.find_content(file->id));
    source.text = std::move(content).value_or("");
  }
  source.line_begins.push_back(0);
  for (std::size_t i = 0; i < source.text.size(); ++i) {
    if (source.text[i] == '\n') source.line_begins.push_back(i + 1);
  }
  return &sources_.emplace(path, std::move(source)).first->second;
}

Result<void> ContextPieces::add_lines(const std::string& path, std::uint32_t start_line,
                                      std::uint32_t end_line, double score,
                                      const std::string& symbol, const std::string& reason) {
  const bool seen = std::any_of(pieces_.begin(), pieces_.end(), [&](const CodePiece& piece) {
    return piece.path == path && piece.start_line <= end_line && start_line <= piece.end_line;
  });
  if (seen) return {};
  CODEXMEM_ASSIGN(const Source* const file, source(path));
  const auto& begins = file->line_begins;
  if (start_line < 1 || start_line > begins.size() || end_line < start_line) return {};
  const std::size_t begin = begins[start_line - 1];
  const std::size_t end = end_line < begins.size() ? begins[end_line] : file->text.size();
  std::string content = privacy::shown_code(
      file->text, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) {
    content.pop_back();
  }
  if (content.empty()) return {};
  pieces_.push_back({path, start_line, end_line, score, symbol, reason, std::move(content)});
  return {};
}

Result<bool> ContextPieces::add_file(const store::FileRow& file, double score,
                                     const std::string& reason) {
  CODEXMEM_ASSIGN(const Source* const text, source(file.path));
  if (text->text.size() > large_bytes_ || text->text.empty()) return false;
  CODEXMEM_TRY(
      add_lines(file.path, 1, std::max<std::uint32_t>(file.line_count, 1), score, "", reason));
  return true;
}

Result<void> ContextPieces::add_symbol(const store::SymbolRow& symbol, const std::string& path,
                                       double score, const std::string& reason, bool whole,
                                       std::uint32_t line) {
  const std::string name = symbol.qualified_name();
  if (symbol.range.size() <= large_bytes_) {
    return add_lines(path, symbol.start.line, symbol.end.line, score, name, reason);
  }
  CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(store::file_of(symbol.id)));
  std::vector<Part> parts;
  for (const store::ChunkRow& chunk : chunks) {
    if (chunk.range.empty() || chunk.range.end <= symbol.range.begin ||
        chunk.range.begin >= symbol.range.end) {
      continue;
    }
    // The head of a class is a chunk of its own: small ones join.
    if (!parts.empty() && chunk.range.end - parts.back().range.begin <= kPartBytes) {
      parts.back().range.end = chunk.range.end;
      parts.back().end_line = chunk.end_line;
    } else {
      parts.push_back({chunk.range, chunk.start_line, chunk.end_line});
    }
  }
  double step = 0;
  for (const Part& part : parts) {
    if (!whole && (line < part.start_line || line > part.end_line)) continue;
    CODEXMEM_TRY(add_lines(path, part.start_line, part.end_line, std::max(score - step, 0.0), name,
                           reason + ", in part"));
    step += 0.01;  // the parts keep their order
  }
  return {};
}

Result<void> ContextPieces::add_symbol_in_chunk(const store::SymbolRow& symbol,
                                                const std::string& path, double score,
                                                const std::string& reason) {
  if (symbol.range.size() < kShortBytes) {
    CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(store::file_of(symbol.id)));
    for (const store::ChunkRow& chunk : chunks) {
      if (!chunk.range.contains(symbol.range) || chunk.range.size() > large_bytes_) continue;
      return add_lines(path, chunk.start_line, chunk.end_line, score, "", reason);
    }
  }
  return add_symbol(symbol, path, score, reason, true, 0);
}

Result<void> ContextPieces::add_chunk(const std::string& path, std::uint32_t line, double score,
                                      const std::string& symbol, const std::string& reason) {
  CODEXMEM_ASSIGN(const Source* const file, source(path));
  CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(file->id));
  for (const store::ChunkRow& chunk : chunks) {
    if (line < chunk.start_line || line > chunk.end_line) continue;
    return add_lines(path, chunk.start_line, chunk.end_line, score, symbol, reason);
  }
  return {};
}

std::vector<CodePiece> ContextPieces::take() {
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const CodePiece& a, const CodePiece& b) { return a.score > b.score; });
  return std::move(pieces_);
}

}  // namespace codexmem::ask
