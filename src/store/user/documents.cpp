// Each kind of record has an index on (created_at_ms, id) and one on (project_id, created_at_ms,
// id).
//
// Tested by memory/timeline_test.cpp, memory/recall_test.cpp.
#include "store/user/documents.h"

#include <fmt/core.h>

#include <utility>

#include "store/query.h"
#include "text/json_lists.h"

namespace codexmem::store {
namespace {

struct Table {
  std::string_view name, id;
};
// By DocumentKind.
constexpr std::array<Table, 4> kTables = {
    {{"entries", "id"}, {"summaries", "id"}, {"prompts", "id"}, {"decisions", "key"}}};
const Table& table_of(DocumentKind kind) { return kTables[static_cast<std::size_t>(kind)]; }

// The first read takes the entries from an index, which is a fifth of the table; the rest is looked
// up by number. Columns: id, time, project, session, type.
constexpr char kAllEntriesSql[] = R"sql(
SELECT id, created_at_ms, project_id, session_id, entry_type FROM entries
INDEXED BY entries_time WHERE ?1 = 0 ORDER BY created_at_ms, id)sql";
constexpr const char* kNewSql[] = {
    R"sql(SELECT id, created_at_ms, project_id, session_id, entry_type FROM entries
WHERE id > ?1 ORDER BY id)sql",
    R"sql(SELECT id, created_at_ms, project_id, session_id, '' FROM summaries
WHERE id > ?1 ORDER BY id)sql",
    R"sql(SELECT id, created_at_ms, project_id, session_id, '' FROM prompts
WHERE id > ?1 AND is_private = 0 ORDER BY id)sql",
    R"sql(SELECT key, created_at_ms, project_id, NULL, '' FROM decisions
WHERE key > ?1 ORDER BY key)sql",
};

constexpr char kEntryLists[] =
    "SELECT id, concepts, files_read, files_modified, "
    "CASE source WHEN 'ingest' THEN source_ref END FROM entries ";
constexpr char kSummaryLists[] = "SELECT id, '[]', files_read, files_edited, NULL FROM summaries ";

constexpr char kFoundEntrySql[] = R"sql(
SELECT p.name, e.entry_type, e.title, e.body,
  (SELECT group_concat(m.value, ' ') FROM entry_metadata AS m
   WHERE m.entry_id = e.id AND m.key IN ('speaker', 'author')),
  e.files_read, e.files_modified, e.created_at_ms,
  length(e.body) + length(e.title) + length(coalesce(e.subtitle, '')) + length(e.facts),
  (SELECT max(l.from_id) FROM entry_links AS l WHERE l.to_id = e.id AND l.kind = 'supersedes'),
  e.source = 'ingest'
FROM entries AS e JOIN projects AS p ON p.id = e.project_id WHERE e.id = ?1)sql";
constexpr char kFoundSummarySql[] = R"sql(
SELECT p.name, 'session', coalesce(s.request, s.completed, s.learned, ''),
  coalesce(s.investigated, '') || ' ' || coalesce(s.learned, '') || ' ' ||
    coalesce(s.completed, '') || ' ' || coalesce(s.next_steps, '') || ' ' || coalesce(s.notes, ''),
  NULL, s.files_read, s.files_edited, s.created_at_ms,
  length(coalesce(s.request, '')) + length(coalesce(s.investigated, '')) +
    length(coalesce(s.learned, '')) + length(coalesce(s.completed, '')) +
    length(coalesce(s.next_steps, '')) + length(coalesce(s.notes, '')), 0, 0
FROM summaries AS s JOIN projects AS p ON p.id = s.project_id WHERE s.id = ?1)sql";
constexpr char kFoundPromptSql[] = R"sql(
SELECT p.name, 'prompt', '', r.prompt_text, NULL, '[]', '[]', r.created_at_ms,
  length(r.prompt_text), 0, 0
FROM prompts AS r JOIN projects AS p ON p.id = r.project_id
WHERE r.id = ?1 AND r.is_private = 0)sql";
constexpr char kFoundDecisionSql[] = R"sql(
SELECT p.name, d.kind, d.title, d.rationale, NULL, '[]', '[]', d.created_at_ms,
  length(d.title) + length(d.rationale), CASE d.status WHEN 'superseded' THEN -1 ELSE 0 END, 0
FROM decisions AS d JOIN projects AS p ON p.id = d.project_id WHERE d.key = ?1)sql";
constexpr const char* kRecallSql[] = {kFoundEntrySql, kFoundSummarySql, kFoundPromptSql,
                                      kFoundDecisionSql};

constexpr char kCountDocumentVectorsSql[] = R"sql(
WITH made(n) AS (SELECT count(*) FROM vectors
                 WHERE model_id = (SELECT id FROM embedding_models WHERE name = ?1))
SELECT n, (SELECT count(*) FROM entries) + (SELECT count(*) FROM summaries) +
  (SELECT count(*) FROM prompts WHERE is_private = 0) + (SELECT count(*) FROM decisions) - n
FROM made)sql";

}  // namespace

