#include "store/code/code_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "text/json.h"
#include "store/code/store_reader.h"
#include "store/query.h"

namespace codexmem::store {
namespace {

// No statement that writes a file may be one that SQLite guards by a savepoint (OR REPLACE, a
// second row): each savepoint makes FTS5 write out what it has gathered, which doubles the cost of
// a file.
constexpr char kInsertFactsSql[] = "INSERT INTO file_facts (file_id, facts) VALUES (?1, ?2)";

const std::string kNoModifiers = "[]";

std::int64_t first_id(FileId file) { return static_cast<std::int64_t>(file) << kFileShift; }
std::int64_t last_id(FileId file) { return first_id(file) + kFileVectorIndex; }

constexpr char kInsertFileSql[] = R"sql(
INSERT INTO file_rows (path, hash, size, language, line_count, flags, generation, book, text_size, text, id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11))sql";

constexpr char kInsertTimeSql[] = "INSERT INTO file_times (file_id, mtime_ns) VALUES (?1, ?2)";

constexpr char kInsertDependencySql[] = R"sql(
INSERT INTO dependencies (source_file_id, target_file_id, import_path, import_type, is_external, symbols,
  import_index, line, package)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))sql";

// The rows of each import that leads to a file, in order: an import may have several.
constexpr char kDependentsSql[] = R"sql(
SELECT d.source_file_id, d.target_file_id, d.import_path, d.import_type, d.is_external, d.symbols,
  d.import_index, d.line, d.package, d.id
FROM (SELECT DISTINCT source_file_id, import_index FROM dependencies
  WHERE target_file_id = ?1 AND source_file_id <> ?1) AS to_it
CROSS JOIN dependencies AS d ON d.source_file_id = to_it.source_file_id
  AND d.import_index = to_it.import_index
ORDER BY d.id)sql";

// (`to` - `from`) << 32, plus `low`.
std::int64_t pair_of(std::uint32_t to, std::uint32_t from, std::uint32_t low) {
  return (std::int64_t{to} - from) * (std::int64_t{1} << 32) + low;
}

// TEXT, or BLOB when it is in codes.
query::TextOrBlob kept_text(const FileRecord& record, const PreparedRecord& prepared) {
  const bool is_coded = prepared.book != 0;
  return {is_coded ? prepared.codes : record.content, is_coded};
}

// What file_rows and parked_rows have in common.
struct FullRow {
  std::string path, hash, language, text;
  std::int64_t size = 0, line_count = 0, flags = 0, book = 0, text_size = 0;

  query::TextOrBlob kept_text() const { return {text, book != 0}; }
};

Result<FullRow> read_full_row(Database& database, std::string_view table, FileId id) {
  CODEXMEM_ASSIGN(auto found,
                  query::find(
                      database,
                      fmt::format("SELECT path, hash, language, text, size, line_count, flags,"
                                  " book, text_size FROM {} WHERE id = ?1",
                                  table),
                      [](const Statement& row) {
                        return FullRow{.path = std::string(row.text(0)),
                                       .hash = std::string(row.text(1)),
                                       .language = std::string(row.text(2)),
                                       .text = std::string(row.blob(3)),
                                       .size = row.integer(4),
                                       .line_count = row.integer(5),
                                       .flags = row.integer(6),
                                       .book = row.integer(7),
                                       .text_size = row.integer(8)};
                      },
                      id));
  if (found) return *std::move(found);
  return Error{ErrorCode::kNotFound, "a file that is to be parked or revived is gone"};
}

}  // namespace

Result<std::int64_t> CodeWriter::begin_generation() {
  traits_.clear();  // an earlier transaction may have been rolled back
  // A store begins with the time (milliseconds), so that one that takes the place of another never
  // repeats its numbers: caches of a file are keyed by its id and its generation.
  CODEXMEM_TRY(
      database_.execute("INSERT INTO meta (key, value) VALUES ('generation',"
                        " CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))"
                        " ON CONFLICT (key) DO UPDATE SET value = value + 1"));
  CODEXMEM_ASSIGN(const auto generation,
                  database_.find_integer("SELECT value FROM meta WHERE key = 'generation'"));
  generation_ = generation.value_or(1);
  return generation_;
}

