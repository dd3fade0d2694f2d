// graph/rename/outside_callers.h - who calls a function with arguments of its own. Pure.
#pragma once

#include <string>

#include "graph/core/file_model.h"
#include "store/code/code_rows.h"

namespace codexmem::graph {

/// "a test runner calls it", "@app.route may call it": why other parameters can be wrong although
/// no call is. Empty if nothing says so.
std::string outside_caller(const FileModel& file, const store::SymbolRow& symbol);

}  // namespace codexmem::graph
