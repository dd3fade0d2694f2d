// memory/decision_audit.h - the log of calls of the decision tools. One thread for each connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::memory {

/// One call of a tool.
struct AuditRow {
  std::int64_t id = 0;
  std::int64_t at_ms = 0;
  std::string role, tool;
  bool is_allowed = false;  // by role and rules; a call that was allowed may have failed otherwise
  std::string arguments;    // the text of a JSON object, redacted
  std::string error;        // empty: it was done
};

/// Arguments of a call as the log keeps them: private parts taken out, secrets redacted, each text
/// cut at 400 bytes.
class AuditArguments {
 public:
  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, const std::vector<std::string>& values);
  void add(std::string_view name, std::int64_t value);
  /// The text of a JSON object.
  std::string json() const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;  // values as JSON texts
};

/// Adds a row. The newest 100,000 are kept. In a transaction.
Result<void> add_audit(store::Database& database, const AuditRow& row);

/// The newest first, at most `limit`; those before row `before_id` unless it is 0.
Result<std::vector<AuditRow>> list_audit(store::Database& database, std::size_t limit,
                                         std::int64_t before_id);

}  // namespace codexmem::memory
