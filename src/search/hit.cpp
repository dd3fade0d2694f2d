// Tested by search/engine_test.cpp.
#include "search/hit.h"

#include <algorithm>
#include <utility>

#include "parse/rules/languages.h"
#include "parse/text/leading_lines.h"
#include "privacy/shown_code.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxLinesShown = 20;
constexpr std::size_t kMaxLinesLookedAt = 1000;  // in a file, to find the best ones
constexpr std::uint32_t kNearBytes = 2048;       // before and after a match, where other matches
                                                 // are marked
constexpr double kOfPiece = 0.1;  // of a piece's value, added to the number of exact parts in a
                                  // line

PieceSymbol piece_symbol(store::SymbolRow row) {
  return {row.id, std::move(row.name), row.type, std::move(row.kind), std::move(row.container)};
}

std::size_t best_of(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

// For a chunk too small to be read by itself (a heading, one assignment): the first and last chunk
// of a range with its neighbours, following ones first, as long as all fit into `bytes`.
std::pair<std::size_t, std::size_t> piece_around(const std::vector<store::ChunkRow>& chunks,
                                                 std::size_t index, std::size_t bytes) {
  std::size_t first = index, last = index;
  if (chunks[index].range.size() >= bytes / 3) return {first, last};
  const auto fits = [&](std::size_t from, std::size_t to) {
    return chunks[to].range.end - chunks[from].range.begin <= bytes;
  };
  while (last + 1 < chunks.size() && fits(first, last + 1)) ++last;
  while (first > 0 && fits(first - 1, last)) --first;
  return {first, last};
}

void take_snippet(Snippet snippet, SearchHit* hit) {
  hit->snippet = std::move(snippet.text);
  hit->matches = std::move(snippet.matches);
  hit->snippet_line = snippet.first_line;
  hit->line = snippet.best_line;
}

// Sets the lines of a definition; returns its range.
ByteRange take_lines(const store::SymbolRow& symbol, SearchHit* hit) {
  hit->start_line = symbol.start.line;
  // The end is just after the last byte: a piece that includes its line break ends at column 1.
  hit->end_line =
      std::max(symbol.start.line, symbol.end.column == 1 ? symbol.end.line - 1 : symbol.end.line);
  return symbol.range;
}

// Sets the lines of a chunk, or of several if it is small; returns their range.
ByteRange take_lines(const std::vector<store::ChunkRow>& chunks, std::size_t index,
                     std::size_t bytes, SearchHit* hit) {
  if (index >= chunks.size()) return {};
  const auto [first, last] = piece_around(chunks, index, bytes);
  hit->start_line = chunks[first].start_line;
  hit->end_line = chunks[last].end_line;
  return {chunks[first].range.begin, chunks[last].range.end};
}

// The line of `text` that contains `at`, without its line break.
ByteRange line_around(std::string_view text, std::uint32_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return {static_cast<std::uint32_t>(before == std::string_view::npos ? 0 : before + 1),
          static_cast<std::uint32_t>(std::min(text.find('\n', at), text.size()))};
}

// The part of `range` near a line's first match at `at`, because a line may be as long as a file.
// It begins at the begin of a line or at the match.
ByteRange range_near(std::string_view text, std::uint32_t at, ByteRange range) {
  if (at - range.begin > kNearBytes) {
    const std::size_t newline = text.find('\n', at - kNearBytes);
    range.begin = static_cast<std::uint32_t>(std::min<std::size_t>(newline, at - 1) + 1);
  }
  range.end = std::min(range.end, at + kNearBytes);
  return range;
}

}  // namespace

// The innermost definition at byte `at`; a comment or decorator belongs to the definition after it.
Result<std::optional<store::SymbolRow>> HitMaker::symbol_at(store::FileId file,
                                                            std::string_view text,
                                                            std::uint32_t at) const {
  CODEXMEM_ASSIGN(auto holder, reader.find_symbol_at(file, at));
  const std::uint32_t code = parse::skip_leading_lines(text, at);
  if (code == at) return holder;
  CODEXMEM_ASSIGN(auto next, reader.find_symbol_at(file, code));
  return next.has_value() && next->range.begin > at ? next : holder;
}

