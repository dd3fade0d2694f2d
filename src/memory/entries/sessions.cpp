#include "memory/entries/sessions.h"

#include <fmt/core.h>

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "memory/entries/entries.h"
#include "privacy/gate.h"

namespace codexmem::memory {
namespace {

// The same prompt within this time is one that was sent twice.
constexpr std::int64_t kRepeatMs = 10'000;

Result<SessionRow> get_session(store::Database& database, std::string_view content_session_id) {
  CODEXMEM_ASSIGN(auto session, find_session(database, content_session_id));
  if (session) return *std::move(session);
  return Error{ErrorCode::kNotFound,
               fmt::format("Session {} not found", utf8_prefix(content_session_id, 80))};
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

}  // namespace

Result<SessionRow> start_session(store::Database& database, std::string_view content_session_id,
                                 std::string_view project, std::string_view platform,
                                 std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (!session) {
    CODEXMEM_ASSIGN(const ProjectId project_id, ensure_project(database, project, now_ms));
    CODEXMEM_TRY(store::insert_session(database, content_session_id, project_id, platform, now_ms));
    return get_session(database, content_session_id);
  }
  if (!session->is_active) CODEXMEM_TRY(store::reactivate_session(database, session->id));
  if (session->project != project) {
    CODEXMEM_ASSIGN(const ProjectId project_id, ensure_project(database, project, now_ms));
    CODEXMEM_TRY(store::settle_session(database, session->id, project_id));
  }
  return get_session(database, content_session_id);
}

Result<std::optional<SessionId>> complete_session(store::Database& database,
                                                  std::string_view content_session_id,
                                                  std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto session, find_session(database, content_session_id));
  if (!session || !session->is_active) return std::optional<SessionId>();
  CODEXMEM_TRY(store::complete_session(database, session->id, now_ms));
  return std::optional<SessionId>(session->id);
}

Result<SessionId> Sessions::start(std::string_view content_session_id, std::string_view project,
                                  std::string_view platform) const {
  const std::string id = privacy::captured(content_session_id);
  if (id.empty()) return Error{ErrorCode::kInvalidArgument, "a session must have an id"};
  std::string name = fold_whitespace(privacy::captured(project));
  if (name.empty()) name = "default";
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_ASSIGN(const SessionRow session,
                  start_session(*writer, id, name, privacy::captured(platform), clock_()));
  CODEXMEM_TRY(writer.commit());
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
  CODEXMEM_ASSIGN(const auto last, store::find_last_prompt(database, session.id));
  if (last) {
    // Of private ones it is not known whether they were the same: each is counted.
    added.is_duplicate = !added.is_private && last->text == prompt.text &&
                         std::abs(now_ms - last->created_at_ms) <= kRepeatMs;
    added.id = last->id;
    added.prompt_number = last->prompt_number + (added.is_duplicate ? 0 : 1);
    if (added.is_duplicate) return added;
  }
  CODEXMEM_ASSIGN(added.id, store::insert_prompt(database, session,
                                                 {.prompt_number = added.prompt_number,
                                                  .text = prompt.text,
                                                  .is_private = added.is_private,
                                                  .created_at_ms = now_ms}));
  CODEXMEM_TRY(vectors_->put(database, document_key(added.id), prompt.codes));
  if (prompt.place) {
    CODEXMEM_TRY(store::stage_document(database, document_key(added.id), *prompt.place, now_ms));
  }
  return added;
}

Result<AddedPrompt> Sessions::add_prompt(std::string_view content_session_id,
                                         std::string_view text) const {
  const PreparedPrompt prompt = prepare_prompt(text);
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_ASSIGN(const SessionRow session,
                  get_session(*writer, privacy::captured(content_session_id)));
  CODEXMEM_ASSIGN(const AddedPrompt added, insert_prompt(*writer, session, prompt, clock_()));
  CODEXMEM_TRY(writer.commit());
  return added;
}

Result<PreparedSummary> Sessions::prepare_summary(Summary summary) const {
  std::string body;
  bool is_empty = true;
  visit_texts(summary, store::FieldVisitor([&](std::string_view, std::string& text) {
                text = privacy::captured(text);
                is_empty = is_empty && text.empty();
                if (&text != &summary.request) body += text + "\n";
              }));
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
  CODEXMEM_ASSIGN(const SessionRow session, get_session(database, prepared.summary.session));
  Summary summary = prepared.summary;
  if (summary.created_at_ms == 0) summary.created_at_ms = clock_();
  CODEXMEM_ASSIGN(const SummaryId id, store::insert_summary(database, session, summary));
  CODEXMEM_TRY(vectors_->put(database, document_key(id), prepared.codes));
  if (prepared.place) {
    CODEXMEM_TRY(
        store::stage_document(database, document_key(id), *prepared.place, summary.created_at_ms));
  }
  return id;
}

Result<Summary> Sessions::add_summary(Summary summary) const {
  CODEXMEM_ASSIGN(const PreparedSummary prepared, prepare_summary(std::move(summary)));
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_ASSIGN(const SummaryId id, insert_summary(*writer, prepared));
  CODEXMEM_ASSIGN(auto added, find_summary(*writer, id));
  CODEXMEM_TRY(writer.commit());
  return *std::move(added);
}

Result<std::optional<SessionId>> Sessions::complete(std::string_view content_session_id) const {
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_ASSIGN(const auto session,
                  complete_session(*writer, privacy::captured(content_session_id), clock_()));
  CODEXMEM_TRY(writer.commit());
  return session;
}

Result<std::vector<Summary>> Sessions::get_summaries(std::span<const SummaryId> ids) const {
  CODEXMEM_ASSIGN(store::UserMoment reader, store_->moment());
  return find_all<Summary>(*reader, ids, find_summary);
}

Result<std::vector<Prompt>> Sessions::get_prompts(std::span<const PromptId> ids) const {
  CODEXMEM_ASSIGN(store::UserMoment reader, store_->moment());
  return find_all<Prompt>(*reader, ids, find_prompt);
}

Result<std::vector<Summary>> Sessions::list_summaries(const ListPage& page) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const auto ids, store::list_summary_ids(*reader, page));
  return find_all<Summary>(*reader, ids, find_summary);
}

Result<std::vector<Prompt>> Sessions::list_prompts(const ListPage& page) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const auto ids, store::list_prompt_ids(*reader, page));
  return find_all<Prompt>(*reader, ids, find_prompt);
}

Result<std::optional<Summary>> find_summary(store::Database& database, SummaryId id) {
  CODEXMEM_ASSIGN(auto summary, store::find_stored_summary(database, id));
  if (summary) {
    visit_texts(*summary, store::FieldVisitor([](std::string_view, std::string& text) {
      text = privacy::redacted(text);
    }));
  }
  return summary;
}

Result<std::optional<Prompt>> find_prompt(store::Database& database, PromptId id) {
  CODEXMEM_ASSIGN(auto prompt, store::find_stored_prompt(database, id));
  if (prompt) prompt->text = privacy::redacted(prompt->text);
  return prompt;
}

}  // namespace codexmem::memory
