// Tested by graph/routes_test.cpp.
#include "graph/routes/router_graph.h"

#include <algorithm>
#include <set>

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxPrefixes = 40, kMaxMountDepth = 24, kMaxVisits = 5000;

void add_prefixes(const RouterGraph& graph, int at, const RouterGraph::Whole& below,
                  std::vector<int>& above, std::size_t& visits,
                  std::vector<RouterGraph::Whole>& out) {
  at = graph.find(at);
  const Router& router = graph.routers[static_cast<std::size_t>(at)];
  if (std::ranges::find(above, at) != above.end() || above.size() >= kMaxMountDepth ||
      out.size() >= kMaxPrefixes || ++visits > kMaxVisits) {
    return;
  }
  RouterGraph::Whole here = below;
  if (here.framework == nullptr) here.framework = router.framework;
  above.push_back(at);
  for (const Router::Mount& mount : router.mounts) {
    RouterGraph::Whole there = here;
    if (!mount.replaces) there.prefix = joined_path(router.prefix, there.prefix);
    there.prefix = joined_path(mount.prefix, there.prefix);
    there.is_computed |= mount.is_computed || (!mount.replaces && router.is_computed);
    add_prefixes(graph, mount.parent, there, above, visits, out);
  }
  above.pop_back();
  if (!router.mounts.empty()) return;
  here.prefix = joined_path(router.prefix, here.prefix);
  here.is_computed |= router.is_computed;
  here.is_anchored = router.is_server;
  if (router.is_server || router.is_made || router.framework != nullptr) out.push_back(here);
}

}  // namespace

void RouterGraph::unite(int a, int b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  Router& from = (*this)[a];
  Router& to = (*this)[b];
  for (Router::Mount& mount : from.mounts) to.mounts.push_back(std::move(mount));
  if (to.prefix.empty()) to.prefix = from.prefix;
  to.is_computed |= from.is_computed;
  to.is_server |= from.is_server;
  to.is_made |= from.is_made;
  to.is_one_path |= from.is_one_path;
  if (to.framework == nullptr) to.framework = from.framework;
  from.same = b;
}

void RouterGraph::mount(int child, Router::Mount mount) {
  if (child == kNoRouter || mount.parent == kNoRouter || find(child) == find(mount.parent)) return;
  std::vector<Router::Mount>& mounts = (*this)[child].mounts;
  for (const Router::Mount& known : mounts) {
    if (find(known.parent) == find(mount.parent) && known.prefix == mount.prefix) return;
  }
  mounts.push_back(std::move(mount));
}

bool RouterGraph::is_live(int router) const {
  std::vector<int> left{find(router)};
  std::set<int> seen;
  while (!left.empty()) {
    const int at = left.back();
    left.pop_back();
    if (!seen.insert(at).second) continue;
    const Router& each = routers[static_cast<std::size_t>(at)];
    if (each.is_made || each.is_server) return true;
    for (const Router::Mount& mount : each.mounts) left.push_back(find(mount.parent));
  }
  return false;
}

std::vector<RouterGraph::Whole> RouterGraph::prefixes(int router) const {
  std::vector<Whole> out;
  std::vector<int> above;
  std::size_t visits = 0;
  add_prefixes(*this, router, {}, above, visits, out);
  // A router that is mounted is not reached otherwise.
  if (std::ranges::any_of(out, &Whole::is_anchored)) {
    std::erase_if(out, [](const Whole& each) { return !each.is_anchored; });
  }
  return out;
}

std::string joined_path(std::string_view a, std::string_view b) {
  while (b.starts_with('^')) b.remove_prefix(1);
  if (a.empty() || b.empty()) return std::string(a.empty() ? b : a);
  const bool has_slash = a.ends_with('/');
  if (has_slash && b.starts_with('/')) b.remove_prefix(1);
  return std::string(a) + (has_slash || b.starts_with('/') ? "" : "/") + std::string(b);
}

}  // namespace codexmem::graph
