// index/change_plan.h - what a run has to do, from the files on disk and the rows in the store.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/discover.h"
#include "index/file_reader.h"
#include "index/selection.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

struct ChangePlan {
  std::vector<FileJob> jobs;                // in byte order of path
  std::vector<store::FileRow> deleted;      // rows whose file is gone and has not moved
  std::uint64_t unchanged = 0;              // files with a row of the same size and time
  std::vector<SkippedEntry> skipped;        // of this run, without what the jobs will find
  std::vector<store::SkippedFile> outside;  // rows of skipped_files that the run is not about
};

/// The rows of `only` (files, and folders with all below) or, where that is empty, of all files; by
/// path. Errors: those of the store.
Result<std::vector<store::FileRow>> list_rows(store::StoreReader& reader,
                                              const std::vector<std::string>& only);

/// Compares. Both lists of rows are by path. A file of the same size and time as its row, or as its
/// note among the skipped (binary, unknown_type), is not read again unless `read_all` or among the
/// paths `distrusted`. A new file
/// with the bytes of a deleted one becomes a job that knows the deleted row: of several, the one of
/// the same base name, then the first by path.
ChangePlan make_plan(const RootDirectory& root, Discovery discovery, const Selection& selection,
                     const std::vector<store::FileRow>& rows,
                     const std::vector<store::SkippedFile>& skipped_rows, bool read_all,
                     const std::set<std::string, std::less<>>& distrusted = {});

}  // namespace codexmem::index
