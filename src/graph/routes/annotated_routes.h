// graph/routes/annotated_routes.h - routes that annotations of classes and methods declare, and
// those that the names of files do.
#pragma once

#include <vector>

#include "graph/imports/file_table.h"
#include "graph/routes/router_reader.h"
#include "graph/routes/routes.h"

namespace codexmem::graph {

/// Adds the routes of `file`'s annotated classes, below `prefix`.
void add_annotated(RouterReader& reader, const RouterReader::File& file, std::string_view prefix,
                   std::vector<Route>& routes);

/// The path that a program sets for all of its annotated routes in `pieces`: setGlobalPrefix("x").
std::string global_prefix(const std::vector<parse::Piece>& pieces);

/// Adds the routes that follow from where files are: app/x/route.ts, pages/api/x.ts.
void add_placed(RouterReader& reader, const FileTable& files, std::vector<Route>& routes);

}  // namespace codexmem::graph
