// store/code/file_counts.h - how much an index holds: noted, not counted.
//
// Every answer says how many files it searched, and `codexmem index` what there is. To count that
// reads an entry of an index for each file, symbol and vector, so each run that writes leaves the
// numbers in `meta`; a store of another generation than the note speaks for is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/code/store_reader.h"
#include "store/code/code_writer.h"

namespace codexmem::store {

struct FileCounts {
  std::vector<LanguageCount> languages;  // by language, each with a file at least
  StoreCounts totals;
};

/// As the note has them, else counted. Errors: those of the store.
Result<FileCounts> count_files(StoreReader& reader);

/// Those of the languages alone. Errors: those of the store.
Result<std::vector<LanguageCount>> count_languages_anew(StoreReader& reader);

/// Reads all that it counts. Errors: those of the store.
Result<FileCounts> count_files_anew(StoreReader& reader);

/// The note, if it speaks for the store as it is.
Result<std::optional<FileCounts>> find_noted_counts(StoreReader& reader);

/// What a run changes of the numbers. One thread.
class FileCountChanges {
 public:
  /// Says that the rows of a file are about to be replaced or removed. Errors: those of the store.
  Result<void> remove(StoreReader& reader, const FileRow& row);
  /// Says that rows of a file have been written.
  void add(FileId file) { added_.insert(file); }
  /// Says that more has changed than that.
  void count_anew() { is_known_ = false; }

  /// Notes the numbers of `generation`, which has begun: those `before` the run and its changes,
  /// with `skipped` skipped files; counted anew without `before`, and after many changes. Errors:
  /// those of the store.
  Result<void> note(const std::optional<FileCounts>& before, std::optional<std::size_t> skipped,
                    std::int64_t generation, StoreReader& reader, CodeWriter& writer) const;

 private:
  struct Change {
    std::int64_t files = 0, unparsed = 0;
  };
  struct Changes {
    std::map<std::string, Change> languages;
    StoreCounts totals;
  };
  // Counts a file and its rows `by` (1 or -1) in `changes`.
  static Result<void> count(StoreReader& reader, const FileRow& row, int by, Changes& changes);

  Changes removed_;
  std::set<FileId> added_;
  std::size_t looked_ = 0;
  bool is_known_ = true;
};

}  // namespace codexmem::store
