// graph/routes/entry_points.h - what is called from outside of a program beside its routes: the
// commands of its command line, and the tasks of queues and timers.
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

/// The commands and tasks in the main code, by kind, framework, file and line. Errors: the store's
/// errors; kCancelled.
Result<std::vector<EntryPoint>> find_entry_points(FactsCache& cache, store::CodeReader& reader,
                                                  const std::stop_token& stop);

}  // namespace codexmem::graph
