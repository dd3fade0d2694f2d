// ask/page/code_map.h - a repository as a tree of folders and files with what a map colours them
// by.
#pragma once

#include <cstddef>
#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

inline constexpr std::size_t kMaxMapNodes = 5000;

struct CodeMapParams {
  std::string path = {};     // a folder; empty: all of the repository
  std::size_t nodes = 1500;  // in the answer at most, 1 to kMaxMapNodes
};

/// {repo, name, path, files, lines, root, layers, cut}. A file has its `sort` (file_sort()),
/// `code`: its lines if people wrote it, and the `size` of its tile: its lines, or the root of
/// their number if it is generated or data. The largest folders are opened first, while their
/// children fit into `nodes`; a folder that is not opened has no `children`. `cut` counts children
/// of the requested folder that had no room.
///
/// A layer's `max` is its largest value for a single file, without a sort if there is one.
/// `missing` says why a layer is empty: the commits of a long history are counted on a separate
/// thread, and are there when the map is requested again. Cost: a few queries over all files,
/// whatever `nodes` is. Errors: kInvalidArgument for a path outside the root; kNotFound when no
/// indexed file is below it; errors of the store.
Result<std::string> make_code_map(const PageCall& call, const CodeMapParams& params);

}  // namespace codexmem::ask
