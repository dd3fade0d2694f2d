// ask/code/list_routes.h - list_routes: the routes of a program, by the frameworks' declarations.
//
// Design: docs/web-routes.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/routes/entry_points.h"
#include "graph/routes/routes.h"

namespace codexmem::ask {

struct ListRoutesParams {
  std::string path;  // only routes below it; empty: all
  std::size_t limit = 0;
  std::size_t offset = 0;
};

struct ListRoutesAnswer : Answer {
  std::vector<graph::Route> routes;  // from `offset` on
  std::size_t total = 0;
  std::vector<graph::EntryPoint> entry_points;  // with the first of all routes
  std::string note;                             // what it may lack; empty: nothing
  Rest rest;

  Written to_json() const override;
};

/// Whether `route` is `path` or below it. A path of more than one part need not begin with "/".
bool is_below(const graph::Route& route, std::string_view path);

/// What `routes` may lack, in sentences; empty: nothing.
std::string routes_note(const graph::Routes& routes);

std::string route_json(const graph::Route& route);
std::string entry_point_json(const graph::EntryPoint& entry_point);

/// Errors: as answer_fresh().
Result<ListRoutesAnswer> run(const Context& context, const ListRoutesParams& params);

extern const Question kListRoutes;

}  // namespace codexmem::ask
