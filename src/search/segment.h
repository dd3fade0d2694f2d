// search/segment.h - ranking data of some files in flat arrays, in memory or in a file.
//
// Files are numbered by path, names and stems by their bytes. Opening a segment unpacks only the
// few languages and kinds, so it costs the same for any size. Immutable and thread-safe. Made by
// search/segment_builder.h. Format: at the top of segment.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/symbol_type.h"
#include "search/packed.h"
#include "search/path_facts.h"
#include "store/code/code_rows.h"

namespace codexmem::search {

using FileNumber = std::uint32_t;
using NameNumber = std::uint32_t;
using StemNumber = std::uint32_t;

/// A type and kind of definitions in a file.
struct DefinitionKind {
  SymbolType type = SymbolType::kVariable;
  std::string kind;
};

/// A definition of a name: the best one in its file.
struct Definer {
  FileNumber file = 0;        // in its segment
  std::uint32_t ordinal = 0;  // of its SymbolId
  float weight = 0;           // of its kind
};

/// The origin of a segment, and sums over it.
struct SegmentHead {
  std::int64_t generation = 0;       // of the store
  std::int64_t last_dependency = 0;  // the largest id of a dependency at that time
  std::uint64_t files = 0;
  std::uint64_t chunks = 0;
  std::uint64_t terms = 0;  // in these chunks
  std::uint64_t mark = 0;   // random: identifies this writing of the file
};

/// The arrays, in stored order. stored: never renumber.
enum class SegmentPart : std::uint8_t {
  kPaths,  // in each pair: first the bytes, then the begin of each text or list
  kPathBegins,
  kFileIds,          // i64 by file
  kFilesById,        // u32: file numbers in the order of ids
  kFileGenerations,  // i64 by file
  kFileLanguages,    // u16 by file: number of a language
  kFileCuts,         // u16 by file: number of a set of cuts
  kFileVersionCuts,  // u16 by file: the same, for its version folder
  kFileKinds,        // numbers of kinds, by file
  kFileKindBegins,
  kChunkBegins,   // u32 by file, plus the end: its first chunk
  kChunkLengths,  // u32 by chunk: number of terms
  kFileTerms,     // u32 by file: the sum of these
  kNames,         // of definitions
  kNameBegins,
  kBaseStems,  // numbers of stems, by file
  kBaseStemBegins,
  kDirectoryStems,
  kDirectoryStemBegins,
  kImporters,  // other files that import it, by file
  kImporterBegins,
  kCentralities,  // f32 by file
  kLanguages,
  kLanguageBegins,
  kCuts,  // sets of cuts: a line "FACTOR WORD" for each cut
  kCutBegins,
  kKinds,  // TYPE as a digit, then the kind
  kKindBegins,
  kStems,
  kStemBegins,
  kStemFrequencies,  // u32 by stem: number of files with it in an identifier of their text
  kStemNames,        // names that contain it, by stem
  kStemNameBegins,
  kStemFiles,  // by stem: files with it in the base name, last three directories or definitions
  kStemFileBegins,
  kNameRecords,  // by name: count, stems; then file (difference), ordinal << 4 | weight
  kNameRecordBegins,
  kWeights,  // f32: weights of kinds, at most 16
};
inline constexpr std::size_t kSegmentParts = static_cast<std::size_t>(SegmentPart::kWeights) + 1;

class Segment {
 public:
  /// Opens the segment with these bytes; the overload takes a file's. Errors: kCorrupt when they
  /// are not a segment, truncated or damaged; kUnsupported for another version of the format or
  /// processor.
  static Result<std::shared_ptr<const Segment>> open(std::string bytes);
  static Result<std::shared_ptr<const Segment>> open(MappedFile file);

  const SegmentHead& head() const { return head_; }
  /// Total size in bytes.
  std::size_t bytes() const { return size_; }

  // Files.
  FileNumber file_count() const { return file_count_; }
  std::string_view path(FileNumber file) const { return paths_[file]; }
  store::FileId id(FileNumber file) const { return static_cast<store::FileId>(ids_[file]); }
  std::int64_t generation(FileNumber file) const { return generations_[file]; }
  std::string_view language(FileNumber file) const { return of_language(file).name; }
  std::uint32_t term_count(FileNumber file) const { return terms_[file]; }
  std::uint32_t chunk_count(FileNumber file) const {
    const std::uint32_t begin = chunk_begins_[file], end = chunk_begins_[file + 1];
    return begin <= end && end <= chunk_lengths_.size() ? end - begin : 0;
  }
  /// Number of terms in a chunk, by its index in the file.
  std::uint32_t chunk_length(FileNumber file, std::uint32_t chunk) const {
    return chunk_lengths_[chunk_begins_[file] + std::size_t{chunk}];
  }
  float centrality(FileNumber file) const { return centralities_[file]; }
  /// The factor of the file's language, and the cuts for its path, independent of other files.
  double language_prior(FileNumber file) const { return of_language(file).prior; }
  const std::vector<PathCut>& path_cuts(FileNumber file) const { return cuts_at(file_cuts_[file]); }
  /// The cut for a version folder with a newer one next to it, if the file is in one.
  const std::vector<PathCut>& version_cuts(FileNumber file) const {
    return cuts_at(file_version_cuts_[file]);
  }
  /// The kinds of its definitions, each once.
  std::vector<const DefinitionKind*> kinds(FileNumber file) const;
  PackedNumbers base_stems(FileNumber file) const { return {base_stems_[file], stem_count_}; }
  PackedNumbers directory_stems(FileNumber file) const {
    return {directory_stems_[file], stem_count_};
  }
  PackedNumbers importers(FileNumber file) const { return {importers_[file], file_count_}; }
  std::optional<FileNumber> find_file(store::FileId id) const;
  std::optional<FileNumber> find_path(std::string_view path) const;

