// Numbers of graph::ImportTable stand for paths. Cycles are Tarjan's
// strongly connected components (Tarjan 1972), with a stack of our own for long chains.
//
// Tested by ask/page_test.cpp.
#include "ask/page/dependency_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ask/code/code_answer.h"
#include "base/path.h"
#include "graph/uses/symbol_search.h"
#include "search/path_facts.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

using Number = std::uint32_t;
using Links = std::vector<std::vector<Number>>;

constexpr std::size_t kMaxMapDepth = 4;
constexpr std::size_t kMaxCycles = 50;
constexpr std::size_t kEnoughLinks = 6;
constexpr Number kNone = std::numeric_limits<Number>::max();

struct GraphNode {
  std::string path;
  bool is_folder = false;
  std::int64_t files = 0, lines = 0;
  std::size_t fan_in = 0, fan_out = 0;
  std::size_t inside = 0;  // imports between files of this folder
  bool may_import = true;  // false: it holds only prose, settings and data
};

struct Graph {
  std::vector<GraphNode> nodes;
  std::map<std::pair<Number, Number>, std::size_t> edges;  // from, to: pairs of files
  std::size_t cut = 0;
  std::size_t hidden = 0;  // nodes that cannot import
};

// The number of the strongly connected component of each node.
class Components {
 public:
  explicit Components(const Links& links)
      : links_(links), order_(links.size(), kNone), low_(links.size()), of_(links.size(), kNone) {
    for (Number node = 0; node < links.size(); ++node) {
      if (order_[node] == kNone) visit(node);
    }
  }

  std::vector<Number> take() { return std::move(of_); }

 private:
  struct Step {
    Number node;
    std::size_t next = 0;  // of its links
  };

  void enter(Number node) {
    order_[node] = low_[node] = count_++;
    open_.push_back(node);
    steps_.push_back({node});
  }

  void visit(Number first) {
    for (enter(first); !steps_.empty();) {
      Step& step = steps_.back();
      const Number node = step.node;
      if (step.next < links_[node].size()) {
        const Number to = links_[node][step.next++];
        if (order_[to] == kNone) {
          enter(to);
        } else if (of_[to] == kNone) {
          low_[node] = std::min(low_[node], order_[to]);
        }
        continue;
      }
      steps_.pop_back();
      if (!steps_.empty()) {
        low_[steps_.back().node] = std::min(low_[steps_.back().node], low_[node]);
      }
      if (low_[node] == order_[node]) close(node);
    }
  }

  void close(Number root) {
    Number node = kNone;
    do {
      node = open_.back();
      open_.pop_back();
      of_[node] = components_;
    } while (node != root);
    ++components_;
  }

  const Links& links_;
  std::vector<Number> order_, low_, of_;
  std::vector<Number> open_;
  std::vector<Step> steps_;
  Number count_ = 0, components_ = 0;
};

// The shortest way from `first` back to itself within its component; empty: not found.
std::vector<Number> shortest_cycle(const Links& links, const std::vector<Number>& component,
                                   Number first) {
  std::vector<Number> before(links.size(), kNone);
  std::vector<Number> queue = {first};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (const Number to : links[queue[at]]) {
      if (component[to] != component[first]) continue;
      if (to == first) {
        std::vector<Number> cycle;
        for (Number node = queue[at]; node != first; node = before[node]) cycle.push_back(node);
        cycle.push_back(first);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (before[to] != kNone) continue;
      before[to] = queue[at];
      queue.push_back(to);
    }
  }
  return {};
}

Links links_of(const Graph& graph) {
  Links links(graph.nodes.size());
  for (const auto& [edge, count] : graph.edges) links[edge.first].push_back(edge.second);
  return links;
}

