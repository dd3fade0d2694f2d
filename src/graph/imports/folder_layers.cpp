// Folders that reach each other are found first (Tarjan 1972, with an explicit stack, so that a
// long chain of folders needs no deep recursion). Each such group is then put into an order in
// which as few imports as possible lead upwards: edges against that order are the inversions. The
// fewest possible is NP-hard to find; the greedy order of Eades, Lin and Smyth ("A fast and
// effective heuristic for the feedback arc set problem", 1993) comes near it: take folders that
// import nothing of the group from the bottom, folders that the group does not import from the top,
// and without either the folder with the largest excess of its imports over the imports of it. Then
// each folder moves to its best place in the order until no move helps (the greedy order by itself
// breaks heavy edges: a test has such a case). The weight of an edge is its number of imports, so
// one import against twenty is the inversion. Without the inversions there is no cycle, and each
// folder's layer is its longest path down.
//
// Tested by graph/folder_layers_test.cpp.
#include "graph/imports/folder_layers.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace codexmem::graph {
namespace {

using Folder = std::uint32_t;
constexpr std::size_t kMaxLayerRounds = 20;
constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;

class Layering {
 public:
  Layering(std::size_t folders, const std::vector<FolderEdge>& edges)
      : edges_(edges), out_(folders), is_inverted_(edges.size()), group_(folders, kUnseen) {
    for (std::size_t i = 0; i < edges.size(); ++i) out_[edges[i].from].push_back(i);
  }

  FolderLayers run() {
    find_groups();
    for (const std::vector<Folder>& group : groups_) {
      if (group.size() < 2) continue;
      invert(group);
      found_.cycles.push_back(group);
      std::ranges::sort(found_.cycles.back());
    }
    std::ranges::sort(found_.cycles, [](const auto& a, const auto& b) {
      return std::pair(b.size(), a.front()) < std::pair(a.size(), b.front());
    });
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (is_inverted_[i]) found_.inversions.push_back(i);
    }
    std::ranges::stable_sort(found_.inversions, {},
                             [&](std::size_t edge) { return edges_[edge].imports; });
    stack_up();
    return std::move(found_);
  }

 private:
  // weights[a][b]: how often a imports b, by their places in a group.
  using Weights = std::vector<std::vector<std::size_t>>;

  struct Frame {
    Folder folder;
    std::size_t next = 0;  // of its edges
  };

  void find_groups() {
    std::vector<std::uint32_t> index(out_.size(), kUnseen), low(out_.size(), 0);
    std::vector<Folder> open;
    std::uint32_t count = 0;
    for (Folder root = 0; root < out_.size(); ++root) {
      if (index[root] != kUnseen) continue;
      std::vector<Frame> frames;
      const auto enter = [&](Folder folder) {
        index[folder] = low[folder] = count++;
        open.push_back(folder);
        frames.push_back({folder});
      };
      enter(root);
      while (!frames.empty()) {
        Frame& frame = frames.back();
        const Folder folder = frame.folder;
        if (frame.next < out_[folder].size()) {
          const Folder to = edges_[out_[folder][frame.next++]].to;
          if (index[to] == kUnseen) {
            enter(to);
          } else if (group_[to] == kUnseen) {
            low[folder] = std::min(low[folder], index[to]);
          }
          continue;
        }
        frames.pop_back();
        if (!frames.empty()) {
          low[frames.back().folder] = std::min(low[frames.back().folder], low[folder]);
        }
        if (low[folder] != index[folder]) continue;
        std::vector<Folder> group;
        do {
          group.push_back(open.back());
          group_[open.back()] = static_cast<std::uint32_t>(groups_.size());
          open.pop_back();
        } while (group.back() != folder);
        groups_.push_back(std::move(group));
      }
    }
  }

