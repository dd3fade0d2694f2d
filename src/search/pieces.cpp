// Tested by search/engine_test.cpp.
#include "search/pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace codexmem::search {
namespace {

// The weights of a chunk's evidence in addition to its words. Rounded, from a model of which chunk
// of a file contains the function that a sentence describes; docs/how-it-works.md, "Search".
constexpr double kOfCosine = 3.5;
constexpr double kOfCoverage = 1.2;
constexpr double kOfFunction = 0.8;    // a function or a method begins in it
constexpr double kOfType = 0.2;        // a type begins in it
constexpr double kOfDefinition = 0.3;  // any definition begins in it
constexpr double kOfLength = 0.15;     // ln(1 + terms): short chunks are rarely the answer
constexpr double kOfName = 0.5;        // similarity of a definition's name to the query
// Between pieces of several files: the weight of the file's score relative to the piece's value.
constexpr double kOfFile = 2.0;
// If the next file has a larger share of the best score, the query is about several files.
constexpr double kSteepShare = 0.7;
// A smaller chunk is shown together with its neighbours, so it cannot be an additional piece.
constexpr std::uint32_t kMinPieceBytes = 150;

// How much better the best definition of the first files must be to bring its file to the front.
constexpr double kFarBetter = 3.0;
// How much better further ones must be than the best one of the next file.
constexpr double kMuchBetter = 1.5;

struct ChunkCandidate {
  std::size_t file = 0;
  std::uint32_t chunk = 0;
  double value = 0;
};

// The chunk that is shown as the best piece of `ranked`.
std::size_t shown_chunk(const RankedFile& ranked, const std::vector<store::ChunkRow>& chunks,
                        const std::vector<Definition>& definitions,
                        const std::vector<double>& values) {
  if (ranked.symbol.has_value()) {
    for (const Definition& definition : definitions) {
      if (definition.ordinal == *ranked.symbol) return chunk_at(chunks, definition.begin);
    }
  }
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

}  // namespace

double piece_value(const PieceEvidence& evidence) {
  const double own = evidence.begins_function ? kOfFunction : evidence.begins_type ? kOfType : 0;
  return evidence.lex + kOfCosine * evidence.cosine + kOfCoverage * evidence.coverage +
         (evidence.begins_definition ? kOfDefinition + own : 0) + kOfName * evidence.name +
         kOfLength * std::log1p(evidence.terms);
}

std::size_t chunk_at(const std::vector<store::ChunkRow>& chunks, std::uint32_t at) {
  const auto after = std::ranges::upper_bound(
      chunks, at, {}, [](const store::ChunkRow& chunk) { return chunk.range.begin; });
  return after == chunks.begin() ? 0 : static_cast<std::size_t>(after - chunks.begin()) - 1;
}

std::vector<double> piece_values(const Snapshot& snapshot, const Ranking& ranking,
                                 const RankedFile& ranked,
                                 const std::vector<store::ChunkRow>& chunks,
                                 const std::vector<Definition>& definitions) {
  std::vector<PieceEvidence> evidence(chunks.size());
  for (const RankedChunk& chunk : ranked.chunks) {
    if (chunk.index >= evidence.size()) continue;
    evidence[chunk.index].lex = chunk.lex;
    evidence[chunk.index].cosine = chunk.cosine;
    evidence[chunk.index].coverage = chunk.coverage;
  }
  for (const Definition& definition : definitions) {
    if (chunks.empty() || definition.begin < chunks.front().range.begin) continue;
    PieceEvidence& at = evidence[chunk_at(chunks, definition.begin)];
    at.begins_definition = true;
    at.begins_function = at.begins_function || definition.is_function;
    at.begins_type = at.begins_type || (definition.is_central && !definition.is_function);
    if (!definition.is_central) continue;  // a variable depends on functions and types
    const auto name = snapshot.find_name(ranked.file, definition.name);
    if (!name.has_value()) continue;
    if (const auto cosine = ranking.name_cosines.find(*name);
        cosine != ranking.name_cosines.end()) {
      at.name = std::max(at.name, definition.weight * cosine->second);
    }
  }
  std::vector<double> values;
  values.reserve(chunks.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (i < snapshot.chunk_count(ranked.file)) {
      evidence[i].terms = snapshot.chunk_length(ranked.file, static_cast<std::uint32_t>(i));
    }
    values.push_back(piece_value(evidence[i]));
  }
  return values;
}

Result<std::vector<double>> piece_values(store::StoreReader& reader, const Snapshot& snapshot,
                                         const Ranking& ranking, const RankedFile& ranked,
                                         const std::vector<store::ChunkRow>& chunks) {
  CODEXMEM_ASSIGN(const auto definitions, list_definitions(reader, snapshot.id(ranked.file)));
  return piece_values(snapshot, ranking, ranked, chunks, definitions);
}

std::vector<RankedPiece> arrange_files(const Ranking& ranking) {
  std::vector<RankedPiece> pieces;
  pieces.reserve(ranking.files.size() + kFurtherPieces);
  for (std::size_t i = 0; i < ranking.files.size(); ++i) {
    pieces.push_back({i, std::nullopt, std::nullopt, ranking.files[i].score});
  }
  return pieces;
}

Result<std::vector<RankedPiece>> arrange_pieces(store::StoreReader& reader,
                                                const Snapshot& snapshot, const Ranking& ranking,
                                                std::size_t most_further) {
  std::vector<RankedPiece> pieces = arrange_files(ranking);
  const std::size_t first = std::min(kFilesBeforePieces, pieces.size());
  if (first < pieces.size() && pieces[first].raw > kSteepShare * pieces.front().raw) return pieces;
  std::vector<ChunkCandidate> further;
  for (std::size_t i = 0; i < first; ++i) {
    const RankedFile& ranked = ranking.files[i];
    CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(snapshot.id(ranked.file)));
    if (chunks.empty()) continue;
    CODEXMEM_ASSIGN(const auto definitions, list_definitions(reader, snapshot.id(ranked.file)));
    const auto values = piece_values(snapshot, ranking, ranked, chunks, definitions);
    const std::size_t shown = shown_chunk(ranked, chunks, definitions, values);
    for (const RankedChunk& chunk : ranked.chunks) {
      if (chunk.index == shown || chunk.index >= chunks.size()) continue;
      if (chunks[chunk.index].range.size() < kMinPieceBytes) continue;
      further.push_back({i, chunk.index, kOfFile * ranked.score + values[chunk.index]});
    }
  }
  const std::size_t count = std::min(most_further, further.size());
  std::ranges::partial_sort(further, further.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const ChunkCandidate& a, const ChunkCandidate& b) {
                              return std::pair(-a.value, std::pair(a.file, a.chunk)) <
                                     std::pair(-b.value, std::pair(b.file, b.chunk));
                            });
  std::vector<RankedPiece> better;
  for (std::size_t i = 0; i < count; ++i) {
    better.push_back(
        {further[i].file, further[i].chunk, std::nullopt, ranking.files[first - 1].score});
  }
  pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(first), better.begin(), better.end());
  return pieces;
}