  // Stems of paths and of definitions' names.
  StemNumber stem_count() const { return stem_count_; }
  std::string_view stem(StemNumber number) const { return stems_[number]; }
  std::optional<StemNumber> find_stem(std::string_view stem) const;
  /// The first stem that is not less than `stem`.
  StemNumber lower_stem(std::string_view stem) const {
    return static_cast<StemNumber>(stems_.lower_bound(stem));
  }
  /// The number of files that contain it in an identifier of their text; at least 1.
  std::uint32_t stem_frequency(StemNumber stem) const {
    return std::max(stem_frequencies_[stem], 1U);
  }
  PackedNumbers names_with(StemNumber stem) const { return {stem_names_[stem], name_count_}; }
  PackedNumbers files_named(StemNumber stem) const { return {stem_files_[stem], file_count_}; }

  // Distinct names of definitions.
  NameNumber name_count() const { return name_count_; }
  std::string_view name(NameNumber number) const { return names_[number]; }
  std::optional<NameNumber> find_name(std::string_view name) const;
  /// Calls `on_stem` with each stem of the name, then `on_definer` with each file's best
  /// definition, by file.
  template <typename OnStem, typename OnDefiner>
  void read_name(NameNumber name, OnStem on_stem, OnDefiner on_definer) const {
    VarintReader record(name_records_[name]);
    for (std::uint32_t i = record.next(); i > 0 && !record.is_at_end(); --i) {
      const StemNumber stem = record.next();
      if (stem < stem_count_) on_stem(stem);
    }
    Definer definer;
    while (!record.is_at_end()) {
      definer.file += record.next();
      const std::uint32_t packed = record.next();
      if (definer.file >= file_count_) return;
      definer.ordinal = packed >> 4;
      definer.weight = weights_[packed & 15U];
      on_definer(definer);
    }
  }

  /// The languages and kinds of its files.
  std::set<std::string> languages() const;
  const std::vector<DefinitionKind>& all_kinds() const { return kinds_; }

 private:
  struct LanguageEntry {
    std::string name;
    double prior = 1;
  };

  Segment() = default;
  static Result<std::shared_ptr<const Segment>> read(std::shared_ptr<Segment> segment,
                                                     std::string_view bytes);
  const LanguageEntry& of_language(FileNumber file) const;
  const std::vector<PathCut>& cuts_at(std::uint16_t number) const {
    return cuts_[number < cuts_.size() ? number : 0];
  }
  void unpack_tables();

  std::string memory_;
  std::optional<MappedFile> file_;
  std::size_t size_ = 0;
  SegmentHead head_;
  std::array<std::string_view, kSegmentParts> parts_;
  FileNumber file_count_ = 0;
  StemNumber stem_count_ = 0;
  NameNumber name_count_ = 0;

  PackedTexts paths_, file_kinds_, base_stems_, directory_stems_, importers_, stems_, stem_names_,
      stem_files_, names_, name_records_;
  PackedArray<std::int64_t> ids_, generations_;
  PackedArray<std::uint32_t> files_by_id_, terms_, chunk_begins_, chunk_lengths_, stem_frequencies_;
  PackedArray<std::uint16_t> file_languages_, file_cuts_, file_version_cuts_;
  PackedArray<float> centralities_, weights_;

  std::vector<LanguageEntry> languages_;
  std::vector<std::vector<PathCut>> cuts_;
  std::vector<DefinitionKind> kinds_;
};

/// Writes the parts, the head and their checksum, without keeping them.
class SegmentWriter {
 public:
  /// Receives bytes in order; may fail.
  using Sink = std::function<Result<void>(std::string_view)>;
  explicit SegmentWriter(Sink sink) : sink_(std::move(sink)) {}

  /// Adds the next part, in the order of SegmentPart.
  Result<void> add(SegmentPart part, std::string_view bytes);
  /// The same, in pieces.
  void begin(SegmentPart part);
  Result<void> append(std::string_view bytes);
  Result<void> end();

  /// Ends the segment.
  Result<void> finish(const SegmentHead& head);

 private:
  Sink sink_;
  std::uint64_t size_ = 0, part_begin_ = 0;
  std::uint32_t checksum_ = 0;
  std::string table_;
};

/// Writes a pair of parts in the format of PackedTexts.
class TextWriter {
 public:
  TextWriter(SegmentWriter& writer, SegmentPart texts) : writer_(writer), texts_(texts) {
    writer_.begin(texts);
    put_value<std::uint32_t>(0, &begins_);
  }

  Result<void> add(std::string_view text) {
    piece += text;
    return end_piece();
  }
  /// `numbers` must ascend.
  template <typename Numbers>
  Result<void> add_numbers(const Numbers& numbers) {
    std::uint32_t before = 0;
    for (const std::uint32_t number : numbers) {
      put_varint(number - before, &piece);
      before = number;
    }
    return end_piece();
  }
  /// Ends a text that was appended to `piece`. Errors: kUnsupported beyond 4 GB.
  Result<void> end_piece();
  Result<void> finish();

  std::string piece;

 private:
  SegmentWriter& writer_;
  SegmentPart texts_;
  std::uint64_t written_ = 0;
  std::string begins_;
};

}  // namespace codexmem::search
