// Tested by tests/memory/chroma_mirror_test.cpp.
#include "store/user/chroma_queue.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

#define CODEXMEM_IS_SENT(kind)                                                \
  "EXISTS (SELECT 1 FROM chroma_documents AS d JOIN chroma_collections AS c " \
  "ON c.id = d.collection_id WHERE d.document = (t.id << 2) + " kind " AND c.scope = ?1) "
#define CODEXMEM_UNSENT(table, kind, more)                                               \
  "SELECT t.id FROM " table " AS t WHERE t.id > ?2 AND NOT " CODEXMEM_IS_SENT(kind) more \
      " ORDER BY t.id LIMIT ?3"
#define CODEXMEM_COUNT_UNSENT(table, kind, more) \
  "SELECT count(*) FROM " table " AS t WHERE NOT " CODEXMEM_IS_SENT(kind) more
#define CODEXMEM_ALL(table, kind, more) \
  "SELECT t.id, " CODEXMEM_IS_SENT(     \
      kind) "FROM " table               \
            " AS t WHERE (?2 = '' OR "  \
            "t.project_id = (SELECT id FROM projects WHERE name = ?2)) " more " ORDER BY t.id"
// By kind.
constexpr const char* kUnsentSql[] = {CODEXMEM_UNSENT("entries", "0", ""),
                                      CODEXMEM_UNSENT("summaries", "1", ""),
                                      CODEXMEM_UNSENT("prompts", "2", "AND t.is_private = 0")};
constexpr const char* kCountUnsentSql[] = {
    CODEXMEM_COUNT_UNSENT("entries", "0", ""), CODEXMEM_COUNT_UNSENT("summaries", "1", ""),
    CODEXMEM_COUNT_UNSENT("prompts", "2", "AND t.is_private = 0")};
constexpr const char* kAllSql[] = {CODEXMEM_ALL("entries", "0", ""),
                                   CODEXMEM_ALL("summaries", "1", ""),
                                   CODEXMEM_ALL("prompts", "2", "AND t.is_private = 0")};
constexpr char kCollectionsSql[] =
    "SELECT id, name, uuid FROM chroma_collections WHERE scope = ?1 ORDER BY name";
constexpr char kIsKnownSql[] = "SELECT 1 FROM chroma_collections WHERE uuid = ?1";
constexpr char kPutCollectionSql[] = R"sql(
INSERT INTO chroma_collections (scope, name, uuid) VALUES (?1, ?2, ?3)
ON CONFLICT (scope, name) DO UPDATE SET uuid = excluded.uuid)sql";
constexpr char kForgetCopiesSql[] = "DELETE FROM chroma_documents WHERE collection_id = ?1";
constexpr char kForgetCopySql[] =
    "DELETE FROM chroma_documents WHERE document = ?1 AND collection_id = ?2";
constexpr char kAddCopySql[] = R"sql(
INSERT OR IGNORE INTO chroma_documents (document, collection_id) VALUES (?1, ?2))sql";
// By the tables' own keys: through document_texts it would read every text for each row.
constexpr char kGoneSql[] = R"sql(
SELECT d.document FROM chroma_documents AS d WHERE d.collection_id = ?1 AND NOT
  CASE d.document & 3
    WHEN 0 THEN EXISTS (SELECT 1 FROM entries AS e WHERE e.id = d.document >> 2)
    WHEN 1 THEN EXISTS (SELECT 1 FROM summaries AS s WHERE s.id = d.document >> 2)
    ELSE EXISTS (SELECT 1 FROM prompts AS p WHERE p.id = d.document >> 2) END
ORDER BY d.document LIMIT ?2)sql";
constexpr char kVectorSql[] = R"sql(
SELECT codes FROM vectors WHERE document = ?1
  AND model_id = (SELECT id FROM embedding_models WHERE name = ?2))sql";

std::size_t place(DocumentKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

Result<std::vector<ChromaCollection>> list_collections(Database& database, std::string_view scope) {
  const auto read = [](const Statement& row) {
    return ChromaCollection{row.integer(0), std::string(row.text(1)), std::string(row.text(2))};
  };
  return query::list(database, kCollectionsSql, read, scope);
}

Result<bool> is_known_collection(Database& database, std::string_view uuid) {
  return query::run(database, kIsKnownSql, uuid);
}

Result<void> put_collection(Database& database, std::string_view scope, std::string_view name,
                            std::string_view uuid) {
  return query::execute(database, kPutCollectionSql, scope, name, uuid);
}

Result<std::vector<DocumentKey>> list_unsent(Database& database, std::string_view scope,
                                             DocumentKind kind, std::int64_t after,
                                             std::size_t limit) {
  const auto read = [&](const Statement& row) { return document_key(kind, row.integer(0)); };
  return query::list(database, kUnsentSql[place(kind)], read, scope, after, limit);
}

Result<std::int64_t> count_unsent(Database& database, std::string_view scope, DocumentKind kind) {
  return query::count(database, kCountUnsentSql[place(kind)], scope);
}

Result<std::vector<std::pair<DocumentKey, bool>>> list_sendable(Database& database,
                                                                std::string_view scope,
                                                                DocumentKind kind,
                                                                std::string_view project) {
  const auto read = [&](const Statement& row) {
    return std::pair(document_key(kind, row.integer(0)), row.integer(1) != 0);
  };
  return query::list(database, kAllSql[place(kind)], read, scope, project);
}

Result<void> add_copies(Database& database, std::int64_t number,
                        std::span<const DocumentKey> documents) {
  for (const DocumentKey key : documents) {
    CODEXMEM_TRY(query::run(database, kAddCopySql, key, number));
  }
  return {};
}

Result<void> forget_copies(Database& database, std::int64_t number,
                           std::span<const DocumentKey> documents) {
  for (const DocumentKey key : documents) {
    CODEXMEM_TRY(query::run(database, kForgetCopySql, key, number));
  }
  return {};
}

Result<void> forget_all_copies(Database& database, std::int64_t number) {
  return query::execute(database, kForgetCopiesSql, number);
}

Result<std::vector<DocumentKey>> list_gone(Database& database, std::int64_t number,
                                           std::size_t limit) {
  return query::list(database, kGoneSql, query::read_id<DocumentKey>, number, limit);
}

Result<std::string> get_vector_codes(Database& database, DocumentKey document,
                                     std::string_view model) {
  const auto read = [](const Statement& row) { return std::string(row.blob(0)); };
  CODEXMEM_ASSIGN(auto codes, query::find(database, kVectorSql, read, document, model));
  return std::move(codes).value_or("");
}

}  // namespace codexmem::store
