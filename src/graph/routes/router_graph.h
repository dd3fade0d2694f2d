// graph/routes/router_graph.h - routers, their mounts and their routes.
//
// A router is a variable, a parameter, a block or a file that routes are put into. Its prefix is
// known only when all files have been read: each may be mounted by another file, and more than
// once. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/routes/route_rules.h"
#include "store/code/code_rows.h"

namespace codexmem::graph {

inline constexpr int kNoRouter = -1;

struct Router {
  struct Mount {
    int parent = kNoRouter;
    std::string prefix = {};
    bool is_computed = false;
    bool replaces = false;  // the router's own prefix does not count
  };
  std::vector<Mount> mounts = {};
  int same = kNoRouter;     // another name of that router
  std::string prefix = {};  // its own, below each mount
  bool is_computed = false;
  bool is_server = false;     // ends a path
  bool is_made = false;       // by a call that makes routers: a path may end here
  bool is_one_path = false;   // its routes have no path of their own
  bool is_shallow = false;    // members of its resources are not below it
  bool has_no_slash = false;  // behind the paths of sets of views
  const Framework* framework = nullptr;
  // Of a block: the folder of its handlers, their class, and the paths of members and of all.
  int outer = kNoRouter;  // what its collection is below; its members are below its mount's parent
  std::string module = {}, controller = {}, member = {}, collection = {};
};

struct FoundRoute {
  int router = kNoRouter;
  std::string method = {}, path = {}, handler = {};
  bool is_computed = false;
  store::FileId file{};
  std::uint32_t offset = 0;
  std::string action = {};  // of a usual route of a resource
};

struct RouterGraph {
  std::vector<Router> routers;
  std::vector<FoundRoute> routes;

  int add(Router router) {
    routers.push_back(std::move(router));
    return static_cast<int>(routers.size()) - 1;
  }
  int find(int router) const {
    while (routers[static_cast<std::size_t>(router)].same != kNoRouter) {
      router = routers[static_cast<std::size_t>(router)].same;
    }
    return router;
  }
  Router& operator[](int router) { return routers[static_cast<std::size_t>(find(router))]; }
  /// Makes `a` another name of `b`.
  void unite(int a, int b);
  void mount(int child, Router::Mount mount);

  /// True for a router that a call makes, and one below it.
  bool is_live(int router) const;

  struct Whole {
    std::string prefix = {};
    bool is_computed = false, is_anchored = false;  // anchored: it ends at a server
    const Framework* framework = nullptr;
  };
  /// The prefixes under which the routes of `router` can be reached; at most 40.
  std::vector<Whole> prefixes(int router) const;
};

/// `a` and `b` with one "/" between. The anchors of regular expressions are removed.
std::string joined_path(std::string_view a, std::string_view b);

}  // namespace codexmem::graph
