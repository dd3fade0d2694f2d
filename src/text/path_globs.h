// text/path_globs.h - globs that select files by their paths. Immutable once constructed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/glob.h"

namespace codexmem {

/// Globs over paths relative to a root, with the meaning of lines in a .gitignore: a glob without a
/// slash matches at any depth, one with a slash begins at the root, and a glob that matches a
/// folder includes everything in it. A glob with a leading `!` excludes its files, at any place in
/// the list.
class PathGlobs {
 public:
  /// Errors: kInvalidArgument for an empty glob.
  static Result<PathGlobs> make(const std::vector<std::string>& globs);

  /// True if a glob includes `path` (or all globs have a `!`) and no glob with `!` excludes it.
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

}  // namespace codexmem
