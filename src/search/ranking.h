// search/ranking.h - the score of each file for a query: the recipe of docs/design/search.md.
//
// score(f) = prior(f) x sum of weight x value over the terms below. Stateless; safe from many
// threads, each with its own reader.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "search/query.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// The terms of a score.
enum class Part : std::uint8_t {
  kFileText,     // lex() of the whole file
  kBestChunk,    // the best lex() of a chunk
  kBestChunks,   // mean of the three best, or of as many as there are
  kBaseName,     // coverage by the base name x (1 + precision)
  kDirectories,  // coverage by the last three directory names
  kDefinition,   // the definition name nearest to the query
  kSymbol,       // the whole query is the name of a definition
  kInnerSymbol,  // a symbol in the query is
  kDenseChunks,  // mean of the three best cosines of chunks, or of as many as there are
  kDenseMean,    // sum of the cosines of all chunks over one more than there are
  kDenseFile,    // cosine of the file's vector
  kCentrality,
  kImporters,  // the best score of a file that imports this one, over the best score of all
  kExtent,     // ln(1 + chunks): of many chunks the best three look good by chance
};
inline constexpr std::size_t kPartCount = 14;

struct PartInfo {
  std::string_view name;  // as `explain` shows it
  double weight;
};

/// Names and weights, by Part. Source: the project's development set, docs/design/search.md.
inline constexpr std::array<PartInfo, kPartCount> kParts = {{
    {"file_text", 0.4},
    {"best_chunk", 0.5},
    {"best_chunks", 0.25},
    {"base_name", 0.7},
    {"directories", 0.75},
    {"definition_name", 0.1},
    {"symbol", 1.0},
    {"inner_symbol", 0.2},
    {"dense_chunks", 0.8},
    {"dense_mean", 0.6},
    {"dense_file", 0.35},
    {"centrality", 0.06},
    {"importers", 0.1},
    {"extent", -0.05},
}};

inline constexpr std::uint32_t kPriorOff = 1U << 30;  // every file's prior is 1
inline constexpr std::uint32_t kPairsOff = 1U << 31;  // no compounds of neighbouring words

/// A chunk and what speaks for it.
struct RankedChunk {
  std::uint32_t index = 0;  // in its file
  double lex = 0;           // 0 to 1
  double cosine = 0;        // 0 to 1
  double coverage = 0;      // share of the query's stems that it has, by their weight
};

struct RankedFile {
  FileNumber file = 0;
  double score = 0;
  double prior = 1;
  std::array<double, kPartCount> parts{};  // values, before their weights
  std::vector<RankedChunk> chunks;  // that anything speaks for, by index; of the best files only
  std::optional<std::uint32_t> symbol;  // ordinal of the definition that the query names
};

struct RankOptions {
  /// False for files that must not be in the ranking; null keeps all.
  std::function<bool(FileNumber)> keep;
  /// With what is kept, also files that nothing of the query speaks for: all of them are answers.
  bool keep_all = false;
  /// Gives the cosines of chunks and files by their ids, which ascend; what is absent is left out.
  /// Set when the ranking is given some cosines only, in any order: it then asks for all those of
  /// the files that may come first.
  std::function<Result<std::vector<embed::VectorHit>>(std::span<const std::int64_t>)> complete;
  /// What is left out, bit 1 << Part and the two below: for measuring what each is worth.
  std::uint32_t parts_off = 0;
};

/// For this many files cosines are asked for when only some are given.
inline constexpr std::size_t kCompletedFiles = 2000;

/// Of this many files a Ranking has the chunks.
inline constexpr std::size_t kFilesWithChunks = 50;

struct Ranking {
  std::vector<RankedFile> files;     // best first, ties by path; scores above 0
  std::vector<double> term_weights;  // of query.terms: weight x bm25idf over files; 0 when unknown
  std::unordered_map<NameNumber, double> name_cosines;  // with the query; 0 when absent
  double known = 0;  // share of the query's stems that some file has, by name_idf; 0 to 1
};

/// Best first, ties by path.
void sort_by_score(const Snapshot& snapshot, std::vector<RankedFile>* files);

/// ln(1 + (units - with + 0.5) / (with + 0.5)).
double bm25_idf(double units, double with);

/// ln(1 + files / max(with, 0.5)).
double name_idf(double files, double with);

/// The part of a term's weight that a unit earns with `count` occurrences: tf' / (1.2 + tf'),
/// tf' = count / (1 - b + b x length / average).
double term_share(double count, double length, double average, double b);

/// Ranks the files of `snapshot`. `reader` sees the same moment; `dense` holds the cosines of
/// chunks and files (index kFileVectorIndex) ascending by chunk id; what is absent counts 0.
/// Errors: those of the store.
Result<Ranking> rank(store::StoreReader& reader, const Snapshot& snapshot, const Query& query,
                     std::span<const embed::VectorHit> dense, const RankOptions& options = {});

}  // namespace codexmem::search
