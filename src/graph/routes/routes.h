// graph/routes/routes.h - the routes of a program: which method and path leads to which handler.
//
// Read when asked, from the files that name a framework. Stateless except for the shared cache.
// Design: docs/web-routes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct Route {
  std::string method = {};     // "GET"; "ANY" for all, or where nothing says which
  std::string path = {};       // with a "/" before it, parameters as the framework writes them
  std::string handler = {};    // as written there; empty: a function without a name
  std::string framework = {};  // "Flask"
  std::string file = {};       // where the route is written
  std::uint32_t line = 1;
  std::string doubt = {};  // why the path may be wrong; empty: it is known

  bool operator==(const Route&) const = default;
};

struct Routes {
  std::vector<Route> routes;          // by path, method, file and line
  std::vector<std::string> not_read;  // what may have more routes, and why they are not listed
};

/// The routes in the main code. Errors: the store's errors; kCancelled.
Result<Routes> find_routes(FactsCache& cache, store::CodeReader& reader,
                           const std::stop_token& stop);

}  // namespace codexmem::graph
