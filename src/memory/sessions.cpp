#include "memory/sessions.h"

#include <fmt/core.h>

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "memory/entries.h"
#include "privacy/gate.h"
#include "text/json_lists.h"

namespace codexmem::memory {
namespace {

constexpr char kFindSessionSql[] = R"sql(
SELECT s.id, s.project_id, p.name, s.status FROM sessions AS s
JOIN projects AS p ON p.id = s.project_id WHERE s.content_session_id = ?1)sql";
constexpr char kInsertSessionSql[] = R"sql(
INSERT INTO sessions (content_session_id, project_id, platform, started_at_ms)
VALUES (?1, ?2, ?3, ?4))sql";
constexpr char kSettleProjectSql[] = R"sql(
UPDATE sessions SET project_id = ?2
WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = ?1))sql";
constexpr char kReactivateSql[] = R"sql(
UPDATE sessions SET status = 'active', completed_at_ms = NULL WHERE id = ?1)sql";
constexpr char kCompleteSql[] = R"sql(
UPDATE sessions SET status = 'completed', completed_at_ms = max(?2, started_at_ms)
WHERE id = ?1 AND status = 'active')sql";

constexpr char kLastPromptSql[] = R"sql(
SELECT id, prompt_number, prompt_text, is_private, created_at_ms FROM prompts
WHERE session_id = ?1 ORDER BY prompt_number DESC LIMIT 1)sql";
constexpr char kInsertPromptSql[] = R"sql(
INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";
constexpr char kFindPromptSql[] = R"sql(
SELECT p.id, j.name, s.content_session_id, p.prompt_number, p.prompt_text, p.is_private,
  p.created_at_ms
FROM prompts AS p JOIN sessions AS s ON s.id = p.session_id JOIN projects AS j ON j.id = p.project_id
WHERE p.id = ?1)sql";

constexpr char kInsertSummarySql[] = R"sql(
INSERT INTO summaries (session_id, project_id, request, investigated, learned, completed,
  next_steps, notes, files_read, files_edited, prompt_number, discovery_tokens, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13))sql";
constexpr char kFindSummarySql[] = R"sql(
SELECT u.id, j.name, s.content_session_id, u.request, u.investigated, u.learned, u.completed,
  u.next_steps, u.notes, u.files_read, u.files_edited, u.prompt_number, u.discovery_tokens,
  u.created_at_ms
FROM summaries AS u JOIN sessions AS s ON s.id = u.session_id
JOIN projects AS j ON j.id = u.project_id
WHERE u.id = ?1)sql";

// A project's, or with no ?1 all.
constexpr char kListProjectSummariesSql[] = R"sql(
SELECT id FROM summaries WHERE project_id = (SELECT id FROM projects WHERE name = ?1)
ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3)sql";
constexpr char kListSummariesSql[] = R"sql(
SELECT id FROM summaries WHERE ?1 = '' ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3)sql";
constexpr char kListProjectPromptsSql[] = R"sql(
SELECT id FROM prompts
WHERE project_id = (SELECT id FROM projects WHERE name = ?1) AND is_private = 0
ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3)sql";
constexpr char kListPromptsSql[] = R"sql(
SELECT id FROM prompts WHERE ?1 = '' AND is_private = 0
ORDER BY created_at_ms DESC, id DESC LIMIT ?2 OFFSET ?3)sql";

// The same prompt within this time is one that was sent twice.
constexpr std::int64_t kRepeatMs = 10'000;

Result<SessionRow> get_session(store::Database& database, std::string_view content_session_id) {
  CODEXMEM_ASSIGN(auto session, find_session(database, content_session_id));
  if (session) return *std::move(session);
  return Error{ErrorCode::kNotFound,
               fmt::format("Session {} not found", utf8_prefix(content_session_id, 80))};
}

template <typename Id>
Result<std::vector<Id>> list_ids(store::Database& database, const char* sql, const ListPage& page) {
  CODEXMEM_ASSIGN(store::Statement list, database.statement(sql));
  list.bind(1, page.project);
  list.bind(2, static_cast<std::int64_t>(page.limit));
  list.bind(3, static_cast<std::int64_t>(page.offset));
  std::vector<Id> ids;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return ids;
    ids.push_back(list.id<Id>(0));
  }
}

