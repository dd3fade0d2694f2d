// text/path_globs.h - globs that tell files by their paths. Immutable once made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/glob.h"

namespace codexmem {

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

}  // namespace codexmem
