// Searches from both ends at once, the smaller front first: the number of visited functions grows
// with half the length of a path. Tested by graph/call_paths_test.cpp.
#include "graph/uses/call_paths.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "graph/uses/neighbours.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxNeighbours = 500;  // of one function

// A call that leads from one function to the next.
struct CallEdge {
  Neighbour to;
  Confidence confidence = Confidence::kResolved;
};

class CallGraph {
 public:
  CallGraph(FactsCache& cache, store::CodeReader& reader, const CallLimits& limits,
            const std::stop_token& stop)
      : around_(cache, reader), reader_(reader), limits_(limits), stop_(stop) {}

  bool is_spent() const {
    return looked_at_ >= limits_.most || std::chrono::steady_clock::now() > limits_.deadline;
  }

  // True if a function had more neighbours than the limit.
  bool is_cut() const { return is_cut_; }

  // The callees of `symbol`, or its callers.
  Result<std::vector<CallEdge>> edges(store::SymbolId symbol, bool callers) {
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    ++looked_at_;
    std::vector<CallEdge> edges;
    CODEXMEM_TRY(add(symbol, callers, Confidence::kResolved, edges));
    if (callers) {
      // Callers of a method that it overrides may call it.
      CODEXMEM_ASSIGN(const auto hierarchy, hierarchy_of(symbol));
      for (const Neighbour& overridden : hierarchy.overrides) {
        CODEXMEM_TRY(add(overridden.symbol.id, true, Confidence::kLikely, edges));
      }
      return edges;
    }
    const std::size_t direct = edges.size();
    for (std::size_t i = 0; i < direct; ++i) {
      CODEXMEM_ASSIGN(const auto hierarchy, hierarchy_of(edges[i].to.symbol.id));
      for (const Neighbour& overriding : hierarchy.overridden_by) {
        CallEdge edge{overriding, Confidence::kLikely};
        edge.to.first = edges[i].to.first;
        edges.push_back(std::move(edge));
      }
    }
    return edges;
  }

 private:
  Result<void> add(store::SymbolId symbol, bool callers, Confidence most,
                   std::vector<CallEdge>& edges) {
    CODEXMEM_ASSIGN(auto neighbours, callers ? list_callers(around_, symbol, kMaxNeighbours + 1)
                                             : list_callees(around_, symbol, kMaxNeighbours + 1));
    if (neighbours.size() > kMaxNeighbours) {
      neighbours.resize(kMaxNeighbours);
      is_cut_ = true;
    }
    for (Neighbour& neighbour : neighbours) {
      const Confidence confidence = std::min(most, neighbour.confidence);
      edges.push_back({std::move(neighbour), confidence});
    }
    return {};
  }
  Result<Hierarchy> hierarchy_of(store::SymbolId symbol) {
    const auto known = hierarchies_.find(symbol);
    if (known != hierarchies_.end()) return known->second;
    CODEXMEM_ASSIGN(const auto row, reader_.find_symbol(symbol));
    Hierarchy hierarchy;
    if (row && !row->container.empty()) {
      CODEXMEM_ASSIGN(hierarchy, find_hierarchy(around_, symbol, kMaxNeighbours + 1));
    }
    hierarchies_.emplace(symbol, hierarchy);
    return hierarchy;
  }

  Surroundings around_;
  store::CodeReader& reader_;
  const CallLimits& limits_;
  const std::stop_token& stop_;
  std::size_t looked_at_ = 0;
  bool is_cut_ = false;
  std::map<store::SymbolId, Hierarchy> hierarchies_;
};

// One end of the search: what was reached, and by which call.
struct Reached {
  CallStep step;
  std::optional<store::SymbolId> before;
};
struct Side {
  std::map<store::SymbolId, Reached> reached;
  std::vector<store::SymbolId> front;
};

Result<Side> side_of(store::CodeReader& reader, const std::vector<store::SymbolId>& symbols) {
  Side side;
  for (const store::SymbolId id : symbols) {
    CODEXMEM_ASSIGN(auto row, reader.find_symbol(id));
    if (!row) continue;
    CODEXMEM_ASSIGN(const auto file, reader.find_file(store::file_of(id)));
    if (!file) continue;
    CallStep step;
    step.symbol = *std::move(row);
    step.path = file->path;
    if (side.reached.try_emplace(id, Reached{std::move(step), std::nullopt}).second) {
      side.front.push_back(id);
    }
  }
  return side;
}

