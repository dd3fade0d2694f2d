// graph/routes/annotated_routes.h - routes that annotations of classes and methods declare, and
// those that the names of files do.
#pragma once

#include <vector>

#include "graph/imports/file_table.h"
#include "graph/routes/router_reader.h"
#include "graph/routes/routes.h"

namespace codexmem::graph {

/// Adds the routes of `file`'s annotated classes; those without a class, too.
void add_annotated(RouterReader& reader, const RouterReader::File& file,
                   std::vector<Route>& routes);

/// Adds the routes that follow from where files are: app/x/route.ts, pages/api/x.ts.
void add_placed(RouterReader& reader, const FileTable& files, std::vector<Route>& routes);

}  // namespace codexmem::graph