Result<std::vector<DocumentPlace>> list_documents_near(Database& database, DocumentKind kind,
                                                       const DocumentPlace& from,
                                                       std::optional<ProjectId> project,
                                                       bool is_before, std::size_t count) {
  const auto& [name, id] = table_of(kind);
  const std::string sql = fmt::format(
      "SELECT created_at_ms, {1} FROM {0} INDEXED BY {0}_{2} WHERE {3} AND "
      "(created_at_ms, {1}) {4} (?1, ?2) ORDER BY created_at_ms{5}, {1}{5} LIMIT ?4",
      name, id, project ? "project" : "time", project ? "project_id = ?3" : "?3 IS NULL",
      is_before ? "<" : ">", is_before ? " DESC" : "");
  return query::list(database, sql, query::as<DocumentPlace>, from.time_ms, from.id, project,
                     count);
}

Result<std::optional<DocumentOrigin>> find_document_origin(Database& database, DocumentKey key) {
  const auto& [name, id] = table_of(kind_of(key));
  return query::find(
      database, fmt::format("SELECT created_at_ms, project_id FROM {} WHERE {} = ?1", name, id),
      query::as<DocumentOrigin>, id_of(key));
}

Result<std::optional<TimelineDecision>> find_stored_timeline_decision(Database& database,
                                                                      DecisionKey key) {
  return query::find(database, R"sql(
SELECT d.key, d.id, p.name, d.title, d.target, d.status, d.created_at_ms
FROM decisions AS d JOIN projects AS p ON p.id = d.project_id
WHERE d.key = ?1)sql",
                     query::as<TimelineDecision>, key);
}

Result<DocumentState> read_document_state(Database& database) {
  const auto read = [](const Statement& row) {
    return DocumentState{std::string(row.text(0)),
                         row.integer(1),
                         {row.integer(2), row.integer(3), row.integer(4), row.integer(5)}};
  };
  CODEXMEM_ASSIGN(auto state, query::find(database, R"sql(
SELECT (SELECT value FROM meta WHERE key = 'store'), (SELECT value FROM meta WHERE key = 'removals'),
  (SELECT max(id) FROM entries), (SELECT max(id) FROM summaries), (SELECT max(id) FROM prompts),
  (SELECT max(key) FROM decisions))sql",
                                          read));
  return std::move(state).value_or(DocumentState{});
}

Result<void> visit_documents(Database& database, DocumentKind kind, std::int64_t after,
                             const std::function<void(const DocumentRow&)>& visit) {
  const bool is_first = kind == DocumentKind::kEntry && after == 0;
  const auto read = [&](const Statement& row) { visit(query::as<DocumentRow>(row)); };
  return query::visit(database, is_first ? kAllEntriesSql : kNewSql[static_cast<int>(kind)], read,
                      after);
}

Result<void> visit_document_lists(Database& database, DocumentKind kind,
                                  const std::vector<DocumentKey>* among,
                                  const std::function<Result<void>(const DocumentLists&)>& visit) {
  const auto read = [&](const Statement& row) {
    return visit(
        {document_key(kind, row.integer(0)), row.text(1), row.text(2), row.text(3), row.text(4)});
  };
  const std::string from = kind == DocumentKind::kEntry ? kEntryLists : kSummaryLists;
  if (among == nullptr) return query::visit(database, from + "ORDER BY id", read);
  const std::string sql = from + "WHERE id = ?1";
  for (const DocumentKey key : *among) {
    CODEXMEM_TRY(query::visit(database, sql, read, id_of(key)));
  }
  return {};
}

Result<std::optional<RecallRow>> find_recall_row(Database& database, DocumentKey key) {
  return query::find(database, kRecallSql[static_cast<int>(kind_of(key))], query::as<RecallRow>,
                     id_of(key));
}

Result<std::vector<DocumentText>> list_without_vector(Database& database, DocumentKind kind,
                                                      std::int64_t after, std::string_view model) {
  const auto read = [&](const Statement& row) {
    return DocumentText{document_key(kind, row.integer(0)),
                        std::string(row.text(1)) + "\n" + std::string(row.text(2))};
  };
  constexpr const char* kViews[] = {"entry_texts", "summary_texts", "prompt_texts",
                                    "decision_texts"};
  const std::string sql = fmt::format(R"sql(
SELECT t.id, t.title, t.body || ' ' || t.details FROM {} AS t
WHERE t.id > ?1 AND NOT EXISTS (
  SELECT 1 FROM vectors AS v WHERE v.document = (t.id << 2) + {}
    AND v.model_id = (SELECT id FROM embedding_models WHERE name = ?2))
ORDER BY t.id LIMIT 64)sql",
                                      kViews[static_cast<int>(kind)], static_cast<int>(kind));
  return query::list(database, sql, read, after, model);
}

Result<VectorCounts> count_document_vectors(Database& database, std::string_view model) {
  CODEXMEM_ASSIGN(const auto counts,
                  query::find(database, kCountDocumentVectorsSql, query::as<VectorCounts>, model));
  return counts.value_or(VectorCounts{});
}

}  // namespace codexmem::store
