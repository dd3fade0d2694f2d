// memory/entries/sessions.h - sessions, with what was asked in them and what came of it.
//
// Texts of prompts and summaries are captured, not given: private parts are taken out and secrets
// redacted where they stand; nothing is refused. Safe to call from many threads. Design:
// docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/branches/branch_scope.h"
#include "memory/clock.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/sessions.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

using store::ensure_session;
using store::find_session;  // by a name that is captured() already
using store::ListPage;
using store::SessionRow;

/// A prompt, and what takes time to make of it.
struct PreparedPrompt {
  std::string text;                       // as it is kept; empty: all of it was private
  std::string codes;                      // of the vector; may be empty
  std::optional<BranchPlace> place = {};  // the branch that it belongs to; nothing: everybody
};

/// A summary that passed every check, ready to be written.
struct PreparedSummary {
  Summary summary;
  std::string codes;
  std::optional<BranchPlace> place = {};  // as above
};

/// A prompt that was counted.
struct AddedPrompt {
  PromptId id{};
  SessionId session{};
  std::int64_t prompt_number = 0;  // from 1, private ones counted
  bool is_private = false;         // nothing was left of its text
  bool is_duplicate = false;       // the same text came within 10 s before: its number again
};

class Sessions {
 public:
  /// `store` and `vectors` outlive this.
  Sessions(store::UserStore& store, const DocumentVectors& vectors, Clock clock)
      : store_(&store), vectors_(&vectors), clock_(std::move(clock)) {}

  /// The session of the host's `content_session_id`, made when it is new, in `project` (empty:
  /// "default"), which it keeps from its first prompt on. One that was completed is active again.
  /// Errors: kInvalidArgument for an empty id; the store's.
  Result<SessionId> start(std::string_view content_session_id, std::string_view project,
                          std::string_view platform) const;

  /// Adds the next prompt of a session that was started. Errors: kNotFound; the store's.
  Result<AddedPrompt> add_prompt(std::string_view content_session_id, std::string_view text) const;

  /// Adds a summary; its project is the session's. `summary.id` and an empty time are filled in.
  /// Errors: kNotFound for an unknown session; kInvalidArgument when nothing is said in it; those
  /// of the store.
  Result<Summary> add_summary(Summary summary) const;

  /// Marks an active session as completed; nothing without one. Errors: the store's.
  Result<std::optional<SessionId>> complete(std::string_view content_session_id) const;

  // The parts of add_prompt() and add_summary() before and inside of a transaction.

  PreparedPrompt prepare_prompt(std::string_view text) const;
  Result<AddedPrompt> insert_prompt(store::Database& database, const SessionRow& session,
                                    const PreparedPrompt& prompt, std::int64_t now_ms) const;
  /// Errors: kInvalidArgument when nothing is said in it.
  Result<PreparedSummary> prepare_summary(Summary summary) const;
  /// Errors: kNotFound for an unknown session.
  Result<SummaryId> insert_summary(store::Database& database,
                                   const PreparedSummary& prepared) const;

  /// In the order of `ids`; unknown ones are left out.
  Result<std::vector<Summary>> get_summaries(std::span<const SummaryId> ids) const;
  Result<std::vector<Prompt>> get_prompts(std::span<const PromptId> ids) const;

  Result<std::vector<Summary>> list_summaries(const ListPage& page) const;
  /// Without private ones.
  Result<std::vector<Prompt>> list_prompts(const ListPage& page) const;

 private:
  store::UserStore* store_;
  const DocumentVectors* vectors_;
  Clock clock_;
};

/// For those who read or write inside a transaction of their own.
Result<std::optional<Summary>> find_summary(store::Database& database, SummaryId id);
Result<std::optional<Prompt>> find_prompt(store::Database& database, PromptId id);

/// start() and complete() inside a transaction; names are captured() already, and `project` is not
/// empty. A session that has had no prompt yet goes over to `project`.
Result<SessionRow> start_session(store::Database& database, std::string_view content_session_id,
                                 std::string_view project, std::string_view platform,
                                 std::int64_t now_ms);
Result<std::optional<SessionId>> complete_session(store::Database& database,
                                                  std::string_view content_session_id,
                                                  std::int64_t now_ms);

}  // namespace codexmem::memory