// In the order of `ids`; unknown ones are left out.
template <typename Record, typename Ids, typename Find>
Result<std::vector<Record>> find_all(store::Database& database, const Ids& ids, const Find& find) {
  std::vector<Record> records;
  for (const auto id : ids) {
    CODEXMEM_ASSIGN(auto record, find(database, id));
    if (record) records.push_back(*std::move(record));
  }
  return records;
}

Result<SessionId> insert_session(store::Database& database, std::string_view content_session_id,
                                 ProjectId project, std::string_view platform,
                                 std::int64_t now_ms) {
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertSessionSql));
  insert.bind(1, content_session_id);
  insert.bind(2, project);
  if (platform.empty()) {
    insert.bind_null(3);
  } else {
    insert.bind(3, platform);
  }
  insert.bind(4, now_ms);
  CODEXMEM_TRY(insert.run());
  return static_cast<SessionId>(database.last_insert_id());
}

}  // namespace

Result<std::optional<SessionRow>> find_session(store::Database& database,
                                               std::string_view content_session_id) {
  CODEXMEM_ASSIGN(store::Statement find, database.statement(kFindSessionSql));
  find.bind(1, content_session_id);
  CODEXMEM_ASSIGN(const bool found, find.step());
  if (!found) return std::optional<SessionRow>();
  return std::optional<SessionRow>(SessionRow{find.id<SessionId>(0), find.id<ProjectId>(1),
                                              std::string(find.text(2)), find.text(3) == "active"});
}

Result<SessionId> ensure_session(store::Database& database, std::string_view content_session_id,
                                 ProjectId project, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (session) return session->id;
  return insert_session(database, content_session_id, project, {}, now_ms);
}

Result<SessionRow> start_session(store::Database& database, std::string_view content_session_id,
                                 std::string_view project, std::string_view platform,
                                 std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (!session) {
    CODEXMEM_ASSIGN(const ProjectId project_id, ensure_project(database, project, now_ms));
    CODEXMEM_TRY(insert_session(database, content_session_id, project_id, platform, now_ms));
    return get_session(database, content_session_id);
  }
  if (!session->is_active) {
    CODEXMEM_ASSIGN(store::Statement reactivate, database.statement(kReactivateSql));
    reactivate.bind(1, session->id);
    CODEXMEM_TRY(reactivate.run());
  }
  if (session->project != project) {
    CODEXMEM_ASSIGN(const ProjectId project_id, ensure_project(database, project, now_ms));
    CODEXMEM_ASSIGN(store::Statement settle, database.statement(kSettleProjectSql));
    settle.bind(1, session->id);
    settle.bind(2, project_id);
    CODEXMEM_TRY(settle.run());
  }
  return get_session(database, content_session_id);
}

Result<std::optional<SessionId>> complete_session(store::Database& database,
                                                  std::string_view content_session_id,
                                                  std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (!session || !session->is_active) return std::optional<SessionId>();
  CODEXMEM_ASSIGN(store::Statement complete, database.statement(kCompleteSql));
  complete.bind(1, session->id);
  complete.bind(2, now_ms);
  CODEXMEM_TRY(complete.run());
  return std::optional<SessionId>(session->id);
}

