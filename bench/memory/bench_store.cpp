#include "bench_store.h"

#include "memory/entries/records.h"

namespace codexmem::bench {
namespace {

constexpr char kProjectSql[] = R"sql(
INSERT INTO projects (name, created_at_ms) VALUES (?1, 0)
ON CONFLICT (name) DO UPDATE SET name = name RETURNING id)sql";
constexpr char kSessionSql[] = R"sql(
INSERT INTO sessions (content_session_id, project_id, started_at_ms) VALUES (?1, ?2, 0)
ON CONFLICT (content_session_id) DO UPDATE SET status = status RETURNING id)sql";
constexpr char kEntrySql[] = R"sql(
INSERT INTO entries (project_id, session_id, entry_type, title, has_own_title, body, concepts,
  files_read, files_modified, source, content_hash, created_at_ms)
VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'manual', randomblob(32), ?10))sql";

}  // namespace

Result<std::int64_t> BenchWriter::project_id(store::Database& database, const std::string& name) {
  std::int64_t& id = projects_[name];
  if (id != 0) return id;
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kProjectSql));
  insert.bind(1, name);
  CODEXMEM_TRY(insert.step());
  return id = insert.integer(0);
}

Result<std::int64_t> BenchWriter::session_id(store::Database& database, const std::string& name,
                                             std::int64_t project) {
  if (name.empty()) return 0;
  std::int64_t& id = sessions_[name];
  if (id != 0) return id;
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kSessionSql));
  insert.bind(1, name);
  insert.bind(2, project);
  CODEXMEM_TRY(insert.step());
  return id = insert.integer(0);
}

Result<std::vector<std::int64_t>> BenchWriter::write(const std::vector<BenchEntry>& entries) {
  std::vector<std::string> codes;
  for (const BenchEntry& entry : entries) {
    CODEXMEM_ASSIGN(codes.emplace_back(), vectors_.encode(entry.title, entry.body));
  }
  CODEXMEM_ASSIGN(store::UserWriter writer, store_.writer());
  CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(store::Statement insert, writer->statement(kEntrySql));
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const BenchEntry& entry = entries[i];
    CODEXMEM_ASSIGN(const std::int64_t project, project_id(*writer, entry.project));
    CODEXMEM_ASSIGN(const std::int64_t session, session_id(*writer, entry.session, project));
    insert.bind(1, project);
    insert.bind(2, session);
    insert.bind(3, entry.type);
    const std::string title = entry.title.empty() ? entry.body.substr(0, 60) : entry.title;
    insert.bind(4, title);
    insert.bind(5, !entry.title.empty());
    insert.bind(6, entry.body);
    insert.bind(7, entry.concepts);
    insert.bind(8, entry.files_read);
    insert.bind(9, entry.files_modified);
    insert.bind(10, entry.created_at_ms);
    CODEXMEM_TRY(insert.run());
    ids.push_back(writer->last_insert_id());
    CODEXMEM_TRY(
        vectors_.put(*writer, memory::document_key(memory::EntryId{ids.back()}), codes[i]));
  }
  CODEXMEM_TRY(transaction.commit());
  return ids;
}

}  // namespace codexmem::bench
