#include "store/user/audit.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr std::int64_t kMaxAuditRows = 100'000;
constexpr std::int64_t kTrimAuditEvery = 1'000;

}  // namespace

Result<void> add_audit(Database& database, const AuditRow& row) {
  CODEXMEM_ASSIGN(const auto id, query::insert_row<std::int64_t>(
                                     database, query::insert_sql<AuditRow>("audit_log"), row));
  if (id <= kMaxAuditRows || id % kTrimAuditEvery != 0) return {};
  return query::execute(database, "DELETE FROM audit_log WHERE id <= ?1", id - kMaxAuditRows);
}

Result<std::vector<AuditRow>> list_audit(Database& database, std::size_t limit,
                                         std::int64_t before_id) {
  return query::list(database,
                     "SELECT id, " + query::columns<AuditRow>() +
                         " FROM audit_log WHERE ?2 = 0 OR id < ?2 ORDER BY id DESC LIMIT ?1",
                     query::read_row<AuditRow, &AuditRow::id>, limit, before_id);
}

}  // namespace codexmem::store
