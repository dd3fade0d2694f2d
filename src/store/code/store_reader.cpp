#include "store/code/store_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "store/code/chunk_terms.h"
#include "store/code/file_counts.h"
#include "store/code/text_books.h"
#include "store/full_text.h"
#include "store/query.h"

namespace codexmem::store {
namespace {

#define CODEXMEM_FILE_ROWS                                                                  \
  "SELECT id, path, language, hash, size,"                                                  \
  " coalesce((SELECT mtime_ns FROM file_times WHERE file_id = id), -1), line_count, flags," \
  " generation FROM file_rows "
#define CODEXMEM_SYMBOL_ROWS                                                                \
  "SELECT s.id, s.name, s.start_byte, s.size, s.start_line, s.start_column, s.lines, "      \
  "s.end_column, s.name_step, s.signature_rest, s.parent_step, s.container, s.name_place, " \
  "s.docstring, s.signature_step, t.type, t.kind, t.exported, t.modifiers "                 \
  "FROM symbol_rows AS s LEFT JOIN symbol_traits AS t ON t.id = s.traits "
// Of an id of a symbol, a chunk or a vector: it is not of a parked file.
#define CODEXMEM_IS_LIVE(id) id " >> 20 NOT IN (SELECT id FROM parked_rows)"
#define CODEXMEM_PARKED_ROWS                                                              \
  "SELECT id, path, language, hash, size, parked_ns, line_count, flags, 0 AS generation " \
  "FROM parked_rows INDEXED BY parked_scan "
#define CODEXMEM_DEPENDENCY_ROWS                                                            \
  "SELECT source_file_id, target_file_id, import_path, import_type, is_external, symbols, " \
  "import_index, line, package FROM dependencies "

std::uint32_t unsigned_column(const Statement& row, int column) {
  return static_cast<std::uint32_t>(row.integer(column));
}

// (Of a damaged store, a variable: there is no type of that number.)
SymbolType type_column(const Statement& row, int column) {
  return symbol_type_of(row.integer(column)).value_or(SymbolType::kVariable);
}

// Both halves of a number; the upper one may be negative.
std::uint32_t upper_half(std::int64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }
std::uint32_t lower_half(std::int64_t pair) { return static_cast<std::uint32_t>(pair); }

// (Of a damaged store places may be anywhere; cut_texts() and the check look.)
SymbolRow read_symbol(const Statement& row) {
  SymbolRow symbol;
  symbol.id = row.id<SymbolId>(0);
  symbol.name = row.text(1);
  const std::uint32_t begin = unsigned_column(row, 2), size = unsigned_column(row, 3);
  symbol.range = {begin, begin + size};
  symbol.start = {unsigned_column(row, 4), unsigned_column(row, 5)};
  symbol.end = {symbol.start.line + unsigned_column(row, 6), unsigned_column(row, 7)};
  const std::uint32_t name_step = unsigned_column(row, 8);
  symbol.name_byte = begin + name_step;
  symbol.name_start = {symbol.start.line, symbol.start.column + name_step};
  const std::uint32_t signature = begin + unsigned_column(row, 14);
  symbol.signature_range = {signature, signature + size - unsigned_column(row, 9)};
  if (!row.is_null(10)) symbol.parent = static_cast<SymbolId>(row.integer(0) - row.integer(10));
  symbol.container = row.text(11);
  if (!row.is_null(12)) {
    const std::int64_t place = row.integer(12);
    symbol.name_start = {symbol.start.line + upper_half(place), lower_half(place)};
  }
  if (!row.is_null(13)) {
    const std::uint32_t docstring = begin + upper_half(row.integer(13));
    symbol.docstring_range = {docstring, docstring + lower_half(row.integer(13))};
  }
  symbol.type = type_column(row, 15);
  symbol.kind = row.text(16);
  symbol.exported = row.integer(17) != 0;
  symbol.modifiers = row.is_null(18) ? "[]" : row.text(18);
  symbol.modifier_set = ModifierSet(symbol.modifiers);
  return symbol;
}

ChunkRow read_chunk(const Statement& row) {
  ChunkRow chunk;
  chunk.id = row.id<ChunkId>(0);
  chunk.range = {unsigned_column(row, 1), unsigned_column(row, 2)};
  chunk.start_line = unsigned_column(row, 3);
  chunk.end_line = unsigned_column(row, 4);
  if (!row.is_null(5)) chunk.symbol = row.id<SymbolId>(5);
  return chunk;
}

// The first and the last possible id of a row of `file`, or of any file. Ids of symbols and chunks
// are made alike.
std::pair<std::int64_t, std::int64_t> id_bounds(std::optional<FileId> file) {
  if (!file.has_value()) return {0, std::numeric_limits<std::int64_t>::max()};
  return {static_cast<std::int64_t>(chunk_id(*file, 0)),
          static_cast<std::int64_t>(chunk_id(*file, kFileVectorIndex))};
}

// Makes temp.TABLE_instances, what the full-text table holds as rows: a view on the index that
// holds nothing itself. It is temporary, so that readers can have it; query_only, which would
// refuse even that, is off while it is made.
Result<void> make_vocabulary(Database& database, std::string_view table) {
  CODEXMEM_ASSIGN(const auto query_only, database.find_integer("PRAGMA query_only"));
  CODEXMEM_TRY(database.execute("PRAGMA query_only=OFF"));
  auto made =
      database.execute(fmt::format("CREATE VIRTUAL TABLE IF NOT EXISTS temp.{0}_instances"
                                   " USING fts5vocab(main, {0}, instance)",
                                   table));
  if (query_only.value_or(0) != 0) CODEXMEM_TRY(database.execute("PRAGMA query_only=ON"));
  return made;
}

}  // namespace

Result<ReadMoment> StoreReader::begin_read() {
  ReadMoment moment;
  CODEXMEM_ASSIGN(auto transaction, Transaction::begin_read(database_));
  moment.hold(std::move(transaction));
  return moment;
}

Result<std::int64_t> StoreReader::generation() {
  return query::count(database_, "SELECT value FROM meta WHERE key = 'generation'");
}

Result<std::vector<FileRow>> StoreReader::list_files() {
  return query::list(database_, CODEXMEM_FILE_ROWS "INDEXED BY files_scan ORDER BY path",
                     query::as<FileRow>);
}

Result<std::vector<FileRow>> StoreReader::list_files_after(std::string_view path,
                                                           std::size_t limit) {
  return query::list(
      database_, CODEXMEM_FILE_ROWS "INDEXED BY files_scan WHERE path > ?1 ORDER BY path LIMIT ?2",
      query::as<FileRow>, path, limit);
}

Result<std::optional<FileRow>> StoreReader::find_file(std::string_view path) {
  return query::find(database_, CODEXMEM_FILE_ROWS "INDEXED BY files_scan WHERE path = ?1",
                     query::as<FileRow>, path);
}

Result<std::optional<FileRow>> StoreReader::find_file(FileId id) {
  return query::find(database_, CODEXMEM_FILE_ROWS "WHERE id = ?1", query::as<FileRow>, id);
}

Result<std::vector<FileId>> StoreReader::list_files_with_hash(std::string_view hash) {
  return query::list(
      database_,
      "SELECT id FROM file_rows WHERE substr(hash, 1, 12) = substr(?1, 1, 12) AND hash = ?1"
      " ORDER BY id",
      query::read_id<FileId>, hash);
}

Result<std::vector<FileRow>> StoreReader::list_parked() {
  return query::list(database_, CODEXMEM_PARKED_ROWS "ORDER BY parked_ns, id", query::as<FileRow>);
}

Result<std::vector<FileId>> StoreReader::list_parked_ids() {
  CODEXMEM_ASSIGN(auto ids, query::list(database_,
                                        "SELECT id FROM parked_rows INDEXED BY"
                                        " parked_scan WHERE path >= ''",
                                        query::read_id<FileId>));
  std::ranges::sort(ids);
  return ids;
}

Result<std::optional<FileRow>> StoreReader::find_parked(std::string_view path,
                                                        std::string_view hash) {
  return query::find(database_, CODEXMEM_PARKED_ROWS "WHERE path = ?1 AND hash = ?2 LIMIT 1",
                     query::as<FileRow>, path, hash);
}

Result<std::optional<std::string>> StoreReader::find_content(FileId id) {
  CODEXMEM_ASSIGN(
      Statement row,
      query::prepare(database_,
                     "SELECT text, text_size, book FROM file_rows WHERE id = ?1 UNION ALL"
                     " SELECT text, text_size, book FROM parked_rows WHERE id = ?1",
                     id));
  CODEXMEM_ASSIGN(const bool found, row.step());
  if (!found) return std::optional<std::string>();
  if (row.integer(2) == 0) return std::optional(std::string(row.text(0)));
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(0, row.integer(1)));
  CODEXMEM_ASSIGN(const auto book, find_book(database_, BookId{row.integer(2)}));
  std::optional<std::string> text;
  if (book) text = book->decode(row.blob(0), size);
  if (!text) {
    return damage_error(
        database_.path().string(),
        fmt::format("the text of file {} cannot be read", static_cast<std::int64_t>(id)),
        database_.advice());
  }
  return text;
}

