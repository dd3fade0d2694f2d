#include "store/code/code_writer.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <chrono>

#include "text/json.h"

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

void bind_file(Statement& statement, const FileRow& file, const std::string& content,
               const std::string& modified, std::int64_t generation) {
  statement.bind(1, file.path);
  statement.bind(2, content);
  statement.bind(3, file.hash);
  statement.bind(4, file.size);
  statement.bind(5, file.language);
  statement.bind(6, modified);
  statement.bind(7, file.mtime_ns);
  statement.bind(8, file.line_count);
  statement.bind(9, file.flags);
  statement.bind(10, generation);
}

// Runs a statement whose parameters are integers.
template <typename... Values>
Result<void> run_with(Database& database, std::string_view sql, Values... values) {
  CODEXMEM_ASSIGN(Statement statement, database.statement(sql));
  int index = 0;
  (statement.bind(++index, values), ...);
  return statement.run();
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
  const std::string modified = timestamp(record.file.mtime_ns);
  {
    CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertFileSql));
    bind_file(insert, record.file, record.content, modified, generation_);
    CODEXMEM_TRY(insert.run());
  }
  const auto id = static_cast<FileId>(database_.last_insert_id());
  CODEXMEM_TRY(write_rows(id, record));
  return id;
}

Result<void> CodeWriter::replace_file(FileId id, const FileRecord& record,
                                      std::string_view old_identifiers) {
  // The full-text rows go first: they are found through the content that is about to change.
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  CODEXMEM_TRY(run_with(database_, "DELETE FROM dependencies WHERE source_file_id = ?1", id));
  const std::string modified = timestamp(record.file.mtime_ns);
  {
    CODEXMEM_ASSIGN(Statement update, database_.statement(kUpdateFileSql));
    bind_file(update, record.file, record.content, modified, generation_);
    update.bind(11, id);
    CODEXMEM_TRY(update.run());
  }
  return write_rows(id, record);
}

Result<void> CodeWriter::remove_file(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  // Edges that led here stay as unresolved imports; the cascade would delete them.
  CODEXMEM_TRY(run_with(
      database_, "UPDATE dependencies SET target_file_id = NULL WHERE target_file_id = ?1", id));
  return run_with(database_, "DELETE FROM files WHERE id = ?1", id);
}

Result<void> CodeWriter::remove_rows(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(run_with(database_, kDeleteTermsSql, first_id(id), last_id(id)));
  {
    CODEXMEM_ASSIGN(Statement names, database_.statement(kDeleteNamesSql));
    names.bind(1, id);
    names.bind(2, old_identifiers);
    CODEXMEM_TRY(names.run());
  }
  CODEXMEM_TRY(remove_vectors(id));
  CODEXMEM_TRY(run_with(database_, "DELETE FROM file_facts WHERE file_id = ?1", id));
  CODEXMEM_TRY(run_with(database_, "DELETE FROM file_trigrams WHERE file_id = ?1", id));
  CODEXMEM_TRY(run_with(database_, "DELETE FROM chunk_rows WHERE id BETWEEN ?1 AND ?2",
                        first_id(id), last_id(id)));
  return run_with(database_, "DELETE FROM symbol_rows WHERE id BETWEEN ?1 AND ?2", first_id(id),
                  last_id(id));
}

Result<void> CodeWriter::write_rows(FileId id, const FileRecord& record) {
  CODEXMEM_ASSIGN(Statement symbols, database_.statement(kInsertSymbolSql));
  for (const SymbolRow& symbol : record.symbols) {
    symbols.bind(1, symbol_id(id, ordinal_of(symbol.id)));
    symbols.bind(2, symbol.name);
    symbols.bind(3, static_cast<int>(symbol.type));
    symbols.bind(4, symbol.kind);
    symbols.bind(5, symbol.container);
    if (symbol.parent) {
      symbols.bind(6, symbol_id(id, ordinal_of(*symbol.parent)));
    } else {
      symbols.bind_null(6);
    }
    symbols.bind(7, symbol.range.begin);
    symbols.bind(8, symbol.range.end);
    symbols.bind(9, symbol.start.line);
    symbols.bind(10, symbol.start.column);
    symbols.bind(11, symbol.end.line);
    symbols.bind(12, symbol.end.column);
    symbols.bind(13, symbol.name_byte);
    symbols.bind(14, symbol.name_start.line);
    symbols.bind(15, symbol.name_start.column);
    symbols.bind(16, symbol.signature_range.begin);
    symbols.bind(17, symbol.signature_range.size());
    symbols.bind(18, symbol.docstring_range.begin);
    symbols.bind(19, symbol.docstring_range.size());
    if (symbol.modifiers.empty() || symbol.modifiers == "[]") {
      symbols.bind_null(20);
    } else {
      symbols.bind(20, symbol.modifiers);
    }
    symbols.bind(21, symbol.exported);
    CODEXMEM_TRY(symbols.run());
  }

  CODEXMEM_ASSIGN(Statement chunks, database_.statement(kInsertChunkSql));
  CODEXMEM_ASSIGN(Statement terms, database_.statement(kInsertTermsSql));
  for (const ChunkRow& chunk : record.chunks) {
    const ChunkId chunk_key = chunk_id(id, ordinal_of(chunk.id));
    chunks.bind(1, chunk_key);
    chunks.bind(2, chunk.range.begin);
    chunks.bind(3, chunk.range.end);
    chunks.bind(4, chunk.start_line);
    chunks.bind(5, chunk.end_line);
    if (chunk.symbol) {
      chunks.bind(6, symbol_id(id, ordinal_of(*chunk.symbol)));
    } else {
      chunks.bind_null(6);
    }
    CODEXMEM_TRY(chunks.run());
    terms.bind(1, chunk_key);
    terms.bind(2, std::string_view(record.content).substr(chunk.range.begin, chunk.range.size()));
    CODEXMEM_TRY(terms.run());
  }

  CODEXMEM_ASSIGN(Statement names, database_.statement(kInsertNamesSql));
  names.bind(1, id);
  names.bind(2, record.identifiers);
  CODEXMEM_TRY(names.run());

  CODEXMEM_ASSIGN(Statement facts, database_.statement(kInsertFactsSql));
  facts.bind(1, id);
  facts.bind_blob(2, record.facts);
  CODEXMEM_TRY(facts.run());

  if (record.trigrams.empty()) return {};
  CODEXMEM_ASSIGN(Statement trigrams, database_.statement(kInsertTrigramsSql));
  trigrams.bind(1, id);
  trigrams.bind_blob(2, record.trigrams);
  return trigrams.run();
}

