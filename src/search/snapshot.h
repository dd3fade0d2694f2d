// search/snapshot.h - what ranking needs of a store, in memory: immutable once built.
//
// Files are numbered by path order, names of definitions and stems by first appearance in them.
// A snapshot shares the entries of unchanged files with the one it was built after, so that an edit
// costs what the edit is. Built by one thread, read by any number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "text/text_hash.h"
#include "search/path_facts.h"
#include "store/code/code_reader.h"

namespace codexmem::search {

using FileNumber = std::uint32_t;
using NameNumber = std::uint32_t;
using StemNumber = std::uint32_t;

/// Lists of numbers, one for each key, in one array.
class NumberLists {
 public:
  std::span<const std::uint32_t> operator[](std::size_t key) const {
    return std::span(values_).subspan(begins_[key], begins_[key + 1] - begins_[key]);
  }
  std::size_t size() const { return begins_.size() - 1; }

  /// The lists of `pairs` (key, value) with keys below `keys`, in the pairs' order.
  static NumberLists of(std::size_t keys,
                        std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs);

 private:
  std::vector<std::uint32_t> begins_ = {0};  // one more than there are keys
  std::vector<std::uint32_t> values_;
};

/// A definition, as far as names rank it.
struct Definition {
  std::string name;
  std::uint32_t ordinal = 0;  // of its SymbolId
  std::uint32_t begin = 0;    // byte offset of the declaration
  float weight = 0;           // of its kind
  bool is_central = false;    // a kind that counts for centrality
  bool is_function = false;   // it does something: a function or a method
};

/// A type and kind that definitions of a file have.
struct DefinitionKind {
  SymbolType type = SymbolType::kVariable;
  std::string kind;
};

/// One file. Never changed after it was read.
struct FileEntry {
  store::FileId id{};
  std::string path;
  std::string language;
  std::int64_t generation = 0;
  double prior = 1;                // of its language
  std::vector<PathCut> path_cuts;  // for what it is, whatever files are beside it
  std::string reduced_base;        // the base name in [a-z0-9]
  std::vector<std::string> base_stems, directory_stems;
  std::vector<Definition> definitions;       // source order
  std::vector<DefinitionKind> kinds;         // of these, each once
  std::vector<std::uint32_t> chunk_lengths;  // terms of each chunk, by chunk index
  std::uint64_t length = 0;                  // their sum
};

/// Counts over the text of all files, which change slowly: computed when a twentieth of the files
/// has changed since, and carried over until then.
struct Statistics {
  TextMap<std::uint32_t> files_with_stem;              // in an identifier of the text
  std::unordered_map<std::int64_t, float> centrality;  // by file id; absent: 0
};

class Snapshot {
 public:
  /// Reads the store at the moment that `reader`'s transaction sees. `previous` may be null.
  static Result<std::shared_ptr<const Snapshot>> build(store::CodeReader& reader,
                                                       const Snapshot* previous);

  std::int64_t generation() const { return generation_; }
  std::size_t file_count() const { return files_.size(); }
  std::size_t chunk_count() const { return chunk_count_; }
  double average_file_length() const { return average_file_length_; }    // at least 1
  double average_chunk_length() const { return average_chunk_length_; }  // at least 1
  const FileEntry& file(FileNumber number) const { return *files_[number]; }
  /// The number of a file, or nothing for an id that is not in the snapshot.
  std::optional<FileNumber> find_file(store::FileId id) const;
  std::optional<FileNumber> find_path(std::string_view path) const;
  float centrality(FileNumber file) const { return centrality_[file]; }
  /// The factor on the score of a file; `is_asked_for(stem)` tells the stems of the query.
  template <typename IsAskedFor>
  double prior(FileNumber number, IsAskedFor is_asked_for) const {
    double prior = file(number).prior;
    const auto apply = [&](const PathCut& cut) {
      if (cut.undone_by.empty() || !is_asked_for(cut.undone_by)) prior *= cut.factor;
    };
    std::ranges::for_each(file(number).path_cuts, apply);
    apply(version_cuts_[number]);
    return prior;
  }
  /// The other files that import a file; ascending.
  std::span<const FileNumber> importers(FileNumber file) const { return importers_[file]; }

  /// The stems of paths and definition names, ascending by bytes.
  std::span<const std::string> stems() const { return stems_; }
  std::optional<StemNumber> find_stem(std::string_view stem) const;
  /// In how many files the stem occurs, by the identifiers of their text; at least 1.
  std::uint32_t files_with_stem(StemNumber stem) const { return files_with_stem_[stem]; }
  /// Files whose base name, last three directories or definitions have the stem; ascending.
  std::span<const FileNumber> files_named(StemNumber stem) const { return stem_files_[stem]; }
  std::span<const StemNumber> base_stems(FileNumber file) const { return base_stems_[file]; }
  std::span<const StemNumber> directory_stems(FileNumber file) const {
    return directory_stems_[file];
  }

  /// Distinct names of definitions.
  std::size_t name_count() const { return names_.size(); }
  std::string_view name(NameNumber number) const { return names_[number]; }
  std::optional<NameNumber> find_name(std::string_view name) const;
  std::span<const StemNumber> name_stems(NameNumber name) const { return name_stems_[name]; }
  std::span<const NameNumber> names_with(StemNumber stem) const { return stem_names_[stem]; }

  /// One definition of a name: the best of its file.
  struct Definer {
    FileNumber file = 0;
    std::uint32_t ordinal = 0;
    float weight = 0;
  };
  std::span<const Definer> definers(NameNumber name) const {
    return std::span(definers_).subspan(definer_begins_[name],
                                        definer_begins_[name + 1] - definer_begins_[name]);
  }

 private:
  Result<void> read_files(store::CodeReader& reader, const Snapshot* previous);
  void number_names();
  void number_stems();
  Result<void> read_imports(store::CodeReader& reader);
  Result<void> use_statistics(store::CodeReader& reader, const Snapshot* previous);

  std::int64_t generation_ = 0;
  std::vector<std::shared_ptr<const FileEntry>> files_;  // by path
  std::vector<PathCut> version_cuts_;                    // by file
  NumberLists importers_;                                // by file
  std::unordered_map<std::int64_t, FileNumber> file_numbers_;
  std::size_t files_changed_ = 0;   // against the previous snapshot
  std::size_t statistics_age_ = 0;  // files changed since statistics_ was computed
  std::size_t chunk_count_ = 0;
  double average_file_length_ = 1, average_chunk_length_ = 1;

  std::vector<std::string_view> names_;  // of entries' definitions
  TextViewMap<NameNumber> name_numbers_;
  std::vector<std::uint32_t> definer_begins_;
  std::vector<Definer> definers_;  // by name, then file

  std::vector<std::string> stems_;
  TextViewMap<StemNumber> stem_numbers_;
  NumberLists base_stems_, directory_stems_, name_stems_, stem_names_, stem_files_;

  std::shared_ptr<const Statistics> statistics_;
  std::vector<std::uint32_t> files_with_stem_;
  std::vector<float> centrality_;
};

/// How much a definition of this kind counts, 0 to 1 (docs/design/search.md, "Name table").
float kind_weight(SymbolType type, std::string_view kind);

}  // namespace codexmem::search
