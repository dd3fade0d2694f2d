// graph/imports/folder_layers.h - which folders stand above which, by what they import.
//
// Pure; thread-safe. Design: docs/how-it-works.md, "Overview".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace codexmem::graph {

/// Folder `from` imports folder `to`. Folders are numbers from 0.
struct FolderEdge {
  std::uint32_t from = 0, to = 0;
  std::size_t imports = 1;  // pairs of files; at least 1
};

struct FolderLayers {
  /// Every folder that has an edge, the top layer first. A folder is one layer above the highest
  /// folder that it imports; inversions do not count. Within a layer by number.
  std::vector<std::vector<std::uint32_t>> layers;
  /// Folders that reach each other by imports, by number; the largest group first, then by the
  /// first number.
  std::vector<std::vector<std::uint32_t>> cycles;
  /// Indices of the edges that lead from a lower folder to a higher one: without them there would
  /// be no cycle. Fewest imports first, then by index.
  std::vector<std::size_t> inversions;
};

/// Finds the layers of `folders` folders. `edges` has each pair at most once and no edge from a
/// folder to itself. Takes time and memory by the square of the largest cycle's folders: for some
/// hundreds.
FolderLayers find_folder_layers(std::size_t folders, const std::vector<FolderEdge>& edges);

}  // namespace codexmem::graph
