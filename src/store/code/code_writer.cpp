#include "store/code/code_writer.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <chrono>

#include "text/json.h"
#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kInsertFileSql[] = R"sql(
INSERT INTO files (path, content, hash, size, language, last_modified, mtime_ns, line_count, flags, generation)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))sql";

constexpr char kUpdateFileSql[] = R"sql(
UPDATE files SET path = ?1, content = ?2, hash = ?3, size = ?4, language = ?5, last_modified = ?6,
  mtime_ns = ?7, line_count = ?8, flags = ?9, generation = ?10, indexed_at = CURRENT_TIMESTAMP
WHERE id = ?11)sql";

constexpr char kInsertSymbolSql[] = R"sql(
INSERT INTO symbol_rows (id, name, type, kind, container, parent, start_byte, end_byte, start_line,
  start_column, end_line, end_column, name_byte, name_line, name_column, signature_byte, signature_size,
  docstring_byte, docstring_size, modifiers, exported)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21))sql";

constexpr char kInsertChunkSql[] = R"sql(
INSERT INTO chunk_rows (id, start_byte, end_byte, start_line, end_line, symbol_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";

constexpr char kInsertTermsSql[] = "INSERT INTO chunk_terms (rowid, text) VALUES (?1, ?2)";

constexpr char kDeleteTermsSql[] = R"sql(
INSERT INTO chunk_terms (chunk_terms, rowid, text)
SELECT 'delete', id, text FROM chunk_texts WHERE id BETWEEN ?1 AND ?2 ORDER BY id)sql";

constexpr char kInsertNamesSql[] = "INSERT INTO file_names (rowid, names) VALUES (?1, ?2)";

constexpr char kDeleteNamesSql[] =
    "INSERT INTO file_names (file_names, rowid, names) VALUES ('delete', ?1, ?2)";

// No statement that writes a file may be one that SQLite guards by a savepoint (OR REPLACE, a
// second row): each savepoint makes FTS5 write out what it has gathered, which doubles the cost of
// a file.
constexpr char kInsertFactsSql[] = "INSERT INTO file_facts (file_id, facts) VALUES (?1, ?2)";

constexpr char kInsertTrigramsSql[] = "INSERT INTO file_trigrams (file_id, filter) VALUES (?1, ?2)";

constexpr char kInsertDependencySql[] = R"sql(
INSERT INTO dependencies (source_file_id, target_file_id, import_path, import_type, is_external, symbols,
  import_index, line, package)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))sql";

constexpr char kPutModelSql[] = R"sql(
INSERT INTO embedding_models (name, dimension, statistics, code_values) VALUES (?1, ?2, x'', ?3)
ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension, statistics = excluded.statistics,
  code_values = excluded.code_values)sql";

std::int64_t first_id(FileId file) { return static_cast<std::int64_t>(file) << kFileShift; }
std::int64_t last_id(FileId file) { return first_id(file) + kFileVectorIndex; }

// As SQLite's CURRENT_TIMESTAMP: "2026-11-21 10:00:00", UTC.
std::string timestamp(std::int64_t mtime_ns) {
  const auto seconds = static_cast<std::time_t>(mtime_ns / 1'000'000'000);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(seconds));
}

}  // namespace

Result<std::int64_t> CodeWriter::begin_generation() {
  // A store begins with the time (milliseconds), so that one that takes the place of another never
  // repeats its numbers: what is remembered of a file is told by its id and its generation.
  CODEXMEM_TRY(
      database_.execute("INSERT INTO meta (key, value) VALUES ('generation',"
                        " CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))"
                        " ON CONFLICT (key) DO UPDATE SET value = value + 1"));
  CODEXMEM_ASSIGN(const auto generation,
                  database_.find_integer("SELECT value FROM meta WHERE key = 'generation'"));
  generation_ = generation.value_or(1);
  return generation_;
}

