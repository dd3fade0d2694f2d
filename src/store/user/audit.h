// store/user/audit.h - the log of calls of the decision tools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/fields.h"

namespace codexmem::store {

/// One call of a tool.
struct AuditRow {
  std::int64_t id = 0;
  std::int64_t at_ms = 0;
  std::string role, tool;
  bool is_allowed = false;  // by role and rules; a call that was allowed may have failed otherwise
  std::string arguments;    // the text of a JSON object, redacted
  std::string error;        // empty: it was done
};
inline void visit_fields(FieldsOf<AuditRow> auto& row, auto&& visit) {
  visit("at_ms", row.at_ms)("role", row.role)("tool", row.tool)("allowed", row.is_allowed);
  visit("arguments", row.arguments)("error", row.error, kOrNull);
}

/// Adds a row. The newest 100,000 are kept. In a transaction.
Result<void> add_audit(Database& database, const AuditRow& row);

/// The newest first, at most `limit`; those before row `before_id` unless it is 0.
Result<std::vector<AuditRow>> list_audit(Database& database, std::size_t limit,
                                         std::int64_t before_id);

}  // namespace codexmem::store
