// search/file_filter.h - selects the files, and their definitions, that may answer a query.
//
// Immutable once constructed, so safe to share between threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/path_globs.h"
#include "base/result.h"
#include "base/symbol_type.h"
#include "search/search.h"
#include "search/snapshot.h"

namespace codexmem::search {

class FileFilter {
 public:
  /// The filters of `request`; `snapshot` has the existing languages and kinds, for error messages
  /// and for the names of kinds. Errors: kInvalidArgument for an unknown language or kind, and for
  /// an empty glob.
  static Result<FileFilter> make(const SearchRequest& request, const Snapshot& snapshot);

  /// True if every file is accepted.
  bool is_empty() const { return is_empty_; }

  bool keeps(const Snapshot& snapshot, FileNumber file) const;

  /// With kinds, an answer shows only definitions of these kinds.
  bool has_kinds() const { return !kinds_.empty(); }
  bool keeps(SymbolType type, std::string_view kind) const;

 private:
  bool is_empty_ = true;
  std::vector<std::string> extensions_;
  std::vector<std::string> languages_;
  PathGlobs paths_;
  std::vector<std::string> kinds_;
  TestFiles tests_ = TestFiles::kInclude;
};

}  // namespace codexmem::search
