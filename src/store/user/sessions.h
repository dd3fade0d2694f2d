// store/user/sessions.h - sessions, their prompts and their summaries, as rows.
//
// Texts are written and read as they are: memory/sessions.h captures and redacts them.
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

}  // namespace codexmem::store
