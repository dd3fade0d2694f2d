// store/user/search_log.h - traces of searches, as rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

struct SearchTrace {
  std::int64_t id = 0;
  std::int64_t at_ms = 0;
  std::string query;    // private parts taken out, redacted, cut; empty: by filters alone
  std::string project;  // that was asked for; empty: all
  bool is_hybrid = false;
  std::string vector_backend;  // "sqlite", "chroma", "hybrid"
  std::size_t vector_hits = 0, lexical_hits = 0, returned = 0;
  double total_ms = 0, lexical_ms = 0, vector_ms = 0, fuse_ms = 0;
  std::string degraded;  // why vectors did not help; empty: they did, or none were wanted
};

/// Adds `trace`, whose id is ignored.
Result<void> add_search_trace(Database& database, const SearchTrace& trace);

/// Removes all but the `kept` newest. For the transaction that has just added one.
Result<void> trim_search_traces(Database& database, std::int64_t kept);

}  // namespace codexmem::store
