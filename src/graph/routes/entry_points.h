// graph/routes/entry_points.h - the commands and tasks of a program: its entry points other than
// routes.
//
// Read when asked, from the files that name a framework. Stateless except for the shared cache.
// Design: docs/web-routes.md, "Commands and tasks".
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct EntryPoint {
  std::string kind = {};       // "command" or "task"
  std::string name = {};       // as it is called: "users add", "feeds.update"
  std::string handler = {};    // the function or class; empty: a function without a name
  std::string framework = {};  // "Celery"
  std::string file = {};       // where it is declared
  std::uint32_t line = 1;

  bool operator==(const EntryPoint&) const = default;
};

struct EntryPoints {
  std::vector<EntryPoint> list;  // by kind, framework, file and line
  std::string not_read;          // what may have more; empty: nothing
};

/// The commands and tasks in the main code. Errors: the store's errors; kCancelled.
Result<EntryPoints> find_entry_points(FactsCache& cache, store::CodeReader& reader,
                                      const std::stop_token& stop);

}  // namespace codexmem::graph
