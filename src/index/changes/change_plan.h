// index/changes/change_plan.h - plans a run from the files on disk and the rows in the store.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/discovery/discover.h"
#include "index/discovery/file_reader.h"
#include "index/discovery/selection.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

struct ChangePlan {
  std::vector<FileJob> jobs;                // in byte order of path
  std::vector<store::FileRow> deleted;      // rows whose file is gone and was not moved
  std::uint64_t unchanged = 0;              // files with a row of the same size and time
  std::vector<SkippedEntry> skipped;        // of this run, without those that the jobs will find
  std::vector<store::SkippedFile> outside;  // rows of skipped_files outside this run
};

/// The rows of `only` (files, and folders with everything below) or, if that is empty, of all
/// files; by path. Errors: as the store.
Result<std::vector<store::FileRow>> list_rows(store::StoreReader& reader,
                                              const std::vector<std::string>& only);

/// Compares the lists, which must be sorted by path. A file with the size and time of its row, or
/// of its note among the skipped (binary, unknown_type), is not read again unless `read_all` is set
/// or `distrusted` contains it. A new file with the bytes of a deleted one becomes a job that has
/// the deleted row: of several rows, the one with the same base name, then the first by path.
ChangePlan make_plan(const RootDirectory& root, Discovery discovery, const Selection& selection,
                     const std::vector<store::FileRow>& rows,
                     const std::vector<store::SkippedFile>& skipped_rows, bool read_all,
                     const std::set<std::string, std::less<>>& distrusted = {});

}  // namespace codexmem::index