Result<FileId> CodeWriter::add_file(const FileRecord& record) {
  const FileRow& file = record.file;
  CODEXMEM_ASSIGN(const auto id, query::insert<FileId>(
                                     database_, kInsertFileSql, file.path, record.content,
                                     file.hash, file.size, file.language, timestamp(file.mtime_ns),
                                     file.mtime_ns, file.line_count, file.flags, generation_));
  CODEXMEM_TRY(write_rows(id, record));
  return id;
}

Result<void> CodeWriter::replace_file(FileId id, const FileRecord& record,
                                      std::string_view old_identifiers) {
  // The full-text rows go first: they are found through the content that is about to change.
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM dependencies WHERE source_file_id = ?1", id));
  const FileRow& file = record.file;
  CODEXMEM_TRY(query::run(database_, kUpdateFileSql, file.path, record.content, file.hash,
                          file.size, file.language, timestamp(file.mtime_ns), file.mtime_ns,
                          file.line_count, file.flags, generation_, id));
  return write_rows(id, record);
}

Result<void> CodeWriter::remove_file(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  // Edges that led here stay as unresolved imports; the cascade would delete them.
  CODEXMEM_TRY(query::execute(
      database_, "UPDATE dependencies SET target_file_id = NULL WHERE target_file_id = ?1", id));
  return query::execute(database_, "DELETE FROM files WHERE id = ?1", id);
}

Result<void> CodeWriter::remove_rows(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(query::execute(database_, kDeleteTermsSql, first_id(id), last_id(id)));
  CODEXMEM_TRY(query::run(database_, kDeleteNamesSql, id, old_identifiers));
  CODEXMEM_TRY(remove_vectors(id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM file_facts WHERE file_id = ?1", id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM file_trigrams WHERE file_id = ?1", id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM chunk_rows WHERE id BETWEEN ?1 AND ?2",
                              first_id(id), last_id(id)));
  return query::execute(database_, "DELETE FROM symbol_rows WHERE id BETWEEN ?1 AND ?2",
                        first_id(id), last_id(id));
}

Result<void> CodeWriter::write_rows(FileId id, const FileRecord& record) {
  const auto own_symbol = [id](std::optional<SymbolId> symbol) {
    return symbol ? std::optional(symbol_id(id, ordinal_of(*symbol))) : std::nullopt;
  };
  CODEXMEM_ASSIGN(Statement symbols, database_.statement(kInsertSymbolSql));
  for (const SymbolRow& symbol : record.symbols) {
    std::string_view modifiers = symbol.modifiers;
    if (modifiers == "[]") modifiers = {};
    CODEXMEM_TRY(query::run_once(
        symbols, *own_symbol(symbol.id), symbol.name, static_cast<int>(symbol.type), symbol.kind,
        symbol.container, own_symbol(symbol.parent), symbol.range.begin, symbol.range.end,
        symbol.start.line, symbol.start.column, symbol.end.line, symbol.end.column,
        symbol.name_byte, symbol.name_start.line, symbol.name_start.column,
        symbol.signature_range.begin, symbol.signature_range.size(), symbol.docstring_range.begin,
        symbol.docstring_range.size(), query::OrNull{modifiers}, symbol.exported));
  }

  const std::string_view content = record.content;
  CODEXMEM_ASSIGN(Statement chunks, database_.statement(kInsertChunkSql));
  CODEXMEM_ASSIGN(Statement terms, database_.statement(kInsertTermsSql));
  for (const ChunkRow& chunk : record.chunks) {
    const ChunkId key = chunk_id(id, ordinal_of(chunk.id));
    CODEXMEM_TRY(query::run_once(chunks, key, chunk.range.begin, chunk.range.end, chunk.start_line,
                                 chunk.end_line, own_symbol(chunk.symbol)));
    CODEXMEM_TRY(
        query::run_once(terms, key, content.substr(chunk.range.begin, chunk.range.size())));
  }
  CODEXMEM_TRY(query::run(database_, kInsertNamesSql, id, record.identifiers));
  CODEXMEM_TRY(query::run(database_, kInsertFactsSql, id, query::Blob{record.facts}));
  if (record.trigrams.empty()) return {};
  return query::execute(database_, kInsertTrigramsSql, id, query::Blob{record.trigrams});
}

