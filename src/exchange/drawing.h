// exchange/drawing.h - dependencies or calls of a repository as a graph that other programs draw.
//
// Graphviz's DOT, and GraphML (graphml.graphdrawing.org). Edges are sorted, so the same code gives
// the same file. One thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/result.h"
#include "exchange/output.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::exchange {

enum class EdgesOf { kImports, kCalls };
enum class NodesAre { kFiles, kFolders, kSymbols };

/// What leads from one node to another, and how often.
struct Drawing {
  std::map<std::pair<std::string, std::string>, std::size_t> edges;
  std::size_t uncertain = 0;  // calls left out: they may mean something of the repository
};

/// Imports between files, or calls that are certain. A node without edges is not in it; neither is
/// what leads from a node to itself, except calls of a symbol. Errors: kInvalidArgument for imports
/// between symbols; kCancelled; the store's errors.
Result<Drawing> draw(graph::FactsCache& cache, store::CodeReader& reader, EdgesOf of,
                     NodesAre nodes);

/// Errors: of `output`.
Result<void> write_dot(const Drawing& drawing, const Output& output);
Result<void> write_graphml(const Drawing& drawing, const Output& output);

}  // namespace codexmem::exchange
