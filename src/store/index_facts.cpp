// Tested by app/cli_test.cpp and tests/terminal.
#include "store/index_facts.h"

#include <fmt/core.h>

#include <utility>

namespace codexmem::store {
namespace {

// Compares names as the index on them does: without regard to case, byte by byte.
constexpr char kNamesWithPrefixSql[] = R"sql(
SELECT DISTINCT name FROM symbol_rows
WHERE name >= ?1 COLLATE NOCASE AND name < ?1 || ?2 COLLATE NOCASE
  AND name NOT GLOB '*[^A-Za-z0-9_$.#:~À-ӿぁ-힣]*'
ORDER BY name COLLATE NOCASE, name LIMIT ?3)sql";
constexpr char kSchemaSql[] = R"sql(
SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name)sql";
constexpr char kTablesSql[] = R"sql(
SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
ORDER BY name)sql";

// The first column of all rows.
Result<std::vector<std::string>> list_texts(Statement rows) {
  std::vector<std::string> texts;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, rows.step());
    if (!more) return texts;
    texts.emplace_back(rows.text(0));
  }
}

Result<std::int64_t> integer_of(Database& database, const char* sql) {
  CODEXMEM_ASSIGN(const auto number, database.find_integer(sql));
  return number.value_or(0);
}

}  // namespace

Result<std::string> read_indexed_at(CodeReader& reader, FileId file) {
  CODEXMEM_ASSIGN(Statement when,
                  reader.database().statement("SELECT indexed_at FROM files WHERE id = ?1"));
  when.bind(1, file);
  CODEXMEM_ASSIGN(const bool found, when.step());
  return found ? std::string(when.text(0)) : std::string();
}

Result<std::optional<CodeReader::Model>> find_newest_model(CodeReader& reader) {
  CODEXMEM_ASSIGN(Statement models,
                  reader.database().statement(
                      "SELECT name, dimension FROM embedding_models ORDER BY id DESC LIMIT 1"));
  CODEXMEM_ASSIGN(const bool found, models.step());
  if (!found) return std::optional<CodeReader::Model>();
  CodeReader::Model model;
  model.name = models.text(0);
  model.dimension = static_cast<std::size_t>(models.integer(1));
  return std::optional(std::move(model));
}

Result<std::int64_t> count_piece_vectors(CodeReader& reader) {
  CODEXMEM_ASSIGN(
      const auto count,
      reader.database().find_integer(fmt::format(
          "SELECT count(*) FROM chunk_vectors WHERE (id & {0}) <> {0}", kFileVectorIndex)));
  return count.value_or(0);
}

Result<std::vector<std::string>> list_names_with_prefix(CodeReader& reader, std::string_view prefix,
                                                        std::size_t most) {
  CODEXMEM_ASSIGN(Statement names, reader.database().statement(kNamesWithPrefixSql));
  names.bind(1, prefix);
  names.bind(2, std::string_view("\U0010FFFF"));
  names.bind(3, static_cast<std::int64_t>(most));
  return list_texts(std::move(names));
}

Result<std::int64_t> schema_version(Database& database) {
  return integer_of(database, "PRAGMA user_version");
}

Result<std::vector<std::string>> list_schema(Database& database) {
  CODEXMEM_ASSIGN(Statement rows, database.statement(kSchemaSql));
  return list_texts(std::move(rows));
}

Result<DatabaseSize> measure_database(Database& database) {
  DatabaseSize size;
  CODEXMEM_ASSIGN(size.page_bytes, integer_of(database, "PRAGMA page_size"));
  CODEXMEM_ASSIGN(size.pages, integer_of(database, "PRAGMA page_count"));
  CODEXMEM_ASSIGN(size.free_pages, integer_of(database, "PRAGMA freelist_count"));
  CODEXMEM_ASSIGN(Statement tables, database.statement(kTablesSql));
  CODEXMEM_ASSIGN(const auto names, list_texts(std::move(tables)));
  CODEXMEM_ASSIGN(Statement bytes,
                  database.statement("SELECT sum(pgsize) FROM dbstat WHERE name = ?1"));
  for (const std::string& name : names) {
    TableSize table{.name = name};
    const std::string count = fmt::format("SELECT count(*) FROM \"{}\"", name);
    CODEXMEM_ASSIGN(table.rows, integer_of(database, count.c_str()));
    bytes.reset();
    bytes.bind(1, name);
    CODEXMEM_TRY(bytes.step());
    table.bytes = bytes.integer(0);
    size.tables.push_back(std::move(table));
  }
  return size;
}

}  // namespace codexmem::store