Result<void> CodeWriter::rename_file(FileId id, std::string_view path, std::int64_t mtime_ns) {
  return query::execute(database_,
                        "UPDATE files SET path = ?2, last_modified = ?3, mtime_ns = ?4,"
                        " generation = ?5 WHERE id = ?1",
                        id, path, timestamp(mtime_ns), mtime_ns, generation_);
}

Result<void> CodeWriter::touch_file(FileId id, std::int64_t mtime_ns) {
  return query::execute(database_,
                        "UPDATE files SET last_modified = ?2, mtime_ns = ?3 WHERE id = ?1", id,
                        timestamp(mtime_ns), mtime_ns);
}

Result<void> CodeWriter::renew_file(FileId id) {
  return query::execute(database_, "UPDATE files SET generation = ?2 WHERE id = ?1", id,
                        generation_);
}

Result<void> CodeWriter::expire_file(FileId id) {
  return query::execute(database_, "UPDATE files SET hash = '', mtime_ns = -1 WHERE id = ?1", id);
}

Result<void> CodeWriter::put_dependencies(FileId source, std::span<const DependencyRow> rows) {
  CODEXMEM_TRY(
      query::execute(database_, "DELETE FROM dependencies WHERE source_file_id = ?1", source));
  CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertDependencySql));
  for (const DependencyRow& row : rows) {
    CODEXMEM_TRY(query::run_once(insert, source, row.target, row.import_path, row.import_type,
                                 row.is_external, dump_json(Json(row.symbols)), row.import_index,
                                 row.line, query::OrNull{row.package}));
  }
  return {};
}

Result<void> CodeWriter::put_skipped(std::span<const SkippedFile> files) {
  CODEXMEM_TRY(database_.execute("DELETE FROM skipped_files"));
  CODEXMEM_ASSIGN(
      Statement insert,
      database_.statement("INSERT OR REPLACE INTO skipped_files (path, reason, detail, size,"
                          " mtime_ns) VALUES (?1, ?2, ?3, ?4, ?5)"));
  for (const SkippedFile& file : files) {
    CODEXMEM_TRY(
        query::run_once(insert, file.path, file.reason, file.detail, file.size, file.mtime_ns));
  }
  return {};
}

Result<ModelId> CodeWriter::put_model(const ModelRow& model) {
  CODEXMEM_TRY(query::run(database_, kPutModelSql, model.name, model.dimension,
                          query::Blob{model.code_values}));
  CODEXMEM_ASSIGN(const auto id,
                  query::find(database_, "SELECT id FROM embedding_models WHERE name = ?1",
                              query::read_id<ModelId>, model.name));
  CODEXMEM_CHECK(id.has_value());
  return *id;
}

Result<void> CodeWriter::put_vectors(ModelId model, std::span<const VectorRow> rows) {
  CODEXMEM_ASSIGN(
      Statement insert,
      database_.statement(
          "INSERT OR REPLACE INTO chunk_vectors (id, model_id, codes) VALUES (?1, ?2, ?3)"));
  for (const VectorRow& row : rows) {
    CODEXMEM_TRY(query::run_once(insert, row.id, model, query::Blob{row.codes}));
  }
  return {};
}

Result<void> CodeWriter::remove_vectors(FileId file) {
  return query::execute(database_, "DELETE FROM chunk_vectors WHERE id BETWEEN ?1 AND ?2",
                        first_id(file), last_id(file));
}

Result<void> CodeWriter::keep_model(ModelId model) {
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM chunk_vectors WHERE model_id <> ?1", model));
  return query::execute(database_, "DELETE FROM embedding_models WHERE id <> ?1", model);
}

Result<void> CodeWriter::put_meta(std::string_view key, std::string_view value) {
  return query::execute(database_, "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", key,
                        value);
}

Result<void> CodeWriter::remove_meta(std::string_view key) {
  return query::execute(database_, "DELETE FROM meta WHERE key = ?1", key);
}

}  // namespace codexmem::store
