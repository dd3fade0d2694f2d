// index/discovery/selection.h - the paths that a run covers. Immutable.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::index {

/// All paths of a tree, or the paths at and below some.
class Selection {
 public:
  /// `paths` are relative to the root; an empty list, or an empty path, means everything.
  explicit Selection(std::vector<std::string> paths = {});

  bool is_everything() const { return everything_; }

  /// True if `path` is one of the selected paths or below one.
  bool holds(std::string_view path) const;

  /// True if holds(), or if the folder `path` (with or without a final slash) may contain something
  /// selected.
  bool leads_to(std::string_view path) const;

 private:
  std::vector<std::string> paths_;  // sorted, without a slash at the end
  bool everything_ = false;
};

/// `input`, a path that is absolute or relative to `root` (absolute, links resolved), as a path
/// relative to the root: "/" between names, "" for the root itself. It need not exist. Errors:
/// kInvalidArgument when it leads out of the root.
Result<std::string> relative_to_root(const std::filesystem::path& root, std::string_view input);

}  // namespace codexmem::index
