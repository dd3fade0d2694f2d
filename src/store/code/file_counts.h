// store/code/file_counts.h - how much an index holds: noted, not counted.
//
// Every answer says how many files it searched, and `codexmem index` what there is. To count that
// reads an entry of an index for each file, symbol and vector, so each run that writes leaves the
// numbers in `meta`; a store of another generation than the note speaks for is counted.
#pragma once

#include <array>
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

/// The members of StoreCounts.
inline constexpr std::array kTotals = {&StoreCounts::files,        &StoreCounts::symbols,
                                       &StoreCounts::chunks,       &StoreCounts::vectors,
                                       &StoreCounts::dependencies, &StoreCounts::skipped,
                                       &StoreCounts::source_bytes, &StoreCounts::lines};

struct FileCounts {
  std::vector<LanguageCount> languages;  // by language, each with a file at least
  StoreCounts totals;
};

/// As the note has them, else counted. Errors: the store's.
Result<FileCounts> count_files(StoreReader& reader);

/// Only the counts of the languages. Errors: the store's.
Result<std::vector<LanguageCount>> recount_languages(StoreReader& reader);

/// Reads all that it counts. Errors: the store's.
Result<FileCounts> recount_files(StoreReader& reader);

/// The note, if it speaks for the store as it is.
Result<std::optional<FileCounts>> find_noted_counts(StoreReader& reader);

/// What a run changes of the numbers. One thread.
class FileCountChanges {
 public:
  /// Says that the rows of a file are about to be replaced or removed. Errors: the store's.
  Result<void> remove(StoreReader& reader, const FileRow& row);
  /// Says that rows of a file have been written.
  void add(FileId file) { added_.insert(file); }
  /// Says that more has changed than that.
  void recount() { is_known_ = false; }

  /// Notes the numbers of `generation`, which has begun: those `before` the run and its changes,
  /// with `skipped` skipped files; counted again without `before`, and after many changes. Errors:
  /// the store's.
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
