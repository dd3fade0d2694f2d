// store/user/sessions.h - sessions, their prompts and their summaries, as rows: to write in, to
// process, and to list.
//
// Texts are written and read as they are: memory/entries/sessions.h captures and redacts them.
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

/// A session, to those who write in it.
struct SessionRow {
  SessionId id{};
  ProjectId project_id{};
  std::string project;
  bool is_active = false;
};

/// A page of a list: newest first, ties by the greater id.
struct ListPage {
  std::string project = {};  // empty: all
  std::size_t limit = 20;
  std::size_t offset = 0;
};

Result<std::optional<SessionRow>> find_session(Database& database,
                                               std::string_view content_session_id);
Result<SessionId> insert_session(Database& database, std::string_view content_session_id,
                                 ProjectId project, std::string_view platform, std::int64_t now_ms);
/// The session `content_session_id`, made in `project` when it is new.
Result<SessionId> ensure_session(Database& database, std::string_view content_session_id,
                                 ProjectId project, std::int64_t now_ms);
Result<void> reactivate_session(Database& database, SessionId id);
/// Moves a session that has had no prompt yet to `project`.
Result<void> settle_session(Database& database, SessionId id, ProjectId project);
/// Marks an active session as completed.
Result<void> complete_session(Database& database, SessionId id, std::int64_t now_ms);

/// Adds `prompt`, whose id and names are ignored.
Result<PromptId> insert_prompt(Database& database, const SessionRow& session, const Prompt& prompt);
Result<std::optional<Prompt>> find_stored_prompt(Database& database, PromptId id);
/// The prompt with the greatest number.
Result<std::optional<Prompt>> find_last_prompt(Database& database, SessionId session);
/// Without private ones.
Result<std::vector<PromptId>> list_prompt_ids(Database& database, const ListPage& page);

/// Adds `summary`, whose id and names are ignored, even if there is an equal one.
Result<SummaryId> insert_summary(Database& database, const SessionRow& session,
                                 const Summary& summary);
Result<std::optional<Summary>> find_stored_summary(Database& database, SummaryId id);
Result<std::vector<SummaryId>> list_summary_ids(Database& database, const ListPage& page);

// ---- How far a session has come, and what was observed of it: for the worker

struct SessionState {
  std::string content_session_id, project;
  bool is_active = false;
};

Result<std::optional<SessionState>> find_session_state(Database& database, SessionId id);

/// A prompt and what follows it.
struct Turn {
  std::int64_t prompt_number = 0;  // 0: none
  bool is_private = false;
};

/// The session's last turn; of those that began by `until_ms`, if given.
Result<Turn> find_last_turn(Database& database, SessionId session,
                            std::optional<std::int64_t> until_ms);
/// Its turn `prompt_number`; one with the number 0 without one.
Result<Turn> find_turn_at(Database& database, SessionId session, std::int64_t prompt_number);

/// Empty when it was private, or is unknown.
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

// ---- Sessions, with how much came of each and how much still waits

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
