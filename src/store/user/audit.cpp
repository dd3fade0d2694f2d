#include "store/user/audit.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kAddAuditSql[] = R"sql(
INSERT INTO audit_log (at_ms, role, tool, allowed, arguments, error)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";
constexpr char kTrimAuditSql[] = "DELETE FROM audit_log WHERE id <= ?1";
constexpr char kListAuditSql[] = R"sql(
SELECT id, at_ms, role, tool, allowed, arguments, error FROM audit_log
WHERE ?2 = 0 OR id < ?2 ORDER BY id DESC LIMIT ?1)sql";

constexpr std::int64_t kMaxAuditRows = 100'000;
constexpr std::int64_t kTrimAuditEvery = 1'000;

AuditRow read_audit(const Statement& row) {
  return {row.integer(0),           row.integer(1),      std::string(row.text(2)),
          std::string(row.text(3)), row.integer(4) != 0, std::string(row.text(5)),
          std::string(row.text(6))};
}

}  // namespace

Result<void> add_audit(Database& database, const AuditRow& row) {
  CODEXMEM_TRY(query::run(database, kAddAuditSql, row.at_ms, row.role, row.tool, row.is_allowed,
                          row.arguments, query::OrNull{row.error}));
  const std::int64_t id = database.last_insert_id();
  if (id <= kMaxAuditRows || id % kTrimAuditEvery != 0) return {};
  return query::execute(database, kTrimAuditSql, id - kMaxAuditRows);
}

Result<std::vector<AuditRow>> list_audit(Database& database, std::size_t limit,
                                         std::int64_t before_id) {
  return query::list(database, kListAuditSql, read_audit, limit, before_id);
}

}  // namespace codexmem::store