// The definition named in the query.
Result<std::optional<store::SymbolRow>> HitMaker::symbol_named(const RankedFile& ranked) const {
  if (!ranked.symbol.has_value()) return std::optional<store::SymbolRow>();
  return reader.find_symbol(store::symbol_id(snapshot.id(ranked.file), *ranked.symbol));
}

// The definition to show: the piece's, the one named in the query, or with kinds the best one of
// these kinds, by its own name and its best chunk.
Result<std::optional<store::SymbolRow>> HitMaker::definition_shown(const RankedPiece& piece) const {
  const RankedFile& ranked = ranking.files[piece.file];
  const store::FileId file = snapshot.id(ranked.file);
  if (piece.definition.has_value()) {
    return reader.find_symbol(store::symbol_id(file, *piece.definition));
  }
  CODEXMEM_ASSIGN(std::optional<store::SymbolRow> shown, symbol_named(ranked));
  if (!filter.has_kinds() || (shown.has_value() && filter.keeps(shown->type, shown->kind))) {
    return shown;
  }
  shown.reset();
  CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(file));
  CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(file));
  CODEXMEM_ASSIGN(const auto values, piece_values(reader, snapshot, ranking, ranked, chunks));
  double best = -1;
  for (const store::SymbolRow& symbol : symbols) {
    if (!filter.keeps(symbol.type, symbol.kind)) continue;
    double value = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const ByteRange range = chunks[i].range;
      if (range.begin < symbol.range.end && range.end > symbol.range.begin) {
        value = std::max(value, values[i]);
      }
    }
    const auto name = snapshot.find_name(ranked.file, symbol.name);
    if (name.has_value()) {
      const auto cosine = ranking.name_cosines.find(*name);
      if (cosine != ranking.name_cosines.end()) value += cosine->second;
    }
    if (value <= best) continue;
    best = value;
    shown = symbol;
  }
  return shown;
}

Result<SearchHit> HitMaker::make(const RankedPiece& piece) {
  const RankedFile& ranked = ranking.files[piece.file];
  SearchHit hit;
  hit.path = snapshot.path(ranked.file);
  hit.language = snapshot.language(ranked.file);
  hit.generation = snapshot.file_generation(ranked.file);
  CODEXMEM_ASSIGN(const auto content, reader.find_content(snapshot.id(ranked.file)));
  std::string text = content.value_or("");
  CODEXMEM_TRY(exact == nullptr ? show_best(piece, text, &hit) : show_exact(ranked, text, &hit));
  if (hit.symbol.has_value()) {
    hit.kind = hit.symbol->kind;
  } else {
    const parse::Language* language = parse::find_language(hit.language);
    const bool is_code =
        language != nullptr && language->has_grammar && !language->is_configuration;
    hit.kind = is_code ? "code" : "text";
  }
  return hit;
}

// A small definition is shown with its neighbours: with its chunk.
Result<void> HitMaker::take_chunk_lines(store::FileId file, ByteRange range, SearchHit* hit) const {
  CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(file));
  if (chunks.empty()) return {};
  const store::ChunkRow& chunk = chunks[chunk_at(chunks, range.begin)];
  hit->start_line = std::min(hit->start_line, chunk.start_line);
  if (chunk.range.end > range.end) hit->end_line = std::max(hit->end_line, chunk.end_line);
  return {};
}