Result<std::optional<std::string>> StoreReader::find_facts(FileId id) {
  return query::find(database_, "SELECT facts FROM file_facts WHERE file_id = ?1", query::read_text,
                     id);
}

Result<std::optional<std::string>> StoreReader::find_compiler_uses(FileId id) {
  return query::find(database_, "SELECT uses FROM compiler_uses WHERE file_id = ?1",
                     query::read_text, id);
}

Result<std::vector<LanguageCount>> StoreReader::count_compiler_uses() {
  return query::list(
      database_, "SELECT tool, count(*) FROM compiler_uses GROUP BY tool ORDER BY tool",
      [](const Statement& row) {
        return LanguageCount{std::string(row.text(0)), static_cast<std::size_t>(row.integer(1)), 0};
      });
}

Result<void> StoreReader::visit_trigrams(
    const std::function<void(FileId, std::string_view)>& visit) {
  return query::visit(database_,
                      "SELECT file_id, filter FROM file_trigrams"
                      " WHERE file_id NOT IN (SELECT id FROM parked_rows) ORDER BY file_id",
                      [&](const Statement& row) { visit(row.id<FileId>(0), row.blob(1)); });
}

Result<std::optional<std::string>> StoreReader::find_trigrams(FileId id) {
  return query::find(database_, "SELECT filter FROM file_trigrams WHERE file_id = ?1",
                     query::read_text, id);
}

