// store/user/projects.h - the projects of the user's store, and what each store holds in all.
//
// Works on one connection, whose thread it runs on; what writes runs in the caller's transaction.
// So do all files of this folder. Errors: as store/database.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

Result<std::optional<ProjectId>> find_project(Database& database, std::string_view name);

/// The id of the project `name`, made when it is new.
Result<ProjectId> ensure_project(Database& database, std::string_view name, std::int64_t now_ms);

/// All ids, or with a name that project's.
Result<std::vector<ProjectId>> list_project_ids(Database& database, std::string_view name);

/// Names, the one used last first.
Result<std::vector<std::string>> list_project_names(Database& database);

struct RecordCounts {
  std::int64_t entries = 0, sessions = 0, active_sessions = 0, summaries = 0, prompts = 0;
};

Result<RecordCounts> count_records(Database& database);

}  // namespace codexmem::store
