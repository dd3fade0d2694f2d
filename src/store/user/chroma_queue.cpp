// Tested by tests/memory/chroma_mirror_test.cpp.
#include "store/user/chroma_queue.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

// The documents of `kind` (t) that may have copies; a condition may follow.
std::string from_documents(DocumentKind kind) {
  constexpr const char* kTables[] = {"entries AS t WHERE true", "summaries AS t WHERE true",
                                     "prompts AS t WHERE t.is_private = 0"};
  return std::string(" FROM ") + kTables[static_cast<std::size_t>(kind)];
}

// True of a document (t) with a copy in the scope ?1.
std::string is_sent(DocumentKind kind) {
  return "EXISTS (SELECT 1 FROM chroma_documents AS d JOIN chroma_collections AS c "
         "ON c.id = d.collection_id WHERE d.document = (t.id << 2) + " +
         std::to_string(static_cast<int>(kind)) + " AND c.scope = ?1)";
}

// By the tables' own keys: through document_texts it would read every text for each row.
constexpr char kGoneSql[] = R"sql(
SELECT d.document FROM chroma_documents AS d WHERE d.collection_id = ?1 AND NOT
  CASE d.document & 3
    WHEN 0 THEN EXISTS (SELECT 1 FROM entries AS e WHERE e.id = d.document >> 2)
    WHEN 1 THEN EXISTS (SELECT 1 FROM summaries AS s WHERE s.id = d.document >> 2)
    ELSE EXISTS (SELECT 1 FROM prompts AS p WHERE p.id = d.document >> 2) END
ORDER BY d.document LIMIT ?2)sql";

}  // namespace

Result<std::vector<ChromaCollection>> list_collections(Database& database, std::string_view scope) {
  return query::list(database,
                     "SELECT id, name, uuid FROM chroma_collections WHERE scope = ?1 ORDER BY name",
                     query::as<ChromaCollection>, scope);
}

Result<bool> is_known_collection(Database& database, std::string_view uuid) {
  return query::run(database, "SELECT 1 FROM chroma_collections WHERE uuid = ?1", uuid);
}

Result<void> put_collection(Database& database, std::string_view scope, std::string_view name,
                            std::string_view uuid) {
  return query::execute(database, R"sql(
INSERT INTO chroma_collections (scope, name, uuid) VALUES (?1, ?2, ?3)
ON CONFLICT (scope, name) DO UPDATE SET uuid = excluded.uuid)sql",
                        scope, name, uuid);
}

Result<std::vector<DocumentKey>> list_unsent(Database& database, std::string_view scope,
                                             DocumentKind kind, std::int64_t after,
                                             std::size_t limit) {
  const auto read = [&](const Statement& row) { return document_key(kind, row.integer(0)); };
  return query::list(database,
                     "SELECT t.id" + from_documents(kind) + " AND t.id > ?2 AND NOT " +
                         is_sent(kind) + " ORDER BY t.id LIMIT ?3",
                     read, scope, after, limit);
}

Result<std::int64_t> count_unsent(Database& database, std::string_view scope, DocumentKind kind) {
  return query::count(
      database, "SELECT count(*)" + from_documents(kind) + " AND NOT " + is_sent(kind), scope);
}

Result<std::vector<std::pair<DocumentKey, bool>>> list_sendable(Database& database,
                                                                std::string_view scope,
                                                                DocumentKind kind,
                                                                std::string_view project) {
  const auto read = [&](const Statement& row) {
    return std::pair(document_key(kind, row.integer(0)), row.integer(1) != 0);
  };
  return query::list(database,
                     "SELECT t.id, " + is_sent(kind) + from_documents(kind) +
                         " AND (?2 = '' OR t.project_id = (SELECT id FROM projects WHERE name = "
                         "?2)) ORDER BY t.id",
                     read, scope, project);
}

Result<void> add_copies(Database& database, std::int64_t number,
                        std::span<const DocumentKey> documents) {
  for (const DocumentKey key : documents) {
    CODEXMEM_TRY(query::run(database, R"sql(
INSERT OR IGNORE INTO chroma_documents (document, collection_id) VALUES (?1, ?2))sql",
                            key, number));
  }
  return {};
}

Result<void> forget_copies(Database& database, std::int64_t number,
                           std::span<const DocumentKey> documents) {
  for (const DocumentKey key : documents) {
    CODEXMEM_TRY(query::run(
        database, "DELETE FROM chroma_documents WHERE document = ?1 AND collection_id = ?2", key,
        number));
  }
  return {};
}

Result<void> forget_all_copies(Database& database, std::int64_t number) {
  return query::execute(database, "DELETE FROM chroma_documents WHERE collection_id = ?1", number);
}

Result<std::vector<DocumentKey>> list_gone(Database& database, std::int64_t number,
                                           std::size_t limit) {
  return query::list(database, kGoneSql, query::read_id<DocumentKey>, number, limit);
}

Result<std::string> get_vector_codes(Database& database, DocumentKey document,
                                     std::string_view model) {
  CODEXMEM_ASSIGN(auto codes, query::find(database, R"sql(
SELECT codes FROM vectors WHERE document = ?1
  AND model_id = (SELECT id FROM embedding_models WHERE name = ?2))sql",
                                          query::read_text, document, model));
  return std::move(codes).value_or("");
}

}  // namespace codexmem::store
