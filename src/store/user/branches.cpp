// Tested by tests/memory/branches_test.cpp.
#include "store/user/branches.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr auto read_stage = query::read_row<BranchStage, &BranchStage::id>;

std::string select_stages(std::string_view where) {
  return "SELECT s.id, " + query::columns<BranchStage>("s.") + " FROM branch_stages AS s " +
         std::string(where) + " ORDER BY s.id";
}

Result<void> add_document(Database& database, DocumentKey key, StageId stage) {
  return query::execute(database, R"sql(
INSERT INTO staged_documents (document, stage_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING)sql",
                        key, stage);
}

}  // namespace

Result<std::vector<BranchStage>> list_stages(Database& database, std::string_view repository) {
  return query::list(database, select_stages("WHERE ?1 IS NULL OR s.repository = ?1"), read_stage,
                     query::OrNull{repository});
}

Result<bool> has_staged_documents(Database& database) {
  return query::run(database, "SELECT 1 FROM staged_documents LIMIT 1");
}

Result<std::vector<StagedDocument>> list_staged_documents(Database& database) {
  return query::list(database,
                     "SELECT document, stage_id FROM staged_documents ORDER BY document, stage_id",
                     query::as<StagedDocument>);
}

Result<std::vector<BranchStage>> list_stages_of(Database& database, DocumentKey key) {
  return query::list(
      database,
      select_stages("WHERE s.id IN (SELECT stage_id FROM staged_documents WHERE document = ?1)"),
      read_stage, key);
}

Result<std::vector<HeldLink>> list_held_links(Database& database) {
  return query::list(database, R"sql(
SELECT l.new_key, l.old_key, d.id FROM held_links AS l JOIN decisions AS d ON d.key = l.new_key
WHERE d.status = 'active' ORDER BY l.new_key, l.old_key)sql",
                     query::as<HeldLink>);
}

Result<void> stage_document(Database& database, DocumentKey key, const BranchPlace& place,
                            std::int64_t now_ms) {
  CODEXMEM_ASSIGN(auto stage, query::find(database, R"sql(
SELECT id FROM branch_stages WHERE repository = ?1 AND branch = ?2 AND head = ?3 AND birth = ?4
  AND carrier = '' AND is_aside = 0 ORDER BY id DESC LIMIT 1)sql",
                                          query::read_id<StageId>, place.repository, place.branch,
                                          place.head, place.birth));
  if (!stage) {
    static const std::string sql = query::insert_sql<BranchStage>("branch_stages");
    CODEXMEM_ASSIGN(
        stage, query::insert_row<StageId>(database, sql,
                                          BranchStage{.place = place,
                                                      .made_at_ms = now_ms,
                                                      .carrier = {},
                                                      .files = {},
                                                      .patch = {},
                                                      .signature = {},
                                                      .tip = place.branch.empty() ? "" : place.head,
                                                      .why = {},
                                                      .judged = {}}));
  }
  return add_document(database, key, *stage);
}

Result<void> stage_document(Database& database, DocumentKey key, const BranchStage& stage) {
  CODEXMEM_ASSIGN(auto same,
                  query::find(database, R"sql(
SELECT id FROM branch_stages WHERE repository = ?1 AND branch = ?2 AND head = ?3 AND carrier = ?4
  AND made_at_ms = ?5)sql",
                              query::read_id<StageId>, stage.place.repository, stage.place.branch,
                              stage.place.head, stage.carrier, stage.made_at_ms));
  if (!same) {
    static const std::string sql = query::insert_sql<BranchStage>("branch_stages");
    CODEXMEM_ASSIGN(same, query::insert_row<StageId>(database, sql, stage));
  }
  return add_document(database, key, *same);
}

Result<void> unstage_document(Database& database, DocumentKey key) {
  return query::execute(database, "DELETE FROM staged_documents WHERE document = ?1", key);
}

Result<void> update_stage(Database& database, const BranchStage& stage) {
  return query::execute(database, R"sql(
UPDATE branch_stages SET branch = ?2, carrier = ?3, files = ?4, patch = ?5, signature = ?6,
  tip = ?7, is_aside = ?8, why = ?9, judged = ?10, repository = ?11 WHERE id = ?1)sql",
                        stage.id, stage.place.branch, stage.carrier, stage.files, stage.patch,
                        stage.signature, stage.tip, stage.is_aside, stage.why, stage.judged,
                        stage.place.repository);
}

Result<void> remove_empty_stages(Database& database) {
  return query::execute(database, R"sql(
DELETE FROM branch_stages WHERE id NOT IN (SELECT stage_id FROM staged_documents))sql");
}

Result<void> release_decision(Database& database, DecisionKey key) {
  CODEXMEM_TRY(query::run(database, "UPDATE decisions SET is_staged = 0 WHERE key = ?1", key));
  // Links to it that waited for it, and its own.
  CODEXMEM_TRY(query::run(database, R"sql(
INSERT INTO decision_links (new_key, old_key)
SELECT l.new_key, l.old_key FROM held_links AS l
JOIN decisions AS n ON n.key = l.new_key AND n.is_staged = 0
JOIN decisions AS o ON o.key = l.old_key AND o.is_staged = 0
WHERE l.new_key = ?1 OR l.old_key = ?1 ON CONFLICT DO NOTHING)sql",
                          key));
  return query::execute(database, R"sql(
DELETE FROM held_links WHERE EXISTS (
  SELECT 1 FROM decision_links AS l WHERE l.new_key = held_links.new_key
    AND l.old_key = held_links.old_key))sql");
}

}  // namespace codexmem::store