Result<SessionId> Sessions::start(std::string_view content_session_id, std::string_view project,
                                  std::string_view platform) const {
  const std::string id = privacy::captured(content_session_id);
  if (id.empty()) return Error{ErrorCode::kInvalidArgument, "a session must have an id"};
  std::string name = fold_whitespace(privacy::captured(project));
  if (name.empty()) name = "default";
  CODEXMEM_ASSIGN(store::UserWriter writer, store_->writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(const SessionRow session,
                  start_session(*writer, id, name, privacy::captured(platform), clock_()));
  CODEXMEM_TRY(transaction.commit());
  return session.id;
}

PreparedPrompt Sessions::prepare_prompt(std::string_view text) const {
  PreparedPrompt prepared;
  prepared.text = privacy::captured(text);
  if (auto encoded = vectors_->encode({}, prepared.text); encoded.ok()) {
    prepared.codes = *std::move(encoded);
  }
  return prepared;
}

Result<AddedPrompt> Sessions::insert_prompt(store::Database& database, const SessionRow& session,
                                            const PreparedPrompt& prompt,
                                            std::int64_t now_ms) const {
  AddedPrompt added;
  added.session = session.id;
  added.prompt_number = 1;
  added.is_private = prompt.text.empty();
  {
    CODEXMEM_ASSIGN(store::Statement last, database.statement(kLastPromptSql));
    last.bind(1, session.id);
    CODEXMEM_ASSIGN(const bool is_later, last.step());
    if (is_later) {
      // Of private ones it is not known whether they were the same: each is counted.
      added.is_duplicate = !added.is_private && last.text(2) == prompt.text &&
                           std::abs(now_ms - last.integer(4)) <= kRepeatMs;
      added.id = last.id<PromptId>(0);
      added.prompt_number = last.integer(1) + (added.is_duplicate ? 0 : 1);
      if (added.is_duplicate) return added;
    }
  }
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertPromptSql));
  insert.bind(1, session.id);
  insert.bind(2, session.project_id);
  insert.bind(3, added.prompt_number);
  insert.bind(4, prompt.text);
  insert.bind(5, added.is_private);
  insert.bind(6, now_ms);
  CODEXMEM_TRY(insert.run());
  added.id = static_cast<PromptId>(database.last_insert_id());
  CODEXMEM_TRY(vectors_->put(database, document_key(added.id), prompt.codes));
  return added;
}

Result<AddedPrompt> Sessions::add_prompt(std::string_view content_session_id,
                                         std::string_view text) const {
  const PreparedPrompt prompt = prepare_prompt(text);
  CODEXMEM_ASSIGN(store::UserWriter writer, store_->writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(const SessionRow session,
                  get_session(*writer, privacy::captured(content_session_id)));
  CODEXMEM_ASSIGN(const AddedPrompt added, insert_prompt(*writer, session, prompt, clock_()));
  CODEXMEM_TRY(transaction.commit());
  return added;
}

Result<PreparedSummary> Sessions::prepare_summary(Summary summary) const {
  std::string body;
  bool is_empty = true;
  for (std::string* text : {&summary.request, &summary.investigated, &summary.learned,
                            &summary.completed, &summary.next_steps, &summary.notes}) {
    *text = privacy::captured(*text);
    is_empty = is_empty && text->empty();
    if (text != &summary.request) body += *text + "\n";
  }
  if (is_empty) return Error{ErrorCode::kInvalidArgument, "a summary must say something"};
  summary.session = privacy::captured(summary.session);
  summary.files_read = privacy::captured(summary.files_read);
  summary.files_edited = privacy::captured(summary.files_edited);
  PreparedSummary prepared;
  if (auto encoded = vectors_->encode(summary.request, body); encoded.ok()) {
    prepared.codes = *std::move(encoded);
  }
  prepared.summary = std::move(summary);
  return prepared;
}

Result<SummaryId> Sessions::insert_summary(store::Database& database,
                                           const PreparedSummary& prepared) const {
  const Summary& summary = prepared.summary;
  CODEXMEM_ASSIGN(const SessionRow session, get_session(database, summary.session));
  const std::string files_read = write_json_list(summary.files_read);
  const std::string files_edited = write_json_list(summary.files_edited);
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertSummarySql));
  insert.bind(1, session.id);
  insert.bind(2, session.project_id);
  int index = 3;
  for (const std::string* text : {&summary.request, &summary.investigated, &summary.learned,
                                  &summary.completed, &summary.next_steps, &summary.notes}) {
    if (text->empty()) {
      insert.bind_null(index++);
    } else {
      insert.bind(index++, *text);
    }
  }
  insert.bind(9, files_read);
  insert.bind(10, files_edited);
  if (summary.prompt_number) {
    insert.bind(11, *summary.prompt_number);
  } else {
    insert.bind_null(11);
  }
  insert.bind(12, summary.discovery_tokens);
  insert.bind(13, summary.created_at_ms == 0 ? clock_() : summary.created_at_ms);
  CODEXMEM_TRY(insert.run());
  const auto id = static_cast<SummaryId>(database.last_insert_id());
  CODEXMEM_TRY(vectors_->put(database, document_key(id), prepared.codes));
  return id;
}