Result<std::vector<FileId>> StoreReader::list_files_with_identifier(std::string_view identifier) {
  // A name with spaces is kept as its words, which detail=none cannot look for side by side.
  std::string_view longest;
  for (const std::string_view word : split(identifier, ' ')) {
    if (word.size() > longest.size()) longest = word;
  }
  if (longest.empty()) return std::vector<FileId>();
  const std::string phrase = fts_phrase(longest);
  return query::list(database_,
                     "SELECT rowid FROM file_names WHERE file_names MATCH ?1"
                     " AND rowid NOT IN (SELECT id FROM parked_rows) ORDER BY rowid",
                     query::read_id<FileId>, phrase);
}

Result<std::vector<SkippedFile>> StoreReader::list_skipped() {
  return query::list(database_,
                     "SELECT path, reason, detail, size, mtime_ns FROM skipped_files ORDER BY path",
                     query::as<SkippedFile>);
}

Result<std::optional<SkippedFile>> StoreReader::find_skipped(std::string_view path) {
  return query::find(
      database_, "SELECT path, reason, detail, size, mtime_ns FROM skipped_files WHERE path = ?1",
      query::as<SkippedFile>, path);
}

Result<std::size_t> StoreReader::count_skipped() {
  CODEXMEM_ASSIGN(const auto noted, find_noted_counts(*this));
  if (noted) return static_cast<std::size_t>(noted->totals.skipped);
  CODEXMEM_ASSIGN(const auto count, query::count(database_, "SELECT count(*) FROM skipped_files"));
  return static_cast<std::size_t>(count);
}

Result<std::vector<LanguageCount>> StoreReader::count_languages() {
  CODEXMEM_ASSIGN(auto noted, find_noted_counts(*this));
  if (noted) return std::move(noted->languages);
  return recount_languages(*this);
}

Result<StoreCounts> StoreReader::counts() {
  CODEXMEM_ASSIGN(const FileCounts counts, count_files(*this));
  return counts.totals;
}

Result<std::vector<SymbolRow>> StoreReader::list_symbols(FileId file) {
  return query::list(database_, CODEXMEM_SYMBOL_ROWS "WHERE s.id BETWEEN ?1 AND ?2 ORDER BY s.id",
                     read_symbol, symbol_id(file, 0), symbol_id(file, kFileVectorIndex));
}

