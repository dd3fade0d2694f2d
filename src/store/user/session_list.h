// store/user/session_list.h - the sessions, with how much came of each and how much still waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct ListedSession {
  SessionId id{};
  std::string content_session_id, project;
  std::string platform;  // empty: unknown
  std::string status;    // active, completed, failed
  std::int64_t started_at_ms = 0;
  std::optional<std::int64_t> completed_at_ms;
  std::int64_t prompts = 0, observations = 0, summaries = 0;
  std::int64_t pending = 0, failed = 0;  // messages; pending counts those at work
  std::string title;                     // its first prompt that was not private; may be empty
};

/// The sessions of `project` (empty: of all) or only `id` (unless 0), those that began last first.
/// Titles are cut to 2,000 characters.
Result<std::vector<ListedSession>> select_sessions(Database& database, SessionId id,
                                                   std::string_view project, std::size_t limit,
                                                   std::size_t offset);

/// The entries, summaries and prompts of a session, newest first.
Result<std::vector<DocumentKey>> list_session_records(Database& database, SessionId session,
                                                      std::size_t limit);

}  // namespace codexmem::store