Result<FileId> CodeWriter::add_file(const FileRecord& record, const PreparedRecord& prepared) {
  const FileRow& file = record.file;
  CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertFileSql));
  CODEXMEM_TRY(query::run_once(insert, file.path, file.hash, file.size, file.language,
                               file.line_count, file.flags, generation_, prepared.book,
                               record.content.size(), kept_text(record, prepared), std::nullopt));
  const auto id = static_cast<FileId>(database_.last_insert_id());
  CODEXMEM_TRY(query::run(database_, kInsertTimeSql, id, file.mtime_ns));
  CODEXMEM_TRY(write_rows(id, record, prepared));
  return id;
}

Result<void> CodeWriter::replace_file(FileId id, const FileRecord& record,
                                      std::string_view old_identifiers,
                                      const PreparedRecord& prepared) {
  // The full-text rows go first: they are made again from the text that is about to change.
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM dependencies WHERE source_file_id = ?1", id));
  const FileRow& file = record.file;
  CODEXMEM_TRY(query::execute(database_,
                              "DELETE FROM compiler_uses WHERE file_id = ?1"
                              " AND (SELECT hash FROM file_rows WHERE id = ?1) <> ?2",
                              id, file.hash));
  CODEXMEM_TRY(query::execute(database_, R"sql(
UPDATE file_rows SET path = ?1, hash = ?2, size = ?3, language = ?4, line_count = ?5, flags = ?6,
  generation = ?7, book = ?8, text_size = ?9, text = ?10, indexed_at = CURRENT_TIMESTAMP
WHERE id = ?11)sql",
                              file.path, file.hash, file.size, file.language, file.line_count,
                              file.flags, generation_, prepared.book, record.content.size(),
                              kept_text(record, prepared), id));
  CODEXMEM_TRY(touch_file(id, file.mtime_ns));
  return write_rows(id, record, prepared);
}

Result<void> CodeWriter::remove_file(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  // Edges that led here stay as unresolved imports; the cascade would delete them.
  CODEXMEM_TRY(query::execute(
      database_, "UPDATE dependencies SET target_file_id = NULL WHERE target_file_id = ?1", id));
  return query::execute(database_, "DELETE FROM file_rows WHERE id = ?1", id);
}

Result<std::vector<DependencyRow>> CodeWriter::park_file(FileId id) {
  std::vector<std::int64_t> ids;
  CODEXMEM_ASSIGN(auto dependents, query::list(
                                       database_, kDependentsSql,
                                       [&](const Statement& row) {
                                         ids.push_back(row.integer(9));
                                         return query::as<DependencyRow>(row);
                                       },
                                       id));
  for (const std::int64_t row : ids) {
    CODEXMEM_TRY(query::execute(database_, "DELETE FROM dependencies WHERE id = ?1", row));
  }
  CODEXMEM_ASSIGN(FullRow file, read_full_row(database_, "file_rows", id));
  const std::int64_t now =
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  CODEXMEM_TRY(query::execute(database_, R"sql(
INSERT INTO parked_rows (path, hash, size, language, parked_ns, line_count, flags, book, text_size, text, id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11))sql",
                              file.path, file.hash, file.size, file.language, now, file.line_count,
                              file.flags, file.book, file.text_size, file.kept_text(), id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM file_rows WHERE id = ?1", id));
  return dependents;
}

Result<void> CodeWriter::add_dependents(std::vector<DependencyRow> rows, FileId before,
                                        std::optional<FileId> target) {
  CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertDependencySql));
  for (DependencyRow& row : rows) {
    if (row.target == before) row.target = target;
    CODEXMEM_TRY(add_dependency(insert, row.source, row));
  }
  return {};
}

Result<void> CodeWriter::revive_file(FileId id, std::int64_t mtime_ns) {
  CODEXMEM_ASSIGN(FullRow file, read_full_row(database_, "parked_rows", id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM parked_rows WHERE id = ?1", id));
  CODEXMEM_TRY(query::execute(database_, kInsertFileSql, file.path, file.hash, file.size,
                              file.language, file.line_count, file.flags, generation_, file.book,
                              file.text_size, file.kept_text(), id));
  return query::execute(database_, kInsertTimeSql, id, mtime_ns);
}

Result<void> CodeWriter::remove_parked(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(remove_rows(id, old_identifiers));
  return query::execute(database_, "DELETE FROM parked_rows WHERE id = ?1", id);
}

Result<void> CodeWriter::remove_rows(FileId id, std::string_view old_identifiers) {
  CODEXMEM_TRY(remove_terms(id));
  CODEXMEM_TRY(query::run(
      database_, "INSERT INTO file_names (file_names, rowid, names) VALUES ('delete', ?1, ?2)", id,
      old_identifiers));
  CODEXMEM_TRY(remove_vectors(id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM file_facts WHERE file_id = ?1", id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM file_trigrams WHERE file_id = ?1", id));
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM chunk_rows WHERE id BETWEEN ?1 AND ?2",
                              first_id(id), last_id(id)));
  return query::execute(database_, "DELETE FROM symbol_rows WHERE id BETWEEN ?1 AND ?2",
                        first_id(id), last_id(id));
}

