// observe/session_list.h - the sessions, as people are shown them.
//
// Stateless; one thread for each connection. Design: docs/how-it-works.md, "Viewer".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/sessions.h"

namespace codexmem::observe {

using store::list_session_records;
using store::ListedSession;  // its title is redacted and cut

/// The sessions of `project` (empty: of all), those that began last first. Errors: the store's.
Result<std::vector<ListedSession>> list_sessions(store::Database& database,
                                                 std::string_view project, std::size_t limit,
                                                 std::size_t offset);

Result<std::optional<ListedSession>> find_session(store::Database& database, memory::SessionId id);

}  // namespace codexmem::observe
