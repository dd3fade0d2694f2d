// ask/code/context_pieces.h - the code that get_context shows, cut at syntax and ranked.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "ask/code/get_context.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// Gathers candidate pieces; one that shares a line with an earlier one is not added. Add what
/// matters most first. Belongs to one call.
class ContextPieces {
 public:
  /// Pieces of more than `large_bytes` are replaced by the chunks that they consist of.
  ContextPieces(store::CodeReader& reader, std::size_t large_bytes)
      : reader_(reader), large_bytes_(large_bytes) {}

  /// The whole file when it is no larger than `large_bytes`; true if it was added.
  Result<bool> add_file(const store::FileRow& file, double score, const std::string& reason);

  /// The definition `symbol` in the file at `path`. Of a large one: all its chunks in order when
  /// `whole`, else the chunk that holds `line`.
  Result<void> add_symbol(const store::SymbolRow& symbol, const std::string& path, double score,
                          const std::string& reason, bool whole, std::uint32_t line);

  /// The definition `symbol`, with the rest of its chunk when it is short.
  Result<void> add_symbol_in_chunk(const store::SymbolRow& symbol, const std::string& path,
                                   double score, const std::string& reason);

  /// The chunk that holds `line` (1-based) of the file at `path`.
  Result<void> add_chunk(const std::string& path, std::uint32_t line, double score,
                         const std::string& symbol, const std::string& reason);

  /// Lines `start_line` to `end_line` (1-based, inclusive) of the file at `path`.
  Result<void> add_lines(const std::string& path, std::uint32_t start_line, std::uint32_t end_line,
                         double score, const std::string& symbol, const std::string& reason);

  std::size_t size() const { return pieces_.size(); }

  /// The pieces, best first; ties in the order in which they were added.
  std::vector<CodePiece> take();

 private:
  struct Source {
    store::FileId id{};
    std::string text;
    std::vector<std::size_t> line_begins;  // byte offset of each line
  };

  Result<const Source*> source(const std::string& path);

  store::CodeReader& reader_;
  std::size_t large_bytes_;
  std::map<std::string, Source> sources_;
  std::vector<CodePiece> pieces_;
};

}  // namespace codexmem::ask
