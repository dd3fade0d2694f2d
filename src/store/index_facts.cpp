// Tested by app/cli_test.cpp and tests/terminal.
#include "store/index_facts.h"

#include <fmt/core.h>

#include <utility>

#include "store/query.h"

namespace codexmem::store {
namespace {

// Compares names as the index on them does: without regard to case, byte by byte.
constexpr char kNamesWithPrefixSql[] = R"sql(
SELECT DISTINCT name FROM symbol_rows
WHERE name >= ?1 COLLATE NOCASE AND name < ?1 || ?2 COLLATE NOCASE
  AND id >> 20 NOT IN (SELECT id FROM parked_rows) AND name NOT GLOB '*[^A-Za-z0-9_$.#:~À-ӿぁ-힣]*'
ORDER BY name COLLATE NOCASE, name LIMIT ?3)sql";

}  // namespace

Result<std::string> read_indexed_at(StoreReader& reader, FileId file) {
  CODEXMEM_ASSIGN(auto when,
                  query::find(reader.database(), "SELECT indexed_at FROM file_rows WHERE id = ?1",
                              query::read_text, file));
  return std::move(when).value_or("");
}

Result<std::optional<StoreReader::Model>> find_newest_model(StoreReader& reader) {
  return query::find(
      reader.database(), "SELECT name, dimension FROM embedding_models ORDER BY id DESC LIMIT 1",
      [](const Statement& row) {
        return StoreReader::Model{.name = std::string(row.text(0)),
                                  .dimension = static_cast<std::size_t>(row.integer(1))};
      });
}

Result<std::int64_t> count_piece_vectors(StoreReader& reader) {
  return query::count(reader.database(),
                      fmt::format("SELECT count(*) FROM chunk_vectors WHERE (id & {0}) <> {0}"
                                  " AND id >> 20 NOT IN (SELECT id FROM parked_rows)",
                                  kFileVectorIndex));
}

Result<std::vector<std::string>> list_names_with_prefix(StoreReader& reader,
                                                        std::string_view prefix, std::size_t most) {
  return query::list(reader.database(), kNamesWithPrefixSql, query::read_text, prefix, "\U0010FFFF",
                     most);
}

Result<std::int64_t> schema_version(Database& database) {
  return query::count(database, "PRAGMA user_version");
}

Result<std::vector<std::string>> list_schema(Database& database) {
  return query::list(database, R"sql(
SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name)sql",
                     query::read_text);
}

Result<DatabaseSize> measure_database(Database& database) {
  DatabaseSize size;
  CODEXMEM_ASSIGN(size.page_bytes, query::count(database, "PRAGMA page_size"));
  CODEXMEM_ASSIGN(size.pages, query::count(database, "PRAGMA page_count"));
  CODEXMEM_ASSIGN(size.free_pages, query::count(database, "PRAGMA freelist_count"));
  CODEXMEM_ASSIGN(const auto names, query::list(database, R"sql(
SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
ORDER BY name)sql",
                                                query::read_text));
  for (const std::string& name : names) {
    TableSize table{.name = name};
    const std::string count = fmt::format("SELECT count(*) FROM \"{}\"", name);
    CODEXMEM_ASSIGN(table.rows, query::count(database, count));
    CODEXMEM_ASSIGN(table.bytes,
                    query::count(database, "SELECT sum(pgsize) FROM dbstat WHERE name = ?1", name));
    size.tables.push_back(std::move(table));
  }
  return size;
}

}  // namespace codexmem::store
