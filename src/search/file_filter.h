// search/file_filter.h - which files, and which of their definitions, may answer a question.
//
// Immutable once made, so safe to share between threads.
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
  /// The filters of `request`; `snapshot` tells the languages and kinds that there are, for what an
  /// error says and for the names of kinds. Errors: kInvalidArgument for an unknown language or
  /// kind, and for a glob that names nothing.
  static Result<FileFilter> make(const SearchRequest& request, const Snapshot& snapshot);

  /// True when every file is kept.
  bool is_empty() const { return is_empty_; }

  bool keeps(const Snapshot& snapshot, FileNumber file) const;

  /// With kinds, an answer shows definitions of these alone.
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