Result<std::optional<SymbolRow>> StoreReader::find_symbol(SymbolId id) {
  return query::find(database_,
                     CODEXMEM_SYMBOL_ROWS "WHERE s.id = ?1 AND " CODEXMEM_IS_LIVE("s.id"),
                     read_symbol, id);
}

Result<std::vector<SymbolRow>> StoreReader::list_symbols_named(std::string_view name) {
  // Both look-ups by name share the one index there is.
  return query::list(database_,
                     CODEXMEM_SYMBOL_ROWS
                     "WHERE s.name = ?1 COLLATE NOCASE AND s.name = ?1"
                     " AND " CODEXMEM_IS_LIVE("s.id") " ORDER BY s.id",
                     read_symbol, name);
}

Result<std::vector<SymbolRow>> StoreReader::list_symbols_named_ignoring_case(
    std::string_view name) {
  return query::list(database_,
                     CODEXMEM_SYMBOL_ROWS "WHERE s.name = ?1 COLLATE NOCASE AND " CODEXMEM_IS_LIVE(
                         "s.id") " ORDER BY s.id",
                     read_symbol, name);
}

Result<void> StoreReader::visit_symbol_names(const std::function<void(std::string_view)>& visit) {
  // By their index, so nothing is sorted; equal names of one case are mostly next to each other.
  std::string last;
  bool is_first = true;
  return query::visit(
      database_,
      "SELECT name FROM symbol_rows WHERE " CODEXMEM_IS_LIVE("id") " ORDER BY name COLLATE NOCASE",
      [&](const Statement& row) {
        const std::string_view name = row.text(0);
        if (!is_first && name == last) return;
        is_first = false;
        last = name;
        visit(name);
      });
}

Result<std::vector<std::string>> StoreReader::list_symbol_names() {
  return query::list(
      database_,
      "SELECT DISTINCT name FROM symbol_rows WHERE " CODEXMEM_IS_LIVE("id") " ORDER BY name",
      query::read_text);
}

Result<std::vector<std::string>> StoreReader::list_symbol_names(std::string_view prefix,
                                                                std::size_t limit) {
  std::string end = to_lower_ascii(prefix);  // after all that begin so; empty: none
  while (!end.empty() && end.back() == '\xFF') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return query::list(
      database_,
      "SELECT DISTINCT name FROM symbol_rows WHERE name >= ?1 COLLATE NOCASE"
      " AND (?2 = '' OR name < ?2 COLLATE NOCASE) AND " CODEXMEM_IS_LIVE("id") " LIMIT ?3",
      query::read_text, prefix, end, static_cast<std::int64_t>(limit));
}

Result<std::optional<SymbolRow>> StoreReader::find_symbol_at(FileId file, std::uint32_t offset) {
  // Symbols come with the enclosing one first: the last that holds the offset is the innermost.
  return query::find(database_,
                     CODEXMEM_SYMBOL_ROWS
                     "WHERE s.id BETWEEN ?1 AND ?2 AND s.start_byte <= ?3"
                     " AND s.start_byte + s.size > ?3 ORDER BY s.id DESC LIMIT 1",
                     read_symbol, symbol_id(file, 0), symbol_id(file, kFileVectorIndex), offset);
}

Result<void> StoreReader::visit_files(const std::function<void(const FileStamp&)>& visit) {
  return query::visit(
      database_,
      "SELECT id, path, generation FROM file_rows INDEXED BY files_scan WHERE path >= ''"
      " ORDER BY path",
      [&](const Statement& row) {
        visit({row.id<FileId>(0), row.text(1), row.integer(2)});
      });
}

Result<void> StoreReader::visit_definitions(
    std::optional<FileId> file, const std::function<void(const DefinitionName&)>& visit) {
  const auto [first, last] = id_bounds(file);
  // Looked up here: a join would cost each of millions of rows a look-up in the table.
  struct Traits {
    SymbolType type = SymbolType::kVariable;
    std::string kind;
  };
  std::unordered_map<std::int64_t, Traits> traits;
  CODEXMEM_TRY(query::visit(
      database_, "SELECT id, type, kind FROM symbol_traits ORDER BY id", [&](const Statement& row) {
        traits[row.integer(0)] = {type_column(row, 1), std::string(row.text(2))};
      }));
  return query::visit(
      database_,
      "SELECT id, name, traits, start_byte FROM symbol_rows"
      " WHERE id BETWEEN ?1 AND ?2 AND " CODEXMEM_IS_LIVE("id") " ORDER BY id",
      [&](const Statement& row) {
        const Traits& own = traits[row.integer(2)];
        visit({row.id<SymbolId>(0), row.text(1), own.type, own.kind, unsigned_column(row, 3)});
      },
      first, last);
}