std::string graph_json(const store::Workspace& workspace, const std::string& path,
                       const std::string& focus, const Graph& graph) {
  const Links links = links_of(graph);
  const std::vector<Number> component = Components(links).take();
  std::vector<std::size_t> sizes(graph.nodes.size());
  for (const Number each : component) ++sizes[each];
  std::vector<JsonText> nodes, edges;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    nodes.push_back(json_object("id", node.path, "path", node.path, "name", file_name(node.path),
                                "kind", node.is_folder ? "folder" : "file", "files", node.files,
                                "lines", node.lines, "fanIn", node.fan_in, "fanOut", node.fan_out,
                                "inCycle", sizes[component[i]] > 1));
  }
  for (const auto& [edge, count] : graph.edges) {
    edges.push_back(json_object("from", graph.nodes[edge.first].path, "to",
                                graph.nodes[edge.second].path, "count", count, "inCycle",
                                component[edge.first] == component[edge.second]));
  }
  std::map<Number, std::vector<Number>> shortest;  // by component
  for (Number node = 0; node < graph.nodes.size(); ++node) {
    if (sizes[component[node]] < 2) continue;
    std::vector<Number>& best = shortest[component[node]];
    if (best.size() == 2) continue;  // none is shorter
    std::vector<Number> cycle = shortest_cycle(links, component, node);
    if (!cycle.empty() && (best.empty() || cycle.size() < best.size())) best = std::move(cycle);
  }
  std::vector<std::vector<std::string>> cycles;
  for (const auto& [number, cycle] : shortest) {
    if (cycles.size() == kMaxCycles) break;
    std::vector<std::string>& paths = cycles.emplace_back();
    for (const Number node : cycle) paths.push_back(graph.nodes[node].path);
  }
  return json_object("repo", workspace.root().string(), "path", path, "focus", json_or_null(focus),
                     "nodes", nodes, "edges", edges, "cycles", cycles, "cut", graph.cut, "hidden",
                     graph.hidden);
}

// Keeps the nodes with these numbers, in their order, and the edges between them.
void keep_nodes(Graph& graph, std::vector<Number> order) {
  std::sort(order.begin(), order.end());
  Graph kept;
  kept.cut = graph.cut;
  kept.hidden = graph.hidden;
  std::vector<Number> now(graph.nodes.size(), kNone);
  for (const Number each : order) {
    now[each] = static_cast<Number>(kept.nodes.size());
    kept.nodes.push_back(std::move(graph.nodes[each]));
  }
  for (const auto& [edge, count] : graph.edges) {
    if (now[edge.first] == kNone || now[edge.second] == kNone) continue;
    kept.edges[{now[edge.first], now[edge.second]}] = count;
  }
  graph = std::move(kept);
}

// Keeps the `most` nodes that `is_better` puts first.
template <typename IsBetter>
void keep_best(Graph& graph, std::size_t most, const IsBetter& is_better) {
  if (graph.nodes.size() <= most) return;
  std::vector<Number> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Number a, Number b) { return is_better(graph.nodes[a], graph.nodes[b]); });
  graph.cut += order.size() - most;
  order.resize(most);
  keep_nodes(graph, std::move(order));
}

void hide_what_cannot_import(Graph& graph) {
  std::vector<Number> others;
  for (Number i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    if (node.may_import || node.fan_in + node.fan_out > 0) others.push_back(i);
  }
  graph.hidden = graph.nodes.size() - others.size();
  if (graph.hidden > 0) keep_nodes(graph, std::move(others));
}

// The parts of `folder` and the imports between them.
Graph folder_graph(const graph::FileTable& files, const graph::ImportTable& imports,
                   const std::string& folder) {
  Graph graph;
  const std::string prefix = folder.empty() ? "" : folder + "/";
  std::vector<Number> part(files.rows().size(), kNone);
  for (Number i = 0; i < files.rows().size(); ++i) {
    const store::FileRow& row = files.rows()[i];
    if (!row.path.starts_with(prefix)) continue;
    const std::size_t slash = row.path.find('/', prefix.size());
    const std::string_view path = std::string_view(row.path).substr(0, slash);
    if (graph.nodes.empty() || graph.nodes.back().path != path) {
      graph.nodes.push_back({.path = std::string(path),
                             .is_folder = slash != std::string::npos,
                             .may_import = false});
    }
    GraphNode& node = graph.nodes.back();
    node.files += 1;
    node.lines += row.line_count;
    node.may_import = node.may_import || !search::is_text_language(row.language);
    part[i] = static_cast<Number>(graph.nodes.size() - 1);
  }
  for (Number from = 0; from < part.size(); ++from) {
    if (part[from] == kNone) continue;
    for (const Number to : imports.imports[from]) {
      if (part[to] == part[from]) ++graph.nodes[part[from]].inside;
      if (part[to] != kNone && part[to] != part[from]) ++graph.edges[{part[from], part[to]}];
    }
  }
  for (const auto& [edge, count] : graph.edges) {
    ++graph.nodes[edge.first].fan_out;
    ++graph.nodes[edge.second].fan_in;
  }
  return graph;
}

