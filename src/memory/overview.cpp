// Tested by memory/sessions_test.cpp.
#include "memory/overview.h"

namespace codexmem::memory {
namespace {

// Each maximum is one step into an index.
constexpr char kListProjectsSql[] = R"sql(
SELECT p.name, max(
  p.created_at_ms,
  coalesce((SELECT max(created_at_ms) FROM entries WHERE project_id = p.id), 0),
  coalesce((SELECT max(created_at_ms) FROM prompts WHERE project_id = p.id), 0),
  coalesce((SELECT max(created_at_ms) FROM summaries WHERE project_id = p.id), 0),
  coalesce((SELECT max(created_at_ms) FROM decisions WHERE project_id = p.id), 0)) AS used_at_ms
FROM projects AS p ORDER BY used_at_ms DESC, p.name)sql";

constexpr char kCountSql[] = R"sql(
SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM sessions),
  (SELECT count(*) FROM sessions WHERE status = 'active'), (SELECT count(*) FROM summaries),
  (SELECT count(*) FROM prompts))sql";

}  // namespace

Result<std::vector<std::string>> list_projects(store::UserStore& store) {
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(store::Statement list, reader->statement(kListProjectsSql));
  std::vector<std::string> names;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return names;
    names.emplace_back(list.text(0));
  }
}

Result<StoreCounts> count_records(store::UserStore& store) {
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(store::Statement count, reader->statement(kCountSql));
  CODEXMEM_TRY(count.step());
  return StoreCounts{count.integer(0), count.integer(1), count.integer(2), count.integer(3),
                     count.integer(4)};
}

}  // namespace codexmem::memory