Confidence least_of(const CallPath& path) {
  Confidence least = Confidence::kResolved;
  for (const CallStep& step : path) least = std::min(least, step.confidence);
  return least;
}

// The path through `middle`, which both sides have reached.
CallPath join_paths(const Side& from, const Side& to, store::SymbolId middle) {
  CallPath path;
  for (std::optional<store::SymbolId> at = middle; at;) {
    const Reached& reached = from.reached.at(*at);
    path.push_back(reached.step);
    at = reached.before;
  }
  std::ranges::reverse(path);
  // The backward search stores a call with the caller; a path stores it with the callee.
  for (const Reached* at = &to.reached.at(middle); at->before;) {
    const Reached& next = to.reached.at(*at->before);
    CallStep step = next.step;
    step.call_line = at->step.call_line;
    step.confidence = at->step.confidence;
    path.push_back(std::move(step));
    at = &next;
  }
  return path;
}

}  // namespace

Result<CallPaths> find_call_paths(FactsCache& cache, store::CodeReader& reader,
                                  const std::vector<store::SymbolId>& from,
                                  const std::vector<store::SymbolId>& to, std::size_t limit,
                                  const CallLimits& limits, const std::stop_token& stop) {
  CallPaths found;
  CallGraph graph(cache, reader, limits, stop);
  CODEXMEM_ASSIGN(Side forward, side_of(reader, from));
  CODEXMEM_ASSIGN(Side backward, side_of(reader, to));
  std::vector<store::SymbolId> meetings;
  for (std::size_t calls = 0; calls < limits.depth && meetings.empty(); ++calls) {
    if (forward.front.empty() || backward.front.empty()) break;
    const bool is_forward = forward.front.size() <= backward.front.size();
    Side &side = is_forward ? forward : backward, &other = is_forward ? backward : forward;
    for (const store::SymbolId symbol : std::exchange(side.front, {})) {
      if (graph.is_spent()) {
        found.is_complete = false;
        break;
      }
      CODEXMEM_ASSIGN(auto edges, graph.edges(symbol, !is_forward));
      for (CallEdge& edge : edges) {
        const store::SymbolId id = edge.to.symbol.id;
        CallStep step{std::move(edge.to.symbol), std::move(edge.to.path), edge.to.first.line,
                      edge.confidence};
        const auto [at, is_new] = side.reached.try_emplace(id, Reached{std::move(step), symbol});
        if (!is_new) continue;
        side.front.push_back(id);
        if (other.reached.contains(id)) meetings.push_back(id);
      }
    }
    if (!found.is_complete) break;
  }
  for (const store::SymbolId middle : meetings) {
    found.paths.push_back(join_paths(forward, backward, middle));
  }
  std::ranges::stable_sort(found.paths, [](const CallPath& a, const CallPath& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return least_of(a) > least_of(b);
  });
  found.total = found.paths.size();
  found.is_complete = found.is_complete && !graph.is_cut();
  if (found.paths.size() > limit) found.paths.resize(limit);
  return found;
}

Result<CallTree> find_call_tree(FactsCache& cache, store::CodeReader& reader,
                                const std::vector<store::SymbolId>& roots, bool callers,
                                const CallLimits& limits, const std::stop_token& stop) {
  CallTree tree;
  CallGraph graph(cache, reader, limits, stop);
  CODEXMEM_ASSIGN(Side side, side_of(reader, roots));
  std::set<store::SymbolId> seen;
  for (const store::SymbolId id : side.front) {
    tree.steps.push_back(side.reached.at(id).step);
    seen.insert(id);
  }
  for (std::size_t i = 0; i < tree.steps.size(); ++i) {
    const std::size_t depth = tree.steps[i].depth + 1;
    if (depth > limits.depth) break;  // nearest first: later ones are not nearer
    if (tree.steps[i].is_repeated) continue;
    if (graph.is_spent()) {
      tree.is_complete = false;
      break;
    }
    CODEXMEM_ASSIGN(auto edges, graph.edges(tree.steps[i].symbol.id, callers));
    for (CallEdge& edge : edges) {
      const bool is_repeated = !seen.insert(edge.to.symbol.id).second;
      tree.steps.push_back({std::move(edge.to.symbol), std::move(edge.to.path), edge.to.first.line,
                            edge.confidence, depth, i, is_repeated});
    }
  }
  tree.is_complete = tree.is_complete && !graph.is_cut();
  return tree;
}

}  // namespace codexmem::graph
