// search/ranking.h - scores each file for a query, as described in docs/how-it-works.md, "Search".
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
  kBestChunks,   // mean of the three best, or of all if fewer
  kBaseName,     // coverage by the base name x (1 + precision)
  kDirectories,  // coverage by the last three directory names
  kDefinition,   // the definition name most similar to the query
  kSymbol,       // the whole query is the name of a definition
  kInnerSymbol,  // a symbol in the query is the name of a definition
  kDenseChunks,  // mean of the three best cosines of chunks, or of all if fewer
  kDenseMean,    // sum of the cosines of all chunks, divided by their number plus one
  kDenseFile,    // cosine of the file's vector
  kCentrality,
  kImporters,  // the best score of a file that imports this one, relative to the best score of all
  kExtent,     // ln(1 + chunks): among many chunks the best three look good by chance
};
inline constexpr std::size_t kPartCount = 14;

struct PartInfo {
  std::string_view name;  // as in `explain`
  double weight;
};

/// Names and weights, by Part. Source: the project's development set, bench/search.md.
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

/// A chunk and its evidence.
struct RankedChunk {
  std::uint32_t index = 0;  // in its file
  double lex = 0;           // 0 to 1
  double cosine = 0;        // 0 to 1
  double coverage = 0;      // weighted share of the query's stems that it contains
};

struct RankedFile {
  FileNumber file = 0;
  double score = 0;
  double prior = 1;
  std::array<double, kPartCount> parts{};  // values, before their weights
  std::vector<RankedChunk> chunks;  // chunks with any evidence, by index; only for the best files
  std::optional<std::uint32_t> symbol;  // ordinal of the definition named in the query
};

struct RankOptions {
  /// False for files that must not be in the ranking; null accepts all.
  std::function<bool(FileNumber)> keep;
  /// Also include files without any evidence, if `keep` accepts them: all of them are answers.
  bool keep_all = false;
  /// Returns the cosines of chunks and files by their ids, which must ascend; absent ones are left
  /// out. Set it if the ranking gets only some cosines, in any order: it then requests all cosines
  /// for the files that may come first.
  std::function<Result<std::vector<embed::VectorHit>>(std::span<const std::int64_t>)> complete;
  /// Disabled parts, bit 1 << Part and the two below: to measure the effect of each.
  std::uint32_t parts_off = 0;
};

/// Number of files for which missing cosines are requested.
inline constexpr std::size_t kCompletedFiles = 2000;

/// Number of files for which a Ranking has chunks.
inline constexpr std::size_t kFilesWithChunks = 50;

struct Ranking {
  std::vector<RankedFile> files;     // best first, ties by path; scores above 0
  std::vector<double> term_weights;  // of query.terms: weight x bm25idf over files; 0 if unknown
  std::unordered_map<NameNumber, double> name_cosines;  // with the query; 0 if absent
  double known = 0;  // share of the query's stems that occur in a file, by name_idf; 0 to 1
};

/// Best first, ties by path.
void sort_by_score(const Snapshot& snapshot, std::vector<RankedFile>* files);

/// ln(1 + (units - with + 0.5) / (with + 0.5)).
double bm25_idf(double units, double with);

/// ln(1 + files / max(with, 0.5)).
double name_idf(double files, double with);

/// The share of a term's weight for a unit with `count` occurrences: tf' / (1.2 + tf'), tf' = count
/// / (1 - b + b x length / average).
double term_share(double count, double length, double average, double b);

/// Ranks the files of `snapshot`. `reader` must see the same moment; `dense` has the cosines of
/// chunks and files (index kFileVectorIndex) ascending by chunk id; absent ones count as 0. Errors:
/// as the store.
Result<Ranking> rank(store::StoreReader& reader, const Snapshot& snapshot, const Query& query,
                     std::span<const embed::VectorHit> dense, const RankOptions& options = {});

}  // namespace codexmem::search
