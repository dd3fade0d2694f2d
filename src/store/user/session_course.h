// store/user/session_course.h - how far a session has come, and what was observed of it: for the
// worker. Design: docs/design/worker.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct SessionState {
  std::string content_session_id, project;
  bool is_active = false;
};

Result<std::optional<SessionState>> find_session_state(Database& database, SessionId id);

/// A prompt and what follows it.
struct Turn {
  std::int64_t prompt_number = 0;  // 0: there is none
  bool is_private = false;
};

/// The session's last turn; of those that began by `until_ms`, if given.
Result<Turn> find_last_turn(Database& database, SessionId session,
                            std::optional<std::int64_t> until_ms);
/// Its turn `prompt_number`; one with the number 0 if there is none.
Result<Turn> find_turn_at(Database& database, SessionId session, std::int64_t prompt_number);

/// Empty when it was private, or there is none.
Result<std::string> read_prompt_text(Database& database, SessionId session,
                                     std::int64_t prompt_number);

/// The public prompts up to `prompt_number`, since the summary before it: the last `limit`, newest
/// first.
Result<std::vector<std::string>> list_prompts_since_summary(Database& database, SessionId session,
                                                            std::int64_t prompt_number,
                                                            std::size_t limit);

/// What was observed of a session before.
struct EarlierObservation {
  std::string title;
  std::vector<std::string> facts, files_read, files_modified;
  bool is_of_prompt = false;  // of the same one
};

/// The last `limit` observations, newest first.
Result<std::vector<EarlierObservation>> list_earlier(Database& database, SessionId session,
                                                     std::int64_t prompt_number, std::size_t limit);
/// Those since the last summary: the last `limit`, newest first.
Result<std::vector<EntryId>> list_observed_since_summary(Database& database, SessionId session,
                                                         std::size_t limit);

}  // namespace codexmem::store