void show_definitions(const Ranking& ranking, std::span<const RankedDefinition> definitions,
                      std::size_t most_further, std::vector<RankedPiece>* pieces) {
  const std::size_t first = std::min(kFilesBeforePieces, ranking.files.size());
  std::vector<const RankedDefinition*> best(ranking.files.size());
  std::vector<const RankedDefinition*> further;  // of the first files
  for (const RankedDefinition& one : definitions) {
    if (best[one.file] == nullptr && !ranking.files[one.file].symbol.has_value()) {
      best[one.file] = &one;
    } else if (one.file < first && one.has_evidence) {
      further.push_back(&one);
    }
  }
  std::erase_if(*pieces, [&](const RankedPiece& piece) {
    return piece.chunk.has_value() && best[piece.file] != nullptr;
  });
  for (RankedPiece& piece : *pieces) {
    if (best[piece.file] != nullptr) piece.definition = best[piece.file]->ordinal;
  }
  // Further ones stand before the next file if they are much better than its best.
  const bool is_last = first >= best.size() || best[first] == nullptr;
  std::vector<RankedPiece> better;
  std::vector<const RankedDefinition*> shown(best.begin(),
                                             best.begin() + static_cast<std::ptrdiff_t>(first));
  for (const RankedDefinition* one : further) {
    if (better.size() == most_further) break;
    // A class around a method shows the same lines.
    if (std::ranges::any_of(shown, [&](const RankedDefinition* other) {
          return other != nullptr && other->file == one->file &&
                 other->range.begin < one->range.end && one->range.begin < other->range.end;
        })) {
      continue;
    }
    shown.push_back(one);
    if (!is_last && one->value <= best[first]->value + kMuchBetter) break;
    better.push_back({one->file, std::nullopt, one->ordinal, ranking.files[first - 1].score});
  }
  pieces->insert(pieces->begin() + static_cast<std::ptrdiff_t>(first), better.begin(),
                 better.end());
  const auto value = [&](std::size_t i) { return best[i] == nullptr ? 0 : best[i]->value; };
  std::size_t lead = 0;
  for (std::size_t i = 1; i < first; ++i) {
    if (value(i) > value(lead)) lead = i;
  }
  if (first == 0 || best.front() == nullptr || value(lead) <= value(0) + kFarBetter) return;
  std::rotate(pieces->begin(), pieces->begin() + static_cast<std::ptrdiff_t>(lead),
              pieces->begin() + static_cast<std::ptrdiff_t>(lead) + 1);
  (*pieces)[0].raw = std::max((*pieces)[0].raw, (*pieces)[1].raw);
}

}  // namespace codexmem::search
