// search/file_filter.h - which files, and which of their definitions, may answer a question.
//
// Immutable once made, so safe to share between threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/glob.h"
#include "base/result.h"
#include "base/symbol_type.h"
#include "search/search.h"
#include "search/snapshot.h"

namespace codexmem::search {

/// Globs over paths relative to a root, with the meaning of a .gitignore's lines: without a slash
/// one is for names at any depth, with one it begins at the root, and what a folder is named by
/// holds for all that is in it. A `!` before a glob takes its files out, wherever it stands in the
/// list.
class PathGlobs {
 public:
  /// Errors: kInvalidArgument for a glob that names nothing.
  static Result<PathGlobs> make(const std::vector<std::string>& globs);

  /// True when a glob holds `path`, or there are none but with `!`, and none with `!` does.
  bool keeps(std::string_view path) const;

 private:
  struct One {
    Glob glob;
    bool is_name = false;         // for the name of a file or folder, not for a path
    bool is_folder_only = false;  // ends with a slash
  };
  static bool holds(const One& one, std::string_view path);

  std::vector<One> wanted_, unwanted_;
};

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
