// ask/page/dependency_map.h - who imports whom, as a graph that a page can draw: the parts of a
// folder, or a file and its neighbours.
#pragma once

#include <cstddef>
#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

inline constexpr std::size_t kMaxGraphNodes = 1000;

struct DependencyMapParams {
  // A folder: its folders and files are the nodes. ".": the root; empty: where the links are.
  std::string path = {};
  std::string focus = {};   // a file: it and its neighbours are; `path` is not looked at then
  std::size_t depth = 1;    // of neighbours, 1 to 4
  std::size_t nodes = 150;  // at most
};

/// {repo, path, focus, nodes, edges, cycles, cut, hidden}. A node's id is its path. An edge counts
/// the pairs of files that it represents; imports of files outside the graph are left out. `fanIn`
/// and `fanOut` of a file are of all the repository, of a folder's parts the other parts that
/// import it and that it imports. Of too many nodes those with most imports (around a focus: the
/// nearest ones) stay, and `cut` counts the others; `hidden` counts parts of a folder without a
/// link that hold only prose, settings and data. Each strongly connected part is shown by its
/// shortest cycle, in import order.
///
/// Errors: kInvalidArgument for a path out of the root; kNotFound for a file that is not indexed or
/// a folder without one; the store's.
Result<std::string> make_dependency_map(const PageCall& call, const DependencyMapParams& params);

}  // namespace codexmem::ask
