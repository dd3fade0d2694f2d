// graph/rename/rename_local.h - the edits that give a local or a parameter another name.
//
// A plan as graph/rename/rename.h makes them for symbols. Stateless except for the shared cache.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"
#include "graph/rename/rename.h"
#include "graph/uses/named_place.h"

namespace codexmem::graph {

/// The plan to give what `local`, called `name`, declares the name `new_name`. Errors:
/// kInvalidArgument for a new name that the language does not allow, and where names are known by
/// their spelling only; kCancelled; the store's errors.
Result<RenamePlan> plan_local_rename(FactsCache& cache, store::CodeReader& reader,
                                     const FilePlace& local, const std::string& name,
                                     const std::string& new_name, std::stop_token stop = {});

}  // namespace codexmem::graph