Result<void> StoreReader::visit_identifiers(
    const std::function<void(std::string_view, FileId)>& visit) {
  CODEXMEM_ASSIGN(const std::vector<FileId> parked, list_parked_ids());
  return visit_all_identifiers([&](std::string_view name, FileId file) {
    if (!std::ranges::binary_search(parked, file)) visit(name, file);
  });
}

Result<void> StoreReader::visit_all_identifiers(
    const std::function<void(std::string_view, FileId)>& visit) {
  CODEXMEM_TRY(make_vocabulary(database_, "file_names"));
  return query::visit(database_, "SELECT term, doc FROM temp.file_names_instances",
                      [&](const Statement& row) { visit(row.text(0), row.id<FileId>(1)); });
}

Result<void> StoreReader::visit_chunk_terms(
    const std::function<void(std::string_view, ChunkId, std::uint32_t)>& visit) {
  CODEXMEM_ASSIGN(const std::vector<FileId> parked, list_parked_ids());
  CODEXMEM_TRY(make_vocabulary(database_, "chunk_terms"));
  return query::visit(database_, "SELECT term, doc FROM temp.chunk_terms_instances",
                      [&](const Statement& row) {
                        const ChunkId chunk = chunk_of_term_row(row.integer(1));
                        if (std::ranges::binary_search(parked, file_of(chunk))) return;
                        const TokenPart token = read_term_token(row.text(0));
                        visit(token.term, chunk, token.part);
                      });
}

Result<void> StoreReader::visit_chunk_lengths(
    std::optional<FileId> file, const std::function<void(ChunkId, std::uint32_t)>& visit) {
  const auto [first, last] = id_bounds(file);
  return query::visit(
      database_,
      "SELECT id, term_count FROM chunk_rows WHERE id BETWEEN ?1 AND ?2"
      " AND " CODEXMEM_IS_LIVE("id") " ORDER BY id",
      [&](const Statement& row) { visit(row.id<ChunkId>(0), unsigned_column(row, 1)); }, first,
      last);
}

Result<std::vector<ChunkRow>> StoreReader::list_chunks(FileId file) {
  return query::list(
      database_,
      "SELECT id, start_byte, end_byte, start_line, end_line, symbol_id FROM chunk_rows"
      " WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
      read_chunk, chunk_id(file, 0), chunk_id(file, kFileVectorIndex));
}

Result<StoreReader::TermTotals> StoreReader::term_totals() {
  CODEXMEM_ASSIGN(
      const auto totals,
      query::find(database_,
                  "SELECT count(*), sum(term_count) FROM chunk_rows WHERE " CODEXMEM_IS_LIVE("id"),
                  query::as<TermTotals>));
  return totals.value_or(TermTotals{});
}

Result<std::vector<DependencyRow>> StoreReader::list_dependencies(FileId source) {
  return query::list(database_,
                     CODEXMEM_DEPENDENCY_ROWS "WHERE source_file_id = ?1 ORDER BY import_index, id",
                     query::as<DependencyRow>, source);
}

Result<std::size_t> StoreReader::count_unresolved_imports(FileId source) {
  CODEXMEM_ASSIGN(const auto count,
                  query::count(database_,
                               "SELECT count(*) FROM dependencies WHERE source_file_id = ?1"
                               " AND target_file_id IS NULL AND is_external = 0",
                               source));
  return static_cast<std::size_t>(count);
}

Result<std::vector<DependencyRow>> StoreReader::list_dependents(FileId target) {
  return query::list(database_,
                     CODEXMEM_DEPENDENCY_ROWS
                     "WHERE target_file_id = ?1"
                     " ORDER BY source_file_id, import_index, id",
                     query::as<DependencyRow>, target);
}

Result<std::vector<DependencyRow>> StoreReader::list_all_dependencies() {
  return query::list(database_,
                     CODEXMEM_DEPENDENCY_ROWS "ORDER BY source_file_id, import_index, id",
                     query::as<DependencyRow>);
}

