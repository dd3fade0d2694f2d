// search/snapshot.h - what ranking needs of a store at one moment: immutable once built.
//
// A base, which holds nearly all files and mostly is a file beside the store that an index run has
// left (search/snapshot_file.h), and a small part in memory with the files that were written since.
// So following the store costs what has changed, and processes share the base's pages. Numbers of
// files, names and stems count through both parts; those of files that were rewritten or are gone
// stay unused. Built by one thread, read by any number.
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
  /// One part, and what its numbers begin with.
  struct Part {
    std::shared_ptr<const Segment> segment;
    FileNumber first_file = 0;
    NameNumber first_name = 0;
  };

  /// The store at the moment that `reader`'s transaction sees. `previous` (may be null) is what
  /// this returned before; `file` is where a base may be. Without a base that fits, one is
  /// made in memory: seconds for a million definitions. Errors: those of the store.
  static Result<std::shared_ptr<const Snapshot>> build(store::StoreReader& reader,
                                                       const std::filesystem::path& file,
                                                       const Snapshot* previous);

  std::int64_t generation() const { return generation_; }
  /// Which writing of the file the base is; 0 for none.
  std::uint64_t base_mark() const { return parts_.front().segment->head().mark; }
  std::span<const Part> parts() const { return parts_; }

  std::size_t file_count() const { return file_count_; }
  std::size_t chunk_count() const { return chunk_count_; }
  double average_file_length() const { return average_file_length_; }    // at least 1
  double average_chunk_length() const { return average_chunk_length_; }  // at least 1

  /// File numbers are below this.
  FileNumber file_end() const { return file_end_; }
  /// False for the number of a file that is gone, or has another number since.
  bool has(FileNumber file) const { return file >= gone_.size() || !gone_[file]; }
  store::FileId id(FileNumber file) const { return of(file, &Segment::id); }
  std::string_view path(FileNumber file) const { return of(file, &Segment::path); }
  std::string_view language(FileNumber file) const { return of(file, &Segment::language); }
  std::int64_t file_generation(FileNumber file) const { return of(file, &Segment::generation); }
  std::uint32_t term_count(FileNumber file) const { return of(file, &Segment::term_count); }
  std::uint32_t chunk_count(FileNumber file) const { return of(file, &Segment::chunk_count); }
  /// Terms of a chunk, by its index in the file.
  std::uint32_t chunk_length(FileNumber file, std::uint32_t chunk) const {
    const Part& part = part_of(file);
    return part.segment->chunk_length(file - part.first_file, chunk);
  }
  float centrality(FileNumber file) const { return of(file, &Segment::centrality); }
  std::vector<const DefinitionKind*> kinds(FileNumber file) const {
    return of(file, &Segment::kinds);
  }
  /// The number of a file, or nothing for an id that is not in the snapshot.
  std::optional<FileNumber> find_file(store::FileId id) const;
  std::optional<FileNumber> find_path(std::string_view path) const;

  /// The factor on the score of a file; `is_asked_for(stem)` tells the stems of the query.
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

  /// The number of a name among those of the part that `file` is in.
  std::optional<NameNumber> find_name(FileNumber file, std::string_view name) const;
  /// Calls `visit` with each name of a definition; one that was written since the base and had been
  /// there comes twice.
  void visit_names(const std::function<void(std::string_view)>& visit) const;
  /// Whether a path or a definition's name has the stem.
  bool has_stem(std::string_view stem) const;

 private:
  const Part& part_of(FileNumber file) const {
    return file < parts_.front().segment->file_count() ? parts_.front() : parts_.back();
  }
  template <typename Value>
  Value of(FileNumber file, Value (Segment::*read)(FileNumber) const) const {
    const Part& part = part_of(file);
    return ((*part.segment).*read)(file - part.first_file);
  }
  // False when too much has changed since the base.
  Result<bool> follow(store::StoreReader& reader);
  Result<void> follow_imports(store::StoreReader& reader);
  void add_part(std::shared_ptr<const Segment> segment);
  void sum_up();
  void cut_versions();

  std::int64_t generation_ = 0;
  std::vector<Part> parts_;
  FileNumber file_end_ = 0;
  std::vector<bool> gone_;                                     // by file of the base; empty: none
  std::unordered_map<FileNumber, FileNumber> numbers_before_;  // in the base, of rewritten files
  std::vector<bool> stale_importers_;  // by file of the base: its imports are others now
  std::unordered_map<FileNumber, std::vector<FileNumber>> new_importers_;
  // Of all files, when there are other version folders than those of the base.
  std::optional<std::unordered_map<FileNumber, PathCut>> version_cuts_;
  std::size_t file_count_ = 0, chunk_count_ = 0;
  double average_file_length_ = 1, average_chunk_length_ = 1;
};

}  // namespace codexmem::search
