// index/git/tree_compare.h - the files that differ between two of git's trees, within limits.
//
// A clone of a few kilobytes may have trees that name billions of files or folders, because one
// tree may be in another many times. libgit2 would walk them all. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "index/git/git_handles.h"

namespace codexmem::index {

/// A file or link; a mode of 0: it does not exist on that side. Submodules do not exist.
struct TreeDifference {
  const std::string& path;
  std::uint16_t old_mode = 0, new_mode = 0;  // git_filemode_t
  const git_oid* old_id = nullptr;           // null with a mode of 0
  const git_oid* new_id = nullptr;
};

struct TreeLimits {
  std::size_t entries = 500'000;                    // files and folders that differ
  std::size_t path_bytes = std::size_t{128} << 20;  // of these together
  std::chrono::milliseconds time{5'000};
};

/// Paths that are longer are refused: no system can check them out.
inline constexpr std::size_t kMaxTreePath = 4096;

/// Calls `visit` with each file that differs, until it returns false. Null is an empty tree.
/// `wants` decides by its path whether a file or folder is looked at; null: all are. Errors:
/// kUnsupported beyond a limit; kIo when git's data cannot be read; kCancelled.
Result<void> compare_trees(git_repository* repository, const git_tree* before,
                           const git_tree* after, const TreeLimits& limits,
                           const std::function<bool(const TreeDifference&)>& visit,
                           const std::function<bool(const std::string&)>& wants = {});

}  // namespace codexmem::index