Result<void> StoreReader::visit_imports(const std::function<void(FileId, FileId)>& visit) {
  return query::visit(database_,
                      "SELECT DISTINCT source_file_id, target_file_id FROM dependencies"
                      " WHERE target_file_id <> source_file_id",
                      [&](const Statement& row) { visit(row.id<FileId>(0), row.id<FileId>(1)); });
}

Result<std::int64_t> StoreReader::last_dependency() {
  return query::count(database_, "SELECT max(id) FROM dependencies");
}

Result<void> StoreReader::visit_imports_since(
    std::int64_t last, const std::function<void(FileId, std::optional<FileId>)>& visit) {
  return query::visit(
      database_, "SELECT DISTINCT source_file_id, target_file_id FROM dependencies WHERE id > ?1",
      [&](const Statement& row) {
        const auto target = row.is_null(1) ? std::nullopt : std::optional(row.id<FileId>(1));
        const auto source = row.id<FileId>(0);
        visit(source, target == source ? std::nullopt : target);
      },
      last);
}

Result<std::optional<StoreReader::Model>> StoreReader::find_model(std::string_view name) {
  return query::find(database_,
                     "SELECT id, name, dimension FROM embedding_models"
                     " WHERE name = ?1 AND dimension BETWEEN 1 AND 65536",
                     query::as<Model>, name);
}

Result<void> StoreReader::visit_vectors(
    std::int64_t generation, const std::function<bool(ChunkId, ModelId, std::string_view)>& visit) {
  constexpr char kAll[] =
      "SELECT id, model_id, codes FROM chunk_vectors WHERE " CODEXMEM_IS_LIVE("id") " ORDER BY id";
  constexpr char kSince[] = R"sql(
SELECT v.id, v.model_id, v.codes FROM file_rows AS f INDEXED BY files_scan
CROSS JOIN chunk_vectors AS v ON v.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
WHERE f.path >= '' AND f.generation > ?1 ORDER BY v.id)sql";
  CODEXMEM_ASSIGN(Statement query, database_.statement(generation == 0 ? kAll : kSince));
  if (generation != 0) query.bind(1, generation);
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, query.step());
    if (!more) return {};
    if (!visit(query.id<ChunkId>(0), query.id<ModelId>(1), query.blob(2))) return {};
  }
}

Result<std::vector<StoreReader::VectorKey>> StoreReader::list_vector_keys(FileId file) {
  return query::list(database_, R"sql(
SELECT v.id, m.name, length(v.codes)
FROM chunk_vectors AS v LEFT JOIN embedding_models AS m ON m.id = v.model_id
WHERE v.id BETWEEN ?1 AND ?2 ORDER BY v.id, m.name)sql",
                     query::as<VectorKey>, chunk_id(file, 0), chunk_id(file, kFileVectorIndex));
}

Result<std::int64_t> StoreReader::count_vectors(ModelId model) {
  return query::count(database_,
                      "SELECT count(*) FROM chunk_vectors WHERE model_id = ?1"
                      " AND " CODEXMEM_IS_LIVE("id"),
                      model);
}

Result<std::optional<std::string>> StoreReader::find_vector(ModelId model, ChunkId id) {
  return query::find(database_, "SELECT codes FROM chunk_vectors WHERE id = ?1 AND model_id = ?2",
                     query::read_text, id, model);
}

Result<std::vector<FileId>> StoreReader::list_files_without_vectors(ModelId model) {
  return query::list(database_, R"sql(
SELECT f.id FROM file_rows AS f INDEXED BY files_scan
WHERE f.path >= '' AND f.flags & 1 = 0 AND NOT EXISTS (
  SELECT 1 FROM chunk_vectors AS v WHERE v.id = (f.id << 20) + 1048575 AND v.model_id = ?1)
ORDER BY f.id)sql",
                     query::read_id<FileId>, model);
}

Result<std::vector<FileId>> StoreReader::list_files_since(std::int64_t generation) {
  return query::list(
      database_,
      "SELECT id FROM file_rows INDEXED BY files_scan WHERE path >= '' AND generation > ?1"
      " ORDER BY id",
      query::read_id<FileId>, generation);
}

Result<std::optional<std::string>> StoreReader::find_meta(std::string_view key) {
  return query::find(database_, "SELECT value FROM meta WHERE key = ?1", query::read_text, key);
}

Result<std::int64_t> StoreReader::find_meta_number(std::string_view key) {
  CODEXMEM_ASSIGN(const auto text, find_meta(key));
  std::int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace codexmem::store