Result<void> CodeWriter::rename_file(FileId id, std::string_view path, std::int64_t mtime_ns) {
  const std::string modified = timestamp(mtime_ns);
  CODEXMEM_ASSIGN(
      Statement update,
      database_.statement("UPDATE files SET path = ?2, last_modified = ?3, mtime_ns = ?4,"
                          " generation = ?5 WHERE id = ?1"));
  update.bind(1, id);
  update.bind(2, path);
  update.bind(3, modified);
  update.bind(4, mtime_ns);
  update.bind(5, generation_);
  return update.run();
}

Result<void> CodeWriter::touch_file(FileId id, std::int64_t mtime_ns) {
  const std::string modified = timestamp(mtime_ns);
  CODEXMEM_ASSIGN(
      Statement update,
      database_.statement("UPDATE files SET last_modified = ?2, mtime_ns = ?3 WHERE id = ?1"));
  update.bind(1, id);
  update.bind(2, modified);
  update.bind(3, mtime_ns);
  return update.run();
}

Result<void> CodeWriter::renew_file(FileId id) {
  return run_with(database_, "UPDATE files SET generation = ?2 WHERE id = ?1", id, generation_);
}

Result<void> CodeWriter::expire_file(FileId id) {
  return run_with(database_, "UPDATE files SET hash = '', mtime_ns = -1 WHERE id = ?1", id);
}

Result<void> CodeWriter::put_dependencies(FileId source, std::span<const DependencyRow> rows) {
  CODEXMEM_TRY(run_with(database_, "DELETE FROM dependencies WHERE source_file_id = ?1", source));
  CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertDependencySql));
  for (const DependencyRow& row : rows) {
    const std::string symbols = dump_json(Json(row.symbols));
    insert.bind(1, source);
    if (row.target) {
      insert.bind(2, *row.target);
    } else {
      insert.bind_null(2);
    }
    insert.bind(3, row.import_path);
    insert.bind(4, row.import_type);
    insert.bind(5, row.is_external);
    insert.bind(6, symbols);
    insert.bind(7, row.import_index);
    insert.bind(8, row.line);
    if (row.package.empty()) {
      insert.bind_null(9);
    } else {
      insert.bind(9, row.package);
    }
    CODEXMEM_TRY(insert.run());
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
    insert.bind(1, file.path);
    insert.bind(2, file.reason);
    insert.bind(3, file.detail);
    insert.bind(4, file.size);
    insert.bind(5, file.mtime_ns);
    CODEXMEM_TRY(insert.run());
  }
  return {};
}

Result<ModelId> CodeWriter::put_model(const ModelRow& model) {
  {
    CODEXMEM_ASSIGN(Statement put, database_.statement(kPutModelSql));
    put.bind(1, model.name);
    put.bind(2, static_cast<std::int64_t>(model.dimension));
    put.bind_blob(3, model.code_values);
    CODEXMEM_TRY(put.run());
  }
  CODEXMEM_ASSIGN(Statement find,
                  database_.statement("SELECT id FROM embedding_models WHERE name = ?1"));
  find.bind(1, model.name);
  CODEXMEM_ASSIGN(const bool found, find.step());
  CODEXMEM_CHECK(found);
  return find.id<ModelId>(0);
}

Result<void> CodeWriter::put_vectors(ModelId model, std::span<const VectorRow> rows) {
  CODEXMEM_ASSIGN(
      Statement insert,
      database_.statement(
          "INSERT OR REPLACE INTO chunk_vectors (id, model_id, codes) VALUES (?1, ?2, ?3)"));
  for (const VectorRow& row : rows) {
    insert.bind(1, row.id);
    insert.bind(2, model);
    insert.bind_blob(3, row.codes);
    CODEXMEM_TRY(insert.run());
  }
  return {};
}

Result<void> CodeWriter::remove_vectors(FileId file) {
  return run_with(database_, "DELETE FROM chunk_vectors WHERE id BETWEEN ?1 AND ?2", first_id(file),
                  last_id(file));
}

Result<void> CodeWriter::keep_model(ModelId model) {
  CODEXMEM_TRY(run_with(database_, "DELETE FROM chunk_vectors WHERE model_id <> ?1", model));
  return run_with(database_, "DELETE FROM embedding_models WHERE id <> ?1", model);
}

Result<void> CodeWriter::put_meta(std::string_view key, std::string_view value) {
  CODEXMEM_ASSIGN(Statement put,
                  database_.statement("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)"));
  put.bind(1, key);
  put.bind(2, value);
  return put.run();
}

Result<void> CodeWriter::remove_meta(std::string_view key) {
  CODEXMEM_ASSIGN(Statement remove, database_.statement("DELETE FROM meta WHERE key = ?1"));
  remove.bind(1, key);
  return remove.run();
}

}  // namespace codexmem::store
