// store/user/forget.h - rows that a person wants to be gone.
//
// Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct ForgetItem {
  DocumentKey key{};
  std::int64_t created_at_ms = 0;
  std::string title;  // of an entry; the first 200 characters of a prompt, of what was asked for
  std::string project;
  bool is_pinned = false;  // an entry that retention keeps
};

/// The entry, summary or prompt `key`, nothing when it is not there or a decision; those of a
/// session; those of a project. Oldest first.
Result<std::vector<ForgetItem>> list_forget_items(Database& database, DocumentKey key);
Result<std::vector<ForgetItem>> list_forget_items(Database& database, SessionId session);
Result<std::vector<ForgetItem>> list_forget_items(Database& database, ProjectId project);

/// The sessions of a project, by id.
Result<std::vector<SessionId>> list_sessions_of(Database& database, ProjectId project);

/// The messages of `session` that wait in the worker's queue.
Result<std::int64_t> count_queued(Database& database, SessionId session);

/// Removes what was captured of a session and is not a record: messages, events, what is known of
/// them.
Result<void> remove_captured(Database& database, SessionId session);

/// Removes searches in the project `name`, and the headings of its ingested documents.
Result<void> remove_traces(Database& database, std::string_view name);

/// Removes an entry, a summary or a prompt; false when it is gone already.
Result<bool> remove_document(Database& database, DocumentKey key);

/// Removes a session, unless a record, an event or a message of it is left.
Result<void> remove_empty_session(Database& database, SessionId session);

}  // namespace codexmem::store
