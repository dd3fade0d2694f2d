// search/snapshot.h - the ranking data of a store at one moment: immutable once built.
//
// It consists of a base, which has nearly all files and is usually a file in the store's folder
// written by an index run (search/snapshot_file.h), and a small part in memory for files written
// since. So following the store costs only the changes, and processes share the base's pages.
// Numbers of files, names and stems run through both parts; the numbers of rewritten or deleted
// files stay unused. Built by one thread, read by any number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "search/path_facts.h"
#include "search/segment.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

class Snapshot {
 public:
  /// A part, and the offset of its numbers.
  struct Part {
    std::shared_ptr<const Segment> segment;
    FileNumber first_file = 0;
    NameNumber first_name = 0;
  };

  /// The store at the moment of `reader`'s transaction. `previous` (may be null) is an earlier
  /// result; `file` is the path of the base's file. Without a valid base, one is made in memory:
  /// seconds for a million definitions. Errors: as the store.
  static Result<std::shared_ptr<const Snapshot>> build(store::StoreReader& reader,
                                                       const std::filesystem::path& file,
                                                       const Snapshot* previous);

  std::int64_t generation() const { return generation_; }
  /// The mark of the base's file; 0 without one.
  std::uint64_t base_mark() const { return parts_.front().segment->head().mark; }
  std::span<const Part> parts() const { return parts_; }

  std::size_t file_count() const { return file_count_; }
  std::size_t chunk_count() const { return chunk_count_; }
  double average_file_length() const { return average_file_length_; }    // at least 1
  double average_chunk_length() const { return average_chunk_length_; }  // at least 1

  /// All file numbers are less than this.
  FileNumber file_end() const { return file_end_; }
  /// False for the number of a file that was deleted or has a new number.
  bool has(FileNumber file) const { return file >= gone_.size() || !gone_[file]; }
  store::FileId id(FileNumber file) const { return of(file, &Segment::id); }
  std::string_view path(FileNumber file) const { return of(file, &Segment::path); }
  std::string_view language(FileNumber file) const { return of(file, &Segment::language); }
  std::int64_t file_generation(FileNumber file) const { return of(file, &Segment::generation); }
  std::uint32_t term_count(FileNumber file) const { return of(file, &Segment::term_count); }
  std::uint32_t chunk_count(FileNumber file) const { return of(file, &Segment::chunk_count); }
  /// Number of terms in a chunk, by its index in the file.
  std::uint32_t chunk_length(FileNumber file, std::uint32_t chunk) const {
    const Part& part = part_of(file);
    return part.segment->chunk_length(file - part.first_file, chunk);
  }
  float centrality(FileNumber file) const { return of(file, &Segment::centrality); }
  std::vector<const DefinitionKind*> kinds(FileNumber file) const {
    return of(file, &Segment::kinds);
  }
  /// The number of a file, or nothing if its id is not in the snapshot.
  std::optional<FileNumber> find_file(store::FileId id) const;
  std::optional<FileNumber> find_path(std::string_view path) const;

  /// The factor on the score of a file; `is_asked_for(stem)` is true for stems of the query.
  template <typename IsAskedFor>
  double prior(FileNumber file, IsAskedFor is_asked_for) const {
    const Part& part = part_of(file);
    double prior = part.segment->language_prior(file - part.first_file);
    const auto apply = [&](const PathCut& cut) {
      if (cut.undone_by.empty() || !is_asked_for(cut.undone_by)) prior *= cut.factor;
    };
    for (const PathCut& cut : part.segment->path_cuts(file - part.first_file)) apply(cut);
    if (!version_cuts_) {
      for (const PathCut& cut : part.segment->version_cuts(file - part.first_file)) apply(cut);
    } else if (const auto cut = version_cuts_->find(file); cut != version_cuts_->end()) {
      apply(cut->second);
    }
    return prior;
  }

  /// Calls `visit` with each other file that imports `file`.
  template <typename Visit>
  void visit_importers(FileNumber file, Visit visit) const {
    const Segment& base = *parts_.front().segment;
    const auto before = numbers_before_.find(file);
    if (const FileNumber own = before == numbers_before_.end() ? file : before->second;
        own < base.file_count()) {
      for (const FileNumber importer : base.importers(own)) {
        if (stale_importers_.empty() || !stale_importers_[importer]) visit(importer);
      }
    }
    if (const auto more = new_importers_.find(file); more != new_importers_.end()) {
      for (const FileNumber importer : more->second) visit(importer);
    }
  }

  /// The number of a name in the part that contains `file`.
  std::optional<NameNumber> find_name(FileNumber file, std::string_view name) const;
  /// Calls `visit` with each name of a definition; a name in both parts comes twice.
  void visit_names(const std::function<void(std::string_view)>& visit) const;
  /// True if a path or a definition's name contains the stem.
  bool has_stem(std::string_view stem) const;
  /// Number of files with the stem in an identifier of their text.
  double stem_frequency(std::string_view stem) const;

 private:
  const Part& part_of(FileNumber file) const {
    return file < parts_.front().segment->file_count() ? parts_.front() : parts_.back();
  }
  template <typename Value>
  Value of(FileNumber file, Value (Segment::*read)(FileNumber) const) const {
    const Part& part = part_of(file);
    return ((*part.segment).*read)(file - part.first_file);
  }
  // False if too much has changed since the base.
  Result<bool> follow(store::StoreReader& reader);
  Result<void> follow_imports(store::StoreReader& reader);
  void add_part(std::shared_ptr<const Segment> segment);
  void sum_up();
  void cut_versions();

  std::int64_t generation_ = 0;
  std::vector<Part> parts_;
  FileNumber file_end_ = 0;
  std::vector<bool> gone_;                                     // by file of the base; empty: no
                                                               // file
  std::unordered_map<FileNumber, FileNumber> numbers_before_;  // in the base, for rewritten files
  std::vector<bool> stale_importers_;  // by file of the base: its imports have changed
  std::unordered_map<FileNumber, std::vector<FileNumber>> new_importers_;
  // For all files, if version folders differ from the base's.
  std::optional<std::unordered_map<FileNumber, PathCut>> version_cuts_;
  std::size_t file_count_ = 0, chunk_count_ = 0;
  double average_file_length_ = 1, average_chunk_length_ = 1;
};

}  // namespace codexmem::search