// The folder whose parts a reader should see first: from the root down while one part holds most
// of the imports, until there are enough links between parts; else where there are most of them.
std::string busiest_folder(const graph::FileTable& files, const graph::ImportTable& imports) {
  std::string best, folder;
  for (std::size_t most = 0;;) {
    const Graph graph = folder_graph(files, imports, folder);
    if (graph.edges.size() > most) {
      most = graph.edges.size();
      best = folder;
    }
    std::size_t all = 0;
    for (const auto& [edge, count] : graph.edges) all += count;
    const GraphNode* heaviest = nullptr;
    for (const GraphNode& node : graph.nodes) {
      all += node.inside;
      if (heaviest == nullptr || node.inside > heaviest->inside) heaviest = &node;
    }
    const bool is_end = heaviest == nullptr || heaviest->inside * 2 <= all;
    if (is_end || graph.edges.size() >= kEnoughLinks) return best;
    folder = heaviest->path;
  }
}

// The file `focus` and files at most `depth` imports away; at most `most` nodes, the
// nearest first and then those that most files import.
Graph focus_graph(const graph::FileTable& files, const graph::ImportTable& imports, Number focus,
                  std::size_t depth, std::size_t most) {
  Graph graph;
  std::unordered_map<Number, Number> numbers;  // of a file, in the graph
  const auto add = [&](Number file) {
    const store::FileRow& row = files.rows()[file];
    numbers.emplace(file, static_cast<Number>(graph.nodes.size()));
    graph.nodes.push_back({.path = row.path,
                           .files = 1,
                           .lines = row.line_count,
                           .fan_in = imports.importers[file].size(),
                           .fan_out = imports.imports[file].size()});
  };
  add(focus);
  std::vector<Number> ring = {focus};
  for (std::size_t level = 0; level < depth && !ring.empty(); ++level) {
    std::vector<Number> next;
    for (const Number file : ring) {
      for (const auto* links : {&imports.imports[file], &imports.importers[file]}) {
        for (const Number other : *links) {
          if (!numbers.contains(other)) next.push_back(other);
        }
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    std::stable_sort(next.begin(), next.end(), [&](Number a, Number b) {
      return imports.importers[a].size() > imports.importers[b].size();
    });
    const std::size_t room = most - std::min(most, graph.nodes.size());
    if (next.size() > room) {
      graph.cut += next.size() - room;
      next.resize(room);
    }
    for (const Number file : next) add(file);
    ring = std::move(next);
  }
  for (const auto& [file, node] : numbers) {
    for (const Number other : imports.imports[file]) {
      const auto to = numbers.find(other);
      if (to != numbers.end()) graph.edges[{node, to->second}] = 1;
    }
  }
  return graph;
}

}  // namespace

Result<std::string> make_dependency_map(const PageCall& call, const DependencyMapParams& params) {
  store::Workspace& workspace = call.code.workspace;
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto files, call.code.facts.files(*reader));
  CODEXMEM_ASSIGN(const auto imports, call.code.facts.imports(*reader, files));
  const std::size_t most = std::clamp<std::size_t>(params.nodes, 1, kMaxGraphNodes);
  if (!params.focus.empty()) {
    CODEXMEM_ASSIGN(const std::string path, repository_path(workspace, "focus", params.focus));
    CODEXMEM_ASSIGN(const store::FileRow row, graph::get_indexed_file(*reader, path));
    const store::FileRow* const there = files->find(row.id);
    if (there == nullptr) return Error{ErrorCode::kNotFound, path + " is not indexed"};
    const auto focus = static_cast<Number>(there - files->rows().data());
    return graph_json(workspace, std::string(folder_of(path)), path,
                      focus_graph(*files, *imports, focus,
                                  std::clamp<std::size_t>(params.depth, 1, kMaxMapDepth), most));
  }
  CODEXMEM_ASSIGN(std::string folder, page_folder(workspace, params.path));
  if (params.path.empty()) folder = busiest_folder(*files, *imports);
  if (!files->has_folder(folder)) {
    return Error{ErrorCode::kNotFound, fmt::format("the index has no file below {}", folder)};
  }
  Graph graph = folder_graph(*files, *imports, folder);
  hide_what_cannot_import(graph);
  keep_best(graph, most, [](const GraphNode& a, const GraphNode& b) {
    return std::pair(a.fan_in + a.fan_out, a.lines) > std::pair(b.fan_in + b.fan_out, b.lines);
  });
  return graph_json(workspace, folder, "", graph);
}

}  // namespace codexmem::ask