Result<Summary> Sessions::add_summary(Summary summary) const {
  CODEXMEM_ASSIGN(const PreparedSummary prepared, prepare_summary(std::move(summary)));
  CODEXMEM_ASSIGN(store::UserWriter writer, store_->writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(const SummaryId id, insert_summary(*writer, prepared));
  CODEXMEM_ASSIGN(auto added, find_summary(*writer, id));
  CODEXMEM_TRY(transaction.commit());
  return *std::move(added);
}

Result<std::optional<SessionId>> Sessions::complete(std::string_view content_session_id) const {
  CODEXMEM_ASSIGN(store::UserWriter writer, store_->writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(const auto session,
                  complete_session(*writer, privacy::captured(content_session_id), clock_()));
  CODEXMEM_TRY(transaction.commit());
  return session;
}

Result<std::vector<Summary>> Sessions::get_summaries(std::span<const SummaryId> ids) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  return find_all<Summary>(*reader, ids, find_summary);
}

Result<std::vector<Prompt>> Sessions::get_prompts(std::span<const PromptId> ids) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  return find_all<Prompt>(*reader, ids, find_prompt);
}

Result<std::vector<Summary>> Sessions::list_summaries(const ListPage& page) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(
      const auto ids,
      list_ids<SummaryId>(
          *reader, page.project.empty() ? kListSummariesSql : kListProjectSummariesSql, page));
  return find_all<Summary>(*reader, ids, find_summary);
}

Result<std::vector<Prompt>> Sessions::list_prompts(const ListPage& page) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(
      const auto ids,
      list_ids<PromptId>(*reader, page.project.empty() ? kListPromptsSql : kListProjectPromptsSql,
                         page));
  return find_all<Prompt>(*reader, ids, find_prompt);
}

Result<std::optional<Summary>> find_summary(store::Database& database, SummaryId id) {
  CODEXMEM_ASSIGN(store::Statement find, database.statement(kFindSummarySql));
  find.bind(1, id);
  CODEXMEM_ASSIGN(const bool found, find.step());
  if (!found) return std::optional<Summary>();
  Summary summary;
  summary.id = find.id<SummaryId>(0);
  summary.project = find.text(1);
  summary.session = find.text(2);
  summary.request = privacy::redacted(find.text(3));
  summary.investigated = privacy::redacted(find.text(4));
  summary.learned = privacy::redacted(find.text(5));
  summary.completed = privacy::redacted(find.text(6));
  summary.next_steps = privacy::redacted(find.text(7));
  summary.notes = privacy::redacted(find.text(8));
  summary.files_read = read_json_list(find.text(9));
  summary.files_edited = read_json_list(find.text(10));
  if (!find.is_null(11)) summary.prompt_number = find.integer(11);
  summary.discovery_tokens = find.integer(12);
  summary.created_at_ms = find.integer(13);
  return std::optional<Summary>(std::move(summary));
}

Result<std::optional<Prompt>> find_prompt(store::Database& database, PromptId id) {
  CODEXMEM_ASSIGN(store::Statement find, database.statement(kFindPromptSql));
  find.bind(1, id);
  CODEXMEM_ASSIGN(const bool found, find.step());
  if (!found) return std::optional<Prompt>();
  Prompt prompt;
  prompt.id = find.id<PromptId>(0);
  prompt.project = find.text(1);
  prompt.session = find.text(2);
  prompt.prompt_number = find.integer(3);
  prompt.text = privacy::redacted(find.text(4));
  prompt.is_private = find.integer(5) != 0;
  prompt.created_at_ms = find.integer(6);
  return std::optional<Prompt>(std::move(prompt));
}

}  // namespace codexmem::memory