// The index keeps no copy of its rows: the deletion names their terms.
Result<void> CodeWriter::remove_terms(FileId id) {
  StoreReader reader(database_);
  CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(id));
  if (chunks.empty()) return {};
  CODEXMEM_ASSIGN(const auto content, reader.find_content(id));
  if (!content) return {};
  CODEXMEM_ASSIGN(
      Statement remove,
      database_.statement(
          "INSERT INTO chunk_terms (chunk_terms, rowid, terms) VALUES ('delete', ?1, ?2)"));
  for (const ChunkRow& chunk : chunks) {
    const std::size_t begin = std::min<std::size_t>(chunk.range.begin, content->size());
    const auto text = std::string_view(*content).substr(begin, chunk.range.size());
    CODEXMEM_TRY(query::run_once(remove, term_row(chunk.id), terms_.make(text).tokens));
  }
  return {};
}

Result<std::int64_t> CodeWriter::traits_of(const SymbolRow& symbol) {
  const auto type = static_cast<int>(symbol.type);
  const std::string& modifiers = symbol.modifiers.empty() ? kNoModifiers : symbol.modifiers;
  const auto [known, is_new] =
      traits_.try_emplace({type, symbol.kind, symbol.exported, modifiers}, 0);
  if (!is_new) return known->second;
  CODEXMEM_ASSIGN(const auto stored,
                  query::find(database_, R"sql(
SELECT id FROM symbol_traits WHERE type = ?1 AND kind = ?2 AND exported = ?3 AND modifiers = ?4)sql",
                              query::read_id<>, type, symbol.kind, symbol.exported, modifiers));
  if (stored) return known->second = *stored;
  CODEXMEM_ASSIGN(known->second,
                  query::insert<std::int64_t>(database_, R"sql(
INSERT INTO symbol_traits (type, kind, exported, modifiers) VALUES (?1, ?2, ?3, ?4))sql",
                                              type, symbol.kind, symbol.exported, modifiers));
  return known->second;
}

Result<void> CodeWriter::write_rows(FileId id, const FileRecord& record,
                                    const PreparedRecord& prepared) {
  const auto own_symbol = [id](std::optional<SymbolId> symbol) {
    return symbol ? std::optional(symbol_id(id, ordinal_of(*symbol))) : std::nullopt;
  };
  CODEXMEM_ASSIGN(Statement symbols, database_.statement(R"sql(
INSERT INTO symbol_rows (id, name, traits, start_byte, size, start_line, start_column, lines, end_column,
  name_step, signature_rest, parent_step, container, name_place, docstring, signature_step)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16))sql"));
  for (const SymbolRow& symbol : record.symbols) {
    const SymbolId own = *own_symbol(symbol.id);
    CODEXMEM_ASSIGN(const std::int64_t traits, traits_of(symbol));
    const std::uint32_t begin = symbol.range.begin, size = symbol.range.size();
    const std::uint32_t name_step = symbol.name_byte - begin;
    std::optional<std::int64_t> parent_step, name_place, docstring, signature_step;
    if (symbol.parent) {
      parent_step =
          static_cast<std::int64_t>(own) - static_cast<std::int64_t>(*own_symbol(symbol.parent));
    }
    if (symbol.name_start.line != symbol.start.line ||
        symbol.name_start.column != symbol.start.column + name_step) {
      name_place = pair_of(symbol.name_start.line, symbol.start.line, symbol.name_start.column);
    }
    if (symbol.docstring_range.size() != 0) {
      docstring = pair_of(symbol.docstring_range.begin, begin, symbol.docstring_range.size());
    }
    if (symbol.signature_range.begin != begin) {
      signature_step = std::int64_t{symbol.signature_range.begin} - begin;
    }
    CODEXMEM_TRY(query::run_once(
        symbols, own, symbol.name, traits, begin, size, symbol.start.line, symbol.start.column,
        symbol.end.line - symbol.start.line, symbol.end.column,
        std::int64_t{symbol.name_byte} - begin, std::int64_t{size} - symbol.signature_range.size(),
        parent_step, query::OrNull{symbol.container}, name_place, docstring, signature_step));
  }

  const std::string_view content = record.content;
  CODEXMEM_ASSIGN(Statement chunks, database_.statement(R"sql(
INSERT INTO chunk_rows (id, start_byte, end_byte, start_line, end_line, symbol_id, term_count)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7))sql"));
  CODEXMEM_ASSIGN(Statement terms,
                  database_.statement("INSERT INTO chunk_terms (rowid, terms) VALUES (?1, ?2)"));
  for (std::size_t i = 0; i < record.chunks.size(); ++i) {
    const ChunkRow& chunk = record.chunks[i];
    const ChunkId key = chunk_id(id, ordinal_of(chunk.id));
    ChunkTerms made;
    if (prepared.terms.empty()) {
      made = terms_.make(content.substr(chunk.range.begin, chunk.range.size()));
    }
    const ChunkTerms& own = prepared.terms.empty() ? made : prepared.terms[i];
    CODEXMEM_TRY(query::run_once(chunks, key, chunk.range.begin, chunk.range.end, chunk.start_line,
                                 chunk.end_line, own_symbol(chunk.symbol), own.count));
    CODEXMEM_TRY(query::run_once(terms, term_row(key), own.tokens));
  }
  CODEXMEM_TRY(query::run(database_, "INSERT INTO file_names (rowid, names) VALUES (?1, ?2)", id,
                          record.identifiers));
  CODEXMEM_TRY(query::run(database_, kInsertFactsSql, id, query::Blob{record.facts}));
  if (record.trigrams.empty()) return {};
  return query::execute(database_, "INSERT INTO file_trigrams (file_id, filter) VALUES (?1, ?2)",
                        id, query::Blob{record.trigrams});
}