  // Marks the edges of a group that lead upwards in its order.
  void invert(std::vector<Folder> group) {
    std::ranges::sort(group);
    std::vector<std::size_t> member(out_.size(), 0);  // the place of a folder in `group`
    for (std::size_t i = 0; i < group.size(); ++i) member[group[i]] = i;
    Weights weights(group.size(), std::vector<std::size_t>(group.size(), 0));
    std::vector<std::size_t> edges;
    for (const Folder folder : group) {
      for (const std::size_t edge : out_[folder]) {
        if (group_[edges_[edge].to] != group_[folder]) continue;
        edges.push_back(edge);
        weights[member[folder]][member[edges_[edge].to]] = edges_[edge].imports;
      }
    }
    std::vector<std::size_t> order = greedy_order(weights);
    improve(weights, order);
    std::vector<std::size_t> place(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (const std::size_t edge : edges) {
      is_inverted_[edge] = place[member[edges_[edge].from]] > place[member[edges_[edge].to]];
    }
  }

  static std::vector<std::size_t> greedy_order(const Weights& weights) {
    std::vector<std::int64_t> in(weights.size(), 0), out(weights.size(), 0);
    for (std::size_t from = 0; from < weights.size(); ++from) {
      for (std::size_t to = 0; to < weights.size(); ++to) {
        out[from] += static_cast<std::int64_t>(weights[from][to]);
        in[to] += static_cast<std::int64_t>(weights[from][to]);
      }
    }
    std::vector<std::size_t> left(weights.size()), top, bottom;
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (!left.empty()) {
      const auto lowest = std::ranges::find(left, 0, [&](std::size_t i) { return out[i]; });
      const auto highest = std::ranges::max_element(
          left, {}, [&](std::size_t i) { return std::pair(in[i] == 0, out[i] - in[i]); });
      const bool is_low = lowest != left.end();
      const std::size_t next = is_low ? *lowest : *highest;
      (is_low ? bottom : top).push_back(next);
      left.erase(is_low ? lowest : highest);
      for (const std::size_t other : left) {
        out[other] -= static_cast<std::int64_t>(weights[other][next]);
        in[other] -= static_cast<std::int64_t>(weights[next][other]);
      }
    }
    top.insert(top.end(), bottom.rbegin(), bottom.rend());
    return top;
  }

  // Moves each folder to where fewest imports lead upwards.
  static void improve(const Weights& weights, std::vector<std::size_t>& order) {
    bool is_better = true;
    for (std::size_t round = 0; round < kMaxLayerRounds && is_better; ++round) {
      is_better = false;
      for (std::size_t folder = 0; folder < order.size(); ++folder) {
        const auto at = std::ranges::find(order, folder);
        const auto old_place = static_cast<std::size_t>(at - order.begin());
        order.erase(at);
        // Upward imports of `folder` at each place, less those at the top.
        std::int64_t cost = 0, best = 0, old_cost = 0;
        std::size_t best_place = 0;
        for (std::size_t place = 0; place <= order.size(); ++place) {
          if (place > 0) {
            cost += static_cast<std::int64_t>(weights[folder][order[place - 1]]) -
                    static_cast<std::int64_t>(weights[order[place - 1]][folder]);
          }
          if (place == old_place) old_cost = cost;
          if (cost < best) {
            best = cost;
            best_place = place;
          }
        }
        is_better = is_better || best < old_cost;
        const std::size_t place = best < old_cost ? best_place : old_place;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), folder);
      }
    }
  }

  // The layer of each folder: its longest way down, found from the bottom up.
  void stack_up() {
    std::vector<std::size_t> height(out_.size(), 0), missing(out_.size(), 0);
    std::vector<std::vector<Folder>> above(out_.size());
    std::vector<bool> has_edge(out_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      has_edge[edges_[i].from] = has_edge[edges_[i].to] = true;
      if (is_inverted_[i]) continue;
      ++missing[edges_[i].from];
      above[edges_[i].to].push_back(edges_[i].from);
    }
    std::vector<Folder> ready;
    for (Folder folder = 0; folder < out_.size(); ++folder) {
      if (has_edge[folder] && missing[folder] == 0) ready.push_back(folder);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const Folder folder = ready[i];
      if (found_.layers.size() <= height[folder]) found_.layers.resize(height[folder] + 1);
      found_.layers[height[folder]].push_back(folder);
      for (const Folder importer : above[folder]) {
        height[importer] = std::max(height[importer], height[folder] + 1);
        if (--missing[importer] == 0) ready.push_back(importer);
      }
    }
    std::ranges::reverse(found_.layers);
    for (std::vector<Folder>& layer : found_.layers) std::ranges::sort(layer);
  }

  const std::vector<FolderEdge>& edges_;
  std::vector<std::vector<std::size_t>> out_;  // edges from each folder
  std::vector<bool> is_inverted_;              // by edge
  std::vector<std::uint32_t> group_;           // of each folder
  std::vector<std::vector<Folder>> groups_;
  FolderLayers found_;
};

}  // namespace

FolderLayers find_folder_layers(std::size_t folders, const std::vector<FolderEdge>& edges) {
  return Layering(folders, edges).run();
}

}  // namespace codexmem::graph