// Sets the displayed part of a file found by words.
Result<void> HitMaker::show_best(const RankedPiece& piece, std::string& text,
                                 SearchHit* hit) const {
  const RankedFile& ranked = ranking.files[piece.file];
  const store::FileId file = snapshot.id(ranked.file);
  std::optional<std::uint32_t> chunk = piece.chunk;
  std::optional<store::SymbolRow> named;
  if (!chunk.has_value()) {
    CODEXMEM_ASSIGN(named, definition_shown(piece));
  }
  ByteRange range;
  if (named.has_value()) {
    range = take_lines(*named, hit);
  } else {
    CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(file));
    if (!chunk.has_value()) {
      CODEXMEM_ASSIGN(const auto values, piece_values(reader, snapshot, ranking, ranked, chunks));
      chunk = best_of(values);
    }
    range = take_lines(chunks, *chunk, snippet_bytes, hit);
  }
  privacy::mask_code(text, range);
  Snippet snippet = make_snippet(
      text, range, hit->start_line, weights,
      {snippet_bytes, max_matches, named.has_value() && !piece.definition.has_value()});
  if (piece.definition.has_value()) CODEXMEM_TRY(take_chunk_lines(file, range, hit));
  const std::uint32_t best_offset = snippet.best_offset;
  take_snippet(std::move(snippet), hit);
  if (named.has_value()) {
    if (!piece.definition.has_value()) hit->line = hit->start_line;
    hit->symbol = piece_symbol(std::move(*named));
  } else {
    CODEXMEM_ASSIGN(auto holder, symbol_at(file, text, best_offset));
    if (holder.has_value()) hit->symbol = piece_symbol(std::move(*holder));
  }
  return {};
}

// Sets the displayed part of a file found by exact parts: the piece around a matching line. Lines
// with more matching parts, in pieces that match the words of the query better, are preferred.
Result<void> HitMaker::show_exact(const RankedFile& ranked, std::string& text,
                                  SearchHit* hit) const {
  const store::FileId file = snapshot.id(ranked.file);
  const ExactFile& counted = exact_files->files.at(static_cast<std::int64_t>(file));
  hit->match_count = counted.lines;
  std::vector<ByteRange> kept;
  if (filter.has_kinds()) {
    CODEXMEM_ASSIGN(kept, list_kept_definitions(reader, file, filter));
  }
  std::vector<ExactLine> lines = find_exact_lines(
      *exact, text, filter.has_kinds() ? &kept : nullptr, kMaxLinesLookedAt, deadline);
  if (lines.empty()) {  // the time was up
    const auto before = std::ranges::count(text.substr(0, counted.first.begin), '\n');
    lines.push_back({1 + static_cast<std::uint32_t>(before), counted.first, 1});
  }
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLinesShown); ++i) {
    hit->match_lines.push_back(lines[i].number);
  }
  CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(file));
  CODEXMEM_ASSIGN(const auto values, piece_values(reader, snapshot, ranking, ranked, chunks));
  CODEXMEM_ASSIGN(const std::optional<store::SymbolRow> named, symbol_named(ranked));
  const ExactLine* best = nullptr;
  double best_value = -1;
  for (const ExactLine& line : lines) {
    const std::size_t chunk = chunk_at(chunks, line.match.begin);
    double value = line.parts + (chunk < values.size() ? kOfPiece * values[chunk] : 0);
    if (named.has_value() && named->range.contains(line.match.begin)) value += 1;
    if (value <= best_value) continue;
    best = &line;
    best_value = value;
  }

  CODEXMEM_ASSIGN(auto holder, symbol_at(file, text, best->match.begin));
  while (holder.has_value() && !filter.keeps(holder->type, holder->kind)) {
    const auto parent = holder->parent;
    holder.reset();
    if (parent.has_value()) {
      CODEXMEM_ASSIGN(holder, reader.find_symbol(*parent));
    }
  }
  ByteRange range =
      filter.has_kinds() && holder.has_value()
          ? take_lines(*holder, hit)
          : take_lines(chunks, chunk_at(chunks, best->match.begin), snippet_bytes, hit);
  // Blank lines are in no chunk.
  const ByteRange line = line_around(text, best->match.begin);
  if (range.empty() || line.begin >= range.end || line.end < range.begin) {
    range = line;
    hit->start_line = hit->end_line = best->number;
  }
  std::vector<ByteRange> matches = exact->find_matches(
      text,
      range_near(text, best->match.begin,
                 {std::min(range.begin, line.begin), std::max(range.end, line.end)}),
      kMaxLinesLookedAt, deadline);
  if (matches.empty()) matches.push_back(best->match);
  privacy::mask_code(text, range);
  take_snippet(make_snippet(text, range, hit->start_line, weights,
                            {snippet_bytes, max_matches, false, &matches}),
               hit);
  if (hit->snippet.empty()) hit->line = best->number;
  if (holder.has_value()) hit->symbol = piece_symbol(std::move(*holder));
  return {};
}

}  // namespace codexmem::search
