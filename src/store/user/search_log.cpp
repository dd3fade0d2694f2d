// Rows have ids without gaps (a ring loses its oldest alone), so the ring is trimmed by one
// comparison with the id just given.
//
// Tested by ask/memory_answers_test.cpp and worker/journal_test.cpp.
#include "store/user/search_log.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kInsertTraceSql[] = R"sql(
INSERT INTO search_traces (at_ms, query, project, mode, vector_backend, vector_hits, lexical_hits,
  returned, total_ms, lexical_ms, vector_ms, fuse_ms, degraded)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13))sql";
constexpr char kTrimTracesSql[] = "DELETE FROM search_traces WHERE id <= ?1";

}  // namespace

Result<void> add_search_trace(Database& database, const SearchTrace& trace) {
  return query::execute(database, kInsertTraceSql, trace.at_ms, trace.query, trace.project,
                        trace.is_hybrid ? "hybrid" : "lexical-only", trace.vector_backend,
                        trace.vector_hits, trace.lexical_hits, trace.returned, trace.total_ms,
                        trace.lexical_ms, trace.vector_ms, trace.fuse_ms,
                        query::OrNull{trace.degraded});
}

Result<void> trim_search_traces(Database& database, std::int64_t kept) {
  const std::int64_t last = database.last_insert_id() - kept;
  return last <= 0 ? Result<void>() : query::execute(database, kTrimTracesSql, last);
}

}  // namespace codexmem::store
