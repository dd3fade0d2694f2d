// observe/session_list.h - the sessions, with how much came of each and how much still waits.
//
// Stateless; one thread for each connection. Design: docs/worker.md, "Viewer".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/records.h"
#include "store/database.h"

namespace codexmem::observe {

struct ListedSession {
  memory::SessionId id{};
  std::string content_session_id, project;
  std::string platform;  // empty: not told
  std::string status;    // active, completed, failed
  std::string title;     // its first prompt that was not private, redacted and cut; may be empty
  std::int64_t started_at_ms = 0;
  std::optional<std::int64_t> completed_at_ms;
  std::int64_t prompts = 0, observations = 0, summaries = 0;
  std::int64_t pending = 0, failed = 0;  // messages; those at work are pending, too
};

/// The sessions of `project` (empty: of all), those that began last first. Errors: the store's.
Result<std::vector<ListedSession>> list_sessions(store::Database& database,
                                                 std::string_view project, std::size_t limit,
                                                 std::size_t offset);

Result<std::optional<ListedSession>> find_session(store::Database& database, memory::SessionId id);

/// The entries, summaries and prompts of a session, newest first. Errors: the store's.
Result<std::vector<memory::DocumentKey>> list_records(store::Database& database,
                                                      memory::SessionId session, std::size_t limit);

}  // namespace codexmem::observe
