// memory/overview.h - what there is in the store, in numbers and names. Stateless; safe to call
// from many threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/user/projects.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

/// The names of all projects, the one in which something was kept last first; ties by name.
Result<std::vector<std::string>> list_projects(store::UserStore& store);

using StoreCounts = store::RecordCounts;

Result<StoreCounts> count_records(store::UserStore& store);

}  // namespace codexmem::memory
