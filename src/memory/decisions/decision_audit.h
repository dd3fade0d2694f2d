// memory/decisions/decision_audit.h - the log of calls of the decision tools. One thread for each
// connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/user/audit.h"

namespace codexmem::memory {

using store::add_audit;
using store::AuditRow;
using store::list_audit;

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

}  // namespace codexmem::memory
