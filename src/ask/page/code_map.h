// ask/page/code_map.h - a repository as a tree of folders and files with what a map colours them
// by.
#pragma once

#include <cstddef>
#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

inline constexpr std::size_t kMostMapNodes = 5000;

struct CodeMapParams {
  std::string path = {};     // a folder; empty: all of the repository
  std::size_t nodes = 1500;  // in the answer at most, 1 to kMostMapNodes
};

/// {repo, name, path, files, lines, root, layers, cut}: the folders of most lines are opened first,
/// while their children fit into `nodes`; one that is not has no `children`. `cut` counts children
/// of the folder itself that had no room.
///
/// A layer's `max` is of the single file that has most. `missing` says why a layer is empty: the
/// commits of a long history are counted on a thread of their own, and are there when the map is
/// asked for again. Cost: a few queries over all files, whatever `nodes` is. Errors:
/// kInvalidArgument for a path out of the root; kNotFound when no indexed file lies below it; those
/// of the store.
Result<std::string> make_code_map(const PageCall& call, const CodeMapParams& params);

}  // namespace codexmem::ask