Result<void> CodeWriter::rename_file(FileId id, std::string_view path, std::int64_t mtime_ns) {
  CODEXMEM_TRY(touch_file(id, mtime_ns));
  return query::execute(database_, "UPDATE file_rows SET path = ?2, generation = ?3 WHERE id = ?1",
                        id, path, generation_);
}

Result<void> CodeWriter::touch_file(FileId id, std::int64_t mtime_ns) {
  return query::execute(database_, "UPDATE file_times SET mtime_ns = ?2 WHERE file_id = ?1", id,
                        mtime_ns);
}

Result<void> CodeWriter::renew_file(FileId id) {
  return query::execute(database_, "UPDATE file_rows SET generation = ?2 WHERE id = ?1", id,
                        generation_);
}

Result<void> CodeWriter::put_compiler_uses(FileId id, std::string_view tool,
                                           std::string_view uses) {
  CODEXMEM_TRY(query::execute(database_, "DELETE FROM compiler_uses WHERE file_id = ?1", id));
  CODEXMEM_TRY(query::execute(database_,
                              "INSERT INTO compiler_uses (file_id, tool, uses) VALUES (?1, ?2, ?3)",
                              id, tool, query::Blob{uses}));
  return renew_file(id);
}

Result<void> CodeWriter::expire_file(FileId id) {
  CODEXMEM_TRY(touch_file(id, -1));
  return query::execute(database_, "UPDATE file_rows SET hash = '' WHERE id = ?1", id);
}

Result<void> CodeWriter::put_dependencies(FileId source, std::span<const DependencyRow> rows) {
  CODEXMEM_TRY(
      query::execute(database_, "DELETE FROM dependencies WHERE source_file_id = ?1", source));
  CODEXMEM_ASSIGN(Statement insert, database_.statement(kInsertDependencySql));
  for (const DependencyRow& row : rows) CODEXMEM_TRY(add_dependency(insert, source, row));
  return {};
}

Result<void> CodeWriter::add_dependency(Statement& insert, FileId source,
                                        const DependencyRow& row) {
  return query::run_once(insert, source, row.target, row.import_path, row.import_type,
                         row.is_external, dump_json(Json(row.symbols)), row.import_index, row.line,
                         query::OrNull{row.package});
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
  CODEXMEM_TRY(query::run(database_, R"sql(
INSERT INTO embedding_models (name, dimension, statistics, code_values) VALUES (?1, ?2, x'', ?3)
ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension, statistics = excluded.statistics,
  code_values = excluded.code_values)sql",
                          model.name, model.dimension, query::Blob{model.code_values}));
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
